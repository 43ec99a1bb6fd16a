//! A tool that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-tool",
    severity: Severity::Note,
    summary: "A tool is declared next to workflows, and none of them uses it.",
    explanation: "No step calls the tool, no agent has it, and no toolkit lists it, but it still appears in catalogs and generated code. Use it, or move it to a file of declarations that other files import.",
    bad: "\
/// Rings at the door.
tool ring(name: string) { hints [open_world] }

/// Greets a guest.
workflow greet(name: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
/// Rings at the door.
tool ring(name: string) { hints [open_world] }

/// Greets a guest.
workflow greet(name: string) -> string {
  step bell { call ring { name: .input.name } }
  end done on bell = \"hello {{.input.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if matches!(view.declaration.kind, DeclarationKind::Tool(_)) {
        unused::check(view, "tool", findings);
    }
}
