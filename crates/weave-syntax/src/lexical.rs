//! What is said about tokens that are none, or that stand in a wrong place.

use weave_diagnostics::{Applicability, Span};

use crate::codes;
use crate::error::{SyntaxError, SyntaxFix};
use crate::lexer::is_foreign_letter;
use crate::token::TokenKind as K;

/// What is wrong with a fault token.
pub(crate) fn fault(kind: K, span: Span, text: &str) -> Option<SyntaxError> {
    match kind {
        K::Unknown => Some(unknown(span, text)),
        K::BadNumber => Some(bad_number(span, text)),
        K::OpenString => Some(open_string(span, text)),
        K::OpenTextBlock => Some(open_text_block(span)),
        K::OpenComment => Some(open_comment(span)),
        _ => None,
    }
}

/// What the grammar reads in the place of a fault; nothing if it reads nothing.
pub(crate) fn meaning(kind: K, text: &str) -> Option<K> {
    match kind {
        K::Unknown if text.starts_with(['\'', '`']) && text.len() > 1 => Some(K::String),
        K::Unknown if text.starts_with('\u{201c}') && text.ends_with('\u{201d}') => Some(K::String),
        K::Unknown if text.contains(is_foreign_letter) && !text.starts_with('\u{201c}') => Some(K::Identifier),
        K::Unknown if text == "&" => Some(K::And),
        // A number with letters behind it was most likely meant as a duration.
        K::BadNumber
            if text
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .starts_with(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E' | 'x')) =>
        {
            Some(K::Duration)
        }
        K::BadNumber => Some(K::Number),
        K::OpenString => Some(K::String),
        K::OpenTextBlock => Some(K::TextBlock),
        _ => None,
    }
}

fn unknown(span: Span, text: &str) -> SyntaxError {
    let code = &codes::UNKNOWN_CHARACTER;
    let first = text.chars().next().unwrap_or_default();
    if text.len() > 1 && first == '\'' {
        let inner = text.trim_matches('\'').replace('\\', "\\\\").replace('"', "\\\"");
        return SyntaxError::new(&codes::SINGLE_QUOTES, span, "strings are written in double quotes").label("in single quotes").replace(
            Applicability::Safe,
            "use double quotes",
            span,
            format!("\"{inner}\""),
        );
    }
    if text.len() > 1 && first == '`' {
        let inner = text.trim_matches('`').replace('\\', "\\\\").replace('"', "\\\"");
        let written = format!("\"{}\"", crate::habits::values::placeholders(&inner));
        return SyntaxError::new(&codes::FOREIGN_FORM, span, "strings are in double quotes")
            .label("in backticks")
            .help("a placeholder is a path in double braces: `\"hello {{.name}}\"`")
            .replace(Applicability::Unsafe, format!("write `{written}`"), span, written);
    }
    if text.len() > 1 && first == '#' {
        let text = format!("//{}", text.trim_start_matches('#'));
        return SyntaxError::new(code, span, "comments start with `//`").label("`#` does not start a comment").replace(
            Applicability::Safe,
            "start the comment with `//`",
            span,
            text,
        );
    }
    if first == '\u{201c}' && text.ends_with('\u{201d}') {
        let inner = text.trim_matches(['\u{201c}', '\u{201d}']).replace('\\', "\\\\").replace('"', "\\\"");
        return SyntaxError::new(code, span, "strings are in straight double quotes").label("in typographic quotation marks").replace(
            Applicability::Safe,
            "use straight quotes",
            span,
            format!("\"{inner}\""),
        );
    }
    if text.contains(is_foreign_letter) {
        return SyntaxError::new(code, span, format!("`{}` is not a name: names consist of ASCII letters, digits and `_`", shown(text)))
            .label("contains letters outside ASCII")
            .help(format!("a key with other letters must be quoted: `\"{}\"`; otherwise use another name", shown(text)));
    }
    if matches!(first, '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2018}' | '\u{2019}' | '\u{ab}' | '\u{bb}') {
        return SyntaxError::new(code, span, format!("`{}` is not a quotation mark of the language", shown(text)))
            .label("a typographic quotation mark")
            .help("write strings in straight double quotes: `\"…\"`")
            .replace(Applicability::Unsafe, "write `\"`", span, "\"");
    }
    if text == "&" {
        return SyntaxError::new(code, span, "unknown character `&`").label("a single `&`").replace(
            Applicability::Safe,
            "write `&&`",
            span,
            "&&",
        );
    }
    if text.chars().any(char::is_control) || text.chars().any(|c| c.is_whitespace() || is_invisible(c)) {
        let names: Vec<String> = text.chars().take(3).map(|c| format!("U+{:04X}", c as u32)).collect();
        let more = if text.chars().count() > 3 { " …" } else { "" };
        return SyntaxError::new(code, span, format!("unexpected invisible character {}{more}", names.join(" ")))
            .label("invisible")
            .replace(Applicability::Safe, "remove it", span, if text.chars().all(char::is_whitespace) { " " } else { "" });
    }
    SyntaxError::new(code, span, format!("unknown character{} `{}`", if text.chars().count() > 1 { "s" } else { "" }, shown(text)))
        .label("not part of the language")
}

/// `$.a`, `$a`, `${a.b}`: what is said, the braces that are left out, and what the mark is read as. The rest is the text after the mark.
pub(crate) fn dollar(span: Span, rest: &str) -> Option<(SyntaxError, Vec<u32>, Option<K>)> {
    let error = |place: Span, shown: &str| {
        SyntaxError::new(&codes::FOREIGN_FORM, place, "a path starts with a dot, and has no `$`").label(format!("write `{shown}`"))
    };
    let path_end = |text: &str| text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(text.len());
    if let Some(inside) = rest.strip_prefix('{') {
        let line = inside.split(['\n', '\r']).next().unwrap_or_default();
        let (twice, inner) = line.strip_prefix('{').map_or((false, line), |inner| (true, inner));
        let (inner, _) = inner.split_once('}')?;
        let path = inner.trim();
        if path.is_empty() || path_end(path) < path.len() {
            return None;
        }
        let dot = if path.starts_with('.') { "" } else { "." };
        let braces = 1 + u32::from(twice);
        let open = span.end;
        let close = open + braces + inner.len() as u32;
        let whole = Span::new(span.start, close + braces);
        let written = format!("{dot}{path}");
        let error = error(whole, &written).replace(Applicability::Safe, format!("write `{written}`"), whole, written.clone());
        let dropped = (0..braces).flat_map(|number| [open + number, close + number]).collect();
        return Some((error, dropped, dot.starts_with('.').then_some(K::LeadingDot)));
    }
    let path = rest.get(..path_end(rest)).unwrap_or_default();
    let whole = Span::new(span.start, span.end + path.len() as u32);
    if path.starts_with('.') && path.len() > 1 {
        return Some((error(whole, path).replace(Applicability::Safe, "remove `$`", span, ""), Vec::new(), None));
    }
    let is_name = path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let written = format!(".{path}");
    is_name.then(|| {
        (error(whole, &written).replace(Applicability::Safe, format!("write `{written}`"), span, "."), Vec::new(), Some(K::LeadingDot))
    })
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

/// A text that is quoted in a message: one line, cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    let mut shown: String = line.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if line.len() < text.len() || line.chars().count() > LONGEST {
        shown.push('…');
    }
    shown
}

