//! The formats and keywords of our schemas that JSON Schema does not know itself.

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::{Map, Value};
use weave_expr::evaluate;
use weave_ir::{Expr, Operator, ValueType};

/// The formats whose values are read as more than text.
const FORMS: &[(&str, ValueType)] = &[
    ("int64", ValueType::Int64),
    ("decimal", ValueType::Decimal),
    ("date-time", ValueType::Timestamp),
    ("date", ValueType::Date),
    ("duration", ValueType::Duration),
];

/// The options with these formats, the bounds `x-weave-min` and `x-weave-max`, and base64.
pub(super) fn with_forms(mut options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    for (name, value_type) in FORMS {
        options = options.with_format(*name, |text| has_form(text, *value_type));
    }
    options
        .with_keyword("x-weave-min", |parent, bound, _| Ok(Bound::boxed(parent, bound, Operator::GreaterOrEqual)))
        .with_keyword("x-weave-max", |parent, bound, _| Ok(Bound::boxed(parent, bound, Operator::LessOrEqual)))
        .with_keyword("contentEncoding", |_: &Map<String, Value>, _: &Value, _: Location| {
            Ok(Box::new(Base64) as Box<dyn for<'i> Keyword<'i>>)
        })
}

/// Whether a guard can read a text as a value of this type: so validated values never make a guard fail.
fn has_form(text: &str, value_type: ValueType) -> bool {
    compare(Operator::Equal, value_type, Value::from(text), Value::from(text)) == Some(true)
}

fn compare(operator: Operator, value_type: ValueType, value: Value, bound: Value) -> Option<bool> {
    let (value, bound) = (Expr::constant(value, value_type), Expr::constant(bound, value_type));
    evaluate(&Expr::typed(operator, value_type, vec![value, bound]), &Map::new()).ok()?.as_bool()
}

/// A bound on a value behind a text.
struct Bound {
    operator: Operator,
    value_type: ValueType,
    bound: Value,
}

impl Bound {
    fn boxed(parent: &Map<String, Value>, bound: &Value, operator: Operator) -> Box<dyn for<'i> Keyword<'i>> {
        let format = parent.get("format").and_then(Value::as_str);
        let form = FORMS.iter().find(|(name, _)| Some(*name) == format);
        Box::new(Self { operator, value_type: form.map_or(ValueType::Bytes, |(_, value_type)| *value_type), bound: bound.clone() })
    }

    fn fits(&self, value: &Value) -> bool {
        if !value.is_string() {
            return true;
        }
        if self.value_type != ValueType::Bytes {
            return compare(self.operator, self.value_type, value.clone(), self.bound.clone()) == Some(true);
        }
        let size = Expr::typed(Operator::Size, ValueType::Bytes, vec![Expr::constant(value.clone(), ValueType::Bytes)]);
        let within = vec![size, Expr::constant(self.bound.clone(), ValueType::Int)];
        evaluate(&Expr::typed(self.operator, ValueType::Int, within), &Map::new()) == Ok(Value::Bool(true))
    }
}

impl<'i> Keyword<'i> for Bound {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.fits(instance) {
            return Ok(());
        }
        let side = if self.operator == Operator::LessOrEqual { "greater" } else { "less" };
        Err(ValidationError::custom(format!("{instance} is {side} than {}", self.bound)))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.fits(instance)
    }
}

/// Text that is base64.
struct Base64;

impl<'i> Keyword<'i> for Base64 {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(format!("{instance} is not base64"))) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(|text| has_form(text, ValueType::Bytes))
    }
}
