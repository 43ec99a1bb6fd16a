//! One diagnostic, for every output.

use crate::{Code, FileId, Place, Span};

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program has no definition.
    Error,
    /// The program is legal, but something in it is most likely a mistake.
    Warning,
    /// Advice.
    Note,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is there; may be empty.
    pub message: String,
}

/// Whether a fix may be applied without a person looking at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// The result means what was meant.
    Safe,
    /// The result is legal, but may mean something else than was meant.
    Unsafe,
}

/// One replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub place: Place,
    /// What stands there afterwards.
    pub text: String,
}

/// A change that mends a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fix {
    /// What it does, as an order: "insert `}`".
    pub message: String,
    /// The replacements, which do not overlap.
    pub edits: Vec<Edit>,
    /// Whether it may be applied unseen.
    pub applicability: Applicability,
}

/// Something to say about a program.
///
/// The message says what, the labels say where, the help says what to do. The message makes sense alone, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind it is.
    pub code: &'static Code,
    /// How bad it is; the code's severity unless configured otherwise.
    pub severity: Severity,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// The place that it is about.
    pub primary: Label,
    /// Other places that one needs to see.
    pub secondary: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Changes that mend it.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic of this code about a place.
    #[must_use]
    pub fn new(code: &'static Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            primary: Label { place, message: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// With this remark at the primary place.
    #[must_use]
    pub fn label(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// With a remark at another place.
    #[must_use]
    pub fn also(mut self, place: Place, message: impl Into<String>) -> Self {
        self.secondary.push(Label { place, message: message.into() });
        self
    }

    /// With a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// With a fix of one replacement.
    #[must_use]
    pub fn replace(self, applicability: Applicability, message: impl Into<String>, place: Place, text: impl Into<String>) -> Self {
        self.fix(Fix { message: message.into(), edits: vec![Edit { place, text: text.into() }], applicability })
    }

    /// Whether the program has no definition because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same, with all its places somewhere else.
    #[must_use]
    pub fn with_places(mut self, place: impl Fn(Place) -> Place) -> Self {
        for label in std::iter::once(&mut self.primary).chain(&mut self.secondary) {
            label.place = place(label.place);
        }
        for edit in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.place = place(edit.place);
        }
        self
    }

    fn key(&self) -> (FileId, Span, &'static str, &str) {
        (self.primary.place.file, self.primary.place.span, self.code.id, &self.message)
    }
}

/// Puts diagnostics in the order of their places and drops those that say the same about the same place.
pub fn sort_and_dedup(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| a.key().cmp(&b.key()));
    diagnostics.dedup_by(|a, b| a.key() == b.key());
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIRST: Code = Code { id: "first", severity: Severity::Error, summary: "", explanation: "", bad: "", good: "" };
    static SECOND: Code = Code { id: "second", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };

    fn place(file: u32, start: u32) -> Place {
        Place::new(FileId(file), Span::at(start))
    }

    #[test]
    fn the_order_is_that_of_the_places_and_nothing_is_said_twice() {
        let mut diagnostics = vec![
            Diagnostic::new(&FIRST, place(1, 0), "b"),
            Diagnostic::new(&SECOND, place(0, 9), "z"),
            Diagnostic::new(&FIRST, place(0, 9), "y").help("the one that came first stays"),
            Diagnostic::new(&FIRST, place(0, 9), "x"),
            Diagnostic::new(&FIRST, place(0, 9), "y"),
            Diagnostic::new(&FIRST, place(0, 2), "b"),
        ];
        sort_and_dedup(&mut diagnostics);
        let order = diagnostics.iter().map(|d| (d.primary.place.file.0, d.primary.place.span.start, d.message.as_str()));
        assert_eq!(order.collect::<Vec<_>>(), [(0, 2, "b"), (0, 9, "x"), (0, 9, "y"), (0, 9, "z"), (1, 0, "b")]);
        assert!(diagnostics[2].help.is_some());
    }

    #[test]
    fn the_severity_comes_from_the_code() {
        assert!(Diagnostic::new(&FIRST, place(0, 0), "").is_error());
        assert!(!Diagnostic::new(&SECOND, place(0, 0), "").is_error());
    }
}
