//! The evaluation of an expression.
//!
//! What waits for a value of a part stands on a stack of our own, so that a deep expression cannot exhaust that of the program.

use std::borrow::Cow;
use std::slice;
use std::vec;

use serde_json::Value;
use weave_ir::{Expr, Guard, Operator, Quantifier, Segment, ValueType};

use crate::pattern::Patterns;
use crate::scope::{descend, read_segments};
use crate::value::Item;
use crate::{EvalError, Scope, operators};

/// How often the bodies of `exists` and `all` are asked in one evaluation at most; quantifiers within each other could ask
/// more often than anybody waits for.
pub const GREATEST_WORK: usize = 1_000_000;

/// The value of an expression, in the wire form of its type. What is absent is null.
///
/// The depth of the expression is bounded by memory only.
///
/// # Errors
///
/// If the evaluation ends in an error, as `docs/definition.md` says where.
pub fn evaluate(expr: &Expr, scope: &dyn Scope) -> Result<Value, EvalError> {
    Evaluation { scope, bound: Vec::new(), patterns: Patterns::default(), work: 0 }.run(expr)?.wire().map(Cow::into_owned)
}

/// Whether a guard is true; one that ends in an error is false.
#[must_use]
pub fn guard(guard: &Guard, scope: &dyn Scope) -> bool {
    evaluate(&guard.expr, scope) == Ok(Value::Bool(true))
}

