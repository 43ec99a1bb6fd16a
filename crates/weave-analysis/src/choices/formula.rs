//! Guards as formulas: what they ask of paths, and what is not looked into.
//!
//! A guard is true, false, or an error, and an error counts as false. So of each condition two regions are kept apart: where it is
//! true, and where it is false. `&&` and `||` are as in the definition: what decides them decides them whatever the others are.

use std::fmt::Write;

use serde_json::{Number, Value as Json};
use weave_syntax::ast::BinaryOperator;

use super::cells::Cells;
use super::region::{Budget, Part, Region, TooMuch, Variable};
use super::space::{EQUAL, FALSE, GREATER, LESS, NOTHING, ONE_NOTHING, Opaque, RootValue, Space, TRUE, UNORDERED, opaque_cells};
use crate::expression::shape::is_nullable;
use crate::model::guard::{GuardExpression, GuardKind, TextMethod};
use crate::model::types::Type;
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};

/// A condition.
#[derive(Debug)]
pub(super) enum Formula<'g> {
    Known(bool),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    /// Something that is asked of a path; the expression stands for it where the path cannot say.
    Test(Variable, Test<'g>, &'g GuardExpression),
    /// Something that is not looked into.
    Opaque(u32),
    /// A comparison of two values, by the number of the pair.
    Compared(u32, BinaryOperator),
}

/// What is asked of a path.
#[derive(Debug)]
pub(super) enum Test<'g> {
    IsNull,
    IsTrue,
    Is(Json),
    OneOf(Vec<Json>),
    Compares(BinaryOperator, Json),
    Sized(BinaryOperator, i64),
    Text(TextMethod, &'g str),
}

/// What a path starts from, where the guards are asked.
pub(crate) trait Roots {
    /// The value; `None` for what is not known, such as the variable of a quantifier.
    fn root(&self, path: &ResolvedPath) -> Option<RootValue>;
}

/// Reads guards into a space.
pub(super) struct Reader<'s, 'a, 'r> {
    pub(super) space: &'s mut Space<'a>,
    pub(super) roots: &'r dyn Roots,
}

