//! Who says what to whom.

use crate::bodies::Bodies;
use crate::fixture::Fixture;
use crate::flow::topics::{Consumption, Handling, TopicFlow};
use crate::model::Model;

const TWO_FILES: &str = "
event order.noted { id: string }
event order.checked { id: string }
event review.asked { id: string } -> review.granted | review.denied
external event review.granted { by: string }
external event review.denied { by: string }
external event order.paid { id: string }
tool find(id: string) -> string { timeout 5s }
tool note(id: string)

workflow first(id: string) {
  step find { call find { id: .input.id } }
  step noted on find { emit order.noted { id: .find } }
  step checked on noted { emit order.checked { id: .find } }
  step asked on checked { emit review.asked { id: .find } }
  step log on asked { call note { id: .input.id } }
  end granted on review.granted
  end denied on review.denied from asked
  fail lost on failure(find) when .failure.kind == \"timeout\"
}
// file: second.weave
import { order.noted, order.checked, find } from \"./input.weave\"

workflow second(id: string) {
  step left { call find { id: .input.id } }
  step right { call find { id: .input.id } }
  step box on settled(left, right) { wait order.noted, timeout 1h }
  end done on box
  end checked on order.checked
  fail broken on failure
}
";

fn with<T>(text: &str, look: impl FnOnce(&Model, &TopicFlow) -> T) -> T {
    let fixture = Fixture::new(text);
    let declared = fixture.declare();
    let bodies: Vec<Bodies> = fixture.units.iter().map(|unit| crate::bodies::check(&declared.model, unit, false)).collect();
    look(&declared.model, &TopicFlow::new(&declared.model, &bodies))
}

fn name(model: &Model, id: crate::model::DeclarationId) -> String {
    model.get(id).unwrap().name.to_string()
}

#[test]
fn each_topic_knows_who_emits_and_who_consumes_it() {
    with(TWO_FILES, |model, flow| {
        let topic = |wanted: &str| flow.topics().iter().find(|topic| name(model, topic.event) == wanted).unwrap();
        let consumers = |wanted: &str| {
            let consumers = topic(wanted).consumers.iter();
            consumers.map(|it| (name(model, it.at.workflow), it.at.node, it.how)).collect::<Vec<_>>()
        };
        let emits = |wanted: &str| topic(wanted).emits.iter().map(|it| (name(model, it.at.workflow), it.at.node)).collect::<Vec<_>>();
        assert_eq!(emits("order.noted"), [("first".to_owned(), 1)]);
        assert_eq!(consumers("order.noted"), [("second".to_owned(), 2, Consumption::Mailbox)]);
        assert_eq!(
            consumers("review.granted"),
            [("first".to_owned(), 4, Consumption::Answer(3)), ("first".to_owned(), 5, Consumption::Trigger)]
        );
        assert_eq!(
            consumers("review.denied"),
            [("first".to_owned(), 4, Consumption::Answer(3)), ("first".to_owned(), 6, Consumption::From(3))]
        );
        assert_eq!(topic("review.denied").answers_to, [topic("review.asked").event]);
        assert_eq!(emits("tool.dispatch").len(), 4);
        assert!(topic("tool.dispatch").built_in && topic("order.paid").external && topic("review.asked").is_request);
        assert_eq!(flow.topic(topic("order.paid").event).unwrap().event, topic("order.paid").event);
    });
}

#[test]
fn what_leads_nowhere_can_be_asked_for() {
    with(TWO_FILES, |model, flow| {
        let unread = flow.unread().map(|topic| name(model, topic.event)).collect::<Vec<_>>();
        assert_eq!(unread, ["order.paid"]);
        assert_eq!(flow.orphan_emits().count(), 0);
        let elsewhere = flow
            .emitted_elsewhere()
            .map(|(topic, consumer, emit)| (name(model, topic.event), name(model, consumer.at.workflow), name(model, emit.at.workflow)));
        let both = |topic: &str| (topic.to_owned(), "second".to_owned(), "first".to_owned());
        assert_eq!(elsewhere.collect::<Vec<_>>(), [both("order.noted"), both("order.checked")]);
        let steps = |steps: Vec<(crate::model::DeclarationId, u32)>| {
            steps.into_iter().map(|(workflow, step)| format!("{}#{step}", name(model, workflow))).collect::<Vec<_>>()
        };
        assert_eq!(steps(flow.unawaited().collect()), ["first#4"]);
        assert_eq!(steps(flow.unhandled_failures().collect()), ["first#0", "first#3", "first#4"]);
        assert_eq!(steps(flow.unbounded_waits().collect()), ["first#3", "first#4"]);
    });
    with("event a.b { x: int }\nworkflow w() {\n step s { emit a.b { x: 1 } }\n end e on s\n}\n", |model, flow| {
        let orphans = flow.orphan_emits().map(|(topic, emit)| (name(model, topic.event), emit.at.node)).collect::<Vec<_>>();
        assert_eq!(orphans, [("a.b".to_owned(), 0)]);
    });
}

#[test]
fn each_step_knows_who_takes_care_of_it() {
    with(TWO_FILES, |model, flow| {
        let workflow = |wanted: &str| flow.workflows().iter().find(|it| name(model, it.workflow) == wanted).unwrap();
        let (first, second) = (workflow("first"), workflow("second"));
        assert_eq!(flow.workflow(first.workflow).unwrap().steps.len(), 8);
        assert_eq!(first.steps[0].failure, Handling::Sometimes);
        assert_eq!((first.steps[0].timeout, first.steps[0].read, first.steps[0].awaited), (Some(5_000), true, true));
        assert!(!first.steps[1].waits && !first.steps[1].can_fail);
        assert_eq!(second.steps[0].failure, Handling::Always);
        assert_eq!((second.steps[2].timeout, second.steps[2].can_fail, second.steps[2].failure), (Some(3_600_000), true, Handling::Always));
    });
}
