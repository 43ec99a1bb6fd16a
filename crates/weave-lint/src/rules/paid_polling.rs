//! A loop that costs money until somebody notices.

use weave_analysis::flow::Hazard;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{name, name_place};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "paid-polling",
    severity: Severity::Warning,
    summary: "A loop that only a pause slows down asks a model, or calls a tool that does more than read.",
    explanation: "A pause is not a bound: the loop goes on until its condition holds, which may be never, for up to 10,000 firings. Each round asks a model or changes something. Put a `limit` on a node of the loop and say what happens then with an `else`, or bound the whole run with a `timeout`. A loop that only calls tools with the hint `read_only`, or tools without `hints`, is not reported.",
    bad: "\
agent checker(text: string) -> bool { model mini, system \"Is this done? {{.text}}\" }

workflow watch(text: string) {
  step check on start | pause { ask checker { text: .input.text } }
  step pause on check when !.check { wait 1m }
  end done on check else
}
",
    good: "\
agent checker(text: string) -> bool { model mini, system \"Is this done? {{.text}}\" }

workflow watch(text: string) {
  step check on start | pause { ask checker { text: .input.text } }
  step pause on check when !.check limit 30 { wait 1m }
  end done on check else
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::PaidLoop { node, pause } = *hazard else { continue };
        let (step, delay) = (name(view, node), name(view, pause));
        let finding = findings.at(name_place(view, node), format!("`{step}` is done again and again, with only a pause in between"));
        findings.report(
            finding
                .label("each round costs something")
                .also(name_place(view, pause), "slows the loop down, and does not end it")
                .help(format!("give `{delay}` a `limit`, and an `else` for when it is used up; or give the workflow a `timeout`")),
        );
    }
}
