//! Functions and methods.

use std::sync::Arc;

use weave_diagnostics::Span;
use weave_syntax::ast::{Expr, Name, Path, Root, Segment};

use super::Checker;
use super::kind::{self, Kind};
use crate::expression::{Variable, only_path};
use crate::messages::bodies as message;
use crate::model::guard::{GuardExpression, GuardKind, Quantifier, TextMethod};
use crate::model::types::{Scalar, Type};
use crate::model::value::PathRoot;
use crate::types::pattern_problem;

/// What can be called on a value.
#[derive(Clone, Copy)]
enum Method {
    Size,
    Text(TextMethod),
    Quantifier(Quantifier),
}

impl Method {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "size" => Self::Size,
            "contains" => Self::Text(TextMethod::Contains),
            "startsWith" => Self::Text(TextMethod::StartsWith),
            "endsWith" => Self::Text(TextMethod::EndsWith),
            "matches" => Self::Text(TextMethod::Matches),
            "exists" => Self::Quantifier(Quantifier::Exists),
            "all" => Self::Quantifier(Quantifier::All),
            _ => return None,
        })
    }
}

impl Checker<'_, '_> {
    /// A path whose segment `at` is a call.
    pub(super) fn call(self, path: &Path, at: usize) -> GuardExpression {
        let (before, behind) = path.segments.split_at(at);
        let Some((Segment::Call { span, arguments }, behind)) = behind.split_first() else { return self.unknown(path.span) };
        let called = Span::new(path.span.start, span.end);
        let expression = match (before.split_last(), &path.root) {
            (None, Root::Name(name)) => self.function(*name, arguments, called),
            (Some((Segment::Field(name), receiver)), root) => self.method(root, receiver, *name, arguments, called),
            _ => {
                self.env.report(message::nothing_to_call(self.env.place(*span)));
                self.unknown(called)
            }
        };
        if behind.is_empty() {
            return expression;
        }
        if !matches!(expression.kind, GuardKind::Unknown) {
            self.env.report(message::behind_call(self.env.place(Span::new(span.end, path.span.end))));
        }
        self.unknown(path.span)
    }

    fn function(self, name: Name, arguments: &[Expr], span: Span) -> GuardExpression {
        let word = self.env.text(name.span);
        match word {
            "size" => match self.arity(word, arguments, 1, span) {
                [argument] => {
                    let value = self.expression(argument, None);
                    self.size(value, argument.span(), span)
                }
                _ => self.unknown(span),
            },
            "has" => match self.arity(word, arguments, 1, span) {
                [argument] => self.has(argument, span),
                _ => self.unknown(span),
            },
            _ => {
                if let Some(diagnostic) = self.foreign_function(word, arguments, span) {
                    self.env.report(diagnostic);
                    return self.unknown(span);
                }
                let method = Method::named(word).is_some();
                self.env.report(message::unknown_function(word, method, self.env.place(name.span)));
                self.unknown(span)
            }
        }
    }

    /// A function of other languages whose meaning has another form here: `defined(.a)`, `contains(.a, "x")`.
    fn foreign_function(self, word: &str, arguments: &[Expr], span: Span) -> Option<weave_diagnostics::Diagnostic> {
        let whole = self.env.place(span);
        let path = |argument: &Expr| {
            let text = self.env.text(argument.span());
            text.starts_with('.').then(|| text.to_owned())
        };
        match (word, arguments) {
            ("defined" | "exists" | "isset" | "is_set" | "present" | "is_defined" | "notNull" | "isNotNull" | "not_null", [value]) => {
                Some(message::is_there(word, &path(value)?, true, whole))
            }
            ("isNull" | "is_null" | "isNone" | "missing" | "undefined" | "isNil", [value]) => {
                Some(message::is_there(word, &path(value)?, false, whole))
            }
            (_, [receiver, argument]) if Method::named(word).is_some() => {
                let (receiver, argument) = (path(receiver)?, self.env.text(argument.span()));
                let written = format!("{receiver}.{word}({argument})");
                Some(message::method_as_function(word, &written, whole))
            }
            _ => None,
        }
    }

    fn method(self, root: &Root, receiver: &[Segment], name: Name, arguments: &[Expr], span: Span) -> GuardExpression {
        if name.is_missing() {
            return self.unknown(span);
        }
        let word = self.env.text(name.span);
        let Some(method) = Method::named(word) else {
            if matches!(word, "isEmpty" | "is_empty" | "empty" | "isBlank") && arguments.is_empty() {
                let receiver = self.env.text(Span::new(span.start, name.span.start.saturating_sub(1)));
                self.env.report(message::is_empty(word, receiver, self.env.place(span)));
                return self.unknown(span);
            }
            self.env.report(message::unknown_method(word, self.env.place(name.span)));
            return self.unknown(span);
        };
        let Some((value, at)) = self.receiver(root, receiver, name) else { return self.unknown(span) };
        match method {
            Method::Size => {
                if !self.arity(word, arguments, 0, span).is_empty() {
                    return self.unknown(span);
                }
                self.size(value, at, span)
            }
            Method::Text(method) => self.text_method(method, (value, at), arguments, span),
            Method::Quantifier(quantifier) => self.quantifier(quantifier, (value, at), arguments, span),
        }
    }

