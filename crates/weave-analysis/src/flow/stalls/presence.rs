//! What a guard says about which members of a join have answered.
//!
//! Behind `settled(a, b)` guards ask which of the two is there. What that leaves open is taken as unknown.

use serde_json::Value as Json;
use weave_syntax::ast::BinaryOperator;

use crate::model::guard::{GuardExpression, GuardKind};
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};

/// Guards are looked into so deep; what lies deeper is not known.
const DEEPEST: usize = 32;

/// A guard, as far as it is about members of a join.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    /// Anything else.
    Unknown,
    /// This member has answered.
    Answered(u32),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// What a guard says about these steps.
    pub(super) fn new(guard: &GuardExpression, members: &[u32]) -> Self {
        Self::within(guard, members, DEEPEST)
    }

    fn within(guard: &GuardExpression, members: &[u32], depth: usize) -> Self {
        let Some(depth) = depth.checked_sub(1) else { return Self::Unknown };
        match &guard.kind {
            GuardKind::Has(path) => Self::answered(path, members),
            GuardKind::Not(operand) => match Self::within(operand, members, depth) {
                Self::Unknown => Self::Unknown,
                formula => Self::Not(Box::new(formula)),
            },
            GuardKind::Chain { first, rest } => match rest.as_slice() {
                [(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), other)] => {
                    let Some(path) = compared_with_null(first, other).or_else(|| compared_with_null(other, first)) else {
                        return Self::Unknown;
                    };
                    match Self::answered(path, members) {
                        Self::Unknown => Self::Unknown,
                        formula if *operator == BinaryOperator::NotEqual => formula,
                        formula => Self::Not(Box::new(formula)),
                    }
                }
                [(operator @ (BinaryOperator::And | BinaryOperator::Or), _), ..] => {
                    let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
                    let operands = operands.map(|operand| Self::within(operand, members, depth)).collect::<Vec<_>>();
                    if operands.iter().all(|operand| *operand == Self::Unknown) {
                        Self::Unknown
                    } else if *operator == BinaryOperator::And {
                        Self::All(operands)
                    } else {
                        Self::Any(operands)
                    }
                }
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    fn answered(path: &ResolvedPath, members: &[u32]) -> Self {
        let is_whole = path.segments.iter().all(|segment| *segment == PathSegment::Optional);
        match path.root {
            PathRoot::Step { node, .. } if is_whole => {
                members.iter().position(|member| *member == node).map_or(Self::Unknown, |place| Self::Answered(place as u32))
            }
            _ => Self::Unknown,
        }
    }

    /// Whether it is true when these members have answered, as bits; nothing if that is not known.
    pub(super) fn holds(&self, answered: u64) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Answered(member) => Some(answered >> member & 1 == 1),
            Self::Not(operand) => operand.holds(answered).map(|holds| !holds),
            Self::All(operands) => decided(operands, answered, false),
            Self::Any(operands) => decided(operands, answered, true),
        }
    }
}

/// One operand that is `deciding` decides it.
fn decided(operands: &[Formula], answered: u64, deciding: bool) -> Option<bool> {
    let mut result = Some(!deciding);
    for operand in operands {
        match operand.holds(answered) {
            Some(holds) if holds == deciding => return Some(deciding),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}

fn compared_with_null<'g>(path: &'g GuardExpression, constant: &GuardExpression) -> Option<&'g ResolvedPath> {
    match (&path.kind, &constant.kind) {
        (GuardKind::Path(path), GuardKind::Constant(Json::Null)) => Some(path),
        _ => None,
    }
}
