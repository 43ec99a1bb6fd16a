//! Guards.

use weave_diagnostics::Span;

use super::values::Strings;
use super::{Pass, messages};
use crate::ast::{Binary, BinaryOperator, Expr, LiteralKind, Path, Root, Segment};
use crate::text;

/// How tightly comparisons bind.
const COMPARISON: u8 = BinaryOperator::Equal.precedence();

impl Pass<'_> {
    pub(super) fn guard(&mut self, guard: &Expr) {
        match guard {
            Expr::Literal(literal) => {
                self.literal(*literal, Strings::Plain);
                let raw = literal.span.text(self.text);
                if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) && text::has_placeholder(raw) {
                    self.placeholder_in_guard(literal.span, raw);
                }
            }
            Expr::Path(path) => self.guard_path(path),
            Expr::Object(object) => self.report(messages::object_in_guard(object.span)),
            Expr::List(list) => list.items.iter().for_each(|item| self.guard(&item.value)),
            Expr::Unary(unary) => self.guard(&unary.operand),
            Expr::Binary(binary) => self.guard_chain(binary),
            Expr::Coalesce(coalesce) => {
                let operator = Span::new(coalesce.value.span().end, coalesce.otherwise.span().start);
                self.report(messages::coalesce_in_guard(coalesce.span, self.trimmed(operator)));
            }
            Expr::Parenthesized(inner) => self.guard(&inner.1),
            Expr::Missing(_) => {}
        }
    }

    /// A span without the blanks at its ends.
    fn trimmed(&self, span: Span) -> Span {
        let raw = span.text(self.text);
        let start = span.start + (raw.len() - raw.trim_start().len()) as u32;
        Span::new(start, start + raw.trim().len() as u32)
    }

    fn guard_chain(&mut self, binary: &Binary) {
        self.guard(&binary.first);
        for (.., operand) in &binary.rest {
            self.guard(operand);
        }
        let [(first, first_span, middle), (second, second_span, _), rest @ ..] = &*binary.rest else { return };
        if first.precedence() == COMPARISON && !first_span.is_empty() && !second_span.is_empty() {
            let simple = matches!(middle, Expr::Literal(_) | Expr::Path(_)) && rest.is_empty();
            let copy = simple.then(|| format!("&& {} {}", middle.span().text(self.text), second.text()));
            self.report(messages::comparison_chain(*first_span, *second_span, copy));
        }
    }

    fn guard_path(&mut self, path: &Path) {
        if let Root::Expr(inner) = &path.root {
            self.guard(inner);
        }
        self.path_shape(path);
        for segment in &path.segments {
            if let Segment::Call { arguments, .. } = segment {
                arguments.iter().for_each(|argument| self.guard(argument));
            }
        }
    }

    fn placeholder_in_guard(&mut self, span: Span, raw: &str) {
        let inside = text::string_inside(raw).1.trim();
        // Not after a backslash, which says that the braces are meant.
        if raw.contains("\\{{") || !raw.contains("}}") {
            return;
        }
        let path = inside.strip_prefix("{{").and_then(|inside| inside.strip_suffix("}}")).map(str::trim);
        let path = path.filter(|path| path.starts_with('.') && !path.contains(['{', '}', ' ', '"']));
        self.report(messages::placeholder_in_guard(span, path));
    }
}
