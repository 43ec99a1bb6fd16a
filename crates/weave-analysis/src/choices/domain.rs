//! The values that a path can yield, cut into cells: within one cell no comparison of the guards tells two values apart.

mod plan;

use std::sync::Arc;

use serde_json::Value as Json;
use weave_syntax::ast::BinaryOperator;

use self::plan::{Form, Plan, TextLimits};
use super::cells::Cells;
use super::line::{Existence, Line, Point, Sort};
use crate::expression::formats;
use crate::model::Model;
use crate::model::types::{Scalar, Type};

/// A variable with more cells is not looked at.
pub(super) const MOST_CELLS: usize = 16_384;

/// What the guards compare a path with.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// The constants.
    pub(super) constants: Vec<Json>,
    /// The lengths.
    pub(super) sizes: Vec<i64>,
    /// Whether it is asked for its order.
    pub(super) ordered: bool,
    /// How many paths go on from it by a name.
    pub(super) fields: usize,
}

/// A type that a path has where its owner is in some cells.
pub(super) struct Under {
    /// The cells of the owner.
    pub(super) owner: Cells,
    /// The type, and whether the value may be absent; nothing if it never is there.
    pub(super) ty: Option<(Type, bool)>,
}

/// What is in a cell that is no piece of a line.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    /// A record, of this type.
    Record(Type),
    /// Any JSON but null.
    Any,
    /// Something of which nothing is known but that it is there.
    Other,
}

/// Text by itself: some known texts, and all others by their length.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    /// The cell of the first of the known ones.
    start: u32,
    pub(super) known: Vec<Arc<str>>,
    /// The lengths of the others.
    pub(super) others: Line,
}

impl Texts {
    fn cell(&self, text: &str) -> Option<u32> {
        let at = self.known.binary_search_by(|known| (**known).cmp(text)).ok()?;
        Some(self.start + at as u32)
    }

    /// The known text of a cell.
    pub(super) fn text(&self, cell: u32) -> Option<&Arc<str>> {
        self.known.get(cell.checked_sub(self.start)? as usize)
    }

    fn cells(&self) -> impl Iterator<Item = (u32, &Arc<str>)> {
        (self.start..).zip(&self.known)
    }
}

/// The cells of a path. The first one is that it is absent or null.
#[derive(Debug)]
pub(super) struct Domain {
    /// How many there are, with those in which no value lies.
    pub(super) count: u32,
    /// Those in which a value may lie.
    pub(super) all: Cells,
    /// Those in which a value lies for sure.
    pub(super) sure: Cells,
    /// What may be where its owner is in some cells.
    pub(super) under: Vec<(Cells, Cells)>,
    /// `false`; behind it `true`.
    pub(super) bools: Option<u32>,
    pub(super) lines: Vec<Line>,
    /// The lengths of lists and of maps.
    pub(super) list: Option<(Line, Type)>,
    pub(super) map: Option<(Line, Type)>,
    pub(super) texts: Option<Texts>,
    pub(super) inner: Vec<(u32, Inner)>,
    /// Whether all its numbers are whole.
    pub(super) whole: bool,
}

/// The cell of what is absent or null.
pub(super) const NULL: u32 = 0;

impl Domain {
    /// The cells of a path whose owner has so many; `None` if there would be too many.
    pub(super) fn new(model: &Model, under: &[Under], cuts: &Cuts) -> Option<Self> {
        let mut plan = Plan::default();
        let mut forms: Vec<Vec<Form>> = Vec::with_capacity(under.len());
        for under in under {
            let mut own = Vec::new();
            if let Some((ty, _)) = &under.ty {
                plan.add(model, ty, cuts, &mut own);
            }
            forms.push(own);
            if plan.points() > MOST_CELLS / 2 {
                return None;
            }
        }
        let mut domain = plan.lay_out(cuts)?;
        for (under, forms) in under.iter().zip(&forms) {
            let (all, sure) = domain.values(under, forms, cuts);
            // A cell is sure only where it is so for each owner.
            let unsure = all.without(&sure);
            domain.sure = domain.sure.without(&unsure).or(&sure.without(&domain.all.without(&domain.sure)));
            domain.all = domain.all.or(&all);
            domain.under.push((under.owner.clone(), all));
        }
        Some(domain)
    }

