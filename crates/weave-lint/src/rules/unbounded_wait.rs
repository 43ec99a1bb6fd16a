//! A person is asked, and may never answer.

use weave_analysis::flow::Hazard;
use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::{Action, Source};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{name, name_place};
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unbounded-wait",
    severity: Severity::Warning,
    summary: "A run waits for a person, another system or an event, and a missing answer is never handled.",
    explanation: "Requests get lost and people forget. Without a time limit the run stays open forever. Handle the missing answer: `on timeout(step, 2d)`, a `timeout` of the step with a node on `failure(step)`, or a `timeout` of the workflow. A mailbox, `wait TOPIC`, is reported only if nothing else that can end the run continues in parallel.",
    bad: "\
event review.requested { text: string } -> review.given
external event review.given { good: bool }

workflow review(text: string) -> bool {
  step ask { emit review.requested { text: .input.text } }
  end done on ask = .ask.good
}
",
    good: "\
event review.requested { text: string } -> review.given
external event review.given { good: bool }

workflow review(text: string) -> bool {
  step ask { emit review.requested { text: .input.text } }
  end done on ask = .ask.good
  end late on timeout(ask, 7d) = false
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        if let Hazard::EndlessMailbox { node } = *hazard {
            let name = name(view, node);
            let finding = findings.at(name_place(view, node), format!("`{name}` may wait for ever"));
            findings.report(
                finding
                    .label("if the event never comes, nothing else goes on")
                    .help(format!("give it a `timeout`, and say what happens then in a node `on failure({name})`")),
            );
        }
    }
    let is_clock = |source: &Source| matches!(source, Source::Timeout { step: None, .. });
    let is_bounded = view.body.nodes.iter().flat_map(|node| &node.triggers).any(|trigger| is_clock(&trigger.source));
    if is_bounded || view.signature.timeout.is_some() {
        return;
    }
    let model = view.declaration.project.model;
    let notices = reads::notices(&view.body.nodes);
    for (node, notice) in view.body.nodes.iter().zip(&notices) {
        if node.timeout.is_some() || notice.is_timed || notice.is_cancelled {
            continue;
        }
        let Action::Emit { event: target, .. } = &node.action else { continue };
        let Some(declaration) = model.get(*target) else { continue };
        let waits_for_people = match &declaration.kind {
            // Whoever writes a built-in request knows whom it asks.
            DeclarationKind::Event(event) => !event.answers.is_empty() && declaration.file.0 != 0,
            _ => false,
        };
        if waits_for_people {
            let finding = findings.at(node.name_place, format!("`{}` may wait for ever", node.name));
            findings.report(
                finding
                    .label(format!("a missing answer to `{}` is never handled", declaration.name))
                    .help(format!("handle the missing answer in a node `on timeout({}, 2d)`", node.name)),
            );
        }
    }
}
