//! What a finding is known by, wherever its code moves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use weave_analysis::model::Unit;
use weave_diagnostics::{Diagnostic, Place, Span};
use weave_syntax::ast::ItemKind;
use weave_syntax::{File, TokenKind};

/// So many tokens of a place tell it from others; more would make the findings about huge declarations expensive.
const MOST_TOKENS: usize = 256;

/// The item of all imports.
const IMPORT: &str = "import";

/// So many bytes of the digest are written: enough that two findings never share one by accident.
const BYTES: usize = 16;

/// What a finding is known by: its rule, the declaration that it is in, and what stands at its place.
///
/// Neither the file nor the line is part of it, so it survives that code is moved, reordered or formatted. Two findings may well have the same
/// identity; they are then told apart by their number (see [`fingerprints`]) or counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The id of the rule, or of the diagnostic.
    pub rule: &'static str,
    /// The name of the declaration, the topic of an event, the word `import` for any import; empty between declarations. The path of an import is no part of it:
    /// it changes when a file moves.
    pub item: String,
    /// The tokens of the place with one space between them, without comments, commas and the paths of imports; of an empty place those of its line, of a comment its
    /// words. Where the text is none of the language (`weave.toml`), it is the message.
    pub text: String,
}

impl Identity {
    /// What this finding is known by. `units` are the files of the program, by their [`FileId`](weave_diagnostics::FileId).
    #[must_use]
    pub fn new(finding: &Diagnostic, units: &[Unit]) -> Self {
        let place = finding.primary.place;
        let rule = finding.code.id;
        match units.get(place.file.0 as usize) {
            Some(unit) => {
                let item = item(&unit.syntax, place.span.start);
                let text = text(&unit.syntax, place, item == IMPORT);
                Self { rule, item, text }
            }
            None => Self { rule, item: String::new(), text: first_wording(&finding.message) },
        }
    }

    /// A digest of all three in 32 hexadecimal digits, the same on every machine and for every version of the program.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let digest = Sha256::digest(format!("{}\0{}\0{}", self.rule, self.item, self.text));
        digest.iter().take(BYTES).fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// Messages that were reworded after baselines began to contain their fingerprints: the text now, and the first one.
const REWORDED: &[(&str, &str)] = &[
    ("this pattern is not valid: ", "this pattern cannot be read: "),
    ("error of the language; errors have no level", "error of the language, which has no level"),
    ("the package of the folder, such as `app.gen`, in quotes", "the package that the folder is, such as `app.gen`, in quotes"),
    ("the import path of the folder, such as", "the path under which the folder is imported, such as"),
    ("lines of text without control characters, in quotes", "lines of text without control characters in quotes"),
    ("a quoted file path", "the path of a file in quotes"),
    ("a quoted folder path", "the path of a folder in quotes"),
    ("a quoted pattern", "a pattern in quotes"),
    ("a quoted string", "a text in quotes"),
    ("an empty string", "an empty text"),
    ("found a string", "found a text"),
    ("a date, such as ", "a day, as "),
];

/// The text that a message had in the first version of fingerprints, so that a baseline still contains the finding after its message was reworded.
fn first_wording(message: &str) -> String {
    let mut text = message.to_owned();
    for (now, first) in REWORDED {
        if text.contains(now) {
            text = text.replace(now, first);
        }
    }
    match text.strip_suffix(" is not a level") {
        Some(level) => format!("there is no level {level}"),
        None => text,
    }
}

/// The fingerprint of each finding, in their order, with a number that tells those of one identity apart: `…:1`, `…:2`.
#[must_use]
pub fn fingerprints(findings: &[Diagnostic], units: &[Unit]) -> Vec<String> {
    let mut seen: BTreeMap<Identity, u32> = BTreeMap::new();
    let numbered = findings.iter().map(|finding| {
        let identity = Identity::new(finding, units);
        let fingerprint = identity.fingerprint();
        let number = seen.entry(identity).or_default();
        *number += 1;
        format!("{fingerprint}:{number}")
    });
    numbered.collect()
}

/// The name of the item around an offset.
fn item(file: &File, offset: u32) -> String {
    let behind = file.items.partition_point(|slot| slot.start <= offset);
    let slot = behind.checked_sub(1).and_then(|index| file.items.get(index)).filter(|slot| offset <= slot.end);
    let Some(slot) = slot else { return String::new() };
    let item = file.item_text(slot);
    match &slot.parsed.item.kind {
        ItemKind::Import(_) => IMPORT.to_owned(),
        ItemKind::Event(event) => event.topic.text(item).to_owned(),
        kind => kind.name().map_or_else(String::new, |name| name.text(item).to_owned()),
    }
}

/// The tokens of a place; in an import, those that are not its path.
fn text(file: &File, place: Place, is_import: bool) -> String {
    let span = if place.span.is_empty() { line(&file.text, place.span.start) } else { place.span };
    let first = file.tokens.at(span.start);
    let tokens = (first..file.tokens.len()).map(|index| (file.tokens.kind(index), file.tokens.span(index)));
    let inside = tokens.take_while(|(_, token)| token.start < span.end);
    let is_wanted = |kind: TokenKind| !kind.is_trivia() && kind != TokenKind::Comma && !(is_import && kind == TokenKind::String);
    let wanted = inside.filter(|(kind, _)| is_wanted(*kind)).take(MOST_TOKENS);
    // A place inside of a string or a template is a part of its token.
    // Blanks at the end of a line belong to a doc comment, and formatting takes them away.
    let texts = wanted.map(|(_, token)| Span::new(token.start.max(span.start), token.end.min(span.end)).text(&file.text).trim_end());
    let text = texts.collect::<Vec<_>>().join(" ");
    if text.is_empty() && !is_import {
        return span.text(&file.text).split_whitespace().take(MOST_TOKENS).collect::<Vec<_>>().join(" ");
    }
    text
}

/// The line of an offset.
fn line(text: &str, offset: u32) -> Span {
    let (before, after) = text.split_at_checked(offset as usize).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = before.len() + after.find('\n').unwrap_or(after.len());
    Span::new(start as u32, end as u32)
}

#[cfg(test)]
mod tests {
    use weave_diagnostics::{Code, FileId, Severity};

