//! Values: literals, paths, objects and lists, and what must not stand among them.

use weave_diagnostics::Span;

use super::{Pass, messages};
use crate::ast::{Binary, BinaryOperator, Coalesce, Expr, Literal, LiteralKind, Object, Path, Root, Segment, UnaryOperator};
use crate::text;

/// What strings of a place mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strings {
    /// `{{` opens a placeholder.
    Templates,
    /// They are what they are.
    Plain,
}

/// Numbers of so few digits are always exact.
const SURE_DIGITS: usize = 15;

impl Pass<'_> {
    /// A payload entry, an output, the value of a step.
    pub(super) fn value(&mut self, value: &Expr, strings: Strings) {
        match value {
            Expr::Literal(literal) => self.literal(*literal, strings),
            Expr::Path(path) => self.value_path(path),
            Expr::Object(object) => self.object(object, |pass, value| pass.value(value, strings)),
            Expr::List(list) => {
                for item in &list.items {
                    self.value(&item.value, strings);
                }
            }
            Expr::Unary(_) | Expr::Binary(_) => self.computed(value),
            Expr::Coalesce(coalesce) => self.coalesce(coalesce),
            Expr::Parenthesized(inner) => self.value(&inner.1, strings),
            Expr::Missing(_) => {}
        }
    }

    /// A default, an example, a constraint: literals only. What a bare name was meant to be is said by the analysis.
    pub(super) fn constant(&mut self, value: &Expr) {
        match value {
            Expr::Literal(literal) => self.literal(*literal, Strings::Plain),
            Expr::Object(object) => self.object(object, Self::constant),
            Expr::List(list) => {
                for item in &list.items {
                    self.constant(&item.value);
                }
            }
            Expr::Path(path) if matches!(path.root, Root::Name(_)) && path.segments.is_empty() => {}
            Expr::Path(_) | Expr::Coalesce(_) => self.report(messages::not_a_literal(value.span())),
            Expr::Unary(_) | Expr::Binary(_) => self.computed(value),
            Expr::Parenthesized(inner) => self.constant(&inner.1),
            Expr::Missing(_) => {}
        }
    }

    /// The value of a setting: names, literals, lists of them, and calls such as `env("URL")`.
    pub(super) fn setting_value(&mut self, value: &Expr, strings: Strings) {
        match value {
            Expr::Literal(literal) => self.literal(*literal, strings),
            Expr::Object(object) => self.object(object, |pass, value| pass.setting_value(value, strings)),
            Expr::List(list) => {
                for item in &list.items {
                    self.setting_value(&item.value, strings);
                }
            }
            Expr::Path(path) => {
                self.path_shape(path);
                for segment in &path.segments {
                    if let Segment::Call { arguments, .. } = segment {
                        arguments.iter().for_each(|argument| self.setting_value(argument, Strings::Plain));
                    }
                }
            }
            Expr::Coalesce(coalesce) => self.coalesce(coalesce),
            Expr::Unary(_) | Expr::Binary(_) => self.computed(value),
            Expr::Parenthesized(inner) => self.setting_value(&inner.1, strings),
            Expr::Missing(_) => {}
        }
    }

    fn object(&mut self, object: &Object, mut value: impl FnMut(&mut Self, &Expr)) {
        self.entries(&object.entries);
        for entry in &object.entries {
            self.key(entry.key);
            value(self, &entry.value);
        }
        self.keys(&object.entries);
    }

    fn value_path(&mut self, path: &Path) {
        let call = path.segments.iter().any(|segment| matches!(segment, Segment::Call { .. }));
        if call {
            self.report(messages::call_in_value(path.span));
        } else if matches!(path.root, Root::Expr(_)) {
            self.report(messages::path_behind_parentheses(path.span));
        } else {
            self.path_shape(path);
        }
    }

    /// `.path ?? literal`.
    fn coalesce(&mut self, coalesce: &Coalesce) {
        match unwrapped(&coalesce.value) {
            Expr::Path(path) => self.value_path(path),
            value @ (Expr::Unary(_) | Expr::Binary(_)) => self.computed(value),
            Expr::Missing(_) => {}
            value => self.report(messages::nothing_to_default(value.span())),
        }
        match unwrapped(&coalesce.otherwise) {
            value @ (Expr::Literal(_) | Expr::List(_) | Expr::Object(_)) => self.constant(value),
            value @ (Expr::Unary(_) | Expr::Binary(_)) => self.computed(value),
            // A bare name, such as that of an enum's value, is explained by the analysis.
            Expr::Path(path) if matches!(path.root, Root::Name(_)) && path.segments.is_empty() => {}
            Expr::Missing(_) => {}
            value => self.report(messages::default_not_a_literal(value.span())),
        }
    }

    /// Operators where a value should stand.
    fn computed(&mut self, value: &Expr) {
        let operator = match value {
            Expr::Unary(unary) => unary.operators.first().map(|(operator, span)| (operator == &UnaryOperator::Not, *span)),
            Expr::Binary(binary) => binary.rest.first().map(|(operator, span, _)| (operator.precedence() <= 2, *span)),
            _ => None,
        };
        let Some((is_decision, operator)) = operator else { return };
        let concatenation = match value {
            Expr::Binary(binary) => self.concatenation(binary),
            _ => None,
        };
        let sign = operator.text(self.text);
        if let Expr::Binary(binary) = value
            && let (Expr::Path(_), [(BinaryOperator::Or, _, otherwise)]) = (unwrapped(&binary.first), &*binary.rest)
            && matches!(unwrapped(otherwise), Expr::Literal(_) | Expr::List(_))
        {
            self.report(messages::default_operator(operator, sign));
            return;
        }
        if !sign.is_empty() {
            self.report(messages::computed_value(value.span(), operator, sign, is_decision, concatenation));
        }
    }

    /// `"Dear " + .name` as one string with placeholders.
    fn concatenation(&self, binary: &Binary) -> Option<String> {
        let mut string = String::from("\"");
        let mut has_text = false;
        if binary.rest.iter().any(|(operator, ..)| *operator != BinaryOperator::Add) {
            return None;
        }
        for operand in std::iter::once(&binary.first).chain(binary.rest.iter().map(|(.., operand)| operand)) {
            let raw = operand.span().text(self.text);
            match operand {
                Expr::Literal(literal) if literal.kind == LiteralKind::String => {
                    has_text = true;
                    string.push_str(text::string_inside(raw).1);
                }
                Expr::Path(path) if matches!(path.root, Root::Dot(_)) && !raw.contains(['(', '"', '\n']) => {
                    string.push_str("{{");
                    string.push_str(raw);
                    string.push_str("}}");
                }
                _ => return None,
            }
        }
        string.push('"');
        has_text.then_some(string)
    }

    /// A path is written without blanks, its indices are whole numbers, and its keys are strings.
    pub(super) fn path_shape(&mut self, path: &Path) {
        let (mut end, mut separator) = match &path.root {
            Root::Dot(dot) => (dot.end, ""),
            Root::Name(name) => (name.span.end, "."),
            Root::Expr(expression) => (expression.span().end, "."),
        };
        for segment in &path.segments {
            let (start, written, segment_end) = match segment {
                Segment::Field(name) if name.is_missing() => return,
                Segment::Field(name) => (name.span.start, separator, name.span.end),
                Segment::Optional(span) | Segment::All(span) => (span.start, "", span.end),
                Segment::Index(span) => {
                    self.index(*span);
                    (span.start, "[", self.bracket_end(span.end))
                }
                Segment::Key(span) => {
                    self.escapes(*span);
                    (span.start, "[", self.bracket_end(span.end))
                }
                Segment::Call { span, .. } => (span.start, "", span.end),
            };
            separator = ".";
            let gap = Span::new(end, start);
            // Before the parenthesis of a call a blank does no harm.
            if gap.text(self.text) != written && !matches!(segment, Segment::Call { .. }) {
                let blank = gap.text(self.text).chars().all(|character| character.is_whitespace() || matches!(character, '.' | '['));
                self.report(messages::blank_in_path(path.span, gap, blank.then_some(written)));
                return;
            }
            end = segment_end;
        }
    }

    /// Where the bracket behind an index or a key ends.
    fn bracket_end(&self, inner_end: u32) -> u32 {
        let rest = self.text.get(inner_end as usize..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        inner_end + blanks as u32 + 1
    }

    fn index(&mut self, number: Span) {
        let raw = number.text(self.text);
        if !raw.is_empty() && raw.parse::<u32>().is_err() {
            self.report(messages::bad_index(number, raw));
        }
    }

    // ---- Literals ------------------------------------------------------------------------------------------------------

    pub(super) fn literal(&mut self, literal: Literal, strings: Strings) {
        match literal.kind {
            LiteralKind::Number => self.number(literal.span),
            LiteralKind::Duration => {
                let raw = literal.span.text(self.text);
                if let Err(fault) = weave_scalars::duration::read(raw)
                    && !raw.is_empty()
                {
                    self.report(messages::bad_duration(literal.span, raw, fault));
                }
            }
            LiteralKind::String => self.escapes(literal.span),
            LiteralKind::TextBlock => self.margin(literal.span),
            LiteralKind::True | LiteralKind::False | LiteralKind::Null => return,
        }
        if strings == Strings::Templates && text::has_placeholder(literal.span.text(self.text)) {
            let template = crate::template(self.text, literal);
            // What is no placeholder has been reported and is left out.
            template.placeholders().for_each(|value| self.value(value, Strings::Plain));
            self.found.extend(template.errors);
        }
    }

    fn number(&mut self, span: Span) {
        let raw = span.text(self.text);
        if raw.len() <= SURE_DIGITS && !raw.contains(['e', 'E']) {
            return;
        }
        if text::number(raw) == Err(text::NumberFault::TooLarge) {
            let ty = self.scalar.map(|name| (name, name.text(self.text)));
            self.report(messages::number_too_large(span, raw, ty));
        }
    }

    pub(super) fn escapes(&mut self, span: Span) {
        let raw = span.text(self.text);
        if raw.contains('\\') {
            for (at, length, fault) in text::escape_faults(raw) {
                let place = Span::new(span.start + at as u32, span.start + (at + length) as u32);
                self.report(messages::bad_escape(place, place.text(self.text), fault));
            }
        }
    }

    fn margin(&mut self, span: Span) {
        let raw = span.text(self.text);
        // One message for a block: it is most often the margin that is wrong, not the lines.
        let in_margin = text::block_lines(raw).filter(|line| line.in_margin).map(|line| (line.start, line.text)).collect::<Vec<_>>();
        if let Some((start, line)) = in_margin.first() {
            let text = line.trim_start();
            let start = span.start + (start + line.len() - text.len()) as u32;
            let closing = Span::new(span.end.saturating_sub(3), span.end);
            self.report(messages::text_in_margin(Span::new(start, start + text.trim_end().len() as u32), closing, in_margin.len()));
        }
    }
}

/// What stands in parentheses, however many there are.
pub(super) fn unwrapped(mut value: &Expr) -> &Expr {
    while let Expr::Parenthesized(inner) = value {
        value = &inner.1;
    }
    value
}
