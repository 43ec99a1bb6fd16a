//! A race that is won and then lost.

use weave_analysis::flow::Hazard;
use weave_analysis::model::workflow::Source;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::hazards::{after, name, name_place, names, too_few, trigger};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "settled-beside-race",
    severity: Severity::Warning,
    summary: "A `fail` on `settled` fires although the race of the same steps was won.",
    explanation: "`settled(a, b)` fires when each step has answered or failed, not when all have failed. So after `1 of (a, b)` has fired and the run goes on with the winner, the second answer fires the `fail`. Where the race ends the run but comes after the `fail` in the text, a success that comes last fires both, and the `fail` comes first. Let the `fail` fire only if none has answered: `also when !has(.a) && !has(.b)`.",
    bad: "\
/// Searches here.
tool search_here(query: string) -> string { hints [read_only] }

/// Searches there.
tool search_there(query: string) -> string { hints [read_only] }

/// Keeps what was found.
tool keep(text: string) -> string { hints [idempotent] }

workflow search(query: string) -> string {
  step here { call search_here { query: .input.query } }
  step there { call search_there { query: .input.query } }
  step found on 1 of (here, there) = .event
  step kept on found { call keep { text: .found } }
  end done on kept = .kept
  fail lost on settled(here, there) = \"both have failed\"
}
",
    good: "\
/// Searches here.
tool search_here(query: string) -> string { hints [read_only] }

/// Searches there.
tool search_there(query: string) -> string { hints [read_only] }

/// Keeps what was found.
tool keep(text: string) -> string { hints [idempotent] }

workflow search(query: string) -> string {
  step here { call search_here { query: .input.query } }
  step there { call search_there { query: .input.query } }
  step found on 1 of (here, there) = .event
  step kept on found { call keep { text: .found } }
  end done on kept = .kept
  fail lost on settled(here, there) also when !has(.here) && !has(.there) = \"both have failed\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::ReversedRace { node, trigger: place, race } = *hazard else { continue };
        let Some(trigger) = trigger(view, node, place) else { continue };
        let Source::Settled(members) = &trigger.source else { continue };
        let counts =
            view.body.nodes.get(race as usize).into_iter().flat_map(|node| &node.triggers).filter_map(|trigger| match &trigger.source {
                Source::Count(count, steps) if steps.len() == members.len() => Some(*count),
                _ => None,
            });
        let finding = findings
            .at(trigger.place, format!("`{}` fails the run, even if `{}` has fired", name(view, node), name(view, race)))
            .label("fires when each has answered or failed")
            .also(name_place(view, race), "fires when enough of the same steps have answered");
        findings.report(match counts.max().and_then(|count| too_few(&names(view, members), count)) {
            Some(guard) => finding.help(format!("add `also when {guard}`")).replace(
                Applicability::Unsafe,
                "fail only if too few have answered",
                after(trigger.place),
                format!(" also when {guard}"),
            ),
            None => finding.help("add an `also when` that holds only if too few have answered"),
        });
    }
}