    /// The cells in which a value may lie under an owner, and those in which one lies for sure.
    fn values(&self, under: &Under, forms: &[Form], cuts: &Cuts) -> (Cells, Cells) {
        let mut marks = Marks { all: Cells::none(self.count), sure: Cells::none(self.count) };
        if under.ty.as_ref().is_none_or(|(_, absent)| *absent) {
            marks.mark(NULL, Existence::Yes);
        }
        for form in forms {
            self.mark(form, cuts, &mut marks);
        }
        (marks.all, marks.sure)
    }

    fn mark(&self, form: &Form, cuts: &Cuts, marks: &mut Marks) {
        match form {
            Form::Null => marks.mark(NULL, Existence::Yes),
            Form::Bool(None) => self.bools.iter().for_each(|cell| (0..2).for_each(|it| marks.mark(cell + it, Existence::Yes))),
            Form::Bool(Some(value)) => self.bools.iter().for_each(|cell| marks.mark(cell + u32::from(*value), Existence::Yes)),
            Form::Line(sort, whole, min, max) => {
                let Some(line) = self.lines.iter().find(|line| line.sort == *sort) else { return };
                let cells = line.within(min.as_ref(), max.as_ref());
                cells.for_each(|cell| marks.mark(cell, line.exists(cell, *whole)));
            }
            Form::Point(sort, point) => {
                let cell = self.lines.iter().find(|line| line.sort == *sort).and_then(|line| line.cell(point));
                cell.into_iter().for_each(|cell| marks.mark(cell, Existence::Yes));
            }
            Form::Word(text) => {
                let cell = self.texts.as_ref().and_then(|texts| texts.cell(text));
                cell.into_iter().for_each(|cell| marks.mark(cell, Existence::Yes));
            }
            Form::Text(scalar, limits) => self.mark_texts(*scalar, limits, cuts, marks),
            Form::List(limits) | Form::Map(limits) => {
                let of = if matches!(form, Form::List(_)) { &self.list } else { &self.map };
                let Some((line, _)) = of else { return };
                let cells = line.within(limits.min.map(Point::Whole).as_ref(), limits.max.map(Point::Whole).as_ref());
                for cell in cells {
                    // Different items may be too few, and several keys at once too many.
                    let many = line.sizes(cell).1 > 1 && limits.unique || matches!(form, Form::Map(_)) && cuts.fields > 1;
                    let exists = line.exists(cell, true);
                    marks.mark(cell, if many && exists == Existence::Yes { Existence::Unsure } else { exists });
                }
            }
            Form::Inner(index, sure) => {
                let exists = if *sure { Existence::Yes } else { Existence::Unsure };
                self.inner.get(*index).into_iter().for_each(|(cell, _)| marks.mark(*cell, exists));
            }
        }
    }

