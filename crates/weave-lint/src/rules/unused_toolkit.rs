//! A toolkit that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-toolkit",
    severity: Severity::Warning,
    summary: "A toolkit is declared and never used.",
    explanation: "No agent and no other toolkit lists the toolkit. Only files with a workflow are checked: a file of declarations alone is meant to be imported.",
    bad: "\
/// Looks up an address.
tool find_address(name: string) -> string { hints [read_only] }

toolkit addresses { tools [find_address] }

workflow find(name: string) -> string {
  step found { call find_address { name: .input.name } }
  end done on found = .found
}
",
    good: "\
/// Looks up an address.
tool find_address(name: string) -> string { hints [read_only] }

toolkit addresses { tools [find_address] }

agent clerk(name: string) { model mini, system \"Find the address of {{.name}}.\", tools [addresses], max_turns 3 }

workflow find(name: string) -> string {
  step found { ask clerk { name: .input.name } }
  end done on found = .found.text
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if matches!(view.declaration.kind, DeclarationKind::Toolkit(_)) {
        unused::check(view, "toolkit", findings);
    }
}
