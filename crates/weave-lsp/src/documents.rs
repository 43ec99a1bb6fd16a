//! The texts that the client edits.

use std::collections::BTreeMap;
use std::str::FromStr;

use tower_lsp::ls_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use weave_compiler::normalize_path;
use weave_diagnostics::{Buffer, LineColumn, Span};

use crate::convert::Encoding;
use crate::features::semantic::Told;
use crate::window::Window;

/// So many changes at once are applied to the whole text, each by itself.
const FEW: usize = 3;

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
        let are_many = changes.len() > FEW;
        let mut window: Option<Window> = None;
        for change in changes {
            let Some(range) = change.range else {
                window = None;
                self.buffer = Buffer::new(change.text);
                continue;
            };
            if window.as_ref().is_some_and(|window| window.within(range).is_none())
                && let Some(window) = window.take()
            {
                window.close(&mut self.buffer);
            }
            if window.is_none() && are_many {
                window = Window::around(&self.buffer, range);
            }
            match window.as_mut().and_then(|window| Some((window.within(range)?, window.lines()))) {
                Some((range, lines)) => replace(lines, range, &change.text, encoding),
                None => replace(&mut self.buffer, range, &change.text, encoding),
            }
        }
        if let Some(window) = window {
            window.close(&mut self.buffer);
        }
        self.version = version;
        self.is_ahead = true;
    }

    pub(crate) fn text(&self) -> &str {
        self.buffer.text()
    }
}

/// Replaces a range of a text.
fn replace(buffer: &mut Buffer, range: Range, text: &str, encoding: Encoding) {
    let part = Span::new(offset(buffer, range.start, encoding), offset(buffer, range.end, encoding));
    buffer.replace(part, text);
}

fn offset(buffer: &Buffer, position: Position, encoding: Encoding) -> u32 {
    let at = LineColumn { line: position.line, column: position.character };
    match encoding {
        Encoding::Utf8 => buffer.offset(at),
        Encoding::Utf16 => buffer.offset_utf16(at),
    }
}

/// How the URI of a file begins.
const FILE: &str = "file://";

/// The path of a document: absolute, `/`-separated, without detours. One that lies on no disk is its own name.
pub(crate) fn path_of(uri: &str) -> String {
    // The scheme of a URI is the same in any case.
    let scheme = uri.get(..FILE.len()).filter(|scheme| scheme.eq_ignore_ascii_case(FILE));
    let Some(rest) = scheme.and_then(|_| uri.get(FILE.len()..)) else { return normalize_path(uri) };
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
            format!("{}{}", drive.to_ascii_uppercase() as char, normalize_path(rest))
        }
        _ => normalize_path(&path),
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn changes_that_come_at_once_leave_what_they_leave_one_by_one(
            text in "([ab\u{e4}\u{1f600}]{0,3}(\r\n|\n|\r)){0,120}[a\u{1f600}]{0,2}",
            changes in proptest::collection::vec(
                (proptest::option::weighted(0.95, (0_u32..130, 0_u32..6, 0_u32..4, 0_u32..6)), "[c\r\n\u{1f600}]{0,4}"),
                FEW..30,
            ),
            near in 0_u32..110,
            is_utf8 in any::<bool>(),
        ) {
            let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let changes: Vec<_> = changes
                .into_iter()
                .map(|(place, text)| {
                    let range = place.map(|(line, column, lines, to)| {
                        // Most of them are near to each other, as those of somebody who types are.
                        let line = if line % 4 == 0 { line } else { near + line % 30 };
                        Range { start: Position { line, character: column }, end: Position { line: line + lines / 2, character: to } }
                    });
                    TextDocumentContentChangeEvent { range, range_length: None, text }
                })
                .collect();
            let uri = uri_of("/a.weave").unwrap();
            let (mut at_once, mut one_by_one) = (Document::new(uri.clone(), 1, text.clone()), Document::new(uri, 1, text));
            at_once.change(2, changes.clone(), encoding);
            for change in changes {
                one_by_one.change(2, vec![change], encoding);
            }
            prop_assert_eq!(at_once.text(), one_by_one.text());
        }
    }

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
            ("file:///p/./q//../a.weave", "/p/a.weave"),
            ("file:///../../a.weave", "/a.weave"),
            ("file:///p/", "/p"),
            ("file:///", "/"),
            ("file:///c:/x/../a.weave", "C:/a.weave"),
            ("FILE://Host/x/./a.weave", "//Host/x/a.weave"),
        ] {
            assert_eq!(path_of(uri), path);
        }
        for path in ["/home/me/a b.weave", "C:/x/a.weave", "/\u{e4}#?.weave", "untitled:Untitled-1"] {
            assert_eq!(path_of(uri_of(path).unwrap().as_str()), path);
        }
    }
}
