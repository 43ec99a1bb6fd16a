//! The install scripts, which download an archive, verify its checksum and unpack the binary.

use std::path::{Path, PathBuf};

use minijinja::Value;

use super::template::render;
use super::write as write_file;

/// Writes `install.sh` and `install.ps1` into a folder.
pub(super) fn write(folder: &Path) -> Result<Vec<PathBuf>, String> {
    ["install.sh", "install.ps1"]
        .into_iter()
        .map(|name| {
            let path = folder.join(name);
            write_file(&path, render(name, Value::UNDEFINED)?)?;
            Ok(path)
        })
        .collect()
}
