//! Guards as the typed tree that runtimes evaluate.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_analysis::model::guard::{Guard, GuardExpression, GuardKind, Quantifier, TextMethod};
use weave_analysis::model::types::{Literal, Scalar, Type};
use weave_analysis::model::value::{PathRoot, ResolvedPath};
use weave_analysis::model::{DeclarationKind, Model};
use weave_ir::{Expr, Operator, Segment, ValueType};
use weave_syntax::ast::BinaryOperator;

use super::cel;
use super::normal::normal;
use super::values::{root_name, segments};

/// How many operations may stand in one another. Each takes two levels of JSON, and a reader takes no more than
/// [`weave_ir::DEPTH_LIMIT`] of them.
pub(crate) const GREATEST_HEIGHT: usize = 400;

/// How many operations stand in one another at most. Operations side by side that are the same count once.
pub(crate) fn height(expression: &GuardExpression) -> usize {
    match &expression.kind {
        GuardKind::Constant(_) | GuardKind::Path(_) | GuardKind::Unknown => 1,
        GuardKind::Has(_) => 2,
        GuardKind::List(items) => items.iter().map(height).max().unwrap_or_default() + 1,
        GuardKind::Not(operand) | GuardKind::Negate(operand) | GuardKind::Size(operand) => height(operand) + 1,
        GuardKind::Text { receiver, argument, .. } => height(receiver).max(height(argument)) + 1,
        GuardKind::Quantifier { list, body, .. } => height(list).max(height(body)) + 1,
        GuardKind::Chain { first, rest } => {
            let mut sum = height(first);
            let mut before = None;
            for (operator, operand) in rest {
                let extends = before == Some(*operator) && operator.precedence() != BinaryOperator::Equal.precedence();
                sum = (sum + usize::from(!extends)).max(height(operand) + 1);
                before = Some(*operator);
            }
            sum
        }
    }
}

/// The guard with its tree, and its text in CEL where CEL can say it.
pub(super) fn guard(model: &Model, guard: &Guard) -> weave_ir::Guard {
    let expression = normal(model, &guard.expression);
    weave_ir::Guard { cel: cel::text(model, &expression), expr: tree(model, &expression) }
}

/// The tree of an expression as it is.
pub(super) fn tree(model: &Model, expression: &GuardExpression) -> Expr {
    Lowering { model, bound: Vec::new() }.expression(expression).expr
}

/// What a guard calls the type of a value; null in a union does not count.
pub(super) fn value_type(model: &Model, ty: &Type) -> ValueType {
    match model.resolve(ty) {
        Type::Unknown | Type::Json => ValueType::Json,
        Type::Null => ValueType::Null,
        Type::Scalar(scalar, _) => scalar_type(*scalar),
        Type::Literal(Literal::String(_)) => ValueType::String,
        Type::Literal(Literal::Bool(_)) => ValueType::Bool,
        Type::Literal(Literal::Number(number)) => {
            if number.is_f64() {
                ValueType::Float
            } else {
                ValueType::Int
            }
        }
        Type::List(_) => ValueType::List,
        Type::Map(_) => ValueType::Map,
        Type::Record(_) => ValueType::Record,
        Type::Union(members) => {
            let mut kinds = members.iter().map(|member| value_type(model, member)).filter(|kind| *kind != ValueType::Null);
            let first = kinds.next().unwrap_or(ValueType::Null);
            if kinds.all(|kind| kind == first) { first } else { ValueType::Json }
        }
        Type::Named(id) => match model.get(*id).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Enum(_)) => ValueType::String,
            Some(DeclarationKind::Union(_) | DeclarationKind::Error(_)) => ValueType::Record,
            _ => ValueType::Json,
        },
    }
}

