//! The drawings of the documents: a run beside its workflow, and the lineage of a firing. What they show is compiled and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use weave_compiler::Example;
use weave_runner::{Event, EventKind, Prepared, Runner};

use self::svg::{Svg, Tone};

mod svg;

/// The page whose program the first drawing shows.
const CONCEPTS: &str = "docs/concepts.md";

/// A draft that is judged and written again, next to a step that has nothing to do with the result.
const LOOP: &str = r#"
agent writer(topic: string) -> { text: string } { model mini, system "Write about {{.topic}}." }
agent critic(text: string) -> { good: bool } { model nano, system "Judge: {{.text}}" }
tool notify(topic: string) { hints [idempotent] }

workflow write(topic: string) -> string {
  step draft on start | again { ask writer { topic: .input.topic } }
  step notice on draft limit 1 { call notify { topic: .input.topic } }
  step judge on draft { ask critic { text: .draft.text } }
  end done on judge when .judge.good = .draft.text
  step again on judge when !.judge.good limit 3 = null
  fail never_good on judge else = "no good draft in four attempts"
}
"#;

const RUN: &str = "r1";

/// The drawings by their path from the root.
///
/// # Errors
///
/// Fails if a program cannot be read, does not compile, or its run does not end as it is drawn.
pub(crate) fn generate(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let page = fs::read_to_string(root.join(CONCEPTS)).map_err(|error| format!("{CONCEPTS}: {error}"))?;
    let program = page.split("```weave\n").nth(1).and_then(|rest| rest.split("```").next());
    let program = program.ok_or_else(|| format!("{CONCEPTS} has no program"))?;
    let question = [("sort", json!({ "kind": "question" })), ("reply", json!({ "text": "From nine to five." }))];
    let drafts = [
        ("draft", json!({ "text": "first" })),
        ("notice", Value::Null),
        ("judge", json!({ "good": false })),
        ("draft", json!({ "text": "second" })),
        ("judge", json!({ "good": true })),
    ];
    Ok(vec![
        (PathBuf::from("docs/images/concepts.svg"), concepts(&play(program, json!({ "text": "When are you open?" }), &question)?)),
        (PathBuf::from("docs/images/lineage.svg"), lineage(&play(LOOP, json!({ "topic": "tides" }), &drafts)?)),
    ])
}

/// The scroll of the run of a program in which the open steps are answered in this order.
fn play(program: &str, input: Value, answers: &[(&str, Value)]) -> Result<Vec<Event>, String> {
    let compiled = Example::new(program).check().compile().map_err(|errors| match errors.first() {
        Some(error) => format!("the program of a drawing does not compile: {}", error.message),
        None => "the program of a drawing has warnings".to_owned(),
    })?;
    let [only] = compiled.as_slice() else { return Err("a drawing shows one workflow".to_owned()) };
    let prepared = Prepared::new(Arc::new(only.definition.clone()));
    let digest = prepared.digest().map_err(|error| error.to_string())?.to_owned();
    let mut runner = Runner::new(Arc::clone(&prepared));
    let mut scroll = Vec::new();
    let start = Event::start(RUN, &only.definition.workflow, &digest, input);
    take(&mut runner, start, &mut scroll);
    for (index, (node, answer)) in answers.iter().enumerate() {
        let open = runner.open_requests().into_iter().find(|request| request.node == Some(node));
        let open = open.map(|request| (request.id.clone(), request.answers.first().map_or("", |(topic, _)| topic).to_owned()));
        let (id, topic) = open.ok_or_else(|| format!("`{node}` is not open in a drawing"))?;
        let event = Event::answer(format!("e{}", index + 1), topic, id, answer.clone());
        take(&mut runner, event, &mut scroll);
    }
    if runner.is_done() { Ok(scroll) } else { Err("the run of a drawing has not ended".to_owned()) }
}

