//! From JSON to a baseline.

use serde::Deserialize;
use weave_diagnostics::{Diagnostic, FileId, Place, Span};

use super::{Baseline, Entry, VERSION, codes};

/// What is read before anything else: another version may have other keys.
#[derive(Deserialize)]
#[serde(expecting = "an object with `version` and `findings`")]
struct Head {
    version: u64,
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `version` and `findings`")]
struct Document {
    #[serde(rename = "version")]
    _version: u64,
    findings: Vec<Entry>,
}

pub(super) fn read(text: &str, file: FileId) -> Result<Baseline, Box<Diagnostic>> {
    let head: Head = serde_json::from_str(text).map_err(|error| broken(text, file, &error))?;
    if head.version != VERSION {
        let place = Place::new(file, version(text));
        let diagnostic = Diagnostic::new(&codes::VERSION, place, format!("baseline version {} is unknown", head.version))
            .label(format!("this version of weave supports version {VERSION}"))
            .help("remove the file, and write it again with `weave lint --write-baseline`");
        return Err(Box::new(diagnostic));
    }
    let document: Document = serde_json::from_str(text).map_err(|error| broken(text, file, &error))?;
    Ok(Baseline::of(document.findings.into_iter().filter(|entry| entry.count > 0)))
}

fn broken(text: &str, file: FileId, error: &serde_json::Error) -> Box<Diagnostic> {
    // The location is shown. The message of the parser is not repeated: it quotes the file, which may be any file and contain a secret.
    let said = match error.classify() {
        serde_json::error::Category::Data => "its JSON has another form",
        serde_json::error::Category::Eof => "the text ends too early",
        _ => "the text is not JSON",
    };
    let diagnostic = Diagnostic::new(&codes::SYNTAX, Place::new(file, place(text, error)), format!("this is not a baseline: {said}"))
        .label("cannot be read")
        .help("fix it; or remove it, and write it again with `weave lint --write-baseline`");
    Box::new(diagnostic)
}

/// The word at which the reader stopped.
fn place(text: &str, error: &serde_json::Error) -> Span {
    let start_of_line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut end = (start_of_line + error.column()).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let before = text.get(start_of_line..end).unwrap_or_default();
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
    let word = before.len() - before.trim_end_matches(is_word).len();
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    let behind = text.get(end..).unwrap_or_default();
    let rest = if word > 0 { behind.len() - behind.trim_start_matches(is_word).len() } else { 0 };
    Span::new((end - word.max(last)) as u32, (end + rest) as u32)
}

/// The number behind the first `"version"`, which is that of the file: the key comes first in what is written.
fn version(text: &str) -> Span {
    const KEY: &str = "\"version\"";
    let behind = text.find(KEY).map_or(0, |at| at + KEY.len());
    let rest = text.get(behind..).unwrap_or_default();
    let start = behind + (rest.len() - rest.trim_start_matches(|character: char| character.is_whitespace() || character == ':').len());
    let digits = text.get(start..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
    Span::new(start as u32, (start + digits) as u32)
}
