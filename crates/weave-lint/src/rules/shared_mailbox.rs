//! Two mailboxes that take the same event.

use weave_analysis::flow::Hazard;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{declared, name, name_place};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "shared-mailbox",
    severity: Severity::Warning,
    summary: "Two steps wait for the same event, and each of them gets it.",
    explanation: "A `wait` takes the oldest event of the run that this step has not taken. Each step has a queue of its own: what one has taken is still there for the other. So the second `wait` does not wait for the next event, it gets the first one again. Wait for both in one step with a loop, such as `step message on start | handled`, or give the guards something that tells the events apart.",
    bad: "\
external event order.placed { order: string }

/// Ships orders.
tool ship(orders: string[]) { hints [idempotent] }

workflow pair() {
  step first { wait order.placed, timeout 1d }
  step second on first { wait order.placed, timeout 1d }
  step shipped on second { call ship { orders: [.first.order, .second.order] } }
  end done on shipped
}
",
    good: "\
external event order.placed { order: string }

/// Ships orders.
tool ship(orders: string[]) { hints [idempotent] }

workflow pair() {
  step first { wait order.placed, timeout 1d }
  step second on first { wait order.placed when .event.order != .first.order, timeout 1d }
  step shipped on second { call ship { orders: [.first.order, .second.order] } }
  end done on shipped
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::SharedMailbox { first, second, topic } = *hazard else { continue };
        let topic = declared(view, topic);
        let (one, other) = (name(view, first), name(view, second));
        let finding = findings.at(name_place(view, second), format!("`{other}` takes the same `{topic}` as `{one}`"));
        findings.report(
            finding
                .label("has a queue of its own, with the same events in it")
                .also(name_place(view, first), "takes it first, and leaves it for the other")
                .help(format!("wait for it in one step, in a loop; or let the guard of `{other}` leave out what `{one}` has taken")),
        );
    }
}
