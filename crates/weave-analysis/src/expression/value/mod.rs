//! Values: literals, paths, strings with placeholders, and objects and lists of them.

mod choose;
mod infer;
mod lists;
mod objects;

use std::sync::Arc;

use serde_json::Value as Json;
use weave_diagnostics::Span;
use weave_syntax::ast::{Coalesce, Expr, Literal, LiteralKind, Path, Root, Segment};

use super::fits::{Mismatch, fits};
use super::literal::{LiteralFault, known_strings, literal_as};
use super::path::is_input;
use super::shape::{Shape, is_nullable, join, members, without_null};
use super::template::{is_template, template_parts};
use super::{Environment, Expected, Lookup, Reading, only_path, resolve_path};
use crate::messages::bodies as message;
use crate::model::types::{RecordType, Scalar, Type};
use crate::model::value::{PathValue, Value, ValueKind};
use crate::trace::enums_of;
use objects::{Owner, OwnerName};

/// What strings of a place mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strings {
    /// `{{` opens a placeholder, and paths are read.
    Templates,
    /// Everything is what it is: only constants have a meaning.
    Constants,
    /// The same in a test, where `...` may stand for the rest of an object or a list.
    Script,
}

/// A value where a type is wanted.
pub(crate) fn check_value(env: &Environment<'_>, expression: &Expr, expected: &Type) -> Value {
    check_expected(env, expression, Expected::of(expected))
}

/// A value where a type is wanted by somebody.
pub(crate) fn check_expected(env: &Environment<'_>, expression: &Expr, expected: Expected<'_>) -> Value {
    Checker { env, strings: Strings::Templates }.value(expression, expected)
}

/// A constant where a type is wanted. Paths, which the second pass over the syntax has reported, give nothing.
pub(crate) fn check_constant(env: &Environment<'_>, expression: &Expr, expected: Expected<'_>) -> Option<Json> {
    match (Checker { env, strings: Strings::Constants }).value(expression, expected).kind {
        ValueKind::Constant(json) => Some(json),
        _ => None,
    }
}

/// A value of a test where a type is wanted: nothing in it is folded, so that each part has its place.
pub(crate) fn check_script_value(env: &Environment<'_>, expression: &Expr, expected: Expected<'_>) -> Value {
    Checker { env, strings: Strings::Script }.value(expression, expected)
}

/// The same for what goes into something that is called or emitted, by its parameters.
pub(crate) fn check_script_arguments(env: &Environment<'_>, expression: &Expr, parameters: &RecordType, callee: &str) -> Value {
    let checker = Checker { env, strings: Strings::Script };
    match expression {
        Expr::Object(object) => {
            let owner = Owner { name: OwnerName::Callee(callee), missing_at: checker.opening(object.span) };
            checker.record(object, parameters, &owner)
        }
        other => checker.value(other, Expected::of(&Type::Record(Arc::new(parameters.clone())))),
    }
}

/// The arguments of something that is called, by its parameters; `at` is where it is named.
pub(crate) fn check_arguments(env: &Environment<'_>, payload: Option<&Expr>, parameters: &RecordType, at: Span, callee: &str) -> Value {
    let checker = Checker { env, strings: Strings::Templates };
    let owner = Owner { name: OwnerName::Callee(callee), missing_at: at };
    match payload {
        Some(Expr::Object(object)) => checker.record(object, parameters, &owner),
        None => checker.fields(&[], at, None, parameters, &owner),
        Some(Expr::Missing(span)) => Value { kind: ValueKind::Unknown, place: env.place(*span) },
        Some(other) => checker.value(other, Expected::of(&Type::Record(Arc::new(parameters.clone())))),
    }
}

/// A value where nothing is wanted, its type, and whether it may be absent.
pub(crate) fn infer_value(env: &Environment<'_>, expression: &Expr) -> (Value, Type, bool) {
    Checker { env, strings: Strings::Templates }.infer(expression)
}

