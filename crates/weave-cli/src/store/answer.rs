//! `weave answer`.

use serde_json::{Map, Value, json};
use weave_ir::Definition;
use weave_runner::{Event, Failure as Failed, FailureKind};
use weave_scroll::{RunRow, Store};

use super::fit;
use super::open::{Open, requests};
use super::place::{failed, find, still_open, to_write};
use super::post::{Effect, SLOW, new_id, parked, post};
use super::view::{Reader, View};
use super::words::quoted;
use crate::args::Answer;
use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::terminal::Terminal;

/// The last parts of topics that people mean by `approve` and by `reject`.
const YES: &[&str] = &["granted", "approved", "accepted", "confirmed"];
const NO: &[&str] = &["denied", "rejected", "declined", "refused"];

pub(crate) fn answer(arguments: &Answer, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_write(&arguments.at)?;
    let row = find(&store, &arguments.run)?;
    still_open(&row, crate::run::now())?;
    if let Some(reason) = &row.held {
        return set_aside(&store, &row, reason, &arguments.words, terminal);
    }
    let root = row.id.clone();
    let tree = Reader::new(&store).tree(row)?;
    let open: Vec<_> = tree.iter().flat_map(|view| requests(view).into_iter().map(move |open| (view, open))).collect();
    let (wanted, words) = split(&open, &arguments.words);
    if open.is_empty() {
        let failure = Failure::new(format!("the run `{root}` asks nothing at the moment"));
        return Err(failure.help(format!("`weave show {}` shows what it waits for", quoted(&root))).into());
    }
    if words.is_empty() {
        for (view, open) in chosen(&open, wanted) {
            terminal.print(&Printed::lines([format!("{} ({})", line(&open.re), line(&open.topic))]))?;
            for command in commands(open, &view.definition()) {
                terminal.print(&Printed::lines([format!("  {}", line(&command))]))?;
            }
        }
        return Ok(Exit::Clean);
    }
    let (view, open) = one(&open, wanted, &root)?;
    let id = arguments.id.clone().unwrap_or_else(new_id);
    let event = event(open, &view.definition(), &words, arguments.by.as_deref(), id)?;
    if !matches!(event.topic.as_str(), "tool.again") {
        weave_scroll::outside_event(&view.row.id, None, &event).map_err(|refusal| Failure::new(refusal.to_string()))?;
    }
    said(&post(&store, &view.row, &event)?, view, open, &event, terminal)
}

/// A run that ended the processes that computed it goes on when a person says so.
fn set_aside(store: &dyn Store, row: &RunRow, reason: &str, words: &[String], terminal: Terminal) -> Result<Exit, Failures> {
    if words.iter().map(String::as_str).ne(["go-on"]) {
        let failure = Failure::new(format!("the run `{}` is set aside: {reason}", row.id));
        return Err(failure.help(format!("`weave answer {} go-on` lets it go on", quoted(&row.id))).into());
    }
    store.hold(&row.id, None).map_err(|error| failed(&error))?;
    terminal.remark(parked(row));
    Ok(Exit::Clean)
}

fn line(text: &str) -> String {
    weave_diagnostics::Charset::Unicode.line(text)
}

fn said(taken: &Effect, view: &View, open: &Open, event: &Event, terminal: Terminal) -> Result<Exit, Failures> {
    match taken {
        Effect::Known => terminal.remark(format!("The run has this answer already ({}).", event.id)),
        Effect::Parked => {
            terminal.remark(format!("The answer to {} is in the inbox.", open.re));
            terminal.remark(parked(&view.row));
        }
        Effect::Waits => terminal.remark(SLOW),
        Effect::Taken { answered: false, .. } => {
            let failure = Failure::new(format!("{} was answered before; this answer has no effect", open.re)).in_files();
            return Err(failure.help(format!("`weave show {}` shows what happened", quoted(&view.row.id))).into());
        }
        Effect::Taken { ended: true, .. } => terminal.remark("Taken, and the run has ended."),
        Effect::Taken { fired, .. } if fired.is_empty() => terminal.remark(format!("{} is answered.", open.re)),
        Effect::Taken { fired, .. } => terminal.remark(format!("{} is answered; next: {}.", open.re, fired.join(", "))),
    }
    Ok(Exit::Clean)
}

