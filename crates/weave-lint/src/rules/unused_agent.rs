//! An agent that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-agent",
    severity: Severity::Warning,
    summary: "An agent is declared and never used.",
    explanation: "No step asks the agent, and no other agent has it as a tool. Only files with a workflow are checked: a file of declarations alone is meant to be imported.",
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
    if matches!(view.declaration.kind, DeclarationKind::Agent(_)) {
        unused::check(view, "agent", findings);
    }
}
