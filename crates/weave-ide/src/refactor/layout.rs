//! The one layout of what is changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use weave_diagnostics::{Edit, FileId, Place, Span};

use crate::Analysis;
use crate::analysis::ItemView;
use crate::format::difference;
use crate::importing::above;

/// The changes as edits, in the order of the files and their texts. A declaration that was in the one layout before stays in it; one that
/// was not is changed as little as can be, since its author has another taste.
pub(super) fn laid_out(analysis: &Analysis, changes: &[Edit]) -> Vec<Edit> {
    let mut inside: BTreeMap<(FileId, u32), Vec<&Edit>> = BTreeMap::new();
    let mut edits = Vec::new();
    for change in changes {
        let item = analysis.item_at(change.place.file, change.place.span.start);
        let item = item.filter(|item| change.place.span.start > item.slot.start || !change.place.span.is_empty());
        match item.filter(|item| change.place.span.end <= item.slot.end) {
            Some(item) => inside.entry((change.place.file, item.index)).or_default().push(change),
            None => edits.push(change.clone()),
        }
    }
    for ((file, index), mut changes) in inside {
        changes.sort_by_key(|change| change.place);
        let item = analysis.items(file).nth(index as usize);
        let found = item.and_then(|item| relaid(analysis, &item, &changes));
        edits.extend(found.unwrap_or_else(|| changes.into_iter().cloned().collect()));
    }
    for edit in &mut edits {
        edit.text = with_line_ends(analysis.text(edit.place.file), &edit.text);
    }
    edits.sort_by_key(|edit| edit.place);
    edits
}

/// The edits that change an item and lay it out; nothing if it was in no layout before.
fn relaid(analysis: &Analysis, item: &ItemView<'_>, changes: &[&Edit]) -> Option<Vec<Edit>> {
    let file = item.context.file;
    let unit = analysis.unit(file)?;
    let span = Span::new(item.slot.start, item.slot.end);
    let text = item.context.text;
    let is_laid_out = weave_format::format_range(&unit.syntax, Span::at(span.start)).ok()?.iter().all(|other| other.span != span);
    if !is_laid_out {
        return None;
    }
    let mut changed = text.to_owned();
    for change in changes.iter().rev() {
        let within = change.place.span.start.checked_sub(span.start)? as usize..change.place.span.end.checked_sub(span.start)? as usize;
        changed.get(within.clone())?;
        changed.replace_range(within, &change.text);
    }
    let changed = formatted(&changed)?;
    let edit = |(part, text): (Span, String)| Edit { place: Place::new(file, part.shifted(span.start)), text };
    Some(difference(text, &changed).map(edit).into_iter().collect())
}

/// Some declarations in the one layout, without a line break at the end; nothing if they cannot be read.
pub(super) fn formatted(text: &str) -> Option<String> {
    let text: Arc<str> = text.into();
    let mut text = weave_format::format_text(&text, None, FileId(0)).ok()?;
    text.truncate(text.trim_end().len());
    Some(text)
}

/// A new declaration before the one at an offset, above the comments that belong to that.
pub(super) fn declared_before(analysis: &Analysis, file: FileId, offset: u32, declaration: &str) -> Edit {
    let at = above(analysis.text(file), offset);
    let text = formatted(declaration).unwrap_or_else(|| declaration.trim_end().to_owned());
    Edit { place: Place::new(file, Span::at(at)), text: format!("{text}\n\n") }
}

/// A text with the line ends of the file that it goes into.
fn with_line_ends(source: &str, text: &str) -> String {
    let is_crlf = source.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    let text = text.replace("\r\n", "\n");
    if is_crlf { text.replace('\n', "\r\n") } else { text }
}
