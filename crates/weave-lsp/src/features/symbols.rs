//! `textDocument/documentSymbol`, `workspace/symbol`.

use tower_lsp::ls_types::{self as lsp, DocumentSymbolParams, DocumentSymbolResponse, SymbolInformation, WorkspaceSymbolParams};
use weave_diagnostics::Place;
use weave_ide::{DocumentSymbol, SymbolKind, document_symbols, workspace_symbols};

use super::settings;
use crate::owner::State;

/// More are of no use in a list.
const MOST: usize = 1000;

pub(crate) fn of_document(state: &mut State, params: DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    if let Some(open) = state.open_settings(&params.text_document.uri) {
        return Some(settings::symbols(state, &open, &params.text_document.uri));
    }
    let open = state.open(&params.text_document.uri)?;
    let symbols = document_symbols(&open.project.analysis, open.file);
    let places = state.places(&open.project);
    Some(outline(symbols, state.client.nested_symbols, &|place| places.location(place)))
}

/// Where a place is.
type Locate<'a> = &'a dyn Fn(Place) -> Option<lsp::Location>;

/// An outline, as the client can read it.
pub(crate) fn outline(symbols: Vec<DocumentSymbol>, nests: bool, locate: Locate<'_>) -> DocumentSymbolResponse {
    if nests {
        return DocumentSymbolResponse::Nested(symbols.into_iter().map(|symbol| nested(symbol, locate)).collect());
    }
    let mut found = Vec::new();
    for symbol in &symbols {
        found.extend(flat(symbol, None, locate));
        found.extend(symbol.children.iter().filter_map(|child| flat(child, Some(&symbol.name), locate)));
    }
    DocumentSymbolResponse::Flat(found)
}

pub(crate) fn of_workspace(state: &mut State, params: WorkspaceSymbolParams) -> Vec<SymbolInformation> {
    let mut found = Vec::new();
    for project in state.workspace.projects() {
        let places = state.places(&project);
        let symbols = workspace_symbols(&project.analysis, &params.query);
        found.extend(symbols.into_iter().filter_map(|symbol| {
            let location = places.location(symbol.target.name)?;
            Some(information(symbol.name, kind(symbol.kind), location, Some(symbol.container), false))
        }));
    }
    found.truncate(MOST);
    found
}

fn nested(symbol: DocumentSymbol, locate: Locate<'_>) -> lsp::DocumentSymbol {
    let children: Vec<_> = symbol.children.into_iter().map(|child| nested(child, locate)).collect();
    let range = |place: Place| locate(place).map(|location| location.range).unwrap_or_default();
    #[expect(deprecated, reason = "the field is part of the type")]
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail).filter(|detail| !detail.is_empty()),
        kind: kind(symbol.kind),
        tags: symbol.deprecated.then(|| vec![lsp::SymbolTag::DEPRECATED]),
        deprecated: None,
        range: range(symbol.target.whole),
        selection_range: range(symbol.target.name),
        children: (!children.is_empty()).then_some(children),
    }
}

fn flat(symbol: &DocumentSymbol, container: Option<&str>, locate: Locate<'_>) -> Option<SymbolInformation> {
    let location = locate(symbol.target.whole)?;
    Some(information(symbol.name.clone(), kind(symbol.kind), location, container.map(str::to_owned), symbol.deprecated))
}

fn information(
    name: String,
    kind: lsp::SymbolKind,
    location: lsp::Location,
    container_name: Option<String>,
    deprecated: bool,
) -> SymbolInformation {
    let tags = deprecated.then(|| vec![lsp::SymbolTag::DEPRECATED]);
    #[expect(deprecated, reason = "the field is part of the type")]
    SymbolInformation { name, kind, tags, deprecated: None, location, container_name }
}

pub(crate) fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Type => lsp::SymbolKind::STRUCT,
        SymbolKind::Enum => lsp::SymbolKind::ENUM,
        SymbolKind::Value => lsp::SymbolKind::ENUM_MEMBER,
        SymbolKind::Union => lsp::SymbolKind::INTERFACE,
        SymbolKind::Error | SymbolKind::Event => lsp::SymbolKind::EVENT,
        SymbolKind::Tool => lsp::SymbolKind::FUNCTION,
        SymbolKind::Toolkit => lsp::SymbolKind::MODULE,
        SymbolKind::Prompt => lsp::SymbolKind::STRING,
        SymbolKind::Agent => lsp::SymbolKind::CLASS,
        SymbolKind::Workflow => lsp::SymbolKind::NAMESPACE,
        SymbolKind::Node | SymbolKind::Test => lsp::SymbolKind::METHOD,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
        SymbolKind::Table => lsp::SymbolKind::OBJECT,
    }
}
