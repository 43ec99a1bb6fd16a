//! `textDocument/diagnostic` and `workspace/diagnostic`, for clients that ask.

use std::collections::BTreeMap;

use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::documents::{path_of, uri_of};
use crate::owner::State;

pub(crate) fn of_document(state: &mut State, params: DocumentDiagnosticParams) -> DocumentDiagnosticReport {
    let path = path_of(params.text_document.uri.as_str());
    match report(state, &path, params.previous_result_id.as_deref()) {
        Ok(full_document_diagnostic_report) => {
            DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report })
        }
        Err(result_id) => DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        }),
    }
}

pub(crate) fn of_workspace(state: &mut State, params: WorkspaceDiagnosticParams) -> WorkspaceDiagnosticReport {
    state.look();
    let known = params.previous_result_ids.into_iter().map(|known| (path_of(known.uri.as_str()), (known.uri, known.value)));
    let known: BTreeMap<String, (Uri, String)> = known.collect();
    let mut paths = state.published.paths();
    paths.extend(known.keys().cloned());
    paths.sort();
    paths.dedup();
    let mut items = Vec::new();
    for path in paths {
        let before = known.get(&path);
        let document = state.documents.get(&path);
        let version = document.map(|document| i64::from(document.version));
        let uri = document.map(|document| document.uri.clone()).or_else(|| before.map(|(uri, _)| uri.clone())).or_else(|| uri_of(&path));
        let Some(uri) = uri else { continue };
        items.push(match report(state, &path, before.map(|(_, id)| id.as_str())) {
            Ok(full_document_diagnostic_report) => WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report,
            }),
            Err(result_id) => WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
            }),
        });
    }
    WorkspaceDiagnosticReport { items }
}

/// What is said about a file, or what it is called if the client knows it.
fn report(state: &mut State, path: &str, known: Option<&str>) -> Result<FullDocumentDiagnosticReport, String> {
    let sent = state.tell(path);
    let id = sent.number.to_string();
    if known == Some(id.as_str()) {
        return Err(id);
    }
    Ok(FullDocumentDiagnosticReport { result_id: Some(id), items: sent.diagnostics.to_vec() })
}
