//! A type that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-type",
    severity: Severity::Warning,
    summary: "A type is declared and never used.",
    explanation: "Nothing in the program uses the type, enum or union. Only files with a workflow are checked: a file of declarations alone is meant to be imported.",
    bad: "\
type Guest { name: string }

workflow greet(name: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
type Guest { name: string }

workflow greet(guest: Guest) -> string {
  end done = \"hello {{.input.guest.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if matches!(view.declaration.kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_)) {
        unused::check(view, "type", findings);
    }
}
