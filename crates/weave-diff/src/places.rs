//! Where the parts of a definition were written.

use std::collections::BTreeMap;

use weave_diagnostics::{FileId, Place, Span};
use weave_ir::SourceMap;

use crate::Spot;

/// Knows where the parts of definitions were written.
pub trait Places {
    /// The place of exactly this part, if it was written somewhere.
    fn exact(&self, workflow: &str, pointer: &str) -> Option<Place>;

    /// The place of this part, or of the nearest part around it. The workflow's name stands for all of the workflow.
    fn nearest(&self, spot: &Spot) -> Option<Place> {
        let mut pointer = spot.pointer.as_str();
        loop {
            if let Some(place) = self.exact(&spot.workflow, pointer) {
                return Some(place);
            }
            match pointer.rsplit_once('/') {
                Some((around, _)) => pointer = around,
                None => return self.exact(&spot.workflow, "/workflow"),
            }
        }
    }
}

/// Places of definitions that were compiled from source texts.
#[derive(Clone, Debug, Default)]
pub struct SourcePlaces {
    workflows: BTreeMap<String, BTreeMap<String, Place>>,
}

impl SourcePlaces {
    /// Takes in the source map of a workflow; `files` are the files that it names, in their order. Files without an id are left out.
    pub fn add(&mut self, map: &SourceMap, files: &[Option<FileId>]) {
        let known = self.workflows.entry(map.workflow.clone()).or_default();
        for (pointer, range) in &map.paths {
            if let Some(Some(file)) = files.get(range.source as usize) {
                known.insert(pointer.clone(), Place::new(*file, Span::new(range.start, range.end)));
            }
        }
    }
}

impl Places for SourcePlaces {
    fn exact(&self, workflow: &str, pointer: &str) -> Option<Place> {
        self.workflows.get(workflow)?.get(pointer).copied()
    }
}
