//! A race that the first failure loses.

use weave_analysis::flow::Hazard;
use weave_analysis::model::workflow::Source;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{free_name, name, name_place, names, too_few, trigger};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unhandled-race-failure",
    severity: Severity::Warning,
    summary: "One failure fails the run, although the race or the quorum could still be won.",
    explanation: "`1 of (a, b)` fires on the first success. But a failure that nothing handles fails the run at once: when `a` fails, the run is over while `b` is still working. Handle the failures of the members: a node on `settled(a, b)` takes them, and `also when !has(.a) && !has(.b)` lets it fire only if none has answered. `failure(a)` handles the failure of one member.",
    bad: "\
/// Searches here.
tool search_here(query: string) -> string { hints [read_only] }

/// Searches there.
tool search_there(query: string) -> string { hints [read_only] }

workflow search(query: string) -> string {
  step here { call search_here { query: .input.query } }
  step there { call search_there { query: .input.query } }
  end found on 1 of (here, there) = .event
}
",
    good: "\
/// Searches here.
tool search_here(query: string) -> string { hints [read_only] }

/// Searches there.
tool search_there(query: string) -> string { hints [read_only] }

workflow search(query: string) -> string {
  step here { call search_here { query: .input.query } }
  step there { call search_there { query: .input.query } }
  end found on 1 of (here, there) = .event
  fail lost on settled(here, there) also when !has(.here) && !has(.there) = \"both have failed\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::LostRace { node, trigger: place, member } = *hazard else { continue };
        let Some(trigger) = trigger(view, node, place) else { continue };
        let Source::Count(count, members) = &trigger.source else { continue };
        let all = names(view, members);
        let lost = free_name(view, "lost");
        let list = all.join(", ");
        let help = match too_few(&all, *count) {
            Some(guard) => format!("add `fail {lost} on settled({list}) also when {guard}`, which takes the failures"),
            None => format!(
                "handle the failures: let a node fire on `settled({list})`, with an `also when` that holds if too few have answered"
            ),
        };
        let finding = findings.at(trigger.place, format!("if `{}` fails, the run fails, whatever the others do", name(view, member)));
        findings.report(
            finding
                .label(format!("waits for {count} of {}", members.len()))
                .also(name_place(view, member), "nothing handles its failure")
                .help(help),
        );
    }
}
