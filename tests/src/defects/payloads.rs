//! The places for defects in payloads, guards and texts.

use weave_diagnostics::Span;
use weave_syntax::ast::{BinaryOperator, Expr, LiteralKind, Node, NodeBody, NodeKind, Root, Segment, Source, StepEntry, Trigger, Workflow};
use weave_syntax::{TokenKind, lex};

use super::Defect;
use super::finder::Finder;

/// What no field of a program is called like.
const WRONG: &str = "{ no_such_field: [true] }";

impl Finder<'_> {
    /// Defects of what a step sends.
    pub(super) fn payload(&mut self, node: &Node, payload: &Expr) {
        let Expr::Object(object) = payload else { return };
        let right = [node.span];
        let entries = &object.entries;
        for (index, entry) in entries.iter().enumerate() {
            self.replace("wrong type in a payload", entry.value.span(), WRONG, &right);
            let span = match (entries.get(index + 1), index.checked_sub(1)) {
                (Some(next), _) => Span::new(entry.span.start, next.span.start),
                (None, Some(before)) => Span::new(entries[before].span.end, entry.span.end),
                (None, None) => entry.span,
            };
            self.replace("entry of a payload missing", span, "", &right);
        }
        for pair in entries.windows(2) {
            let [first, second] = pair else { continue };
            let (one, other) = (first.value.span(), second.value.span());
            let texts = (one.text(self.text).to_owned(), other.text(self.text).to_owned());
            if texts.0 != texts.1 {
                self.replace_all("arguments swapped", vec![(one, texts.1), (other, texts.0)], &right);
            }
        }
    }

    /// Defects of a condition.
    pub(super) fn guard(&mut self, guard: &Expr, right: &[Span]) {
        match guard {
            Expr::Literal(literal) if literal.kind == LiteralKind::String && !literal.span.text(self.text).contains("{{") => {
                self.replace("literal misspelled in a guard", Span::at(literal.span.end - 1), "x", right);
            }
            Expr::Unary(unary) => self.guard(&unary.operand, right),
            Expr::Binary(binary) => {
                self.guard(&binary.first, right);
                for (operator, span, operand) in &binary.rest {
                    let other = match operator {
                        BinaryOperator::Less => Some(">"),
                        BinaryOperator::Greater => Some("<"),
                        BinaryOperator::LessEqual => Some(">="),
                        BinaryOperator::GreaterEqual => Some("<="),
                        _ => None,
                    };
                    if let Some(other) = other {
                        self.replace("comparison reversed", *span, other, right);
                    }
                    self.guard(operand, right);
                }
            }
            Expr::Parenthesized(inner) => self.guard(&inner.1, right),
            _ => {}
        }
    }

    /// Reads of the wrong step.
    pub(super) fn reads(&mut self, node: &Node, workflow: &Workflow) {
        let mut paths = Vec::new();
        match &node.body {
            NodeBody::Block { entries, .. } => {
                for entry in entries {
                    if let StepEntry::Action(weave_syntax::ast::Action::Invoke { payload: Some(payload), .. }) = entry {
                        roots(payload, &mut paths);
                    }
                }
            }
            NodeBody::Value(value) => roots(value, &mut paths),
            NodeBody::None => {}
        }
        let is_step = |name: &str| workflow.nodes.iter().find(|other| other.kind == NodeKind::Step && other.name.text(self.text) == name);
        let own = node.name.text(self.text).to_owned();
        // The steps that directly follow this one.
        let follows = |other: &Node| {
            let triggers: &[Trigger] = other.on().map_or(&[], |triggers| &triggers.items);
            triggers.iter().any(|trigger| matches!(&trigger.source, Source::Name(name) if name.span.text(self.text) == own))
        };
        let later = workflow.nodes.iter().find(|other| other.kind == NodeKind::Step && follows(other) && other.name.text(self.text) != own);
        let later = later.map(|later| later.name.text(self.text).to_owned());
        let mut defects = Vec::new();
        for span in paths {
            let Some(source) = is_step(span.text(self.text)) else { continue };
            if let Some(later) = &later
                && *later != span.text(self.text)
            {
                defects.push(("read before the value exists", span, later.clone()));
            }
            // A step that carries the newest of several values: one of the older ones is read instead.
            let listens = |trigger: &Trigger| matches!(&trigger.source, Source::Name(name) if name.span.text(self.text) == source.name.text(self.text));
            let alternatives: Vec<&str> = source
                .on()
                .into_iter()
                .flat_map(|triggers| &triggers.items)
                .filter_map(|trigger| match &trigger.source {
                    Source::Name(name) if is_step(name.span.text(self.text)).is_some() => Some(name.span.text(self.text)),
                    _ => None,
                })
                .collect();
            let carries = source.span.text(self.text).contains("= .event");
            if node.on().is_some_and(|triggers| triggers.items.iter().any(listens)) && alternatives.len() > 1 && carries {
                defects.push(("stale read in a loop", span, alternatives[0].to_owned()));
            }
        }
        for (kind, span, other) in defects {
            self.replace(kind, span, other, &[node.span]);
        }
    }
}

/// The first names of all paths in a value.
fn roots(value: &Expr, found: &mut Vec<Span>) {
    match value {
        Expr::Object(object) => object.entries.iter().for_each(|entry| roots(&entry.value, found)),
        Expr::List(list) => list.items.iter().for_each(|item| roots(&item.value, found)),
        Expr::Coalesce(coalesce) => roots(&coalesce.value, found),
        Expr::Path(path) if matches!(path.root, Root::Dot(_)) => {
            if let Some(Segment::Field(first)) = path.segments.first() {
                found.push(first.span);
            }
        }
        _ => {}
    }
}

/// Misspelled names in the placeholders of all texts.
pub(super) fn placeholders(text: &str, found: &mut Vec<Defect>) {
    for token in lex(text).iter().filter(|token| matches!(token.kind, TokenKind::String | TokenKind::TextBlock)) {
        let content = token.span.text(text);
        let mut from = 0;
        while let Some(at) = content[from..].find("{{.") {
            let start = from + at + 3;
            let length = content[start..].find(|end: char| !(end.is_ascii_alphanumeric() || end == '_' || end == '.')).unwrap_or(0);
            let end = token.span.start + (start + length) as u32;
            if length > 0 {
                let edits = vec![(Span::at(end), "x".to_owned())];
                found.push(Defect { kind: "placeholder misspelled", edits, right: vec![token.span] });
            }
            from = start + length;
        }
    }
}
