//! A condition that is always true.

use weave_analysis::choices::{Member, Role, Verdict};
use weave_analysis::model::workflow::Condition;
use weave_diagnostics::{Code, Place, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "always-true-guard",
    severity: Severity::Warning,
    summary: "A guard is always true.",
    explanation: "The types alone prove that the guard is true: a length is never below 0, and a field with `min: 1` is never 0. The guard decides nothing, so it probably names the wrong limit or the wrong value. Correct it or remove it. After other guards of a choice, write `else`.",
    bad: "\
type Order { lines: string[], count: int(min: 1) }

workflow check(order: Order) -> string {
  end some on start when .input.order.count > 0 = \"some\"
}
",
    good: "\
type Order { lines: string[], count: int(min: 1) }

workflow check(order: Order) -> string {
  end some on start when .input.order.count > 1 = \"some\"
  end one on start else = \"one\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for choice in &view.body.choices {
        for (index, member) in choice.members.iter().enumerate().filter(|(_, member)| member.verdict == Verdict::Always) {
            // Of the later ones it is said that nothing is left to them.
            let is_last = !choice.members.iter().skip(index + 1).any(|later| is_asked(later.role));
            let Some(guard) = guard(view, member).filter(|_| is_last || member.role == Role::Also) else { continue };
            let is_first = member.role == Role::Also || !choice.members.iter().take(index).any(|earlier| is_asked(earlier.role));
            let instead = if is_first { "leave it out" } else { "write `else`" };
            let finding = findings.at(guard, "a guard is always true").label("always true");
            findings.report(finding.help(format!("did you mean another limit or value? if not, {instead}")));
        }
    }
}

/// Whether a member of this role is one that the choice goes through.
const fn is_asked(role: Role) -> bool {
    matches!(role, Role::When | Role::Else | Role::Limited)
}

/// Where the guard of a member stands.
fn guard(view: &WorkflowView<'_>, member: &Member) -> Option<Place> {
    let node = view.body.nodes.get(member.node as usize)?;
    match &node.triggers.get(member.trigger as usize)?.condition {
        Some(Condition::When(guard) | Condition::AlsoWhen(guard)) => Some(guard.place),
        _ => None,
    }
}
