//! The one layout, as edits.

use weave_diagnostics::{Edit, FileId, Place, Span};

use crate::Analysis;

/// The edits that give a file the one layout; nothing if it has syntax errors, because what its author meant is not known.
#[must_use]
pub fn format_document(analysis: &Analysis, file: FileId) -> Option<Vec<Edit>> {
    let unit = analysis.unit(file)?;
    let after = weave_format::format(&unit.syntax).ok()?;
    Some(difference(&unit.syntax.text, &after).into_iter().map(|(span, text)| Edit { place: Place::new(file, span), text }).collect())
}

/// The same for the declarations that a range touches.
#[must_use]
pub fn format_range(analysis: &Analysis, file: FileId, range: Span) -> Option<Vec<Edit>> {
    let unit = analysis.unit(file)?;
    let found = weave_format::format_range(&unit.syntax, range).ok()?;
    let mut edits = Vec::new();
    for replacement in found {
        let before = replacement.span.text(&unit.syntax.text);
        edits.extend(
            difference(before, &replacement.text)
                .into_iter()
                .map(|(span, text)| Edit { place: Place::new(file, span.shifted(replacement.span.start)), text }),
        );
    }
    Some(edits)
}

/// What differs between two texts, from the first line to the last one that does: what stays is not touched, and cursors in it stay too.
pub(crate) fn difference(before: &str, after: &str) -> Option<(Span, String)> {
    if before == after {
        return None;
    }
    let start: usize = before
        .split_inclusive('\n')
        .zip(after.split_inclusive('\n'))
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len())
        .sum();
    let (rest_before, rest_after) = (before.get(start..)?, after.get(start..)?);
    let behind: usize = rest_before
        .split_inclusive('\n')
        .rev()
        .zip(rest_after.split_inclusive('\n').rev())
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len())
        .sum();
    let span = Span::new(start as u32, (before.len() - behind) as u32);
    Some((span, after.get(start..after.len() - behind)?.to_owned()))
}
