//! The beginning of a scroll as the beginning of a new run.

use std::fmt;
use std::sync::Arc;

use weave_runner::{Body, Event, EventKind, Prepared, Runner};

/// Why no fork can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForkError {
    /// The scroll has no event, or does not begin with `workflow.start`.
    NoStart,
    /// The scroll is a run of another workflow.
    OtherWorkflow {
        /// The workflow that was started.
        started: String,
    },
    /// The definition has no digest.
    Definition(String),
}

impl fmt::Display for ForkError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart => out.write_str("the scroll does not begin with `workflow.start`"),
            Self::OtherWorkflow { started } => write!(out, "the scroll is a run of the workflow `{started}`"),
            Self::Definition(message) => write!(out, "the definition has no digest: {message}"),
        }
    }
}

impl std::error::Error for ForkError {}

/// The scroll of a new run with this id: the external events before the event with the number `at`, under this definition, with what
/// follows from them now.
///
/// Ids that were computed from the id of the old run are computed from the new one.
///
/// # Errors
///
/// If the events are not the scroll of a run of this workflow.
pub fn fork(events: &[Event], at: u64, run: &str, prepared: &Arc<Prepared>) -> Result<Vec<Event>, ForkError> {
    let first = events.first().filter(|event| event.topic == "workflow.start").ok_or(ForkError::NoStart)?;
    let started = first.data().and_then(|data| data.get("workflow")).and_then(serde_json::Value::as_str).unwrap_or_default();
    if started != prepared.definition().workflow {
        return Err(ForkError::OtherWorkflow { started: started.to_owned() });
    }
    let digest = prepared.digest().map_err(|error| ForkError::Definition(error.to_string()))?;
    let renamed = |id: &String| match id.strip_prefix(first.id.as_str()) {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '@']) => format!("{run}{rest}"),
        _ => id.clone(),
    };
    let mut runner = Runner::new(Arc::clone(prepared));
    let mut scroll = Vec::new();
    for event in events.iter().filter(|event| event.kind == EventKind::External && event.seq < at) {
        let mut event = Event {
            seq: scroll.len() as u64,
            id: renamed(&event.id),
            re: event.re.as_ref().map(renamed),
            within: event.within.as_ref().map(renamed),
            ..event.clone()
        };
        if let (0, Body::Data(data)) = (event.seq, &mut event.body)
            && let Some(entries) = data.as_object_mut()
        {
            entries.insert("digest".to_owned(), digest.into());
        }
        let at = event.at.clone();
        let derived = runner.feed(&event);
        scroll.push(event);
        scroll.extend(derived.into_iter().map(|event| Event { at: at.clone(), ..event }));
    }
    Ok(scroll)
}
