//! The guards of a file: as they were written, and as they are meant.

use weave_analysis::Bodies;
use weave_analysis::model::declarations::Approval;
use weave_analysis::model::guard::Guard;
use weave_analysis::model::workflow::{Action, Condition};
use weave_analysis::model::{DeclarationKind, ItemContext, Model, Unit};
use weave_diagnostics::Span;
use weave_syntax::ast::{self, Expr, ItemKind, NodeBody, Root, Segment, SettingValue, StepEntry, Wait};

use crate::project::{FileView, items};

/// The guards of a file as they were written.
pub(crate) fn written(unit: &Unit) -> Vec<(ItemContext<'_>, &Expr)> {
    let mut found = Vec::new();
    for slot in &unit.syntax.items {
        let context = ItemContext { file: unit.file, start: slot.start, text: unit.syntax.item_text(slot) };
        match &slot.parsed.item.kind {
            ItemKind::Workflow(workflow) => workflow.nodes.iter().for_each(|node| of_node(node, &mut |guard| found.push((context, guard)))),
            ItemKind::Tool(tool) => {
                for setting in tool.settings.iter().flat_map(ast::Block::settings) {
                    if let SettingValue::When { guard, .. } = &setting.value {
                        found.push((context, guard));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn of_node<'a>(node: &'a ast::Node, found: &mut impl FnMut(&'a Expr)) {
    for trigger in node.on().into_iter().flat_map(|triggers| &triggers.items) {
        if let Some(ast::Condition::When { guard, .. }) = &trigger.condition {
            found(guard);
        }
    }
    let NodeBody::Block { entries, .. } = &node.body else { return };
    for entry in entries {
        if let StepEntry::Action(ast::Action::Wait { wait: Wait::Topics { guard: Some(guard), .. }, .. }) = entry {
            found(guard);
        }
    }
}

/// An expression and all that is in it, the outer before the inner.
pub(crate) fn parts<'a>(guard: &'a Expr, found: &mut impl FnMut(&'a Expr)) {
    let mut open = vec![guard];
    while let Some(part) = open.pop() {
        found(part);
        match part {
            Expr::Literal(_) | Expr::Missing(_) => {}
            Expr::Path(path) => {
                if let Root::Expr(root) = &path.root {
                    open.push(root);
                }
                for segment in &path.segments {
                    if let Segment::Call { arguments, .. } = segment {
                        open.extend(arguments);
                    }
                }
            }
            Expr::Object(object) => open.extend(object.entries.iter().map(|entry| &entry.value)),
            Expr::List(list) => open.extend(list.items.iter().map(|item| &item.value)),
            Expr::Unary(unary) => open.push(&unary.operand),
            Expr::Binary(binary) => {
                open.push(&binary.first);
                open.extend(binary.rest.iter().map(|(.., operand)| operand));
            }
            Expr::Coalesce(coalesce) => open.extend([&coalesce.value, &coalesce.otherwise]),
            Expr::Parenthesized(inner) => open.push(&inner.1),
        }
    }
}

/// Whether a guard that ends in a plain path would end at this offset of the text, before `= true` or `= false`: that reads like a comparison, so
/// parentheses and comparisons may stand there to say that it is none.
pub(crate) fn is_before_truth(text: &str, end: u32) -> bool {
    let rest = text.get(end as usize..).unwrap_or_default().trim_start();
    let output = rest.strip_prefix('=').map(str::trim_start).unwrap_or_default();
    output.starts_with("true") || output.starts_with("false")
}

/// Whether an expression ends in a path that is compared with nothing.
pub(crate) fn ends_in_path(expression: &Expr) -> bool {
    let mut open = Some(expression);
    while let Some(expression) = open {
        open = match expression {
            Expr::Path(path) => return !path.segments.iter().any(|segment| matches!(segment, Segment::Call { .. })),
            Expr::Unary(unary) => Some(&unary.operand),
            Expr::Binary(binary) => {
                let last = binary.rest.last();
                last.filter(|(operator, ..)| operator.precedence() < ast::BinaryOperator::Equal.precedence()).map(|(.., operand)| operand)
            }
            _ => None,
        };
    }
    false
}

/// The guards of a file as they are meant.
pub(crate) fn meant<'a>(model: &'a Model, unit: &'a Unit, bodies: &'a Bodies) -> Vec<&'a Guard> {
    let mut found = Vec::new();
    for (declaration, ..) in items(model, unit) {
        if let DeclarationKind::Tool(tool) = &declaration.kind
            && let Some(Approval::When(guard)) = &tool.approval
        {
            found.push(guard);
        }
    }
    for workflow in &bodies.workflows {
        for node in &workflow.nodes {
            for trigger in &node.triggers {
                if let Some(Condition::When(guard) | Condition::AlsoWhen(guard)) = &trigger.condition {
                    found.push(guard);
                }
            }
            if let Action::WaitTopics { guard: Some(guard), .. } = &node.action {
                found.push(guard);
            }
        }
    }
    found
}

/// What an expression says, blanks and comments aside: two that say the same have the same text.
pub(crate) fn said(context: &ItemContext<'_>, file: &FileView<'_>, span: Span) -> String {
    let (text, tokens) = (file.text(), &file.unit.syntax.tokens);
    let span = span.shifted(context.start);
    let mut said = String::with_capacity(span.len() as usize);
    for index in tokens.at(span.start)..tokens.at(span.end) {
        if !tokens.kind(index).is_trivia() {
            said.push_str(tokens.span(index).text(text));
            // No token holds it, so tokens do not run together.
            said.push('\u{0}');
        }
    }
    said
}
