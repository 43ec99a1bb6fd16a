//! Words: durations, lines, and how wide a text is.

use weave_ir::Duration;

/// A duration as it is written in the language: `24h`, `1m30s`, `200ms`.
pub(crate) fn duration(duration: Duration) -> String {
    let mut rest = duration.milliseconds();
    let mut text = String::new();
    for (unit, length) in [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)] {
        if rest >= length {
            text.push_str(&format!("{}{unit}", rest / length));
            rest %= length;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
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
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '/' | '\\' | '"' | '`' => 43,
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

/// The text in lines that are no wider than this; behind the last line allowed, an ellipsis.
pub(crate) fn wrapped(text: &str, size: f64, widest: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(text, size, widest) {
        let wider = width(&line, size) + width(piece.trim_end(), size);
        if !line.is_empty() && wider > widest {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        line.push_str(piece);
    }
    lines.push(line.trim_end().to_owned());
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines
}

/// Words with the blanks behind them; a word that no line can hold is cut.
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
    fn durations_read_as_they_are_written() {
        let written = |milliseconds| duration(Duration::from_milliseconds(milliseconds));
        assert_eq!([86_400_000, 90_000, 200, 0, 3_661_001].map(written), ["24h", "1m30s", "200ms", "0s", "1h1m1s1ms"]);
    }

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(shortened("häuser", 6), "häuser");
        assert_eq!(shortened("häuser", 3), "hä…");
        assert_eq!(wrapped("a && b || c", 10.0, 30.0, 9), ["a &&", "b || c"]);
        assert_eq!(wrapped("one two three four", 10.0, 40.0, 2), ["one", "two …"]);
        let cut = wrapped(&"ü".repeat(100), 10.0, 64.0, 20);
        assert_eq!((cut.len(), cut.concat().chars().count()), (10, 100));
        assert_eq!(wrapped("", 10.0, 30.0, 2), [""]);
    }
}
