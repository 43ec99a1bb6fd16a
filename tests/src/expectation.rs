//! Files with what is expected, and their rewriting.

use std::path::Path;

use similar::TextDiff;

/// Whether expectations are rewritten instead of compared: `BLESS=1 cargo test`.
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Compares a file with what was found; nothing found means that the file must not be there.
///
/// # Errors
///
/// With a diff, when they differ.
pub fn compare(path: &Path, found: Option<&str>) -> Result<(), String> {
    let expected = std::fs::read_to_string(path).ok();
    if expected.as_deref() == found {
        return Ok(());
    }
    if blessing() {
        let written = match found {
            Some(found) => std::fs::write(path, found),
            None => std::fs::remove_file(path),
        };
        return written.map_err(|error| format!("{}: {error}", path.display()));
    }
    let complaint = match (&expected, found) {
        (None, _) => "is missing",
        (_, None) => "is there, but nothing like it is produced any more",
        _ => "is not what is produced now",
    };
    let diff = TextDiff::from_lines(expected.as_deref().unwrap_or_default(), found.unwrap_or_default());
    let diff = diff.unified_diff().header("expected", "found").to_string();
    Err(format!("{} {complaint} (BLESS=1 rewrites it)\n{diff}", path.display()))
}

/// Fails with all complaints of a run over many cases.
///
/// # Panics
///
/// When there is one.
pub fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} of them are wrong:\n\n{}", complaints.len(), complaints.join("\n\n"));
}
