//! Diagnostics that are sent without being asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use tower_lsp::ls_types::{self as lsp, PublishDiagnosticsParams};
use weave_ide::Project;

use crate::convert::{Encoding, Places, plain, range};
use crate::documents::{Documents, uri_of};

/// What was sent last about each file.
#[derive(Debug, Default)]
pub(crate) struct Published {
    by_path: BTreeMap<String, Sent>,
}

#[derive(Debug, Default, PartialEq)]
struct Sent {
    diagnostics: Vec<lsp::Diagnostic>,
    version: Option<i32>,
}

impl Published {
    /// What is to be sent now: about each file of which there is something else to say than before, and about each document of a new version.
    pub(crate) fn next(&mut self, projects: &[Arc<Project>], documents: &Documents, encoding: Encoding) -> Vec<PublishDiagnosticsParams> {
        let mut found: BTreeMap<String, Sent> = BTreeMap::new();
        for (path, document) in documents {
            found.insert(path.clone(), Sent { diagnostics: Vec::new(), version: Some(document.version) });
        }
        // What a file's own project says counts; what others say of it only where it has none.
        for own in [true, false] {
            for project in projects {
                collect(project, own, documents, encoding, &mut found);
            }
        }
        let mut messages = Vec::new();
        for (path, sent) in &found {
            let before = self.by_path.get(path);
            let is_news = before.map_or(!sent.diagnostics.is_empty() || sent.version.is_some(), |before| before != sent);
            if is_news && let Some(uri) = uri(path, documents) {
                messages.push(PublishDiagnosticsParams { uri, diagnostics: sent.diagnostics.clone(), version: sent.version });
            }
        }
        for (path, _) in self.by_path.iter().filter(|(path, before)| !before.diagnostics.is_empty() && !found.contains_key(*path)) {
            if let Some(uri) = uri(path, documents) {
                messages.push(PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None });
            }
        }
        self.by_path = found;
        messages
    }
}

fn uri(path: &str, documents: &Documents) -> Option<lsp::Uri> {
    documents.get(path).map(|document| document.uri.clone()).or_else(|| uri_of(path))
}

fn collect(project: &Project, own: bool, documents: &Documents, encoding: Encoding, found: &mut BTreeMap<String, Sent>) {
    let places = Places { project, documents, encoding };
    let analysis = &project.analysis;
    for (file, _) in analysis.snapshot().sources().iter().filter(|(file, _)| analysis.snapshot().is_root(*file) == own) {
        let diagnostics = analysis.diagnostics(file);
        let Some(path) = project.path(file).filter(|_| !diagnostics.is_empty()) else { continue };
        let sent = found.entry(path).or_default();
        if sent.diagnostics.is_empty() {
            sent.diagnostics = diagnostics.iter().map(|diagnostic| places.diagnostic(diagnostic)).collect();
        }
    }
    for config in project.configs.iter().filter(|config| own && !config.diagnostics.is_empty()) {
        let sent = found.entry(config.path.clone()).or_default();
        let placed = config.diagnostics.iter().map(|diagnostic| lsp::Diagnostic {
            range: range(&config.source, diagnostic.primary.place.span, encoding),
            ..plain(diagnostic)
        });
        sent.diagnostics = placed.collect();
    }
}
