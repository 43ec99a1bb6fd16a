//! The layout of a domain: what the types of a path consist of, before everything gets its cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;
use serde_json::Value as Json;

use super::{Cuts, Domain, Inner, MOST_CELLS, NULL, Texts};
use crate::choices::cells::Cells;
use crate::choices::line::{Line, Point, Sort};
use crate::expression::shape::{Shape, members, variant_record};
use crate::model::Model;
use crate::model::types::{Bound, Limits, Literal, Scalar, Type};

/// One alternative of a type, ready to be marked.
pub(super) enum Form {
    Null,
    Bool(Option<bool>),
    /// A line, whether only whole numbers are meant, and its ends.
    Line(Sort, bool, Option<Point>, Option<Point>),
    Point(Sort, Point),
    /// One text.
    Word(Arc<str>),
    Text(Scalar, TextLimits),
    List(Sizes),
    Map(Sizes),
    /// A cell of its own, and whether it is sure.
    Inner(usize, bool),
}

pub(super) struct TextLimits {
    pub(super) min: i64,
    pub(super) max: i64,
    pub(super) pattern: Option<Regex>,
}

pub(super) struct Sizes {
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    pub(super) unique: bool,
}

/// What a domain will consist of.
#[derive(Default)]
pub(super) struct Plan {
    bools: bool,
    lines: BTreeMap<Sort, Vec<Point>>,
    texts: bool,
    words: Vec<Arc<str>>,
    sizes: Vec<i64>,
    items: Vec<Type>,
    entries: Vec<Type>,
    inner: Vec<Inner>,
    fraction: bool,
}

impl Plan {
    pub(super) fn points(&self) -> usize {
        self.words.len() + self.inner.len() + self.sizes.len() + self.lines.values().map(Vec::len).sum::<usize>()
    }

    fn line(&mut self, sort: Sort) -> &mut Vec<Point> {
        self.lines.entry(sort).or_default()
    }

    pub(super) fn add(&mut self, model: &Model, ty: &Type, cuts: &Cuts, forms: &mut Vec<Form>) {
        for member in members(model, ty) {
            let form = match member.shape {
                Shape::Null => Form::Null,
                Shape::Scalar(Scalar::Bool, _) => {
                    self.bools = true;
                    Form::Bool(None)
                }
                Shape::Literal(Literal::Bool(value)) => {
                    self.bools = true;
                    Form::Bool(Some(*value))
                }
                Shape::Literal(Literal::Number(number)) => match Sort::Number.point(&Json::Number(number.clone())) {
                    Some(point) => {
                        self.fraction |= !number.is_i64();
                        self.line(Sort::Number).push(point.clone());
                        Form::Point(Sort::Number, point)
                    }
                    None => self.cell(Inner::Other, false),
                },
                Shape::Literal(Literal::String(text)) => self.word(text, cuts),
                Shape::Enum(values) => {
                    for value in &values.values {
                        let form = self.word(&value.wire, cuts);
                        forms.push(form);
                    }
                    continue;
                }
                Shape::Scalar(scalar, limits) => self.scalar(scalar, limits, cuts),
                Shape::List(list) => {
                    self.items.push(list.item.clone());
                    self.sized(list.min, list.max, list.unique, cuts, Form::List)
                }
                Shape::Map(map) => {
                    self.entries.push(map.value.clone());
                    self.sized(map.min, map.max, false, cuts, Form::Map)
                }
                Shape::Record(_) => self.cell(Inner::Record(member.ty.clone()), true),
                Shape::Tagged(union) => {
                    for index in 0..union.variants.len().min(MOST_CELLS) {
                        let form = self.cell(Inner::Record(variant_record(model, union, index)), true);
                        forms.push(form);
                    }
                    continue;
                }
                Shape::Json => {
                    forms.push(Form::Null);
                    self.cell(Inner::Any, true)
                }
                Shape::Unknown => {
                    forms.push(Form::Null);
                    self.cell(Inner::Any, false)
                }
            };
            forms.push(form);
        }
    }

    fn cell(&mut self, inner: Inner, sure: bool) -> Form {
        // One that stands under several owners is one cell.
        let same = |known: &Inner| matches!((known, &inner), (Inner::Record(one), Inner::Record(other)) if one == other);
        let at = self.inner.iter().position(same).unwrap_or(self.inner.len());
        if at == self.inner.len() {
            self.inner.push(inner);
        }
        Form::Inner(at, sure)
    }

