//! Reading texts, with a limit.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use weave_compiler::{LoadError, Loader};
use weave_diagnostics::bounds::TEXT;
use weave_diagnostics::counted;

use crate::failure::reason;

/// Longer texts are refused: nobody writes them, and places in a text are 32-bit numbers.
pub(crate) const LIMIT: u64 = TEXT.most as u64;

/// Why there is no text.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// There is no such file.
    NotFound,
    /// It is a folder.
    Folder,
    /// It is a device, a pipe or a socket.
    NotRegular,
    /// It is longer than the limit; the length is known unless it came through a pipe.
    TooLarge(Option<u64>),
    /// It is no UTF-8: the first byte that does not fit, its offset, and its line from 1.
    NotText { byte: u8, offset: usize, line: usize, utf16: bool },
    /// The system says why.
    System(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::IsADirectory => Self::Folder,
            _ => Self::System(error),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = LIMIT >> 20;
        match self {
            Self::NotFound => f.write_str("no such file or folder"),
            Self::Folder => f.write_str("it is a folder"),
            Self::NotRegular => f.write_str("it is not a regular file"),
            Self::TooLarge(None) => write!(f, "it is larger than the limit of {limit} MiB"),
            Self::TooLarge(Some(length)) => {
                write!(
                    f,
                    "it is larger than the limit of {limit} MiB: it has {}",
                    counted(usize::try_from(*length).unwrap_or(usize::MAX), "byte")
                )
            }
            Self::NotText { utf16: true, .. } => f.write_str("it is not UTF-8 text; it looks like UTF-16"),
            Self::NotText { byte, offset, line, .. } => {
                write!(f, "it is not UTF-8 text: byte 0x{byte:02X} at offset {offset}, on line {line}")
            }
            Self::System(error) => f.write_str(&reason(error)),
        }
    }
}

impl ReadError {
    /// What to do about it, where that is clear.
    pub(crate) const fn help(&self) -> Option<&'static str> {
        match self {
            Self::TooLarge(_) => Some("split it into several files that import from each other"),
            Self::NotText { .. } => Some("save it as UTF-8 in your editor"),
            _ => None,
        }
    }
}

/// The text of a file that something else than the command line names: another file, a folder, or an editor.
///
/// It must be a regular file. A link to a device or a pipe would take memory without end, wait forever, or read what is meant for this process.
pub(crate) fn read_file(path: &Path) -> Result<Arc<str>, ReadError> {
    text(read_bytes(path)?)
}

/// The bytes of such a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let is_regular = |metadata: &Metadata| match () {
        () if metadata.is_dir() => Err(ReadError::Folder),
        () if metadata.is_file() => Ok(()),
        () => Err(ReadError::NotRegular),
    };
    is_regular(&std::fs::metadata(path)?)?;
    let file = open(path)?;
    // The path may lead elsewhere by now.
    let metadata = file.metadata()?;
    is_regular(&metadata)?;
    if metadata.len() > LIMIT {
        return Err(ReadError::TooLarge(Some(metadata.len())));
    }
    bytes(file, metadata.len())
}

/// The text of a file that the command line names, which may be a pipe.
pub(crate) fn read_named(path: &Path) -> Result<Arc<str>, ReadError> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() || metadata.is_file() {
        return read_file(path);
    }
    read(File::open(path)?, 0)
}

/// Opens a file without waiting for the other end, should it be a pipe.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

/// The text on standard input.
pub(crate) fn read_standard_input() -> Result<Arc<str>, ReadError> {
    read(io::stdin().lock(), 0)
}

/// The text of a source, of which `expected` bytes are expected.
///
/// The limit is kept here too: a pipe has no length, and a file may grow while it is read.
fn read(source: impl Read, expected: u64) -> Result<Arc<str>, ReadError> {
    text(bytes(source, expected)?)
}

fn bytes(source: impl Read, expected: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default() + 1);
    source.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        return Err(ReadError::TooLarge(None));
    }
    Ok(bytes)
}

/// The text that some bytes are.
pub(crate) fn text(bytes: Vec<u8>) -> Result<Arc<str>, ReadError> {
    if bytes.len() as u64 > LIMIT {
        return Err(ReadError::TooLarge(Some(bytes.len() as u64)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => Err(not_text(error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

fn not_text(bytes: &[u8], offset: usize) -> ReadError {
    let before = bytes.get(..offset).unwrap_or_default();
    ReadError::NotText {
        byte: bytes.get(offset).copied().unwrap_or_default(),
        offset,
        line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
        utf16: bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]),
    }
}

/// Reads the files that are imported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        read_file(Path::new(path)).map_err(|error| match error {
            ReadError::NotFound => LoadError::NotFound,
            other => LoadError::Other(other.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_without_length_is_limited_too() {
        let error = read(io::repeat(b'x'), 0).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than the limit of 64 MiB");
        assert!(read(io::repeat(b'x').take(LIMIT), 0).is_ok_and(|text| text.len() as u64 == LIMIT));
    }

    #[test]
    fn the_first_byte_that_does_not_fit_is_named() {
        let error = read(&b"one\ntwo \xff\n"[..], 0).unwrap_err();
        assert_eq!(error.to_string(), "it is not UTF-8 text: byte 0xFF at offset 8, on line 2");
        let cut = read(&b"\xe2\x82"[..], 0).unwrap_err();
        assert_eq!(cut.to_string(), "it is not UTF-8 text: byte 0xE2 at offset 0, on line 1");
        let wide = read(&b"\xff\xfet\0y\0"[..], 0).unwrap_err();
        assert_eq!(wide.to_string(), "it is not UTF-8 text; it looks like UTF-16");
    }

    #[test]
    fn a_byte_order_mark_and_line_ends_are_left_to_the_lexer() {
        assert_eq!(&*read(&b"\xef\xbb\xbfa\r\n\0"[..], 0).unwrap(), "\u{feff}a\r\n\0");
    }
}
