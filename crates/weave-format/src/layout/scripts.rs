//! Tests.

use weave_syntax::ast::{Given, Line, LineKind, OrderItem, StepRef, Test, TestEntry};

use super::blocks::{self, Style};
use super::values;
use crate::cursor::{Cursor, Gap};

/// `test name of workflow { … }`: a line for each verb.
pub(super) fn test(cursor: &mut Cursor<'_>, test: &Test) {
    cursor.token();
    cursor.spaced(test.body.start);
    cursor.gap(Gap::Space);
    blocks::list(cursor, Style::Lines, &test.entries, |cursor, entry| match entry {
        TestEntry::Line(it) => line(cursor, it),
        TestEntry::Branch(branch) => {
            blocks::meta(cursor, &branch.meta, true);
            self::test(cursor, &branch.test);
        }
    });
}

fn line(cursor: &mut Cursor<'_>, line: &Line) {
    cursor.token();
    cursor.gap(Gap::Space);
    match &line.kind {
        LineKind::Start { input } => given(cursor, input.as_ref()),
        LineKind::Answer { step, value } => {
            reference(cursor, step);
            given(cursor, value.as_ref());
        }
        LineKind::Fail { step, kind, payload, once: _ } => {
            reference(cursor, step);
            cursor.spaced(kind.span.end);
            given(cursor, payload.as_ref());
        }
        LineKind::Call { tool, step, arguments } => {
            cursor.tight(tool.span.end);
            cursor.spaced_token();
            cursor.gap(Gap::Space);
            reference(cursor, step);
            given(cursor, arguments.as_ref());
        }
        LineKind::Send { topic, from, payload } => {
            cursor.tight(topic.span.end);
            if let Some(step) = from {
                cursor.spaced_token();
                cursor.gap(Gap::Space);
                reference(cursor, step);
            }
            given(cursor, payload.as_ref());
        }
        LineKind::Approve { step, arguments } => {
            reference(cursor, step);
            given(cursor, arguments.as_ref());
        }
        LineKind::Reject { step, .. } => reference(cursor, step),
        LineKind::Wait { .. } | LineKind::WaitUntil { .. } => {}
        LineKind::Expect { firing, value } => {
            reference(cursor, firing);
            given(cursor, value.as_ref());
        }
        LineKind::ExpectNot { not, firing } => {
            cursor.tight(not.end);
            reference(cursor, firing);
        }
        LineKind::ExpectFailure { kind, payload, .. } => {
            cursor.spaced(kind.span.end);
            given(cursor, payload.as_ref());
        }
        LineKind::ExpectOrder { items, .. } => blocks::list(cursor, Style::Brackets, items, |cursor, item| {
            let (OrderItem::Node(weave_syntax::ast::Name { span }) | OrderItem::Rest(span)) = item;
            cursor.tight(span.end);
        }),
        LineKind::Open { steps, .. } => blocks::list(cursor, Style::Brackets, steps, reference),
    }
    cursor.spaced(line.span.end);
}

/// `web#2[1]`.
fn reference(cursor: &mut Cursor<'_>, step: &StepRef) {
    cursor.tight(step.span.end);
}

/// ` = value`, ` { … }`.
fn given(cursor: &mut Cursor<'_>, given: Option<&Given>) {
    let Some(given) = given else { return };
    if given.equals.is_some() {
        cursor.spaced_token();
    }
    cursor.gap(Gap::Space);
    values::expression(cursor, &given.value);
}
