//! Numbers, and texts that are read as numbers or times: candidates on both sides of constants, within the bounds of the schema.

use serde_json::{Map, Number, Value};
use weave_expr::evaluate;
use weave_ir::{Expr, Operator, ValueType};

use crate::constants::Constant;

/// The values of a number type that are worth a try: the side below the constants first, then the one above, then all boundaries.
pub(crate) fn numbers(schema: &Map<String, Value>, value_type: ValueType, constants: &[Constant]) -> Vec<Value> {
    let bound = |name: &str| schema.get(name).filter(|bound| !bound.is_null()).cloned();
    let on_wire = matches!(value_type, ValueType::Int64 | ValueType::Decimal);
    let (least, most) = if on_wire { (bound("x-weave-min"), bound("x-weave-max")) } else { (bound("minimum"), bound("maximum")) };
    let one = number(value_type, 1);
    let step = |value: &Value, operator| compute(value_type, operator, value, &one);
    let mut low = Vec::new();
    let mut high = Vec::new();
    for constant in constants.iter().filter(|constant| !constant.of_size) {
        let (below, above) = match constant.operator {
            Operator::Greater | Operator::LessOrEqual => (Some(constant.value.clone()), step(&constant.value, Operator::Add)),
            Operator::GreaterOrEqual | Operator::Less => (step(&constant.value, Operator::Subtract), Some(constant.value.clone())),
            _ => (step(&constant.value, Operator::Add), Some(constant.value.clone())),
        };
        low.extend(below);
        high.extend(above);
    }
    let mut found = Vec::new();
    found.extend(low.first().cloned());
    found.extend(high.last().cloned());
    found.extend(low.into_iter().chain(high));
    found.extend([one.clone(), number(value_type, 2), number(value_type, 0)]);
    for edge in [&least, &most].into_iter().flatten() {
        found.push(edge.clone());
        found.extend([Operator::Add, Operator::Subtract].into_iter().filter_map(|operator| step(edge, operator)));
    }
    found.retain(|value| {
        let within = |bound: &Option<Value>, operator| bound.as_ref().is_none_or(|bound| holds(value_type, operator, value, bound));
        within(&least, Operator::GreaterOrEqual) && within(&most, Operator::LessOrEqual)
    });
    distinct(found)
}

/// Without repetitions, in the same order.
pub(crate) fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

fn number(value_type: ValueType, number: i64) -> Value {
    match value_type {
        ValueType::Int64 | ValueType::Decimal => Value::from(number.to_string()),
        #[allow(clippy::cast_precision_loss, reason = "these numbers are small")]
        ValueType::Float => Number::from_f64(number as f64).map_or(Value::Null, Value::Number),
        _ => Value::from(number),
    }
}

fn compute(value_type: ValueType, operator: Operator, value: &Value, other: &Value) -> Option<Value> {
    let args = [value, other].map(|value| Expr::constant(value.clone(), value_type)).to_vec();
    evaluate(&Expr::typed(operator, value_type, args), &Map::new()).ok()
}

/// Whether a comparison of two values of a type is true.
pub(crate) fn holds(value_type: ValueType, operator: Operator, value: &Value, other: &Value) -> bool {
    compute(value_type, operator, value, other) == Some(Value::Bool(true))
}