    fn mark_texts(&self, scalar: Scalar, limits: &TextLimits, cuts: &Cuts, marks: &mut Marks) {
        let unsure = |exists: Existence, sure: bool| if exists == Existence::Yes && !sure { Existence::Unsure } else { exists };
        let free = limits.pattern.is_none() && scalar == Scalar::String;
        if let Some(line) = self.lines.iter().find(|line| line.sort == Sort::Text) {
            let plain = free && limits.min == 0 && limits.max == i64::MAX;
            line.cells().for_each(|cell| marks.mark(cell, unsure(line.exists(cell, false), plain)));
        }
        let Some(texts) = &self.texts else { return };
        for (cell, text) in texts.cells() {
            let length = length(text);
            if length >= limits.min && length <= limits.max && limits.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text)) {
                marks.mark(cell, unsure(Existence::Yes, formats::is_valid(scalar, text)));
            }
        }
        for cell in texts.others.cells() {
            let (least, most) = texts.others.sizes(cell);
            let (least, most) = (least.max(limits.min), most.min(limits.max));
            // There is but one text without characters.
            let only_empty = most == 0 && texts.known.first().is_some_and(|text| text.is_empty());
            let exists = if least > most || only_empty { Existence::No } else { texts.others.exists(cell, true) };
            marks.mark(cell, unsure(exists, free || cuts.sizes.is_empty() && limits.pattern.is_none()));
        }
    }

    // ---- What comparisons mean -----------------------------------------------------------------------------------------

    /// Whether it consists of values that are told apart by their JSON.
    fn is_plain(&self) -> bool {
        let odd = self.lines.iter().filter(|line| line.sort != Sort::Number && line.sort != Sort::Text).count();
        let plain = self.lines.len() - odd + usize::from(self.texts.is_some()) + usize::from(self.bools.is_some());
        let unknown = self.inner.iter().any(|(_, inner)| !matches!(inner, Inner::Record(_)));
        !unknown && (odd == 0 || odd == 1 && plain == 0)
    }

    /// The cells of the values that equal a constant; `None` if that is more or less than some cells.
    pub(super) fn equal(&self, constant: &Json) -> Option<Cells> {
        if constant.is_null() {
            return Some(Cells::one(self.count, NULL));
        }
        if let Json::Array(items) = constant
            && items.is_empty()
        {
            return self.sized(BinaryOperator::Equal, 0).filter(|_| self.texts.is_none() && self.map.is_none()).map(|(yes, _)| yes);
        }
        if !self.is_plain() {
            return None;
        }
        let cell = match constant {
            Json::Bool(value) => self.bools.map(|cell| cell + u32::from(*value)),
            Json::String(text) if self.texts.is_some() => Some(self.texts.as_ref()?.cell(text)?),
            Json::Number(_) | Json::String(_) => {
                let mut cells = self.lines.iter().filter_map(|line| line.cell(&line.sort.point(constant)?));
                cells.next()
            }
            _ => return None,
        };
        Some(cell.map_or_else(|| Cells::none(self.count), |cell| Cells::one(self.count, cell)))
    }

    /// The cells of the values that compare so with a constant, and those of the values that do not.
    pub(super) fn ordered(&self, operator: BinaryOperator, constant: &Json) -> Option<(Cells, Cells)> {
        let [line] = &*self.lines else { return None };
        if !self.is_plain() {
            return None;
        }
        let cells = line.compared(operator, &line.sort.point(constant)?)?;
        let yes = Cells::range(self.count, cells);
        let no = Cells::range(self.count, line.cells()).without(&yes);
        Some((yes, no))
    }

    /// The cells of the values that are so long, and those of the values that are not.
    pub(super) fn sized(&self, operator: BinaryOperator, size: i64) -> Option<(Cells, Cells)> {
        let unknown = self.inner.iter().any(|(_, inner)| !matches!(inner, Inner::Record(_)));
        if unknown || self.lines.iter().any(|line| line.sort == Sort::Text) {
            return None;
        }
        let mut cells = (Cells::none(self.count), Cells::none(self.count));
        let lines = self.list.iter().chain(&self.map).map(|(line, _)| line).chain(self.texts.iter().map(|texts| &texts.others));
        for line in lines {
            let yes = line.compared(operator, &Point::Whole(size))?;
            cells.0.insert_range(yes.clone());
            cells.1.insert_range(line.cells().start..yes.start);
            cells.1.insert_range(yes.end..line.cells().end);
        }
        for (cell, text) in self.texts.iter().flat_map(Texts::cells) {
            let is = holds(length(text), operator, size)?;
            if is { &mut cells.0 } else { &mut cells.1 }.insert(cell);
        }
        Some(cells)
    }

    /// The cells of the texts of which something is so, and those of which it is not; only where all texts are known.
    pub(super) fn texts_that(&self, is: impl Fn(&str) -> bool) -> Option<(Cells, Cells)> {
        let texts = self.texts.as_ref()?;
        if texts.others.cells().any(|cell| self.all.has(cell)) || !self.is_plain() {
            return None;
        }
        let mut cells = (Cells::none(self.count), Cells::none(self.count));
        for (cell, text) in texts.cells() {
            if is(text) { &mut cells.0 } else { &mut cells.1 }.insert(cell);
        }
        Some(cells)
    }

    /// `true`, and `false`.
    pub(super) fn truth(&self) -> Option<(Cells, Cells)> {
        let cell = self.bools.filter(|_| self.is_plain())?;
        Some((Cells::one(self.count, cell + 1), Cells::one(self.count, cell)))
    }
}

/// How many characters a text has.
pub(super) fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

fn holds(one: i64, operator: BinaryOperator, other: i64) -> Option<bool> {
    Some(match operator {
        BinaryOperator::Less => one < other,
        BinaryOperator::LessEqual => one <= other,
        BinaryOperator::Greater => one > other,
        BinaryOperator::GreaterEqual => one >= other,
        BinaryOperator::Equal => one == other,
        _ => return None,
    })
}

struct Marks {
    all: Cells,
    sure: Cells,
}

impl Marks {
    fn mark(&mut self, cell: u32, exists: Existence) {
        if exists != Existence::No {
            // What one alternative has for sure is there, whatever another one says.
            self.all.insert(cell);
            if exists == Existence::Yes {
                self.sure.insert(cell);
            }
        }
    }
}
