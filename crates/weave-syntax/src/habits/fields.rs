//! What is written where a field or a parameter starts.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// What is written where a field starts.
    pub(super) fn field(&self, number: usize) -> Option<Habit> {
        if !self.place(number)?.start {
            return None;
        }
        match self.kind(number)? {
            K::Ellipsis => self.spread(number),
            K::Star => self.rest_parameter(number),
            K::BracketOpen => self.index_signature(number),
            kind if kind.is_word() => {
                let word = self.text(number);
                self.self_parameter(number, word).or_else(|| self.field_modifier(number, word)).or_else(|| self.type_first(number, word))
            }
            _ => None,
        }
    }

    /// `= Tier.free` as a default.
    pub(super) fn default_member(&self, number: usize) -> Option<Habit> {
        let (dot, member) = (number + 1, number + 2);
        let value = self.word(member).filter(|_| self.before(number) == Some(K::Assign) && self.is(dot, K::Dot))?;
        self.word(number).filter(|_| !matches!(self.kind(member + 1), Some(K::Dot | K::ParenOpen)))?;
        let whole = self.spans(number, member);
        let written = format!("\"{value}\"");
        let error = foreign(whole, "a value of an enum is written as its string").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        Some(Habit { error, changes: vec![Change::new(number..member + 1, self.made_up(number, &[K::String]))], end: member + 1 })
    }

    /// `self` as a parameter.
    pub(super) fn self_parameter(&self, number: usize, word: &str) -> Option<Habit> {
        let next = number + 1;
        if !matches!(word, "self" | "this" | "cls") || !matches!(self.kind(next), Some(K::Comma | K::ParenClose)) {
            return None;
        }
        let end = next + usize::from(self.is(next, K::Comma));
        let error = foreign(self.span(number), format!("there is no `{word}`; the parameters are only what is passed"))
            .label(format!("remove `{word}`"))
            .replace(Applicability::Safe, format!("remove `{word}`"), self.with_gap(number..end), "");
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `*args`, `**kwargs`.
    pub(super) fn rest_parameter(&self, number: usize) -> Option<Habit> {
        let name = number + 1 + usize::from(self.is(number + 1, K::Star));
        let end = name + 1;
        let comma = number.checked_sub(1).filter(|before| self.is(*before, K::Comma));
        self.word(name).filter(|_| matches!(self.kind(end), Some(K::Comma | K::ParenClose)))?;
        let start = comma.unwrap_or(number);
        let error = foreign(self.spans(number, name), "a declaration lists each of its parameters")
            .label("not part of the language")
            .help("a parameter for any number of named values is written `extra: map<json>`")
            .replace(Applicability::Unsafe, "remove it", self.with_gap_before(start..end), "");
        Some(Habit { error, changes: vec![Change::delete(start..end)], end })
    }

    /// `...Card,`.
    pub(super) fn spread(&self, number: usize) -> Option<Habit> {
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
    pub(super) fn index_signature(&self, number: usize) -> Option<Habit> {
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
    pub(super) fn field_modifier(&self, number: usize, word: &str) -> Option<Habit> {
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
    pub(super) fn type_first(&self, number: usize, word: &str) -> Option<Habit> {
        let name = number + 1;
        if !words::is_scalar(word) || self.word(name).is_none_or(words::is_scalar) || self.starts_line(name) {
            return None;
        }
        self.proto_field(number, number, name, "")
    }

    pub(super) fn proto_field(&self, start: usize, ty: usize, name: usize, word: &str) -> Option<Habit> {
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
}
