//! `textDocument/prepareRename` and `rename`.

use std::collections::HashMap;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit};
use weave_diagnostics::Edit;
use weave_ide::{prepare_rename, rename};

use crate::convert::Places;
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
