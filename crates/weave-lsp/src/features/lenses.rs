//! `textDocument/codeLens` and `codeLens/resolve`.
//!
//! A lens names a command, and commands are the client's: it says at the start which of them it has (`experimental.commands`). A client that has none
//! gets no lenses.

use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Command, Position, Uri};
use weave_diagnostics::counted;
use weave_ide::{LensKind, lenses, test_path, uses};

use crate::owner::State;

/// Draws a workflow: `{ uri, workflow }`.
pub(crate) const SHOW_GRAPH: &str = "weave.showGraph";

/// Shows what a workflow is compiled to: `{ uri, workflow }`.
pub(crate) const SHOW_DEFINITION: &str = "weave.showDefinition";

/// Runs a test: `{ uri, test }`, where `test` is its path, such as `refund/above_the_limit`.
pub(crate) const RUN_TEST: &str = "weave.runTest";

/// Lists places: the document, the place in it that they are about, and the places.
pub(crate) const SHOW_REFERENCES: &str = "weave.showReferences";

/// What is remembered of a lens whose references have not been counted.
#[derive(Debug, Serialize, Deserialize)]
struct Uncounted {
    uri: Uri,
    position: Position,
    counts: Counts,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Counts {
    Emitters,
    Consumers,
    References,
}

impl Counts {
    const fn kind(self) -> LensKind {
        match self {
            Self::Emitters => LensKind::Emitters,
            Self::Consumers => LensKind::Consumers,
            Self::References => LensKind::References,
        }
    }

    fn title(self, count: usize) -> String {
        match self {
            Self::Emitters => format!("emitted by {}", counted(count, "step")),
            Self::Consumers => format!("consumed by {}", counted(count, "node")),
            Self::References => counted(count, "reference"),
        }
    }
}

pub(crate) fn of_document(state: &mut State, params: CodeLensParams) -> Option<Vec<CodeLens>> {
    let open = state.open(&params.text_document.uri)?;
    let (client, places) = (state.client, state.places(&open.project));
    let uri = params.text_document.uri;
    let lens = |lens: weave_ide::Lens| {
        let range = places.range(lens.place);
        let show = |title: &str, command: &str| {
            let argument = json!({ "uri": uri.as_str(), "workflow": open.project.analysis.text_of(lens.place) });
            let command = Command { title: title.to_owned(), command: command.to_owned(), arguments: Some(vec![argument]) };
            CodeLens { range, command: Some(command), data: None }
        };
        let uncounted = |counts: Counts| {
            client.shows_references.then(|| {
                let data = serde_json::to_value(Uncounted { uri: uri.clone(), position: range.start, counts }).ok();
                CodeLens { range, command: None, data }
            })
        };
        match lens.kind {
            LensKind::Graph => client.shows_graphs.then(|| show("Show Graph", SHOW_GRAPH)),
            LensKind::Definition => client.shows_definitions.then(|| show("Show Definition", SHOW_DEFINITION)),
            LensKind::Emitters => uncounted(Counts::Emitters),
            LensKind::Consumers => uncounted(Counts::Consumers),
            LensKind::References => uncounted(Counts::References),
            LensKind::RunTest => client.runs_tests.then(|| {
                let test = test_path(&open.project.analysis, open.file, lens.place.span.start).unwrap_or_default();
                let argument = json!({ "uri": uri.as_str(), "test": test });
                let command = Command { title: "Run Test".to_owned(), command: RUN_TEST.to_owned(), arguments: Some(vec![argument]) };
                CodeLens { range, command: Some(command), data: None }
            }),
        }
    };
    Some(lenses(&open.project.analysis, open.file).into_iter().filter_map(lens).collect())
}

/// Counts the references of one lens: the client asks for those that are seen.
pub(crate) fn counted_references(state: &mut State, lens: CodeLens) -> Result<CodeLens> {
    // The text has changed, and the client asks for all lenses anew.
    let modified = || Error { code: ErrorCode::ContentModified, message: ErrorCode::ContentModified.description().into(), data: None };
    let Some(data) = lens.data.clone() else { return Ok(lens) };
    let Uncounted { uri, position, counts } = serde_json::from_value(data).map_err(|error| Error::invalid_params(error.to_string()))?;
    let open = state.open(&uri).ok_or_else(modified)?;
    let found = uses(&open.project.analysis, open.file, state.offset(&open, position), counts.kind()).ok_or_else(modified)?;
    let places = state.places(&open.project);
    let locations: Vec<_> = found.iter().filter_map(|mention| places.location(mention.place)).collect();
    let command = Command {
        title: counts.title(locations.len()),
        command: SHOW_REFERENCES.to_owned(),
        arguments: Some(vec![json!(uri.as_str()), json!(position), json!(locations)]),
    };
    Ok(CodeLens { command: Some(command), data: None, ..lens })
}
