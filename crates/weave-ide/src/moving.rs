//! What imports must say when files get other places.

use std::collections::BTreeMap;

use weave_diagnostics::{Edit, FileId};
use weave_syntax::ast::ItemKind;
use weave_syntax::text::quoted_string;

use crate::Project;
use crate::importing::path_between;

/// The edits that keep the imports of a project right when files or folders move, in the order of the files and their texts. Each move is a path
/// and the new one; places are those before the move.
#[must_use]
pub fn moved(project: &Project, moves: &[(String, String)]) -> Vec<Edit> {
    let analysis = &project.analysis;
    let moves: Vec<(String, String)> = moves.iter().map(|(from, to)| (normalized(from), normalized(to))).collect();
    let mut after: BTreeMap<FileId, String> = BTreeMap::new();
    for (file, _) in analysis.snapshot().sources().iter() {
        let Some(path) = project.path(file) else { continue };
        if let Some(new) = moves.iter().find_map(|(from, to)| new_path(&path, from, to)) {
            after.insert(file, new);
        }
    }
    if after.is_empty() {
        return Vec::new();
    }
    let path_of = |file: FileId| after.get(&file).cloned().or_else(|| project.path(file));
    let mut edits = Vec::new();
    for unit in analysis.snapshot().units() {
        for item in analysis.items(unit.file) {
            let ItemKind::Import(import) = &item.slot.parsed.item.kind else { continue };
            let (Some(literal), Some(target)) = (import.path, analysis.imported_file(&item)) else { continue };
            // Between files that stay nothing changes, and what its author wrote in another way stays so.
            if !after.contains_key(&unit.file) && !after.contains_key(&target) {
                continue;
            }
            let (Some(own), Some(other)) = (path_of(unit.file), path_of(target)) else { continue };
            let (Some(own_before), Some(other_before)) = (project.path(unit.file), project.path(target)) else { continue };
            let new = path_between(&own, &other);
            if new != path_between(&own_before, &other_before) {
                let place = item.place(literal.span);
                edits.push(Edit { place, text: quoted_string(&new) });
            }
        }
    }
    edits.sort_by_key(|edit| edit.place);
    edits
}

fn normalized(path: &str) -> String {
    weave_compiler::normalize_path(path)
}

/// Where a file lies after a move of itself or of a folder that it is in.
fn new_path(path: &str, from: &str, to: &str) -> Option<String> {
    if path == from {
        return Some(to.to_owned());
    }
    let inside = path.strip_prefix(from)?.strip_prefix('/')?;
    Some(format!("{to}/{inside}"))
}
