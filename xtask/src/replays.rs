//! What `weave replay` says about the examples of its diagnostics.

use std::sync::Arc;

use weave_compiler::{Compiled, Example, Snapshot};
use weave_diagnostics::{Charset, Code, Diagnostic, Place, Renderer, SourceFile, SourceMap, Span, Style};
use weave_diff::Places as _;
use weave_replay::{Lines, Places, Problem, Replay, Verdict, codes, diagnostic, problem};
use weave_runner::{Event, Prepared};
use weave_testing::Filter;

/// The definitions of one program, and where they were written.
struct Side {
    snapshot: Snapshot,
    compiled: Vec<Compiled>,
}

impl Side {
    fn new(text: &str) -> Self {
        let snapshot = Example::new(text).check();
        let compiled = snapshot.compile().unwrap_or_default();
        Self { snapshot, compiled }
    }

    fn prepared(&self) -> Option<Arc<Prepared>> {
        self.compiled.first().map(|compiled| Prepared::new(compiled.definition.clone()))
    }
}

impl Places for Side {
    fn now(&self, pointer: &str) -> Option<Place> {
        let places = weave_compiler::places(&self.snapshot, &self.compiled, 0);
        let workflow = &self.compiled.first()?.definition.workflow;
        let mut pointer = pointer;
        while !pointer.is_empty() {
            if let Some(place) = places.exact(workflow, pointer) {
                return Some(place);
            }
            pointer = pointer.rsplit_once('/').map_or("", |(above, _)| above);
        }
        None
    }

    fn then(&self, _: &str) -> Option<Place> {
        None
    }

    fn text(&self, place: Place) -> String {
        self.snapshot.sources().text(place).to_owned()
    }
}

/// What is said about the scroll of the test in the good example, replayed through the bad one.
pub(crate) fn about_run(code: &Code) -> String {
    let (then, now) = (Side::new(code.good), Side::new(code.bad));
    let tests = then.snapshot.tests().unwrap_or_default();
    let played = weave_testing::play(&then.snapshot, &tests, &Filter::default(), &|| std::time::Duration::ZERO);
    let scroll: Vec<Event> = played.outcomes().next().map(|outcome| outcome.scroll.clone()).unwrap_or_default();
    let Some(prepared) = now.prepared() else { return String::new() };
    let lines: Vec<String> = scroll.iter().filter_map(|event| serde_json::to_string(event).ok()).collect();
    drawn(&lines.join("\n"), prepared, &scroll, &now)
}

/// What is said about a scroll.
pub(crate) fn about_scroll(code: &Code) -> String {
    let now = Side::new(codes::SCROLL_PROGRAM);
    let Some(prepared) = now.prepared() else { return String::new() };
    let text = codes::scroll_example(code.bad, prepared.digest().unwrap_or_default());
    let mut lines = Lines::default();
    let mut events = Vec::new();
    for line in text.lines() {
        match lines.read(line) {
            Ok(event) => events.extend(event),
            Err(found) => return drawn_problem(&text, &found, &now),
        }
    }
    let workflow = events.first().and_then(|event| event.data()?.get("workflow")?.as_str()).unwrap_or_default();
    if workflow != prepared.definition().workflow {
        let found = Problem::new(&codes::SCROLL_WORKFLOW, 1, format!("there is no workflow `{workflow}` here to replay it through"));
        return drawn_problem(&text, &found, &now);
    }
    drawn(&text, prepared, &events, &now)
}

fn drawn(text: &str, prepared: Arc<Prepared>, events: &[Event], now: &Side) -> String {
    let mut replay = Replay::new(None, prepared);
    events.iter().for_each(|event| replay.push(event));
    let verdict = replay.finish();
    let seq = match &verdict {
        Verdict::EndsOtherwise { seq, .. } | Verdict::NoLongerFits { seq, .. } | Verdict::CutOff { seq } => *seq,
        Verdict::Diverges(divergence) | Verdict::Altered(divergence) => divergence.seq,
        Verdict::Same | Verdict::Broken(_) => 0,
    };
    let (sources, line) = with_scroll(text, seq as usize + 1, now);
    rendered(diagnostic(&verdict, "run.jsonl", line, now).into_iter().collect(), &sources)
}

fn drawn_problem(text: &str, found: &Problem, now: &Side) -> String {
    let (sources, line) = with_scroll(text, found.line, now);
    rendered(vec![problem(found, line)], &sources)
}

fn with_scroll(text: &str, line: usize, now: &Side) -> (SourceMap, Place) {
    let mut sources = now.snapshot.sources().clone();
    let file = Arc::new(SourceFile::new("run.jsonl", text.into()));
    let span = file.line(line.saturating_sub(1) as u32).unwrap_or(Span::at(0));
    let id = sources.add(file);
    (sources, Place::new(id, span))
}

fn rendered(found: Vec<Diagnostic>, sources: &SourceMap) -> String {
    let renderer = Renderer { style: Style::Full, charset: Charset::Ascii, color: false };
    renderer.render_all(&found, sources).trim_end().to_owned()
}
