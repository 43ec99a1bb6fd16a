//! What people and programs see of a run: a line for each step that is done, or each event as JSON.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use weave_host::{Notice, Watch};
use weave_ir::{Definition, SourceMap};
use weave_runner::{Body, Event, EventKind};

use super::chosen::Chosen;
use super::kept::Place;
use super::secrets::Secrets;
use crate::args::RunFormat;
use crate::failure::Failure;
use crate::printed::Printed;
use crate::terminal::Terminal;

/// How wide the columns are of the names of steps, and of what they do.
const STEP: usize = 12;
const ACTION: usize = 24;
/// How much of a result is shown.
const RESULT: usize = 60;

/// Prints the runs of one process.
pub(crate) struct Lines {
    terminal: Terminal,
    format: RunFormat,
    root: String,
    workflow: String,
    digest: String,
    definitions: std::collections::BTreeMap<String, std::sync::Arc<Definition>>,
    secrets: Arc<Mutex<Secrets>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The time of the last external event, at which the derived ones follow.
    now: i64,
    runs: HashMap<String, Run>,
    /// The first event or line that could not be printed; nothing is printed after it.
    broken: Option<Failure>,
}

#[derive(Default)]
struct Run {
    digest: String,
    depth: usize,
    /// The open requests: what they do, and since when.
    open: HashMap<(String, u32), Open>,
    /// The last step that failed, for the message at the end.
    failed: Option<String>,
}

struct Open {
    action: String,
    since: i64,
}

impl Lines {
    pub(crate) fn new(terminal: Terminal, format: RunFormat, chosen: &Chosen, root: &str, secrets: Arc<Mutex<Secrets>>) -> Self {
        Self {
            terminal,
            format,
            root: root.to_owned(),
            workflow: chosen.definition.workflow.clone(),
            digest: chosen.digest.clone(),
            definitions: chosen.by_digest.clone(),
            secrets,
            state: Mutex::default(),
        }
    }

    /// Says what is run, and where it is kept.
    pub(crate) fn begin(&self, mock: bool, place: &Place) {
        if self.format == RunFormat::Human {
            let how = if mock { " · answers are made up (--mock)" } else { "" };
            let kept = match place {
                Place::Memory => String::new(),
                Place::File(path) => format!(" · {}", crate::input::display(path)),
            };
            self.terminal.remark(format!("{} · run {}{kept}{how}\n", self.workflow, self.root));
        }
    }

    /// Prints the output of the workflow.
    pub(crate) fn output(&self, output: &Value) -> Result<(), Failure> {
        match self.format {
            RunFormat::Human => {
                self.terminal.remark("");
                self.terminal.print(&Printed::json(&format!("{output}\n")))
            }
            // It is in the last event.
            RunFormat::JsonLines => self.broken(),
        }
    }

    /// Says why the run failed, and where.
    pub(crate) fn failure(&self, failure: &Value, chosen: &Chosen) -> Result<(), Failure> {
        self.broken()?;
        let text = |key: &str| failure.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let step = self.state.lock().unwrap_or_else(PoisonError::into_inner).runs.get(&self.root).and_then(|run| run.failed.clone());
        let what = text("code").or(text("kind")).unwrap_or("failure");
        let reason = text("message").map(|message| format!(": {}", self.hide(message))).unwrap_or_default();
        let place = text("code").filter(|code| chosen.definition.node(code).is_some()).map(str::to_owned).or(step);
        let at = place
            .as_ref()
            .zip(chosen.map.as_ref())
            .and_then(|(step, map)| place_of(map, step))
            .map(|at| format!(" ({at})"))
            .unwrap_or_default();
        let who = place.map(|step| format!(" at `{step}`{at}")).unwrap_or_default();
        self.terminal.say(format!("\nThe run failed{who}: {what}{reason}\n"));
        Ok(())
    }

    fn broken(&self) -> Result<(), Failure> {
        match self.state.lock().unwrap_or_else(PoisonError::into_inner).broken.take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Takes note of the secrets of an event, so that nothing after it shows them.
    fn learn(&self, state: &mut State, run: &str, event: &Event) {
        if event.topic == "workflow.start" && event.kind == EventKind::External {
            let digest = event.data().and_then(|data| data.get("digest")).and_then(Value::as_str).unwrap_or(&self.digest).to_owned();
            state.runs.entry(run.to_owned()).or_default().digest = digest;
        }
        let known = state.runs.get(run).and_then(|known| self.definitions.get(&known.digest));
        if let Some(definition) = known {
            self.secrets.lock().unwrap_or_else(PoisonError::into_inner).learn(definition, run, event);
        }
    }

    fn hide(&self, text: &str) -> String {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).hide(text)
    }

    fn event(&self, state: &mut State, run: &str, event: &Event) {
        self.learn(state, run, event);
        if self.format == RunFormat::JsonLines {
            let line = serde_json::to_value(event).unwrap_or_default();
            let mut line = self.secrets.lock().unwrap_or_else(PoisonError::into_inner).hidden(&line);
            if let Some(entries) = line.as_object_mut() {
                entries.shift_insert(0, "run".to_owned(), json!(run));
            }
            if state.broken.is_none() {
                state.broken = self.terminal.print(&Printed::json(&format!("{line}\n"))).err();
            }
            return;
        }
        if event.within.is_some() {
            return;
        }
        if let Some(at) = event.at.as_deref().and_then(weave_expr::read_timestamp) {
            state.now = at;
        }
        match event.kind {
            EventKind::Derived => self.derived(state, run, event),
            EventKind::External => self.external(state, run, event),
        }
    }

