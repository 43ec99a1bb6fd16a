//! `textDocument/prepareRename` and `rename`, `linkedEditingRange`, and `workspace/willRenameFiles`.

use std::collections::HashMap;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    LinkedEditingRangeParams, LinkedEditingRanges, PrepareRenameResponse, RenameFilesParams, RenameParams, TextDocumentPositionParams,
    TextEdit, Uri, WorkspaceEdit,
};
use weave_diagnostics::Edit;
use weave_ide::{linked, moved, prepare_rename, rename};

use crate::convert::Places;
use crate::documents::path_of;
use crate::owner::State;

/// The client shows why.
fn refused(why: String) -> Error {
    Error::invalid_params(why)
}

pub(crate) fn prepare(state: &mut State, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
    let Some((open, offset)) = state.open_at(&params) else { return Ok(None) };
    let place = prepare_rename(&open.project.analysis, open.file, offset).map_err(refused)?;
    let placeholder = open.project.analysis.text_of(place).to_owned();
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: state.places(&open.project).range(place), placeholder }))
}

pub(crate) fn apply(state: &mut State, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some((open, offset)) = state.open_at(&params.text_document_position) else { return Ok(None) };
    let edits = rename(&open.project.analysis, open.file, offset, &params.new_name).map_err(refused)?;
    Ok(Some(workspace_edit(&state.places(&open.project), &edits)))
}

/// What imports must say when files or folders have moved.
pub(crate) fn files(state: &mut State, params: RenameFilesParams) -> WorkspaceEdit {
    let moves: Vec<_> = params.files.iter().map(|file| (path_of(&file.old_uri), path_of(&file.new_uri))).collect();
    let mut all = WorkspaceEdit { changes: Some(HashMap::new()), ..WorkspaceEdit::default() };
    let projects = state.workspace.projects();
    let edits = projects.iter().map(|project| workspace_edit(&state.places(project), &moved(project, &moves)));
    for (uri, edits) in edits.filter_map(|edit| edit.changes).flatten() {
        let known = all.changes.get_or_insert_default().entry(uri).or_default();
        // A file may be of several projects.
        edits.into_iter().for_each(|edit| {
            if !known.contains(&edit) {
                known.push(edit);
            }
        });
    }
    all
}

/// Edits by the files that they are in.
pub(crate) fn workspace_edit(places: &Places<'_>, edits: &[Edit]) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in edits {
        if let Some(uri) = places.uri(edit.place.file) {
            changes.entry(uri).or_default().push(TextEdit { range: places.range(edit.place), new_text: edit.text.clone() });
        }
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// What a name is made of.
const NAME: &str = "[A-Za-z_][A-Za-z0-9_]*";

pub(crate) fn linked_places(state: &mut State, params: LinkedEditingRangeParams) -> Option<LinkedEditingRanges> {
    let (open, offset) = state.open_at(&params.text_document_position_params)?;
    let found = linked(&open.project.analysis, open.file, offset)?;
    let places = state.places(&open.project);
    let ranges = found.into_iter().map(|place| places.range(place)).collect();
    Some(LinkedEditingRanges { ranges, word_pattern: Some(NAME.to_owned()) })
}
