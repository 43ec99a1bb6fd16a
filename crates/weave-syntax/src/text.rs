//! What literals and comments say: escapes resolved, margins taken off, numbers and durations read.
//!
//! Everything here is total: text that no correct literal has stands for itself, and the second pass over the item reports it.

use std::borrow::Cow;

pub use weave_scalars::duration::{DurationFault, read as duration};

use crate::ast::{Literal, LiteralKind};

/// The greatest integer that every consumer of JSON reads exactly.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

// ---- Strings -----------------------------------------------------------------------------------------------------------

/// What one escape of a quoted string says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeValue {
    /// A character.
    Character(char),
    /// `\{{`: two braces that open no placeholder.
    Braces,
    /// It is no escape.
    Wrong(EscapeFault),
}

/// Why an escape is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeFault {
    /// No escape has this character behind its backslash.
    Unknown(char),
    /// `\{` without a second brace.
    SingleBrace,
    /// `\u` without four hexadecimal digits.
    ShortUnicode,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// A backslash at the very end.
    Nothing,
}

/// An escape: its bytes, the backslash included, and what they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Escape {
    pub(crate) length: usize,
    pub(crate) value: EscapeValue,
}

/// The escape at the start of `rest`, which starts with a backslash.
pub(crate) fn escape(rest: &str) -> Escape {
    let fault = |length, fault| Escape { length, value: EscapeValue::Wrong(fault) };
    let mut characters = rest.chars();
    characters.next();
    let Some(letter) = characters.next() else { return fault(rest.len(), EscapeFault::Nothing) };
    let character = match letter {
        '"' | '\\' | '/' => letter,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => return unicode_escape(rest),
        '{' if characters.next() == Some('{') => return Escape { length: 3, value: EscapeValue::Braces },
        '{' => return fault(2, EscapeFault::SingleBrace),
        other => return fault(1 + other.len_utf8(), EscapeFault::Unknown(other)),
    };
    Escape { length: 2, value: EscapeValue::Character(character) }
}

/// `\uXXXX`, or two of them for a character beyond the first 65,536.
fn unicode_escape(rest: &str) -> Escape {
    let wrong = |length, fault| Escape { length, value: EscapeValue::Wrong(fault) };
    let Some(unit) = code_unit(rest) else {
        let digits = rest.bytes().skip(2).take(4).take_while(u8::is_ascii_hexdigit).count();
        return wrong(2 + digits, EscapeFault::ShortUnicode);
    };
    if let Some(character) = char::from_u32(unit) {
        return Escape { length: 6, value: EscapeValue::Character(character) };
    }
    let pair = rest.get(6..).and_then(code_unit).filter(|low| unit < 0xdc00 && (0xdc00..0xe000).contains(low));
    match pair.and_then(|low| char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))) {
        Some(character) => Escape { length: 12, value: EscapeValue::Character(character) },
        None => wrong(6, EscapeFault::LoneSurrogate),
    }
}

fn code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// The text between the quotes of a string, and how many bytes stand before it. A quote that is missing is not taken off.
pub(crate) fn string_inside(raw: &str) -> (usize, &str) {
    let Some(inside) = raw.strip_prefix('"') else { return (0, raw) };
    (1, inside.strip_suffix('"').unwrap_or(inside))
}

/// What a quoted string (`"…"`, quotes included) says; escapes that are wrong stand for themselves.
#[must_use]
pub fn string_value(raw: &str) -> Cow<'_, str> {
    let (_, inside) = string_inside(raw);
    if !inside.contains('\\') {
        return Cow::Borrowed(inside);
    }
    let mut value = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(backslash) = rest.find('\\') {
        let (before, at) = rest.split_at(backslash);
        value.push_str(before);
        let escape = escape(at);
        let (written, behind) = at.split_at(escape.length);
        push_escape(&mut value, escape.value, written);
        rest = behind;
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// The string that says a text, quotes included: what [`string_value`] reads as the text again, and no placeholder.
#[must_use]
pub fn quoted_string(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            // Characters of control have short codes.
            _ if character.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => literal.push(character),
        }
    }
    literal.push('"');
    literal.replace("{{", "\\{{")
}

/// Adds what an escape says, or the escape as it is written if it is none.
pub(crate) fn push_escape(value: &mut String, escape: EscapeValue, written: &str) {
    match escape {
        EscapeValue::Character(character) => value.push(character),
        EscapeValue::Braces => value.push_str("{{"),
        EscapeValue::Wrong(_) => value.push_str(written),
    }
}

/// The wrong escapes of a quoted string: where each starts in `raw`, its length, and what is wrong.
pub(crate) fn escape_faults(raw: &str) -> Vec<(usize, usize, EscapeFault)> {
    let mut faults = Vec::new();
    let (mut at, mut rest) = string_inside(raw);
    while let Some(backslash) = rest.find('\\') {
        let (_, from) = rest.split_at(backslash);
        at += backslash;
        let escape = escape(from);
        if let EscapeValue::Wrong(fault) = escape.value {
            faults.push((at, escape.length, fault));
        }
        at += escape.length;
        rest = from.split_at(escape.length).1;
    }
    faults
}

// ---- Text blocks -------------------------------------------------------------------------------------------------------

