//! What stands in the parentheses behind a type.

use std::cmp::Ordering;
use std::sync::Arc;

use weave_diagnostics::{Span, closest};
use weave_syntax::ast::{Constraint, Constraints, Expr, Literal, LiteralKind};
use weave_syntax::text::{self, Number};

use super::{Types, ambiguity, json_number, pattern_problem};
use crate::expression::formats;
use crate::messages::declarations as message;
use crate::model::display::bound;
use crate::model::types::{Bound, Limits, Scalar};

/// The constraints of a list or a map.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
    pub(super) unique: bool,
}

/// One constraint with the name that it has, written or by its place in a range.
#[derive(Clone, Copy)]
struct Given<'a> {
    name: &'a str,
    /// The name, or the range.
    at: Span,
    /// The value; nothing if it is missing, or is no literal, which has been reported.
    value: Option<Literal>,
}

/// The constraints in the order of the text; those without a name have been reported.
fn given<'a>(constraints: &'a Constraints, item: &'a str) -> Vec<Given<'a>> {
    let mut found = Vec::new();
    for constraint in &constraints.items {
        match constraint {
            Constraint::Named { name, value, .. } if !name.is_missing() => {
                let value = if let Expr::Literal(literal) = value { Some(*literal) } else { None };
                found.push(Given { name: name.text(item), at: name.span, value });
            }
            Constraint::Range { span, min, max } => {
                let ends = [("min", min), ("max", max)].into_iter().filter(|(_, end)| end.is_some());
                found.extend(ends.map(|(name, end)| Given { name, at: *span, value: *end }));
            }
            Constraint::Named { .. } | Constraint::Bare(_) => {}
        }
    }
    found
}

/// The constraints that a scalar can have.
const fn allowed(scalar: Scalar) -> &'static [&'static str] {
    match scalar {
        Scalar::String => &["min", "max", "pattern"],
        Scalar::Int
        | Scalar::Int64
        | Scalar::Float
        | Scalar::Decimal
        | Scalar::Bytes
        | Scalar::Timestamp
        | Scalar::Date
        | Scalar::Duration => &["min", "max"],
        Scalar::Bool | Scalar::Uuid | Scalar::Uri | Scalar::Email => &[],
    }
}

/// What a bound of the scalar is, in words.
pub(crate) const fn bound_words(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::String => "a number of characters, such as `10`",
        Scalar::Bytes => "a number of bytes, such as `1024`",
        Scalar::Int => "an integer, such as `10`",
        Scalar::Float => "a number, such as `0.5`",
        Scalar::Int64 => "an integer, such as `10` or `\"9007199254740993\"`",
        Scalar::Decimal => "a decimal number, such as `0.5` or `\"0.50\"`",
        Scalar::Timestamp => "a timestamp, such as `\"2027-01-31T12:00:00Z\"`",
        Scalar::Date => "a date, such as `\"2027-01-31\"`",
        Scalar::Duration => "a duration, such as `24h`",
        Scalar::Bool | Scalar::Uuid | Scalar::Uri | Scalar::Email => "a value",
    }
}

