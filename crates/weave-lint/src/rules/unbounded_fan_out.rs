//! A step for each element of a list without an end.

use weave_analysis::model::types::Type;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unbounded-fan-out",
    severity: Severity::Note,
    summary: "A step is done for each element of a list of any length, all at once.",
    explanation: "A list that comes from outside or from a model may have thousands of elements, and each one is a call. Say how many are under way at a time with `parallel`, or how long the list may be with `max`.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

/// Sends letters.
workflow invite(guests: string[]) {
  step letters each .input.guests as guest { call send { to: .guest } }
  end done on letters
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

/// Sends letters.
workflow invite(guests: string[]) {
  step letters each .input.guests as guest parallel 8 { call send { to: .guest } }
  end done on letters
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    for node in view.nodes() {
        let (Some(each), Some(written)) = (&node.node.each, node.syntax.each()) else { continue };
        let Some(list) = &each.list else { continue };
        let is_bounded = matches!(model.resolve(&list.ty), Type::List(list) if list.max.is_some());
        if !is_bounded && each.parallel.is_none() {
            let finding = findings.at(view.place(written.list.span()), format!("`{}` has no bound", node.node.name));
            findings.report(
                finding.label("may be a list of any length").help("say how many at a time with `parallel`, or give the list a `max`"),
            );
        }
    }
}
