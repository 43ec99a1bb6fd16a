//! `textDocument/hover`, `definition`, `declaration`, `typeDefinition`, `implementation`, `references` and `documentHighlight`.

use serde_json::Value as Json;
use tower_lsp::ls_types::{
    self as lsp, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams, HoverContents, HoverParams,
    Location, LocationLink, MarkupContent, MarkupKind, ReferenceParams,
};
use weave_ide::{Definition, Role, definition, highlights, hover, implementation, references, type_definition};

use super::{Open, settings};
use crate::convert::range;
use crate::documents::uri_of;
use crate::owner::State;

pub(crate) fn hover_at(state: &mut State, params: HoverParams) -> Option<lsp::Hover> {
    let at = &params.text_document_position_params;
    if let Some(open) = state.open_settings(&at.text_document.uri) {
        return settings::hover(state, &open, at.position);
    }
    let (open, offset) = state.open_at(at)?;
    let found = hover(&open.project.analysis, open.file, offset)?;
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: found.markdown });
    Some(lsp::Hover { contents, range: Some(state.places(&open.project).range(found.place)) })
}

pub(crate) fn definition_of(state: &mut State, params: GotoDefinitionParams) -> Json {
    let Some((open, offset)) = state.open_at(&params.text_document_position_params) else { return Json::Null };
    targets(state, &open, definition(&open.project.analysis, open.file, offset))
}

pub(crate) fn type_definition_of(state: &mut State, params: GotoDefinitionParams) -> Json {
    let Some((open, offset)) = state.open_at(&params.text_document_position_params) else { return Json::Null };
    targets(state, &open, type_definition(&open.project.analysis, open.file, offset))
}

/// The stubs that were generated for a tool.
pub(crate) fn implementations_of(state: &mut State, params: GotoDefinitionParams) -> Option<Vec<Location>> {
    let (open, offset) = state.open_at(&params.text_document_position_params)?;
    let found = implementation(&state.workspace, &open.project, open.file, offset);
    let location = |found: weave_ide::Implementation| {
        Some(Location { uri: uri_of(&found.path)?, range: range(&found.source, found.span, state.encoding) })
    };
    Some(found.into_iter().filter_map(location).collect())
}

/// Links where the client reads them, since they say how long the word is; else places.
fn targets(state: &State, open: &Open, found: Option<Definition>) -> Json {
    let Some(found) = found else { return Json::Null };
    let places = state.places(&open.project);
    let json = if state.client.links {
        let links = found.targets.iter().filter_map(|target| {
            Some(LocationLink {
                origin_selection_range: Some(places.range(found.place)),
                target_uri: places.uri(target.name.file)?,
                target_range: places.range(target.whole),
                target_selection_range: places.range(target.name),
            })
        });
        serde_json::to_value(links.collect::<Vec<_>>())
    } else {
        serde_json::to_value(found.targets.iter().filter_map(|target| places.location(target.name)).collect::<Vec<_>>())
    };
    json.unwrap_or_default()
}

pub(crate) fn references_to(state: &mut State, params: ReferenceParams) -> Option<Vec<Location>> {
    let (open, offset) = state.open_at(&params.text_document_position)?;
    let found = references(&open.project.analysis, open.file, offset, params.context.include_declaration);
    let places = state.places(&open.project);
    Some(found.iter().filter_map(|mention| places.location(mention.place)).collect())
}

pub(crate) fn highlights_of(state: &mut State, params: DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let (open, offset) = state.open_at(&params.text_document_position_params)?;
    let found = highlights(&open.project.analysis, open.file, offset);
    let places = state.places(&open.project);
    let highlight = |mention: &weave_ide::Mention| DocumentHighlight {
        range: places.range(mention.place),
        kind: Some(match mention.role {
            Role::Declares | Role::Imports | Role::Writes => DocumentHighlightKind::WRITE,
            Role::Uses | Role::Says => DocumentHighlightKind::READ,
        }),
    };
    Some(found.iter().map(highlight).collect())
}
