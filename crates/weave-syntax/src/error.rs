//! What is wrong with a text, said without knowing in which file the text stands.

use weave_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, Fix, Place, Span};

/// A mistake in an item's text.
///
/// Its spans count from where the text starts, so it stays true when the item moves. The message says what is wrong, the
/// label says where, the help says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What kind it is.
    pub code: &'static Code,
    /// The place that it is about.
    pub span: Span,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// What is at the place.
    pub label: String,
    /// Other places that one needs to see.
    pub secondary: Vec<(Span, String)>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Changes that mend it.
    pub fixes: Vec<SyntaxFix>,
}

/// A change that mends a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFix {
    /// What it does, as an order.
    pub message: String,
    /// What is replaced, and by what; the replacements do not overlap.
    pub edits: Vec<(Span, String)>,
    /// Whether it may be applied unseen.
    pub applicability: Applicability,
}

impl SyntaxError {
    /// A mistake of this kind at a place.
    #[must_use]
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            label: String::new(),
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// With this remark at the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With a remark at another place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.secondary.push((span, label.into()));
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
    pub fn fix(mut self, fix: SyntaxFix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// With a fix of one replacement.
    #[must_use]
    pub fn replace(self, applicability: Applicability, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fix(SyntaxFix { message: message.into(), edits: vec![(span, text.into())], applicability })
    }

    /// The same mistake, counted from a point that lies `base` bytes earlier.
    #[must_use]
    pub(crate) fn shifted(mut self, base: u32) -> Self {
        self.span = self.span.shifted(base);
        for (span, _) in &mut self.secondary {
            *span = span.shifted(base);
        }
        for (span, _) in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            *span = span.shifted(base);
        }
        self
    }

    /// The diagnostic for a text that starts at the offset `base` of a file.
    #[must_use]
    pub fn diagnostic(&self, file: FileId, base: u32) -> Diagnostic {
        let place = |span: Span| Place::new(file, span.shifted(base));
        let mut diagnostic = Diagnostic::new(self.code, place(self.span), &*self.message).label(&*self.label);
        diagnostic.notes.clone_from(&self.notes);
        diagnostic.help.clone_from(&self.help);
        for (span, label) in &self.secondary {
            diagnostic = diagnostic.also(place(*span), &**label);
        }
        for fix in &self.fixes {
            let edits = fix.edits.iter().map(|(span, text)| Edit { place: place(*span), text: text.clone() }).collect();
            diagnostic = diagnostic.fix(Fix { message: fix.message.clone(), edits, applicability: fix.applicability });
        }
        diagnostic
    }
}
