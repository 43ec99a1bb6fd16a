//! The picture of a workflow in the README.

use std::fs;
use std::path::{Path, PathBuf};

use weave_compiler::Example;
use weave_graph::{Graph, Source};

/// The program that is drawn, and the file that it imports.
const PROGRAM: &str = "examples/support.weave";
const IMPORTED: &str = "examples/shop.weave";

/// The graph of the program as SVG, by its path from the root.
///
/// # Errors
///
/// Fails if an example cannot be read, or does not compile to exactly one workflow.
pub(crate) fn generate(root: &Path) -> Result<(PathBuf, String), String> {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let text = format!("{}\n// file: shop.weave\n{}", read(PROGRAM)?, read(IMPORTED)?);
    let snapshot = Example::new(&text).check();
    match snapshot.compile() {
        Ok(compiled) => match compiled.as_slice() {
            [only] => {
                let text = snapshot.sources().get(only.file).map_or("", |file| file.text());
                let graph = Graph::written(&only.definition, Source { map: &only.source_map, text });
                Ok((PathBuf::from("docs/images/support.svg"), graph.svg()))
            }
            several => Err(format!("{PROGRAM} has {} workflows; the README shows one", several.len())),
        },
        Err(errors) => Err(format!("{PROGRAM} does not compile: {}", errors.first().map_or("", |error| &error.message))),
    }
}
