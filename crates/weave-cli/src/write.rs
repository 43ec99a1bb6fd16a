//! Replacing files, and showing what would be replaced.

use std::io::{self, Write as _};
use std::path::Path;

use similar::TextDiff;

/// What would change in a file, as `patch` reads it.
pub(crate) fn difference(name: &str, before: &str, after: &str) -> String {
    let name = if name.starts_with('<') { "stdin" } else { name };
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(3).header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}

/// Replaces a file as a whole; nobody ever sees half of it. Its permissions stay, and a link still leads to it.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let place = std::fs::canonicalize(path)?;
    let permissions = std::fs::metadata(&place)?.permissions();
    let folder = place.parent().unwrap_or(Path::new("."));
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut file = tempfile::Builder::new().prefix(".weave-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(permissions)?;
    file.persist(&place).map_err(|error| error.error)?;
    Ok(())
}
