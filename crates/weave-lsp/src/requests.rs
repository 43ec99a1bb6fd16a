//! Which requests there are, and who answers them.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use tower_lsp::jsonrpc::{Error, Result};

use crate::features::{
    actions, compiled, completion, diagnostics, edits, hierarchy, hints, lenses, navigation, rename, semantic, structure, symbols,
};
use crate::owner::State;

/// Answers a request with its parameters; the answer is written as JSON.
type Handler = fn(&mut State, Json) -> Result<Vec<u8>>;

/// All requests that are answered.
const REQUESTS: &[(&str, Handler)] = &[
    ("textDocument/hover", |state, params| with(state, params, navigation::hover_at)),
    ("textDocument/definition", |state, params| with(state, params, navigation::definition_of)),
    ("textDocument/declaration", |state, params| with(state, params, navigation::definition_of)),
    ("textDocument/implementation", |state, params| with(state, params, navigation::implementations_of)),
    ("textDocument/typeDefinition", |state, params| with(state, params, navigation::type_definition_of)),
    ("textDocument/references", |state, params| with(state, params, navigation::references_to)),
    ("textDocument/documentHighlight", |state, params| with(state, params, navigation::highlights_of)),
    ("textDocument/prepareRename", |state, params| trying(state, params, rename::prepare)),
    ("textDocument/rename", |state, params| trying(state, params, rename::apply)),
    ("workspace/willRenameFiles", |state, params| with(state, params, rename::files)),
    ("textDocument/completion", |state, params| with(state, params, completion::complete)),
    ("completionItem/resolve", |state, params| with(state, params, completion::resolve)),
    ("textDocument/diagnostic", |state, params| with(state, params, diagnostics::of_document)),
    ("workspace/diagnostic", |state, params| with(state, params, diagnostics::of_workspace)),
    ("textDocument/formatting", |state, params| with(state, params, edits::format)),
    ("textDocument/rangeFormatting", |state, params| with(state, params, edits::format_lines)),
    ("textDocument/onTypeFormatting", |state, params| with(state, params, edits::format_typed)),
    ("textDocument/linkedEditingRange", |state, params| with(state, params, rename::linked_places)),
    ("textDocument/codeAction", |state, params| with(state, params, actions::at_range)),
    ("codeAction/resolve", |state, params| trying(state, params, actions::made)),
    ("textDocument/foldingRange", |state, params| with(state, params, structure::folds)),
    ("textDocument/selectionRange", |state, params| with(state, params, structure::selections)),
    ("textDocument/semanticTokens/full", |state, params| with(state, params, semantic::all)),
    ("textDocument/semanticTokens/full/delta", |state, params| with(state, params, semantic::delta)),
    ("textDocument/semanticTokens/range", |state, params| with(state, params, semantic::some)),
    ("textDocument/documentLink", |state, params| with(state, params, structure::document_links)),
    ("textDocument/codeLens", |state, params| with(state, params, lenses::of_document)),
    ("codeLens/resolve", |state, params| trying(state, params, lenses::counted_references)),
    ("textDocument/inlayHint", |state, params| with(state, params, hints::within)),
    ("textDocument/prepareCallHierarchy", |state, params| with(state, params, hierarchy::prepare)),
    ("callHierarchy/incomingCalls", |state, params| with(state, params, hierarchy::callers)),
    ("callHierarchy/outgoingCalls", |state, params| with(state, params, hierarchy::called)),
    ("textDocument/signatureHelp", |state, params| with(state, params, hints::signature_at)),
    ("textDocument/documentSymbol", |state, params| with(state, params, symbols::of_document)),
    ("workspace/symbol", |state, params| with(state, params, symbols::of_workspace)),
    ("weave/graph", |state, params| trying(state, params, compiled::graph_of)),
    ("weave/definition", |state, params| trying(state, params, compiled::definition_of)),
    ("weave/syntaxTree", |state, params| trying(state, params, compiled::tree_of)),
];

/// Whether somebody answers this request.
pub(crate) fn is_request(method: &str) -> bool {
    REQUESTS.iter().any(|(name, _)| *name == method)
}

/// The answer to a request, written as JSON.
pub(crate) fn answer(state: &mut State, method: &str, params: Json) -> Result<Vec<u8>> {
    match REQUESTS.iter().find(|(name, _)| *name == method) {
        Some((_, handler)) => handler(state, params),
        None => Err(Error::method_not_found()),
    }
}

/// A request that has an answer in any case, if it is understood.
fn with<P: DeserializeOwned, R: Serialize>(state: &mut State, params: Json, handler: fn(&mut State, P) -> R) -> Result<Vec<u8>> {
    serde_json::to_vec(&handler(state, read(params)?)).map_err(|_| Error::internal_error())
}

/// A request that may be refused.
fn trying<P: DeserializeOwned, R: Serialize>(state: &mut State, params: Json, handler: fn(&mut State, P) -> Result<R>) -> Result<Vec<u8>> {
    serde_json::to_vec(&handler(state, read(params)?)?).map_err(|_| Error::internal_error())
}

fn read<P: DeserializeOwned>(params: Json) -> Result<P> {
    serde_json::from_value(params).map_err(|error| Error::invalid_params(error.to_string()))
}