impl Reader<'_, '_, '_> {
    pub(super) fn formula<'g>(&mut self, expression: &'g GuardExpression) -> Formula<'g> {
        match &expression.kind {
            GuardKind::Constant(Json::Bool(value)) => Formula::Known(*value),
            GuardKind::Not(operand) => Formula::Not(Box::new(self.formula(operand))),
            GuardKind::Chain { first, rest } => match &**rest {
                [(operator @ (BinaryOperator::And | BinaryOperator::Or), _), ..] => {
                    let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
                    let operands = operands.map(|operand| self.formula(operand)).collect();
                    if *operator == BinaryOperator::And { Formula::And(operands) } else { Formula::Or(operands) }
                }
                [(operator, second)] => self.comparison(expression, first, *operator, second),
                _ => self.opaque(expression),
            },
            GuardKind::Path(path) => self.test(path, Test::IsTrue, expression),
            GuardKind::Has(path) => Formula::Not(Box::new(self.test(path, Test::IsNull, expression))),
            GuardKind::Text { method, receiver, argument } => match (&receiver.kind, &argument.kind) {
                (GuardKind::Path(path), GuardKind::Constant(Json::String(text))) if *method != TextMethod::Matches => {
                    self.test(path, Test::Text(*method, text), expression)
                }
                _ => self.opaque(expression),
            },
            _ => self.opaque(expression),
        }
    }

    fn test<'g>(&mut self, path: &'g ResolvedPath, test: Test<'g>, expression: &'g GuardExpression) -> Formula<'g> {
        let Some(variable) = self.path(path) else { return self.opaque(expression) };
        if let Some(cuts) = self.space.cuts(variable) {
            match &test {
                Test::Is(Json::Array(_)) => cuts.sizes.push(0),
                Test::Is(constant) => cuts.constants.push(constant.clone()),
                Test::OneOf(constants) => cuts.constants.extend(constants.iter().cloned()),
                Test::Compares(_, constant) => {
                    cuts.ordered = true;
                    cuts.constants.push(constant.clone());
                }
                Test::Sized(_, size) => cuts.sizes.push(*size),
                Test::IsNull | Test::IsTrue | Test::Text(..) => {}
            }
        }
        Formula::Test(variable, test, expression)
    }

    fn path(&mut self, path: &ResolvedPath) -> Option<Variable> {
        let root = self.roots.root(path)?;
        Some(self.space.path(root, path))
    }

    fn comparison<'g>(
        &mut self,
        expression: &'g GuardExpression,
        first: &'g GuardExpression,
        operator: BinaryOperator,
        second: &'g GuardExpression,
    ) -> Formula<'g> {
        if operator == BinaryOperator::In {
            return match (&first.kind, constants(second)) {
                (GuardKind::Path(path), Some(constants)) => self.test(path, Test::OneOf(constants), expression),
                _ => self.opaque(expression),
            };
        }
        let (value, operator, constant) = match (constant(first), constant(second)) {
            (None, Some(constant)) => (first, operator, constant),
            (Some(constant), None) => (second, mirrored(operator), constant),
            _ => return self.pair(first, operator, second),
        };
        let equals = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        if let Json::Bool(truth) = constant
            && equals
            && is_condition(value)
        {
            // It is never null, and where it is an error, so is the comparison.
            let condition = self.formula(value);
            let is_same = truth == (operator == BinaryOperator::Equal);
            return if is_same { condition } else { Formula::Not(Box::new(condition)) };
        }
        let asked = match &value.kind {
            GuardKind::Path(path) if equals => {
                let test = if constant.is_null() { Test::IsNull } else { Test::Is(constant) };
                Some((path, test))
            }
            GuardKind::Path(path) => Some((path, Test::Compares(operator, constant))),
            GuardKind::Size(of) => match (&of.kind, constant.as_i64()) {
                (GuardKind::Path(path), Some(size)) => {
                    Some((path, Test::Sized(if equals { BinaryOperator::Equal } else { operator }, size)))
                }
                _ => None,
            },
            _ => None,
        };
        match asked {
            Some((path, test)) => {
                let test = self.test(path, test, expression);
                // What the path cannot say is asked of the whole comparison.
                if operator == BinaryOperator::NotEqual && matches!(test, Formula::Test(..)) { Formula::Not(Box::new(test)) } else { test }
            }
            None => self.pair(first, operator, second),
        }
    }

    // ---- What is not looked into ---------------------------------------------------------------------------------------

    pub(super) fn opaque<'g>(&mut self, expression: &GuardExpression) -> Formula<'g> {
        let text = self.text(expression);
        let roots = self.roots;
        Formula::Opaque(self.space.opaque(text, |space| {
            let mut opaque = Opaque::default();
            Reader { space, roots }.reads(expression, &mut opaque);
            opaque
        }))
    }

    /// Two values that are compared: known by both, whichever stands first.
    fn pair<'g>(&mut self, first: &GuardExpression, operator: BinaryOperator, second: &GuardExpression) -> Formula<'g> {
        let (one, two) = (self.text(first), self.text(second));
        let (first, operator, second, text) = if one <= two {
            (first, operator, second, format!("{one} <> {two}"))
        } else {
            (second, mirrored(operator), first, format!("{two} <> {one}"))
        };
        let roots = self.roots;
        let pair = self.space.opaque(text, |space| {
            let mut reader = Reader { space, roots };
            let mut opaque = Opaque::default();
            let mut sides = [None, None];
            for (side, expression) in sides.iter_mut().zip([first, second]) {
                *side = match &expression.kind {
                    GuardKind::Path(path) => reader.path(path),
                    _ => None,
                };
                if side.is_none() {
                    reader.reads(expression, &mut opaque);
                }
            }
            opaque.sides = Some(sides);
            opaque
        });
        Formula::Compared(pair, operator)
    }

    /// What makes an expression an error.
    fn reads(&mut self, expression: &GuardExpression, opaque: &mut Opaque) {
        match &expression.kind {
            GuardKind::Path(path) => match self.path(path) {
                Some(variable) => opaque.reads.push(variable),
                // The variable of a quantifier, or something of it.
                None => opaque.may_fail |= path.absent || is_nullable(self.space.model, &path.ty),
            },
            GuardKind::List(items) => items.iter().for_each(|item| self.reads(item, opaque)),
            GuardKind::Not(operand) => self.reads(operand, opaque),
            GuardKind::Size(operand) => {
                // Not everything that is JSON has a size.
                opaque.may_fail |= matches!(self.space.model.resolve(&operand.ty), Type::Json | Type::Unknown);
                self.reads(operand, opaque);
            }
            GuardKind::Negate(operand) => {
                opaque.may_fail |= constant(expression).is_none();
                self.reads(operand, opaque);
            }
            GuardKind::Chain { first, rest } => {
                opaque.may_fail |= rest.iter().any(|(operator, _)| is_arithmetic(*operator));
                self.reads(first, opaque);
                rest.iter().for_each(|(_, operand)| self.reads(operand, opaque));
            }
            GuardKind::Text { receiver, argument, .. } => {
                self.reads(receiver, opaque);
                self.reads(argument, opaque);
            }
            GuardKind::Quantifier { list, body, .. } => {
                self.reads(list, opaque);
                self.reads(body, opaque);
            }
            GuardKind::Unknown => opaque.may_fail = true,
            GuardKind::Constant(_) | GuardKind::Has(_) => {}
        }
    }

    /// A text that two expressions share only if they mean the same.
    pub(super) fn text(&self, expression: &GuardExpression) -> String {
        let mut text = String::new();
        self.write(expression, &mut text);
        text
    }

    fn write(&self, expression: &GuardExpression, text: &mut String) {
        match &expression.kind {
            GuardKind::Constant(constant) => _ = write!(text, "{constant}"),
            GuardKind::Path(path) => self.write_path(path, text),
            GuardKind::List(items) => self.write_call("list", items.iter(), text),
            GuardKind::Not(operand) => self.write_call("!", [&**operand], text),
            GuardKind::Negate(operand) => self.write_call("-", [&**operand], text),
            GuardKind::Chain { first, rest } => {
                text.push('(');
                self.write(first, text);
                for (operator, operand) in rest {
                    _ = write!(text, " {} ", operator.text());
                    self.write(operand, text);
                }
                text.push(')');
            }
            GuardKind::Size(operand) => self.write_call("size", [&**operand], text),
            GuardKind::Has(path) => {
                text.push_str("has ");
                self.write_path(path, text);
            }
            GuardKind::Text { method, receiver, argument } => self.write_call(method.name(), [&**receiver, &**argument], text),
            GuardKind::Quantifier { quantifier, list, variable, body } => {
                _ = write!(text, "{quantifier:?} {variable} ");
                self.write_call("of", [&**list, &**body], text);
            }
            GuardKind::Unknown => _ = write!(text, "? {:?}", expression.place),
        }
    }

    fn write_call<'g>(&self, name: &str, operands: impl IntoIterator<Item = &'g GuardExpression>, text: &mut String) {
        _ = write!(text, "{name}(");
        for operand in operands {
            self.write(operand, text);
            text.push(',');
        }
        text.push(')');
    }

    fn write_path(&self, path: &ResolvedPath, text: &mut String) {
        match (self.roots.root(path), &path.root) {
            (Some(root), _) => _ = write!(text, "{:?}", root.key),
            (None, PathRoot::Variable(name)) => text.push_str(name),
            (None, root) => _ = write!(text, "{root:?}"),
        }
        for segment in &path.segments {
            match segment {
                PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name) => _ = write!(text, ".{name:?}"),
                PathSegment::Index(index) => _ = write!(text, "[{index}]"),
                PathSegment::All => text.push_str("[]"),
                PathSegment::Optional => {}
            }
        }
    }
}

