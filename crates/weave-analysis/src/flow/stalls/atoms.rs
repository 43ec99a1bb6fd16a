//! What guards ask of values, so that one value is not taken to be two things on one way.
//!
//! Values are not known, but what a guard has decided about one holds until the value becomes another one. What is asked once only is
//! left open: it decides nothing that is asked again.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;
use weave_syntax::ast::BinaryOperator;

use super::presence::Formula;
use crate::choices::Member;
use crate::expression::shape::{Shape, members};
use crate::flow::Flow;
use crate::flow::firings::Firings;
use crate::flow::groups::GroupId;
use crate::model::Model;
use crate::model::guard::{GuardExpression, GuardKind};
use crate::model::types::{Literal, Scalar, Type};
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};
use crate::model::workflow::{Condition, Source};

/// The place of an atom among those that guards ask.
pub(super) type AtomId = u32;

/// So many atoms are kept, in the bits of a number.
const MOST_ATOMS: usize = 64;

/// Expressions are looked into so deep; deeper ones are not known again.
const DEEPEST: usize = 32;

/// What has been decided on a way: which atoms, and what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Decided {
    known: u64,
    truth: u64,
}

impl Decided {
    /// Whether an atom is true; nothing if that is open.
    pub(super) const fn of(self, atom: AtomId) -> Option<bool> {
        if self.known >> atom & 1 == 1 { Some(self.truth >> atom & 1 == 1) } else { None }
    }

    /// Opens these atoms again, given as bits.
    pub(super) const fn forget(&mut self, atoms: u64) {
        self.known &= !atoms;
        self.truth &= !atoms;
    }
}

/// One of the atoms that are kept.
#[derive(Clone, Copy, Debug, Default)]
struct Atom {
    /// Those that are false when this one is true, as bits: what equals one constant equals no other.
    others: u64,
    /// Whether one of it and of those is always true.
    is_exhaustive: bool,
}

/// The atoms that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    atoms: Vec<Atom>,
    /// What is read from each value that is asked for nothing but the constants that it may equal, each in a guard of its own.
    exact: FxHashSet<String>,
}

impl Atoms {
    pub(super) fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Whether what is asked of a value in several choices agrees on each way, by what reads it.
    pub(super) fn are_exact(&self, read: &str) -> bool {
        self.exact.contains(read)
    }

    /// Decides what follows if a guard is true, or if it is not; nothing if it cannot be so.
    pub(super) fn learn(&self, decided: Decided, guard: &Formula, holds: bool) -> Option<Decided> {
        let mut decided = decided;
        let mut open = vec![(guard, holds)];
        while let Some((formula, holds)) = open.pop() {
            match formula {
                Formula::Atom(atom) => decided = self.set(decided, *atom, holds)?,
                Formula::Not(operand) if holds || operand.is_known() => open.push((operand, !holds)),
                Formula::All(operands) if holds => open.extend(operands.iter().map(|operand| (operand, true))),
                Formula::Any(operands) if !holds => open.extend(operands.iter().map(|operand| (operand, false))),
                // The last one that is open decides.
                Formula::All(operands) | Formula::Any(operands) => {
                    let mut left = operands.iter().filter(|operand| operand.holds(None, decided) != Some(!holds));
                    if let (Some(last), None) = (left.next(), left.next()) {
                        open.push((last, holds));
                    }
                }
                Formula::Unknown | Formula::Answered(_) | Formula::Not(_) => {}
            }
        }
        Some(decided)
    }

    fn set(&self, mut decided: Decided, atom: AtomId, holds: bool) -> Option<Decided> {
        if let Some(before) = decided.of(atom) {
            return (before == holds).then_some(decided);
        }
        let bit = 1_u64 << atom;
        let Atom { others, is_exhaustive } = self.atoms.get(atom as usize).copied().unwrap_or_default();
        decided.known |= bit;
        if holds {
            decided.truth |= bit;
            decided.known |= others;
        } else if is_exhaustive && decided.truth & others == 0 {
            let left = others & !decided.known;
            match left.count_ones() {
                0 => return None,
                1 => return self.set(decided, left.trailing_zeros(), true),
                _ => {}
            }
        }
        Some(decided)
    }
}

/// An atom that may be worth keeping.
#[derive(Debug)]
struct Candidate {
    /// The group that asks for it, and whether it is asked again.
    group: GroupId,
    is_shared: bool,
    /// The steps whose answers it looks at.
    steps: Vec<u32>,
    /// What equals a constant, if it equals no other one then.
    equality: Option<String>,
}

