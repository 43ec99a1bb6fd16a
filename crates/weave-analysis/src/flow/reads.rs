//! Which steps a node reads, and what its conditions prove about them.

use serde_json::Value as Json;
use weave_diagnostics::Place;
use weave_syntax::ast::BinaryOperator;

use crate::model::guard::{Guard, GuardExpression, GuardKind};
use crate::model::types::Type;
use crate::model::value::{PathRoot, PathSegment, PathValue, ResolvedPath, Template, TemplatePart, Value, ValueKind};
use crate::model::workflow::{Action, Node, Source, Time, Trigger};

/// A path that reads a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// The step.
    pub(super) step: u32,
    /// Whether something is said about its absence, or all answers are read, of which there may be none.
    pub(super) optional: bool,
    /// Whether the exchange of the step is read, which a signal may have closed without an answer.
    pub(super) exchange: bool,
    /// Where.
    pub(super) place: Place,
}

/// The steps that the condition of a trigger reads, and its time. `proven` are those that have answered if the condition is asked.
pub(super) fn of_trigger(trigger: &Trigger, mut proven: Vec<u32>, found: &mut impl FnMut(Read)) {
    use crate::model::workflow::Condition;
    if let Some(Condition::When(guard) | Condition::AlsoWhen(guard)) = &trigger.condition {
        of_expression(&guard.expression, &mut proven, found);
    }
    if let Source::Timeout { after, .. } = &trigger.source {
        of_time(after, found);
    }
}

/// The steps that a node reads when it fires.
pub(super) fn of_node(node: &Node, found: &mut impl FnMut(Read)) {
    // Of a history those steps are left out that were not asked.
    node.history.iter().for_each(|step| found(Read { step: step.node, optional: true, exchange: true, place: step.place }));
    if let Some(list) = node.each.as_ref().and_then(|each| each.list.as_ref()) {
        of_path(list, false, found);
    }
    match &node.action {
        Action::Ask { arguments: value, .. }
        | Action::Call { arguments: value, .. }
        | Action::Run { arguments: value, .. }
        | Action::Emit { payload: value, .. }
        | Action::WaitUntil(value)
        | Action::Value(value)
        | Action::End(Some(value)) => of_value(value, found),
        Action::WaitFor(time) => of_time(time, found),
        Action::WaitTopics { guard: Some(guard), .. } => of_expression(&guard.expression, &mut Vec::new(), found),
        Action::Fail(Some(template)) => of_template(template, found),
        Action::WaitTopics { guard: None, .. } | Action::End(None) | Action::Fail(None) | Action::Cancel(_) | Action::Unknown => {}
    }
}

fn of_time(time: &Time, found: &mut impl FnMut(Read)) {
    if let Time::Path(path) = time {
        of_path(path, false, found);
    }
}

fn of_value(value: &Value, found: &mut impl FnMut(Read)) {
    match &value.kind {
        ValueKind::Path(path) => of_path_value(path, found),
        ValueKind::Template(template) => of_template(template, found),
        ValueKind::Object(entries) => entries.iter().for_each(|(_, value)| of_value(value, found)),
        ValueKind::List(items) => items.iter().for_each(|value| of_value(value, found)),
        ValueKind::Constant(_) | ValueKind::Open(_) | ValueKind::Unknown => {}
    }
}

fn of_template(template: &Template, found: &mut impl FnMut(Read)) {
    for part in &template.parts {
        if let TemplatePart::Placeholder(path) = part {
            of_path_value(path, found);
        }
    }
}

fn of_path_value(value: &PathValue, found: &mut impl FnMut(Read)) {
    of_path(&value.path, value.default.is_some(), found);
}

fn of_path(path: &ResolvedPath, excused: bool, found: &mut impl FnMut(Read)) {
    if let PathRoot::Step { node, .. } = path.root {
        let optional = excused || matches!(path.segments.first(), Some(PathSegment::Optional | PathSegment::All));
        found(Read { step: node, optional, exchange: false, place: path.place });
    }
}

// ---- Conditions --------------------------------------------------------------------------------------------------------

