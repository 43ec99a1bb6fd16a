//! What replaying came to, as a diagnostic.

use serde_json::Value;
use weave_diagnostics::{Code, Diagnostic, Place};

use crate::codes;
use crate::read::Problem;
use crate::verdict::{Divergence, Seen, Side, Verdict};

/// The longest source text or value in a note, in characters.
const LONGEST: usize = 120;

/// Where the parts of the definitions were written.
pub trait Places {
    /// Where a part of the definition of now was written, or the next larger one.
    fn now(&self, pointer: &str) -> Option<Place>;

    /// The same for the definition that recorded the run, if that is known.
    fn then(&self, pointer: &str) -> Option<Place>;

    /// What is written at a place, in one line.
    fn text(&self, place: Place) -> String;
}

/// The diagnostic of a problem with a scroll; `line` is the place of that line.
#[must_use]
pub fn problem(problem: &Problem, line: Place) -> Diagnostic {
    let diagnostic = Diagnostic::new(problem.code, line, &*problem.message);
    problem.help.iter().fold(diagnostic, |diagnostic, help| diagnostic.help(&**help))
}

/// The diagnostic of a verdict about the scroll of this name; nothing if the run is the same. `line` is the place of the line of the
/// scroll after which the run is another.
#[must_use]
pub fn diagnostic(verdict: &Verdict, scroll: &str, line: Place, places: &dyn Places) -> Option<Diagnostic> {
    let about = |code: &'static Code, place: Option<Place>, message: String| Diagnostic::new(code, place.unwrap_or(line), message);
    Some(match verdict {
        Verdict::Same => return None,
        Verdict::EndsOtherwise { then, now, seq, then_pointer, now_pointer } => {
            let message = format!("{scroll} ends otherwise at event {seq}");
            let found = about(&codes::RUN_ENDS_OTHERWISE, places.now(now_pointer), message).label("now");
            let found = also(found, places.then(then_pointer), "then");
            found.note(format!("then: {}", ended(then.as_ref()))).note(format!("now: {}", ended(now.as_ref())))
        }
        Verdict::Diverges(divergence) => diverges(divergence, scroll, line, places),
        Verdict::NoLongerFits { seq, event, node: _, message, pointer, then_pointer } => {
            let text = format!("{scroll}: at event {seq}, {event}, and that no longer fits: {}", cut(message));
            let found = about(&codes::ANSWER_MISFIT, places.now(pointer), text);
            let found = if places.now(pointer).is_some() { found.label("it does not fit this").also(line, "the answer") } else { found };
            also(found, places.then(then_pointer), "it fitted this")
        }
        Verdict::Altered(divergence) => {
            let Divergence { after, then, now, .. } = &**divergence;
            let message = format!("after this event, {after}, something else follows from the definition that recorded the run");
            let found = Diagnostic::new(&codes::SCROLL_ALTERED, line, message);
            let said = |side: &Option<Side>| side.as_ref().map_or_else(|| "nothing".to_owned(), |side| cut(&side.what));
            found.note(format!("on the scroll: {}", said(then))).note(format!("in the definition: {}", said(now)))
        }
        Verdict::CutOff { .. } => Diagnostic::new(&codes::SCROLL_CUT_OFF, line, "the scroll ends before all that follows from this event")
            .help("the file may have been copied while it was written"),
        Verdict::Broken(error) => Diagnostic::new(&codes::SCROLL_WORKFLOW, line, error.to_string()),
    })
}

fn diverges(divergence: &Divergence, scroll: &str, line: Place, places: &dyn Places) -> Diagnostic {
    let Divergence { seq, after, then, now, folded } = divergence;
    let place_now = now.as_ref().and_then(|side| places.now(&side.pointer));
    let place_then = then.as_ref().and_then(|side| places.then(&side.pointer));
    let message = format!("{scroll} goes another way at event {seq}, after {after}");
    let found = Diagnostic::new(&codes::RUN_DIVERGES, place_now.or(place_then).unwrap_or(line), message);
    let found = match (place_now, place_then) {
        (Some(_), then) => also(found.label("now"), then, "then"),
        (None, Some(_)) => found.label("then"),
        (None, None) => found,
    };
    let mut found = found;
    for (word, side, place) in [("then", then, place_then), ("now", now, place_now)] {
        let said = side.as_ref().map_or_else(|| "nothing follows".to_owned(), |side| cut(&side.what));
        let guard = side.as_ref().and_then(|side| side.guard.as_ref());
        let guard = guard.map(|guard| because(guard, place.map(|place| places.text(place)))).unwrap_or_default();
        found = found.note(format!("{word}: {said}{guard}"));
    }
    match folded {
        0 => found,
        1 => found.note("one more difference follows"),
        more => found.note(format!("{more} more differences follow")),
    }
}

fn also(diagnostic: Diagnostic, place: Option<Place>, word: &str) -> Diagnostic {
    match place {
        Some(place) if place != diagnostic.primary.place => diagnostic.also(place, word),
        _ => diagnostic,
    }
}

/// ", because `.lookup.total > 100` is false: `.lookup.total` is 5".
fn because(guard: &Seen, text: Option<String>) -> String {
    let reads: Vec<_> = guard.reads.iter().map(|(path, value)| format!("`{path}` is {}", cut(&value.to_string()))).collect();
    let reads = if reads.is_empty() { String::new() } else { format!(": {}", reads.join(", ")) };
    let text = text.map_or_else(|| format!("the guard of `{}`", guard.node), |text| format!("`{}`", cut(&text)));
    format!(", because {text} is {}{reads}", guard.result)
}

fn ended(done: Option<&Value>) -> String {
    let Some(done) = done else { return "the run is not over".to_owned() };
    let text = |value: Option<&Value>| cut(&value.cloned().unwrap_or_default().to_string());
    match done.get("failure") {
        Some(failure) => format!("the run fails with {}", text(Some(failure))),
        None => format!("the run succeeds with {}", text(done.get("output"))),
    }
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST - 2).collect::<String>() + " …" }
}
