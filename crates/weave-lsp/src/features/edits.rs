//! `textDocument/formatting` `rangeFormatting` and `onTypeFormatting`.

use tower_lsp::ls_types::{DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, TextEdit};
use weave_diagnostics::Edit;
use weave_ide::{format_document, format_on_type, format_range};

use super::Open;
use crate::convert::span;
use crate::owner::State;

pub(crate) fn format(state: &mut State, params: DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let open = state.open(&params.text_document.uri)?;
    Some(text_edits(state, &open, &format_document(&open.project.analysis, open.file)?))
}

pub(crate) fn format_lines(state: &mut State, params: DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
    let open = state.open(&params.text_document.uri)?;
    let range = span(&open.source, params.range, state.encoding);
    Some(text_edits(state, &open, &format_range(&open.project.analysis, open.file, range)?))
}

pub(crate) fn format_typed(state: &mut State, params: DocumentOnTypeFormattingParams) -> Option<Vec<TextEdit>> {
    let (open, offset) = state.open_at(&params.text_document_position)?;
    let key = params.ch.chars().next()?;
    Some(text_edits(state, &open, &format_on_type(&open.project.analysis, open.file, offset, key)))
}

fn text_edits(state: &State, open: &Open, edits: &[Edit]) -> Vec<TextEdit> {
    let places = state.places(&open.project);
    edits.iter().map(|edit| TextEdit { range: places.range(edit.place), new_text: edit.text.clone() }).collect()
}
