//! `textDocument/codeAction` and `codeAction/resolve`.

use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{self as lsp, CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Range, Uri, WorkspaceEdit};
use weave_diagnostics::{Applicability, Fix};
use weave_ide::{Refactoring, RefactoringKind, actions, fix_all, refactorings};

use super::rename::workspace_edit;
use super::{Open, settings};
use crate::convert::span;
use crate::owner::State;

/// What is remembered of an action whose edits have not been asked for.
#[derive(Debug, Serialize, Deserialize)]
struct Unmade {
    uri: Uri,
    range: Range,
}

pub(crate) fn at_range(state: &mut State, params: CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
    let only = params.context.only;
    // A kind stands for all that are more special.
    let wants = |kind: &CodeActionKind| {
        only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| kind.as_str() == wanted.as_str() || kind.as_str().starts_with(&format!("{}.", wanted.as_str())))
        })
    };
    if let Some(open) = state.open_settings(&params.text_document.uri) {
        let wanted = Some(params.range).filter(|_| wants(&CodeActionKind::QUICKFIX));
        let found = wanted.map(|range| settings::fixes(state, &open, &params.text_document.uri, range)).unwrap_or_default();
        return Some(found.into_iter().map(CodeActionOrCommand::CodeAction).collect());
    }
    let open = state.open(&params.text_document.uri)?;
    let range = span(&open.source, params.range, state.encoding);
    let places = state.places(&open.project);
    let mut found = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let mended = actions(&open.project.analysis, open.file, range).into_iter();
        found.extend(
            mended.map(|action| fix_of(action.fix, places.diagnostic(action.diagnostic), workspace_edit(&places, &action.fix.edits))),
        );
    }
    // What tidies a whole file is offered to those who ask for it.
    let wants_of_files = |kind: &CodeActionKind| only.is_some() && wants(kind);
    let wanted = |found: RefactoringKind| match found {
        RefactoringKind::OrganizeImports => wants_of_files(&kind(found)),
        _ => wants(&kind(found)),
    };
    for refactoring in refactorings(&open.project.analysis, open.file, range, &wanted) {
        let (edit, data) = if state.client.resolves_actions {
            let unmade = Unmade { uri: params.text_document.uri.clone(), range: params.range };
            (None, serde_json::to_value(unmade).ok())
        } else {
            (Some(workspace_edit(&places, &refactoring.edits(&open.project.analysis))), None)
        };
        let diagnostics = refactoring.mends.map(|diagnostic| vec![places.diagnostic(diagnostic)]);
        found.push(CodeAction { diagnostics, edit, data, ..plain(&refactoring) });
    }
    let all = if wants_of_files(&CodeActionKind::SOURCE_FIX_ALL) { fix_all(&open.project.analysis, open.file) } else { Vec::new() };
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

/// A fix, as the protocol says it.
pub(crate) fn fix_of(fix: &Fix, diagnostic: lsp::Diagnostic, edit: WorkspaceEdit) -> CodeAction {
    CodeAction {
        title: capitalized(&fix.message),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic]),
        edit: Some(edit),
        is_preferred: Some(fix.applicability == Applicability::Safe),
        ..CodeAction::default()
    }
}

/// Finds out the edits of one action: the client asks for those of the one that somebody has chosen.
pub(crate) fn made(state: &mut State, action: CodeAction) -> Result<CodeAction> {
    // The text has changed, and the client asks for all actions anew.
    let modified = || Error { code: ErrorCode::ContentModified, message: ErrorCode::ContentModified.description().into(), data: None };
    let Some(data) = action.data.clone() else { return Ok(action) };
    let Unmade { uri, range } = serde_json::from_value(data).map_err(|error| Error::invalid_params(error.to_string()))?;
    let open: Open = state.open(&uri).ok_or_else(modified)?;
    let range = span(&open.source, range, state.encoding);
    let analysis = &open.project.analysis;
    // The title identifies an action. Its kind may differ from the one that was offered: findings of rules arrive later than the actions, and an action that
    // resolves one is a quick fix.
    let found = refactorings(analysis, open.file, range, &|_| true).into_iter().find(|found| found.title == action.title);
    let edits = found.ok_or_else(modified)?.edits(analysis);
    Ok(CodeAction { edit: Some(workspace_edit(&state.places(&open.project), &edits)), data: None, ..action })
}

fn plain(refactoring: &Refactoring<'_>) -> CodeAction {
    CodeAction { title: refactoring.title.clone(), kind: Some(kind(refactoring.kind)), ..CodeAction::default() }
}

fn kind(kind: RefactoringKind) -> CodeActionKind {
    match kind {
        RefactoringKind::OrganizeImports => CodeActionKind::SOURCE_ORGANIZE_IMPORTS,
        RefactoringKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        RefactoringKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        RefactoringKind::Create => CodeActionKind::QUICKFIX,
    }
}

/// Fixes are orders in lower case; a menu writes them like sentences.
fn capitalized(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
