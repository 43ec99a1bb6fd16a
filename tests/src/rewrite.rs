//! Changes to programs: such that change nothing, and such that do.

use std::sync::Arc;

use weave_diagnostics::Span;
use weave_syntax::ast::{Action, Clause, Condition, Expr, ItemKind, Literal, LiteralKind, NodeBody, Segment, StepEntry, Wait, Workflow};
use weave_syntax::{TokenKind, lex, parse};

use crate::random::Random;

/// The same items in another order; imports stay where they are.
#[must_use]
pub fn reordered(text: &str, random: &mut Random) -> String {
    let file = parse(Arc::from(text));
    let starts = file.items.iter().map(|slot| slot.start as usize).collect::<Vec<_>>();
    let Some(first) = starts.first() else { return text.to_owned() };
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let pieces = starts.iter().zip(ends).map(|(start, end)| with_line_end(&text[*start..end])).collect::<Vec<_>>();
    let is_import = |index: &usize| matches!(file.items[*index].parsed.item.kind, ItemKind::Import(_));
    let movable = (0..pieces.len()).filter(|index| !is_import(index)).collect::<Vec<_>>();
    let mut shuffled = movable.clone();
    random.shuffle(&mut shuffled);
    let mut order = (0..pieces.len()).collect::<Vec<_>>();
    for (place, piece) in movable.into_iter().zip(shuffled) {
        order[place] = piece;
    }
    let mut written = text[..*first].to_owned();
    written.extend(order.into_iter().map(|index| pieces[index].as_str()));
    written
}

fn with_line_end(piece: &str) -> String {
    if piece.ends_with('\n') { piece.to_owned() } else { format!("{piece}\n") }
}

/// The same tokens with other blanks, other comments and more of them; where there was a line end there still is one, and nowhere else.
#[must_use]
pub fn relaid(text: &str, random: &mut Random) -> String {
    let tokens = lex(text);
    let mut written = String::new();
    let mut depth = 0_usize;
    for token in tokens.iter() {
        let found = token.span.text(text);
        match token.kind {
            TokenKind::Whitespace if found.contains('\n') => written.push_str(&line_ends(depth, random)),
            TokenKind::Whitespace => written.push_str([" ", "  ", "\t", " /* more */ "][random.below(4)]),
            TokenKind::LineComment => written.push_str("// another remark"),
            TokenKind::BlockComment if !found.contains('\n') => written.push_str("/* another /* nested */ remark */"),
            kind => {
                depth = match kind {
                    TokenKind::BraceOpen => depth + 1,
                    TokenKind::BraceClose => depth.saturating_sub(1),
                    _ => depth,
                };
                written.push_str(found);
            }
        }
    }
    written
}

/// A line end and the indentation of the next line; items keep to the first column.
fn line_ends(depth: usize, random: &mut Random) -> String {
    let indentation = if depth == 0 { "" } else { ["", " ", "      ", "\t"][random.below(4)] };
    let before = ["\n", "\n\n", "  \n", "\n// a remark\n", "\n/* a\n   remark */\n"][random.below(5)];
    format!("{before}{indentation}")
}

/// The literals in guards, payloads and outputs of all workflows, each as the range of its text.
#[must_use]
pub fn literals(text: &str) -> Vec<(Span, LiteralKind)> {
    let file = parse(Arc::from(text));
    let mut found = Vec::new();
    for slot in &file.items {
        if let ItemKind::Workflow(workflow) = &slot.parsed.item.kind {
            let inside = in_workflow(workflow);
            found.extend(inside.into_iter().map(|literal| (literal.span.shifted(slot.start), literal.kind)));
        }
    }
    found
}

/// The text with another literal in one place.
#[must_use]
pub fn with_other_literal(text: &str, (span, kind): (Span, LiteralKind)) -> Option<String> {
    let (before, found, after) = (&text[..span.start as usize], span.text(text), &text[span.end as usize..]);
    let other = match kind {
        LiteralKind::Number => format!("{found}1"),
        LiteralKind::String => format!("{}x\"", found.strip_suffix('"')?),
        LiteralKind::True => "false".to_owned(),
        LiteralKind::False => "true".to_owned(),
        LiteralKind::TextBlock | LiteralKind::Duration | LiteralKind::Null => return None,
    };
    Some(format!("{before}{other}{after}"))
}

fn in_workflow(workflow: &Workflow) -> Vec<Literal> {
    let mut found = Vec::new();
    for node in &workflow.nodes {
        for clause in &node.clauses {
            let Clause::On(triggers) = clause else { continue };
            for trigger in &triggers.items {
                if let Some(Condition::When { guard, .. }) = &trigger.condition {
                    collect(guard, &mut found);
                }
            }
        }
        match &node.body {
            NodeBody::Value(value) => collect(value, &mut found),
            NodeBody::Block { entries, .. } => entries.iter().for_each(|entry| in_entry(entry, &mut found)),
            NodeBody::None => {}
        }
    }
    found
}

fn in_entry(entry: &StepEntry, found: &mut Vec<Literal>) {
    let StepEntry::Action(action) = entry else { return };
    match action {
        Action::Invoke { payload: Some(value), .. } | Action::Emit { payload: Some(value), .. } => collect(value, found),
        Action::Wait { wait: Wait::Topics { guard: Some(guard), .. }, .. } => collect(guard, found),
        _ => {}
    }
}

fn collect(expression: &Expr, found: &mut Vec<Literal>) {
    match expression {
        Expr::Literal(literal) => found.push(*literal),
        Expr::Path(path) => {
            for segment in &path.segments {
                if let Segment::Call { arguments, .. } = segment {
                    arguments.iter().for_each(|argument| collect(argument, found));
                }
            }
        }
        Expr::Object(object) => object.entries.iter().for_each(|entry| collect(&entry.value, found)),
        Expr::List(list) => list.items.iter().for_each(|item| collect(&item.value, found)),
        Expr::Unary(unary) => collect(&unary.operand, found),
        Expr::Binary(binary) => {
            collect(&binary.first, found);
            binary.rest.iter().for_each(|(_, _, operand)| collect(operand, found));
        }
        Expr::Coalesce(coalesce) => {
            collect(&coalesce.value, found);
            collect(&coalesce.otherwise, found);
        }
        Expr::Parenthesized(inner) => collect(&inner.1, found),
        Expr::Missing(_) => {}
    }
}