fn scalar_type(scalar: Scalar) -> ValueType {
    match scalar {
        Scalar::Bool => ValueType::Bool,
        Scalar::Int => ValueType::Int,
        Scalar::Int64 => ValueType::Int64,
        Scalar::Float => ValueType::Float,
        Scalar::Decimal => ValueType::Decimal,
        Scalar::Bytes => ValueType::Bytes,
        Scalar::Timestamp => ValueType::Timestamp,
        Scalar::Date => ValueType::Date,
        Scalar::Duration => ValueType::Duration,
        Scalar::String | Scalar::Uuid | Scalar::Uri | Scalar::Email => ValueType::String,
    }
}

/// The type that an operator works on, where it has several meanings.
pub(super) fn operand_type(operator: BinaryOperator, left: ValueType, right: ValueType) -> ValueType {
    use BinaryOperator::{Add, Equal, NotEqual, Subtract};
    use ValueType::{Json, Null, Timestamp};
    match operator {
        // To ask whether something is null is a question of its own.
        Equal | NotEqual if left == Null || right == Null => Null,
        Equal | NotEqual if left != right => Json,
        Add | Subtract if left == Timestamp || right == Timestamp => Timestamp,
        _ if matches!(left, Json | Null) && operator != BinaryOperator::In && right != Null => right,
        _ if left == Null => Json,
        _ => left,
    }
}

/// The type of what an operator yields.
pub(super) fn result_type(operator: BinaryOperator, operands: ValueType, left: ValueType, right: ValueType) -> ValueType {
    use BinaryOperator::{Add, Divide, Multiply, Remainder, Subtract};
    match operator {
        Subtract if left == ValueType::Timestamp && right == ValueType::Timestamp => ValueType::Duration,
        Add | Subtract | Multiply | Divide | Remainder => operands,
        _ => ValueType::Bool,
    }
}

pub(super) const fn operator(operator: BinaryOperator) -> Operator {
    match operator {
        BinaryOperator::Or => Operator::Or,
        BinaryOperator::And => Operator::And,
        BinaryOperator::Equal => Operator::Equal,
        BinaryOperator::NotEqual => Operator::NotEqual,
        BinaryOperator::Less => Operator::Less,
        BinaryOperator::LessEqual => Operator::LessOrEqual,
        BinaryOperator::Greater => Operator::Greater,
        BinaryOperator::GreaterEqual => Operator::GreaterOrEqual,
        BinaryOperator::In => Operator::In,
        BinaryOperator::Add => Operator::Add,
        BinaryOperator::Subtract => Operator::Subtract,
        BinaryOperator::Multiply => Operator::Multiply,
        BinaryOperator::Divide => Operator::Divide,
        BinaryOperator::Remainder => Operator::Remainder,
    }
}

/// An expression with its type.
struct Lowered {
    expr: Expr,
    ty: ValueType,
}

impl Lowered {
    const fn new(expr: Expr, ty: ValueType) -> Self {
        Self { expr, ty }
    }

    const fn question(expr: Expr) -> Self {
        Self { expr, ty: ValueType::Bool }
    }
}

struct Lowering<'a> {
    model: &'a Model,
    /// The variables of the quantifiers around.
    bound: Vec<Arc<str>>,
}