const fn is_arithmetic(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder
    )
}

/// Whether an expression is true or false by what it asks, and no value that is read from somewhere.
const fn is_condition(expression: &GuardExpression) -> bool {
    match &expression.kind {
        GuardKind::Not(_) | GuardKind::Chain { .. } | GuardKind::Has(_) | GuardKind::Text { .. } | GuardKind::Quantifier { .. } => true,
        GuardKind::Constant(_)
        | GuardKind::Path(_)
        | GuardKind::List(_)
        | GuardKind::Negate(_)
        | GuardKind::Size(_)
        | GuardKind::Unknown => false,
    }
}

/// The operator with its operands the other way round.
pub(super) const fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        other => other,
    }
}

/// The constant that an expression is.
fn constant(expression: &GuardExpression) -> Option<Json> {
    match &expression.kind {
        GuardKind::Constant(constant) => Some(constant.clone()),
        GuardKind::List(items) if items.is_empty() => Some(Json::Array(Vec::new())),
        GuardKind::Negate(operand) => match constant(operand)? {
            Json::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(number), _) => Some(Json::from(number.checked_neg()?)),
                (None, Some(number)) => Number::from_f64(-number).map(Json::Number),
                _ => None,
            },
            Json::String(text) if text.starts_with(|first: char| first.is_ascii_digit()) => Some(Json::String(format!("-{text}"))),
            _ => None,
        },
        _ => None,
    }
}

