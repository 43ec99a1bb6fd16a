//! What a guard says about which members of a join have answered.
//!
//! Behind `settled(a, b)` guards ask which of the two is there. What that leaves open is taken as unknown.

use serde_json::Value as Json;
use weave_syntax::ast::BinaryOperator;

use super::atoms::{AtomId, Decided};

use crate::model::guard::{GuardExpression, GuardKind};
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};

/// Guards are looked into so deep; what lies deeper is not known.
const DEEPEST: usize = 32;

/// Longer ones are not known.
const MOST_PARTS: usize = 256;

/// A guard, as far as it is about members of a join.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    /// Anything else.
    Unknown,
    /// This member has answered.
    Answered(u32),
    /// This is asked of values.
    Atom(AtomId),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// What a guard says about these steps. What it asks beside that is for `ask`.
    pub(super) fn new(guard: &GuardExpression, members: &[u32], ask: &mut impl FnMut(&GuardExpression) -> Self) -> Self {
        Self::within(guard, members, ask, DEEPEST)
    }

    fn within(guard: &GuardExpression, members: &[u32], ask: &mut impl FnMut(&GuardExpression) -> Self, depth: usize) -> Self {
        let Some(depth) = depth.checked_sub(1) else { return Self::Unknown };
        match &guard.kind {
            GuardKind::Has(path) => Self::answered(path, members).or_else(|| ask(guard)),
            GuardKind::Not(operand) => Self::within(operand, members, ask, depth).negated(),
            GuardKind::Chain { first, rest } => match rest.as_slice() {
                [(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), other)] => {
                    let path = compared_with_null(first, other).or_else(|| compared_with_null(other, first));
                    match path.map_or(Self::Unknown, |path| Self::answered(path, members)) {
                        Self::Unknown => ask(guard),
                        formula if *operator == BinaryOperator::NotEqual => formula,
                        formula => formula.negated(),
                    }
                }
                [(operator @ (BinaryOperator::And | BinaryOperator::Or), _), ..] => {
                    let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
                    let operands = operands.map(|operand| Self::within(operand, members, ask, depth)).collect::<Vec<_>>();
                    if operands.iter().all(|operand| *operand == Self::Unknown) {
                        Self::Unknown
                    } else if *operator == BinaryOperator::And {
                        Self::All(operands)
                    } else {
                        Self::Any(operands)
                    }
                }
                _ => ask(guard),
            },
            _ => ask(guard),
        }
    }

    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Unknown { other() } else { self }
    }

    /// That it is not so.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Not(operand) => *operand,
            formula => Self::Not(Box::new(formula)),
        }
    }

    /// What it asks of a value, if that is all.
    pub(super) fn atom(&self) -> Option<AtomId> {
        match self {
            Self::Atom(atom) => Some(*atom),
            Self::Not(operand) => operand.atom(),
            _ => None,
        }
    }

    /// Puts in place of each atom what `kept` says; what it does not know is unknown. Formulas are looked at in each state, so what is said
    /// twice is left out, and a long one is not known.
    pub(super) fn keep(&mut self, kept: &[Option<AtomId>]) {
        self.replace(kept);
        if self.size() > MOST_PARTS {
            *self = Self::Unknown;
        }
    }

    fn replace(&mut self, kept: &[Option<AtomId>]) {
        match self {
            Self::Atom(atom) => *self = kept.get(*atom as usize).copied().flatten().map_or(Self::Unknown, Self::Atom),
            Self::Not(operand) => {
                operand.replace(kept);
                if **operand == Self::Unknown {
                    *self = Self::Unknown;
                }
            }
            Self::All(operands) | Self::Any(operands) => {
                operands.iter_mut().for_each(|operand| operand.replace(kept));
                let mut simple: Vec<Self> = Vec::new();
                operands.retain(|operand| {
                    let is_new = simple.len() > MOST_PARTS || !simple.contains(operand);
                    if is_new {
                        simple.push(operand.clone());
                    }
                    is_new
                });
                if let [Self::Unknown] = operands.as_slice() {
                    *self = Self::Unknown;
                }
            }
            Self::Unknown | Self::Answered(_) => {}
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Unknown | Self::Answered(_) | Self::Atom(_) => 1,
            Self::Not(operand) => 1 + operand.size(),
            Self::All(operands) | Self::Any(operands) => 1 + operands.iter().map(Self::size).sum::<usize>(),
        }
    }

    /// Whether it asks for members of a join.
    pub(super) fn is_about_members(&self) -> bool {
        match self {
            Self::Answered(_) => true,
            Self::Not(operand) => operand.is_about_members(),
            Self::All(operands) | Self::Any(operands) => operands.iter().any(Self::is_about_members),
            Self::Unknown | Self::Atom(_) => false,
        }
    }

    /// Whether nothing in it is unknown, so that it is false where it is not true.
    pub(super) fn is_known(&self) -> bool {
        match self {
            Self::Unknown => false,
            Self::Answered(_) | Self::Atom(_) => true,
            Self::Not(operand) => operand.is_known(),
            Self::All(operands) | Self::Any(operands) => operands.iter().all(Self::is_known),
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

    /// Whether it is true when these members have answered, as bits, and this has been decided; nothing if that is not known.
    pub(super) fn holds(&self, answered: Option<u64>, known: Decided) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Answered(member) => answered.map(|answered| answered >> member & 1 == 1),
            Self::Atom(atom) => known.of(*atom),
            Self::Not(operand) => operand.holds(answered, known).map(|holds| !holds),
            Self::All(operands) => decided(operands, answered, known, false),
            Self::Any(operands) => decided(operands, answered, known, true),
        }
    }
}

/// One operand that is `deciding` decides it.
fn decided(operands: &[Formula], answered: Option<u64>, known: Decided, deciding: bool) -> Option<bool> {
    let mut result = Some(!deciding);
    for operand in operands {
        match operand.holds(answered, known) {
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
