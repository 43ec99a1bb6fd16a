//! An answer that a workflow does not listen to.

use rustc_hash::FxHashSet;
use weave_analysis::model::workflow::{Action, Node, Source};
use weave_analysis::model::{DeclarationId, DeclarationKind};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unheard-answer",
    severity: Severity::Warning,
    summary: "A step can be answered with an event, or can take one from its mailbox, that no node handles.",
    explanation: "The event that the step emits declares its possible answers after `->`. A node fires on one of these answers, but none fires on this one: when it arrives, the run keeps waiting as if there were no answer. Add a node `on TOPIC from STEP`; a node `on STEP` fires on any answer. The same applies to a mailbox, `wait TOPIC`, if only its failure or its timeout is handled.",
    bad: "\
/// A manager is asked.
event approval.requested { text: string } -> approval.granted | approval.denied

external event approval.granted { by: string }
external event approval.denied { by: string }

/// The shop closes.
external event shop.closed { by: string }

/// Pays.
tool pay(text: string) { hints [idempotent] }

workflow buy(text: string) -> string {
  step approve { emit approval.requested { text: .input.text } }
  step pay on approval.granted from approve { call pay { text: .input.text } }
  end paid on pay = \"paid\"
  end late on timeout(approve, 1d) = \"no answer\"
  end closed on shop.closed = \"{{.event.by}} has closed\"
}
",
    good: "\
/// A manager is asked.
event approval.requested { text: string } -> approval.granted | approval.denied

external event approval.granted { by: string }
external event approval.denied { by: string }

/// The shop closes.
external event shop.closed { by: string }

/// Pays.
tool pay(text: string) { hints [idempotent] }

workflow buy(text: string) -> string {
  step approve { emit approval.requested { text: .input.text } }
  step pay on approval.granted from approve { call pay { text: .input.text } }
  end paid on pay = \"paid\"
  end denied on approval.denied from approve = \"{{.event.by}} says no\"
  end late on timeout(approve, 1d) = \"no answer\"
  end closed on shop.closed = \"{{.event.by}} has closed\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let heard = Heard::new(&view.body.nodes);
    mailboxes(view, &heard, findings);
    for (step, node) in (0_u32..).zip(&view.body.nodes) {
        let Action::Emit { event, .. } = &node.action else { continue };
        let Some(DeclarationKind::Event(request)) = model.get(*event).map(|declaration| &declaration.kind) else { continue };
        // What nobody listens to at all is another finding.
        if heard.whole.contains(&step) || !request.answers.iter().any(|answer| heard.has(step, *answer)) {
            continue;
        }
        for answer in request.answers.iter().filter(|answer| !heard.has(step, **answer)) {
            let Some(topic) = model.get(*answer) else { continue };
            let finding = findings.at(node.name_place, format!("the answer `{1}` to `{0}` is not handled", node.name, topic.name));
            findings.report(
                finding
                    .label("a possible answer")
                    .also(topic.place, "no node handles it")
                    .help(format!("add a node `on {} from {}`", topic.name, node.name)),
            );
        }
    }
}

/// Reports the events that a mailbox takes and that no node listens to.
fn mailboxes(view: &WorkflowView<'_>, heard: &Heard, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let notices = reads::notices(&view.body.nodes);
    for ((step, node), notice) in (0_u32..).zip(&view.body.nodes).zip(&notices) {
        let Action::WaitTopics { topics, .. } = &node.action else { continue };
        if heard.whole.contains(&step) || notice.is_read || notice.is_cancelled {
            continue;
        }
        let unheard = topics.iter().filter(|topic| !heard.triggers.contains(topic) && !heard.from.contains(&(step, **topic)));
        for topic in unheard.filter_map(|topic| model.get(*topic)) {
            let finding = findings.at(node.name_place, format!("nothing happens when `{}` gets `{}`", node.name, topic.name));
            findings.report(
                finding
                    .label("takes the event")
                    .also(topic.place, "no node listens to it")
                    .help(format!("add a node `on {}`, or one `on {} from {}`", node.name, topic.name, node.name)),
            );
        }
    }
}

/// Which answers the nodes of a workflow listen to.
#[derive(Default)]
struct Heard {
    /// The steps of which some node hears each answer.
    whole: FxHashSet<u32>,
    /// The topics that are heard whatever they answer.
    topics: FxHashSet<DeclarationId>,
    /// Those of them that a trigger names.
    triggers: FxHashSet<DeclarationId>,
    from: FxHashSet<(u32, DeclarationId)>,
}

impl Heard {
    fn new(nodes: &[Node]) -> Self {
        let mut heard = Self::default();
        for node in nodes {
            for trigger in &node.triggers {
                match &trigger.source {
                    Source::Topic(topic) => {
                        heard.topics.insert(*topic);
                        heard.triggers.insert(*topic);
                    }
                    Source::TopicFrom(topic, step) => _ = heard.from.insert((*step, *topic)),
                    Source::Step(step) => _ = heard.whole.insert(*step),
                    Source::All(steps) | Source::Count(_, steps) | Source::Settled(steps) => heard.whole.extend(steps),
                    _ => {}
                }
            }
            if let Action::WaitTopics { topics, .. } = &node.action {
                heard.topics.extend(topics);
            }
        }
        heard
    }

    fn has(&self, step: u32, answer: DeclarationId) -> bool {
        self.topics.contains(&answer) || self.from.contains(&(step, answer))
    }
}
