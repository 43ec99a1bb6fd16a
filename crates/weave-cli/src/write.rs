//! Replacing files, and showing what would be replaced.

use std::io::{self, Write as _};
use std::path::Path;

use similar::TextDiff;
use tempfile::NamedTempFile;

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

/// Replaces a file as a whole, or makes it, and the folder that it lies in.
pub(crate) fn create_or_replace(path: &Path, text: &str) -> io::Result<()> {
    if path.exists() {
        return replace(path, text);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    write_beside(path, text)
}

/// Writes a file that nobody ever sees half of: a temporary one beside it takes its place.
pub(crate) fn write_beside(path: &Path, text: &str) -> io::Result<()> {
    temporary(path, text)?.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A file with this text beside the one that it is to become.
fn temporary(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".weave-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Temporary files are for one user by default; these are to be read by whoever may read the folder.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Writes a file as a whole if there is none, and makes the folders that it lies in. The answer is whether it did.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<bool> {
    // A link that leads nowhere is something, too.
    if path.symlink_metadata().is_ok() {
        return Ok(false);
    }
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    match temporary(path, text)?.persist_noclobber(path) {
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
        Ok(_) => Ok(true),
    }
}