/// The request that the words begin with, and the rest of them. A single word is the answer itself, unless nothing but a request has
/// that name.
fn split<'w>(open: &[(&View, Open)], words: &'w [String]) -> (Option<&'w str>, Vec<&'w str>) {
    let all: Vec<_> = words.iter().map(String::as_str).collect();
    let names = |word: &str| open.iter().any(|(_, open)| open.re == word || open.node == word);
    // A step may be called `approve`.
    let decides = |first: &str, next: &str| {
        let takes = |open: &Open| understands(open, next) || open.unknown.is_none() && open.answers.len() == 1;
        !chosen(open, Some(first)).any(|(_, open)| takes(open)) && open.iter().any(|(_, open)| understands(open, first))
    };
    match all.as_slice() {
        [first, next, ..] if names(first) && !decides(first, next) => (Some(first), all.get(1..).unwrap_or_default().to_vec()),
        [only] if names(only) && !open.iter().any(|(_, open)| understands(open, only)) => (Some(only), Vec::new()),
        _ => (None, all),
    }
}

/// Whether a word is an answer to a request.
fn understands(open: &Open, word: &str) -> bool {
    let decisions: &[&str] = match open.unknown {
        Some(_) => &["happened", "again", "give-up"],
        None if open.topic == "tool.approval.requested" => &["approve", "edit", "reject"],
        None => &[],
    };
    decisions.contains(&word) || open.unknown.is_none() && topic_of(open, word).is_some()
}

/// The topic that a word means: its name, its last part, or `approve` and `reject`.
fn topic_of<'o>(open: &'o Open, word: &str) -> Option<&'o (String, Option<weave_ir::Schema>)> {
    let last = |topic: &'o str| topic.rsplit('.').next().unwrap_or_default();
    let meant = |words: &[&str]| {
        let mut fitting = open.answers.iter().filter(|(topic, _)| words.contains(&last(topic)));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let named = open.answers.iter().find(|(topic, _)| topic == word || last(topic) == word);
    named.or_else(|| match word {
        "approve" => meant(YES),
        "reject" | "deny" => meant(NO),
        _ => None,
    })
}

fn chosen<'o, 'v, 'w>(
    open: &'o [(&'v View, Open)],
    wanted: Option<&'w str>,
) -> impl Iterator<Item = &'o (&'v View, Open)> + use<'o, 'v, 'w> {
    open.iter().filter(move |(_, open)| wanted.is_none_or(|wanted| open.re == wanted || open.node == wanted))
}

/// The request that is answered: the one that was named, or the only one; of several, the only one that asks people.
fn one<'o, 'v>(open: &'o [(&'v View, Open)], wanted: Option<&'o str>, run: &str) -> Result<&'o (&'v View, Open), Failure> {
    let fitting: Vec<_> = chosen(open, wanted).collect();
    let people: Vec<_> = fitting.iter().filter(|(_, open)| open.asks_people()).collect();
    match (fitting.as_slice(), people.as_slice()) {
        ([only], _) => Ok(only),
        (_, [only]) => Ok(only),
        _ => {
            let failure = Failure::new(format!("the run `{run}` asks several things"));
            let failure = fitting.iter().fold(failure, |failure, (_, open)| failure.detail(format!("{} ({})", open.re, open.topic)));
            Err(failure.help("name the request first: `weave answer RUN REQUEST ANSWER`"))
        }
    }
}

/// The event that an answer is.
fn event(open: &Open, definition: &Definition, words: &[&str], by: Option<&str>, id: String) -> Result<Event, Failure> {
    let wrong = |what: String| {
        let failure = Failure::new(what);
        commands(open, definition).into_iter().fold(failure, Failure::detail).help("answer in one of these ways")
    };
    if let Some(sending) = open.unknown {
        return unknown(open, definition, words, by, sending, id).ok_or_else(|| wrong(format!("it is open what became of {}", open.re)))?;
    }
    if open.topic == "tool.approval.requested" {
        return decision(open, definition, words, by, id).ok_or_else(|| wrong(format!("{} is an approval", open.re)))?;
    }
    let (topic, given) = match words {
        [word, given] => match topic_of(open, word) {
            Some(topic) => (topic, Some(*given)),
            None => return Err(wrong(format!("`{word}` does not answer {}", open.re))),
        },
        [word] => match (topic_of(open, word), open.answers.as_slice()) {
            (Some(topic), _) => (topic, None),
            (None, [only]) => (only, Some(*word)),
            (None, _) => return Err(wrong(format!("`{word}` does not answer {}", open.re))),
        },
        _ => return Err(wrong(format!("these words do not answer {}", open.re))),
    };
    let mut data = given.map_or_else(|| Ok(json!({})), |given| fit::value(given, "the answer"))?;
    let takes_by =
        topic.1.as_ref().is_some_and(|schema| schema.as_value().get("properties").is_some_and(|known| known.get("by").is_some()));
    if let (Some(by), Some(fields), true) = (by, data.as_object_mut(), takes_by) {
        fields.entry("by").or_insert_with(|| json!(by));
    }
    fit::check(&data, topic.1.as_ref(), definition, "the answer")?;
    Ok(Event::answer(id, topic.0.clone(), open.re.clone(), data).with_attempt(open.attempt))
}

