//! A tool with many parameters and no example.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "missing-example",
    severity: Severity::Warning,
    summary: "A tool with many parameters has no example.",
    explanation: "The more parameters a tool has, the easier it is to call it wrongly. One `example` shows a model how they fit together. The compiler checks it against the types.",
    bad: "\
/// Books a table.
tool book(name: string, day: date, seats: int, wishes: string) {
  hints [open_world]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [book]
}
",
    good: "\
/// Books a table.
tool book(name: string, day: date, seats: int, wishes: string) {
  hints [open_world]
  example { name: \"Ada\", day: \"2026-05-01\", seats: 2, wishes: \"by the window\" }
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [book]
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Pedantic,
    fixable: Fixable::No,
    check: Check::Declaration(check),
    options: &[RuleOption {
        name: "parameters",
        summary: "From how many parameters on an example is wanted.",
        default: 4,
        least: 1,
        most: 1000,
    }],
};

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    let count = tool.input.fields.len();
    if tool.kind == ToolKind::Provider || !tool.examples.is_empty() || (count as u64) < findings.option("parameters") {
        return;
    }
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let finding =
        findings.at(view.declaration.place, format!("the tool `{}` has {count} parameters and no example", view.declaration.name));
    let finding = finding.label("a model has to guess how they fit together").also(agent, "offered to this agent");
    findings.report(finding.help("add an `example { … }`"));
}
