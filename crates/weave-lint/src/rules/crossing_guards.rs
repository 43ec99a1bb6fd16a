//! Two guards of a choice that are true together.

use weave_analysis::choices::Choice;
use weave_analysis::model::workflow::{Condition, Source};
use weave_diagnostics::{Code, Place, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "crossing-guards",
    severity: Severity::Note,
    summary: "Two guards of a choice can be true at the same time, and neither is a special case of the other.",
    explanation: "The first one in the file fires, so the order of the nodes decides. A reader may not notice this, and a later edit may change it. Exclude the first case in the second guard. A guard that is a special case of a later one, such as `>= 80` before `>= 40`, is not reported.",
    bad: "\
type Order { paid: bool, vip: bool }

workflow route(order: Order) -> string {
  end ship on start when .input.order.paid = \"ship\"
  end call on start when .input.order.vip = \"call\"
  end wait on start else = \"wait\"
}
",
    good: "\
type Order { paid: bool, vip: bool }

workflow route(order: Order) -> string {
  end ship on start when .input.order.paid = \"ship\"
  end call on start when !.input.order.paid && .input.order.vip = \"call\"
  end wait on start else = \"wait\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    // What the kind of a failure says about its code is not looked into.
    let is_failure = |source: &Source| matches!(source, Source::Failure(_) | Source::AnyFailure);
    for choice in view.body.choices.iter().filter(|choice| !is_failure(&choice.source)) {
        // One finding for a choice: its author looks at all of it anyway.
        let Some(overlap) = choice.overlaps.iter().find(|overlap| overlap.crossing) else { continue };
        let (Some(first), Some(second)) = (node(view, choice, overlap.first), node(view, choice, overlap.second)) else { continue };
        let finding = findings.at(second.0, format!("the order of `{}` and `{}` decides which one fires", first.1, second.1));
        let case = overlap.witness.condition();
        let case = if case.is_empty() { "both guards can be true".to_owned() } else { format!("both guards are true when `{case}`") };
        findings.report(
            finding
                .label(case)
                .also(first.0, "this one fires: it comes first")
                .help(format!("exclude the other case in the guard of `{}`", second.1)),
        );
    }
}

/// Where the guard of a member stands, and the name of its node.
fn node<'a>(view: &WorkflowView<'a>, choice: &Choice, member: usize) -> Option<(Place, &'a str)> {
    let member = choice.members.get(member)?;
    let node = view.body.nodes.get(member.node as usize)?;
    let Some(Condition::When(guard)) = &node.triggers.get(member.trigger as usize)?.condition else { return None };
    Some((guard.place, &node.name))
}
