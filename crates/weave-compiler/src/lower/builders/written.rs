//! Guards as a person would write them.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_analysis::model::Model;
use weave_analysis::model::guard::{Guard, GuardExpression, GuardKind, Quantifier};
use weave_analysis::model::types::Type;
use weave_analysis::model::value::{PathRoot, PathSegment, ResolvedPath};
use weave_analysis::model::workflow::{Action, Condition, Node};
use weave_ir::ValueType;
use weave_ir::package::{Written, WrittenPath, WrittenStep};

use super::super::guard::{operator, text_operator, value_type};
use super::super::normal::normal;
use super::super::values::{root_name, small};

/// The guards of nodes: of each node those of its triggers, and then that of its mailbox.
pub(super) fn guards(model: &Model, nodes: &[Node]) -> Vec<Written> {
    nodes.iter().flat_map(|node| of_node(node).into_iter().map(|guard| written(model, guard))).collect()
}

fn of_node(node: &Node) -> Vec<&Guard> {
    let conditions = node.triggers.iter().filter_map(|trigger| match &trigger.condition {
        Some(Condition::When(guard) | Condition::AlsoWhen(guard)) => Some(guard),
        Some(Condition::Else) | None => None,
    });
    let mailbox = match &node.action {
        Action::WaitTopics { guard, .. } => guard.as_ref(),
        _ => None,
    };
    conditions.chain(mailbox).collect()
}

fn written(model: &Model, guard: &Guard) -> Written {
    Writing { model, bound: Vec::new() }.expression(&normal(model, &guard.expression))
}

struct Writing<'a> {
    model: &'a Model,
    /// The variables of the quantifiers around.
    bound: Vec<Arc<str>>,
}

impl Writing<'_> {
    fn expression(&mut self, expression: &GuardExpression) -> Written {
        match &expression.kind {
            GuardKind::Constant(value) => self.constant(value, &expression.ty),
            GuardKind::Path(path) => Written::Read(self.path(path)),
            GuardKind::Has(path) => Written::Has(self.path(path)),
            GuardKind::List(items) => Written::List(items.iter().map(|item| self.expression(item)).collect()),
            GuardKind::Not(operand) => Written::Not(self.boxed(operand)),
            GuardKind::Negate(operand) => Written::Negate(self.boxed(operand)),
            GuardKind::Size(operand) => Written::Size(self.boxed(operand)),
            GuardKind::Text { method, receiver, argument } => {
                Written::Text(text_operator(*method), self.boxed(receiver), self.boxed(argument))
            }
            GuardKind::Chain { first, rest } => rest.iter().fold(self.expression(first), |sum, (binary, operand)| {
                let (op, operand) = (operator(*binary), self.expression(operand));
                match sum {
                    // A comparison of a comparison is one of its own.
                    Written::Binary(same, mut operands) if same == op && !is_comparison(op) => {
                        operands.push(operand);
                        Written::Binary(op, operands)
                    }
                    other => Written::Binary(op, vec![other, operand]),
                }
            }),
            GuardKind::Quantifier { quantifier, list, variable, body } => {
                let list = self.boxed(list);
                self.bound.push(Arc::clone(variable));
                let body = self.boxed(body);
                self.bound.pop();
                let op = match quantifier {
                    Quantifier::Exists => weave_ir::Quantifier::Exists,
                    Quantifier::All => weave_ir::Quantifier::All,
                };
                Written::Quantify { op, list, variable: variable.to_string(), body }
            }
            GuardKind::Unknown => Written::Constant(Json::Null, ValueType::Null),
        }
    }

    fn boxed(&mut self, expression: &GuardExpression) -> Box<Written> {
        Box::new(self.expression(expression))
    }

    fn constant(&self, value: &Json, ty: &Type) -> Written {
        match (value, self.model.resolve(ty)) {
            (Json::Array(items), Type::List(list)) => Written::List(items.iter().map(|item| self.constant(item, &list.item)).collect()),
            (Json::Null, _) => Written::Constant(Json::Null, ValueType::Null),
            _ => Written::Constant(value.clone(), value_type(self.model, ty)),
        }
    }

    fn path(&self, path: &ResolvedPath) -> WrittenPath {
        let step = |segment: &PathSegment| match segment {
            PathSegment::Field(name) => WrittenStep::Field(name.to_string()),
            PathSegment::Entry(name) => WrittenStep::Entry(name.to_string()),
            PathSegment::Loose(name) => WrittenStep::Loose(name.to_string()),
            PathSegment::Optional => WrittenStep::Maybe,
            PathSegment::Index(index) => WrittenStep::Index(small(*index)),
            PathSegment::All => WrittenStep::All,
        };
        WrittenPath {
            root: root_name(&path.root).to_owned(),
            is_variable: matches!(&path.root, PathRoot::Variable(name) if self.bound.contains(name)),
            steps: path.segments.iter().map(step).collect(),
            value_type: value_type(self.model, &path.ty),
            may_be_absent: path.absent,
            may_be_null: matches!(self.model.resolve(&path.ty), Type::Union(_) | Type::Null | Type::Json | Type::Unknown),
        }
    }
}

const fn is_comparison(op: weave_ir::Operator) -> bool {
    use weave_ir::Operator::{Equal, Greater, GreaterOrEqual, In, Less, LessOrEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual | In)
}
