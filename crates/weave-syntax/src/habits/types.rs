//! Fields, types and constraints.

use weave_diagnostics::{Applicability, Span};

use super::places::Frame;
use super::{Change, Habit, NEAR, Reader, fix, foreign, words};
use crate::feed::Lexeme;
use crate::token::TokenKind as K;

impl Reader<'_> {
    // ---- Fields --------------------------------------------------------------------------------------------------------

    /// What is written where a field starts.
    pub(super) fn field(&self, number: usize) -> Option<Habit> {
        if !self.place(number)?.start {
            return None;
        }
        match self.kind(number)? {
            K::Ellipsis => self.spread(number),
            K::BracketOpen => self.index_signature(number),
            kind if kind.is_word() => {
                let word = self.text(number);
                self.field_modifier(number, word).or_else(|| self.type_first(number, word))
            }
            _ => None,
        }
    }

    /// `...Card,`.
    fn spread(&self, number: usize) -> Option<Habit> {
        let end = self.path(number + 1).filter(|_| self.word(number + 1).is_some())?;
        let comma = usize::from(self.is(end, K::Comma));
        let name = self.text(number + 1);
        let error = foreign(self.spans(number, end - 1), "a record cannot include the fields of another one")
            .label("not part of the language")
            .help(format!(
                "repeat the fields of `{name}` here, or give the record a field of that type; `...` alone, at the end, allows other fields"
            ));
        Some(Habit { error, changes: vec![Change::delete(number..end + comma)], end: end + comma })
    }

    /// `[key: string]: string`.
    fn index_signature(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number)?;
        let (brace, colon, ty) = (number.checked_sub(1)?, close + 1, close + 2);
        if !self.is(brace, K::BraceOpen) || !self.is(colon, K::Colon) || !self.is(number + 2, K::Colon) {
            return None;
        }
        let end = self.type_end(ty)?;
        let last = end + usize::from(self.is(end, K::Comma));
        if self.closer(brace) != Some(last) {
            return None;
        }
        let written = format!("map<{}>", self.type_text(ty, end));
        let whole = self.spans(brace, last);
        let error = foreign(whole, "a map from strings is written `map<T>`").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        Some(Habit { error, changes: vec![Change::delete(number..ty), Change::delete(ty..last)], end: last })
    }

    /// `required id: uuid`, `repeated string tags = 4`.
    fn field_modifier(&self, number: usize, word: &str) -> Option<Habit> {
        let name = number + 1;
        let follows = self.word(name).is_some() && !self.starts_line(name);
        let is_modifier = matches!(
            word,
            "required"
                | "optional"
                | "repeated"
                | "readonly"
                | "final"
                | "private"
                | "public"
                | "protected"
                | "static"
                | "mut"
                | "val"
                | "var"
                | "let"
                | "const"
                | "ref"
        );
        if !follows || !is_modifier {
            return None;
        }
        if self.word(name + 1).is_some() && !self.starts_line(name + 1) {
            return self.proto_field(number, name, name + 1, word);
        }
        if !matches!(self.kind(name + 1), Some(K::Colon | K::Question)) {
            return None;
        }
        let field = self.text(name);
        let mut edits = vec![(self.with_gap(number..name), String::new())];
        let error = if word == "optional" {
            edits.push((Span::at(self.span(name).end), "?".to_owned()));
            foreign(self.span(number), format!("a field that may be absent is written `{field}?: T`"))
                .label("not part of the language")
                .fix(fix(format!("write `{field}?: …`"), edits, Applicability::Safe))
        } else {
            let help = match word {
                "required" => format!("every field is required, unless it is written `{field}?: T`"),
                "repeated" => format!("a list is written `{field}: T[]`"),
                _ => "fields are always readable and never change".to_owned(),
            };
            let certain = if word == "repeated" { Applicability::Unsafe } else { Applicability::Safe };
            foreign(self.span(number), "nothing is written before the name of a field")
                .label(format!("there is no `{word}`"))
                .help(help)
                .fix(fix(format!("remove `{word}`"), edits, certain))
        };
        Some(Habit { error, changes: vec![Change::delete(number..name)], end: name })
    }

    /// `repeated string tags = 4`, `string digits = 1`, `string text`.
    fn type_first(&self, number: usize, word: &str) -> Option<Habit> {
        let name = number + 1;
        if !words::is_scalar(word) || self.word(name).is_none_or(words::is_scalar) || self.starts_line(name) {
            return None;
        }
        self.proto_field(number, number, name, "")
    }

    fn proto_field(&self, start: usize, ty: usize, name: usize, word: &str) -> Option<Habit> {
        let mut end = name + 1;
        if self.is(end, K::Assign) && self.is(end + 1, K::Number) {
            end += 2;
        }
        let ends =
            end >= self.lexemes.len() || self.starts_line(end) || matches!(self.kind(end), Some(K::Comma | K::BraceClose | K::ParenClose));
        if !ends {
            return None;
        }
        let list = if word == "repeated" { "[]" } else { "" };
        let optional = if word == "optional" { "?" } else { "" };
        let field = self.text(name);
        let written = format!("{field}{optional}: {}{list}", words::scalar(self.text(ty)));
        let whole = self.spans(start, end - 1);
        let error = foreign(whole, "a field is a name, a colon and a type").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        let mut instead = self.read_as(name, K::Identifier);
        instead.extend(self.made_up(end, &[K::Colon, K::Identifier]));
        Some(Habit { error, changes: vec![Change::new(start..end, instead)], end })
    }

    // ---- Types ---------------------------------------------------------------------------------------------------------

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
        let (message, shown, edits) = match (optional, name) {
            (Some(inner), Some(name)) => {
                let shown = format!("{}?: {inner}", self.text(name));
                let edits = vec![(Span::at(self.span(name).end), "?".to_owned()), (whole, inner)];
                (format!("a field that may be absent is written `{shown}`"), shown, edits)
            }
            _ => (format!("this type is written `{written}`"), written.clone(), vec![(whole, written)]),
        };
        let error =
            foreign(whole, message).label(format!("write `{shown}`")).fix(fix(format!("write `{shown}`"), edits, Applicability::Safe));
        Some(Habit { error, changes: vec![Change::new(number..end, self.made_up(number, &[K::Identifier]))], end })
    }

    /// Whether a form of another language starts at a token of a type.
    fn is_foreign_type(&self, number: usize) -> bool {
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
    fn is_range(&self, number: usize) -> bool {
        matches!(self.kind(number), Some(K::Number | K::Minus | K::Range | K::Ellipsis))
    }

    /// Whether the type may be absent or null by its outermost word.
    fn is_optional(&self, number: usize) -> bool {
        matches!(self.text(number), "Optional" | "Option" | "Maybe" | "optional")
    }

    /// `[string, int]`, `tuple[string, int]`.
    fn is_tuple(&self, number: usize) -> bool {
        let open = if matches!(self.text(number), "tuple" | "Tuple") { number + 1 } else { number };
        self.is(open, K::BracketOpen) && self.closer(open).is_some_and(|close| self.parts(open, close).len() > 1)
    }

    /// The `>` of a `<` that follows a word.
    fn closer_of_generic(&self, open: usize) -> Option<usize> {
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
    fn is_enum_call(&self, number: usize) -> Option<usize> {
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
    fn type_end(&self, number: usize) -> Option<usize> {
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
    fn parts(&self, open: usize, close: usize) -> Vec<(usize, usize)> {
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
    fn type_text(&self, first: usize, end: usize) -> String {
        self.type_text_at(first, end, 0)
    }

    /// The same, so deep in others; what is deeper than people write is left as it is.
    fn type_text_at(&self, first: usize, end: usize, depth: usize) -> String {
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
    fn with_rest(&self, written: String, from: usize, end: usize) -> Option<String> {
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
    fn alternatives(&self, open: usize, close: usize) -> String {
        let parts = self.parts(open, close).into_iter();
        let texts: Vec<String> = parts.map(|(first, end)| self.slice(self.spans(first, end.max(first + 1) - 1)).to_owned()).collect();
        texts.join(" | ")
    }

    /// The first `|` of a type outside its brackets.
    fn alternative_end(&self, first: usize, end: usize) -> Option<usize> {
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

    // ---- After a type --------------------------------------------------------------------------------------------------

    fn after_type(&self, number: usize, kind: K, before: K) -> Option<Habit> {
        let ends_type = before.is_word() || matches!(before, K::BracketClose | K::ParenClose | K::String | K::Greater | K::BraceClose);
        if !ends_type || self.place(number)?.start {
            return None;
        }
        let next = number + 1;
        let field = self.place(number)?.frame == Frame::Fields;
        match kind {
            K::Identifier if field && matches!(self.text(number), "default" | "DEFAULT" | "defaults" | "defaulting") => {
                let skip = next + usize::from(matches!(self.word(next), Some("to" | "is")));
                self.operand(skip)?;
                let error =
                    self.default_error(self.span(number)).replace(Applicability::Safe, "write `=`", self.with_gap(number..skip), "= ");
                Some(Habit { error, changes: vec![Change::new(number..skip, self.read_as(number, K::Assign))], end: skip })
            }
            K::Identifier | K::Min if self.constraint_value(number).is_some() => self.constraint_words(number),
            K::Dot | K::At if field && self.text(next) == "default" && self.is(next + 1, K::ParenOpen) => {
                let close = self.closer(next + 1)?;
                let value = self.slice(self.spans(next + 2, close - 1)).to_owned();
                let whole = Span::new(self.span(number - 1).end, self.span(close).end);
                let error = self.default_error(self.spans(number, close)).replace(
                    Applicability::Safe,
                    format!("write `= {value}`"),
                    whole,
                    format!(" = {value}"),
                );
                let instead = self.read_as(number, K::Assign);
                Some(Habit {
                    error,
                    changes: vec![Change::new(number..next + 2, instead), Change::delete(close..close + 1)],
                    end: close + 1,
                })
            }
            K::At if field && self.word(next).is_some() && !matches!(before, K::Comma) => self.attribute_after(number, next),
            K::And => {
                let error = foreign(self.span(number), "types cannot be combined")
                    .label("not between types")
                    .help("declare one record with the fields of both; `A | B` is either of them");
                let end = self.type_end(next)?;
                Some(Habit { error, changes: vec![Change::delete(number..end)], end })
            }
            K::BracketOpen if before.is_word() && self.is_range(next) && self.span(number - 1).end == self.span(number).start => {
                let close = self.closer(number)?;
                let edits = vec![(self.span(number), "(".to_owned()), (self.span(close), ")".to_owned())];
                let error = foreign(self.spans(number, close), "the constraints of a type are in parentheses")
                    .label("expected `(`")
                    .fix(fix("write parentheses", edits, Applicability::Safe));
                let changes = vec![
                    Change::new(number..next, self.read_as(number, K::ParenOpen)),
                    Change::new(close..close + 1, self.read_as(close, K::ParenClose)),
                ];
                Some(Habit { error, changes, end: next })
            }
            _ => None,
        }
    }

    fn default_error(&self, span: Span) -> crate::SyntaxError {
        foreign(span, "a default follows the type, after `=`").label("write `=`")
    }

    /// `string @description("…")`: what is said about a field before it.
    fn attribute_after(&self, number: usize, name: usize) -> Option<Habit> {
        let open = name + 1;
        let end = if self.is(open, K::ParenOpen) { self.closer(open)? + 1 } else { open };
        // An attribute before the next field, of which only the comma is missing, is none of this one.
        if !(end >= self.lexemes.len() || self.starts_line(end) || matches!(self.kind(end), Some(K::Comma | K::BraceClose | K::ParenClose)))
        {
            return None;
        }
        let described = matches!(self.text(name), "description" | "doc" | "desc" | "comment");
        let line = (0..number).rev().find(|token| self.place(*token).is_some_and(|place| place.start))?;
        let text = self.slice(self.spans(number, end - 1)).to_owned();
        let removed = self.with_gap_before(number..end);
        let start = Span::at(self.span(line).start);
        let error = if described && self.is(open + 1, K::String) {
            let doc = self.text(open + 1).trim_matches('"').to_owned();
            let written = if self.starts_line(line) {
                format!("/// {doc}\n{}", " ".repeat(self.layout.column(line)))
            } else {
                format!("\n  /// {doc}\n  ")
            };
            foreign(self.spans(number, end - 1), "a description for the model is a `///` comment before the field")
                .label("not an attribute")
                .fix(fix("write a `///` comment", vec![(start, written), (removed, String::new())], Applicability::Unsafe))
        } else {
            foreign(self.spans(number, end - 1), "attributes come before what they describe").label("after the type").fix(fix(
                "move it before the field",
                vec![(start, format!("{text} ")), (removed, String::new())],
                Applicability::Unsafe,
            ))
        };
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// The value of a constraint in words: `min 1`, `max: 3`.
    fn constraint_value(&self, number: usize) -> Option<usize> {
        let known = matches!(
            self.text(number),
            "min" | "max" | "pattern" | "length" | "unique" | "minLength" | "maxLength" | "minimum" | "maximum"
        );
        let value = number + 1 + usize::from(matches!(self.kind(number + 1), Some(K::Colon | K::Assign)));
        let fits = matches!(self.kind(value), Some(K::Number | K::String | K::True | K::False));
        (known && fits && !self.starts_line(value)).then_some(value)
    }

    /// `string min 1 max 20`.
    fn constraint_words(&self, number: usize) -> Option<Habit> {
        let mut written = Vec::new();
        let mut end = number;
        while let Some(value) = self.constraint_value(end).filter(|_| end == number || !self.starts_line(end)) {
            let name = match self.text(end) {
                "minLength" | "minimum" => "min",
                "maxLength" | "maximum" | "length" => "max",
                other => other,
            };
            written.push(format!("{name}: {}", self.text(value)));
            end = value + 1;
            end += usize::from(self.is(end, K::Comma) && self.constraint_value(end + 1).is_some() && !self.starts_line(end + 1));
        }
        let whole = self.spans(number, end.checked_sub(1)?);
        let written = format!("({})", written.join(", "));
        let mut first = number.checked_sub(1)?;
        while let Some(open) = self.opener(first) {
            first = open.checked_sub(1)?;
        }
        let ty = self.slice(self.spans(first, number - 1));
        let error = foreign(whole, "the constraints of a type are in parentheses after it")
            .label(format!("write `{ty}{written}`"))
            .replace(Applicability::Safe, format!("write `{ty}{written}`"), self.with_gap_before(number..end), written);
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// What is written between the parentheses after a type.
    pub(super) fn constraints(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        match self.kind(number)? {
            // `1-5`, `1...5`
            K::Minus | K::Ellipsis if self.before(number) == Some(K::Number) && matches!(self.kind(next), Some(K::Number)) => {
                let error = foreign(self.span(number), "a range is written `1..5`").label("write `..`").replace(
                    Applicability::Safe,
                    "write `..`",
                    self.span(number),
                    "..",
                );
                Some(Habit { error, changes: vec![Change::new(number..next, self.read_as(number, K::Range))], end: next })
            }
            // `/^[A-Z]+$/`
            K::Slash if self.before(number) == Some(K::Colon) => {
                let end = (next..(next + NEAR).min(self.lexemes.len()))
                    .rev()
                    .find(|token| self.is(*token, K::Slash) && !self.starts_line(*token))?;
                let inner = Span::new(self.span(number).end, self.span(end).start);
                let pattern = self.slice(inner);
                if pattern.contains('\n') {
                    return None;
                }
                let written = format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""));
                let whole = self.spans(number, end);
                let error = foreign(whole, "a pattern is a string").label(format!("write `{written}`")).replace(
                    Applicability::Safe,
                    format!("write `{written}`"),
                    whole,
                    written,
                );
                let stand_in = Lexeme::made_up(K::String, whole.start);
                Some(Habit { error, changes: vec![Change::new(number..end + 1, [stand_in])], end: end + 1 })
            }
            _ => None,
        }
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
