//! What a guard says about the values that it looks at.
//!
//! Facts are taken from the text of the guard alone and applied to types when a path is read, so that both can happen in any
//! order. A path is known by its names without `?`: what holds for `.a?.b` holds for `.a.b`.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use weave_syntax::ast::{Binary, BinaryOperator, Expr, LiteralKind, Path, Root, Segment, UnaryOperator};
use weave_syntax::text;
use weave_syntax::text::quoted_string;

use super::doubt::Doubts;
use super::literal::same_value;
use super::shape::{Member, Shape, join, keep, members, single, variant_record, without_null};
use crate::model::Model;
use crate::model::types::{Literal, Scalar, Type};

/// How much is remembered of one path. All of it is looked at whenever the path is read, so a guard of thousands of comparisons with one
/// value would take the square of their number; to know less only means to narrow less.
const MOST_FACTS: usize = 64;

/// Of more alternatives, one that is excluded is not taken out: nobody reads so long a list, and to make it anew at every path takes time.
const MOST_ALTERNATIVES: usize = 64;

/// One thing that is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    /// It is there, and not null.
    Present,
    /// It is there, perhaps as null.
    There,
    /// It equals this constant.
    Is(Json),
    /// It does not equal this constant.
    IsNot(Json),
    /// One of its fields equals, or does not equal, this constant.
    Field {
        /// The field.
        name: Rc<str>,
        /// The constant.
        value: Json,
        /// Whether it equals.
        is: bool,
    },
    /// It has at least so many elements.
    AtLeast(u64),
}

/// What is known, by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    by_path: FxHashMap<Rc<str>, Vec<Fact>>,
    /// The paths in the order in which their facts were added, so that the last ones can be taken back.
    added: Vec<Rc<str>>,
    /// What guards that are wrong may have been about.
    doubts: Doubts,
}

