//! What is said about each file: sent without being asked for, or kept for clients that ask.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tower_lsp::ls_types::{self as lsp, PublishDiagnosticsParams};
use weave_diagnostics::{Diagnostic, bounded};
use weave_ide::{ConfigFindings, Project};

use crate::convert::{Encoding, Places, plain, range};
use crate::documents::{Documents, uri_of};
use crate::pages::Pages;

/// What was said last about each file.
#[derive(Debug, Default)]
pub(crate) struct Published {
    by_path: BTreeMap<String, Sent>,
    /// The last number that something said has got.
    last: u64,
    /// What a client that asks knows of each file: the number of what it was told, if that was anything at all.
    told: BTreeMap<String, u64>,
}

/// What is said about a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent {
    pub(crate) diagnostics: Arc<Vec<lsp::Diagnostic>>,
    /// The version of the document, if it is one.
    pub(crate) version: Option<i32>,
    /// A number that it shares with nothing else that was ever said about the file; 0 for nothing.
    pub(crate) number: u64,
    /// Whether the program had mistakes, so that this is all that there was to say.
    mistaken: bool,
}

impl Sent {
    fn says_the_same(&self, other: &Self) -> bool {
        self.version == other.version && self.diagnostics == other.diagnostics
    }
}

impl Published {
    /// What is to be sent now: about each file of which there is something else to say than before, and about each document of a new version.
    ///
    /// Unless `all` is found out, nothing is sent about programs without mistakes but that earlier ones are none any more: what rules have found
    /// stays until it is known what they find now, so that it does not come and go with each word that is typed.
    pub(crate) fn next(
        &mut self,
        projects: &[Arc<Project>],
        settings: &[Arc<ConfigFindings>],
        documents: &Documents,
        (encoding, pages): (Encoding, &Pages),
        all: bool,
    ) -> Vec<PublishDiagnosticsParams> {
        let mut found: BTreeMap<String, Sent> = BTreeMap::new();
        for (path, document) in documents {
            found.insert(path.clone(), Sent { version: Some(document.version), ..Sent::default() });
        }
        let (known, open): (Vec<_>, Vec<_>) = projects.iter().partition(|project| all || project.analysis.snapshot().has_errors());
        // What a file's own project says counts; what others say of it only where it has none.
        for own in [true, false] {
            for project in &known {
                collect(project, own, documents, (encoding, pages), &mut found);
            }
        }
        for project in open {
            self.keep(project, documents, (encoding, pages), &mut found);
        }
        // What is wrong with settings is said of the text that is being edited, whatever lies on the disk.
        for config in settings {
            let version = documents.get(&config.path).map(|document| document.version);
            found.insert(config.path.clone(), Sent { diagnostics: said_of(config, encoding, pages), version, ..Sent::default() });
        }
        let mut messages = Vec::new();
        // What somebody is looking at comes first.
        let (seen, others): (Vec<_>, Vec<_>) = found.iter().partition(|(path, _)| documents.contains_key(*path));
        for (path, sent) in seen.into_iter().chain(others) {
            let before = self.by_path.get(path);
            let is_news = before.map_or(!sent.diagnostics.is_empty() || sent.version.is_some(), |before| !before.says_the_same(sent));
            if is_news && let Some(uri) = uri(path, documents) {
                messages.push(PublishDiagnosticsParams { uri, diagnostics: sent.diagnostics.to_vec(), version: sent.version });
            }
        }
        for (path, _) in self.by_path.iter().filter(|(path, before)| !before.diagnostics.is_empty() && !found.contains_key(*path)) {
            if let Some(uri) = uri(path, documents) {
                messages.push(PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None });
            }
        }
        for (path, sent) in &mut found {
            let same = self.by_path.get(path).filter(|before| before.diagnostics == sent.diagnostics);
            sent.number = same.map_or(0, |before| before.number);
            if sent.number == 0 && !sent.diagnostics.is_empty() {
                self.last += 1;
                sent.number = self.last;
            }
        }
        self.by_path = found;
        messages
    }

    /// What is said about a file now, to a client that asks for it.
    pub(crate) fn tell(&mut self, path: &str) -> Sent {
        let sent = self.by_path.get(path).cloned().unwrap_or_default();
        self.told.insert(path.to_owned(), sent.number);
        sent
    }

    /// The files about which something is said.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.by_path.iter().filter(|(_, sent)| !sent.diagnostics.is_empty()).map(|(path, _)| path.clone()).collect()
    }

    /// Whether there is something that the client has not asked for, but for files that it asks for anyway. It counts as told from now on.
    pub(crate) fn is_untold(&mut self, asked_anyway: &BTreeSet<String>) -> bool {
        let now = |path: &String| self.by_path.get(path).map_or(0, |sent| sent.number);
        let paths: BTreeSet<&String> = self.by_path.keys().chain(self.told.keys()).collect();
        let news: Vec<(String, u64)> = paths
            .into_iter()
            .filter(|path| !asked_anyway.contains(*path) && self.told.get(*path).copied().unwrap_or_default() != now(path))
            .map(|path| (path.clone(), now(path)))
            .collect();
        let is_untold = !news.is_empty();
        self.told.extend(news);
        is_untold
    }

    /// Leaves what was sent about the files of a project as it is, apart from errors: there are none any more.
    fn keep(&self, project: &Project, documents: &Documents, (encoding, pages): (Encoding, &Pages), found: &mut BTreeMap<String, Sent>) {
        let places = Places { project, documents, encoding, pages };
        let is_config = |path: &str| project.configs.iter().any(|config| config.path == path);
        for (path, before) in &self.by_path {
            if let Some(file) = project.file(path).filter(|_| before.mistaken) {
                let diagnostics = project.analysis.mistakes_in(file).iter().map(|diagnostic| places.diagnostic(diagnostic));
                let version = documents.get(path).map(|document| document.version);
                found.insert(path.clone(), Sent { diagnostics: Arc::new(diagnostics.collect()), version, ..Sent::default() });
            } else if project.file(path).is_some() || is_config(path) {
                found.insert(path.clone(), before.clone());
            }
        }
        // Nothing was sent about these so far.
        for path in documents.keys().filter(|path| !self.by_path.contains_key(*path)) {
            if project.file(path).is_some() || is_config(path) {
                found.remove(path);
            }
        }
    }
}