/// The constants of a list.
fn constants(expression: &GuardExpression) -> Option<Vec<Json>> {
    match &expression.kind {
        GuardKind::List(items) => items.iter().map(constant).collect(),
        GuardKind::Constant(Json::Array(items)) => Some(items.clone()),
        _ => None,
    }
}

// ---- Where formulas hold -----------------------------------------------------------------------------------------------

impl Reader<'_, '_, '_> {
    /// The cases in which a formula is true, or those in which it is false.
    pub(super) fn region(&mut self, formula: &Formula<'_>, truth: bool, budget: &mut Budget) -> Result<Region, TooMuch> {
        budget.spend(1)?;
        match formula {
            Formula::Known(value) => Ok(if *value == truth { Region::all() } else { Region::default() }),
            Formula::Not(operand) => self.region(operand, !truth, budget),
            Formula::And(operands) | Formula::Or(operands) if matches!(formula, Formula::And(_)) == truth => {
                let mut all = Region::all();
                for operand in operands {
                    let operand = self.region(operand, truth, budget)?;
                    all = all.and(&operand, budget)?;
                }
                Ok(all)
            }
            Formula::And(operands) | Formula::Or(operands) => {
                let mut any = Region::default();
                for operand in operands {
                    any.or(self.region(operand, truth, budget)?)?;
                }
                Ok(any)
            }
            Formula::Test(path, test, expression) => match self.tested(*path, test) {
                Some((yes, no)) => Ok(self.part(*path, &if truth { yes } else { no })),
                None => {
                    let opaque = self.unanswered(expression);
                    self.region(&opaque, truth, budget)
                }
            },
            Formula::Opaque(opaque) => {
                let variable = self.space.opaque_variable(*opaque);
                Ok(self.part(variable, &opaque_cells(&[if truth { TRUE } else { FALSE }])))
            }
            Formula::Compared(pair, operator) => {
                let variable = self.space.opaque_variable(*pair);
                let (yes, no): (&[u32], &[u32]) = match operator {
                    BinaryOperator::Equal => (&[EQUAL, NOTHING], &[LESS, GREATER, UNORDERED, ONE_NOTHING]),
                    BinaryOperator::NotEqual => (&[LESS, GREATER, UNORDERED, ONE_NOTHING], &[EQUAL, NOTHING]),
                    BinaryOperator::Less => (&[LESS], &[EQUAL, GREATER, UNORDERED]),
                    BinaryOperator::LessEqual => (&[LESS, EQUAL], &[GREATER, UNORDERED]),
                    BinaryOperator::Greater => (&[GREATER], &[LESS, EQUAL, UNORDERED]),
                    BinaryOperator::GreaterEqual => (&[GREATER, EQUAL], &[LESS, UNORDERED]),
                    _ => (&[], &[]),
                };
                Ok(self.part(variable, &opaque_cells(if truth { yes } else { no })))
            }
        }
    }

    /// The condition that stands for a test which the cells of its path do not decide.
    fn unanswered<'g>(&mut self, expression: &'g GuardExpression) -> Formula<'g> {
        match &expression.kind {
            GuardKind::Chain { first, rest } => match &**rest {
                [(BinaryOperator::In, _)] => self.opaque(expression),
                // The test of `!=` stands below a negation.
                [(BinaryOperator::NotEqual, second)] => self.pair(first, BinaryOperator::Equal, second),
                [(operator, second)] => self.pair(first, *operator, second),
                _ => self.opaque(expression),
            },
            _ => self.opaque(expression),
        }
    }

    fn part(&self, variable: Variable, cells: &Cells) -> Region {
        let Some(domain) = self.space.domains.get(variable as usize) else { return Region::default() };
        if domain.is_within(cells) {
            return Region::all();
        }
        Region { parts: Part::of(variable, cells.and(domain)).into_iter().collect() }
    }

    /// The cells in which a test is true, and those in which it is false.
    fn tested(&self, path: Variable, test: &Test<'_>) -> Option<(Cells, Cells)> {
        let domain = self.space.domain(path)?;
        let with_rest = |yes: Cells| {
            let no = domain.all.without(&yes);
            (yes, no)
        };
        match test {
            Test::IsNull => domain.equal(&Json::Null).map(with_rest),
            Test::IsTrue => domain.truth(),
            Test::Is(constant) => domain.equal(constant).map(with_rest),
            Test::OneOf(constants) => {
                let mut yes = Cells::none(domain.count);
                for constant in constants {
                    yes = yes.or(&domain.equal(constant)?);
                }
                Some(with_rest(yes))
            }
            Test::Compares(operator, constant) => domain.ordered(*operator, constant),
            Test::Sized(operator, size) => domain.sized(*operator, *size),
            Test::Text(method, text) => domain.texts_that(|known| match method {
                TextMethod::Contains => known.contains(text),
                TextMethod::StartsWith => known.starts_with(text),
                TextMethod::EndsWith => known.ends_with(text),
                TextMethod::Matches => false,
            }),
        }
    }
}

