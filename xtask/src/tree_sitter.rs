//! The parser that tree-sitter makes of `grammar/tree-sitter-weave/grammar.js`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tree_sitter_generate::{ABI_VERSION_MAX, OptLevel, generate_parser_in_directory};

/// Where the grammar lies.
const FOLDER: &str = "grammar/tree-sitter-weave";

/// What is generated below its `src/`; the scanner there is written by hand.
const FILES: [&str; 6] =
    ["grammar.json", "node-types.json", "parser.c", "tree_sitter/alloc.h", "tree_sitter/array.h", "tree_sitter/parser.h"];

/// The files of the parser by their paths from the root.
pub(crate) fn generate(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    // Only Node can read the grammar. Without it, the parser is made of what was read last.
    let source = if has_node() { "grammar.js" } else { "src/grammar.json" };
    let grammar = Path::new(FOLDER).join(source);
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", grammar.display());
    // The library only writes into folders.
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let mut remarks = Vec::new();
    generate_parser_in_directory(
        root.join(FOLDER),
        Some(folder.path()),
        Some(root.join(&grammar)),
        ABI_VERSION_MAX,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut remarks,
    )
    .map_err(|error| failed(&error))?;
    if let Some(remark) = remarks.first() {
        return Err(failed(remark));
    }
    let read = |name: &str| {
        let made = folder.path().join(name);
        let path = if made.exists() { made } else { root.join(FOLDER).join("src").join(name) };
        let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
        Ok((Path::new(FOLDER).join("src").join(name), text))
    };
    FILES.into_iter().map(read).collect()
}

fn has_node() -> bool {
    let mut node = Command::new("node");
    node.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    node.status().is_ok_and(|status| status.success())
}