/// `proven` are the steps of which what stands before has shown that they have answered.
fn of_expression(expression: &GuardExpression, proven: &mut Vec<u32>, found: &mut impl FnMut(Read)) {
    match &expression.kind {
        GuardKind::Path(path) => of_guard_path(path, false, proven, found),
        GuardKind::Has(path) => of_guard_path(path, path.segments.is_empty(), proven, found),
        GuardKind::List(items) => items.iter().for_each(|item| of_expression(item, proven, found)),
        GuardKind::Not(operand) | GuardKind::Negate(operand) | GuardKind::Size(operand) => of_expression(operand, proven, found),
        GuardKind::Chain { first, rest } => {
            let known = proven.len();
            of_expression(first, proven, found);
            let mut before: &GuardExpression = first;
            for (operator, operand) in rest {
                match operator {
                    // What stands behind `&&` is asked only where all before it is true, behind `||` only where it is false.
                    BinaryOperator::And => prove(before, true, proven),
                    BinaryOperator::Or => prove(before, false, proven),
                    _ => {}
                }
                of_expression(operand, proven, found);
                before = operand;
            }
            proven.truncate(known);
        }
        GuardKind::Text { receiver, argument, .. } => {
            of_expression(receiver, proven, found);
            of_expression(argument, proven, found);
        }
        GuardKind::Quantifier { list, body, .. } => {
            of_expression(list, proven, found);
            of_expression(body, proven, found);
        }
        GuardKind::Constant(_) | GuardKind::Unknown => {}
    }
}

fn of_guard_path(path: &ResolvedPath, excused: bool, proven: &[u32], found: &mut impl FnMut(Read)) {
    let is_proven = matches!(path.root, PathRoot::Step { node, .. } if proven.contains(&node));
    if !is_proven {
        of_path(path, excused, found);
    }
}

/// The steps that have answered if a guard is true, or if it is not; nothing if it is not known what it says.
pub(super) fn proofs(guard: &Guard, truth: bool) -> Option<Vec<u32>> {
    let mut proven = Vec::new();
    prove(&guard.expression, truth, &mut proven);
    proven.sort_unstable();
    proven.dedup();
    is_known(&guard.expression).then_some(proven)
}

/// Whether everything in an expression is known.
pub(super) fn is_known(expression: &GuardExpression) -> bool {
    expression.parts().all(|part| match &part.kind {
        GuardKind::Unknown => false,
        GuardKind::Path(path) | GuardKind::Has(path) => !matches!(path.ty, Type::Unknown),
        _ => true,
    })
}

/// Adds the steps that have answered if an expression is true, or false.
fn prove(expression: &GuardExpression, truth: bool, proven: &mut Vec<u32>) {
    match &expression.kind {
        GuardKind::Path(path) | GuardKind::Has(path) if truth => proven.extend(read_step(path)),
        GuardKind::Not(operand) => prove(operand, !truth, proven),
        GuardKind::Chain { first, rest } => match rest.first() {
            Some((operator @ (BinaryOperator::And | BinaryOperator::Or), _)) => {
                let operands = || std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
                if (*operator == BinaryOperator::And) == truth {
                    operands().for_each(|operand| prove(operand, truth, proven));
                } else {
                    // Either of them holds, so only what all of them say.
                    let mut shared: Option<Vec<u32>> = None;
                    for operand in operands() {
                        let mut own = Vec::new();
                        prove(operand, truth, &mut own);
                        match &mut shared {
                            None => shared = Some(own),
                            Some(shared) => shared.retain(|step| own.contains(step)),
                        }
                    }
                    proven.extend(shared.into_iter().flatten());
                }
            }
            Some((operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), other)) if rest.len() == 1 => {
                let equal = (*operator == BinaryOperator::Equal) == truth;
                for (path, constant) in [(&**first, other), (other, &**first)] {
                    if let (GuardKind::Path(path), GuardKind::Constant(constant)) = (&path.kind, &constant.kind)
                        && (*constant != Json::Null) == equal
                    {
                        proven.extend(read_step(path));
                    }
                }
            }
            _ => {}
        },
        _ => {}
    }
}

/// The step that must have answered for a path to yield something.
fn read_step(path: &ResolvedPath) -> Option<u32> {
    match path.root {
        PathRoot::Step { node, .. } if path.segments.first() != Some(&PathSegment::All) => Some(node),
        _ => None,
    }
}
