//! The projections that stand in a definition.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::{AgentProjection, Definition, OfferedTool, Projection, ProviderProjections, Schema, ToolKind};

use crate::limits::{Limits, Provider};
use crate::piece::target;
use crate::project::{Pieces, Role, Whole};

/// What the providers of models are told in place of the schemas of a definition: of the tools that its agents are offered, and of what
/// those agents answer for which `is_structured` is true.
///
/// What a provider accepts as it is, is absent; so is a provider that accepts everything.
#[must_use]
pub fn projections(definition: &Definition, is_structured: &dyn Fn(&str) -> bool) -> BTreeMap<String, ProviderProjections> {
    let offered = Offered::of(definition);
    let each = Provider::ALL.into_iter().filter(|provider| provider.limits().keywords.is_some());
    let found = each.map(|provider| (provider.id().to_owned(), of_provider(definition, provider.limits(), &offered, is_structured)));
    found.filter(|(_, projections)| !projections.is_empty()).collect()
}

/// What models are offered.
#[derive(Default)]
struct Offered<'d> {
    tools: BTreeSet<&'d str>,
    agents: BTreeSet<&'d str>,
    workflows: BTreeSet<&'d str>,
}

impl<'d> Offered<'d> {
    fn of(definition: &'d Definition) -> Self {
        let mut offered = Self::default();
        for it in definition.agents.values().flat_map(|agent| &agent.tools) {
            match it {
                OfferedTool::Tool { tool, .. } => offered.tools.insert(tool),
                OfferedTool::Agent { agent, .. } => offered.agents.insert(agent),
                OfferedTool::Workflow { workflow, .. } => offered.workflows.insert(workflow),
            };
        }
        offered
    }
}

/// Whether a tool has a projection for a provider: not where the provider does not look at the schema that closely.
pub(crate) fn is_held_to(limits: &Limits, tool: &weave_ir::Tool) -> bool {
    tool.kind != ToolKind::Provider && (tool.strict || !limits.has_strict)
}

fn of_provider(
    definition: &Definition,
    limits: &'static Limits,
    offered: &Offered<'_>,
    is_structured: &dyn Fn(&str) -> bool,
) -> ProviderProjections {
    let mut collect = Collect { pieces: Pieces::new(&definition.defs, limits), reached: BTreeSet::new() };
    let mut found = ProviderProjections::default();
    for (name, tool) in definition.tools.iter().filter(|(name, tool)| offered.tools.contains(name.as_str()) && is_held_to(limits, tool)) {
        found.tools.extend(collect.root(&tool.input, Role::Arguments).map(|it| (name.clone(), it)));
    }
    for (name, agent) in &definition.agents {
        let input = offered.agents.contains(name.as_str()).then(|| collect.root(&agent.input, Role::Arguments)).flatten();
        let output = is_structured(name).then(|| collect.root(&agent.output, Role::Answer)).flatten();
        let projection = AgentProjection { input, output };
        if !projection.is_empty() {
            found.agents.insert(name.clone(), projection);
        }
    }
    for (name, workflow) in definition.workflows.iter().filter(|(name, _)| offered.workflows.contains(name.as_str())) {
        found.workflows.extend(collect.root(&workflow.input, Role::Arguments).map(|it| (name.clone(), it)));
    }
    found.defs = collect.defs(definition);
    found
}

/// The name of the type that a schema only refers to.
pub(crate) fn only_reference(schema: &Schema) -> Option<String> {
    let entries = schema.as_value().as_object().filter(|entries| entries.len() == 1)?;
    entries.get("$ref").and_then(target)
}

/// Collects roots, and what they reach.
struct Collect<'d> {
    pieces: Pieces<'d>,
    reached: BTreeSet<String>,
}

impl Collect<'_> {
    /// The projection of a root; nothing if the provider takes it as it is.
    fn root(&mut self, schema: &Schema, role: Role) -> Option<Projection> {
        let root = self.pieces.root(schema.as_value(), role);
        if let Some(name) = only_reference(schema) {
            self.pieces.make(&name);
        }
        let Whole { mut reached, losses, mut refusals } = self.pieces.whole(&root);
        if !refusals.is_empty() {
            refusals.sort();
            refusals.dedup();
            return Some(Projection { refused: refusals, ..Projection::default() });
        }
        self.reached.append(&mut reached);
        if let (Some(name), false) = (only_reference(schema), root.wrapped) {
            // Who sends it writes it out, and finds what it leads to among the named types.
            self.reached.insert(name);
            return None;
        }
        let mut lost = root.piece.losses;
        lost.extend(losses);
        if root.piece.schema == *schema.as_value() && lost.is_empty() {
            return None;
        }
        lost.sort();
        Some(Projection { schema: Some(Schema(root.piece.schema)), wrapped: root.wrapped, lost, refused: Vec::new() })
    }

    /// The named types that are told differently.
    fn defs(&self, definition: &Definition) -> BTreeMap<String, Projection> {
        let reached = self.reached.iter().filter_map(|name| Some((name, self.pieces.of(name)?, definition.defs.get(name)?)));
        let different = reached.filter(|(_, piece, schema)| piece.schema != *schema.as_value() || !piece.losses.is_empty());
        let projected = different.map(|(name, piece, _)| {
            let mut lost = piece.losses.clone();
            lost.sort();
            (name.clone(), Projection { schema: Some(Schema(piece.schema.clone())), lost, ..Projection::default() })
        });
        projected.collect()
    }
}
