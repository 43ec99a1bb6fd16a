//! The tokens of generated modules.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Text,
    /// A text between backticks, with what is filled in.
    Template,
    Sign,
}

/// A comment, and whether it stands behind a blank line.
pub(super) type Comment<'a> = (&'a str, bool);

/// A token, and what stands before it.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) comments: Vec<Comment<'a>>,
    /// Whether it begins a line.
    pub(super) begins_line: bool,
    /// Whether it stands behind a blank line.
    pub(super) behind_blank: bool,
    /// For an opening bracket the number of the token that closes it.
    pub(super) closes_at: usize,
}

const SIGNS: [&str; 8] = ["...", "===", "!==", "=>", "??", "?.", "&&", "||"];

/// The tokens of a text, and the comments behind the last one; nothing if there is something in it that is none.
pub(super) fn tokens(text: &str) -> Option<(Vec<Token<'_>>, Vec<Comment<'_>>)> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut open = Vec::new();
    let mut comments = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let blank = rest.get(..rest.len() - trimmed.len())?;
        rest = trimmed;
        let (begins_line, behind_blank) = (blank.contains('\n'), blank.matches('\n').nth(1).is_some());
        let Some(first) = rest.chars().next() else { break };
        if rest.starts_with("//") {
            comments.push((take(&mut rest, |text| text.find('\n'))?, behind_blank));
            continue;
        }
        if rest.starts_with("/*") {
            comments.push((take(&mut rest, |text| text.find("*/").map(|at| at + 2))?, behind_blank));
            continue;
        }
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '\u{200C}' | '\u{200D}');
        let (kind, length) = if first.is_ascii_digit() {
            (Kind::Number, number(rest))
        } else if is_part(first) {
            (Kind::Name, rest.find(|it| !is_part(it)).unwrap_or(rest.len()))
        } else if matches!(first, '"' | '\'') {
            (Kind::Text, quoted(rest, first)?)
        } else if first == '`' {
            (Kind::Template, template(rest)?)
        } else {
            (Kind::Sign, SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len()))
        };
        let text = take(&mut rest, |_| Some(length))?;
        let at = tokens.len();
        match text {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => tokens.get_mut(open.pop()?)?.closes_at = at,
            _ => {}
        }
        tokens.push(Token { kind, text, comments: std::mem::take(&mut comments), begins_line, behind_blank, closes_at: 0 });
    }
    open.is_empty().then_some((tokens, comments))
}

/// The beginning of a text up to where it is to be cut; the text goes on behind it.
fn take<'a>(rest: &mut &'a str, end: impl Fn(&str) -> Option<usize>) -> Option<&'a str> {
    let (taken, left) = rest.split_at_checked(end(rest)?)?;
    *rest = left;
    Some(taken)
}

fn number(text: &str) -> usize {
    let mut before = ' ';
    let is_part = |it: char| {
        let fits = it.is_ascii_alphanumeric() || it == '.' || (matches!(it, '+' | '-') && matches!(before, 'e' | 'E'));
        before = it;
        !fits
    };
    text.find(is_part).unwrap_or(text.len())
}

/// The length of a text with its quotes.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, it)) = characters.next() {
        match it {
            '\\' => drop(characters.next()),
            _ if it == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a text between backticks, with what is filled in.
fn template(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        let rest = text.get(at..)?;
        match rest.chars().next()? {
            '`' => return Some(at + 1),
            '\\' => at += 1 + rest.chars().nth(1)?.len_utf8(),
            '$' if rest.starts_with("${") => at += "${}".len() + until_close(rest.get(2..)?)?.len(),
            other => at += other.len_utf8(),
        }
    }
}

/// The text up to the brace that closes it.
pub(super) fn until_close(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut characters = text.char_indices();
    while let Some((at, it)) = characters.next() {
        match (quote, it) {
            (Some(_), '\\') => drop(characters.next()),
            (Some(open), _) if open == it => quote = None,
            (None, '"' | '\'') => quote = Some(it),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return text.get(..at),
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    None
}
