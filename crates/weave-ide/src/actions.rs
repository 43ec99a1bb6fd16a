//! What can be done about what is wrong.

use weave_diagnostics::{Applicability, Diagnostic, Edit, FileId, Fix, Span};

use crate::Analysis;

/// Something that mends a diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct Action<'a> {
    /// What it mends.
    pub diagnostic: &'a Diagnostic,
    /// How.
    pub fix: &'a Fix,
}

/// What mends the diagnostics that touch a range, in their order.
#[must_use]
pub fn actions(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action<'_>> {
    fixes_at(analysis.diagnostics(file), range)
}

/// What mends those of some diagnostics of one file that touch a range, in their order.
#[must_use]
pub fn fixes_at(diagnostics: &[Diagnostic], range: Span) -> Vec<Action<'_>> {
    let touches = |span: Span| span.start <= range.end && range.start <= span.end;
    let found = diagnostics.iter().filter(|diagnostic| touches(diagnostic.primary.place.span));
    found.flat_map(|diagnostic| diagnostic.fixes.iter().map(move |fix| Action { diagnostic, fix })).collect()
}

/// The edits of all fixes of a file that keep the meaning; of two that meet only the first.
#[must_use]
pub fn fix_all(analysis: &Analysis, file: FileId) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for fix in analysis.diagnostics(file).iter().filter_map(|diagnostic| diagnostic.fixes.first()) {
        let is_safe = fix.applicability == Applicability::Safe && fix.edits.iter().all(|edit| edit.place.file == file);
        let meets = |edit: &Edit| {
            edits.iter().any(|other| other.place.span.start <= edit.place.span.end && edit.place.span.start <= other.place.span.end)
        };
        if is_safe && !fix.edits.iter().any(meets) {
            edits.extend(fix.edits.iter().cloned());
        }
    }
    edits.sort_by_key(|edit| edit.place);
    edits
}
