//! Programs as versions that are compared: where the parts of their definitions stand among the texts of both.

use std::collections::BTreeMap;
use std::path::Path;

use weave_diagnostics::{FileId, SourceMap};
use weave_diff::SourcePlaces;

use crate::{Compiled, Snapshot};

/// Where the parts of the definitions of a program were written, if its files stand behind `base` others.
#[must_use]
pub fn places(snapshot: &Snapshot, compiled: &[Compiled], base: u32) -> SourcePlaces {
    let mut places = SourcePlaces::default();
    for one in compiled {
        let known = names(snapshot.sources(), snapshot.sources().name(one.file));
        let id = |name: &String| known.get(name).map(|id| FileId(id.0 + base));
        let files: Vec<Option<FileId>> = one.source_map.sources.iter().map(id).collect();
        places.add(&one.source_map, &files);
    }
    places
}

/// The files by the names that they have in the source map of a workflow that the file `home` declares; without the prelude, which nobody wrote.
fn names(sources: &SourceMap, home: &str) -> BTreeMap<String, FileId> {
    let mut names = BTreeMap::new();
    for (id, file) in sources.iter().filter(|(id, _)| id.0 > 0) {
        names.insert(file.name().to_owned(), id);
        if Path::new(file.name()).is_absolute() {
            names.insert(crate::paths::relative(file.name(), crate::paths::folder(home)), id);
        }
    }
    names
}
