//! Conditions as programs write them.

use serde_json::Value;
use weave_ir::package::{Written, WrittenPath, WrittenStep};
use weave_ir::{Operator, Quantifier, ValueType};

use super::code::Code;
use super::program::Roots;

/// A condition.
pub(super) fn guard(written: &Written, roots: &Roots<'_>) -> Code {
    match written {
        Written::Constant(value, kind) => constant(value, *kind, None),
        Written::Read(path) => read(path, roots),
        Written::Has(path) => Code::call("has", vec![read(path, roots)]),
        Written::List(items) => Code::call("list_of", items.iter().map(|item| guard(item, roots)).collect()),
        Written::Not(operand) => Code::call("not", vec![guard(operand, roots)]),
        Written::Negate(operand) => Code::call("neg", vec![guard(operand, roots)]),
        Written::Size(operand) => Code::call("size", vec![guard(operand, roots)]),
        Written::Binary(op, operands) => binary(*op, operands, roots),
        Written::Text(op, text, part) => {
            let part = match (&**part, *op) {
                (Written::Constant(Value::String(pattern), _), Operator::Matches) => Code::text(pattern),
                (part, _) => guard(part, roots),
            };
            Code::call(function(*op), vec![guard(text, roots), part])
        }
        Written::Quantify { op, list, variable, body } => {
            let name = match op {
                Quantifier::Exists => "exists",
                Quantifier::All => "for_all",
            };
            Code::call(name, vec![guard(list, roots), Code::text(variable), guard(body, roots)])
        }
    }
}

fn binary(op: Operator, operands: &[Written], roots: &Roots<'_>) -> Code {
    let mut code = Vec::with_capacity(operands.len());
    for (index, operand) in operands.iter().enumerate() {
        // The first is seen beside the second, and each further one beside what stands before it.
        let beside = if index == 0 { operands.get(1) } else { operands.first() };
        code.push(match operand {
            Written::Constant(value, kind) => constant(value, *kind, beside.and_then(typed)),
            other => guard(other, roots),
        });
    }
    Code::call(function(op), code)
}

/// The type of what is no constant.
fn typed(written: &Written) -> Option<ValueType> {
    match written {
        Written::Constant(..) => None,
        Written::Read(path) => Some(path.value_type),
        Written::List(_) => Some(ValueType::List),
        Written::Size(_) => Some(ValueType::Int),
        Written::Negate(operand) => typed(operand),
        Written::Has(_) | Written::Not(_) | Written::Text(..) | Written::Quantify { .. } => Some(ValueType::Bool),
        Written::Binary(op, operands) => match op {
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
                operands.first().and_then(typed)
            }
            _ => Some(ValueType::Bool),
        },
    }
}

/// A constant: bare where the language has one that means the same beside what it stands with.
fn constant(value: &Value, kind: ValueType, beside: Option<ValueType>) -> Code {
    let is_wire = |kind: ValueType| {
        use ValueType::{Bytes, Date, Decimal, Duration, Int64, Timestamp};
        matches!(kind, Int64 | Decimal | Bytes | Timestamp | Date | Duration)
    };
    let is_bare = match (value, kind) {
        (Value::Null, _) | (Value::Bool(_), ValueType::Bool) => true,
        (Value::String(_), ValueType::String) => !beside.is_some_and(is_wire),
        (Value::String(_), kind) if is_wire(kind) => beside == Some(kind),
        (Value::Number(number), ValueType::Int) => !number.is_f64() && beside != Some(ValueType::Float),
        (Value::Number(_), ValueType::Float) => beside == Some(ValueType::Float),
        _ => false,
    };
    if is_bare { Code::json(value) } else { Code::call("constant", vec![Code::json(value), Code::Kind(kind)]) }
}

fn read(path: &WrittenPath, roots: &Roots<'_>) -> Code {
    let mut at = if path.is_variable { Code::call("item", vec![Code::text(&path.root)]) } else { roots.of(&path.root) };
    let mut keys: Vec<Code> = Vec::new();
    let mut steps = path.steps.iter().peekable();
    while let Some(step) = steps.next() {
        let last = steps.peek().is_none();
        match step {
            WrittenStep::Field(name) => keys.push(Code::text(name)),
            WrittenStep::Index(index) => keys.push(Code::Number((*index).into())),
            // A mark at the very end changes nothing.
            WrittenStep::Maybe if last => {}
            other => {
                at = flush(at, &mut keys);
                at = match other {
                    WrittenStep::Entry(name) => {
                        let mut notes = Vec::new();
                        if last && !path.may_be_absent {
                            notes.push(("present", Code::Bool(true)));
                        }
                        if last && path.may_be_null {
                            notes.push(("nullable", Code::Bool(true)));
                        }
                        at.then("entry", vec![Code::text(name)]).with(notes)
                    }
                    WrittenStep::Loose(name) => at.then("loose", vec![Code::text(name)]),
                    WrittenStep::All => Code::Property(Box::new(at), "all"),
                    _ => Code::Property(Box::new(at), "maybe"),
                };
            }
        }
    }
    answer(flush(at, &mut keys)).then("as", vec![Code::Kind(path.value_type)])
}

/// Reads what has been gathered.
pub(super) fn flush(at: Code, keys: &mut Vec<Code>) -> Code {
    if keys.is_empty() { at } else { at.then("at", std::mem::take(keys)) }
}

/// The whole answer, if this is a step.
pub(super) fn answer(at: Code) -> Code {
    if matches!(at, Code::Name(_)) { Code::Property(Box::new(at), "answer") } else { at }
}

const fn function(op: Operator) -> &'static str {
    match op {
        Operator::And => "and",
        Operator::Or => "or",
        Operator::Not => "not",
        Operator::Equal => "eq",
        Operator::NotEqual => "ne",
        Operator::Less => "lt",
        Operator::LessOrEqual => "le",
        Operator::Greater => "gt",
        Operator::GreaterOrEqual => "ge",
        Operator::In => "is_in",
        Operator::Add => "add",
        Operator::Subtract => "sub",
        Operator::Multiply => "mul",
        Operator::Divide => "div",
        Operator::Remainder => "rem",
        Operator::Negate => "neg",
        Operator::Contains => "contains",
        Operator::StartsWith => "starts_with",
        Operator::EndsWith => "ends_with",
        Operator::Matches => "matches",
        Operator::Size => "size",
        Operator::Has => "has",
    }
}
