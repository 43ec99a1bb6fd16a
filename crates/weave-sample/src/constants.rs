//! The constants that guards compare with: where values on both sides of a guard are found.

use std::collections::BTreeMap;

use serde_json::Value;
use weave_ir::{Approval, Condition, Definition, Expr, Guard, Node, On, Operator, Segment};

/// What guards compare a value with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constant {
    /// How, seen from the value: `value OP constant`. Of `Size`, the constant is compared with the size.
    pub(crate) operator: Operator,
    pub(crate) value: Value,
    /// It is the size of the value that is compared.
    pub(crate) of_size: bool,
}

/// The constants of a definition by the name of what is compared with them: the last key of a path, or nothing for a root itself.
///
/// The way to a value does not count: `.lookup.total` and `.event.total` are one name, because an answer is read as both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants(BTreeMap<String, Vec<Constant>>);

impl Constants {
    pub(crate) fn of(definition: &Definition) -> Self {
        let mut constants = Self::default();
        for node in &definition.nodes {
            guards(node).into_iter().for_each(|guard| constants.look_at(&guard.expr));
        }
        for tool in definition.tools.values() {
            if let Some(Approval::When(guard)) = &tool.approval {
                constants.look_at(&guard.expr);
            }
        }
        constants
    }

    pub(crate) fn named(&self, name: &str) -> &[Constant] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, name: &str, operator: Operator, value: &Value, of_size: bool) {
        let known = self.0.entry(name.to_owned()).or_default();
        let constant = Constant { operator, value: value.clone(), of_size };
        if !known.contains(&constant) {
            known.push(constant);
        }
    }

    fn look_at(&mut self, expr: &Expr) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Apply { op, args, .. } => {
                    if let [left, right] = args.as_slice() {
                        self.compare(*op, left, right);
                    } else if let ([only], Operator::Has) = (args.as_slice(), op) {
                        self.read(only, Operator::NotEqual, &Value::Null, false);
                    }
                    open.extend(args);
                }
                Expr::List { items } => open.extend(items),
                Expr::Quantify { list, body, .. } => open.extend([&**list, &**body]),
                // A boolean that is asked as it is.
                Expr::Path { value_type: weave_ir::ValueType::Bool, .. } | Expr::Var { value_type: weave_ir::ValueType::Bool, .. } => {
                    self.read(expr, Operator::Equal, &Value::Bool(true), false);
                }
                Expr::Const { .. } | Expr::Path { .. } | Expr::Var { .. } => {}
            }
        }
    }

    fn compare(&mut self, operator: Operator, left: &Expr, right: &Expr) {
        match (left, right) {
            (Expr::Const { value, .. }, other) => self.read(other, turned(operator), value, false),
            (other, Expr::Const { value, .. }) => self.read(other, operator, value, false),
            _ => {}
        }
    }

    fn read(&mut self, expr: &Expr, operator: Operator, value: &Value, of_size: bool) {
        let keys = match expr {
            Expr::Path { path, .. } => path.get(1..).unwrap_or_default(),
            Expr::Var { path, .. } => path.as_slice(),
            Expr::Apply { op: Operator::Size, args, .. } => {
                if let [only] = args.as_slice() {
                    self.read(only, operator, value, true);
                }
                return;
            }
            // A sum or a product: the constant is as good a boundary as any other.
            Expr::Apply { args, .. } => return args.iter().for_each(|arg| self.read(arg, operator, value, of_size)),
            _ => return,
        };
        let name = keys.iter().rev().find_map(|segment| if let Segment::Key(key) = segment { Some(key.as_str()) } else { None });
        let name = name.unwrap_or_default();
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.add(name, Operator::Equal, item, of_size)),
            value => self.add(name, operator, value, of_size),
        }
    }
}

/// `a < b` is `b > a`.
const fn turned(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        other => other,
    }
}

/// All guards of a node.
fn guards(node: &Node) -> Vec<&Guard> {
    let mut guards: Vec<_> = node.when.iter().chain(&node.matches).collect();
    if let Some(On::Any(any)) = &node.on {
        guards.extend(any.any.iter().filter_map(|item| match &item.condition {
            Condition::When(guard) | Condition::Also(guard) => Some(guard),
            Condition::Always | Condition::Else => None,
        }));
    }
    guards
}