fn bad_number(span: Span, text: &str) -> SyntaxError {
    let error = SyntaxError::new(&codes::BAD_NUMBER, span, format!("`{}` is neither a number nor a duration", shown(text)));
    let digits = text.trim_start_matches('0');
    if text.starts_with('0') && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return error.label("leading zero").replace(Applicability::Safe, format!("write `{digits}`"), span, digits);
    }
    let plain = text.replace('_', "");
    if text.contains('_') && plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return error.label("has a `_`").replace(Applicability::Safe, format!("write `{plain}`"), span, plain);
    }
    if let Some(number) = radix(text) {
        let number = number.to_string();
        return error.label("not a decimal number").replace(Applicability::Safe, format!("write `{number}`"), span, number);
    }
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let help = match unit {
        "sec" | "secs" | "second" | "seconds" => "write seconds as `30s`",
        "min" | "mins" | "minute" | "minutes" => "write minutes as `5m`",
        "hour" | "hours" | "hr" | "hrs" => "write hours as `24h`",
        "day" | "days" => "write days as `7d`",
        "w" | "week" | "weeks" => "write a week as `7d`",
        "mo" | "month" | "months" | "y" | "year" | "years" => {
            "the units are `ms`, `s`, `m`, `h` and `d`: months and years vary in length, so write days, as in `30d`"
        }
        "ms" | "s" | "m" | "h" | "d" => "a duration consists of integers; write `1h30m` for one and a half hours",
        _ => "numbers look like `12`, `0.5` and `1e9`; durations like `250ms`, `30s`, `5m`, `24h` and `7d`; names start with a letter",
    };
    let error = error.label("not a number").help(help);
    let number = text.strip_suffix(unit).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    match (number, unit_of(unit)) {
        (Some(number), Some(own)) => error.replace(Applicability::Safe, format!("write `{number}{own}`"), span, format!("{number}{own}")),
        _ => error,
    }
}

