//! `textDocument/formatting`, `rangeFormatting` and `codeAction`.

use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit,
};
use weave_diagnostics::{Applicability, Edit};
use weave_ide::{actions, fix_all, format_document, format_range};

use super::Open;
use super::rename::workspace_edit;
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

pub(crate) fn code_actions(state: &mut State, params: CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
    let open = state.open(&params.text_document.uri)?;
    let range = span(&open.source, params.range, state.encoding);
    let places = state.places(&open.project);
    let only = params.context.only;
    // A kind stands for all that are more special.
    let wants = |kind: &CodeActionKind| {
        only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| kind.as_str() == wanted.as_str() || kind.as_str().starts_with(&format!("{}.", wanted.as_str())))
        })
    };
    let mut found = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        found.extend(actions(&open.project.analysis, open.file, range).into_iter().map(|action| CodeAction {
            title: capitalized(&action.fix.message),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![places.diagnostic(action.diagnostic)]),
            edit: Some(workspace_edit(&places, &action.fix.edits)),
            is_preferred: Some(action.fix.applicability == Applicability::Safe),
            ..CodeAction::default()
        }));
    }
    let all =
        if only.is_some() && wants(&CodeActionKind::SOURCE_FIX_ALL) { fix_all(&open.project.analysis, open.file) } else { Vec::new() };
    if !all.is_empty() {
        found.push(CodeAction {
            title: "Apply all fixes that keep the meaning".to_owned(),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(workspace_edit(&places, &all)),
            ..CodeAction::default()
        });
    }
    Some(found.into_iter().map(CodeActionOrCommand::CodeAction).collect())
}

/// Fixes are orders in lower case; a menu writes them like sentences.
fn capitalized(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