/// A decision about an approval; nothing if the words are none.
fn decision(open: &Open, definition: &Definition, words: &[&str], by: Option<&str>, id: String) -> Option<Result<Event, Failure>> {
    let mut data = Map::new();
    match words {
        ["approve"] => {}
        ["reject"] => {}
        ["reject", reason] => drop(data.insert("reason".to_owned(), json!(reason))),
        ["edit", args] => {
            let args = match fit::value(args, "the arguments") {
                Ok(args) => args,
                Err(failure) => return Some(Err(failure)),
            };
            let schema = definition.tools.get(&open.name).map(|tool| &tool.input);
            if let Err(failure) = fit::check(&args, schema, definition, "the arguments") {
                return Some(Err(failure));
            }
            data.insert("args".to_owned(), args);
        }
        _ => return None,
    }
    data.insert("decision".to_owned(), json!(words.first()));
    if let Some(by) = by {
        data.insert("by".to_owned(), json!(by));
    }
    Some(Ok(Event::answer(id, "tool.approval.decided", open.re.clone(), Value::Object(data)).with_attempt(open.attempt)))
}

/// A decision about a call with an unknown outcome; nothing if the words are none.
fn unknown(
    open: &Open,
    definition: &Definition,
    words: &[&str],
    by: Option<&str>,
    sending: u32,
    id: String,
) -> Option<Result<Event, Failure>> {
    let mut meta = Map::from_iter([("sending".to_owned(), json!(sending))]);
    if let Some(by) = by {
        meta.insert("by".to_owned(), json!(by));
    }
    let re = open.re.clone();
    let event = match words {
        ["happened", given] => {
            let schema = open.answers.first().and_then(|(_, schema)| schema.as_ref());
            let data = fit::value(given, "the answer").and_then(|data| fit::check(&data, schema, definition, "the answer").map(|()| data));
            match data {
                Ok(data) => Event { meta: Some(meta), ..Event::answer(id, "tool.result", re, data) },
                Err(failure) => return Some(Err(failure)),
            }
        }
        ["again"] => {
            let mut data = json!({ "attempt": open.attempt, "sending": sending });
            if let (Some(by), Some(fields)) = (by, data.as_object_mut()) {
                fields.insert("by".to_owned(), json!(by));
            }
            Event { re: Some(re), ..Event::external(id, "tool.again", data) }
        }
        ["give-up"] => {
            let failure = Failed::new(FailureKind::UnknownOutcome, "it is unknown whether the call was carried out");
            Event { meta: Some(meta), ..Event::failed(id, "tool.result", re, failure) }
        }
        _ => return None,
    };
    Some(Ok(event.with_attempt(open.attempt)))
}

/// The commands that answer a request.
pub(super) fn commands(open: &Open, definition: &Definition) -> Vec<String> {
    let begin = format!("weave answer {} {}", quoted(&open.run), quoted(if open.node.is_empty() { &open.re } else { &open.node }));
    let example =
        |schema: Option<&weave_ir::Schema>| schema.map_or_else(|| "{}".to_owned(), |schema| fit::example(schema, definition).to_string());
    let output = || example(open.answers.first().and_then(|(_, schema)| schema.as_ref()));
    let line = |words: &str, what: &str| format!("{begin} {words:<12}   {what}").trim_end().to_owned();
    if open.unknown.is_some() {
        return vec![
            line(&format!("happened {}", quoted(&output())), "it happened, and this is the answer"),
            line("again", "it did not happen: send it again"),
            line("give-up", "it fails with `unknown_outcome`"),
        ];
    }
    if open.topic == "tool.approval.requested" {
        let args = open.data.get("args").map_or_else(|| "{}".to_owned(), Value::to_string);
        return vec![line("approve", ""), line(&format!("edit {}", quoted(&args)), ""), line("reject", "")];
    }
    if let [only] = open.answers.as_slice() {
        return vec![line(&quoted(&example(only.1.as_ref())), "")];
    }
    let topics = open.answers.iter();
    topics
        .map(|(topic, schema)| {
            let word = topic.rsplit('.').next().unwrap_or(topic);
            line(&format!("{} {}", quoted(word), quoted(&example(schema.as_ref()))), "")
        })
        .collect()
}