    fn word(&mut self, text: &Arc<str>, cuts: &Cuts) -> Form {
        if cuts.ordered {
            let point = Point::Text(Arc::clone(text));
            self.line(Sort::Text).push(point.clone());
            return Form::Point(Sort::Text, point);
        }
        self.texts = true;
        self.words.push(Arc::clone(text));
        Form::Word(Arc::clone(text))
    }

    fn scalar(&mut self, scalar: Scalar, limits: Option<&Limits>, cuts: &Cuts) -> Form {
        let bounds = |wanted: fn(&Limits) -> &Option<Bound>| limits.and_then(|limits| wanted(limits).as_ref());
        let (min, max) = (bounds(|limits| &limits.min), bounds(|limits| &limits.max));
        let sort = match Sort::of(scalar) {
            None => return self.cell(Inner::Other, true),
            Some(Sort::Text) => {
                if cuts.ordered {
                    self.line(Sort::Text);
                } else {
                    self.texts = true;
                }
                let size = |bound: Option<&Bound>| if let Some(Point::Whole(size)) = Sort::Size.bound(bound?) { Some(size) } else { None };
                let pattern = limits.and_then(|limits| limits.pattern.as_deref());
                let pattern = pattern.and_then(|pattern| Regex::new(pattern).ok());
                let (min, max) = (size(min), size(max));
                if !cuts.sizes.is_empty() {
                    self.sizes.extend(min.into_iter().chain(max));
                }
                return Form::Text(scalar, TextLimits { min: min.unwrap_or(0), max: max.unwrap_or(i64::MAX), pattern });
            }
            Some(sort) => sort,
        };
        let (min, max) = (min.and_then(|min| sort.bound(min)), max.and_then(|max| sort.bound(max)));
        self.fraction |= scalar == Scalar::Float;
        let ends = min.iter().chain(&max).cloned();
        self.line(sort).extend(ends);
        Form::Line(sort, scalar == Scalar::Int, min, max)
    }

    fn sized(&mut self, min: Option<u64>, max: Option<u64>, unique: bool, cuts: &Cuts, form: fn(Sizes) -> Form) -> Form {
        let size = |size: Option<u64>| size.and_then(|size| i64::try_from(size).ok());
        let (min, max) = (size(min), size(max));
        // Where nobody asks for a length, one cell is enough.
        if cuts.sizes.is_empty() {
            return form(Sizes { min: None, max: None, unique });
        }
        self.sizes.extend(min.into_iter().chain(max));
        form(Sizes { min, max, unique })
    }

    /// Gives everything its cells.
    pub(super) fn lay_out(mut self, cuts: &Cuts) -> Option<Domain> {
        for constant in &cuts.constants {
            if let (true, Json::String(text)) = (self.texts, constant) {
                self.words.push(Arc::from(text.as_str()));
            }
            for (sort, points) in &mut self.lines {
                points.extend(sort.point(constant));
            }
        }
        self.sizes.extend(&cuts.sizes);
        self.words.sort_unstable();
        self.words.dedup();
        let sizes = self.sizes.iter().map(|size| Point::Whole(*size)).collect::<Vec<_>>();
        let mut next = NULL + 1;
        let mut domain = Domain {
            count: 0,
            all: Cells::none(0),
            sure: Cells::none(0),
            under: Vec::new(),
            bools: None,
            lines: Vec::new(),
            list: None,
            map: None,
            texts: None,
            inner: Vec::new(),
            whole: !self.fraction,
        };
        if self.bools {
            domain.bools = Some(next);
            next += 2;
        }
        for (sort, points) in self.lines {
            let line = Line::new(sort, next, points);
            next = line.cells().end;
            domain.lines.push(line);
        }
        if self.texts {
            let others = Line::new(Sort::Size, next + self.words.len() as u32, sizes.clone());
            let texts = Texts { start: next, known: self.words, others };
            next = texts.others.cells().end;
            domain.texts = Some(texts);
        }
        for (of, types) in [(&mut domain.list, self.items), (&mut domain.map, self.entries)] {
            if !types.is_empty() {
                let line = Line::new(Sort::Size, next, sizes.clone());
                next = line.cells().end;
                *of = Some((line, crate::expression::shape::join(types)));
            }
        }
        for inner in self.inner {
            domain.inner.push((next, inner));
            next += 1;
        }
        (domain.count, domain.all, domain.sure) = (next, Cells::none(next), Cells::none(next));
        (next as usize <= MOST_CELLS).then_some(domain)
    }
}
