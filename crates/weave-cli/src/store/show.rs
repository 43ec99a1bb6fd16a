//! `weave show`.

use std::path::Path;

use serde_json::{Value, json};
use weave_ir::SourceMap;
use weave_runner::Event;
use weave_scroll::Status;

use super::list::status;
use super::open::{Open, requests};
use super::place::{ended, find, path, to_read};
use super::secrets::Secrets;
use super::steps::{Mark, Step, short, steps};
use super::view::{Reader, View, events, source_map};
use super::waits::waits;
use super::words::{cut, length, moment, quoted, took};
use crate::args::{Show, ShowFormat};
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::printed::Printed;
use crate::terminal::Terminal;

/// How wide the columns are of the names of steps, and of what they do.
const STEP: usize = 12;
const ACTION: usize = 26;
/// So many fields of a question are shown.
const MOST_FIELDS: usize = 12;
/// A line of a program is shown up to this length.
const SOURCE: usize = 120;

pub(crate) fn show(arguments: &Show, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_read(&arguments.at)?;
    let row = find(&store, &arguments.run)?;
    let mut reader = Reader::new(&store);
    let tree = reader.tree(row)?;
    let Some(view) = tree.first() else { return Ok(Exit::Clean) };
    let events = events(&store, &view.row.id)?;
    let secrets = Secrets::of(&view.definition(), events.iter().map(|(_, event)| event));
    let text = match arguments.format {
        ShowFormat::JsonLines => Printed::json(&events.iter().map(|(_, event)| line(event, &secrets)).collect::<String>()),
        ShowFormat::Json => {
            let shown = Shown { view, tree: &tree, events: &events, secrets: &secrets };
            let text = serde_json::to_string_pretty(&shown.json()).map_err(|error| Failure::new(error.to_string()))?;
            Printed::json(&(text + "\n"))
        }
        ShowFormat::Human => {
            let shown = Shown { view, tree: &tree, events: &events, secrets: &secrets };
            let map = source_map(&store, &view.row);
            Printed::lines(shown.human(&display(&path(&arguments.at)), map.as_ref()).lines())
        }
    };
    terminal.print(&text)?;
    Ok(Exit::Clean)
}

fn line(event: &Event, secrets: &Secrets) -> String {
    format!("{}\n", secrets.value(&serde_json::to_value(event).unwrap_or_default()))
}

struct Shown<'v> {
    view: &'v View,
    /// The run and its open descendants.
    tree: &'v [View],
    events: &'v [(i64, Event)],
    secrets: &'v Secrets,
}

