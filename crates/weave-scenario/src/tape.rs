//! Lines that are made while they are played.

use std::sync::OnceLock;

use crate::finding::Finding;
use crate::play::Play;
use crate::script::{Branch, Entry, Line, LineKind, Literal, LiteralKind, Span};

/// Room for the lines of one run, so that a play can refer to them.
pub(crate) struct Tape(Vec<OnceLock<Line>>);

impl Tape {
    /// Room for so many lines.
    pub(crate) fn new(most: usize) -> Self {
        Self((0..most).map(|_| OnceLock::new()).collect())
    }

    /// Plays a line, and says whether there was room for it.
    #[allow(clippy::result_large_err, reason = "a finding ends a test, so it is made once")]
    pub(crate) fn play<'s>(&'s self, play: &mut Play<'s>, kind: LineKind) -> Result<bool, Finding> {
        let place = play.lines.len();
        let Some(slot) = self.0.get(place) else { return Ok(false) };
        let line = u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1);
        let line = slot.get_or_init(|| Line { span: Span { start: line, end: line, line }, kind });
        play.lines.push(line);
        play.act(line)?;
        Ok(true)
    }
}

/// A branch of these lines, whose spans are their numbers.
pub(crate) fn branch(name: &str, doc: Option<String>, lines: impl IntoIterator<Item = LineKind>) -> Branch {
    let lines = (1..).zip(lines).map(|(line, kind)| Line { span: Span { start: line, end: line, line }, kind });
    Branch { name: name.to_owned(), span: Span::default(), doc, lines: lines.collect(), branches: Vec::new() }
}

impl From<&serde_json::Value> for Literal {
    /// The literal that says a whole value.
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        let kind = match value {
            Value::Null => LiteralKind::Null,
            Value::Bool(value) => LiteralKind::Bool(*value),
            Value::Number(number) => LiteralKind::Number(number.clone()),
            Value::String(text) => LiteralKind::String(text.clone()),
            Value::Array(items) => LiteralKind::List { items: items.iter().map(Self::from).collect(), rest: None },
            Value::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| Entry { key: key.clone(), span: Span::default(), value: value.into() });
                LiteralKind::Object { entries: entries.collect(), rest: None }
            }
        };
        Self { span: Span::default(), kind }
    }
}
