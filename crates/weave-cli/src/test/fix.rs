//! `--fix`: the lines that failing tests lack.

use std::collections::BTreeMap;

use weave_diagnostics::{Edit, FileId};

use super::Run;
use crate::failure::Failures;
use crate::write::replace;

/// So many lines are written at most: a loop in a workflow may ask for ever.
pub(crate) const MOST: usize = 50;

/// Writes the fix of each failing test; how many there were, or nothing if there was none.
pub(crate) fn write(run: &Run) -> Result<Option<usize>, Failures> {
    let mut edits: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    let failures = run.played.failures();
    for fix in failures.iter().filter_map(|failure| failure.fixes.first()) {
        for edit in &fix.edits {
            edits.entry(edit.place.file).or_default().push(edit);
        }
    }
    let mut written = 0;
    for (file, mut edits) in edits {
        let (Some(Some(path)), Some(source)) = (run.paths.get(file.0 as usize), run.snapshot.sources().get(file)) else { continue };
        let mut text = source.text().to_string();
        // From the end on, so that the places before stay what they are; of two at one place the first counts.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span));
        edits.dedup_by_key(|edit| edit.place.span);
        for edit in edits {
            if text.get(edit.place.span.range()).is_some() {
                text.replace_range(edit.place.span.range(), &edit.text);
                written += 1;
            }
        }
        replace(path, source.text(), &text).map_err(|error| error.failure(path))?;
    }
    Ok((written > 0).then_some(written))
}
