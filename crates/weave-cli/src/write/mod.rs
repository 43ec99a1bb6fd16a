//! Writing files: as a whole or not at all, and never over what a user would miss.
//!
//! A text goes to a temporary file beside its place, reaches the disk, and then takes the name. So a reader, and what a killed run leaves,
//! has the old text or the new one. Sources are replaced only if they still have the text that was read ([`replace`]); reports and
//! pictures go where `-o` says ([`Output`]); commands that fill a folder do so by its list ([`Folder`]).

mod attributes;
mod folder;
mod output;
mod temporary;

use std::fmt;
use std::io;
use std::path::Path;

use similar::TextDiff;

pub(crate) use folder::{Folder, cannot_read, refuse_link};
pub(crate) use output::Output;
pub(crate) use temporary::remove_abandoned_beside;

use crate::failure::{Failure, reason};
use crate::input::display;
use crate::read::{ReadError, read_file};
use attributes::Loss;

/// What would change in a file, as `patch` reads it.
pub(crate) fn difference(name: &str, before: &str, after: &str) -> String {
    let name = if name.starts_with('<') { "stdin" } else { name };
    let header = |side: &str| quoted(&format!("{side}/{name}"));
    TextDiff::from_lines(before, after).unified_diff().context_radius(3).header(&header("a"), &header("b")).to_string()
}

/// A name in the header of a difference. One that could be read as anything else is written as Git does, in quotes with escapes.
fn quoted(name: &str) -> String {
    let is_plain = |character: char| !matches!(character, '"' | '\\') && weave_diagnostics::is_visible(character);
    if name.chars().all(is_plain) {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            _ if is_plain(character) => text.push(character),
            _ => character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| text.push_str(&format!("\\{byte:03o}"))),
        }
    }
    text.push('"');
    text
}

/// Why a source file was not replaced.
#[derive(Debug)]
pub(crate) enum NotReplaced {
    /// Its text is no longer the one that was read.
    Changed,
    /// Something that belongs to the file would be lost.
    Loss(Loss),
    /// The system says why.
    System(io::Error),
}

impl From<io::Error> for NotReplaced {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<Loss> for NotReplaced {
    fn from(loss: Loss) -> Self {
        match loss {
            Loss::System(error) => Self::System(error),
            loss => Self::Loss(loss),
        }
    }
}

impl fmt::Display for NotReplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("another program changed it at the same time"),
            Self::Loss(loss) => loss.fmt(f),
            Self::System(error) => f.write_str(&reason(error)),
        }
    }
}

impl NotReplaced {
    /// The failure for a file.
    pub(crate) fn failure(&self, path: &Path) -> Failure {
        let failure = Failure::new(format!("cannot write `{}`: {self}", display(path)));
        match self {
            Self::Changed => failure.help("run the command again"),
            Self::Loss(loss) => failure.help(loss.help()),
            Self::System(_) => failure,
        }
    }
}

/// Replaces the text `before` of a source file by `after`. A link still leads to the file, which keeps its mode, owner and extended attributes.
///
/// If the file already has the new text, because the same command runs twice at once, there is nothing to do.
///
/// # Errors
///
/// If the file has another text by now, or if it cannot be replaced without a loss.
pub(crate) fn replace(path: &Path, before: &str, after: &str) -> Result<(), NotReplaced> {
    let place = std::fs::canonicalize(path)?;
    let metadata = std::fs::metadata(&place)?;
    if metadata.permissions().readonly() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
    }
    temporary::put(&place, after, |file| {
        attributes::carry_over(&place, &metadata, file).map_err(NotReplaced::from)?;
        // The comparison comes last: whatever another program saves until now is worth more than what a command makes of the old text.
        match read_file(&place) {
            Ok(now) if *now == *after => Ok(temporary::Go::Stop),
            Ok(now) if *now == *before => Ok(temporary::Go::On),
            Ok(_) | Err(ReadError::NotFound) => Err(NotReplaced::Changed),
            Err(ReadError::System(error)) => Err(error.into()),
            Err(_) => Err(NotReplaced::Changed),
        }
    })
}

/// Writes a file of our own, such as a cached page, and the folder that it is in.
pub(crate) fn put(path: &Path, text: &str) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    temporary::put(path, text, |_| Ok::<_, io::Error>(temporary::Go::On))
}

/// Writes a file as a whole if there is none, and makes the folders that it is in. The answer is whether it did.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<bool> {
    // A link that leads nowhere is something, too.
    if path.symlink_metadata().is_ok() {
        return Ok(false);
    }
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    temporary::create(path, text)
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_in_headers_cannot_be_mistaken() {
        assert_eq!(quoted("a/flows/müsli.weave"), "a/flows/müsli.weave");
        assert_eq!(quoted("a/x\n+++ b/etc.weave"), "\"a/x\\n+++ b/etc.weave\"");
        assert_eq!(quoted("a/\u{1b}[31m\u{202e}"), "\"a/\\033[31m\\342\\200\\256\"");
    }
}
