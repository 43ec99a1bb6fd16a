//! Invisible characters, which models and machines read.

use weave_diagnostics::{Applicability, Code, Place, Severity, Span, counted, is_visible};
use weave_syntax::TokenKind;

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "invisible-text",
    severity: Severity::Warning,
    summary: "A text has characters that are not shown.",
    explanation: "Marks of direction change how the text around them is shown, tag characters and others of no width hide whole sentences, and models read them all: what a reviewer \
                  sees is not what a model reads. In a string, the fix writes an escape, which means the same and can be seen. In a comment, in a documentation and in a text block \
                  there are no escapes, and the fix removes them. Joiners between characters that are not ASCII, as scripts and emoji need them, are fine.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  meta { note: \"pay\u{202e}load\" }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  meta { note: \"pay\\u202eload\" }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

/// More are not named.
const MOST_NAMED: usize = 3;

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let (text, id) = (file.text(), file.id());
    for token in file.unit.syntax.tokens.iter() {
        let is_string = token.kind == TokenKind::String;
        let is_text = is_string
            || matches!(
                token.kind,
                TokenKind::TextBlock | TokenKind::Doc | TokenKind::ModuleDoc | TokenKind::LineComment | TokenKind::BlockComment
            );
        let written = token.span.text(text);
        if !is_text || written.is_ascii() {
            continue;
        }
        for (start, run) in runs(written) {
            let span = Span::new(token.span.start + start as u32, token.span.start + (start + run.len()) as u32);
            let (count, place) = (run.chars().count(), Place::new(id, span));
            let mut names: Vec<String> = run.chars().take(MOST_NAMED).map(|it| format!("U+{:04X}", u32::from(it))).collect();
            if count > MOST_NAMED {
                names.push("…".to_owned());
            }
            let message = format!("{} in a text: {}", counted(count, "invisible character"), names.join(" "));
            let finding = findings.at(place, message).label("not shown, and read by models");
            findings.report(if is_string {
                let escapes: String = run.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
                finding.help("write an escape, so that it can be seen").replace(Applicability::Safe, "write an escape", place, escapes)
            } else {
                finding.help("remove it").replace(Applicability::Unsafe, "remove it", place, "")
            });
        }
    }
}

/// The runs of invisible characters in a text, with their offsets.
fn runs(text: &str) -> Vec<(usize, &str)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut before: Option<char> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_layout = matches!(character, '\n' | '\r' | '\t');
        let is_joiner = matches!(character, '\u{200c}' | '\u{200d}');
        let beside_ascii = |other: Option<char>| other.is_none_or(|other| other.is_ascii());
        let joins_nothing = beside_ascii(before) || beside_ascii(characters.peek().map(|(_, next)| *next));
        if !is_layout && (!is_visible(character) || is_joiner && joins_nothing) {
            let end = at + character.len_utf8();
            match found.last_mut() {
                Some(last) if last.1 == at => last.1 = end,
                _ => found.push((at, end)),
            }
        }
        before = Some(character);
    }
    found.into_iter().filter_map(|(start, end)| Some((start, text.get(start..end)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn only_what_nobody_sees_is_found() {
        for fine in ["plain\ttext\n", "müsli", "\u{1f468}\u{200d}\u{1f469}", "می\u{200c}خواهم", "\u{2764}\u{fe0f}"] {
            assert_eq!(runs(fine), [], "{fine}");
        }
        assert_eq!(runs("a\u{200b}b\u{202e}\u{e0061}c"), [(1, "\u{200b}"), (5, "\u{202e}\u{e0061}")]);
        assert_eq!(runs("a\u{200d}b"), [(1, "\u{200d}")]);
    }
}
