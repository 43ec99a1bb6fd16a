//! The one layout of `.weave` files.
//!
//! This crate knows where blanks, line breaks and optional commas go. It changes nothing else: the tokens of a file, its comments
//! and the texts in it are the same before and after, in the same order. A file with a syntax error is not touched, because what its
//! author meant is not known.
//!
//! An item is laid out by itself: its tree is walked, and the walk says what stands between each two tokens (nothing, a blank, a
//! place where the line may break). Tokens and comments come from the token table, so none can be lost. The result, a document, is
//! then broken into lines of at most [`WIDTH`] characters.

mod check;
mod cursor;
mod document;
mod file;
mod layout;
mod render;

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, FileId, Span};
use weave_syntax::{File, parse};

/// How many characters a line has at most, where it can be broken.
pub const WIDTH: usize = 100;

/// Why a file was not formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFormatted {
    /// It has syntax errors: [`File::diagnostics`] says which.
    SyntaxErrors,
    /// The result would not have had the same tokens. That is a defect of this crate, which costs nobody a file.
    Changed,
}

/// A replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced, in bytes of the text.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// Why a text was not formatted, for whoever has only its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextNotFormatted {
    /// It has syntax errors, which are these.
    SyntaxErrors(Vec<Diagnostic>),
    /// As [`NotFormatted::Changed`].
    Changed,
}

/// The text in the one layout, or with `lines`, the declarations on these lines (the first line is 0) in it.
///
/// # Errors
///
/// A text with syntax errors is not formatted; the diagnostics are about `file`.
pub fn format_text(text: &Arc<str>, lines: Option<std::ops::RangeInclusive<usize>>, file: FileId) -> Result<String, TextNotFormatted> {
    let read = || parse(Arc::clone(text));
    let formatted = match lines {
        None => file::text(text),
        Some(lines) => file::range(&read(), file::span_of_lines(text, lines)).map(|found| file::replaced(text, &found)),
    };
    formatted.map_err(|error| match error {
        NotFormatted::SyntaxErrors => TextNotFormatted::SyntaxErrors(read().diagnostics(file)),
        NotFormatted::Changed => TextNotFormatted::Changed,
    })
}

/// The text of a file in the one layout.
///
/// # Errors
///
/// A file with syntax errors is not formatted.
pub fn format(file: &File) -> Result<String, NotFormatted> {
    file::whole(file)
}

/// What changes in the items that a range touches; everything else stays as it is. An item is laid out as a whole, so more than the range
/// may change.
///
/// # Errors
///
/// As for [`format()`]; mistakes in items that the range does not touch do no harm.
pub fn format_range(file: &File, range: Span) -> Result<Vec<Replacement>, NotFormatted> {
    file::range(file, range)
}
