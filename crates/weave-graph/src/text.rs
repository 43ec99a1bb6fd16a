//! Words: durations, lines, and how wide a text is.

use weave_ir::Duration;
use weave_scalars::duration;

/// The first word of a text that is this duration, in whatever units: `90s` or `1m30s`.
pub(crate) fn written_duration(text: &str, length: Duration) -> Option<&str> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .find(|word| duration::read(word) == Ok(length.milliseconds()))
}

/// A piece of a program on one line: without comments, and with one blank wherever there was white space.
pub(crate) fn one_line(source: &str) -> String {
    let mut line = String::new();
    let mut rest = source.chars().peekable();
    let (mut quoted, mut blank) = (false, false);
    while let Some(character) = rest.next() {
        if !quoted && character == '/' && rest.peek() == Some(&'/') {
            while rest.next_if(|next| *next != '\n').is_some() {}
            blank = true;
            continue;
        }
        if character.is_whitespace() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) && !line.is_empty() {
            line.push(' ');
        }
        line.push(character);
        if character == '\\' && quoted {
            line.extend(rest.next());
        }
        quoted ^= character == '"';
    }
    line
}

/// The text with at most so many characters; what is cut off leaves an ellipsis.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Roughly how wide a character is in a common sans-serif font, in hundredths of its size.
///
/// The fonts of a reader are unknown, so this leans to the wide side: text in a box that is a little too wide reads well, and text that
/// runs out of its box does not.
const fn hundredths(character: char) -> u32 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | ' ' | 'I' => 35,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | '\\' | '"' | '`' => 43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 98,
        '=' | '<' | '>' | '+' | '&' | '~' | '#' => 84,
        'A'..='Z' => 72,
        '\u{0300}'..='\u{036f}' => 0,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'.. => 105,
        _ => 64,
    }
}

/// Roughly how wide a text is at this size of the font.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    f64::from(text.chars().map(hundredths).sum::<u32>()) * size / 100.0
}

/// Before which words outside of quotes a line is broken.
type Operators = (&'static [&'static str], Within);

/// Whether operators in parentheses count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    No,
    Yes,
}

/// Where a line is broken first, then where a part is broken that is still too wide.
const OPERATORS: [Operators; 3] =
    [(&["&&", "||"], Within::No), (&["&&", "||"], Within::Yes), (&["==", "!=", "<=", ">=", "<", ">", "in", "??"], Within::Yes)];

/// A condition in lines that are no wider than this, broken at operators if possible, else as [`wrapped`].
pub(crate) fn wrapped_condition(text: &str, size: f64, widest: f64, most: usize) -> Vec<String> {
    filled(text, &OPERATORS, size, widest, most)
}

/// The text in lines that are no wider than this, broken at blanks, and in a word only if no line can hold it. If there are more lines
/// than allowed, the last one ends with an ellipsis.
pub(crate) fn wrapped(text: &str, size: f64, widest: f64, most: usize) -> Vec<String> {
    filled(text, &[], size, widest, most)
}

fn filled(text: &str, operators: &[Operators], size: f64, widest: f64, most: usize) -> Vec<String> {
    let mut lines = Lines { done: Vec::new(), line: String::new(), size, widest };
    lines.add(text, operators);
    let Lines { mut done, line, .. } = lines;
    done.push(line.trim_end().to_owned());
    if done.len() > most {
        done.truncate(most);
        if let Some(last) = done.last_mut() {
            last.push_str(" …");
        }
    }
    done
}

/// Lines that are being filled.
struct Lines {
    done: Vec<String>,
    line: String,
    size: f64,
    widest: f64,
}

impl Lines {
    /// Adds a text: whole if it fits on this line or on one of its own, else its parts by the first of these operators.
    fn add(&mut self, text: &str, operators: &[Operators]) {
        if self.room(text) {
            self.line.push_str(text);
            return;
        }
        if !self.line.is_empty() && width(text.trim_end(), self.size) <= self.widest {
            self.next(text);
            return;
        }
        match operators.split_first() {
            Some((&(first, within), finer)) => split(text, first, within).into_iter().for_each(|part| self.add(part, finer)),
            None => pieces(text, self.size, self.widest).into_iter().for_each(|piece| match self.room(piece) {
                true => self.line.push_str(piece),
                false => self.next(piece),
            }),
        }
    }