fn take(runner: &mut Runner, event: Event, scroll: &mut Vec<Event>) {
    let followed = runner.feed(&event);
    scroll.push(event);
    scroll.extend(followed);
}

/// Three columns: the nodes, the events, and the host.
fn concepts(scroll: &[Event]) -> String {
    const ROW: f64 = 54.0;
    const TOP: f64 = 96.0;
    let shown: Vec<&Event> = scroll.iter().filter(|event| event.topic != "workflow.step").collect();
    let mut svg = Svg::new(940.0, TOP + ROW * count(shown.len()) + 70.0, "A workflow, the scroll of one of its runs, and the host");
    for (x, width, title, about) in [
        (24.0, 250.0, "Workflow", "what may happen: data"),
        (310.0, 320.0, "Scroll", "what has happened: an append-only log"),
        (726.0, 190.0, "Host", "who does it: a program"),
    ] {
        svg.panel(x, 16.0, width, TOP + ROW * count(shown.len()) + 30.0);
        svg.title(x + width / 2.0, 42.0, title);
        svg.note(x + width / 2.0, 60.0, about);
    }
    let fired = |node: &str| {
        scroll.iter().any(|event| event.topic == "workflow.step" && event.data().is_some_and(|data| field(data, "id") == node))
    };
    let tone = |node: &str, tone: Tone| if fired(node) { tone } else { Tone::Pale };
    svg.node(149.0, 112.0, 150.0, "sort", "step: ask sorter", tone("sort", Tone::Ask));
    svg.arrow(149.0, 138.0, 149.0, 186.0);
    svg.label(208.0, 166.0, "trigger: on sort");
    svg.group(36.0, 186.0, 226.0, 104.0);
    svg.note(149.0, 204.0, "choice: the first true guard");
    svg.node(93.0, 248.0, 102.0, "reply", "question", tone("reply", Tone::Ask));
    svg.node(207.0, 248.0, 98.0, "lookup", "else", tone("lookup", Tone::Call));
    svg.arrow(93.0, 274.0, 93.0, 326.0);
    svg.arrow(207.0, 274.0, 207.0, 326.0);
    svg.node(93.0, 352.0, 102.0, "replied", "end", tone("replied", Tone::End));
    svg.node(207.0, 352.0, 98.0, "found", "end", tone("found", Tone::End));
    for (index, event) in shown.iter().enumerate() {
        let y = TOP + ROW * count(index);
        svg.event(322.0, y, 296.0, &event.topic, &about(event), tone_of(event));
        let what = match event.topic.as_str() {
            "workflow.start" => Some(("the caller starts it", true)),
            "ai.request" => Some(("asks the model", false)),
            "ai.response" => Some(("the model answers", true)),
            "workflow.done" => Some(("the caller gets the output", false)),
            _ => None,
        };
        if let Some((text, inward)) = what {
            svg.node(821.0, y + 20.0, 170.0, "", text, Tone::Plain);
            let (from, to) = if inward { (736.0, 618.0) } else { (618.0, 736.0) };
            svg.arrow(from, y + 20.0, to, y + 20.0);
            svg.label(
                680.0,
                y + 15.0,
                match (event.re.is_some(), event.topic.as_str()) {
                    (true, _) => "answer",
                    (false, "ai.request") => "request",
                    _ => "",
                },
            );
        }
    }
    svg.note(470.0, TOP + ROW * count(shown.len()) + 20.0, "tinted: external events; white: derived");
    svg.finish()
}