/// What stands behind `??`: a literal, or a list or an object of literals.
pub(crate) fn default_of(
    env: &Environment<'_>,
    expression: &Expr,
    check: impl FnOnce(&Environment<'_>, &Expr) -> Option<Json>,
) -> Option<Json> {
    match expression {
        Expr::Parenthesized(inner) => default_of(env, &inner.1, check),
        // Another path has been reported with the syntax.
        Expr::Path(path) if !is_bare(path) => None,
        _ => check(env, expression),
    }
}

fn is_bare(path: &Path) -> bool {
    matches!(path.root, Root::Name(_)) && path.segments.iter().all(|segment| matches!(segment, Segment::Optional(_)))
}

#[derive(Clone, Copy)]
struct Checker<'e, 'a> {
    env: &'e Environment<'a>,
    strings: Strings,
}

impl Checker<'_, '_> {
    fn made(self, kind: ValueKind, span: Span) -> Value {
        Value { kind, place: self.env.place(span) }
    }

    fn unknown(self, span: Span) -> Value {
        self.made(ValueKind::Unknown, span)
    }

    fn value(self, expression: &Expr, expected: Expected<'_>) -> Value {
        let span = expression.span();
        if let Some(recorder) = self.env.sink.recorder() {
            recorder.wanted(span, expected.ty);
            if let Expr::Literal(Literal { kind: LiteralKind::String, .. }) = expression {
                recorder.literal(self.env.place(span), expected.ty, None);
            }
        }
        match expression {
            Expr::Literal(literal) if self.strings == Strings::Templates && is_template(self.env, *literal) => {
                self.template(*literal, expected)
            }
            Expr::Literal(literal) => self.literal(*literal, expected),
            Expr::Path(path) => self.path(path, expected, false),
            Expr::Coalesce(coalesce) if self.strings == Strings::Templates => self.coalesce(coalesce, expected, false),
            Expr::Object(object) => self.object(object, expected),
            Expr::List(list) => self.list(list, expected),
            Expr::Parenthesized(inner) => self.value(&inner.1, expected),
            // Operators have been reported with the syntax, and what is missing too.
            Expr::Coalesce(_) | Expr::Unary(_) | Expr::Binary(_) | Expr::Missing(_) => self.unknown(span),
        }
    }

    // ---- Literals ------------------------------------------------------------------------------------------------------

    fn literal(self, literal: Literal, expected: Expected<'_>) -> Value {
        match literal_as(self.env, literal, expected.ty) {
            Ok(json) => self.made(ValueKind::Constant(json), literal.span),
            Err(fault) => {
                self.literal_fault(literal, fault, expected);
                self.unknown(literal.span)
            }
        }
    }

    fn literal_fault(self, literal: Literal, fault: LiteralFault, expected: Expected<'_>) {
        let env = self.env;
        match fault {
            LiteralFault::Reported => {}
            LiteralFault::Limit(limit) => env.report(message::broken_limit(env, literal, &limit, expected)),
            LiteralFault::Format(scalar) => env.report(message::wrong_format(env, literal, scalar, expected)),
            LiteralFault::Kind => {
                let known = known_strings(env, expected.ty);
                env.report(message::wrong_literal(env, literal, &known, expected));
            }
        }
    }

    fn template(self, literal: Literal, expected: Expected<'_>) -> Value {
        let parsed = weave_syntax::template(self.env.item.text, literal);
        // One placeholder and nothing else yields the value itself.
        if let Some(value) = parsed.single() {
            let inner = match value {
                Expr::Path(path) => self.path(path, expected, true),
                Expr::Coalesce(coalesce) => self.coalesce(coalesce, expected, true),
                _ => self.unknown(literal.span),
            };
            return Value { place: self.env.place(literal.span), ..inner };
        }
        let has_errors = !parsed.errors.is_empty();
        let template = template_parts(self.env, parsed, literal.span);
        let takes_text = members(self.env.model, expected.ty).iter().any(|member| takes_text(member.shape));
        if !takes_text && !has_errors {
            self.env.report(message::text_where_not_wanted(self.env, literal.span, expected));
            return self.unknown(literal.span);
        }
        self.made(ValueKind::Template(template), literal.span)
    }

    // ---- Paths ---------------------------------------------------------------------------------------------------------

    /// A path; in quotes, what is a string on the wire may stand for one.
    fn path(self, path: &Path, expected: Expected<'_>, in_quotes: bool) -> Value {
        if self.explains_bare_word(path, expected) || self.strings != Strings::Templates {
            return self.unknown(path.span);
        }
        let Some(reading) = resolve_path(self.env, path) else { return self.unknown(path.span) };
        self.judge(path.span, &reading, expected, in_quotes);
        self.made(ValueKind::Path(PathValue { path: reading.path, default: None }), path.span)
    }

    /// A word without quotes and without a dot.
    fn explains_bare_word(self, path: &Path, expected: Expected<'_>) -> bool {
        let env = self.env;
        let word = env.text(path.span);
        if !is_bare(path) || word.is_empty() || !matches!(env.values.lookup(word), Lookup::Unknown) {
            return false;
        }
        env.report(message::bare_word(word, &known_strings(env, expected.ty), is_input(env, word), env.place(path.span)));
        true
    }

    /// Whether what a path yields may stand where it stands.
    fn judge(self, span: Span, reading: &Reading, expected: Expected<'_>, in_quotes: bool) {
        let (env, path) = (self.env, &reading.path);
        if let Err(mismatch) = self.fits(&path.ty, expected.ty, in_quotes) {
            let only_null = is_nullable(env.model, &path.ty) && !is_nullable(env.model, expected.ty) && {
                let rest = without_null(env.model, &path.ty);
                !matches!(rest, Type::Unknown) && self.fits(&rest, expected.ty, in_quotes).is_ok()
            };
            env.report(if only_null {
                message::may_be_null(env, span, reading, expected)
            } else {
                message::wrong_type(env, span, &path.ty, Some(&mismatch), expected)
            });
        } else if path.absent && !expected.may_be_absent {
            env.report(message::may_be_absent(env, span, reading, expected));
        }
    }

    /// Whether a value may stand where a type is wanted; in quotes also as the string that it is on the wire.
    fn fits(self, from: &Type, to: &Type, in_quotes: bool) -> Result<(), Box<Mismatch>> {
        fits(self.env.model, from, to).or_else(|mismatch| {
            let text = if in_quotes { on_the_wire(self.env, from) } else { None };
            text.and_then(|text| fits(self.env.model, &text, to).ok()).ok_or(mismatch)
        })
    }

    fn coalesce(self, coalesce: &Coalesce, expected: Expected<'_>, in_quotes: bool) -> Value {
        let reading = only_path(self.env, &coalesce.value);
        let default = default_of(self.env, &coalesce.otherwise, |env, expression| check_constant(env, expression, expected));
        // In a text the default says most likely what the path could be.
        if let (Some(recorder), Some(reading)) = (self.env.sink.recorder(), &reading)
            && enums_of(self.env.model, expected.ty).is_empty()
        {
            recorder.literal(self.env.place(coalesce.otherwise.span()), &reading.path.ty, None);
        }
        let (Some(reading), Some(default)) = (reading, default) else { return self.unknown(coalesce.span) };
        let rest = without_null(self.env.model, &reading.path.ty);
        if let Err(mismatch) = self.fits(&rest, expected.ty, in_quotes) {
            self.env.report(message::wrong_type(self.env, coalesce.value.span(), &rest, Some(&mismatch), expected));
        }
        self.made(ValueKind::Path(PathValue { path: reading.path, default: Some(Box::new(default)) }), coalesce.span)
    }
}

/// The type, with each scalar that is a string on the wire as a string; nothing if there is none.
fn on_the_wire(env: &Environment<'_>, ty: &Type) -> Option<Type> {
    let is_text = |shape: Shape<'_>| matches!(shape, Shape::Scalar(scalar, _) if scalar.is_text_on_wire());
    let all = members(env.model, ty);
    let text = all.iter().any(|member| is_text(member.shape));
    let members = all.iter().map(|member| if is_text(member.shape) { Type::Scalar(Scalar::String, None) } else { member.ty.clone() });
    text.then(|| join(members))
}

/// Whether text with values in it may stand here.
fn takes_text(shape: Shape<'_>) -> bool {
    matches!(shape, Shape::Unknown | Shape::Json | Shape::Scalar(Scalar::String | Scalar::Uri | Scalar::Email, _))
}