/// What is asked of a value, over all guards.
#[derive(Debug, Default)]
struct Asked {
    /// The whole path; several ones are not told apart.
    path: Option<String>,
    is_exact: bool,
    /// How many values there are, if that is known.
    values: Option<usize>,
}

/// Gathers what guards ask.
pub(super) struct Gatherer<'f, 'a> {
    flow: &'f Flow<'a>,
    firings: &'f Firings,
    numbers: FxHashMap<String, u32>,
    candidates: Vec<Candidate>,
    asked: FxHashMap<String, Asked>,
    /// The paths that are compared with constants, each with the group that does so, and whether others do too.
    compared: FxHashMap<String, (GroupId, bool)>,
}

/// A guard that is looked at.
#[derive(Clone, Copy)]
struct Place<'s> {
    group: GroupId,
    source: &'s Source,
    /// Whether it is asked more often than once.
    is_repeated: bool,
}

impl<'f, 'a> Gatherer<'f, 'a> {
    pub(super) fn new(flow: &'f Flow<'a>, firings: &'f Firings) -> Self {
        Self {
            flow,
            firings,
            numbers: FxHashMap::default(),
            candidates: Vec::new(),
            asked: FxHashMap::default(),
            compared: FxHashMap::default(),
        }
    }

    /// What the guard of a member of a choice asks, which stands behind a join of these steps; `nodes` are all members of the choice.
    pub(super) fn guard(&mut self, member: &Member, steps: &[u32], group: GroupId, mut nodes: impl Iterator<Item = u32>) -> Formula {
        let trigger = self.flow.graph.node(member.node).and_then(|node| node.triggers.get(member.trigger as usize));
        let Some((source, Some(Condition::When(guard) | Condition::AlsoWhen(guard)))) =
            trigger.map(|trigger| (&trigger.source, trigger.condition.as_ref()))
        else {
            return Formula::Unknown;
        };
        let is_repeated = nodes.any(|node| self.firings.of_vertex(node) != Some(1));
        let place = Place { group, source, is_repeated };
        // A guard that asks each element may take too long, so that not even its other parts are known when it is not true.
        let asks_elements = has_quantifier(&guard.expression);
        let mut ask = |asked: &GuardExpression| if asks_elements { Formula::Unknown } else { self.atom(place, asked) };
        let formula = Formula::new(&guard.expression, steps, &mut ask);
        self.note(source, &guard.expression, &formula);
        formula
    }

    /// What is asked, as an atom that may be kept; unknown if it is not to be known again.
    fn atom(&mut self, place: Place<'_>, expression: &GuardExpression) -> Formula {
        match &expression.kind {
            GuardKind::Has(path) => self.equality(place, path, &Json::Null).negated(),
            GuardKind::Path(path) => self.equality(place, path, &Json::Bool(true)),
            GuardKind::Chain { first, rest } => match rest.as_slice() {
                [(operator, second)] => self.comparison(place, expression, (first, *operator, second)),
                _ => self.other(place, expression),
            },
            _ => self.other(place, expression),
        }
    }

    fn comparison(
        &mut self,
        place: Place<'_>,
        whole: &GuardExpression,
        (first, operator, second): (&GuardExpression, BinaryOperator, &GuardExpression),
    ) -> Formula {
        let is_equal = match operator {
            BinaryOperator::Equal => true,
            BinaryOperator::NotEqual => false,
            _ => return self.other(place, whole),
        };
        let formula = match (&first.kind, &second.kind) {
            (GuardKind::Path(path), GuardKind::Constant(value)) | (GuardKind::Constant(value), GuardKind::Path(path)) => {
                self.equality(place, path, value)
            }
            _ => return self.other(place, whole),
        };
        if is_equal { formula } else { formula.negated() }
    }