    fn derived(&self, state: &mut State, run: &str, event: &Event) {
        let now = state.now;
        let Some(known) = state.runs.get_mut(run) else { return };
        let Some(data) = event.data() else { return };
        let Some(definition) = self.definitions.get(&known.digest) else { return };
        match event.topic.as_str() {
            "workflow.step" => {
                let node = data.get("id").and_then(Value::as_str).and_then(|id| definition.node(id));
                if let Some(node) = node.filter(|node| node.terminal) {
                    self.line(known.depth, "■", &node.id, "", None, "");
                }
            }
            "workflow.cancel" | "workflow.done" => {}
            "timer.set" if event.id.contains('@') => {}
            topic => {
                let open = Open { action: action(topic, data), since: now };
                match definition.events.get(topic).is_some_and(|declared| declared.answers.is_empty()) {
                    true => self.line(known.depth, "✓", step_of(run, &event.id), &open.action, None, ""),
                    false => drop(known.open.insert((event.id.clone(), event.attempt), open)),
                }
            }
        }
    }

    fn external(&self, state: &mut State, run: &str, event: &Event) {
        if event.topic == "workflow.start" && event.re.is_none() {
            return;
        }
        let now = state.now;
        let Some(known) = state.runs.get_mut(run) else { return };
        let Some(re) = &event.re else { return };
        if event.topic == "tool.unknown" {
            let action = known.open.get(&(re.clone(), event.attempt)).map_or("", |open| open.action.as_str());
            return self.line(known.depth, "?", step_of(run, re), action, None, "sent, and no answer came: was it carried out?");
        }
        let Some(open) = known.open.remove(&(re.clone(), event.attempt)) else { return };
        let step = step_of(run, re).to_owned();
        let seconds = Some((now - open.since).max(0));
        match &event.body {
            Body::Data(data) => {
                let result = if event.topic.starts_with("timer.") { String::new() } else { short(data) };
                self.line(known.depth, "✓", &step, &open.action, seconds, &result);
            }
            Body::Failure(failure) => {
                let result = format!("{}: {}", failure.code_or_kind(), failure.message);
                self.line(known.depth, "✗", &step, &open.action, seconds, &result);
                known.failed = Some(step.split('[').next().unwrap_or_default().to_owned());
            }
        }
    }

    fn line(&self, depth: usize, mark: &str, step: &str, action: &str, milliseconds: Option<i64>, result: &str) {
        let indent = "  ".repeat(depth);
        let time = milliseconds.map(duration).unwrap_or_default();
        let (action, result) = (self.hide(action), self.hide(result));
        let line = format!("{indent}{mark} {step:STEP$} {:ACTION$} {time:>8}   {}", cut(&action, ACTION), cut(&result, RESULT));
        self.terminal.remark(line.trim_end());
    }
}

impl Watch for Lines {
    fn notice(&self, notice: &Notice<'_>) {
        let (run, parent, events) = match notice {
            Notice::Recorded { run, parent, events } => (run, parent, events),
            Notice::Loaded { run, events, .. } if *run == self.root && self.format == RunFormat::Human => {
                return self
                    .terminal
                    .remark(format!("{} read", weave_diagnostics::counted(usize::try_from(*events).unwrap_or(usize::MAX), "event")));
            }
            _ => return,
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let depth = parent.and_then(|parent| state.runs.get(parent)).map_or(0, |parent| parent.depth + 1);
        state.runs.entry((*run).to_owned()).or_default().depth = depth;
        for event in *events {
            self.event(&mut state, run, event);
        }
    }
}

/// What a request does, with its key argument.
fn action(topic: &str, data: &Value) -> String {
    let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default();
    let first = |key: &str| {
        let args = data.get(key).and_then(Value::as_object);
        let key = args.and_then(|args| args.values().find(|value| value.is_string() || value.is_number())).cloned();
        key.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).unwrap_or_default()
    };
    match topic {
        "ai.request" if data.get("agent").is_some() => format!("ask {}", text("agent")),
        "tool.dispatch" => format!("{} {}", text("name"), first("args")),
        "tool.approval.requested" => format!("approval of {}", text("name")),
        "workflow.start" => format!("run {}", text("workflow")),
        "timer.set" => {
            let after = text("after");
            format!("wait {}{}", weave_scalars::duration::words_of(after).unwrap_or_else(|| after.to_owned()), text("at"))
        }
        "prompt.hydrate.request" => format!("hydrate {}", text("prompt")),
        topic => topic.to_owned(),
    }
}

/// The step of a request id, `RUN/step#1`; further firings and elements keep their numbers.
fn step_of<'i>(run: &str, id: &'i str) -> &'i str {
    let id = id.strip_prefix(run).and_then(|id| id.strip_prefix('/')).unwrap_or(id);
    let id = id.split('@').next().unwrap_or(id);
    id.strip_suffix("#1").unwrap_or(id)
}

/// A measured time, rounded down to its largest unit.
fn duration(milliseconds: i64) -> String {
    match milliseconds / 1_000 {
        0..60 => format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds @ 3_600..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

/// A value in short.
fn short(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(entries) => {
            let scalars = entries.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
            scalars.map(|(name, value)| format!("{name} {}", short(value))).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) => format!("{} items", items.len()),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cut(text: &str, most: usize) -> String {
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    if line.chars().count() <= most {
        return line.to_owned();
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Where a node was written.
fn place_of(map: &SourceMap, node: &str) -> Option<String> {
    let range = map.nodes.get(node)?;
    let file = map.sources.get(usize::try_from(range.source).ok()?)?;
    Some(format!("{file}:{}:{}", range.line, range.column))
}
