//! One change of a text, as somebody might make it.

use crate::random::Random;

/// A place in a text, between two characters.
pub(super) fn place(text: &str, random: &mut Random) -> usize {
    let mut place = random.below(text.len() + 1);
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// A few characters from a place on.
fn run(text: &str, random: &mut Random, most: usize) -> std::ops::Range<usize> {
    let start = place(text, random);
    let mut end = (start + 1 + random.below(most)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Whole lines, as many as this at most.
fn lines(text: &str, random: &mut Random, most: usize) -> std::ops::Range<usize> {
    let at = place(text, random);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut end = start;
    for _ in 0..=random.below(most) {
        end = text[end..].find('\n').map_or(text.len(), |behind| end + behind + 1);
    }
    start..end
}

/// The words of a text.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, character) in text.char_indices().filter(|(_, character)| is_part(*character)) {
        match found.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = at + character.len_utf8(),
            None => found.push(at..at + character.len_utf8()),
        }
    }
    found
}

/// Another state of a text, and what was done.
pub(super) fn changed(text: &str, others: &[String], random: &mut Random) -> (&'static str, String) {
    const SMALL: [&str; 30] = [
        "x",
        " ",
        "\n",
        "\r\n",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\"\"\"",
        "{{",
        "}}",
        "/*",
        "*/",
        "//",
        "///",
        ".",
        ",",
        ":",
        ";",
        "@",
        "|",
        "?",
        "->",
        "\u{1f600}",
        "\u{e4}",
        "else ",
        "type ",
    ];
    let mut new = text.to_owned();
    let what = match random.below(13) {
        0..=2 => {
            let typed = *random.pick(&SMALL);
            new.insert_str(place(text, random), typed);
            "insert"
        }
        3 => {
            new.replace_range(run(text, random, 3), "");
            "delete"
        }
        4 => {
            new.replace_range(run(text, random, 200), "");
            "delete much"
        }
        5 => {
            let lines = lines(text, random, 12);
            new.insert_str(lines.end, &text[lines]);
            "double lines"
        }
        6 => {
            let lines = lines(text, random, 12);
            let moved = text[lines.clone()].to_owned();
            new.replace_range(lines, "");
            let at = place(&new, random);
            let line = new[..at].rfind('\n').map_or(0, |end| end + 1);
            new.insert_str(line, &moved);
            "move lines"
        }
        7 if !others.is_empty() => {
            let other = random.pick(others);
            let pasted = &other[lines(other, random, 25)];
            let at = place(text, random);
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            new.insert_str(line, pasted);
            "paste"
        }
        8 => {
            // Several cursors, which all type the same.
            let typed = *random.pick(&SMALL);
            for _ in 0..2 + random.below(4) {
                let at = place(&new, random);
                new.insert_str(at, typed);
            }
            "insert at several places"
        }
        9 | 10 => {
            let words = words(text);
            if words.is_empty() {
                return ("nothing", new);
            }
            let (word, other) = (random.pick(&words).clone(), random.pick(&words).clone());
            if random.chance(30) {
                new = new.replace(&text[word], &text[other]);
                "replace a word everywhere"
            } else {
                new.replace_range(word, &text[other]);
                "replace a word"
            }
        }
        11 => {
            new = if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text.replace('\n', "\r\n") };
            "change the line ends"
        }
        _ => {
            let lines = lines(text, random, 3);
            let commented = format!("// {}", &text[lines.clone()]);
            new.replace_range(lines, &commented);
            "comment out"
        }
    };
    // Nobody's file grows for ever.
    if new.len() > 20_000 {
        new.truncate(place(&new[..10_000], random));
    }
    (what, new)
}
