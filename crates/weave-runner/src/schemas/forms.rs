//! The formats and keywords of our schemas that JSON Schema does not know itself.

use std::cmp::Ordering;

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::{Map, Value};
use weave_scalars::{Form, base64};

use super::words::shown;

/// The options with the formats of scalars, the bounds `x-weave-min` and `x-weave-max`, and base64. A value that fits has the form
/// in which guards read it, so a validated value never makes a guard fail.
pub(super) fn with_forms(mut options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    for form in Form::ALL {
        if let Some(name) = form.schema_format() {
            options = options.with_format(name, move |text| form.fits(text));
        }
    }
    options
        .with_keyword("x-weave-min", |parent, bound, _| Ok(Bound::boxed(parent, bound, Ordering::Less)))
        .with_keyword("x-weave-max", |parent, bound, _| Ok(Bound::boxed(parent, bound, Ordering::Greater)))
        .with_keyword("contentEncoding", |_: &Map<String, Value>, _: &Value, _: Location| {
            Ok(Box::new(Base64) as Box<dyn for<'i> Keyword<'i>>)
        })
}

/// A bound on what a text says.
struct Bound {
    /// How a value that is beyond the bound compares with it.
    beyond: Ordering,
    form: Form,
    bound: Value,
}

impl Bound {
    fn boxed(parent: &Map<String, Value>, bound: &Value, beyond: Ordering) -> Box<dyn for<'i> Keyword<'i>> {
        let format = parent.get("format").and_then(Value::as_str);
        let form = Form::ALL.into_iter().find(|form| format.is_some() && form.schema_format() == format);
        Box::new(Self { beyond, form: form.unwrap_or(Form::Bytes), bound: bound.clone() })
    }

    fn fits(&self, value: &Value) -> bool {
        let Some(text) = value.as_str() else { return true };
        let order = match self.form {
            Form::Bytes => base64::decode(text).zip(self.bound.as_u64()).map(|(octets, bound)| (octets.len() as u64).cmp(&bound)),
            form => self.bound.as_str().and_then(|bound| form.compare(text, bound)),
        };
        order.is_some_and(|order| order != self.beyond)
    }
}

impl<'i> Keyword<'i> for Bound {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.fits(instance) {
            return Ok(());
        }
        let side = if self.beyond == Ordering::Greater { "greater" } else { "less" };
        Err(ValidationError::custom(format!("{} is {side} than {}", shown(instance), self.bound)))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.fits(instance)
    }
}

/// Text that is base64.
struct Base64;

impl<'i> Keyword<'i> for Base64 {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(format!("{} is not base64", shown(instance)))) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(base64::is_base64)
    }
}
