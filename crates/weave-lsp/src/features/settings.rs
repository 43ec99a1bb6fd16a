//! `weave.toml`, which is no program: completion, hover, fixes and the outline.

use std::collections::HashMap;
use std::sync::Arc;

use tower_lsp::ls_types::{
    self as lsp, CodeAction, CompletionList, DocumentSymbolResponse, HoverContents, MarkupContent, MarkupKind, Position, TextEdit, Uri,
    WorkspaceEdit,
};
use weave_diagnostics::{FileId, Place};
use weave_ide::{ConfigFindings, fixes_at, settings_completion, settings_hover, settings_symbols};

use super::actions::fix_of;
use super::completion::list_of;
use super::symbols::outline;
use crate::convert::{offset, plain, range, span};
use crate::documents::path_of;
use crate::owner::State;

impl State {
    /// The `weave.toml` that a request is about; nothing if it is about something else.
    pub(crate) fn open_settings(&self, uri: &Uri) -> Option<Arc<ConfigFindings>> {
        let path = path_of(uri.as_str());
        self.workspace.open_settings().find(|config| config.path == path).cloned()
    }
}

pub(crate) fn complete(state: &mut State, open: &ConfigFindings, position: Position) -> Option<CompletionList> {
    let files = state.workspace.sources_beside(&open.path);
    let (span, items) = settings_completion(open.source.text(), offset(&open.source, position, state.encoding), &files)?;
    Some(list_of(&state.client, range(&open.source, span, state.encoding), items))
}

pub(crate) fn hover(state: &State, open: &ConfigFindings, position: Position) -> Option<lsp::Hover> {
    let (span, value) = settings_hover(open.source.text(), offset(&open.source, position, state.encoding))?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(lsp::Hover { contents, range: Some(range(&open.source, span, state.encoding)) })
}

/// What mends what is wrong where a range is.
pub(crate) fn fixes(state: &State, open: &ConfigFindings, uri: &Uri, at: lsp::Range) -> Vec<CodeAction> {
    let place = |place: Place| range(&open.source, place.span, state.encoding);
    let found = fixes_at(&open.diagnostics, span(&open.source, at, state.encoding)).into_iter();
    let mended = found.map(|action| {
        let diagnostic = lsp::Diagnostic { range: place(action.diagnostic.primary.place), ..plain(action.diagnostic, &state.pages) };
        let edits = action.fix.edits.iter().map(|edit| TextEdit { range: place(edit.place), new_text: edit.text.clone() });
        let changes = HashMap::from([(uri.clone(), edits.collect())]);
        fix_of(action.fix, diagnostic, WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    });
    mended.collect()
}

pub(crate) fn symbols(state: &State, open: &ConfigFindings, uri: &Uri) -> DocumentSymbolResponse {
    let location = |place: Place| Some(lsp::Location { uri: uri.clone(), range: range(&open.source, place.span, state.encoding) });
    outline(settings_symbols(open.source.text(), FileId(0)), state.client.nested_symbols, &location)
}