impl Facts {
    /// Whether nothing is known, and nothing is in doubt.
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.doubts.is_empty()
    }

    /// What guards that are wrong may have been about.
    pub(crate) fn doubts(&self) -> &Doubts {
        &self.doubts
    }

    /// More is in doubt.
    pub(crate) fn doubt(&mut self, doubts: &Doubts) {
        self.doubts.add(doubts);
    }

    /// Goes back to so much that was in doubt before.
    pub(crate) fn trust(&mut self, doubts: usize) {
        self.doubts.truncate(doubts);
    }

    /// How much is known; for [`Facts::forget`].
    pub(crate) fn mark(&self) -> usize {
        self.added.len()
    }

    /// Takes back what was learnt since a mark.
    pub(crate) fn forget(&mut self, mark: usize) {
        while self.added.len() > mark {
            if let Some(facts) = self.added.pop().and_then(|path| self.by_path.get_mut(&path)) {
                facts.pop();
            }
        }
    }

    /// Takes back everything about a value, whatever is read from it.
    pub(crate) fn forget_root(&mut self, name: &str) {
        let is_about = |path: &str| {
            let rest = path.strip_prefix('.').and_then(|path| path.strip_prefix(name));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.by_path.retain(|path, _| !is_about(path));
        self.added.retain(|path| !is_about(path));
    }

    /// What is known of a path.
    pub(crate) fn of(&self, path: &str) -> &[Fact] {
        self.by_path.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// Learns what holds if an expression is true, or if it is false.
    pub(crate) fn learn(&mut self, item: &str, guard: &Expr, holds: bool) {
        match guard {
            Expr::Parenthesized(inner) => self.learn(item, &inner.1, holds),
            Expr::Unary(unary) if unary.operators.iter().all(|(operator, _)| *operator == UnaryOperator::Not) => {
                self.learn(item, &unary.operand, holds == unary.operators.len().is_multiple_of(2));
            }
            Expr::Binary(binary) => self.learn_binary(item, binary, holds),
            Expr::Path(path) => self.learn_path(item, path, holds),
            _ => {}
        }
    }

    /// Keeps only what other facts say too.
    pub(crate) fn keep_shared(&mut self, other: &Self) {
        let mut kept = Self { doubts: std::mem::take(&mut self.doubts), ..Self::default() };
        kept.doubts.add(&other.doubts);
        for path in std::mem::take(&mut self.added) {
            // Facts of a path are learnt in order; each of them is looked at once.
            let Some(facts) = self.by_path.remove(&path) else { continue };
            for fact in facts {
                if other.of(&path).contains(&fact) {
                    kept.add(Rc::clone(&path), fact);
                }
            }
        }
        *self = kept;
    }

    fn add(&mut self, path: Rc<str>, fact: Fact) {
        let facts = self.by_path.entry(Rc::clone(&path)).or_default();
        if facts.len() < MOST_FACTS && !facts.contains(&fact) {
            facts.push(fact);
            self.added.push(path);
        }
    }

    fn learn_path(&mut self, item: &str, path: &Path, holds: bool) {
        if let (Root::Name(name), [Segment::Call { arguments, .. }]) = (&path.root, &*path.segments) {
            if let ("has", [Expr::Path(read)]) = (name.text(item), &**arguments)
                && holds
            {
                self.present(item, read);
            }
            return;
        }
        if holds {
            self.present(item, path);
        }
        self.compared(item, path, Json::Bool(true), holds);
    }

    fn learn_binary(&mut self, item: &str, binary: &Binary, holds: bool) {
        let operators = binary.rest.first().map(|(operator, ..)| *operator);
        match (operators, &*binary.rest) {
            (Some(BinaryOperator::And), rest) if holds => {
                self.learn(item, &binary.first, true);
                rest.iter().for_each(|(.., operand)| self.learn(item, operand, true));
            }
            (Some(BinaryOperator::Or), rest) if !holds => {
                self.learn(item, &binary.first, false);
                rest.iter().for_each(|(.., operand)| self.learn(item, operand, false));
            }
            (Some(BinaryOperator::In), [(_, _, second)]) if holds => self.learn_entry(item, &binary.first, second),
            (_, [(operator, _, second)]) => self.learn_comparison(item, &binary.first, *operator, second, holds),
            _ => {}
        }
    }

    fn learn_comparison(&mut self, item: &str, first: &Expr, operator: BinaryOperator, second: &Expr, holds: bool) {
        let (value, operator, constant) = match (constant(item, first), constant(item, second)) {
            (None, Some(constant)) => (first, operator, constant),
            (Some(constant), None) => (second, mirrored(operator), constant),
            _ => return,
        };
        match (read(value), operator) {
            (Some(path), BinaryOperator::Equal | BinaryOperator::NotEqual) => {
                let equal = (operator == BinaryOperator::Equal) == holds;
                if equal != constant.is_null() {
                    // It is something, or it is not nothing.
                    if equal || constant.is_null() {
                        self.present(item, path);
                    }
                }
                self.compared(item, path, constant, equal);
            }
            _ => self.learn_size(item, value, operator, &constant, holds),
        }
    }

    /// `"key" in .map`.
    fn learn_entry(&mut self, item: &str, name: &Expr, map: &Expr) {
        let (Some(Json::String(name)), Some(map)) = (constant(item, name), read(map)) else { return };
        if let Some(mut path) = key(item, &map.root, &map.segments).map(|path| path.to_string()) {
            push_key(&mut path, &name);
            self.add(Rc::from(path), Fact::There);
        }
    }

    /// `size(.xs) > 0` and its like.
    fn learn_size(&mut self, item: &str, value: &Expr, operator: BinaryOperator, constant: &Json, holds: bool) {
        let (Some(path), Some(constant)) = (measured(item, value), constant.as_u64()) else { return };
        let operator = if holds { operator } else { opposite(operator) };
        let least = match operator {
            BinaryOperator::Greater => constant.saturating_add(1),
            BinaryOperator::GreaterEqual | BinaryOperator::Equal => constant,
            BinaryOperator::NotEqual if constant == 0 => 1,
            _ => return,
        };
        if let Some(path) = key(item, path.0, path.1) {
            self.add(path, Fact::AtLeast(least));
        }
    }

    /// A path that is there, and with it all that it leads through.
    fn present(&mut self, item: &str, path: &Path) {
        for end in 0..=path.segments.len() {
            if let Some(path) = key(item, &path.root, path.segments.get(..end).unwrap_or_default())
                && !self.of(&path).contains(&Fact::Present)
            {
                self.add(path, Fact::Present);
            }
        }
    }

    fn compared(&mut self, item: &str, path: &Path, value: Json, is: bool) {
        let Some(whole) = key(item, &path.root, &path.segments) else { return };
        if let Some((last, before)) = path.segments.split_last()
            && let Some(name) = field_name(item, last)
            && !matches!((&path.root, before), (Root::Dot(_), []))
            && let Some(owner) = key(item, &path.root, before)
        {
            self.add(owner, Fact::Field { name: Rc::from(name), value: value.clone(), is });
        }
        self.add(whole, if is { Fact::Is(value) } else { Fact::IsNot(value) });
    }
}

/// The name under which facts about a path are kept; `None` for what is no plain path.
pub(crate) fn key(item: &str, root: &Root, segments: &[Segment]) -> Option<Rc<str>> {
    let mut text = String::new();
    match root {
        Root::Dot(_) if segments.is_empty() => return None,
        Root::Dot(_) => {}
        Root::Name(name) => text.push_str(name.text(item)),
        Root::Expr(_) => return None,
    }
    for segment in segments {
        push_segment(&mut text, item, segment)?;
    }
    Some(Rc::from(text))
}

/// Adds a segment to the name of a path.
pub(crate) fn push_segment(path: &mut String, item: &str, segment: &Segment) -> Option<()> {
    match segment {
        Segment::Field(name) => {
            path.push('.');
            path.push_str(name.text(item));
        }
        Segment::Key(span) => push_key(path, &text::string_value(span.text(item))),
        Segment::Optional(_) => {}
        Segment::Index(span) => write!(path, "[{}]", span.text(item)).ok()?,
        Segment::All(_) | Segment::Call { .. } => return None,
    }
    Some(())
}

/// Adds a key: one that is a name is the same behind a dot and in brackets.
fn push_key(path: &mut String, key: &str) {
    if is_name(key) {
        path.push('.');
        path.push_str(key);
    } else {
        path.push_str(&format!("[{}]", quoted_string(key)));
    }
}

/// The field that a segment reads.
fn field_name<'a>(item: &'a str, segment: &Segment) -> Option<Cow<'a, str>> {
    match segment {
        Segment::Field(name) => Some(Cow::Borrowed(name.text(item))),
        Segment::Key(span) => Some(text::string_value(span.text(item))),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    let starts = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    starts && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The path that an expression reads.
fn read(expression: &Expr) -> Option<&Path> {
    match expression {
        Expr::Path(path) if !path.segments.iter().any(|segment| matches!(segment, Segment::Call { .. })) => Some(path),
        Expr::Parenthesized(inner) => read(&inner.1),
        _ => None,
    }
}

/// The list that `size(.xs)` or `.xs.size()` measures.
fn measured<'a>(item: &str, expression: &'a Expr) -> Option<(&'a Root, &'a [Segment])> {
    let Expr::Path(path) = expression else { return None };
    match (&path.root, &*path.segments) {
        (Root::Name(name), [Segment::Call { arguments, .. }]) if name.text(item) == "size" => match &**arguments {
            [argument] => read(argument).map(|path| (&path.root, &*path.segments)),
            _ => None,
        },
        (root, [before @ .., Segment::Field(name), Segment::Call { arguments, .. }])
            if name.text(item) == "size" && arguments.is_empty() =>
        {
            Some((root, before))
        }
        _ => None,
    }
}