/// A line of a text block, without its margin and its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockLine<'a> {
    /// Where the text starts in the literal.
    pub(crate) start: usize,
    /// The text.
    pub(crate) text: &'a str,
    /// Whether text stands in the margin, which the closing line's indentation makes.
    pub(crate) in_margin: bool,
}

/// The lines of a text block (`"""…"""`, quotes included).
pub(crate) fn block_lines(raw: &str) -> impl Iterator<Item = BlockLine<'_>> {
    let inside = raw.strip_prefix("\"\"\"").unwrap_or(raw);
    let inside_start = raw.len() - inside.len();
    let inside = inside.strip_suffix("\"\"\"").unwrap_or(inside);
    // The text starts on the line behind the opening quotes; a block of one line, which the lexer does not make, is its own text.
    let (start, text) = match inside.split_once('\n') {
        Some((opening, text)) => (inside_start + opening.len() + 1, Some(text)),
        None => (inside_start, Some(inside).filter(|text| !text.trim().is_empty())),
    };
    let (text, margin) = match text.map(|text| (text, text.rsplit_once('\n'))) {
        // Only the closing line: nothing is in the block.
        Some((text, None)) if is_blank(text) => (None, ""),
        Some((_, Some((before, closing)))) if is_blank(closing) => (Some(before), closing),
        other => (other.map(|(text, _)| text), ""),
    };
    let mut at = start;
    text.into_iter().flat_map(|text| text.split('\n')).map(move |line| {
        let indented = line.bytes().zip(margin.bytes()).take_while(|(one, other)| one == other).count();
        let line_start = at;
        at += line.len() + 1;
        let content = line.strip_suffix('\r').unwrap_or(line);
        let in_margin = indented < margin.len() && !is_blank(content);
        let text = content.get(indented..).unwrap_or_default();
        // Of a blank line that is shorter than the margin, or made of other blanks, nothing is left.
        let text = if indented < margin.len() && !in_margin { "" } else { text };
        BlockLine { start: line_start + indented, text, in_margin }
    })
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// What a text block (`"""…"""`, quotes included) says: the lines without the closing line's indentation, joined by `\n`.
///
/// The text is raw: no escape has a meaning. (`\{{` has one where placeholders have; see [`crate::template()`].)
#[must_use]
pub fn text_block_value(raw: &str) -> Cow<'_, str> {
    let mut value = String::with_capacity(raw.len());
    for (index, line) in block_lines(raw).enumerate() {
        if index > 0 {
            value.push('\n');
        }
        value.push_str(line.text);
    }
    Cow::Owned(value)
}

/// What a literal says: the text of a string or a text block, and any other literal as it is written.
#[must_use]
pub fn literal_value(item: &str, literal: Literal) -> Cow<'_, str> {
    let raw = literal.span.text(item);
    match literal.kind {
        LiteralKind::String => string_value(raw),
        LiteralKind::TextBlock => text_block_value(raw),
        _ => Cow::Borrowed(raw),
    }
}

/// Whether a literal may hold placeholders or the escape `\{{`, and so is worth a call of [`crate::template()`].
#[must_use]
pub fn has_placeholder(raw: &str) -> bool {
    raw.contains("{{")
}

// ---- Comments ----------------------------------------------------------------------------------------------------------

/// The text of `///` lines: of each line the marker and one blank behind it are taken off. Nothing if all lines are blank.
#[must_use]
pub fn doc_text<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut text = String::new();
    for (index, line) in lines.enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let line = line.trim_start();
        let line = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or(line);
        text.push_str(line.strip_prefix(' ').unwrap_or(line).trim_end());
    }
    (!text.trim().is_empty()).then_some(text)
}

// ---- Numbers and durations ---------------------------------------------------------------------------------------------

/// What a number literal says. The exact digits, which decimals need, are [`number_text`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Written without a point and an exponent.
    Integer(i64),
    /// Any other.
    Float(f64),
}

/// Why a number literal cannot be carried by JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// Beyond ±(2⁵³ − 1), in whatever notation: many readers of JSON would round it.
    TooLarge,
    /// Not a number at all.
    Malformed,
}

/// A number literal without what may stand between its sign and its digits.
#[must_use]
pub fn number_text(raw: &str) -> Cow<'_, str> {
    let Some(behind) = raw.strip_prefix('-') else { return Cow::Borrowed(raw) };
    let digits = behind.rsplit(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-')).next().unwrap_or(behind);
    if digits.len() == behind.len() { Cow::Borrowed(raw) } else { Cow::Owned(format!("-{digits}")) }
}

/// What a number literal says.
pub fn number(raw: &str) -> Result<Number, NumberFault> {
    let text = number_text(raw);
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(NumberFault::Malformed);
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let value = text.parse().ok().filter(|value| (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(value));
        return value.map(Number::Integer).ok_or(NumberFault::TooLarge);
    }
    match text.parse::<f64>() {
        Ok(value) if value.abs() <= MAX_SAFE_INTEGER as f64 => Ok(Number::Float(value)),
        Ok(_) => Err(NumberFault::TooLarge),
        Err(_) => Err(NumberFault::Malformed),
    }
}

/// How many milliseconds a duration literal (`250ms`, `1h30m`) says; `None` if it is wrong, which is reported.
#[must_use]
pub fn duration_millis(raw: &str) -> Option<u64> {
    duration(raw).ok()
}

#[cfg(test)]
mod tests;