/// A whole number in hexadecimal, octal or binary digits.
fn radix(text: &str) -> Option<u32> {
    let (prefix, digits) = text.split_at_checked(2)?;
    let radix = match prefix {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    u32::from_str_radix(digits, radix).ok()
}

/// The unit of a duration that a word means.
pub(crate) fn unit_of(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "ms" | "millis" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "min" | "mins" | "minute" | "minutes" => "m",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        "d" | "day" | "days" => "d",
        _ => return None,
    })
}

fn open_string(span: Span, text: &str) -> SyntaxError {
    let end = span.start + text.trim_end().len() as u32;
    let end = if text.ends_with('\\') { span.end } else { end };
    SyntaxError::new(&codes::OPEN_STRING, span, "this string is not closed")
        .label("expected `\"` before the end of the line")
        .replace(Applicability::Unsafe, "insert `\"`", Span::at(end), "\"")
        .help("a string ends on its line; use a text block for a longer text: `\"\"\"`")
}

fn open_text_block(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::OPEN_TEXT_BLOCK, Span::new(span.start, span.start + 3), "this text block is not closed")
        .label("the text block starts here")
        .also(Span::at(span.end), "expected `\"\"\"` before this")
        .help("close it with `\"\"\"` on a line of its own")
        .replace(Applicability::Unsafe, "insert `\"\"\"`", Span::at(span.end), "\n  \"\"\"\n")
}

fn open_comment(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::OPEN_COMMENT, Span::new(span.start, span.start + 2), "this comment is not closed")
        .label("the comment starts here and includes all text after it")
        .help("close it with `*/`; comments nest, so each `/*` needs one")
}

/// The quotes of a text block that are not where they should be.
pub(crate) fn text_block_layout(span: Span, text: &str) -> Option<SyntaxError> {
    let lines = text.lines().count();
    let opening = text.get(3..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let closing = text.rsplit('\n').next().unwrap_or_default();
    let code = &codes::TEXT_BLOCK_LAYOUT;
    if !opening.trim().is_empty() {
        let error = SyntaxError::new(code, Span::new(span.start, span.start + 3), "the text of a text block starts on the next line")
            .label("expected the end of the line after this");
        let inner = text.get(3..text.len().saturating_sub(3)).unwrap_or_default();
        if lines == 1 && !inner.contains(['"', '\\']) {
            return Some(error.help("write a single line of text as a string").replace(
                Applicability::Safe,
                "make it a string",
                span,
                format!("\"{inner}\""),
            ));
        }
        return Some(error.replace(Applicability::Unsafe, "start a new line", Span::at(span.start + 3), "\n"));
    }
    if closing.trim() != "\"\"\"" {
        let at = Span::new(span.end.saturating_sub(3), span.end);
        return Some(
            SyntaxError::new(code, at, "the `\"\"\"` that closes a text block must be at the start of a line")
                .label("after other text")
                .replace(Applicability::Unsafe, "put it on a line of its own", Span::at(at.start), "\n"),
        );
    }
    None
}

/// `;`, which the language does not have.
pub(crate) fn semicolon(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::SEMICOLON, span, "the language has no `;`")
        .label("unexpected `;`")
        .help("entries end with their line; separate entries on one line with commas")
        .replace(Applicability::Unsafe, "remove `;`", span, "")
}

