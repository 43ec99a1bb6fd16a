//! A tool of which nobody knows what it does.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "missing-hints",
    severity: Severity::Warning,
    summary: "A tool that is offered to a model has no hints.",
    explanation: "Without `hints` a host cannot know whether a tool only reads or destroys something. It has to assume the worst, and asks before each call or refuses it. `hints []` states that no hint applies.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  timeout 3s
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  timeout 3s
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    if tool.kind != ToolKind::Local || tool.hints.is_some() {
        return;
    }
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let finding =
        findings.at(view.declaration.place, format!("the tool `{}` does not declare whether it changes anything", view.declaration.name));
    let finding = finding.label("no `hints`").also(agent, "offered to this agent");
    findings.report(finding.help("declare its effects: `hints [read_only]`, `destructive`, `idempotent`, `open_world`, or `hints []`"));
}
