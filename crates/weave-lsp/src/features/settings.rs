//! `weave.toml`, which is no program: completion and hover.

use std::sync::Arc;

use tower_lsp::ls_types::{self as lsp, CompletionList, HoverContents, MarkupContent, MarkupKind, Position, Uri};
use weave_ide::{ConfigFindings, settings_completion, settings_hover};

use super::completion::list_of;
use crate::convert::{offset, range};
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
