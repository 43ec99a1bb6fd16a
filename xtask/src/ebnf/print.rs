//! Rules as text.

use super::Expression;

/// No line is longer, unless one symbol is.
const WIDTH: usize = 120;

/// A rule with its comments, an empty line before it.
pub(super) fn rule(name: &str, comments: &[String], expression: &Expression) -> String {
    let mut text = String::from("\n");
    if !comments.is_empty() {
        text.push_str(wrapped(&format!("{} */", comments.join(" ")), "/* ", "   ", " ").as_str());
    }
    let whole = format!("{name} ::= {}", inline(expression));
    if whole.chars().count() <= WIDTH {
        return format!("{text}{whole}\n");
    }
    let alternatives =
        if let Expression::Choice(alternatives) = expression { alternatives.as_slice() } else { std::slice::from_ref(expression) };
    text.push_str(&format!("{name} ::=\n"));
    if alternatives.iter().all(|alternative| matches!(alternative, Expression::Terminal(_) | Expression::Rule(..))) {
        let words = alternatives.iter().map(inline).collect::<Vec<_>>().join(" | ");
        text.push_str(&wrapped(&words, "    ", "  | ", " | "));
        return text;
    }
    for (index, alternative) in alternatives.iter().enumerate() {
        let first = if index == 0 { "    " } else { "  | " };
        text.push_str(&wrapped(&sequence(alternative), first, "        ", " "));
    }
    text
}

/// The text in lines, cut at the separator.
fn wrapped(text: &str, first: &str, next: &str, separator: &str) -> String {
    let mut lines = vec![first.to_owned()];
    for (index, word) in words(text, separator).into_iter().enumerate() {
        let Some(line) = lines.last_mut() else { break };
        let fresh = index == 0;
        if !fresh && line.chars().count() + separator.len() + word.chars().count() > WIDTH {
            lines.push(format!("{next}{word}"));
        } else if fresh {
            line.push_str(word);
        } else {
            line.push_str(separator);
            line.push_str(word);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The pieces between separators, groups in parentheses kept together.
fn words<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let mut words = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0_u32, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        let here = text.get(at..).unwrap_or_default();
        if depth == 0 && !quoted && at > start && here.starts_with(separator) {
            words.push(text.get(start..at).unwrap_or_default());
            start = at + separator.len();
        }
    }
    words.push(text.get(start..).unwrap_or_default());
    words
}

/// On one line.
fn inline(expression: &Expression) -> String {
    match expression {
        Expression::Choice(alternatives) => alternatives.iter().map(sequence).collect::<Vec<_>>().join(" | "),
        _ => sequence(expression),
    }
}

fn sequence(expression: &Expression) -> String {
    match expression {
        Expression::Sequence(parts) => parts.iter().map(unit).collect::<Vec<_>>().join(" "),
        _ => unit(expression),
    }
}

/// As one symbol: in parentheses where it is not one.
fn unit(expression: &Expression) -> String {
    match expression {
        Expression::Terminal(token) => format!("\"{token}\""),
        Expression::Rule(name, _) => name.clone(),
        Expression::Repeat(inner, mark) => format!("{}{mark}", unit(inner)),
        Expression::Sequence(_) | Expression::Choice(_) => format!("({})", inline(expression)),
    }
}
