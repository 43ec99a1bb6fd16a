//! Values: payloads, outputs, lists.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// A value or an entry of a payload in the words of another language.
    pub(super) fn value(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        let place = self.place(number)?;
        match self.kind(number)? {
            K::BraceOpen if self.is(next, K::BraceOpen) => self.braced_path(number),
            K::LeadingDot if place.start && self.is_payload(number) => self.shorthand(number),
            K::Ellipsis if place.start => {
                let end = self.path(next)?;
                let comma = usize::from(self.is(end, K::Comma));
                let error = foreign(self.spans(number, end - 1), "a value cannot include the entries of another one")
                    .label("not part of the language")
                    .help("write the entries one by one: `name: .step.name`");
                Some(Habit { error, changes: vec![Change::delete(number..end + comma)], end: end + comma })
            }
            K::Not
                if self.is(next, K::Dot)
                    || (self.is(next, K::LeadingDot) && self.glued(number) && self.before(number).is_some_and(K::is_word)) =>
            {
                let error = foreign(self.span(number), "there is no `!` in a path")
                    .label("not part of a path")
                    .help("a value that may be absent is read with `?`, as in `.a?.b`, or has a default, `.a ?? \"none\"`")
                    .replace(Applicability::Unsafe, "remove `!`", self.span(number), "");
                let instead = self.read_as(next, K::Dot);
                Some(Habit { error, changes: vec![Change::new(number..next + 1, instead)], end: next + 1 })
            }
            K::Dot | K::LeadingDot if self.before(number) == Some(K::String) && self.word(next) == Some("format") => self.formatted(number),
            K::Dot if self.is_conversion(number) => {
                let end = number + 4;
                let error = foreign(self.spans(number, end - 1), "a value keeps its type; it has no methods")
                    .label("not part of a path")
                    .help("a placeholder in a string shows any value: `\"{{.step.total}}\"`")
                    .replace(Applicability::Unsafe, "remove the call", self.spans(number, end - 1), "");
                Some(Habit { error, changes: vec![Change::delete(number..end)], end })
            }
            K::As if self.text(next) == "const" && !self.starts_line(number) => {
                let error = foreign(self.spans(number, next), "a literal is constant by itself").label("remove `as const`").replace(
                    Applicability::Safe,
                    "remove `as const`",
                    self.with_gap_before(number..next + 1),
                    "",
                );
                Some(Habit { error, changes: vec![Change::delete(number..next + 1)], end: next + 1 })
            }
            K::LeadingDot | K::Dot if self.before(number) == Some(K::String) && self.is(next, K::LeadingDot) => {
                let string = number - 1;
                let end = self.path(next)?;
                let inner = self.text(string).strip_suffix('"')?;
                let written = format!("{inner}{{{{{}}}}}\"", self.slice(self.spans(next, end - 1)));
                let whole = self.spans(string, end - 1);
                let error = foreign(self.span(number), "strings cannot be joined; use placeholders in one string")
                    .label("not part of the language")
                    .help(format!("write `{written}`"))
                    .replace(Applicability::Safe, format!("write `{written}`"), whole, written);
                Some(Habit { error, changes: vec![Change::delete(number..end)], end })
            }
            K::Arrow
                if self.before(number).is_some_and(K::is_word)
                    && self.glued(number)
                    && self.word(next).is_some()
                    && self.is_in_path(number) =>
            {
                let error = foreign(self.span(number), "a field is read with a dot").label("write `.`").replace(
                    Applicability::Safe,
                    "write `.`",
                    self.span(number),
                    ".",
                );
                Some(Habit { error, changes: vec![Change::new(number..next, self.read_as(number, K::Dot))], end: next })
            }
            K::BracketOpen if self.is_in_path(number) && self.glued_before(number) => self.index(number),
            K::Identifier
                if matches!(self.text(number), "f" | "r" | "b" | "rb" | "F" | "R" | "L")
                    && self.is(next, K::String)
                    && self.glued(number) =>
            {
                self.prefixed_string(number)
            }
            K::Identifier if matches!(self.before(number), Some(K::Colon | K::Assign)) && self.converted(number).is_some() => {
                self.converted(number)
            }
            K::Identifier if matches!(self.before(number), Some(K::Colon | K::Assign)) && self.constructed(number).is_some() => {
                self.constructed(number)
            }
            K::Identifier
                if matches!(self.text(number), "new" | "lambda" | "await")
                    && matches!(self.before(number), Some(K::Colon | K::Assign))
                    && self.word(next).is_some() =>
            {
                self.code(number)
            }
            K::Identifier if self.text(number) == "if" && !place.start => self.python_ternary(number),
            K::ParenOpen if self.before(number) == Some(K::Colon) => self.arrow_function(number),
            _ => None,
        }
    }

    /// `.toString()` after a path.
    fn is_conversion(&self, number: usize) -> bool {
        matches!(self.text(number + 1), "toString" | "to_string" | "ToString" | "String" | "valueOf" | "unwrap" | "clone" | "copy")
            && self.is(number + 2, K::ParenOpen)
            && self.is(number + 3, K::ParenClose)
    }

    /// `JSON.stringify(.a)`, `str(.a)`.
    fn converted(&self, number: usize) -> Option<Habit> {
        let (open, _) = self.dotted(number)?;
        let converts = matches!(
            self.text(open.checked_sub(1)?),
            "stringify" | "dumps" | "String" | "str" | "Number" | "Int" | "float" | "toString" | "deepcopy" | "Sprint"
        );
        let (first, close) = (open + 1, self.closer(open).filter(|_| converts && self.is(open, K::ParenOpen))?);
        if !self.is(first, K::LeadingDot) || self.path(first) != Some(close) {
            return None;
        }
        let path = self.slice(self.spans(first, close - 1));
        let whole = self.spans(number, close);
        let error = foreign(whole, "a value keeps its type; it cannot be converted")
            .label(format!("write `{path}`"))
            .help("a placeholder in a string shows any value: `\"{{.step.total}}\"`")
            .replace(Applicability::Unsafe, format!("write `{path}`"), whole, path);
        Some(Habit { error, changes: vec![Change::delete(number..first), Change::delete(close..close + 1)], end: close + 1 })
    }

    fn glued_before(&self, number: usize) -> bool {
        number.checked_sub(1).is_some_and(|before| self.glued(before))
    }

    /// Whether a path ends directly before a token.
    fn is_in_path(&self, number: usize) -> bool {
        let mut here = number;
        while let Some(before) = here.checked_sub(1) {
            match self.kind(before) {
                Some(K::LeadingDot) => return true,
                Some(kind) if kind.is_word() || kind == K::Dot => here = before,
                _ => return false,
            }
        }
        false
    }

    /// Whether a token is in the braces of a payload or an output.
    fn is_payload(&self, number: usize) -> bool {
        let opener = (0..number)
            .rev()
            .take(super::FAR)
            .find(|token| self.kind(*token).is_some_and(K::is_opener) && self.closer(*token).is_none_or(|close| close > number));
        opener.is_some_and(|opener| self.is(opener, K::BraceOpen))
    }

    /// `{ .input.ticket }`.
    fn shorthand(&self, number: usize) -> Option<Habit> {
        let end = self.path(number)?;
        if !matches!(self.kind(end), Some(K::Comma | K::BraceClose)) {
            return None;
        }
        let name = (number..end).rev().find_map(|token| self.word(token))?;
        let path = self.slice(self.spans(number, end - 1));
        let error = foreign(self.spans(number, end - 1), "each entry has a name")
            .label("the name is missing before this")
            .help(format!("write `{name}: {path}`"))
            .replace(Applicability::Unsafe, format!("write `{name}: {path}`"), Span::at(self.span(number).start), format!("{name}: "));
        let instead = self.made_up(number, &[K::Identifier, K::Colon]);
        Some(Habit { error, changes: vec![Change::new(number..number, instead)], end })
    }

    /// `.tags[i]`, `.tags[-1]`.
    fn index(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number)?;
        let known = close == number + 1 || (close == number + 2 && matches!(self.kind(number + 1), Some(K::Number | K::String)));
        if known {
            return None;
        }
        let inside = self.spans(number + 1, close - 1);
        let error = foreign(inside, "an index is a literal whole number, counted from the start").label("not an index").help(
            "write `[0]` for the first element; for all elements, write `each .list as item` at the step; a tool can compute other values",
        );
        Some(Habit { error, changes: vec![Change::new(number + 1..close, self.made_up(number + 1, &[K::Number]))], end: close })
    }

    /// `f"…"`, `r"…"`.
    fn prefixed_string(&self, number: usize) -> Option<Habit> {
        let string = number + 1;
        let prefix = self.text(number);
        let error = foreign(self.span(number), "nothing is written before a string").label(format!("there is no `{prefix}`"));
        let text = self.text(string);
        let written = if matches!(prefix, "f" | "F") { placeholders(text) } else { text.to_owned() };
        let error =
            if matches!(prefix, "f" | "F") { error.help("a placeholder is a path in double braces: `\"{{.name}}\"`") } else { error };
        let error = error.replace(Applicability::Unsafe, format!("write `{written}`"), self.spans(number, string), written);
        Some(Habit { error, changes: vec![Change::delete(number..string)], end: string })
    }

    /// `new Date()`, `lambda x: x`.
    fn code(&self, number: usize) -> Option<Habit> {
        let end = self.entry_end(number);
        let error = foreign(self.spans(number, end - 1), "a value is a literal, a path or a string with placeholders; it cannot compute")
            .label("not a value")
            .help("have a tool compute it: `step made on a { call make { … } }`, then read `.made`");
        Some(Habit { error, changes: vec![Change::new(number..end, self.made_up(number, &[K::String]))], end })
    }

    /// The number after the entry of an object, a list or an output.
    fn entry_end(&self, number: usize) -> usize {
        let mut here = number;
        while here < self.lexemes.len() {
            if here > number
                && (self.starts_line(here) || matches!(self.kind(here), Some(K::Comma)) || self.kind(here).is_some_and(K::is_closer))
            {
                break;
            }
            here = self.closer(here).map_or(here, |close| close) + 1;
        }
        here
    }

    /// `.a if .b else .c`.
    fn python_ternary(&self, number: usize) -> Option<Habit> {
        let end = self.entry_end(number);
        let or_else = (number..end).find(|token| self.text(*token) == "else")?;
        let error = foreign(self.span(number), "a value cannot have a condition")
            .label("not part of the language")
            .also(self.span(or_else), "the other value")
            .help("let two nodes choose: `end yes on STEP when CONDITION = …` and `end no on STEP else = …`");
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `(x) => x.text`.
    fn arrow_function(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number)?;
        let arrow = self.is(close + 1, K::Assign) && self.is(close + 2, K::Greater);
        (arrow || self.is(close + 1, K::Arrow)).then(|| self.code(number)).flatten()
    }
}

/// A string whose single braces become placeholders.
pub(crate) fn placeholders(text: &str) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inside, following)) = after.split_once('}').filter(|(inside, _)| is_plain_path(inside)) else {
            written.push_str(before);
            written.push('{');
            rest = after;
            continue;
        };
        written.push_str(before.strip_suffix('$').unwrap_or(before));
        let dot = if inside.trim().starts_with('.') { "" } else { "." };
        written.push_str("{{");
        written.push_str(dot);
        written.push_str(inside.trim());
        written.push_str("}}");
        rest = following;
    }
    written.push_str(rest);
    written
}

/// Whether a text in braces is a path and nothing else.
fn is_plain_path(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix('.').unwrap_or(text);
    !text.is_empty() && text.split('.').all(words::is_name)
}
