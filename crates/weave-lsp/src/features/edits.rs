//! `textDocument/formatting` and `rangeFormatting`.

use tower_lsp::ls_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit};
use weave_diagnostics::Edit;
use weave_ide::{format_document, format_range};

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

fn text_edits(state: &State, open: &Open, edits: &[Edit]) -> Vec<TextEdit> {
    let places = state.places(&open.project);
    edits.iter().map(|edit| TextEdit { range: places.range(edit.place), new_text: edit.text.clone() }).collect()
}
