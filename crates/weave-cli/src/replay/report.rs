//! What replaying said, for people and for programs.

use serde_json::{Value, json};
use weave_diagnostics::{Charset, Place, SourceMap, counted};
use weave_replay::{Divergence, Seen, Side, Verdict};

use super::Outcome;
use super::versions::Versions;

/// The longest source text or value in a line, in characters.
const LONGEST: usize = 100;

/// One file, and what became of it.
pub(super) struct Reported<'r> {
    pub(super) file: String,
    pub(super) outcome: &'r Outcome,
    pub(super) versions: &'r Versions,
    pub(super) sources: &'r SourceMap,
}

impl Reported<'_> {
    /// What a person reads; nothing if the run is the same.
    pub(super) fn lines(&self) -> Option<Vec<String>> {
        let lines = match self.outcome {
            Outcome::Bad(problem) => {
                let mut lines = vec![format!("error: {}:{}: {}", self.file, problem.line, problem.message)];
                lines.extend(problem.help.iter().map(|help| format!("  help: {help}")));
                lines
            }
            Outcome::Replayed { workflow, verdict } => self.verdict(workflow, verdict)?,
        };
        Some(lines.iter().map(|line| Charset::Unicode.line(line) + "\n").collect())
    }

    fn verdict(&self, workflow: &str, verdict: &Verdict) -> Option<Vec<String>> {
        Some(match verdict {
            Verdict::Same => return None,
            Verdict::EndsOtherwise { then, now, seq } => vec![
                format!("ends otherwise: {} at event {seq}", self.file),
                format!("  then  {}", ended(then.as_ref())),
                format!("  now   {}", ended(now.as_ref())),
            ],
            Verdict::Diverges(divergence) => self.divergence(workflow, divergence),
            Verdict::NoLongerFits { seq, event, node, message } => {
                let node = node.as_ref().and_then(|node| self.place_of(workflow, &self.pointer(workflow, node)));
                let place = node.map_or_else(String::new, |place| format!(" ({place})"));
                vec![format!("no longer fits: {} at event {seq}, {event}{place}", self.file), format!("  {}", cut(message))]
            }
            Verdict::Broken(error) => vec![format!("error: {}:1: {error}", self.file)],
        })
    }

    fn divergence(&self, workflow: &str, divergence: &Divergence) -> Vec<String> {
        let mut lines = vec![format!("diverges: {} at event {}, {}", self.file, divergence.seq, divergence.after)];
        let sides = [
            ("then", divergence.then.as_ref(), Versions::place_then as fn(&Versions, &str, &str) -> Option<Place>),
            ("now ", divergence.now.as_ref(), Versions::place_now),
        ];
        for (word, side, place) in sides {
            let Some(side) = side else {
                lines.push(format!("  {word}  nothing follows"));
                continue;
            };
            let place = place(self.versions, workflow, &side.pointer);
            let at = place.map_or_else(String::new, |place| format!("{}: ", self.shown(place)));
            lines.push(format!("  {word}  {at}{}", said(side)));
            if let Some(guard) = &side.guard {
                let text = place.map_or_else(String::new, |place| format!("`{}` ", one_line(self.sources.text(place))));
                lines.push(format!("        {text}is {}{}", guard.result, reads(guard)));
            }
        }
        if divergence.folded > 0 {
            lines.push(format!("  and {} later", counted(divergence.folded, "difference")));
        }
        lines
    }

    /// The JSON pointer of a node of now.
    fn pointer(&self, workflow: &str, node: &str) -> String {
        self.versions.node_now(workflow, node)
    }

    fn place_of(&self, workflow: &str, pointer: &str) -> Option<String> {
        self.versions.place_now(workflow, pointer).map(|place| self.shown(place))
    }

    /// A place as `file:line:column`.
    fn shown(&self, place: Place) -> String {
        let at = self.sources.get(place.file).map(|file| file.line_column(place.span.start));
        let name = self.sources.name(place.file);
        at.map_or_else(|| name.to_owned(), |at| format!("{name}:{}:{}", at.line + 1, at.column + 1))
    }

    /// One line of JSON.
    pub(super) fn json(&self) -> String {
        let value = match self.outcome {
            Outcome::Bad(problem) => {
                json!({ "file": self.file, "verdict": "bad", "line": problem.line, "message": problem.message, "help": problem.help })
            }
            Outcome::Replayed { workflow, verdict } => {
                let mut value = json!({ "file": self.file, "workflow": workflow, "verdict": verdict.word() });
                if let Some(entries) = value.as_object_mut() {
                    entries.extend(self.details(workflow, verdict));
                }
                value
            }
        };
        format!("{value}\n")
    }

    fn details(&self, workflow: &str, verdict: &Verdict) -> serde_json::Map<String, Value> {
        let value = match verdict {
            Verdict::Same => json!({}),
            Verdict::EndsOtherwise { then, now, seq } => json!({ "event": seq, "then": then, "now": now }),
            Verdict::Diverges(divergence) => {
                let then = divergence.then.as_ref().map(|side| self.side(side, self.versions.place_then(workflow, &side.pointer)));
                let now = divergence.now.as_ref().map(|side| self.side(side, self.versions.place_now(workflow, &side.pointer)));
                json!({ "event": divergence.seq, "after": divergence.after, "then": then, "now": now, "folded": divergence.folded })
            }
            Verdict::NoLongerFits { seq, event, node, message } => {
                json!({ "event": seq, "after": event, "node": node, "message": message })
            }
            Verdict::Broken(error) => json!({ "message": error.to_string() }),
        };
        if let Value::Object(entries) = value { entries } else { serde_json::Map::new() }
    }

    fn side(&self, side: &Side, place: Option<Place>) -> Value {
        let guard = side.guard.as_ref().map(|guard| {
            let reads: Vec<_> = guard.reads.iter().map(|(path, value)| json!({ "path": path, "value": value })).collect();
            json!({ "node": guard.node, "result": guard.result, "reads": reads })
        });
        json!({ "node": side.node, "what": side.what, "pointer": side.pointer, "place": place.map(|place| self.shown(place)), "guard": guard })
    }
}