/// Whether an error that nothing absorbs may end a guard: it asks the bodies of quantifiers about lists that may be huge.
pub(crate) fn may_run_out(model: &crate::model::Model, expression: &GuardExpression) -> bool {
    questions(model, expression, 1).is_none_or(|questions| questions > MOST_QUESTIONS)
}

/// How often bodies may be asked in one guard.
const MOST_QUESTIONS: u64 = 1_000_000;

/// How often the bodies of quantifiers are asked at most, if the expression is evaluated that often; `None` if there is no bound.
fn questions(model: &crate::model::Model, expression: &GuardExpression, times: u64) -> Option<u64> {
    let mut sum: u64 = 0;
    let mut add = |operand: &GuardExpression| {
        sum = sum.checked_add(questions(model, operand, times)?)?;
        Some(())
    };
    match &expression.kind {
        GuardKind::Constant(_) | GuardKind::Path(_) | GuardKind::Has(_) | GuardKind::Unknown => {}
        GuardKind::List(items) => items.iter().try_for_each(&mut add)?,
        GuardKind::Not(operand) | GuardKind::Negate(operand) | GuardKind::Size(operand) => add(operand)?,
        GuardKind::Chain { first, rest } => {
            add(first)?;
            rest.iter().try_for_each(|(_, operand)| add(operand))?;
        }
        GuardKind::Text { receiver, argument, .. } => {
            add(receiver)?;
            add(argument)?;
        }
        GuardKind::Quantifier { list, body, .. } => {
            add(list)?;
            let longest = match model.resolve(&list.ty) {
                Type::List(list) => list.max,
                Type::Map(map) => map.max,
                _ => None,
            };
            let asked = times.checked_mul(longest?)?;
            sum = sum.checked_add(asked)?.checked_add(questions(model, body, asked)?)?;
        }
    }
    Some(sum)
}