    use super::*;

    static CODE: Code = Code { id: "odd", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };

    /// The identity of a finding about the first place of `needle` in a text.
    fn identity(text: &str, needle: &str) -> Identity {
        let start = text.find(needle).unwrap() as u32;
        let unit = Unit::new(FileId(0), weave_syntax::parse(text.into()).into(), Vec::new());
        let place = Place::new(FileId(0), Span::new(start, start + needle.len() as u32));
        Identity::new(&Diagnostic::new(&CODE, place, "it is odd"), &[unit])
    }

    #[test]
    fn it_survives_moving_and_formatting() {
        let before = identity("type Order {\n  id: string, // who\n  at: date\n}\n", "id: string, // who\n  at: date");
        let after = identity("// more\n\ntype A { id: string }\n\ntype Order { id:string at :date }\n", "id:string at :date");
        assert_eq!(before, after);
        assert_eq!((before.item.as_str(), before.text.as_str()), ("Order", "id : string at : date"));
        assert_eq!(before.fingerprint(), after.fingerprint());
        assert_eq!(before.fingerprint().len(), 32);
    }

    #[test]
    fn it_differs_by_rule_item_and_text() {
        let one = identity("type A { id: string }\n", "id");
        assert_ne!(one.fingerprint(), identity("type B { id: string }\n", "id").fingerprint());
        assert_ne!(one.fingerprint(), identity("type A { ix: string }\n", "ix").fingerprint());
        assert_ne!(one.fingerprint(), Identity { rule: "even", ..one }.fingerprint());
    }

    #[test]
    fn events_imports_and_parts_of_strings_have_a_name_and_a_text() {
        let event = identity("event order.placed { id: string }\n", "id");
        assert_eq!((event.item.as_str(), event.text.as_str()), ("order.placed", "id"));
        let import = identity("import { A } from \"./a.weave\"\n", "A");
        assert_eq!((import.item.as_str(), import.text.as_str()), ("import", "A"));
        let whole = identity("import { A } from \"../b/a.weave\"\n", "import { A } from \"../b/a.weave\"");
        assert_eq!(whole.text, "import { A } from", "a path changes when a file moves");
        let comment = identity("// weave:  allow-file(x)\ntype A = int\n", "// weave:  allow-file(x)");
        assert_eq!((comment.item.as_str(), comment.text.as_str()), ("", "// weave: allow-file(x)"));
        let part = identity("prompt p() \"say  secret now\"\n", "secret");
        assert_eq!((part.item.as_str(), part.text.as_str()), ("p", "secret"));
    }

    #[test]
    fn an_empty_place_is_known_by_its_line_and_other_files_by_the_message() {
        let text = "type A {\n  id: string\n}\n";
        let unit = Unit::new(FileId(0), weave_syntax::parse(text.into()).into(), Vec::new());
        let at = |file| Diagnostic::new(&CODE, Place::new(FileId(file), Span::at(13)), "it is odd");
        let empty = Identity::new(&at(0), std::slice::from_ref(&unit));
        assert_eq!((empty.item.as_str(), empty.text.as_str()), ("A", "id : string"));
        let foreign = Identity::new(&at(7), std::slice::from_ref(&unit));
        assert_eq!((foreign.item.as_str(), foreign.text.as_str()), ("", "it is odd"));
    }

    #[test]
    fn equal_identities_are_numbered() {
        let text = "type A { a: int, b: int }\n";
        let unit = Unit::new(FileId(0), weave_syntax::parse(text.into()).into(), Vec::new());
        let at = |start| Diagnostic::new(&CODE, Place::new(FileId(0), Span::new(start, start + 3)), "");
        let found = fingerprints(&[at(12), at(20), at(5)], &[unit]);
        assert_eq!(found[0].strip_suffix(":1"), found[1].strip_suffix(":2"));
        assert!(found[2].ends_with(":1") && found[2] != found[0]);
    }

    #[test]
    fn it_is_the_same_for_every_version() {
        let identity = Identity { rule: "unused-import", item: "\"./a.weave\"".to_owned(), text: "Order".to_owned() };
        assert_eq!(identity.fingerprint(), "9f07cc3603fe0c48ad5141c22c866dc7");
    }

    #[test]
    fn reworded_messages_keep_their_first_fingerprints() {
        for (now, first) in [
            ("`warning` is not a level", "there is no level `warning`"),
            ("expected a quoted string, found an empty string", "expected a text in quotes, found an empty text"),
            ("expected a date, such as \"2027-06-30\", found a string", "expected a day, as \"2027-06-30\", found a text"),
            ("expected a quoted file path, found a list", "expected the path of a file in quotes, found a list"),
            ("there is no rule `x`", "there is no rule `x`"),
        ] {
            assert_eq!(super::first_wording(now), first);
        }
    }
}
