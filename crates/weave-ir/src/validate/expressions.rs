//! Templates and guards: readable, well formed, and rooted in a name that is there.

use serde_json::Value;

use super::{Check, RESERVED};
use crate::problem::child;
use crate::{Expr, Guard, Operator, Segment, Template, ValueType};

/// Which names a template or guard may start from.
#[derive(Clone, Copy)]
pub(super) enum Scope<'d> {
    /// In a node: the scroll, and the element of its fan-out.
    Node { variable: Option<&'d str> },
    /// In a tool, agent or prompt: its parameters, which its schema knows.
    Parameters,
}

impl Scope<'_> {
    /// In a node, where no element is known.
    pub(super) const NODE: Self = Self::Node { variable: None };
}

impl<'d> Check<'d> {
    /// Demands that every string in a value is a template.
    pub(super) fn templates(&mut self, pointer: &str, value: &'d Value, scope: Scope<'d>) {
        let mut open = vec![(pointer.to_owned(), value)];
        while let Some((pointer, value)) = open.pop() {
            match value {
                Value::String(text) => self.template(&pointer, text, scope),
                Value::Array(items) => {
                    open.extend(items.iter().enumerate().rev().map(|(index, item)| (child(&pointer, index), item)));
                }
                Value::Object(entries) => {
                    let deeper: Vec<_> = entries.iter().map(|(key, item)| (child(&pointer, key), item)).collect();
                    open.extend(deeper.into_iter().rev());
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    }

    pub(super) fn template(&mut self, pointer: &str, text: &str, scope: Scope<'d>) {
        match Template::parse(text) {
            Ok(template) => {
                for placeholder in template.placeholders() {
                    self.root(pointer, placeholder.path.root(), scope);
                }
            }
            Err(error) => self.report(pointer, error.to_string()),
        }
    }

    fn root(&mut self, pointer: &str, root: Option<&str>, scope: Scope<'d>) {
        let Scope::Node { variable } = scope else { return };
        let root = root.unwrap_or_default();
        let built_in = RESERVED.contains(&root) && root != "start";
        let known = built_in || variable == Some(root) || self.ids.contains(root);
        self.known(pointer, root, known, "a value that can be read here");
    }

    pub(super) fn guard(&mut self, pointer: &str, guard: Option<&'d Guard>, scope: Scope<'d>) {
        if let Some(guard) = guard {
            self.expression(&child(pointer, "expr"), &guard.expr, scope, &mut Vec::new());
        }
    }

    fn expression(&mut self, pointer: &str, expr: &'d Expr, scope: Scope<'d>, bound: &mut Vec<&'d str>) {
        match expr {
            Expr::Const { value, value_type } => {
                if !fits(value, *value_type) {
                    self.report(child(pointer, "const"), "the constant is not of its type");
                }
            }
            Expr::Path { path, .. } => match path.first() {
                Some(Segment::Key(root)) => self.root(&child(pointer, "path"), Some(root), scope),
                _ => self.report(child(pointer, "path"), "a path begins with the name of its root"),
            },
            Expr::Var { var, .. } => {
                let known = bound.contains(&var.as_str());
                self.known(&child(pointer, "var"), var, known, "a variable of an enclosing `exists` or `all`");
            }
            Expr::List { items } => {
                if items.iter().all(|item| matches!(item, Expr::Const { .. })) {
                    self.report(child(pointer, "list"), "a list of constants alone is one constant");
                }
                for (index, item) in items.iter().enumerate() {
                    self.expression(&child(&child(pointer, "list"), index), item, scope, bound);
                }
            }
            Expr::Apply { op, operand_type, args } => {
                self.operator(pointer, *op, *operand_type, args);
                for (index, arg) in args.iter().enumerate() {
                    self.expression(&child(&child(pointer, "args"), index), arg, scope, bound);
                }
            }
            Expr::Quantify { var, list, body, .. } => {
                self.expression(&child(pointer, "in"), list, scope, bound);
                bound.push(var);
                self.expression(&child(pointer, "body"), body, scope, bound);
                bound.pop();
            }
        }
    }

    fn operator(&mut self, pointer: &str, op: Operator, operand_type: Option<ValueType>, args: &[Expr]) {
        let (least, most) = op.arity();
        if args.len() < least || most.is_some_and(|most| args.len() > most) {
            self.report(child(pointer, "args"), "the operator takes another number of operands");
        }
        match operand_type {
            None if op.is_typed() => self.report(pointer, "the operator needs the `type` of its operands"),
            Some(_) if !op.is_typed() => self.report(child(pointer, "type"), "the operator has one meaning only, so it names no `type`"),
            Some(operand) if !op.accepts(operand) => self.report(child(pointer, "type"), "the operator has no meaning for this type"),
            _ => {}
        }
        let constant_pattern = matches!(args.get(1), Some(Expr::Const { value: Value::String(_), value_type: ValueType::String }));
        if op == Operator::Matches && !constant_pattern {
            self.report(child(pointer, "args"), "the pattern of `matches` is a constant string");
        }
    }
}

/// Whether a constant has the JSON form of its type.
fn fits(value: &Value, value_type: ValueType) -> bool {
    match value_type {
        ValueType::Bool => value.is_boolean(),
        ValueType::Int => value.is_i64() || value.is_u64(),
        ValueType::Float => value.is_number(),
        ValueType::Null => value.is_null(),
        ValueType::List => value.is_array(),
        ValueType::Map | ValueType::Record => value.is_object(),
        ValueType::Json => true,
        ValueType::Int64 => value.as_str().is_some_and(|text| text.parse::<i64>().is_ok()),
        ValueType::Decimal => value.as_str().is_some_and(is_decimal),
        ValueType::String | ValueType::Bytes | ValueType::Timestamp | ValueType::Date | ValueType::Duration => value.is_string(),
    }
}

/// `-12.50`: a sign, digits, and digits behind a point; the last two parts may be missing.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}
