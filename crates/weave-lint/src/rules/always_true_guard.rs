//! A condition that is always true.

use weave_analysis::choices::{Member, Role, Verdict};
use weave_diagnostics::{Applicability, Code, Place, Severity, Span};
use weave_syntax::ast::{Clause, Condition};

use crate::edit::with_blanks_before;
use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "always-true-guard",
    severity: Severity::Warning,
    summary: "A guard is true in every case.",
    explanation: "From the types alone it follows that the guard is true: a length is never below 0, a field with `min: 1` never 0. So it decides nothing, and what was meant is probably another limit or another value. Write the right one, or leave the guard out; behind other guards of a choice, `else` says what is meant.",
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
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for choice in &view.body.choices {
        for (index, member) in choice.members.iter().enumerate().filter(|(_, member)| member.verdict == Verdict::Always) {
            // Of the later ones it is said that nothing is left to them.
            let is_last = !choice.members.iter().skip(index + 1).any(|later| is_asked(later.role));
            let Some((place, guard)) = condition(view, member).filter(|_| is_last || member.role == Role::Also) else { continue };
            let is_first = member.role == Role::Also || !choice.members.iter().take(index).any(|earlier| is_asked(earlier.role));
            let (title, text) = if is_first { ("leave it out", "") } else { ("write `else`", " else") };
            let finding = findings.at(guard, "a guard is always true").label("true in every case");
            let finding = finding.help(format!("was another limit or value meant? if not, {title}"));
            findings.report(finding.replace(Applicability::Unsafe, title, place, text));
        }
    }
}

/// Whether a member of this role is one that the choice goes through.
const fn is_asked(role: Role) -> bool {
    matches!(role, Role::When | Role::Else | Role::Limited)
}

/// A condition with the blanks before it, and its guard.
fn condition(view: &WorkflowView<'_>, member: &Member) -> Option<(Place, Place)> {
    let node = view.syntax.nodes.get(member.node as usize)?;
    let triggers = node.clauses.iter().find_map(|clause| if let Clause::On(triggers) = clause { Some(triggers) } else { None })?;
    let trigger = triggers.items.get(member.trigger as usize)?;
    let Some(Condition::When { also, guard }) = &trigger.condition else { return None };
    let text = view.declaration.context.text;
    let before = text.get(..guard.span().start as usize)?;
    let word = also.map(|also| also.start).or_else(|| before.rfind("when").map(|at| at as u32))?;
    let all = with_blanks_before(text, Span::new(word, guard.span().end));
    Some((view.place(all), view.place(guard.span())))
}