impl Shown<'_> {
    fn json(&self) -> Value {
        let row = &self.view.row;
        let now = crate::run::now();
        let done = self.view.drive.done().map(|done| self.secrets.value(done));
        let part = |key: &str| done.as_ref().and_then(|done| done.get(key)).cloned();
        let waits: Vec<_> = waits(self.view, now).iter().map(super::waits::Wait::json).collect();
        let steps: Vec<_> = steps(self.view, self.events, self.secrets).iter().map(Step::json).collect();
        json!({
            "id": row.id,
            "workflow": row.workflow,
            "digest": row.digest,
            "state": status(row),
            "started": weave_expr::timestamp(row.started),
            "ended": row.state.ended.map(weave_expr::timestamp),
            "parent": row.parent,
            "runs": self.tree.iter().skip(1).map(|view| &view.row.id).collect::<Vec<_>>(),
            "events": row.head,
            "inbox": self.view.inbox.len(),
            "held": row.held,
            "waits": waits,
            "steps": steps,
            "output": part("output"),
            "failure": part("failure"),
        })
    }

    fn human(&self, store: &str, map: Option<&SourceMap>) -> String {
        let row = &self.view.row;
        let now = crate::run::now();
        let mut page = Page::default();
        let state = match row.state.status {
            Status::Open if row.held.is_some() => "set aside".to_owned(),
            Status::Open if row.owner.is_none() => "parked".to_owned(),
            Status::Open => "open".to_owned(),
            other => ended(other).to_owned(),
        };
        let since = format!("started {}, {} ago", moment(row.started), length(now - row.started));
        page.line(&format!("{} · run {} · {state} · {since} · {store}", row.workflow, row.id));
        if let Some(parent) = &row.parent {
            page.line(&format!("started by the run {parent}"));
        }
        page.line("");
        let steps = steps(self.view, self.events, self.secrets);
        for step in &steps {
            page.line(&self.step(step, now));
        }
        match row.state.status {
            Status::Open => self.open(&mut page, now),
            Status::Failed | Status::Cancelled => self.failure(&mut page, &steps, map),
            _ => {
                let output = self.view.drive.done().and_then(|done| done.get("output")).unwrap_or(&Value::Null);
                page.line("");
                page.line(&self.secrets.value(output).to_string());
            }
        }
        page.text
    }

    fn step(&self, step: &Step, now: i64) -> String {
        let mark = step.mark.sign();
        let time = match (step.mark, step.until) {
            (Mark::End, _) => String::new(),
            (_, Some(until)) => took(until - step.since),
            (_, None) => length(now - step.since),
        };
        let mut notes = Vec::new();
        if let Some((done, of)) = step.fan {
            notes.push(format!("{done} of {of}"));
        }
        if step.attempts > 1 {
            notes.push(format!("attempt {}", step.attempts));
        }
        if step.tokens > 0 {
            notes.push(format!("{} tokens", step.tokens));
        }
        if !step.result.is_empty() && step.fan.is_none() {
            notes.push(step.result.clone());
        }
        let line = format!("{mark} {:STEP$} {:ACTION$} {time:>12}   {}", step.name, cut(&step.action, ACTION), notes.join(" · "));
        line.trim_end().to_owned()
    }

    /// What an open run waits for, and how it goes on.
    fn open(&self, page: &mut Page, now: i64) {
        let row = &self.view.row;
        page.line("");
        for view in self.tree {
            for wait in waits(view, now).iter().take(MOST_FIELDS) {
                let step = if wait.node.is_empty() { String::new() } else { format!(" ({})", wait.node) };
                let run = if view.row.id == row.id { String::new() } else { format!(" in {}", view.row.id) };
                let mut words = wait.line(now);
                if let Some(first) = words.get(..1).map(str::to_uppercase) {
                    words.replace_range(..1, &first);
                }
                page.line(&format!("{words}{step}{run}"));
            }
            for open in requests(view).iter().filter(|open| open.asks_people()) {
                self.question(page, view, open);
            }
        }
        let posted = self.tree.iter().map(|view| view.inbox.len()).sum::<usize>();
        if posted > 0 {
            page.line(&format!("{} in the inbox, not taken yet", weave_diagnostics::counted(posted, "event")));
        }
        if let Some(reason) = &row.held {
            page.line(&format!("Set aside: {reason}."));
            page.line(&format!("  weave answer {} go-on   let it go on", quoted(&row.id)));
        } else if row.owner.is_none() {
            let root = row.id.split('/').next().unwrap_or(&row.id);
            page.line(&format!("  weave run --resume {:<24} go on with it", quoted(root)));
        }
    }

    fn question(&self, page: &mut Page, view: &View, open: &Open) {
        let definition = view.definition();
        page.line("");
        if let Some(about) =
            definition.events.get(&open.topic).and_then(|event| event.description.as_ref()).filter(|_| open.unknown.is_none())
        {
            page.line(&format!("  {}", cut(about, SOURCE)));
        }
        if open.unknown.is_some() {
            page.line(&format!("  It is unknown whether this call was carried out: `{}` is neither read-only nor idempotent.", open.name));
            page.line(&format!("  Look it up under the key {}, then choose.", open.re));
        }
        let data = open.data.get("args").filter(|_| open.topic.starts_with("tool.")).unwrap_or(&open.data);
        let fields = data.as_object().into_iter().flatten();
        for (name, value) in fields.take(MOST_FIELDS) {
            page.line(&format!("    {name:10} {}", short(&self.secrets.value(value))));
        }
        for command in super::answer::commands(open, &definition) {
            page.line(&format!("  {command}"));
        }
    }

    fn failure(&self, page: &mut Page, steps: &[Step], map: Option<&SourceMap>) {
        let done = self.view.drive.done();
        let failure = done.and_then(|done| done.get("failure")).map(|failure| self.secrets.value(failure)).unwrap_or_default();
        let text = |key: &str| failure.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let what = text("code").or(text("kind")).unwrap_or("failure");
        let reason = text("message").map(|message| format!(": {message}")).unwrap_or_default();
        page.line("");
        let cancel = format!("{}@cancel", self.view.row.id);
        if let Some((_, event)) = self.events.iter().find(|(_, event)| event.id == cancel) {
            let why = event.meta.as_ref().and_then(|meta| meta.get("reason")).and_then(Value::as_str);
            page.line(&format!("The run was cancelled{}", why.map(|why| format!(": {}", self.secrets.text(why))).unwrap_or_default()));
            return;
        }
        let definition = self.view.definition();
        let coded = text("code").filter(|code| definition.node(code).is_some());
        let failed = || steps.iter().rev().find(|step| step.mark == Mark::Failed).map(|step| step.node.as_str());
        let Some(node) = coded.or_else(failed) else {
            page.line(&format!("The run failed: {what}{reason}"));
            return;
        };
        page.line(&format!("The run failed: `{node}` failed, and no node handles it."));
        if let Some(lines) = map.and_then(|map| source(map, node)) {
            lines.iter().for_each(|line| page.line(line));
        }
        page.line(&format!("  {what}{reason}"));
    }
}

/// The line on which a node was written, with a mark below its name.
fn source(map: &SourceMap, node: &str) -> Option<Vec<String>> {
    let range = map.nodes.get(node)?;
    let file = map.sources.get(usize::try_from(range.source).ok()?)?;
    let margin = " ".repeat(range.line.to_string().len());
    let mut lines = vec![format!("{margin} ┌─ {file}:{}:{}", range.line, range.column)];
    // The file may have moved on since, so only a line that names the node is shown.
    let project = crate::run::default_store().parent().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let text = [Path::new("").to_owned(), project].iter().find_map(|folder| std::fs::read_to_string(folder.join(file)).ok());
    let number = usize::try_from(range.line).ok()?.checked_sub(1)?;
    if let Some(line) = text.as_deref().and_then(|text| text.lines().nth(number)).filter(|line| line.contains(node)) {
        let before = line.split(node).next().unwrap_or_default();
        lines.push(format!("{} │ {}", range.line, cut(line, SOURCE)));
        lines.push(format!("{margin} │ {}{}", " ".repeat(before.chars().count()), "^".repeat(node.chars().count())));
    }
    Some(lines)
}

/// Lines for a terminal: nothing in them acts on it.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(&weave_diagnostics::Charset::Unicode.line(line));
        self.text.push('\n');
    }
}
