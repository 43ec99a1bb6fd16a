//! The features, each as the protocol says it.

pub(crate) mod actions;
pub(crate) mod compiled;
pub(crate) mod completion;
pub(crate) mod diagnostics;
pub(crate) mod edits;
pub(crate) mod hierarchy;
pub(crate) mod hints;
pub(crate) mod lenses;
pub(crate) mod navigation;
pub(crate) mod rename;
pub(crate) mod semantic;
pub(crate) mod settings;
pub(crate) mod structure;
pub(crate) mod symbols;

use std::sync::Arc;

use tower_lsp::ls_types::{Position, TextDocumentPositionParams, Uri};
use weave_diagnostics::{FileId, SourceFile};
use weave_ide::Project;

use crate::convert::{Places, offset};
use crate::documents::path_of;
use crate::owner::State;

/// A document as it is now, in its project.
pub(crate) struct Open {
    pub(crate) project: Arc<Project>,
    pub(crate) file: FileId,
    pub(crate) source: Arc<SourceFile>,
}

impl State {
    /// The document that a request is about; nothing if it is none of the language.
    pub(crate) fn open(&mut self, uri: &Uri) -> Option<Open> {
        let path = path_of(uri.as_str());
        // Settings, and what else is no program whatever it is called.
        if path.ends_with(".toml") {
            return None;
        }
        let project = self.workspace.project_of(&path);
        let file = project.file(&path)?;
        let source = Arc::clone(project.analysis.source(file)?);
        Some(Open { project, file, source })
    }

    /// The document and the place in it that a request is about.
    pub(crate) fn open_at(&mut self, at: &TextDocumentPositionParams) -> Option<(Open, u32)> {
        let open = self.open(&at.text_document.uri)?;
        let offset = self.offset(&open, at.position);
        Some((open, offset))
    }

    pub(crate) fn offset(&self, open: &Open, position: Position) -> u32 {
        offset(&open.source, position, self.encoding)
    }

    /// What says where things of a project stand.
    pub(crate) fn places<'a>(&'a self, project: &'a Project) -> Places<'a> {
        Places { project, documents: &self.documents, encoding: self.encoding, pages: &self.pages }
    }
}