    fn equality(&mut self, place: Place<'_>, path: &ResolvedPath, value: &Json) -> Formula {
        let Some((name, step)) = self.path(place.source, path) else { return Formula::Unknown };
        let values = values(self.flow.graph.model, path);
        // What is no true is false, if it is one of the two.
        let (value, is) = match value {
            Json::Bool(false) if values == Some(2) && !path.absent => (Json::Bool(true), false),
            value => (value.clone(), true),
        };
        if let Some(read) = super::read(path, place.source) {
            let asked = self.asked.entry(read).or_insert_with(|| Asked { path: None, is_exact: true, values });
            asked.is_exact &= asked.path.as_ref().is_none_or(|path| *path == name);
            // Behind other guards fewer values are left.
            asked.values = asked.values.max(values).filter(|_| asked.values.is_some() && values.is_some());
            asked.path = Some(name.clone());
        }
        // `1` and `1.0` are one number.
        let value = value.as_f64().map_or_else(|| value.to_string(), |number| number.to_string());
        let text = format!("{name} == {value}");
        let equality = is_plain(self.flow.graph.model, path).then_some(name);
        if let Some(path) = &equality {
            let (group, is_shared) = self.compared.entry(path.clone()).or_insert((place.group, place.is_repeated));
            *is_shared |= *group != place.group || place.is_repeated;
        }
        let formula = self.candidate(place, text, step.into_iter().collect(), equality);
        if is { formula } else { formula.negated() }
    }

    /// Anything else that cannot end in an error.
    fn other(&mut self, place: Place<'_>, expression: &GuardExpression) -> Formula {
        let (mut text, mut steps) = (String::new(), Vec::new());
        match self.write(place.source, expression, &mut text, &mut steps, DEEPEST) {
            Some(()) => self.candidate(place, text, steps, None),
            None => Formula::Unknown,
        }
    }

    fn candidate(&mut self, place: Place<'_>, text: String, steps: Vec<u32>, equality: Option<String>) -> Formula {
        let next = self.candidates.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        match self.candidates.get_mut(number as usize) {
            Some(candidate) => candidate.is_shared |= candidate.group != place.group || place.is_repeated,
            None => self.candidates.push(Candidate { group: place.group, is_shared: place.is_repeated, steps, equality }),
        }
        Formula::Atom(number)
    }

    /// What a path is known by, and the step whose answer it reads; nothing for what may become another value without being noticed.
    fn path(&self, source: &Source, path: &ResolvedPath) -> Option<(String, Option<u32>)> {
        let graph = &self.flow.graph;
        let step = match (&path.root, source) {
            (PathRoot::Input, _) => None,
            (PathRoot::Step { node, .. }, _) | (PathRoot::Event, Source::Step(node)) => Some(*node),
            (PathRoot::Event, Source::TopicFrom(topic, node)) if graph.answers_of(*node).contains(topic) => Some(*node),
            _ => return None,
        };
        // Of several answers it is not known which one is read.
        if step.is_some_and(|step| self.firings.of_vertex(step) != Some(1)) {
            return None;
        }
        let mut name = step.map_or_else(|| "input".to_owned(), |step| step.to_string());
        for segment in &path.segments {
            match segment {
                PathSegment::Field(field) | PathSegment::Entry(field) | PathSegment::Loose(field) => write!(name, ".{field:?}").ok()?,
                PathSegment::Index(index) => write!(name, "[{index}]").ok()?,
                PathSegment::All => name.push_str("[]"),
                PathSegment::Optional => {}
            }
        }
        Some((name, step))
    }

    /// Writes down what is asked; nothing for what may end in an error.
    fn write(&self, source: &Source, asked: &GuardExpression, text: &mut String, steps: &mut Vec<u32>, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match &asked.kind {
            GuardKind::Constant(value) => write!(text, "{value}").ok()?,
            GuardKind::Path(path) => {
                let (name, step) = self.path(source, path)?;
                steps.extend(step);
                text.push_str(&name);
            }
            GuardKind::Size(of) => {
                text.push_str("size ");
                self.write(source, of, text, steps, depth)?;
            }
            GuardKind::Text { method, receiver, argument } => {
                self.write(source, receiver, text, steps, depth)?;
                write!(text, " {} ", method.name()).ok()?;
                self.write(source, argument, text, steps, depth)?;
            }
            GuardKind::List(items) => {
                text.push('[');
                for item in items {
                    self.write(source, item, text, steps, depth)?;
                    text.push(',');
                }
                text.push(']');
            }
            GuardKind::Chain { first, rest } => match rest.as_slice() {
                [(operator, second)] if is_comparison(*operator) => {
                    self.write(source, first, text, steps, depth)?;
                    write!(text, " {} ", operator.text()).ok()?;
                    self.write(source, second, text, steps, depth)?;
                }
                _ => return None,
            },
            GuardKind::Not(_) | GuardKind::Negate(_) | GuardKind::Has(_) | GuardKind::Quantifier { .. } | GuardKind::Unknown => {
                return None;
            }
        }
        Some(())
    }