/// The constant that an expression is.
fn constant(item: &str, expression: &Expr) -> Option<Json> {
    match expression {
        Expr::Parenthesized(inner) => constant(item, &inner.1),
        Expr::Literal(literal) => match literal.kind {
            LiteralKind::Null => Some(Json::Null),
            LiteralKind::True => Some(Json::Bool(true)),
            LiteralKind::False => Some(Json::Bool(false)),
            LiteralKind::String => Some(Json::String(text::literal_value(item, *literal).into_owned())),
            LiteralKind::Number => match text::number(literal.span.text(item)).ok()? {
                text::Number::Integer(number) => Some(Json::from(number)),
                text::Number::Float(number) => Some(Json::from(number)),
            },
            // They equal no value as it stands on the wire, so they say no more than that something is there.
            LiteralKind::TextBlock | LiteralKind::Duration => None,
        },
        _ => None,
    }
}

/// The operator with its operands the other way round.
const fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        other => other,
    }
}

/// The operator that is true where this one is false.
const fn opposite(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::GreaterEqual,
        BinaryOperator::LessEqual => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::LessEqual,
        BinaryOperator::GreaterEqual => BinaryOperator::Less,
        BinaryOperator::Equal => BinaryOperator::NotEqual,
        BinaryOperator::NotEqual => BinaryOperator::Equal,
        other => other,
    }
}

/// A type, with what is known of the value.
pub(crate) fn narrowed(model: &Model, ty: Type, facts: &[Fact]) -> Type {
    facts.iter().fold(ty, |ty, fact| {
        let less = match fact {
            Fact::Present => without_null(model, &ty),
            Fact::Is(value) => equal_to(model, &ty, value),
            Fact::IsNot(value) => other_than(model, &ty, value),
            Fact::Field { name, value, is } => with_field(model, &ty, name, value, *is),
            Fact::AtLeast(_) | Fact::There => return ty,
        };
        // A guard that cannot be true is reported where it stands; here nothing is made of it.
        if matches!(less, Type::Unknown) { ty } else { less }
    })
}

