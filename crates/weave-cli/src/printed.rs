//! What goes to standard output. A text gets there only as one of these kinds, each of which makes the words of others harmless in its own way.

use std::fmt::Write as _;

use weave_diagnostics::{Charset, is_visible};

use crate::terminal::Line;

/// A text that can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing in it acts on a terminal.
    Harmless,
    /// The text of a file, which other programs read byte by byte.
    Exact,
}

impl Printed {
    /// Lines for a person. Each is escaped and stays one line.
    pub(crate) fn lines(lines: impl IntoIterator<Item = impl Into<Line>>) -> Self {
        let text = lines.into_iter().map(|line| line.into().into_text()).collect();
        Self { text, kind: Kind::Harmless }
    }

    /// What a renderer or this program drew: lines and colours stay, and whatever else would act is made visible.
    pub(crate) fn drawn(text: &str) -> Self {
        Self { text: tamed(text), kind: Kind::Harmless }
    }

    /// JSON. Characters that hide or turn the direction of the text are escapes in it, which mean the same.
    pub(crate) fn json(text: &str) -> Self {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            if matches!(character, '\n' | '\t') || is_visible(character) {
                escaped.push(character);
            } else {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    let _ = write!(escaped, "\\u{unit:04x}");
                }
            }
        }
        Self { text: escaped, kind: Kind::Harmless }
    }

    /// The text of a file as it is: a source, generated code, a definition, a picture. In a terminal, what would act is made visible.
    pub(crate) fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: Kind::Exact }
    }

    /// The text for a file, or for a pipe.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text for a terminal.
    pub(crate) fn for_terminal(&self) -> String {
        match self.kind {
            Kind::Harmless => self.text.clone(),
            Kind::Exact => tamed(&self.text),
        }
    }
}

/// A text in which lines, tabs and colours stay as they are, and whatever else acts on a terminal or hides is made visible.
pub(crate) fn tamed(text: &str) -> String {
    let mut tamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = color(rest).unwrap_or(character.len_utf8());
        let (part, behind) = rest.split_at(length);
        if length > character.len_utf8() || character == '\n' {
            tamed.push_str(part);
        } else {
            tamed.push(Charset::Unicode.visible(character));
        }
        rest = behind;
    }
    tamed
}

/// The length of the escape sequence for a colour or for bold at the start of a text.
fn color(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let length = parameters.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    (parameters.as_bytes().get(length) == Some(&b'm')).then_some(length + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_makes_the_words_of_others_harmless() {
        let evil = "a\u{1b}]0;x\u{7}\u{202e}b\u{e0041}\r::error::c";
        assert_eq!(Printed::lines([evil, "::error::d"]).text(), "a␛]0;x␇\u{fffd}b\u{fffd}␍::error::c\n\u{fffd}:error::d\n");
        assert_eq!(Printed::drawn("\u{1b}[1;31mx\u{1b}[0m\u{1b}[2J\n\u{202e}").text(), "\u{1b}[1;31mx\u{1b}[0m␛[2J\n\u{fffd}");
        assert_eq!(Printed::json("{\n\"a\": \"\u{202e}\u{e0041}\u{7f}ä\"}\n").text(), "{\n\"a\": \"\\u202e\\udb40\\udc41\\u007fä\"}\n");
        let exact = Printed::exact(evil);
        assert_eq!((exact.text(), exact.for_terminal().as_str()), (evil, "a␛]0;x␇\u{fffd}b\u{fffd}␍::error::c"));
    }
}
