//! Guards as text of CEL, the Common Expression Language, for people and for CEL libraries.
//!
//! The variables are the roots of the paths, so the text reads `triage.intent == "refund"`; what they are bound to is said in
//! `docs/definition.md`. The text means what the tree means, or there is none: CEL has no decimals and no list of all answers, and
//! it fails where the language reads something that is not there as null.

use serde_json::Value as Json;
use weave_analysis::model::Model;
use weave_analysis::model::guard::{GuardExpression, GuardKind, Quantifier, TextMethod};
use weave_analysis::model::types::Type;
use weave_analysis::model::value::{PathRoot, PathSegment, ResolvedPath};
use weave_ir::{Duration, ValueType};
use weave_syntax::ast::BinaryOperator;

use super::guard::value_type;
use super::values::root_name;

/// Words that cannot name a variable.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// Names that are types in CEL, and so no variables.
const TYPES: [&str; 13] =
    ["bool", "bytes", "double", "duration", "dyn", "int", "list", "map", "null_type", "string", "timestamp", "type", "uint"];

/// How tightly a text binds, beside the precedence of the infix operators.
const UNARY: u8 = 5;
const MEMBER: u8 = 6;

/// A text and how tightly it binds.
struct Text {
    text: String,
    precedence: u8,
}

impl Text {
    const fn member(text: String) -> Self {
        Self { text, precedence: MEMBER }
    }

    /// In parentheses if it binds less tightly than it must.
    fn at_least(self, precedence: u8) -> String {
        if self.precedence < precedence { format!("({})", self.text) } else { self.text }
    }
}

/// The guard in CEL, if CEL can say it.
pub(super) fn text(model: &Model, expression: &GuardExpression) -> Option<String> {
    Writer { model }.expression(expression).map(|text| text.text)
}

#[derive(Clone, Copy)]
struct Writer<'a> {
    model: &'a Model,
}

impl Writer<'_> {
    fn expression(self, expression: &GuardExpression) -> Option<Text> {
        match &expression.kind {
            GuardKind::Constant(value) => self.constant(value, &expression.ty),
            GuardKind::Path(path) => self.path(path),
            GuardKind::List(items) => {
                let items = items.iter().map(|item| Some(self.expression(item)?.text)).collect::<Option<Vec<_>>>()?;
                Some(Text::member(format!("[{}]", items.join(", "))))
            }
            GuardKind::Not(operand) => Some(Text { text: format!("!{}", self.expression(operand)?.at_least(UNARY)), precedence: UNARY }),
            GuardKind::Negate(operand) => self.negation(operand),
            GuardKind::Chain { first, rest } => self.chain(first, rest),
            GuardKind::Size(operand) => Some(Text::member(format!("size({})", self.expression(operand)?.text))),
            GuardKind::Has(path) => self.has(path),
            GuardKind::Text { method, receiver, argument } => self.method(*method, receiver, argument),
            GuardKind::Quantifier { quantifier, list, variable, body } => {
                let name = match quantifier {
                    Quantifier::Exists => "exists",
                    Quantifier::All => "all",
                };
                let (list, body) = (self.expression(list)?.at_least(MEMBER), self.expression(body)?.text);
                usable(variable).then(|| Text::member(format!("{list}.{name}({variable}, {body})")))
            }
            GuardKind::Unknown => None,
        }
    }

    fn constant(self, value: &Json, ty: &Type) -> Option<Text> {
        if let (Json::Array(items), Type::List(list)) = (value, self.model.resolve(ty)) {
            let items = items.iter().map(|item| Some(self.constant(item, &list.item)?.text)).collect::<Option<Vec<_>>>()?;
            return Some(Text::member(format!("[{}]", items.join(", "))));
        }
        let text = match (value_type(self.model, ty), value) {
            (_, Json::Null) => "null".to_owned(),
            (ValueType::Decimal | ValueType::Bytes, _) => return None,
            (ValueType::Float, Json::Number(number)) if !number.is_f64() => format!("{number}.0"),
            // CEL has no zeros in front.
            (ValueType::Int64, Json::String(digits)) => digits.parse::<i64>().ok()?.to_string(),
            (ValueType::Timestamp, Json::String(_)) => format!("timestamp({value})"),
            (ValueType::Duration, Json::String(text)) => duration(text)?,
            (_, value) => value.to_string(),
        };
        // A sign is an operator.
        let precedence = if text.starts_with('-') { UNARY } else { MEMBER };
        Some(Text { text, precedence })
    }

    fn path(self, path: &ResolvedPath) -> Option<Text> {
        if value_type(self.model, &path.ty) == ValueType::Decimal { None } else { read(path) }
    }

    /// CEL asks with `has` whether a key is there; here what is absent is bound to null. Only an entry of a map can be bound to nothing.
    fn has(self, path: &ResolvedPath) -> Option<Text> {
        let text = format!("{} != null", raw(&path.root, &path.segments)?);
        let Some(present) = entry(path) else {
            return Some(Text { text, precedence: BinaryOperator::NotEqual.precedence() });
        };
        let may_be_null = matches!(self.model.resolve(&path.ty), Type::Union(_) | Type::Null | Type::Json | Type::Unknown);
        Some(if may_be_null {
            Text { text: format!("{present} && {text}"), precedence: BinaryOperator::And.precedence() }
        } else {
            Text { text: present, precedence: BinaryOperator::In.precedence() }
        })
    }

    /// What is compared with null may be of a type that CEL does not have.
    fn compared(self, expression: &GuardExpression, other: &GuardExpression) -> Option<Text> {
        match (&expression.kind, &other.kind) {
            (GuardKind::Path(path), GuardKind::Constant(Json::Null)) => read(path),
            _ => self.expression(expression),
        }
    }

    /// The sign of CEL stands before numbers only.
    fn negation(self, operand: &GuardExpression) -> Option<Text> {
        let text = self.expression(operand)?;
        if value_type(self.model, &operand.ty) != ValueType::Duration {
            // Two signs are none in CEL, but the smallest integer has no opposite.
            let tightness = if text.text.starts_with('-') { MEMBER } else { UNARY };
            return Some(Text { text: format!("-{}", text.at_least(tightness)), precedence: UNARY });
        }
        let precedence = BinaryOperator::Subtract.precedence();
        Some(Text { text: format!("duration(\"0s\") - {}", text.at_least(precedence + 1)), precedence })
    }

    fn method(self, method: TextMethod, receiver: &GuardExpression, argument: &GuardExpression) -> Option<Text> {
        let receiver = self.expression(receiver)?.at_least(MEMBER);
        let argument = self.expression(argument)?.text;
        Some(Text::member(format!("{receiver}.{}({argument})", method.name())))
    }

    fn chain(self, first: &GuardExpression, rest: &[(BinaryOperator, GuardExpression)]) -> Option<Text> {
        let mut sum = match rest {
            [(_, operand)] => self.compared(first, operand)?,
            _ => self.expression(first)?,
        };
        for (operator, operand) in rest {
            let precedence = operator.precedence();
            // `a && (b && c)` is the same without parentheses; `a - (b - c)` is not.
            let associative = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
            let operand = self.compared(operand, first)?.at_least(if associative { precedence } else { precedence + 1 });
            // In place: a chain may be long.
            let mut text = sum.at_least(precedence);
            for part in [" ", operator.text(), " ", &operand] {
                text.push_str(part);
            }
            sum = Text { text, precedence };
        }
        Some(sum)
    }
}

