//! Mutations of payloads, outputs and guards.

use weave_diagnostics::Span;
use weave_syntax::ast::{BinaryOperator, Expr, LiteralKind, Path, Root, Segment, UnaryOperator};

use super::Collector;

impl Collector<'_> {
    /// Mutations of a value: a payload, an output.
    pub(super) fn value(&mut self, value: &Expr, steps: &[String]) {
        match value {
            Expr::Object(object) => {
                let spans = object.entries.iter().map(|entry| entry.span).collect::<Vec<_>>();
                self.drop_each("drop an entry", &spans);
                for pair in object.entries.windows(2) {
                    let [first, second] = pair else { continue };
                    let (one, other) = (first.value.span(), second.value.span());
                    if one.text(self.text) != other.text(self.text) {
                        let swapped = vec![(one, other.text(self.text).to_owned()), (other, one.text(self.text).to_owned())];
                        self.replace_all("swap two entries", swapped);
                    }
                }
                object.entries.iter().for_each(|entry| self.value(&entry.value, steps));
            }
            Expr::List(list) => list.items.iter().for_each(|item| self.value(&item.value, steps)),
            Expr::Path(path) => self.path(path, steps),
            Expr::Coalesce(coalesce) => {
                self.drop("drop a ??", Span::new(coalesce.value.span().end, coalesce.otherwise.span().end));
                self.value(&coalesce.value, steps);
            }
            Expr::Literal(literal) if literal.kind == LiteralKind::String && !literal.span.text(self.text).contains("{{") => {
                self.change("change a constant", literal.span);
            }
            _ => {}
        }
    }

    fn path(&mut self, path: &Path, steps: &[String]) {
        if !matches!(path.root, Root::Dot(_)) {
            return;
        }
        if let Some(Segment::Field(root)) = path.segments.first()
            && let Some(other) = Self::next_of(root.span, self.text, steps)
        {
            self.replace("read another step", root.span, other);
        }
        for segment in &path.segments {
            if let Segment::Optional(question) = segment {
                self.replace("drop a ?", *question, "");
            }
        }
        if let [_, .., Segment::Field(last)] = &*path.segments {
            self.replace("read the whole", Span::new(last.span.start - 1, last.span.end), "");
        }
    }

    fn change(&mut self, kind: &'static str, span: Span) {
        let shorter = span.text(self.text).strip_suffix('"').map(|start| format!("{start}x\""));
        if let Some(new) = shorter {
            self.replace(kind, span, new);
        }
    }

    /// Mutations inside a guard.
    pub(super) fn guard(&mut self, guard: &Expr, steps: &[String]) {
        match guard {
            Expr::Literal(literal) if literal.kind == LiteralKind::String => self.change("change a constant of a guard", literal.span),
            Expr::Path(path) => {
                self.path(path, steps);
                for segment in &path.segments {
                    if let Segment::Call { arguments, .. } = segment {
                        arguments.iter().for_each(|argument| self.guard(argument, steps));
                    }
                }
            }
            Expr::Unary(unary) => {
                if let [(UnaryOperator::Not, span)] = &*unary.operators {
                    self.replace("drop a not", *span, "");
                }
                self.guard(&unary.operand, steps);
            }
            Expr::Binary(binary) => {
                let mut before = binary.first.span();
                for (operator, span, operand) in &binary.rest {
                    let other = match operator {
                        BinaryOperator::And => Some("||"),
                        BinaryOperator::Or => Some("&&"),
                        BinaryOperator::Less => Some(">"),
                        BinaryOperator::Greater => Some("<"),
                        BinaryOperator::GreaterEqual => Some("<="),
                        BinaryOperator::LessEqual => Some(">="),
                        _ => None,
                    };
                    if let Some(other) = other {
                        self.replace("turn an operator round", *span, other);
                    }
                    if matches!(operator, BinaryOperator::And) {
                        self.drop("drop half of a guard", Span::new(before.end, operand.span().end));
                    }
                    before = operand.span();
                }
                self.guard(&binary.first, steps);
                binary.rest.iter().for_each(|(_, _, operand)| self.guard(operand, steps));
            }
            Expr::Parenthesized(inner) => self.guard(&inner.1, steps),
            _ => {}
        }
    }
}
