//! Where a string ends.
//!
//! A string may hold strings, in its placeholders: `"{{.name ?? "you"}}"`. Whether the second quotes end it depends on what comes behind
//! them, for it is as long as it can be. So from its first end on it is asked whether there is a further one on the line. That is looked up
//! in a table of the line, which is made once: of many strings on one line each would else look at all of it.

use logos::Lexer;

use crate::token::TokenKind;

/// Where a reader of a string may be, as bits.
type Places = u8;

/// In the text of the string.
const TEXT: Places = 1;
/// Behind a backslash in it.
const ESCAPE: Places = 1 << 1;
/// Behind a brace in it, which may be the first of a placeholder.
const BRACE: Places = 1 << 2;
/// Behind `{{` and blanks.
const OPENED: Places = 1 << 3;
/// In the expression of a placeholder.
const EXPRESSION: Places = 1 << 4;
/// Behind a brace in it, which may be the first of the two that end it.
const CLOSING: Places = 1 << 5;
/// In a string of the expression.
const INNER: Places = 1 << 6;
/// Behind a backslash in that.
const INNER_ESCAPE: Places = 1 << 7;

/// Where a reader may be behind a byte of a line.
const fn step(places: Places, byte: u8) -> Places {
    // What each place becomes, and nothing for those where a reader is not.
    const fn next(places: Places, place: Places, behind: Places) -> Places {
        if places & place == 0 { 0 } else { behind }
    }
    let text = match byte {
        b'"' => 0,
        b'\\' => ESCAPE,
        b'{' => TEXT | BRACE,
        _ => TEXT,
    };
    let opened = match byte {
        b' ' | b'\t' => OPENED,
        b'.' | b'_' | b'A'..=b'Z' | b'a'..=b'z' => EXPRESSION,
        _ => 0,
    };
    let expression = match byte {
        b'"' => INNER,
        b'}' => CLOSING,
        b'\\' => 0,
        _ => EXPRESSION,
    };
    let closing = match byte {
        b'}' => TEXT,
        b'"' | b'\\' => 0,
        _ => EXPRESSION,
    };
    let inner = match byte {
        b'"' => EXPRESSION,
        b'\\' => INNER_ESCAPE,
        _ => INNER,
    };
    next(places, TEXT, text)
        | next(places, ESCAPE, TEXT)
        | next(places, BRACE, if byte == b'{' { OPENED } else { 0 })
        | next(places, OPENED, opened)
        | next(places, EXPRESSION, expression)
        | next(places, CLOSING, closing)
        | next(places, INNER, inner)
        | next(places, INNER_ESCAPE, INNER)
}

/// From where on a line a string can still be ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// Where the table begins.
    start: usize,
    /// For each byte up to the end of the line the places from which there is an end.
    before: Vec<Places>,
}

impl Ends {
    /// Whether a reader that may be at these places in front of a byte comes to an end of the string on this line.
    fn are_ahead(&mut self, text: &[u8], offset: usize, places: Places) -> bool {
        if !(self.start..self.start + self.before.len()).contains(&offset) {
            self.read(text, offset);
        }
        offset.checked_sub(self.start).and_then(|index| self.before.get(index)).is_some_and(|ends| ends & places != 0)
    }

    fn read(&mut self, text: &[u8], offset: usize) {
        let line = line(text, offset);
        self.start = offset;
        self.before.clear();
        self.before.resize(line.len(), 0);
        let mut behind = 0;
        for (byte, before) in line.iter().zip(&mut self.before).rev() {
            let ends = if *byte == b'"' { TEXT } else { 0 };
            *before = (0..Places::BITS)
                .map(|bit| 1 << bit)
                .filter(|place| step(*place, *byte) & behind != 0)
                .fold(ends, |all, place| all | place);
            behind = *before;
        }
    }
}

/// The rest of a line.
fn line(text: &[u8], offset: usize) -> &[u8] {
    let rest = text.get(offset..).unwrap_or_default();
    let len = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
    rest.get(..len).unwrap_or_default()
}

/// Finds the end of a string behind its first quotes: the last one on the line that is an end of it. Without one it ends with the line.
pub(crate) fn string(lexer: &mut Lexer<'_, TokenKind>) -> TokenKind {
    let (text, start) = (lexer.source().as_bytes(), lexer.span().end);
    let mut offset = start;
    let mut places = TEXT;
    let mut end = None;
    while let Some(byte) = text.get(offset).copied().filter(|byte| !matches!(byte, b'\r' | b'\n')) {
        // Nearly all text is plain.
        if places == TEXT && !matches!(byte, b'"' | b'\\' | b'{') {
            offset += 1;
            continue;
        }
        let is_end = byte == b'"' && places & TEXT != 0;
        places = step(places, byte);
        offset += 1;
        if is_end {
            end = Some(offset);
        }
        if end.is_some() && (places == 0 || !lexer.extras.ends.are_ahead(text, offset, places)) {
            break;
        }
    }
    lexer.bump(end.unwrap_or(offset) - start);
    if end.is_some() { TokenKind::String } else { TokenKind::OpenString }
}

#[cfg(test)]
mod tests {
    use logos::Logos;

    use crate::token::TokenKind;

    /// Strings as regular expressions.
    #[derive(Clone, Copy, Debug, PartialEq, Logos)]
    enum Pattern {
        #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#, priority = 2)]
        Open,
        #[regex(
            r#""([^"\\\r\n]|\\[^\r\n]|\{\{[ \t]*[A-Za-z_.]([^"}\\\r\n]|\}[^"}\\\r\n]|"([^"\\\r\n]|\\[^\r\n])*")*\}\})*""#,
            priority = 4
        )]
        Closed,
    }

    #[test]
    fn a_string_ends_where_the_regular_expression_does() {
        let pieces = ["\"", "\"", "{{", "}}", "{", "}", ".a", "b", " ", "\t", "\\", "\n", "\r", "\u{e4}", "?? "];
        let mut random = 7_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut seen = [0; 2];
        for _ in 0..20_000 {
            let text = (0..next(24)).map(|_| pieces[next(pieces.len())]).collect::<String>();
            // What is behind the first string is read with the table of its line.
            for token in crate::lex(&text).iter().filter(|token| matches!(token.kind, TokenKind::String | TokenKind::OpenString)) {
                let mut pattern = Pattern::lexer(&text[token.span.start as usize..]);
                let expected = if token.kind == TokenKind::String { Pattern::Closed } else { Pattern::Open };
                assert_eq!(pattern.next(), Some(Ok(expected)), "{text:?} at {}", token.span.start);
                assert_eq!(pattern.slice(), token.span.text(&text), "{text:?} at {}", token.span.start);
                seen[usize::from(expected == Pattern::Closed)] += 1;
            }
        }
        assert!(seen.iter().all(|count| *count > 5_000), "{seen:?}");
    }
}