fn equal_to(model: &Model, ty: &Type, value: &Json) -> Type {
    if value.is_null() {
        return keep(model, ty, |member| matches!(member.shape, Shape::Null));
    }
    let kept = members(model, ty).into_iter().filter_map(|member| match (member.shape, value) {
        (Shape::Literal(literal), _) => same_value(literal, value).then(|| member.ty.clone()),
        (Shape::Enum(values), Json::String(text)) => {
            let known = values.values.iter().find(|known| *known.wire == **text)?;
            Some(Type::Literal(Literal::String(known.wire.clone())))
        }
        (shape, _) => may_equal(shape, value).then(|| member.ty.clone()),
    });
    join(kept)
}

/// Whether a type has so many alternatives that one more or less does not matter.
fn is_long(model: &Model, ty: &Type) -> bool {
    let of_how_many = |member: &Member<'_>| match member.shape {
        Shape::Enum(values) => values.values.len(),
        Shape::Tagged(union) => union.variants.len(),
        _ => 1,
    };
    match model.resolve(ty) {
        Type::Union(alternatives) if alternatives.len() > MOST_ALTERNATIVES => true,
        _ => members(model, ty).iter().map(of_how_many).sum::<usize>() > MOST_ALTERNATIVES,
    }
}

fn other_than(model: &Model, ty: &Type, value: &Json) -> Type {
    if is_long(model, ty) {
        return ty.clone();
    }
    let kept = members(model, ty).into_iter().flat_map(|member| match (member.shape, value) {
        (Shape::Null, Json::Null) => Vec::new(),
        (Shape::Literal(literal), _) if same_value(literal, value) => Vec::new(),
        (Shape::Enum(values), Json::String(text)) if values.values.iter().any(|known| *known.wire == **text) => {
            let others = values.values.iter().filter(|known| *known.wire != **text);
            others.map(|known| Type::Literal(Literal::String(known.wire.clone()))).collect()
        }
        _ => vec![member.ty.clone()],
    });
    join(kept)
}

fn with_field(model: &Model, ty: &Type, name: &str, value: &Json, is: bool) -> Type {
    // What has one form only has no form to be told apart by a field.
    if matches!(single(model, ty), Some(shape) if !matches!(shape, Shape::Tagged(_))) {
        return ty.clone();
    }
    if !is && is_long(model, ty) {
        return ty.clone();
    }
    let wanted = |ty: &Type, optional: bool| {
        members(model, ty).iter().any(|member| {
            let only = matches!((member.shape, value), (Shape::Literal(literal), _) if same_value(literal, value))
                || matches!((member.shape, value), (Shape::Null, Json::Null));
            if is { may_equal(member.shape, value) } else { !only }
        }) || (optional && is == value.is_null())
    };
    let kept = members(model, ty).into_iter().flat_map(|member: Member<'_>| match member.shape {
        Shape::Record(record) => match record.field(name).or_else(|| record.field_on_wire(name)) {
            Some(field) => {
                if wanted(&field.ty, field.optional) {
                    vec![member.ty.clone()]
                } else {
                    Vec::new()
                }
            }
            // It is never there, so it equals null and nothing else.
            None if !record.open && is != value.is_null() => Vec::new(),
            None => vec![member.ty.clone()],
        },
        Shape::Tagged(union) if *union.tag == *name => {
            let chosen = union.variants.iter().enumerate().filter(|(_, variant)| (value.as_str() == Some(&variant.name)) == is);
            chosen.map(|(index, _)| variant_record(model, union, index)).collect()
        }
        _ => vec![member.ty.clone()],
    });
    let kept = kept.collect::<Vec<_>>();
    // As long as nothing is excluded, the type keeps its name.
    if kept.len() == members(model, ty).len() && kept.iter().zip(members(model, ty)).all(|(kept, member)| kept == member.ty) {
        return ty.clone();
    }
    join(kept)
}

/// Whether a value of this shape can equal a constant, as far as its type tells.
pub(crate) fn may_equal(shape: Shape<'_>, value: &Json) -> bool {
    match (shape, value) {
        (Shape::Unknown | Shape::Json, _) => true,
        (Shape::Null, _) => value.is_null(),
        (Shape::Literal(literal), _) => same_value(literal, value),
        (Shape::Enum(values), Json::String(text)) => values.values.iter().any(|known| *known.wire == **text),
        (Shape::Scalar(Scalar::Bool, _), _) => value.is_boolean(),
        (Shape::Scalar(Scalar::Int | Scalar::Float, _), _) => value.is_number(),
        (Shape::Scalar(Scalar::Int64 | Scalar::Decimal, _), _) => value.is_number() || value.is_string(),
        (Shape::Scalar(..), _) => value.is_string(),
        _ => false,
    }
}
