//! Makes a program small that shows something.

/// The smallest text that still shows it: one part after another is left out as long as `shows` says so.
///
/// A part is what begins on a line and ends where its brackets are closed; so an item, or a node.
#[must_use]
pub fn shrink(text: &str, mut shows: impl FnMut(&str) -> bool) -> String {
    let mut text = text.to_owned();
    loop {
        let before = text.len();
        for indent in ["  ", ""] {
            let mut place = 0;
            while let Some(rest) = without_part(&text, place, indent) {
                if shows(&rest) {
                    text = rest;
                } else {
                    place += 1;
                }
            }
        }
        if text.len() == before {
            return text;
        }
    }
}

/// The text without the part of this number among those with this indentation.
fn without_part(text: &str, number: usize, indent: &str) -> Option<String> {
    let lines: Vec<_> = text.lines().collect();
    let begins = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()));
    let start = lines.iter().enumerate().filter(|(_, line)| begins(line)).nth(number)?.0;
    let is_part_of = |line: &&&str| {
        line.len() > indent.len() && line.starts_with(&format!("{indent}  "))
            || line.trim() == "}" && line.starts_with(&format!("{indent}}}"))
    };
    let length = 1 + if lines[start].ends_with(['{', '"']) { lines[start + 1..].iter().take_while(is_part_of).count() } else { 0 };
    let mut rest: Vec<_> = lines[..start].to_vec();
    rest.extend(&lines[start + length..]);
    Some(rest.join("\n") + "\n")
}