    /// Notes what a guard asks apart from single comparisons with constants: it may contradict others without being seen.
    fn note(&mut self, source: &Source, guard: &GuardExpression, formula: &Formula) {
        let is_plain = match formula {
            Formula::Not(operand) => matches!(**operand, Formula::Atom(_)),
            formula => matches!(formula, Formula::Atom(_)),
        };
        let is_equality =
            is_plain && matches!(formula.atom(), Some(atom) if self.candidates.get(atom as usize).is_some_and(|it| it.equality.is_some()));
        if !is_equality {
            for read in guard.paths().filter_map(|path| super::read(path, source)) {
                self.asked.entry(read).or_default().is_exact = false;
            }
        }
    }

    /// The atoms that are asked more than once, and for each candidate its place among them.
    pub(super) fn finish(self) -> (Atoms, Vec<Option<AtomId>>, FxHashMap<u32, u64>) {
        let mut kept = Vec::new();
        let mut places = vec![None; self.candidates.len()];
        // To know that a value is none of some is to know something of the others.
        let is_shared = |candidate: &Candidate| match &candidate.equality {
            Some(path) => self.compared.get(path).is_some_and(|(_, is_shared)| *is_shared),
            None => candidate.is_shared,
        };
        for (candidate, place) in self.candidates.iter().zip(&mut places).filter(|(candidate, _)| is_shared(candidate)) {
            if kept.len() < MOST_ATOMS {
                *place = Some(kept.len() as AtomId);
                kept.push(candidate);
            }
        }
        let is_whole = kept.len() == self.candidates.iter().filter(|candidate| is_shared(candidate)).count();
        let (mut forgets, mut same): (FxHashMap<u32, u64>, FxHashMap<&str, u64>) = Default::default();
        for (number, candidate) in kept.iter().enumerate() {
            candidate.steps.iter().for_each(|step| *forgets.entry(*step).or_default() |= 1 << number);
            if let Some(path) = &candidate.equality {
                *same.entry(path.as_str()).or_default() |= 1 << number;
            }
        }
        let counts = self.asked.values().filter_map(|asked| Some((asked.path.as_deref()?, asked.values?))).collect::<FxHashMap<_, _>>();
        let atom = |(number, candidate): (usize, &&Candidate)| {
            let Some(path) = &candidate.equality else { return Atom::default() };
            let all = same.get(path.as_str()).copied().unwrap_or_default();
            let is_exhaustive = counts.get(path.as_str()).is_some_and(|count| *count == all.count_ones() as usize);
            Atom { others: all & !(1 << number), is_exhaustive }
        };
        let atoms = kept.iter().enumerate().map(atom).collect();
        let exact = self.asked.into_iter().filter(|(_, asked)| is_whole && asked.is_exact).map(|(read, _)| read).collect();
        (Atoms { atoms, exact }, places, forgets)
    }
}

const fn is_comparison(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In)
}

/// How many values a path can have, if they can be counted; that it is not there is one of them.
fn values(model: &Model, path: &ResolvedPath) -> Option<usize> {
    if is_long(model, path) {
        return None;
    }
    let mut count = 0;
    let mut may_be_null = path.absent;
    for member in members(model, &path.ty) {
        match member.shape {
            Shape::Null => may_be_null = true,
            Shape::Literal(Literal::String(_) | Literal::Bool(_)) => count += 1,
            Shape::Enum(values) => count += values.values.len(),
            Shape::Scalar(Scalar::Bool, _) => count += 2,
            _ => return None,
        }
    }
    Some(count + usize::from(may_be_null))
}

/// Whether a type has so many alternatives that it takes long to look at them for each guard.
fn is_long(model: &Model, path: &ResolvedPath) -> bool {
    matches!(model.resolve(&path.ty), Type::Union(alternatives) if alternatives.len() > MOST_ATOMS)
}

/// Whether values of a path are equal only if they are written alike: two decimals or two points in time may be equal otherwise.
fn is_plain(model: &Model, path: &ResolvedPath) -> bool {
    !is_long(model, path)
        && members(model, &path.ty).iter().all(|member| match member.shape {
            Shape::Null | Shape::Literal(_) | Shape::Enum(_) => true,
            Shape::Scalar(scalar, _) => matches!(scalar, Scalar::Bool | Scalar::Int | Scalar::Float | Scalar::String),
            _ => false,
        })
}

fn has_quantifier(guard: &GuardExpression) -> bool {
    guard.parts().any(|part| matches!(part.kind, GuardKind::Quantifier { .. }))
}