    fn room(&self, text: &str) -> bool {
        width(&self.line, self.size) + width(text.trim_end(), self.size) <= self.widest
    }

    /// Begins a line with this text.
    fn next(&mut self, text: &str) {
        if !self.line.is_empty() {
            self.done.push(std::mem::take(&mut self.line).trim_end().to_owned());
        }
        self.line.push_str(text);
    }
}

/// The parts of a text, each but the first with the operator that it begins with.
fn split<'t>(text: &'t str, operators: &[&str], within: Within) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut escaped, mut blank) = (0, false, false, false);
    let mut depth = 0_i32;
    for (at, character) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        let operator = || operators.iter().any(|operator| rest.strip_prefix(operator).is_some_and(|rest| rest.starts_with(' ')));
        if !quoted && blank && (depth == 0 || within == Within::Yes) && operator() {
            parts.extend(text.get(from..at));
            from = at;
        }
        match character {
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        blank = character == ' ';
        quoted ^= character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
    }
    parts.extend(text.get(from..));
    parts
}

/// Words with the blanks after them; a word that no line can hold is cut.
fn pieces(text: &str, size: f64, widest: f64) -> Vec<&str> {
    let mut pieces = Vec::new();
    for word in text.split_inclusive(char::is_whitespace) {
        let mut rest = word;
        while width(rest.trim_end(), size) > widest {
            let fits = |end: usize| rest.get(..end).is_some_and(|front| width(front, size) <= widest);
            let ends = rest.char_indices().map(|(at, character)| at + character.len_utf8());
            let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
            let end = ends.take_while(|end| fits(*end)).last().unwrap_or(first);
            let (front, behind) = rest.split_at(end);
            pieces.push(front);
            rest = behind;
        }
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_found_as_its_author_wrote_it() {
        let found = |text, milliseconds| written_duration(text, Duration::from_milliseconds(milliseconds));
        assert_eq!(found("timeout(order, 1d)", 86_400_000), Some("1d"));
        assert_eq!(found("timeout(order30d, 720h)", 2_592_000_000), Some("720h"), "a name is no duration");
        assert_eq!(found("retry 2, timeout 1m30s", 90_000), Some("1m30s"));
        assert_eq!((found("24h", 1), found("99999999999999999999d 5x ä", 1), found("", 0)), (None, None, None));
    }

    #[test]
    fn a_piece_of_a_program_becomes_one_line() {
        assert_eq!(one_line("{\n    a: 1 // why\n    b: \"x // y\"\n  }"), "{ a: 1 b: \"x // y\" }");
        assert_eq!(one_line(".a == \"\\\" //\"\t|| .b"), ".a == \"\\\" //\" || .b");
    }

    #[test]
    fn lines_break_at_operators() {
        let lines = |text| wrapped_condition(text, 10.0, 105.0, 9);
        assert_eq!(lines("when .a == 1 && .b"), ["when .a == 1", "&& .b"]);
        assert_eq!(lines("when .triage.intent == \"refund\" || .x"), ["when .triage.intent", "== \"refund\" || .x"]);
        assert_eq!(lines("when (.a && .b) || (.c && .d)"), ["when (.a && .b)", "|| (.c && .d)"]);
        assert_eq!(lines("when .a == \"x && y\""), ["when .a", "== \"x && y\""]);
        assert_eq!(lines("when size(.order.lines) in .sizes"), ["when", "size(.order.lines)", "in .sizes"]);
    }

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(shortened("häuser", 6), "häuser");
        assert_eq!(shortened("häuser", 3), "hä…");
        assert_eq!(wrapped_condition("a && b || c", 10.0, 30.0, 9), ["a", "&& b", "|| c"]);
        assert_eq!(wrapped("one two three four", 10.0, 40.0, 2), ["one", "two …"]);
        let cut = wrapped(&"ü".repeat(100), 10.0, 64.0, 20);
        assert_eq!((cut.len(), cut.concat().chars().count()), (10, 100));
        assert_eq!(wrapped("", 10.0, 30.0, 2), [""]);
    }
}
