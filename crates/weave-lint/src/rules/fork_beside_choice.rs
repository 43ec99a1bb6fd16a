//! A branch that is always taken, beside a choice.

use weave_analysis::flow::Hazard;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::hazards::{after, name, name_place, trigger};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "fork-beside-choice",
    severity: Severity::Warning,
    summary: "A node without a condition has the same trigger as a choice, so two branches run.",
    explanation: "A node without a condition always fires. Next to nodes with `when` or `else` on the same trigger it is not the default case: it runs together with the branch that the choice takes. Most often an `else` is missing. If both are meant to run, allow the finding with a reason, or let the node fire on the step that follows. At the start of a run a node without `on` is how a branch begins, so it is not reported.",
    bad: "\
/// A manager decides.
event approval.requested { order: string } -> approval.decided

external event approval.decided { granted: bool }

/// Pays.
tool pay(order: string, because: string) { hints [idempotent] }

workflow refund(order: string) {
  step ask { emit approval.requested { order: .input.order } }
  step granted on ask when .ask.granted = \"granted\"
  step denied on ask = \"denied\"
  step pay on granted | denied { call pay { order: .input.order, because: .event } }
  end done on pay
  end late on timeout(ask, 2d)
}
",
    good: "\
/// A manager decides.
event approval.requested { order: string } -> approval.decided

external event approval.decided { granted: bool }

/// Pays.
tool pay(order: string, because: string) { hints [idempotent] }

workflow refund(order: string) {
  step ask { emit approval.requested { order: .input.order } }
  step granted on ask when .ask.granted = \"granted\"
  step denied on ask else = \"denied\"
  step pay on granted | denied { call pay { order: .input.order, because: .event } }
  end done on pay
  end late on timeout(ask, 2d)
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::BesideChoice { node, trigger: place, choice, otherwise } = *hazard else { continue };
        let Some(trigger) = trigger(view, node, place) else { continue };
        let (own, chosen) = (name(view, node), name(view, choice));
        let finding = findings
            .at(trigger.place, format!("`{own}` fires together with `{chosen}`"))
            .label("has no condition, so it always fires")
            .also(name_place(view, choice), "fires on the same trigger, if its condition holds");
        findings.report(match otherwise {
            Some(otherwise) => finding.also(name_place(view, otherwise), "fires when no condition holds").help(format!(
                "give `{own}` a condition with `when`, or `also when` if it is meant to run next to the choice; if it always is, let it fire on the step that follows"
            )),
            None => finding
                .help(format!("write `else` if `{own}` is the other case; to run both, write `also when` with a condition"))
                .replace(Applicability::Unsafe, "fire only when no condition holds", after(trigger.place), " else"),
        });
    }
}