/// How many runs came to what.
pub(super) fn summary(outcomes: &[Outcome], versions: &Versions) -> String {
    let count = |word: &str| {
        let is = |outcome: &&Outcome| match outcome {
            Outcome::Bad(_) => word == "broken",
            Outcome::Replayed { verdict, .. } => verdict.word() == word,
        };
        outcomes.iter().filter(is).count()
    };
    let words = [
        ("same", "the same"),
        ("ends-otherwise", "with another result"),
        ("diverges", "on another path"),
        ("no-longer-fits", "with an answer that no longer fits"),
        ("broken", "that cannot be replayed"),
    ];
    let parts: Vec<_> = words.iter().map(|(word, text)| (count(word), text)).filter(|(count, _)| *count > 0).collect();
    let parts: Vec<_> = parts.iter().map(|(count, text)| format!("{count} {text}")).collect();
    let hint = if versions.has_then() || count("diverges") == 0 { "" } else { "; --against REV shows the guards of then" };
    format!("{}: {}{hint}", counted(outcomes.len(), "run"), parts.join(", "))
}

fn said(side: &Side) -> String {
    cut(&side.what)
}

fn reads(guard: &Seen) -> String {
    let reads: Vec<_> = guard.reads.iter().map(|(path, value)| format!("`{path}` is {}", cut(&value.to_string()))).collect();
    if reads.is_empty() { String::new() } else { format!(": {}", reads.join(", ")) }
}

fn ended(done: Option<&Value>) -> String {
    let Some(done) = done else { return "the run is not over".to_owned() };
    let text = |value: Option<&Value>| cut(&value.cloned().unwrap_or_default().to_string());
    match done.get("failure") {
        Some(failure) => format!("failed: {}", text(Some(failure))),
        None => format!("succeeded: {}", text(done.get("output"))),
    }
}

fn one_line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST - 2).collect::<String>() + " …" }
}
