//! The source map: where the parts of a definition were written.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use weave_diagnostics::{FileId, Place, SourceMap};
use weave_ir::SourceRange;

/// The version of the format of source maps.
const VERSION: &str = "1";

/// Collects the places while a definition is built.
#[derive(Debug, Default)]
pub(super) struct Places {
    paths: Vec<(String, Place)>,
    nodes: Vec<(String, Place)>,
}

impl Places {
    /// The part at this JSON pointer was written here.
    pub(super) fn add(&mut self, pointer: String, place: Place) {
        self.paths.push((pointer, place));
    }

    /// The node of this name was written here.
    pub(super) fn node(&mut self, id: &str, place: Place) {
        self.nodes.push((id.to_owned(), place));
    }

    /// The source map of a definition with this digest, which was declared in the file `home`.
    pub(super) fn finish(self, workflow: &str, digest: String, sources: &SourceMap, home: FileId) -> weave_ir::SourceMap {
        let mut files: BTreeMap<String, FileId> = BTreeMap::new();
        for (_, place) in self.paths.iter().chain(&self.nodes) {
            files.insert(portable(sources.name(place.file), sources.name(home)), place.file);
        }
        let index: FxHashMap<FileId, u32> = files.values().zip(0..).map(|(file, index)| (*file, index)).collect();
        let range = |place: Place| {
            let at = sources
                .get(place.file)
                .map(|file| file.line_column(place.span.start))
                .unwrap_or(weave_diagnostics::LineColumn { line: 0, column: 0 });
            SourceRange {
                source: index.get(&place.file).copied().unwrap_or_default(),
                start: place.span.start,
                end: place.span.end,
                line: at.line + 1,
                column: at.column + 1,
            }
        };
        weave_ir::SourceMap {
            version: VERSION.to_owned(),
            workflow: workflow.to_owned(),
            digest,
            nodes: self.nodes.into_iter().map(|(id, place)| (id, range(place))).collect(),
            paths: self.paths.into_iter().map(|(pointer, place)| (pointer, range(place))).collect(),
            sources: files.into_keys().collect(),
        }
    }
}

/// The name of a file without the folders of one machine: a name that starts at the root of a disk is said from the folder of the
/// workflow's own file.
fn portable(name: &str, home: &str) -> String {
    if !crate::paths::is_absolute(name) {
        return name.to_owned();
    }
    crate::paths::relative(name, crate::paths::folder(home))
}
