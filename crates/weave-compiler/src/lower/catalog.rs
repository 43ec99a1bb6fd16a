//! What an application offers models: the tools of its files, for catalogs.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use weave_analysis::Type;
use weave_analysis::model::declarations::{Activation, ToolReference};
use weave_analysis::model::offered::{Offered, offered};
use weave_analysis::model::types::RecordType;
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, Model};
use weave_diagnostics::FileId;
use weave_ir::{Schema, Tool, ToolKind};
use weave_providers::{Callable, Catalog, CatalogEntry};

use super::parts::{Parts, entries, text};
use super::places::Places;
use super::uses::Uses;
use super::{Program, names};
use crate::schema::Schemas;

/// A name that a catalog would list twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogClash {
    /// The name.
    pub name: String,
    /// What it would mean: the declared names, each with the name of its file.
    pub declarations: Vec<(String, String)>,
}

impl Program<'_> {
    /// What the files offer, by name.
    pub(crate) fn catalog(&self, is_root: impl Fn(FileId) -> bool) -> Result<Catalog, Vec<CatalogClash>> {
        let offers = offers(self.model, &is_root);
        let clashes: Vec<CatalogClash> = offers.values().filter(|same| same.len() > 1).map(|same| self.clash(same)).collect();
        if !clashes.is_empty() {
            return Err(clashes);
        }
        let offers: Vec<(String, DeclarationId)> = offers.into_values().flatten().collect();
        let ids: Vec<DeclarationId> = offers.iter().map(|(_, id)| *id).collect();
        let contents = Uses::new(self.model).of_parts(self.model, &ids);
        let names = names::names(self.model, &contents.types);
        let parts = Parts { model: self.model, schemas: Schemas { model: self.model, names: &names }, built_in: &self.built_in };
        let entry = |(name, id): (String, DeclarationId)| Some(parts.entry(name, self.model.get(id)?));
        let schema = |id: &DeclarationId| Some((names.get(id)?.clone(), Schema(parts.schemas.declaration(self.model.get(*id)?))));
        Ok(Catalog { entries: offers.into_iter().filter_map(entry).collect(), defs: contents.types.iter().filter_map(schema).collect() })
    }

    fn clash(&self, same: &[(String, DeclarationId)]) -> CatalogClash {
        let name = same.first().map(|(name, _)| name.clone()).unwrap_or_default();
        let declarations = same.iter().filter_map(|(_, id)| self.model.get(*id));
        let said = declarations.map(|it| (it.name.to_string(), self.sources.name(it.file).to_owned()));
        CatalogClash { name, declarations: said.collect() }
    }
}

/// The names under which something is offered, by their lower case: a model that mistakes the case shall not find another tool.
type Offers = BTreeMap<String, Vec<(String, DeclarationId)>>;

fn offers(model: &Model, is_root: &impl Fn(FileId) -> bool) -> Offers {
    let mut offers = Offers::new();
    let mut add = |name: String, id: DeclarationId| {
        let same = offers.entry(name.to_lowercase()).or_default();
        let offer = (name, id);
        if !same.contains(&offer) {
            same.push(offer);
        }
    };
    let listed = listed(model, is_root);
    let roots = model.declarations.iter().zip(0_u32..).map(|(declaration, index)| (declaration, DeclarationId(index)));
    for (declaration, id) in roots.filter(|(declaration, _)| is_root(declaration.file)) {
        match &declaration.kind {
            DeclarationKind::Agent(agent) => {
                offered(model, &agent.tools).tools.into_iter().for_each(|Offered { name, target, .. }| add(name, target));
            }
            DeclarationKind::Toolkit(_) if !listed.contains(&id) => {
                // As if an agent had it in its list, so that its namespace counts.
                let list = [ToolReference { target: id, alias: None, place: declaration.place, name_place: declaration.place }];
                offered(model, &list).tools.into_iter().for_each(|Offered { name, target, .. }| add(name, target));
            }
            DeclarationKind::Tool(tool) if !listed.contains(&id) && tool.activation != Activation::Internal => {
                add(declaration.name.to_string(), id);
            }
            _ => {}
        }
    }
    offers
}

/// What is in the lists of agents and toolkits of these files, toolkits taken apart.
fn listed(model: &Model, is_root: &impl Fn(FileId) -> bool) -> FxHashSet<DeclarationId> {
    let lists =
        model.declarations.iter().filter(|declaration| is_root(declaration.file)).filter_map(|declaration| match &declaration.kind {
            DeclarationKind::Agent(agent) => Some(&agent.tools),
            DeclarationKind::Toolkit(toolkit) => Some(&toolkit.tools),
            _ => None,
        });
    let mut open: Vec<DeclarationId> = lists.flat_map(|list| list.iter()).map(|reference| reference.target).collect();
    let mut listed = FxHashSet::default();
    while let Some(id) = open.pop() {
        if listed.insert(id)
            && let Some(DeclarationKind::Toolkit(toolkit)) = model.get(id).map(|declaration| &declaration.kind)
        {
            open.extend(toolkit.tools.iter().map(|reference| reference.target));
        }
    }
    listed
}

impl Parts<'_> {
    fn entry(&self, name: String, declaration: &Declaration) -> CatalogEntry {
        // Nobody asks where a part of a catalog was written.
        let mut places = Places::default();
        let (declared, mut tool) = match &declaration.kind {
            DeclarationKind::Tool(tool) => (Callable::Tool, self.tool(declaration, tool, "", &mut places)),
            DeclarationKind::Agent(agent) => {
                let mut made = self.function(&agent.input, agent.output.as_ref().or_else(|| self.built_in.plain_answer(self.model)));
                made.title = text(&agent.title);
                made.version = text(&agent.version);
                made.meta = entries(agent.meta.as_ref());
                (Callable::Agent, made)
            }
            DeclarationKind::Workflow(workflow) => {
                let mut made = self.function(&workflow.input, workflow.output.as_ref());
                made.title = text(&workflow.title);
                made.version = text(&workflow.version);
                made.meta = entries(workflow.meta.as_ref());
                (Callable::Workflow, made)
            }
            // Nothing else can stand in a list of tools.
            _ => (Callable::Tool, self.function(&RecordType::default(), None)),
        };
        tool.description = text(&declaration.docs);
        tool.deprecated = text(&declaration.deprecated);
        CatalogEntry { name, declared, declared_name: declaration.name.to_string(), tool }
    }

    fn function(&self, input: &RecordType, output: Option<&Type>) -> Tool {
        Tool::new(ToolKind::Local, Schema(self.schemas.record(input)), Schema(self.schemas.output(output)))
    }
}