/// What is to be done next.
enum Step<'v> {
    /// Evaluate this.
    Enter(&'v Expr),
    /// Go on with this value of a part.
    Leave(Result<Item<'v>, EvalError>),
}

/// What waits for the value of a part.
enum Frame<'v> {
    /// An operator, with the values of the operands so far.
    Apply { operator: Operator, operand_type: Option<ValueType>, rest: slice::Iter<'v, Expr>, values: Vec<Item<'v>> },
    /// `&&` or `||`: the value that decides, and the first error so far.
    Logic { decides: bool, rest: slice::Iter<'v, Expr>, error: Option<EvalError> },
    /// A list, with the elements so far.
    List { rest: slice::Iter<'v, Expr>, values: Vec<Item<'v>> },
    /// `exists` or `all`, which waits for the list.
    Over { decides: bool, var: &'v str, body: &'v Expr },
    /// `exists` or `all`, which waits for the answer of the body for an element.
    Each { decides: bool, var: &'v str, body: &'v Expr, rest: vec::IntoIter<Item<'v>>, error: Option<EvalError> },
}

/// The elements that a quantifier asks about: of a list its elements, of a map its keys in order.
fn elements(container: Item<'_>) -> Result<Vec<Item<'_>>, EvalError> {
    let keys = match &container {
        Item::Wire(value, _) => value.as_object().map(|entries| entries.keys().cloned().collect::<Vec<_>>()),
        _ => None,
    };
    let Some(mut keys) = keys else { return container.elements() };
    keys.sort_unstable();
    Ok(keys.into_iter().map(|key| Item::Wire(Cow::Owned(Value::String(key)), ValueType::String)).collect())
}

struct Evaluation<'v> {
    scope: &'v dyn Scope,
    /// The variables of the quantifiers around, the innermost last.
    bound: Vec<(&'v str, Item<'v>)>,
    patterns: Patterns,
    work: usize,
}

impl<'v> Evaluation<'v> {
    fn run(&mut self, expr: &'v Expr) -> Result<Item<'v>, EvalError> {
        let mut frames = Vec::new();
        let mut step = Step::Enter(expr);
        loop {
            let (frame, value) = match step {
                Step::Enter(expr) => {
                    step = self.enter(expr, &mut frames)?;
                    continue;
                }
                Step::Leave(value) => match frames.pop() {
                    Some(frame) => (frame, value),
                    None => return value,
                },
            };
            step = self.resume(frame, value, &mut frames)?;
        }
    }

    /// Begins with an expression. The error is one that ends the whole evaluation.
    fn enter(&mut self, expr: &'v Expr, frames: &mut Vec<Frame<'v>>) -> Result<Step<'v>, EvalError> {
        match expr {
            Expr::Const { value, value_type } => Ok(Step::Leave(Item::read(Cow::Borrowed(value), *value_type))),
            Expr::Path { path, value_type } => {
                let value = read_segments(path.iter(), self.scope).unwrap_or_default();
                Ok(Step::Leave(Item::read(value, *value_type)))
            }
            Expr::Var { var, path, value_type } => Ok(Step::Leave(self.variable(var, path, *value_type))),
            Expr::List { items } => self.go_on(Frame::List { rest: items.iter(), values: Vec::new() }, frames),
            Expr::Apply { op: Operator::And, args, .. } => {
                self.go_on(Frame::Logic { decides: false, rest: args.iter(), error: None }, frames)
            }
            Expr::Apply { op: Operator::Or, args, .. } => {
                self.go_on(Frame::Logic { decides: true, rest: args.iter(), error: None }, frames)
            }
            Expr::Apply { op, operand_type, args } => {
                self.go_on(Frame::Apply { operator: *op, operand_type: *operand_type, rest: args.iter(), values: Vec::new() }, frames)
            }
            Expr::Quantify { op, var, list, body } => {
                frames.push(Frame::Over { decides: *op == Quantifier::Exists, var, body });
                Ok(Step::Enter(list))
            }
        }
    }

    /// Gives a frame the value that it waits for.
    fn resume(
        &mut self,
        mut frame: Frame<'v>,
        value: Result<Item<'v>, EvalError>,
        frames: &mut Vec<Frame<'v>>,
    ) -> Result<Step<'v>, EvalError> {
        if matches!(frame, Frame::Each { .. }) {
            self.bound.pop();
        }
        match &mut frame {
            Frame::Apply { values, .. } => match value {
                Ok(value) => values.push(value),
                Err(found) => return Ok(Step::Leave(Err(found))),
            },
            Frame::List { values, .. } => match value.and_then(Item::element) {
                Ok(value) => values.push(value),
                Err(found) => return Ok(Step::Leave(Err(found))),
            },
            Frame::Logic { decides, error, .. } | Frame::Each { decides, error, .. } => match value.and_then(Item::truth) {
                Ok(truth) if truth == *decides => return Ok(Step::Leave(Ok(Item::bool(truth)))),
                Ok(_) => {}
                Err(found) => *error = error.take().or(Some(found)),
            },
            Frame::Over { decides, var, body } => match value.and_then(elements) {
                Ok(found) => frame = Frame::Each { decides: *decides, var, body, rest: found.into_iter(), error: None },
                Err(found) => return Ok(Step::Leave(Err(found))),
            },
        }
        self.go_on(frame, frames)
    }

    /// Evaluates the next part of a frame, or the frame itself if there is none.
    fn go_on(&mut self, mut frame: Frame<'v>, frames: &mut Vec<Frame<'v>>) -> Result<Step<'v>, EvalError> {
        let next = match &mut frame {
            Frame::Apply { rest, .. } | Frame::Logic { rest, .. } | Frame::List { rest, .. } => rest.next(),
            Frame::Each { rest, var, body, .. } => match rest.next() {
                Some(element) => {
                    self.count()?;
                    self.bound.push((var, element));
                    Some(*body)
                }
                None => None,
            },
            Frame::Over { .. } => None,
        };
        if let Some(part) = next {
            frames.push(frame);
            return Ok(Step::Enter(part));
        }
        Ok(Step::Leave(match frame {
            Frame::Apply { operator, operand_type, values, .. } => operators::apply(operator, operand_type, values, &mut self.patterns),
            Frame::List { values, .. } => Ok(Item::List(values)),
            Frame::Logic { decides, error, .. } | Frame::Each { decides, error, .. } => error.map_or(Ok(Item::bool(!decides)), Err),
            Frame::Over { .. } => Err(EvalError::Null),
        }))
    }

    fn count(&mut self) -> Result<(), EvalError> {
        self.work += 1;
        if self.work > GREATEST_WORK { Err(EvalError::TooMuchWork) } else { Ok(()) }
    }

    /// What is read from the innermost variable of this name; null if it is absent.
    fn variable(&self, name: &str, path: &[Segment], value_type: ValueType) -> Result<Item<'v>, EvalError> {
        let bound = self.bound.iter().rev().find(|(var, _)| *var == name);
        let (_, element) = bound.ok_or_else(|| EvalError::UnknownVariable { name: name.to_owned() })?;
        let value = match element {
            Item::Wire(Cow::Borrowed(element), _) => descend(element, path.iter()).map(Cow::Borrowed),
            Item::Wire(Cow::Owned(element), _) => descend(element, path.iter()).cloned().map(Cow::Owned),
            Item::Made(_, made) if path.is_empty() && *made != value_type => return Err(EvalError::Form { expected: value_type }),
            made if path.is_empty() => return Ok(made.clone()),
            Item::Made(..) | Item::List(_) => None,
        };
        Item::read(value.unwrap_or_default(), value_type)
    }
}