impl Types<'_, '_, '_> {
    /// The constraints of a scalar; nothing if there are none.
    pub(super) fn limits(&mut self, scalar: Scalar, constraints: &Constraints) -> Option<Limits> {
        let allowed = allowed(scalar);
        if allowed.is_empty() {
            let place = self.context.item.place(constraints.span);
            self.report(message::no_constraints(scalar.name(), place));
            return None;
        }
        let mut limits = Limits::default();
        for given in given(constraints, self.context.item.text) {
            match given.name {
                "min" if limits.min.is_none() => limits.min = self.bound(scalar, given),
                "max" if limits.max.is_none() => limits.max = self.bound(scalar, given),
                "pattern" if scalar == Scalar::String => limits.pattern = limits.pattern.take().or_else(|| self.pattern(given)),
                "min" | "max" => {}
                name => self.unknown_constraint(name, given.at, &format!("`{}`", scalar.name()), allowed),
            }
        }
        if let (Some(min), Some(max)) = (&limits.min, &limits.max)
            && order(scalar, min, max) == Some(Ordering::Greater)
        {
            let place = self.context.item.place(constraints.span);
            self.report(message::empty_range(place, &bound(min), &bound(max)));
            limits.max = None;
        }
        (limits != Limits::default()).then_some(limits)
    }

    /// The constraints of a list or a map.
    pub(super) fn counts(&mut self, constraints: &Constraints, what: &str, is_list: bool) -> Counts {
        let allowed: &[&str] = if is_list { &["min", "max", "unique"] } else { &["min", "max"] };
        let mut counts = Counts::default();
        for given in given(constraints, self.context.item.text) {
            match given.name {
                "min" if counts.min.is_none() => counts.min = self.count(given, what),
                "max" if counts.max.is_none() => counts.max = self.count(given, what),
                "unique" if is_list => counts.unique = self.flag(given),
                "min" | "max" => {}
                name => self.unknown_constraint(name, given.at, what, allowed),
            }
        }
        if let (Some(min), Some(max)) = (counts.min, counts.max)
            && min > max
        {
            let place = self.context.item.place(constraints.span);
            self.report(message::empty_range(place, &min.to_string(), &max.to_string()));
            counts.max = None;
        }
        counts
    }

    fn unknown_constraint(&mut self, name: &str, at: Span, what: &str, allowed: &[&str]) {
        let similar = own_constraint(name).filter(|own| allowed.contains(own)).or_else(|| closest(name, allowed.iter().copied()));
        let place = self.context.item.place(at);
        self.report(message::unknown_constraint(name, place, what, allowed, similar));
    }

    fn bound(&mut self, scalar: Scalar, given: Given<'_>) -> Option<Bound> {
        let literal = given.value?;
        if literal.kind == LiteralKind::Number && text::number(self.text(literal.span)).is_err() {
            // A number that is too large has been reported.
            return None;
        }
        let found = self.read_bound(scalar, literal);
        if found.is_none() {
            let place = self.context.item.place(literal.span);
            self.report(message::bound_value(given.name, &format!("`{}`", scalar.name()), place, bound_words(scalar)));
        }
        found
    }

    fn read_bound(&self, scalar: Scalar, literal: Literal) -> Option<Bound> {
        let raw = self.text(literal.span);
        match (scalar, literal.kind) {
            (Scalar::String | Scalar::Bytes, LiteralKind::Number) => match text::number(raw).ok()? {
                Number::Integer(length) if length >= 0 => Some(Bound::Number(length.into())),
                _ => None,
            },
            (Scalar::Int, LiteralKind::Number) => match text::number(raw).ok()? {
                Number::Integer(value) => Some(Bound::Number(value.into())),
                Number::Float(_) => None,
            },
            (Scalar::Float, LiteralKind::Number) => json_number(text::number(raw).ok()?).map(Bound::Number),
            (Scalar::Int64 | Scalar::Decimal, LiteralKind::Number) => exact(scalar, &text::number_text(raw)),
            (Scalar::Int64 | Scalar::Decimal, LiteralKind::String) => exact(scalar, &text::literal_value(self.context.item.text, literal)),
            (Scalar::Duration, LiteralKind::Duration) => {
                text::duration_millis(raw).map(|length| Bound::Text(weave_scalars::duration::iso(length).into()))
            }
            (Scalar::Timestamp | Scalar::Date | Scalar::Duration, LiteralKind::String) => {
                let value = text::literal_value(self.context.item.text, literal);
                formats::is_valid(scalar, &value).then(|| Bound::Text(Arc::from(value)))
            }
            _ => None,
        }
    }

    fn count(&mut self, given: Given<'_>, what: &str) -> Option<u64> {
        let literal = given.value?;
        let number = (literal.kind == LiteralKind::Number).then(|| text::number(self.text(literal.span)));
        match number {
            Some(Ok(Number::Integer(count))) if count >= 0 => return Some(count.unsigned_abs()),
            Some(Err(_)) => {}
            _ => {
                let place = self.context.item.place(literal.span);
                self.report(message::bound_value(given.name, what, place, "a number of entries, such as `10`"));
            }
        }
        None
    }

    fn flag(&mut self, given: Given<'_>) -> bool {
        let Some(literal) = given.value else { return false };
        if !matches!(literal.kind, LiteralKind::True | LiteralKind::False) {
            let place = self.context.item.place(literal.span);
            self.report(message::bound_value(given.name, "a list", place, "`true` or `false`"));
        }
        literal.kind == LiteralKind::True
    }

    fn pattern(&mut self, given: Given<'_>) -> Option<Arc<str>> {
        let literal = given.value?;
        if literal.kind != LiteralKind::String {
            let place = self.context.item.place(literal.span);
            self.report(message::bound_value(given.name, "`string`", place, "a regular expression, such as `\"^[A-Z]{3}-\"`"));
            return None;
        }
        let value = text::literal_value(self.context.item.text, literal);
        if let Some(problem) = pattern_problem(&value) {
            let place = self.context.item.place(problem.place_in(literal.span, self.text(literal.span), &value));
            self.report(message::invalid_pattern(place, &problem));
            return None;
        }
        if let Some(problem) = ambiguity(&value) {
            let place = self.context.item.place(problem.place_in(literal.span, self.text(literal.span), &value));
            self.report(message::exponential_pattern(place, &problem));
        }
        Some(Arc::from(value))
    }
}

/// A number of any precision, without what does not change its value.
fn exact(scalar: Scalar, digits: &str) -> Option<Bound> {
    let plain = weave_scalars::plain_decimal(digits)?;
    let plain = if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.') } else { &plain };
    let plain = if plain == "-0" { "0" } else { plain };
    formats::is_valid(scalar, plain).then(|| Bound::Text(Arc::from(plain)))
}

fn order(scalar: Scalar, one: &Bound, other: &Bound) -> Option<Ordering> {
    match (one, other) {
        (Bound::Number(one), Bound::Number(other)) => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => Some(one.cmp(&other)),
            _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
        },
        (Bound::Text(one), Bound::Text(other)) => formats::compare(scalar, one, other),
        _ => None,
    }
}

/// What a constraint is called here that other languages call so.
fn own_constraint(foreign: &str) -> Option<&'static str> {
    let folded = foreign.to_ascii_lowercase().replace(['_', '-'], "");
    Some(match folded.as_str() {
        "minlength" | "minlen" | "minimum" | "minitems" | "minproperties" | "gte" | "ge" | "from" | "least" | "minsize" => "min",
        "maxlength" | "maxlen" | "maximum" | "maxitems" | "maxproperties" | "lte" | "le" | "to" | "most" | "maxsize" => "max",
        "regex" | "regexp" | "matches" | "match" => "pattern",
        "uniqueitems" | "distinct" | "set" => "unique",
        _ => return None,
    })
}
