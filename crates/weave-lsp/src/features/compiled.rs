//! `weave/graph`, `weave/definition` and `weave/syntaxTree`: what editors show of a workflow beside its text.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::TextDocumentIdentifier;
use weave_ide::{GraphFormat, compile, graph, syntax_tree};

use super::Open;
use crate::owner::State;

/// `RequestFailed`: the request is understood, and cannot be answered for a reason that is worth showing.
const REQUEST_FAILED: i64 = -32803;

/// A workflow of a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorkflowParams {
    text_document: TextDocumentIdentifier,
    workflow: String,
}

/// A workflow of a document, and how it shall be drawn.
#[derive(Debug, Deserialize)]
pub(crate) struct GraphParams {
    #[serde(flatten)]
    subject: WorkflowParams,
    format: Format,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Svg,
    Mermaid,
    Dot,
    Json,
}

/// A document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentParams {
    text_document: TextDocumentIdentifier,
}

pub(crate) fn graph_of(state: &mut State, params: GraphParams) -> Result<Json> {
    let (format, key) = match params.format {
        Format::Svg => (GraphFormat::Svg, "svg"),
        Format::Mermaid => (GraphFormat::Mermaid, "mermaid"),
        Format::Dot => (GraphFormat::Dot, "dot"),
        Format::Json => (GraphFormat::Json, "json"),
    };
    let open = known(state, &params.subject.text_document)?;
    let text = graph(&open.project.analysis, open.file, &params.subject.workflow, format).map_err(refused)?;
    Ok(json!({ key: text }))
}

pub(crate) fn definition_of(state: &mut State, params: WorkflowParams) -> Result<Json> {
    let open = known(state, &params.text_document)?;
    let compiled = compile(&open.project.analysis, open.file, &params.workflow).map_err(refused)?;
    let definition = compiled.definition.to_json_value().map_err(|error| refused(error.to_string()))?;
    Ok(json!({ "definition": definition }))
}

pub(crate) fn tree_of(state: &mut State, params: DocumentParams) -> Result<Json> {
    let open = known(state, &params.text_document)?;
    Ok(json!({ "tree": syntax_tree(&open.project.analysis, open.file) }))
}

fn known(state: &mut State, document: &TextDocumentIdentifier) -> Result<Open> {
    state.open(&document.uri).ok_or_else(|| refused(format!("{} is not a readable .weave file", document.uri.as_str())))
}

fn refused(why: String) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: why.into(), data: None }
}
