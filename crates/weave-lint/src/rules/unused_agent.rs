//! An agent that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unused-agent",
    severity: Severity::Warning,
    summary: "An agent is declared and never used.",
    explanation: "No step asks the agent, and no agent is offered it. Only files with a workflow are looked at: a file that only declares is there for others.",
    bad: "\
/// Greets.
agent host(name: string) { model mini, system \"Greet {{.name}} politely.\" }

workflow greet(name: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
/// Greets.
agent host(name: string) { model mini, system \"Greet {{.name}} politely.\" }

workflow greet(name: string) -> string {
  step hello { ask host { name: .input.name } }
  end done on hello = .hello.text
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if !matches!(view.declaration.kind, DeclarationKind::Agent(_)) || view.has_purpose() {
        return;
    }
    let finding = findings.at(view.declaration.place, format!("the agent `{}` is never used", view.declaration.name));
    findings.report(finding.label("nothing names it").help("remove it, or use it where it was meant to be used").replace(
        Applicability::Unsafe,
        "remove it",
        view.whole(),
        "",
    ));
}
