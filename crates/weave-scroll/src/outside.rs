//! What may not come from outside.

use std::fmt;

use weave_runner::Event;

/// Why an event or a run id from outside is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The id belongs to the runner: it is the run's id, or begins with it and `/` or `@`.
    Id(String),
    /// Only the runner and its host say this.
    Topic(String),
    /// Only the host says what happens inside an agent's loop.
    Within,
    /// A run id is empty or has a `/`, an `@` or a control character.
    Run(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => {
                write!(f, "the event id `{id}` is reserved for the run itself; choose one that does not begin with the run's id")
            }
            Self::Topic(topic) => write!(f, "`{topic}` is said by the runner only; send an event that the workflow declares"),
            Self::Within => f.write_str("`in` is set by the host only; leave it out"),
            Self::Run(id) => write!(f, "`{id}` cannot be the id of a run; use an id without `/`, `@` and control characters"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Checks an event from outside for a run. `source` is where it comes from, which its id gets as a prefix.
///
/// # Errors
///
/// Why it is refused.
pub fn outside_event(run: &str, source: Option<&str>, event: &Event) -> Result<(), Refusal> {
    let reserved = |id: &str| id.strip_prefix(run).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '@']));
    let prefixed = source.map(|source| format!("{source}{}", event.id));
    if event.id.is_empty() || reserved(&event.id) || prefixed.is_some_and(|id| reserved(&id)) {
        return Err(Refusal::Id(event.id.clone()));
    }
    let topic = event.topic.as_str();
    let internal = topic.starts_with("workflow.") || topic.starts_with("timer.");
    if internal || ["ai.turn", "tool.dispatch", "tool.unknown", "tool.again"].contains(&topic) {
        return Err(Refusal::Topic(event.topic.clone()));
    }
    if event.within.is_some() {
        return Err(Refusal::Within);
    }
    Ok(())
}

/// Checks the id of a run that is started from outside.
///
/// # Errors
///
/// [`Refusal::Run`].
pub fn outside_run(id: &str) -> Result<(), Refusal> {
    if id.is_empty() || id.contains(['/', '@']) || id.chars().any(char::is_control) { Err(Refusal::Run(id.to_owned())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_runner_says_does_not_come_from_outside() {
        let event = |id: &str, topic: &str| Event::external(id, topic, json!({}));
        assert_eq!(outside_event("r1", None, &event("r10", "order.paid")), Ok(()));
        assert_eq!(outside_event("r1", None, &event("shop/r1/a", "order.paid")), Ok(()));
        for id in ["r1", "r1/pay#1/1@result", "r1@done", ""] {
            assert_eq!(outside_event("r1", None, &event(id, "order.paid")), Err(Refusal::Id(id.to_owned())));
        }
        assert_eq!(outside_event("r1", Some("r1/"), &event("pay#1", "order.paid")), Err(Refusal::Id("pay#1".to_owned())));
        for topic in ["workflow.start", "workflow.x", "timer.fired", "ai.turn", "tool.dispatch", "tool.unknown", "tool.again"] {
            assert_eq!(outside_event("r1", None, &event("e", topic)), Err(Refusal::Topic(topic.to_owned())));
        }
        assert_eq!(outside_event("r1", None, &event("e", "order.paid").inside("r1/a#1")), Err(Refusal::Within));
    }

    #[test]
    fn run_ids_have_no_separators() {
        assert_eq!(outside_run("order-7 of Ærø"), Ok(()));
        for id in ["", "a/b", "a@b", "a\nb"] {
            assert_eq!(outside_run(id), Err(Refusal::Run(id.to_owned())));
        }
    }
}