fn uri(path: &str, documents: &Documents) -> Option<lsp::Uri> {
    documents.get(path).map(|document| document.uri.clone()).or_else(|| uri_of(path))
}

fn collect(project: &Project, own: bool, documents: &Documents, (encoding, pages): (Encoding, &Pages), found: &mut BTreeMap<String, Sent>) {
    let places = Places { project, documents, encoding, pages };
    let analysis = &project.analysis;
    for (file, _) in analysis.snapshot().sources().iter().filter(|(file, _)| analysis.snapshot().is_root(*file) == own) {
        let diagnostics = bounded(analysis.diagnostics(file).to_vec());
        let Some(path) = project.path(file).filter(|_| !diagnostics.is_empty()) else { continue };
        let sent = found.entry(path).or_default();
        sent.mistaken |= analysis.snapshot().has_errors();
        if sent.diagnostics.is_empty() {
            sent.diagnostics = Arc::new(diagnostics.iter().map(|diagnostic| places.diagnostic(diagnostic)).collect());
        }
    }
    for config in project.configs.iter().filter(|config| own && !config.diagnostics.is_empty()) {
        found.entry(config.path.clone()).or_default().diagnostics = said_of(config, encoding, pages);
    }
}

/// What is wrong with a configuration file, as the client shows it.
fn said_of(config: &ConfigFindings, encoding: Encoding, pages: &Pages) -> Arc<Vec<lsp::Diagnostic>> {
    let place = |diagnostic: &Diagnostic| range(&config.source, diagnostic.primary.place.span, encoding);
    let placed = config.diagnostics.iter().map(|diagnostic| lsp::Diagnostic { range: place(diagnostic), ..plain(diagnostic, pages) });
    Arc::new(placed.collect())
}
