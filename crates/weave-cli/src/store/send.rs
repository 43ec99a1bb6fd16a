//! `weave send`.

use weave_runner::Event;
use weave_scroll::outside_event;

use super::fit;
use super::open::{Open, requests};
use super::place::{find, still_open, to_write};
use super::post::{Effect, SLOW, new_id, parked, post};
use super::view::{Reader, View};
use crate::args::Send;
use crate::failure::{Exit, Failure, Failures};
use crate::terminal::Terminal;

pub(crate) fn send(arguments: &Send, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_write(&arguments.at)?;
    let row = find(&store, &arguments.run)?;
    still_open(&row, crate::run::now())?;
    let view = Reader::new(&store).view(row)?;
    let definition = view.definition();
    let topic = arguments.topic.as_str();
    let data = fit::value(&arguments.data, "the payload")?;
    let id = arguments.id.clone().unwrap_or_else(new_id);
    let open = requests(&view);
    let mut event = Event::external(id, topic, data);
    let mut schema = None;
    if let Some(re) = &arguments.re {
        let request = named(&open, re, &view)?;
        let Some((_, own)) = request.answers.iter().find(|(answer, _)| answer == topic) else {
            let failure = Failure::new(format!("`{topic}` does not answer `{}`", request.node));
            return Err(request.answers.iter().fold(failure, |failure, (topic, _)| failure.detail(topic)).help("send one of these").into());
        };
        schema.clone_from(own);
        event.re = Some(request.re.clone());
        event.attempt = request.attempt;
    }
    outside_event(&view.row.id, None, &event).map_err(|refusal| {
        let text = refusal.to_string();
        text.split_once("; ").map_or_else(|| Failure::new(text.as_str()), |(what, way)| Failure::new(what).help(way))
    })?;
    if event.re.is_none() {
        schema = Some(declared(&view, topic)?);
    }
    if let Some(data) = event.data() {
        fit::check(data, schema.as_ref(), &definition, "the payload")?;
    }
    if let Some(why) = view.drive.runner().misfit(&event) {
        return Err(Failure::new(format!("the payload does not fit: {why}")).into());
    }
    match post(&store, &view.row, &event)? {
        Effect::Known => terminal.remark(format!("The run has this event already ({}).", event.id)),
        Effect::Parked => {
            terminal.remark(format!("Posted as {}.", event.id));
            terminal.remark(parked(&view.row));
        }
        Effect::Waits => terminal.remark(SLOW),
        Effect::Taken { ended: true, .. } => terminal.remark("Taken, and the run has ended."),
        Effect::Taken { fired, .. } if fired.is_empty() => {
            terminal.remark("Taken. It is on the scroll, and no step has followed from it yet.");
        }
        Effect::Taken { fired, .. } => terminal.remark(format!("Taken: {}.", fired.join(", "))),
    }
    Ok(Exit::Clean)
}

/// The open request of this step or id.
fn named<'o>(open: &'o [Open], re: &str, view: &View) -> Result<&'o Open, Failure> {
    let found: Vec<_> = open.iter().filter(|open| open.re == re || open.node == re).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => {
            let failure = Failure::new(format!("the run `{}` has no open request `{re}`", view.row.id));
            let failure = open.iter().fold(failure, |failure, open| failure.detail(format!("{} ({})", open.re, open.topic)));
            Err(failure.help("name the id of one that is open, or leave `--re` out"))
        }
        several => {
            let failure = Failure::new(format!("several requests of `{re}` are open"));
            Err(several.iter().fold(failure, |failure, open| failure.detail(&open.re)).help("name one by its id"))
        }
    }
}

/// The schema of an external event that the workflow declares.
fn declared(view: &View, topic: &str) -> Result<weave_ir::Schema, Failure> {
    let definition = view.definition();
    let external = || definition.events.iter().filter(|(name, event)| event.external && !name.starts_with("timer."));
    if let Some((_, event)) = external().find(|(name, _)| *name == topic) {
        return Ok(event.payload.clone());
    }
    let failure = match definition.events.get(topic) {
        Some(_) => Failure::new(format!("`{topic}` does not come from outside: the workflow says it")),
        None => Failure::new(format!("the workflow `{}` has no event `{topic}`", view.row.workflow)),
    };
    let own = || external().map(|(name, _)| name.as_str());
    let near = weave_diagnostics::closest(topic, own());
    let failure = own().fold(failure, Failure::detail);
    Err(match near {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None if own().next().is_none() => failure.help("it listens to no event from outside; `weave answer` answers requests"),
        None => failure.help("send one of these"),
    })
}