/// What a path reads, in CEL.
fn read(path: &ResolvedPath) -> Option<Text> {
    let text = raw(&path.root, &path.segments)?;
    // An entry that is not there is an error in CEL, and null here.
    Some(Text::member(match entry(path).filter(|_| path.absent) {
        Some(present) => format!("({present} ? {text} : null)"),
        None => text,
    }))
}

/// The question whether the entry of a map is there that a path ends with.
fn entry(path: &ResolvedPath) -> Option<String> {
    let (PathSegment::Entry(key), before) = path.segments.split_last()? else { return None };
    Some(format!("{} in {}", Json::from(&**key), raw(&path.root, before)?))
}

/// The path in CEL, if it reads from nothing that may be missing or may be no object, no element of a list, and no list of all answers.
fn raw(root: &PathRoot, segments: &[PathSegment]) -> Option<String> {
    let root = root_name(root);
    if !usable(root) {
        return None;
    }
    let mut text = root.to_owned();
    let mut optional = false;
    for segment in segments {
        if optional {
            return None;
        }
        match segment {
            PathSegment::Field(name) if selectable(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathSegment::Field(name) | PathSegment::Entry(name) => text.push_str(&format!("[{}]", Json::from(&**name))),
            PathSegment::Optional => optional = true,
            // An element that is not there is an error in CEL, and so is a key of something else than a map.
            PathSegment::Index(_) | PathSegment::All | PathSegment::Loose(_) => return None,
        }
    }
    Some(text)
}

/// Whether a name can be a variable.
fn usable(name: &str) -> bool {
    !RESERVED.contains(&name) && !TYPES.contains(&name)
}

/// Whether a key can stand behind a dot.
fn selectable(name: &str) -> bool {
    let mut bytes = name.bytes();
    let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    starts && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !RESERVED.contains(&name)
}

/// A constant length of time.
fn duration(text: &str) -> Option<String> {
    let milliseconds = text.parse::<Duration>().ok()?.milliseconds();
    Some(match milliseconds % 1000 {
        0 => format!("duration(\"{}s\")", milliseconds / 1000),
        _ => format!("duration(\"{milliseconds}ms\")"),
    })
}
