//! An event that is emitted for nobody.

use weave_analysis::flow::{Consumption, TopicFlow};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::Project;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unheard-event",
    severity: Severity::Note,
    summary: "An event is emitted, but no workflow consumes it, and its documentation names no consumer.",
    explanation: "A reader cannot find out what the event is for. If another system consumes it, say so in its `///` comment. Otherwise remove the event.",
    bad: "\
event letter.sent { to: string }

/// Sends a letter.
tool send(to: string) { hints [open_world] }

/// Writes a letter.
workflow write(to: string) {
  step sent { call send { to: .input.to } }
  step tell on sent { emit letter.sent { to: .input.to } }
  end done on tell
}
",
    good: "\
/// A letter was sent; the archive keeps a copy.
event letter.sent { to: string }

/// Sends a letter.
tool send(to: string) { hints [open_world] }

/// Writes a letter.
workflow write(to: string) {
  step sent { call send { to: .input.to } }
  step tell on sent { emit letter.sent { to: .input.to } }
  end done on tell
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Project(check), options: &[] };

fn check(project: &Project<'_>, findings: &mut Findings<'_>) {
    let flow = TopicFlow::new(project.model, project.bodies.iter().map(|bodies| &**bodies));
    for topic in flow.topics().iter().filter(|topic| !topic.built_in && !topic.is_request && topic.answers_to.is_empty()) {
        let Some(declaration) = project.model.get(topic.event).filter(|declaration| declaration.docs.is_none()) else { continue };
        // A node that fires on the step that emits it only goes on.
        let is_heard = topic.consumers.iter().any(|consumer| !matches!(consumer.how, Consumption::Answer(_)));
        let Some(emit) = topic.emits.first().filter(|_| !is_heard) else { continue };
        let finding = findings.at(declaration.place, format!("no workflow consumes `{}`", declaration.name));
        findings.report(
            finding
                .label("no consumer is documented")
                .also(emit.at.place, "emitted here")
                .help("name the consumer in a `///` comment, or remove the event"),
        );
    }
}