impl Lowering<'_> {
    fn expression(&mut self, expression: &GuardExpression) -> Lowered {
        match &expression.kind {
            GuardKind::Constant(value) => self.constant(value, &expression.ty),
            GuardKind::Path(path) => self.path(path),
            GuardKind::List(items) => self.list(items),
            GuardKind::Not(operand) => {
                let operand = self.expression(operand);
                Lowered::question(Expr::apply(Operator::Not, vec![operand.expr]))
            }
            GuardKind::Negate(operand) => {
                let operand = self.expression(operand);
                Lowered::new(Expr::typed(Operator::Negate, operand.ty, vec![operand.expr]), operand.ty)
            }
            GuardKind::Chain { first, rest } => {
                let first = self.expression(first);
                rest.iter().fold(first, |sum, (operator, operand)| combine(*operator, sum, self.expression(operand)))
            }
            GuardKind::Size(operand) => {
                let operand = self.expression(operand);
                Lowered::new(Expr::typed(Operator::Size, operand.ty, vec![operand.expr]), ValueType::Int)
            }
            GuardKind::Has(path) => Lowered::question(Expr::apply(Operator::Has, vec![self.path(path).expr])),
            GuardKind::Text { method, receiver, argument } => {
                let operands = vec![self.expression(receiver).expr, self.expression(argument).expr];
                Lowered::question(Expr::apply(text_operator(*method), operands))
            }
            GuardKind::Quantifier { quantifier, list, variable, body } => {
                let list = self.expression(list);
                self.bound.push(Arc::clone(variable));
                let body = self.expression(body);
                self.bound.pop();
                let op = match quantifier {
                    Quantifier::Exists => weave_ir::Quantifier::Exists,
                    Quantifier::All => weave_ir::Quantifier::All,
                };
                Lowered::question(Expr::Quantify { op, var: variable.to_string(), list: Box::new(list.expr), body: Box::new(body.expr) })
            }
            GuardKind::Unknown => Lowered::new(Expr::constant(Json::Null, ValueType::Null), ValueType::Null),
        }
    }

    fn constant(&self, value: &Json, ty: &Type) -> Lowered {
        let ty = if value.is_null() { ValueType::Null } else { value_type(self.model, ty) };
        Lowered::new(Expr::constant(value.clone(), ty), ty)
    }

    fn path(&self, path: &ResolvedPath) -> Lowered {
        let value_type = value_type(self.model, &path.ty);
        let expr = match &path.root {
            PathRoot::Variable(name) if self.bound.contains(name) => {
                Expr::Var { var: name.to_string(), path: segments(path).collect(), value_type }
            }
            root => {
                let whole = std::iter::once(Segment::Key(root_name(root).to_owned())).chain(segments(path));
                Expr::path(whole.collect(), value_type)
            }
        };
        Lowered::new(expr, value_type)
    }

    /// A list of constants is a constant.
    fn list(&mut self, items: &[GuardExpression]) -> Lowered {
        let items: Vec<Expr> = items.iter().map(|item| self.expression(item).expr).collect();
        let constant = |item: &Expr| if let Expr::Const { value, .. } = item { Some(value.clone()) } else { None };
        let expr = match items.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(values) => Expr::constant(Json::Array(values), ValueType::List),
            None => Expr::List { items },
        };
        Lowered::new(expr, ValueType::List)
    }
}

pub(super) const fn text_operator(method: TextMethod) -> Operator {
    match method {
        TextMethod::Contains => Operator::Contains,
        TextMethod::StartsWith => Operator::StartsWith,
        TextMethod::EndsWith => Operator::EndsWith,
        TextMethod::Matches => Operator::Matches,
    }
}

/// `left operator right`. Operands of the same operation side by side stand in one list, so that the tree is the same with and
/// without parentheses that change nothing, and a long chain is no deep tree.
fn combine(binary: BinaryOperator, left: Lowered, right: Lowered) -> Lowered {
    let op = operator(binary);
    let logical = matches!(op, Operator::And | Operator::Or);
    let operands = (!logical).then(|| operand_type(binary, left.ty, right.ty));
    let ty = operands.map_or(ValueType::Bool, |operands| result_type(binary, operands, left.ty, right.ty));
    let extends = logical || matches!(op, Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder);
    let mut args = match left.expr {
        Expr::Apply { op: same, operand_type, args } if extends && same == op && operand_type == operands => args,
        other => vec![other],
    };
    match right.expr {
        // Behind `-` and `/` parentheses do change something, and sums of floats depend on their order.
        Expr::Apply { op: same, args: more, .. } if logical && same == op => args.extend(more),
        other => args.push(other),
    }
    Lowered::new(Expr::Apply { op, operand_type: operands, args }, ty)
}
