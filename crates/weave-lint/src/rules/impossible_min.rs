//! More must succeed than there are.

use weave_analysis::model::types::Type;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "impossible-min",
    severity: Severity::Error,
    summary: "`min` requires more elements than the list can have.",
    explanation: "`min` is the number of elements that must succeed. The list is never that long, so the step always fails. Lower `min`, or allow a longer list.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guests: string[](max: 5)) {
  step letters each .input.guests as guest min 6 { call send { to: .guest } }
  end done on letters
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guests: string[](max: 5)) {
  step letters each .input.guests as guest min 3 { call send { to: .guest } }
  end done on letters
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Correctness, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    for node in view.nodes() {
        let (Some(each), Some(written)) = (&node.node.each, node.syntax.each()) else { continue };
        let Some(Type::List(list)) = each.list.as_ref().map(|list| model.resolve(&list.ty)) else { continue };
        let (Some(most), Some(min), Some(number)) = (list.max, each.min, &written.min) else { continue };
        if min > most {
            let finding = findings.at(view.place(number.span()), format!("{min} elements of `{}` must succeed", node.node.name));
            findings.report(
                finding
                    .label("the list is never that long")
                    .also(view.place(written.list.span()), format!("has at most {most} elements"))
                    .help(format!("require {most} or fewer")),
            );
        }
    }
}