    /// What stands before the dot of a method.
    fn receiver(self, root: &Root, segments: &[Segment], method: Name) -> Option<(GuardExpression, Span)> {
        if let (Root::Expr(inner), []) = (root, segments) {
            return Some((self.expression(inner, None), inner.span()));
        }
        let start = match root {
            Root::Dot(dot) => dot.start,
            Root::Name(name) => name.span.start,
            Root::Expr(inner) => inner.span().start,
        };
        let dot = u32::from(self.env.text(Span::new(method.span.start.saturating_sub(1), method.span.start)) == ".");
        let span = Span::new(start, method.span.start - dot);
        if matches!(root, Root::Dot(_)) && segments.is_empty() {
            self.env.report(message::nothing_to_call(self.env.place(method.span)));
            return None;
        }
        let path = Path { span, root: root.clone(), segments: segments.into() };
        Some((self.path(&path), span))
    }

    fn arity<'x>(self, word: &str, arguments: &'x [Expr], wanted: usize, span: Span) -> &'x [Expr] {
        if arguments.len() == wanted {
            return arguments;
        }
        if !arguments.iter().any(|argument| matches!(argument, Expr::Missing(_))) {
            self.env.report(message::wrong_arity(word, wanted, arguments.len(), self.env.place(span)));
        }
        // Neither none nor one of them, so that the caller sees that something is wrong.
        if wanted == 0 { arguments } else { &[] }
    }

    fn size(self, value: GuardExpression, at: Span, span: Span) -> GuardExpression {
        let measurable = |kind| matches!(kind, Kind::String | Kind::Bytes | Kind::List | Kind::Map);
        if !self.must_be(&value, at, "`size`", "a string, bytes, a list or a map", measurable) {
            return self.unknown(span);
        }
        self.made(GuardKind::Size(Box::new(value)), Type::Scalar(Scalar::Int, None), span)
    }

    fn has(self, argument: &Expr, span: Span) -> GuardExpression {
        match only_path(self.env, argument) {
            Some(reading) => self.bool(GuardKind::Has(reading.path), span),
            None => {
                if !matches!(argument, Expr::Path(_) | Expr::Missing(_)) {
                    self.env.report(message::has_without_path(self.env.place(argument.span())));
                }
                self.unknown(span)
            }
        }
    }

    fn text_method(self, method: TextMethod, receiver: (GuardExpression, Span), arguments: &[Expr], span: Span) -> GuardExpression {
        let who = format!("`{}`", method.name());
        let [written] = self.arity(method.name(), arguments, 1, span) else { return self.unknown(span) };
        let argument = self.expression(written, None);
        if self.kind(&receiver.0).kind == Kind::List && method == TextMethod::Contains {
            self.env.report(message::contains_on_list(self.env, receiver.1, written.span(), span));
            return self.unknown(span);
        }
        for (expression, at) in [(&receiver.0, receiver.1), (&argument, written.span())] {
            if !self.must_be(expression, at, &who, "text", |kind| kind == Kind::String) {
                return self.unknown(span);
            }
        }
        if method == TextMethod::Matches && !self.is_pattern(&argument, written) {
            return self.unknown(span);
        }
        self.bool(GuardKind::Text { method, receiver: Box::new(receiver.0), argument: Box::new(argument) }, span)
    }

    /// The pattern of `matches`, which is a constant.
    fn is_pattern(self, argument: &GuardExpression, written: &Expr) -> bool {
        let (GuardKind::Constant(serde_json::Value::String(pattern)), Expr::Literal(literal)) = (&argument.kind, written) else {
            if !matches!(argument.kind, GuardKind::Unknown) {
                self.env.report(message::pattern_not_constant(self.env.place(written.span())));
            }
            return false;
        };
        let Some(problem) = pattern_problem(pattern) else { return true };
        let at = problem.place_in(literal.span, self.env.text(literal.span), pattern);
        self.env.report(message::wrong_pattern(&problem.reason, self.env.place(at)));
        false
    }

    fn quantifier(self, quantifier: Quantifier, receiver: (GuardExpression, Span), arguments: &[Expr], span: Span) -> GuardExpression {
        let word = match quantifier {
            Quantifier::Exists => "exists",
            Quantifier::All => "all",
        };
        let [variable, body] = self.arity(word, arguments, 2, span) else { return self.unknown(span) };
        let of_many = |kind| matches!(kind, Kind::List | Kind::Map);
        if !self.must_be(&receiver.0, receiver.1, &format!("`{word}`"), "a list or a map", of_many) {
            return self.unknown(span);
        }
        let Some(name) = self.variable(variable) else { return self.unknown(span) };
        let ty = kind::item(self.env.model, &receiver.0.ty).unwrap_or(Type::Unknown);
        let bound = Variable { root: PathRoot::Variable(Arc::clone(&name)), ty, absent: None };
        self.env.variables.borrow_mut().push(bound);
        let condition = self.expression(body, None);
        self.env.variables.borrow_mut().pop();
        self.must_be_bool(&condition, body.span(), &format!("`{word}`"));
        self.bool(GuardKind::Quantifier { quantifier, list: Box::new(receiver.0), variable: name, body: Box::new(condition) }, span)
    }

    /// The name that a quantifier gives to an element.
    fn variable(self, written: &Expr) -> Option<Arc<str>> {
        let name = match written {
            Expr::Path(path) if path.segments.is_empty() => match path.root {
                Root::Name(name) => Some(name),
                _ => None,
            },
            Expr::Missing(_) => return None,
            _ => None,
        };
        let Some(name) = name else {
            self.env.report(message::variable_not_a_name(self.env, written.span()));
            return None;
        };
        let word = self.env.text(name.span);
        let taken = self.env.variables.borrow().iter().any(|it| matches!(&it.root, PathRoot::Variable(known) if **known == *word));
        if taken {
            self.env.report(message::variable_taken(word, self.env.place(name.span)));
            return None;
        }
        Some(Arc::from(word))
    }
}
