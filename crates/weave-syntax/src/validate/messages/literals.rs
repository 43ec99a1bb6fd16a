//! Strings, text blocks, numbers, durations, placeholders.

use weave_diagnostics::{Applicability, Span, counted};

use super::quoted;
use crate::SyntaxError;
use crate::codes_validate as codes;
use weave_scalars::duration::DurationFault;

use crate::text::EscapeFault;

pub(crate) fn bad_escape(span: Span, written: &str, fault: EscapeFault) -> SyntaxError {
    let error = |message: &str, label: &str| SyntaxError::new(&codes::BAD_ESCAPE, span, message).label(label);
    let behind = written.strip_prefix('\\').unwrap_or(written).to_owned();
    match fault {
        EscapeFault::Unknown('\'') => error("strings have no escape `\\'`", "a single quote needs no escape").replace(
            Applicability::Safe,
            "remove the backslash",
            span,
            behind,
        ),
        EscapeFault::Unknown(letter) => error(&format!("strings have no escape `{written}`"), "not an escape")
            .help(match letter {
                'x' | '0'..='9' | 'a' | 'e' | 'v' | 'U' => {
                    "write the code of the character as `\\uXXXX`, or double the backslash for a literal one".to_owned()
                }
                _ => format!("double the backslash for a literal one: `\\\\{letter}`"),
            })
            .replace(Applicability::Unsafe, "double the backslash", span, format!("\\{written}")),
        EscapeFault::SingleBrace => error("a single brace needs no escape", "remove the backslash")
            .help("`\\{{` writes two literal braces; a single `{` needs no escape")
            .replace(Applicability::Safe, "remove the backslash", span, behind),
        EscapeFault::ShortUnicode => error("`\\u` must be followed by four hexadecimal digits", "four digits are required")
            .help("write the code of the character with four digits, as in `\\u00e9`; write a character beyond `\\uFFFF` as a pair, as in `\\ud83d\\ude00`"),
        EscapeFault::LoneSurrogate => error(&format!("`{written}` is half of a character"), "its other half is missing")
            .help("a character beyond `\\uFFFF` is a pair, from `\\ud800\\udc00` to `\\udbff\\udfff`"),
        EscapeFault::Nothing => {
            error("nothing follows the backslash", "not an escape").help("double the backslash for a literal one")
        }
    }
}

pub(crate) fn text_in_margin(span: Span, closing: Span, lines: usize) -> SyntaxError {
    let error = SyntaxError::new(&codes::TEXT_IN_MARGIN, span, "a line of this text block is indented less than its closing quotes")
        .label("text in the margin")
        .also(closing, "the indentation of these quotes is the margin")
        .help("indent the line at least as far as the closing quotes, or move the quotes to the left");
    if lines > 1 { error.note(format!("the block has {} in the margin", counted(lines, "line"))) } else { error }
}

/// `ty` is the type whose value it is, where that is known: the place of its name, and the name.
pub(crate) fn number_too_large(span: Span, raw: &str, ty: Option<(Span, &str)>) -> SyntaxError {
    let digits = crate::text::number_text(raw);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    let string = plain.then(|| format!("\"{digits}\""));
    // What fits 64 bits stays a whole number.
    let wider = if digits.parse::<i64>().is_ok() { "int64" } else { "decimal" };
    let error = SyntaxError::new(&codes::NUMBER_TOO_LARGE, span, format!("{} is too large to be represented exactly", quoted(raw)))
        .label("beyond \u{b1}9007199254740991");
    let fix = |message: String, edits, applicability| crate::SyntaxFix { message, edits, applicability };
    match (ty, string) {
        (Some((_, written @ ("decimal" | "int64"))), string) => {
            let error = error.help(format!("write it as a string, which is the JSON form of {} `{written}`", article(written)));
            match string.filter(|_| written == "decimal" || wider == "int64") {
                Some(string) => error.replace(Applicability::Safe, "write it as a string", span, string),
                None => error,
            }
        }
        (Some((place, "int" | "float")), Some(string)) => {
            let edits = vec![(place, wider.to_owned()), (span, string)];
            error.help(format!("{} `{wider}` can hold it, and is written as a string", article(wider))).fix(fix(
                format!("make it {} `{wider}`", article(wider)),
                edits,
                Applicability::Unsafe,
            ))
        }
        _ => error.help("values of this size have the type `int64` or `decimal`, which are written as strings"),
    }
}

fn article(ty: &str) -> &'static str {
    if ty.starts_with('i') { "an" } else { "a" }
}

pub(crate) fn bad_duration(span: Span, raw: &str, fault: DurationFault) -> SyntaxError {
    match fault {
        DurationFault::TooLong => SyntaxError::new(&codes::BAD_DURATION, span, format!("the duration {} is too long", quoted(raw)))
            .label("more than 315,576,000,000 seconds")
            .help("the longest duration is 3652500d, ten thousand years"),
        DurationFault::Order | DurationFault::Malformed => {
            SyntaxError::new(&codes::BAD_DURATION, span, format!("the units of the duration {} are in the wrong order", quoted(raw)))
                .label("from the largest unit to the smallest, each only once")
                .help("write the units in the order `d`, `h`, `m`, `s`, `ms`, as in `1h30m`")
        }
    }
}

pub(crate) fn empty_placeholder(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_PLACEHOLDER, span, "this placeholder is empty")
        .label("a path is missing between the braces")
        .help("name the value to insert, as in `{{.name}}`; `\\{{` writes two literal braces")
}

pub(crate) fn unclosed_placeholder(span: Span, end: u32, has_path: bool) -> SyntaxError {
    let error = SyntaxError::new(&codes::UNCLOSED_PLACEHOLDER, span, "this placeholder is not closed")
        .label("`}}` is missing on this line")
        .help("close it with `}}`; `\\{{` writes two literal braces");
    if has_path { error.replace(Applicability::Unsafe, "insert `}}`", Span::at(end), "}}") } else { error }
}

pub(crate) fn bad_placeholder(span: Span, label: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_PLACEHOLDER, span, "a placeholder contains only a path")
        .label(label)
        .help("write a path, `{{.name}}`, with an optional default, `{{.name ?? \"you\"}}`; compute other values in a tool")
        .note("write two literal braces as `\\{{`")
}

/// `{{.name | upper}}`.
pub(crate) fn filter(span: Span, filter: &str) -> SyntaxError {
    let error = SyntaxError::new(&codes::BAD_PLACEHOLDER, span, "a placeholder contains only a path; there are no filters")
        .label("not part of a path");
    let argument = filter.strip_prefix("default").map(|rest| rest.trim_matches([' ', '(', ')', ':', '\'', '"']));
    match argument.filter(|argument| !argument.is_empty() && !argument.contains(['"', '\\', '\''])) {
        Some(argument) => error.help("a default follows `??`").replace(
            Applicability::Safe,
            format!("write `?? \"{argument}\"`"),
            span,
            format!("?? \"{argument}\""),
        ),
        None => error.help("have the model or a tool produce the text in the form that you need"),
    }
}

pub(crate) fn escaped_quote(span: Span, mended: Option<Vec<(Span, String)>>) -> SyntaxError {
    let error = SyntaxError::new(&codes::ESCAPED_QUOTE, span, "quotes in a placeholder are not escaped")
        .label("remove the backslash")
        .help("the contents of a placeholder are source text: write `{{.name ?? \"you\"}}`, even inside a string");
    match mended {
        Some(edits) => {
            error.fix(crate::SyntaxFix { message: "remove the backslashes".to_owned(), edits, applicability: Applicability::Safe })
        }
        None => error,
    }
}