/// The firings as a line of descent, next to the scroll.
fn lineage(scroll: &[Event]) -> String {
    const ROW: f64 = 46.0;
    const TOP: f64 = 76.0;
    let steps: Vec<(usize, String, String)> = scroll.iter().enumerate().filter_map(|(index, event)| firing(index, event, scroll)).collect();
    // From the last firing back along the causes.
    let mut ancestors = Vec::new();
    let mut at = steps.last().map(|(_, name, _)| name.clone());
    while let Some(name) = at {
        at = steps.iter().find(|(_, other, _)| *other == name).map(|(_, _, cause)| cause.clone());
        ancestors.push(name);
    }
    let mut svg = Svg::new(900.0, TOP + ROW * count(scroll.len()) + 20.0, "A scroll, and the lineage of its last firing");
    svg.title(180.0, 30.0, "Firings");
    svg.note(180.0, 48.0, "an arrow leads from a firing to the one that it causes");
    svg.title(600.0, 30.0, "Scroll");
    svg.note(600.0, 48.0, "tinted: external; white: derived");
    let y = |index: usize| TOP + ROW * count(index) + 18.0;
    let lane = |name: &str| if ancestors.iter().any(|ancestor| ancestor == name) { 110.0 } else { 260.0 };
    let place = |name: &str| steps.iter().find(|(_, other, _)| other == name).map(|(index, _, _)| (lane(name), y(*index)));
    for (index, name, cause) in &steps {
        let Some((x, bottom)) = place(cause).map(|(x, y)| (x, y + 17.0)) else { continue };
        svg.arrow(x, bottom, lane(name), y(*index) - 17.0);
    }
    for (index, name, _) in &steps {
        let tone = if lane(name) < 200.0 { Tone::End } else { Tone::Pale };
        svg.firing(lane(name), y(*index), 130.0, name, tone);
    }
    for (index, event) in scroll.iter().enumerate() {
        svg.event(390.0, TOP + ROW * count(index), 480.0, &event.topic, &about(event), tone_of(event));
    }
    svg.finish()
}

/// The firing that an event records: the row, its name, and the name of the firing whose answer caused it.
fn firing(index: usize, event: &Event, scroll: &[Event]) -> Option<(usize, String, String)> {
    let data = event.data().filter(|_| event.topic == "workflow.step")?;
    let name = format!("{}#{}", field(data, "id").as_str()?, field(data, "n"));
    let cause = field(data, "cause").as_str()?;
    // The cause is an event: an answer names its request, whose id is that of the firing; a value is answered by its own event.
    let of = scroll.iter().find(|other| other.id == cause).and_then(|answer| answer.re.as_deref()).unwrap_or(cause);
    let of = of.strip_prefix(RUN).unwrap_or(of).trim_start_matches('/');
    let of = of.split(['@', '/']).next().unwrap_or(of);
    Some((index, name, of.to_owned()))
}

/// What an event says, in a few words.
fn about(event: &Event) -> String {
    let data = event.data().unwrap_or(&Value::Null);
    let text = match event.topic.as_str() {
        "workflow.start" => format!("{}: {}", field(data, "workflow").as_str().unwrap_or_default(), field(data, "input")),
        "workflow.step" => format!("{} fires, {}", field(data, "id").as_str().unwrap_or_default(), nth(field(data, "n"))),
        "workflow.done" => format!("{}: {}", field(data, "outcome").as_str().unwrap_or_default(), field(data, "output")),
        "ai.request" => format!("{}: ask {}", event.id, field(data, "agent").as_str().unwrap_or_default()),
        "tool.dispatch" => format!("{}: call {}", event.id, field(data, "name").as_str().unwrap_or_default()),
        _ => data.to_string(),
    };
    match &event.re {
        Some(request) => format!("re {request}: {text}"),
        None => text,
    }
}

fn nth(number: &Value) -> String {
    match number.as_u64() {
        Some(1) => "for the first time".to_owned(),
        Some(2) => "for the second time".to_owned(),
        _ => format!("time {number}"),
    }
}

fn tone_of(event: &Event) -> Tone {
    if event.kind == EventKind::External { Tone::External } else { Tone::Plain }
}

/// A field of an object; null if there is none.
pub(crate) fn field<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).unwrap_or(&Value::Null)
}

/// The number of rows as a length.
fn count(rows: usize) -> f64 {
    f64::from(u32::try_from(rows).unwrap_or(u32::MAX))
}
