//! The nodes of workflows.

use weave_syntax::ast::{Action, Clause, Condition, Expr, LiteralKind, Name, Node, NodeBody, Source, StepEntry, Trigger, Wait};

use super::blocks::{self, Style};
use super::values;
use crate::cursor::{Cursor, Gap};

/// A node with its docs and attributes. What does not fit behind its name stands below it, further in than its body.
pub(super) fn node(cursor: &mut Cursor<'_>, node: &Node) {
    blocks::meta(cursor, &node.meta, true);
    let below = match &node.body {
        NodeBody::Value(value) if !breaks_inside(value) => Some(value),
        _ => None,
    };
    if below.is_some() {
        cursor.open_group();
    }
    cursor.open_group();
    cursor.token();
    cursor.spaced(node.name.span.end);
    cursor.indent();
    cursor.indent();
    for part in &node.clauses {
        cursor.gap(Gap::Line);
        clause(cursor, part);
    }
    cursor.dedent();
    cursor.dedent();
    cursor.close_group();
    if let Some(value) = below {
        value_below(cursor, value);
        return cursor.close_group();
    }
    cursor.gap(Gap::Space);
    match &node.body {
        NodeBody::Block { entries, .. } => blocks::list(cursor, Style::Lines, entries, entry),
        NodeBody::Value(value) => {
            cursor.token();
            cursor.gap(Gap::Space);
            values::expression(cursor, value);
        }
        NodeBody::None => cursor.gap(Gap::Tight),
    }
}

/// Whether a value has lines of its own: it then stays where it starts.
fn breaks_inside(value: &Expr) -> bool {
    match value {
        Expr::Object(object) => !object.entries.is_empty(),
        Expr::List(list) => !list.items.is_empty(),
        Expr::Literal(literal) => literal.kind == LiteralKind::TextBlock,
        _ => false,
    }
}

/// `= value`, on a line of its own if it does not fit behind the triggers.
fn value_below(cursor: &mut Cursor<'_>, value: &Expr) {
    cursor.indent();
    cursor.indent();
    cursor.gap(Gap::Line);
    cursor.token();
    cursor.gap(Gap::Space);
    values::expression(cursor, value);
    cursor.dedent();
    cursor.dedent();
}

fn clause(cursor: &mut Cursor<'_>, clause: &Clause) {
    match clause {
        Clause::On(triggers) => {
            cursor.token();
            cursor.gap(Gap::Space);
            if let [only] = &triggers.items[..] {
                return trigger(cursor, only);
            }
            cursor.open_group();
            cursor.indent();
            for (index, it) in triggers.items.iter().enumerate() {
                if index > 0 {
                    cursor.gap(Gap::Line);
                    cursor.token();
                    cursor.gap(Gap::Space);
                }
                cursor.indent();
                trigger(cursor, it);
                cursor.dedent();
            }
            cursor.dedent();
            cursor.close_group();
        }
        Clause::Limit { count, .. } => {
            cursor.token();
            cursor.gap(Gap::Space);
            values::expression(cursor, count);
        }
        Clause::Each(each) => {
            cursor.token();
            cursor.gap(Gap::Space);
            values::expression(cursor, &each.list);
            cursor.spaced(each.span.end);
        }
    }
}

/// A trigger; its condition stands on a line of its own if it does not fit behind it.
fn trigger(cursor: &mut Cursor<'_>, trigger: &Trigger) {
    cursor.open_group();
    source(cursor, &trigger.source);
    match &trigger.condition {
        Some(Condition::When { also, guard }) => {
            cursor.gap(Gap::Line);
            if also.is_some() {
                cursor.token();
                cursor.gap(Gap::Space);
            }
            cursor.token();
            cursor.gap(Gap::Space);
            values::expression(cursor, guard);
        }
        Some(Condition::Else(_)) => cursor.spaced_token(),
        None => {}
    }
    cursor.close_group();
}

fn source(cursor: &mut Cursor<'_>, source: &Source) {
    match source {
        Source::Name(name) => cursor.tight(name.span.end),
        Source::From { what, step } => {
            cursor.tight(what.span.end);
            cursor.spaced(step.span.end);
        }
        Source::All { steps: members } | Source::Settled { steps: members } => {
            cursor.token();
            steps(cursor, members);
        }
        Source::Count { count, steps: members } => {
            cursor.tight(count.span.end);
            cursor.spaced_token();
            cursor.gap(Gap::Space);
            steps(cursor, members);
        }
        Source::Failure { step } => {
            cursor.tight(step.span.end);
            cursor.token();
        }
        Source::Timeout { step, after } => {
            cursor.token();
            cursor.token();
            if let Some(step) = step {
                cursor.tight(step.span.end);
                cursor.token();
                cursor.gap(Gap::Space);
            }
            values::expression(cursor, after);
            cursor.token();
        }
    }
}

fn steps(cursor: &mut Cursor<'_>, steps: &[Name]) {
    blocks::list(cursor, Style::Brackets, steps, |cursor, step| cursor.tight(step.span.end));
}

fn entry(cursor: &mut Cursor<'_>, entry: &StepEntry) {
    match entry {
        StepEntry::Action(it) => action(cursor, it),
        StepEntry::Setting(it) => values::setting(cursor, it),
    }
}

fn action(cursor: &mut Cursor<'_>, action: &Action) {
    cursor.token();
    cursor.gap(Gap::Space);
    match action {
        Action::Invoke { name, payload, .. } => {
            cursor.tight(name.span.end);
            if let Some(payload) = payload {
                cursor.gap(Gap::Space);
                values::expression(cursor, payload);
            }
        }
        Action::Emit { topic, payload, .. } => {
            cursor.tight(topic.span.end);
            if let Some(payload) = payload {
                cursor.gap(Gap::Space);
                values::expression(cursor, payload);
            }
        }
        Action::Wait { wait, .. } => waiting(cursor, wait),
        Action::Cancel { steps, .. } => {
            for (index, step) in steps.iter().enumerate() {
                if index > 0 {
                    cursor.token();
                    cursor.gap(Gap::Space);
                }
                cursor.tight(step.span.end);
            }
        }
    }
    cursor.spaced(action.span().end);
}

fn waiting(cursor: &mut Cursor<'_>, wait: &Wait) {
    match wait {
        Wait::For(time) => values::expression(cursor, time),
        Wait::Until(time) => {
            cursor.token();
            cursor.gap(Gap::Space);
            values::expression(cursor, time);
        }
        Wait::Topics { topics, guard } => {
            cursor.open_group();
            cursor.indent();
            for (index, topic) in topics.iter().enumerate() {
                if index > 0 {
                    cursor.gap(Gap::Line);
                    cursor.token();
                    cursor.gap(Gap::Space);
                }
                cursor.tight(topic.span.end);
            }
            if let Some(guard) = guard {
                cursor.gap(Gap::Line);
                cursor.token();
                cursor.gap(Gap::Space);
                values::expression(cursor, guard);
            }
            cursor.dedent();
            cursor.close_group();
        }
    }
}
