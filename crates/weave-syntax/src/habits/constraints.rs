//! What is written after a type, and between the parentheses of its constraints.

use weave_diagnostics::{Applicability, Span};

use super::places::Frame;
use super::{Change, Habit, Reader, fix, foreign};
use crate::token::TokenKind as K;

impl Reader<'_> {
    pub(super) fn after_type(&self, number: usize, kind: K, before: K) -> Option<Habit> {
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
            K::String if field && self.text(number).starts_with('`') => {
                let error = foreign(self.span(number), "a field has no tags")
                    .label("not part of the language")
                    .help("the field has the same name in JSON")
                    .replace(Applicability::Unsafe, "remove the tag", self.with_gap_before(number..next), "");
                Some(Habit { error, changes: vec![Change::delete(number..next)], end: next })
            }
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

    pub(super) fn default_error(&self, span: Span) -> crate::SyntaxError {
        foreign(span, "a default follows the type, after `=`").label("write `=`")
    }

    /// `string @description("…")`: what is said about a field before it.
    pub(super) fn attribute_after(&self, number: usize, name: usize) -> Option<Habit> {
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
    pub(super) fn constraint_value(&self, number: usize) -> Option<usize> {
        let known = matches!(
            self.text(number),
            "min" | "max" | "pattern" | "length" | "unique" | "minLength" | "maxLength" | "minimum" | "maximum"
        );
        let value = number + 1 + usize::from(matches!(self.kind(number + 1), Some(K::Colon | K::Assign)));
        let fits = matches!(self.kind(value), Some(K::Number | K::String | K::True | K::False));
        (known && fits && !self.starts_line(value)).then_some(value)
    }

    /// `string min 1 max 20`.
    pub(super) fn constraint_words(&self, number: usize) -> Option<Habit> {
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
            K::Slash if self.before(number) == Some(K::Colon) => self.regex_at(number),
            _ => None,
        }
    }
}
