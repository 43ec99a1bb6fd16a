//! An error that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-error",
    severity: Severity::Warning,
    summary: "An error is declared and never used.",
    explanation: "No tool lists the error in `fails`, and nothing else refers to it. Only files with a workflow are checked: a file of declarations alone is meant to be imported.",
    bad: "\
error nobody_there

workflow greet(name: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
error nobody_there

tool ring(name: string) { hints [open_world], fails [nobody_there] }

workflow greet(name: string) -> string {
  step bell { call ring { name: .input.name } }
  end done on bell = \"hello {{.input.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if matches!(view.declaration.kind, DeclarationKind::Error(_)) {
        unused::check(view, "error", findings);
    }
}
