//! An event that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-event",
    severity: Severity::Warning,
    summary: "An event is declared and never used.",
    explanation: "No workflow emits the event or waits for it, and no other event is answered by it. Only files with a workflow are looked at: a file that only declares is there for others.",
    bad: "\
event guest.greeted { name: string }

workflow greet(name: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
event guest.greeted { name: string }

workflow greet(name: string) -> string {
  step tell { emit guest.greeted { name: .input.name } }
  end done on tell = \"hello {{.input.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if matches!(view.declaration.kind, DeclarationKind::Event(_)) {
        unused::check(view, "event", findings);
    }
}
