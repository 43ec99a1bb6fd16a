//! Something that nobody should use any more.

use weave_analysis::model::workflow::Action;
use weave_analysis::model::{DeclarationId, DeclarationKind};
use weave_diagnostics::{Code, Place, Severity, Span};
use weave_syntax::ast;
use weave_syntax::ast::{Node, NodeBody, StepEntry};

use crate::findings::Findings;
use crate::project::{FileView, NodeView};
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "deprecated-use",
    severity: Severity::Warning,
    summary: "A deprecated declaration is used.",
    explanation: "`@deprecated(\"…\")` announces that a tool, agent, prompt, workflow or event will be removed, and names its replacement. Use the replacement. Deprecated declarations may use each other.",
    bad: "\
/// Looks up one order by its number.
@deprecated(\"use find_order_by_id\")
tool find_order(number: int) -> string {
  hints [read_only]
}

workflow look(number: int) -> string {
  step order { call find_order { number: .input.number } }
  end found on order = .order
}
",
    good: "\
/// Looks up one order by its id.
tool find_order_by_id(id: string) -> string {
  hints [read_only]
}

workflow look(id: string) -> string {
  step order { call find_order_by_id { id: .input.id } }
  end found on order = .order
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let model = file.project.model;
    let mut uses: Vec<(DeclarationId, Place)> = Vec::new();
    for view in file.declarations().filter(|view| view.declaration.deprecated.is_none()) {
        match &view.declaration.kind {
            DeclarationKind::Agent(agent) => {
                uses.extend(agent.tools.iter().map(|tool| (tool.target, tool.place)));
                uses.extend(agent.prompt.zip(view.setting("prompt").map(|setting| view.place(setting.span))));
            }
            DeclarationKind::Toolkit(toolkit) => uses.extend(toolkit.tools.iter().map(|tool| (tool.target, tool.place))),
            _ => {}
        }
    }
    for workflow in file.workflows().filter(|workflow| workflow.declaration.declaration.deprecated.is_none()) {
        for NodeView { node, syntax } in workflow.nodes() {
            let target = match &node.action {
                Action::Ask { agent: target, .. }
                | Action::Call { tool: target, .. }
                | Action::Run { workflow: target, .. }
                | Action::Emit { event: target, .. } => *target,
                _ => continue,
            };
            uses.push((target, named(syntax).map_or(node.name_place, |span| workflow.place(span))));
        }
    }
    for (target, place) in uses {
        let Some(declaration) = model.get(target) else { continue };
        let Some(advice) = &declaration.deprecated else { continue };
        let finding = findings.at(place, format!("`{}` is deprecated", declaration.name)).label("used here");
        findings.report(finding.also(declaration.place, "declared here").help(advice.to_string()));
    }
}

/// Where a step names what it asks, calls, runs or emits.
fn named(step: &Node) -> Option<Span> {
    let NodeBody::Block { entries, .. } = &step.body else { return None };
    entries.iter().find_map(|entry| match entry {
        StepEntry::Action(ast::Action::Invoke { name, .. }) => Some(name.span),
        StepEntry::Action(ast::Action::Emit { topic, .. }) => Some(topic.span),
        _ => None,
    })
}
