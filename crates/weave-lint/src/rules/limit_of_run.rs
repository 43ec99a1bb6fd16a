//! A limit that is used up in the first round.

use weave_analysis::flow::Hazard;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{name, name_place};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};
use weave_syntax::ast::Clause;

static CODE: Code = Code {
    id: "limit-of-run",
    severity: Severity::Warning,
    summary: "A `limit` in a loop within another loop counts for the whole run.",
    explanation: "`limit 3` lets a node fire three times in a run. In an inner loop that reads as three times for each round of the outer loop, such as for each message of a chat. But the count does not begin anew: the first message may use up all of it, and for all later ones the node does not fire. Do what the inner loop does in a workflow of its own, which the outer loop starts with `run`: each child run counts for itself. If the limit is meant for the whole run, allow the finding with a reason.",
    bad: "\
external event chat.message { text: string }

agent writer(text: string) -> { text: string, good: bool } { model mini, system \"Answer {{.text}}\" }

/// Sends an answer.
tool send(text: string) { hints [open_world] }

workflow chat() {
  timeout 30d
  step message on start | sent { wait chat.message, timeout 1d }
  step draft on message { ask writer { text: .message.text } }
  step latest on draft | revise = .event
  step revise on latest when !.latest.good limit 3 { ask writer { text: .latest.text } }
  step sent on latest else { call send { text: .latest.text } }
  end idle on failure(message)
}
",
    good: "\
external event chat.message { text: string }

agent writer(text: string) -> { text: string, good: bool } { model mini, system \"Answer {{.text}}\" }

/// Sends an answer.
tool send(text: string) { hints [open_world] }

workflow chat() {
  timeout 30d
  step message on start | sent { wait chat.message, timeout 1d }
  step answer on message { run answer { text: .message.text } }
  step sent on answer { call send { text: .answer } }
  end idle on failure(message)
}

workflow answer(text: string) -> string {
  step draft { ask writer { text: .input.text } }
  step latest on draft | revise = .event
  step revise on latest when !.latest.good limit 3 { ask writer { text: .latest.text } }
  end done on latest else = .latest.text
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::LimitOfRun { node, outer } = *hazard else { continue };
        let clauses = view.syntax.nodes.get(node as usize).map(|node| &node.clauses);
        let limit = clauses.into_iter().flatten().find(|clause| matches!(clause, Clause::Limit { .. }));
        let place = limit.map_or_else(|| name_place(view, node), |clause| view.place(clause.span()));
        let (own, round) = (name(view, node), name(view, outer));
        let finding = findings.at(place, format!("the limit of `{own}` counts for the whole run, not for each `{round}`"));
        findings.report(
            finding
                .label("once it is used up, the node never fires again")
                .also(name_place(view, outer), "each round of the outer loop waits here")
                .help(format!("put the loop of `{own}` into a workflow of its own, and `run` that in each round")),
        );
    }
}
