//! The paths of imports: files and folders, as they are seen from the file.

use std::collections::BTreeSet;

use weave_diagnostics::{FileId, Place, Span};

use super::{Completion, CompletionKind, Completions, plain};
use crate::Analysis;
use crate::importing::import_path;

/// What can stand in the quotes: first what lies in the folder that is written there so far, then what lies deeper.
pub(super) fn offer(analysis: &Analysis, file: FileId, inside: Span, offset: u32) -> Completions {
    let typed = analysis.text(file).get(inside.start as usize..offset as usize).unwrap_or_default();
    let typed = typed.rfind('/').and_then(|slash| typed.get(..=slash)).unwrap_or_default();
    // Before anything is typed, the own folder and the one above are near.
    let folders: &[&str] = if typed.is_empty() { &["./", "../"] } else { &[typed] };
    let others = analysis.snapshot().sources().iter().filter(|(other, _)| other.0 > 0 && *other != file);
    let paths: BTreeSet<String> = others.map(|(other, _)| import_path(analysis, file, other)).collect();
    let (mut near, mut below, mut deep) = (Vec::new(), BTreeSet::new(), Vec::new());
    for path in &paths {
        let Some((folder, rest)) = folders.iter().find_map(|folder| Some((folder, path.strip_prefix(folder)?))) else { continue };
        match rest.split_once('/') {
            None => near.push(plain(path, CompletionKind::File)),
            Some((first, _)) => {
                below.insert(format!("{folder}{first}/"));
                deep.push(plain(path, CompletionKind::File));
            }
        }
    }
    let below = below.iter().map(|folder| plain(folder, CompletionKind::Folder));
    let items: Vec<Completion> = near.into_iter().chain(below).chain(deep).collect();
    Completions { place: Place::new(file, inside), items, more: false, known_in: file }
}
