//! The texts that the client edits.

use std::collections::BTreeMap;
use std::str::FromStr;

use tower_lsp::ls_types::{Position, TextDocumentContentChangeEvent, Uri};
use weave_diagnostics::{Buffer, LineColumn, Span};

use crate::convert::Encoding;
use crate::features::semantic::Told;

/// A text that the client edits.
#[derive(Debug)]
pub(crate) struct Document {
    /// What the client calls it.
    pub(crate) uri: Uri,
    /// Which state of it this is.
    pub(crate) version: i32,
    buffer: Buffer,
    /// Whether the workspace knows another text of it: not all states are looked at, so it gets them when somebody looks.
    pub(crate) is_ahead: bool,
    /// Its tokens as the client knows them.
    pub(crate) tokens: Told,
}

/// The documents, by their paths.
pub(crate) type Documents = BTreeMap<String, Document>;

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String) -> Self {
        Self { uri, version, buffer: Buffer::new(text), is_ahead: true, tokens: Told::default() }
    }

    /// Applies changes in their order; each counts in the text that the ones before have left.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change.range {
                None => self.buffer = Buffer::new(change.text),
                Some(range) => {
                    let part = Span::new(offset(&self.buffer, range.start, encoding), offset(&self.buffer, range.end, encoding));
                    self.buffer.replace(part, &change.text);
                }
            }
        }
        self.version = version;
        self.is_ahead = true;
    }

    pub(crate) fn text(&self) -> &str {
        self.buffer.text()
    }
}

fn offset(buffer: &Buffer, position: Position, encoding: Encoding) -> u32 {
    let at = LineColumn { line: position.line, column: position.character };
    match encoding {
        Encoding::Utf8 => buffer.offset(at),
        Encoding::Utf16 => buffer.offset_utf16(at),
    }
}

/// The path of a document: absolute, `/`-separated. One that lies on no disk is its own name.
pub(crate) fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_owned() };
    // A host before the path is only kept where it is a machine of its own.
    let path = match rest.find('/') {
        Some(0) => decoded(rest),
        Some(slash) => {
            let (host, path) = rest.split_at(slash);
            if host == "localhost" { decoded(path) } else { format!("//{}{}", decoded(host), decoded(path)) }
        }
        None => decoded(rest),
    };
    let path = path.replace('\\', "/");
    // `/c:/x`, `/C%3A/x` and `C:/x` are one file.
    let bytes = path.as_bytes();
    match (bytes.first(), bytes.get(1), bytes.get(2)) {
        (Some(b'/'), Some(drive), Some(b':')) if drive.is_ascii_alphabetic() => {
            let rest = path.get(2..).unwrap_or_default();
            format!("{}{rest}", drive.to_ascii_uppercase() as char)
        }
        _ => path,
    }
}

/// The URI of a path.
pub(crate) fn uri_of(path: &str) -> Option<Uri> {
    if !path.starts_with('/') && path.contains(':') && path.as_bytes().get(1) != Some(&b':') {
        return Uri::from_str(path).ok();
    }
    let mut uri = String::from("file://");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_same_however_its_uri_is_written() {
        for (uri, path) in [
            ("file:///home/me/a%20b.weave", "/home/me/a b.weave"),
            ("file:///c%3A/x/a.weave", "C:/x/a.weave"),
            ("file:///C:/x/a.weave", "C:/x/a.weave"),
            ("file://localhost/x.weave", "/x.weave"),
            ("file:///%C3%A4.weave", "/\u{e4}.weave"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
            ("file:///100%.weave", "/100%.weave"),
        ] {
            assert_eq!(path_of(uri), path);
        }
        for path in ["/home/me/a b.weave", "C:/x/a.weave", "/\u{e4}#?.weave", "untitled:Untitled-1"] {
            assert_eq!(path_of(uri_of(path).unwrap().as_str()), path);
        }
    }
}
