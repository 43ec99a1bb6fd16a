//! `weave cancel`.

use serde_json::{Map, json};
use weave_runner::Event;

use super::place::{find, still_open, to_write};
use super::post::{Effect, SLOW, parked, post};
use crate::args::Cancel;
use crate::failure::{Exit, Failures};
use crate::terminal::Terminal;

pub(crate) fn cancel(arguments: &Cancel, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_write(&arguments.at)?;
    let row = find(&store, &arguments.run)?;
    still_open(&row, crate::run::now())?;
    let meta = arguments.reason.as_ref().map(|reason| Map::from_iter([("reason".to_owned(), json!(reason))]));
    // The id that a parent uses, too: a run is cancelled once.
    let event = Event { meta, ..Event::external(format!("{}@cancel", row.id), "workflow.cancel", json!({ "re": row.id })) };
    let known = weave_scroll::Store::inbox(&store, &row.id, 0).is_ok_and(|inbox| inbox.iter().any(|waiting| waiting.post.id == event.id));
    let taken = if known { Effect::Known } else { post(&store, &row, &event)? };
    match taken {
        Effect::Known => terminal.remark("The run is being cancelled already."),
        Effect::Parked => terminal.remark(parked(&row)),
        Effect::Waits => terminal.remark(SLOW),
        Effect::Taken { .. } => terminal.remark(format!("{} is cancelled.", row.id)),
    }
    Ok(Exit::Clean)
}
