//! Types in the words of other languages.

use weave_diagnostics::{Applicability, Span};

use super::places::Frame;
use super::{Change, Habit, NEAR, Reader, fix, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// A type in the words of another language.
    pub(super) fn ty(&self, number: usize) -> Option<Habit> {
        let before = self.before(number)?;
        let kind = self.kind(number)?;
        if let Some(habit) = self.after_type(number, kind, before) {
            return Some(habit);
        }
        let head = self.head().map(|(_, kind)| kind);
        let place = self.place(number)?;
        let expected = match before {
            K::Colon | K::Question => place.frame == Frame::Fields,
            K::Arrow => place.frame == Frame::Item,
            K::Assign => place.frame == Frame::Item && matches!(head, Some(K::Type | K::Event | K::External | K::Error)),
            _ => false,
        };
        if !expected {
            return None;
        }
        let next = number + 1;
        if matches!(self.text(number), "keyof" | "typeof" | "infer" | "unique") && self.word(next).is_some() && !self.starts_line(next) {
            let error = foreign(self.span(number), "a type cannot be computed from another one")
                .label("not part of the language")
                .help("list the values: `\"first\" | \"second\"`");
            return Some(Habit { error, changes: vec![Change::delete(number..next)], end: next });
        }
        let end = self.type_end(number)?;
        let mut token = number;
        while !self.is_foreign_type(token) {
            // What is in braces and parentheses is looked at for itself.
            let inner = matches!(self.kind(token), Some(K::BraceOpen | K::ParenOpen));
            token = self.closer(token).filter(|_| inner).map_or(token, |close| close) + 1;
            if token >= end {
                return None;
            }
        }
        if self.is_tuple(number) {
            let error = foreign(self.spans(number, end - 1), "there are no tuples: the parts of a record have names")
                .label("not a type")
                .help("write a record, `{ first: string, second: int }`, or a list, `T[]`, if all parts have one type");
            return Some(Habit { error, changes: vec![Change::new(number..end, self.made_up(number, &[K::Identifier]))], end });
        }
        let whole = self.spans(number, end - 1);
        if before == K::Arrow && end == number + 1 && words::is_null_word(self.text(number)) {
            let word = self.text(number);
            let end = end + usize::from(self.is(end, K::Colon));
            let error = foreign(self.spans(number - 1, number), "a declaration without an answer has no `->`")
                .label(format!("remove `-> {word}`"))
                .replace(Applicability::Safe, format!("remove `-> {word}`"), self.with_gap_before(number - 1..end), "");
            return Some(Habit { error, changes: vec![Change::delete(number - 1..end)], end });
        }
        let written = self.type_text(number, end);
        if written == self.slice(whole) {
            return None;
        }
        // What may be absent is said by the name of a field.
        let optional = written.strip_suffix(" | null").filter(|_| self.is_optional(number)).map(str::to_owned);
        let name = number.checked_sub(2).filter(|name| before == K::Colon && self.word(*name).is_some());
        // `= null` says the same once more.
        let mut absent = end..end;
        let (message, shown, edits) = match (optional, name) {
            (Some(inner), Some(name)) => {
                let shown = format!("{}?: {inner}", self.text(name));
                let mut edits = vec![(Span::at(self.span(name).end), "?".to_owned()), (whole, inner)];
                let is_null = self.is(end + 1, K::Null) || words::is_null_word(self.text(end + 1));
                if self.is(end, K::Assign) && is_null {
                    edits.push((self.with_gap_before(end..end + 2), String::new()));
                    absent = end..end + 2;
                }
                (format!("a field that may be absent is written `{shown}`"), shown, edits)
            }
            _ => (format!("this type is written `{written}`"), written.clone(), vec![(whole, written)]),
        };
        let error =
            foreign(whole, message).label(format!("write `{shown}`")).fix(fix(format!("write `{shown}`"), edits, Applicability::Safe));
        let mut changes = vec![Change::new(number..end, self.made_up(number, &[K::Identifier]))];
        let last = absent.end;
        if !absent.is_empty() {
            changes.push(Change::delete(absent));
        }
        Some(Habit { error, changes, end: last })
    }

    /// Whether a form of another language starts at a token of a type.
    pub(super) fn is_foreign_type(&self, number: usize) -> bool {
        let next = number + 1;
        match self.kind(number) {
            Some(kind) if kind.is_word() => {
                let bracket =
                    self.is(next, K::BracketOpen) && self.glued(number) && !self.is(next + 1, K::BracketClose) && !self.is_range(next + 1);
                let generic = self.is(next, K::Less) && is_wrapper(self.text(number));
                let generic = generic
                    || (self.is(next, K::Less) && self.closer_of_generic(next).is_some_and(|close| self.parts(next, close).len() > 1));
                let null = words::is_null_word(self.text(number))
                    && (self.text(number) != "void" || self.before(number) == Some(K::Arrow))
                    && matches!(self.before(number), Some(K::Pipe | K::Colon | K::Assign | K::Arrow | K::Less | K::Comma | K::BracketOpen));
                bracket || generic || null || self.is_enum_call(number).is_some() || (self.is(next, K::Not) && self.glued(number))
            }
            Some(K::BracketOpen) => !self.before(number).is_some_and(|before| before.is_word() || before.is_closer()),
            _ => false,
        }
    }

    /// Whether a range of numbers starts here, as in `int[1..5]`.
    pub(super) fn is_range(&self, number: usize) -> bool {
        matches!(self.kind(number), Some(K::Number | K::Minus | K::Range | K::Ellipsis))
    }

    /// Whether the type may be absent or null by its outermost word.
    pub(super) fn is_optional(&self, number: usize) -> bool {
        matches!(self.text(number), "Optional" | "Option" | "Maybe" | "optional")
    }

    /// `[string, int]`, `tuple[string, int]`.
    pub(super) fn is_tuple(&self, number: usize) -> bool {
        let open = if matches!(self.text(number), "tuple" | "Tuple") { number + 1 } else { number };
        self.is(open, K::BracketOpen) && self.closer(open).is_some_and(|close| self.parts(open, close).len() > 1)
    }

    /// The `>` of a `<` that follows a word.
    pub(super) fn closer_of_generic(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for number in open..(open + NEAR).min(self.lexemes.len()) {
            match self.kind(number)? {
                K::Less => depth += 1,
                K::Greater => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(number);
                    }
                }
                K::BraceClose | K::ParenClose => return None,
                _ => {}
            }
        }
        None
    }

    /// `enum("a", "b")`, `z.enum(["a", "b"])`: the opener of the values.
    pub(super) fn is_enum_call(&self, number: usize) -> Option<usize> {
        let mut last = number;
        while self.is(last + 1, K::Dot) && self.word(last + 2).is_some() {
            last += 2;
        }
        let is_enum = matches!(self.text(last), "enum" | "Enum" | "oneOf" | "one_of" | "OneOf" | "union" | "literal" | "Literal" | "anyOf");
        let open = last + 1;
        let inner = if self.is(open, K::ParenOpen) && self.is(open + 1, K::BracketOpen) { open + 1 } else { open };
        let has_values = matches!(self.kind(inner + 1), Some(K::String | K::Number));
        (is_enum && self.is(open, K::ParenOpen) && has_values).then_some(inner)
    }

    /// The number after the type that starts at a token.
    pub(super) fn type_end(&self, number: usize) -> Option<usize> {
        let mut start = number;
        loop {
            // `[][]string` continues after its brackets.
            while self.is(start, K::BracketOpen) && self.is(start + 1, K::BracketClose) && self.kind(start + 2).is_some() {
                start += 2;
            }
            let mut end = match self.kind(start)? {
                K::BraceOpen | K::ParenOpen | K::BracketOpen => self.closer(start)? + 1,
                K::String | K::Number => start + 1,
                kind if kind.is_word() => start + 1,
                _ => return None,
            };
            loop {
                let Some(kind) = self.kind(end) else { return Some(end) };
                match kind {
                    K::BracketOpen | K::ParenOpen if self.span(end - 1).end == self.span(end).start => end = self.closer(end)? + 1,
                    K::Dot if self.word(end + 1).is_some() => end += 2,
                    K::Less => end = self.closer_of_generic(end)? + 1,
                    K::Question | K::Not => end += 1,
                    _ => break,
                }
            }
            // `map[string]string`
            let maps = self.word(end).is_some() && self.is(end - 1, K::BracketClose) && self.text(start) == "map" && self.glued(end - 1);
            start = match self.kind(end) {
                Some(K::Pipe) => end + 1,
                _ if maps => end,
                _ => return Some(end),
            };
        }
    }

    /// The parts between an opener and its closer, at the commas of that depth.
    pub(super) fn parts(&self, open: usize, close: usize) -> Vec<(usize, usize)> {
        let mut parts = Vec::new();
        let (mut start, mut here) = (open + 1, open + 1);
        let mut depth = 0usize;
        while here < close {
            match self.kind(here) {
                Some(K::Less) => depth += 1,
                Some(K::Greater) => depth = depth.saturating_sub(1),
                Some(K::Comma) if depth == 0 => {
                    parts.push((start, here));
                    start = here + 1;
                }
                _ => {}
            }
            here = self.closer(here).filter(|inner| *inner < close).map_or(here, |inner| inner) + 1;
        }
        if start < close {
            parts.push((start, close));
        }
        parts
    }

    /// A type as the language writes it.
    pub(super) fn type_text(&self, first: usize, end: usize) -> String {
        self.type_text_at(first, end, 0)
    }

    /// The same, so deep in others; what is deeper than people write is left as it is.
    pub(super) fn type_text_at(&self, first: usize, end: usize, depth: usize) -> String {
        let raw = || if end > first { self.slice(self.spans(first, end - 1)).to_owned() } else { String::new() };
        if depth > 16 {
            return raw();
        }
        let nested = |first: usize, end: usize| self.type_text_at(first, end, depth + 1);
        // Alternatives, each for itself.
        let mut at = first;
        let mut alternatives = Vec::new();
        while let Some(next) = self.alternative_end(at, end) {
            alternatives.push(nested(at, next));
            at = next + 1;
        }
        if !alternatives.is_empty() {
            alternatives.push(nested(at, end));
            return alternatives.join(" | ");
        }
        let word = self.text(at);
        if let Some(open) = self.is_enum_call(at) {
            let close = self.closer(open).unwrap_or(open);
            return self.alternatives(open, close);
        }
        let bang = (first + 1..end).rev().find(|last| !self.is(*last, K::Not)).map_or(first + 1, |last| last + 1);
        if bang < end {
            return nested(first, bang);
        }
        let open = at + 1;
        let close = match self.kind(open) {
            Some(K::BracketOpen) if !self.is(open + 1, K::BracketClose) && self.word(at).is_some() => self.closer(open),
            Some(K::Less) => self.closer_of_generic(open),
            _ => None,
        };
        if let Some(close) = close.filter(|close| *close < end) {
            let parts = self.parts(open, close);
            let texts: Vec<String> = parts.iter().map(|(first, end)| nested(*first, *end)).collect();
            let listed = |item: &str| if item.contains(" | ") { format!("({item})[]") } else { format!("{item}[]") };
            if word == "map" && texts.len() == 1 && close + 1 < end {
                return format!("map<{}>", nested(close + 1, end));
            }
            let written = match (word, texts.as_slice()) {
                ("map" | "dict" | "Dict" | "Mapping" | "Map" | "Record" | "HashMap" | "hash" | "object" | "BTreeMap", [key, _])
                    if key != "string" =>
                {
                    return raw();
                }
                ("map" | "dict" | "Dict" | "Mapping" | "Map" | "Record" | "HashMap" | "hash" | "object" | "BTreeMap", [.., value]) => {
                    format!("map<{value}>")
                }
                ("Optional" | "Option" | "Maybe" | "optional", [inner]) => format!("{inner} | null"),
                ("set" | "Set" | "frozenset" | "HashSet", [item]) => format!("{}(unique: true)", listed(item)),
                ("Union" | "Literal" | "OneOf" | "oneOf" | "Either", [_, ..]) => texts.join(" | "),
                (
                    "Annotated" | "Final" | "Required" | "Promise" | "Awaitable" | "Readonly" | "Awaited" | "Future" | "NonNullable",
                    [inner, ..],
                ) => inner.clone(),
                ("Partial" | "Pick" | "Omit" | "Page" | "Result", _) => return raw(),
                (_, [item]) => listed(item),
                _ => return raw(),
            };
            return self.with_rest(written, close + 1, end).unwrap_or_else(raw);
        }
        if self.is(at, K::BracketOpen) {
            let close = self.closer(at).unwrap_or(end);
            if close == at + 1 && end > close + 1 {
                let item = nested(close + 1, end);
                return if item.contains(" | ") { format!("({item})[]") } else { format!("{item}[]") };
            }
            let item = nested(at + 1, close.min(end));
            let written = if item.contains(" | ") { format!("({item})[]") } else { format!("{item}[]") };
            return self.with_rest(written, close + 1, end).unwrap_or_else(raw);
        }
        if end == first + 1 {
            return if words::is_null_word(word) { "null".to_owned() } else { words::scalar(word).to_owned() };
        }
        raw()
    }

    /// A type with the brackets and constraints that follow it, if it can have them.
    pub(super) fn with_rest(&self, written: String, from: usize, end: usize) -> Option<String> {
        if from >= end {
            return Some(written);
        }
        let rest = self.slice(self.spans(from, end - 1));
        if !rest.starts_with(['[', '(']) || (rest.starts_with('(') && written.ends_with(')')) {
            return None;
        }
        Some(if written.contains(" | ") { format!("({written}){rest}") } else { format!("{written}{rest}") })
    }

    /// The values in brackets as alternatives.
    pub(super) fn alternatives(&self, open: usize, close: usize) -> String {
        let parts = self.parts(open, close).into_iter();
        let texts: Vec<String> = parts.map(|(first, end)| self.slice(self.spans(first, end.max(first + 1) - 1)).to_owned()).collect();
        texts.join(" | ")
    }

    /// The first `|` of a type outside its brackets.
    pub(super) fn alternative_end(&self, first: usize, end: usize) -> Option<usize> {
        let mut here = first;
        let mut depth = 0usize;
        while here < end {
            match self.kind(here) {
                Some(K::Less) => depth += 1,
                Some(K::Greater) => depth = depth.saturating_sub(1),
                Some(K::Pipe) if depth == 0 => return Some(here),
                _ => {}
            }
            here = self.closer(here).filter(|close| *close < end).map_or(here, |close| close) + 1;
        }
        None
    }
}

/// Whether a type of other languages takes one type in angle brackets and means something else than a list of it.
fn is_wrapper(word: &str) -> bool {
    matches!(
        word,
        "Optional"
            | "Option"
            | "Maybe"
            | "Set"
            | "HashSet"
            | "set"
            | "Promise"
            | "Awaitable"
            | "Awaited"
            | "Future"
            | "Readonly"
            | "NonNullable"
    )
}
