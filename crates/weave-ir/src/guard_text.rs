//! Guards as text.

use serde_json::Value;

use crate::{Expr, Guard, Operator, Quantifier, Segment, ValueType};

impl Guard {
    /// The guard for a person: its CEL text, or a text in the manner of CEL where CEL cannot say it.
    #[must_use]
    pub fn text(&self) -> String {
        self.cel.clone().unwrap_or_else(|| {
            let mut text = String::new();
            print(&self.expr, Level::Or, &mut text);
            text
        })
    }
}

/// How tightly an operator binds; an operand that binds less stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Atom,
}

fn print(expr: &Expr, around: Level, text: &mut String) {
    match expr {
        Expr::Const { value, value_type } => text.push_str(&constant(value, *value_type)),
        Expr::Path { path, .. } => push_path(path, text),
        Expr::Var { var, path, .. } => {
            text.push_str(var);
            push_steps(path, text);
        }
        Expr::List { items } => {
            text.push('[');
            separated(items, ", ", Level::Or, text);
            text.push(']');
        }
        Expr::Apply { op, args, .. } => apply(*op, args, around, text),
        Expr::Quantify { op, var, list, body } => {
            print(list, Level::Atom, text);
            let name = match op {
                Quantifier::Exists => "exists",
                Quantifier::All => "all",
            };
            text.push_str(&format!(".{name}({var}, "));
            print(body, Level::Or, text);
            text.push(')');
        }
    }
}

fn apply(op: Operator, args: &[Expr], around: Level, text: &mut String) {
    let (name, level) = spelling(op);
    match op {
        Operator::Contains | Operator::StartsWith | Operator::EndsWith | Operator::Matches => {
            let (receiver, rest) = args.split_at(args.len().min(1));
            separated(receiver, "", Level::Atom, text);
            text.push_str(&format!(".{name}("));
            separated(rest, ", ", Level::Or, text);
            text.push(')');
        }
        Operator::Size | Operator::Has => {
            text.push_str(&format!("{name}("));
            separated(args, ", ", Level::Or, text);
            text.push(')');
        }
        _ => {
            let inside = level < around;
            text.push_str(if inside { "(" } else { "" });
            match op {
                Operator::Not | Operator::Negate => {
                    text.push_str(name);
                    separated(args, "", Level::Atom, text);
                }
                _ => infix(args, name, level, text),
            }
            text.push_str(if inside { ")" } else { "" });
        }
    }
}

/// Operands from left to right: only the first may be of the same level without parentheses.
fn infix(args: &[Expr], name: &str, level: Level, text: &mut String) {
    let (first, rest) = args.split_at(args.len().min(1));
    let tighter = match level {
        Level::Or => Level::And,
        Level::And => Level::Relation,
        Level::Relation => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        Level::Unary | Level::Atom => Level::Atom,
    };
    separated(first, "", if level == Level::Relation { tighter } else { level }, text);
    for operand in rest {
        text.push_str(&format!(" {name} "));
        print(operand, tighter, text);
    }
}

fn separated(items: &[Expr], separator: &str, level: Level, text: &mut String) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        print(item, level, text);
    }
}

const fn spelling(op: Operator) -> (&'static str, Level) {
    match op {
        Operator::Or => ("||", Level::Or),
        Operator::And => ("&&", Level::And),
        Operator::Equal => ("==", Level::Relation),
        Operator::NotEqual => ("!=", Level::Relation),
        Operator::Less => ("<", Level::Relation),
        Operator::LessOrEqual => ("<=", Level::Relation),
        Operator::Greater => (">", Level::Relation),
        Operator::GreaterOrEqual => (">=", Level::Relation),
        Operator::In => ("in", Level::Relation),
        Operator::Add => ("+", Level::Sum),
        Operator::Subtract => ("-", Level::Sum),
        Operator::Multiply => ("*", Level::Product),
        Operator::Divide => ("/", Level::Product),
        Operator::Remainder => ("%", Level::Product),
        Operator::Not => ("!", Level::Unary),
        Operator::Negate => ("-", Level::Unary),
        Operator::Contains => ("contains", Level::Atom),
        Operator::StartsWith => ("startsWith", Level::Atom),
        Operator::EndsWith => ("endsWith", Level::Atom),
        Operator::Matches => ("matches", Level::Atom),
        Operator::Size => ("size", Level::Atom),
        Operator::Has => ("has", Level::Atom),
    }
}

/// Numbers that are strings on the wire are numbers for a person; what else is a string there says its type.
fn constant(value: &Value, value_type: ValueType) -> String {
    match (value, value_type) {
        (Value::String(digits), ValueType::Decimal | ValueType::Int64) => digits.clone(),
        (Value::String(_), ValueType::Timestamp) => format!("timestamp({value})"),
        (Value::String(_), ValueType::Date) => format!("date({value})"),
        (Value::String(_), ValueType::Duration) => format!("duration({value})"),
        (Value::String(_), ValueType::Bytes) => format!("bytes({value})"),
        _ => value.to_string(),
    }
}

fn push_path(path: &[Segment], text: &mut String) {
    match path.split_first() {
        Some((Segment::Key(root), rest)) => {
            text.push_str(root);
            push_steps(rest, text);
        }
        _ => push_steps(path, text),
    }
}

fn push_steps(steps: &[Segment], text: &mut String) {
    for step in steps {
        match step {
            Segment::Key(key) if key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => text.push_str(&format!(".{key}")),
            Segment::Key(key) => text.push_str(&format!("[{}]", Value::from(key.as_str()))),
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
            Segment::All => text.push_str("[]"),
        }
    }
}