/// Many semicolons in one item are one habit, reported at the first of them; the fix removes all.
pub(crate) fn join_semicolons(errors: &mut Vec<SyntaxError>) {
    let mut others = Vec::new();
    let mut first: Option<usize> = None;
    let mut index = 0;
    errors.retain(|error| {
        let is_semicolon = error.code == &codes::SEMICOLON;
        let keep = !is_semicolon || first.is_none();
        if is_semicolon && first.is_some() {
            others.extend(error.fixes.iter().flat_map(|fix| fix.edits.iter().cloned()));
        } else if is_semicolon {
            first = Some(index);
        }
        index += usize::from(keep);
        keep
    });
    if let Some(fix) = first.and_then(|first| errors.get_mut(first)).and_then(|error| error.fixes.first_mut())
        && !others.is_empty()
    {
        fix.edits.append(&mut others);
        "remove every `;` of this item".clone_into(&mut fix.message);
    }
}

/// Brackets that nest too deep.
pub(crate) fn too_deep(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::NESTING_TOO_DEEP, span, format!("nested more than {} levels deep", crate::feed::DEEPEST))
        .label("the contents are skipped")
        .help("declare a type for the inner part, or make the value flatter")
}

/// A doc comment behind something on its line.
pub(crate) fn doc_behind(span: Span, text: &str) -> SyntaxError {
    if text.contains('}') || text.contains(": ") {
        return doc_swallows(span);
    }
    SyntaxError::new(&codes::MISPLACED_DOC, span, "a doc comment goes on the line before what it describes")
        .label("this does not describe anything")
        .help("move it to its own line before the entry, or write `//` for a comment for people only")
        .fix(SyntaxFix {
            message: "make it a comment".to_owned(),
            edits: vec![(Span::new(span.start, span.start + 3), "//".to_owned())],
            applicability: Applicability::Unsafe,
        })
}

/// A doc comment that most likely has code in it.
fn doc_swallows(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::MISPLACED_DOC, span, "a comment extends to the end of its line")
        .label("all of this is a comment")
        .help("continue on the next line; doc comments go on lines of their own before what they describe")
}

/// A doc comment before something that has no docs.
pub(crate) fn doc_before_nothing(span: Span, text: &str) -> SyntaxError {
    if text.trim_end().ends_with('}') && text.contains('{') && !text.contains('`') {
        return doc_swallows(span);
    }
    SyntaxError::new(&codes::MISPLACED_DOC, span, DESCRIBES_NOTHING)
        .label("no doc comment is allowed here")
        .help("doc comments describe items, parameters, fields, values of enums and nodes; write `//` for a comment for people only")
        .fix(SyntaxFix {
            message: "make it a comment".to_owned(),
            edits: vec![(Span::new(span.start, span.start + 3), "//".to_owned())],
            applicability: Applicability::Unsafe,
        })
}

const DESCRIBES_NOTHING: &str = "this doc comment does not describe anything";

/// Lines of one doc comment that describes nothing are one mistake, told at the first of them; the fix changes all. The mistakes are in the order of the text.
pub(crate) fn join_docs(mistakes: &mut Vec<SyntaxError>, text: &str) {
    mistakes.dedup_by(|next, first| {
        if [&*first, &*next].iter().any(|mistake| mistake.message != DESCRIBES_NOTHING) {
            return false;
        }
        let (Some(fix), Some(more)) = (first.fixes.last_mut(), next.fixes.last_mut()) else { return false };
        // A doc comment takes all of its line.
        let follows = |last: Span| Span::new(last.start, next.span.start).text(text).matches('\n').count() == 1;
        let goes_on = fix.edits.last().is_some_and(|(last, _)| follows(*last));
        if goes_on {
            fix.edits.append(&mut more.edits);
        }
        goes_on
    });
}

/// `//!` that is not at the top of the file.
pub(crate) fn module_doc(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::MISPLACED_DOC, span, "`//!` describes the file and goes before its first item")
        .label("after the start of an item")
        .help("write `///` before what it describes, or `//` for a comment")
}
