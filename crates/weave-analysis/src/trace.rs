//! What the words of one item mean, for editors: the item is looked at once more, and each reading is written down.
//!
//! The words that name declarations and steps can be looked up by anybody; what this is for are the words whose meaning depends on types:
//! the parts of paths, and the keys of objects. They are written down by the very code that checks them, so an editor never sees another
//! meaning than the compiler does.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::{Item, ItemKind};

use crate::bodies;
use crate::declare::Context;
use crate::expression::guard::kind::{self, Kind};
use crate::expression::shape::{Shape, members};
use crate::expression::{Sink, Values};
use crate::model::declarations::{EnumType, UnionType};
use crate::model::types::{FieldType, Literal, RecordType, Scalar, Type};
use crate::model::value::PathRoot;
use crate::model::workflow::WorkflowBody;
use crate::model::{DeclarationId, DeclarationKind, ItemContext, Model, Unit};
use crate::scripts;
use crate::settings;
use crate::vocabulary::{self, Function};

/// What was read while an item was looked at. The lists stand in the order of the places, without duplicates.
#[derive(Debug, Default)]
pub struct Trace {
    /// The words of paths.
    pub readings: Vec<Reading>,
    /// The keys of objects whose record is known.
    pub keys: Vec<KeyReading>,
    /// The strings where a type is wanted, or that a value is compared with.
    pub literals: Vec<LiteralReading>,
    /// What can stand at the cursor, if one was given.
    pub at_cursor: AtCursor,
}

/// A word of a path, and what has been read with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Where the word stands; empty if it is being typed.
    pub place: Place,
    /// What it is read from.
    pub from: ReadFrom,
    /// What is read; unknown if something is wrong.
    pub ty: Type,
    /// Whether it may be absent.
    pub absent: bool,
}

/// What a word of a path is read from.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadFrom {
    /// It names a value itself.
    Root(PathRoot),
    /// It is a field or an entry of a value of this type.
    Value(Type),
}

/// A key of an object, and the field that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyReading {
    /// Where the key stands, its quotes included.
    pub place: Place,
    /// The field.
    pub field: FieldType,
}

/// A string where only some may be right.
#[derive(Clone, Debug, PartialEq)]
pub struct LiteralReading {
    /// Where it stands, with its quotes.
    pub place: Place,
    /// The type that is wanted there.
    pub wanted: Type,
    /// The path that it is compared with.
    pub beside: Option<Place>,
}

/// What can stand at the cursor.
#[derive(Debug, Default)]
pub struct AtCursor {
    /// The values that a leading dot names there, in the order in which the compiler would suggest them.
    pub values: Vec<NamedValue>,
    /// The type whose fields can be read there.
    pub fields_of: Option<Type>,
    /// The record of the innermost object around the cursor, and the keys that it has already.
    pub object: Option<CursorObject>,
    /// The type that is wanted there.
    pub wanted: Option<Type>,
}

/// A value that a leading dot names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub root: PathRoot,
    /// Its type.
    pub ty: Type,
}

/// An object around the cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct CursorObject {
    /// The object.
    pub place: Place,
    /// The fields that it may have.
    pub record: Arc<RecordType>,
    /// Which of them it has, by their positions.
    pub given: Vec<bool>,
}

/// Looks at an item of a file again. A cursor is an offset in the item.
#[must_use]
pub fn trace(model: &Model, unit: &Unit, item: u32, cursor: Option<u32>) -> Trace {
    let Some(slot) = unit.syntax.items.get(item as usize) else { return Trace::default() };
    look_at(model, unit.context(item as usize, slot), item, &slot.parsed.item.kind, cursor)
}

/// Looks at a test again, if the item is one. `body` gives the nodes of a workflow, wherever it is declared.
#[must_use]
pub fn trace_test<'b>(
    model: &Model,
    unit: &Unit,
    item: u32,
    cursor: Option<u32>,
    body: &dyn Fn(DeclarationId) -> Option<&'b WorkflowBody>,
) -> Trace {
    let Some(slot) = unit.syntax.items.get(item as usize) else { return Trace::default() };
    look_at_test(model, unit.context(item as usize, slot), item, &slot.parsed.item, cursor, body)
}

/// Looks at a test as if it had another text, to find out what could be typed in it. The cursor is an offset in that text.
#[must_use]
pub fn trace_test_as<'b>(
    model: &Model,
    (file, item): (FileId, u32),
    text: &str,
    cursor: u32,
    body: &dyn Fn(DeclarationId) -> Option<&'b WorkflowBody>,
) -> Trace {
    let syntax = weave_syntax::parse(Arc::from(text));
    let Some(slot) = syntax.items.iter().find(|slot| slot.start <= cursor && cursor <= slot.end) else { return Trace::default() };
    let context = ItemContext { file, start: slot.start, text: syntax.item_text(slot) };
    look_at_test(model, context, item, &slot.parsed.item, Some(cursor - slot.start), body)
}

fn look_at_test<'b>(
    model: &Model,
    context: ItemContext<'_>,
    index: u32,
    item: &Item,
    cursor: Option<u32>,
    body: &dyn Fn(DeclarationId) -> Option<&'b WorkflowBody>,
) -> Trace {
    let (ItemKind::Test(test), Some(scope)) = (&item.kind, model.scope(context.file)) else { return Trace::default() };
    let recorder = Recorder::new(cursor);
    let sink = Sink::recording(&recorder);
    scripts::look_at(model, scope, context, &sink, index, (item, test), body);
    drop(sink);
    recorder.into_trace()
}

/// Looks at an item of a file as if it had another text, to find out what could be typed in it. The cursor is an offset in that text.
#[must_use]
pub fn trace_as(model: &Model, file: FileId, item: u32, text: &str, cursor: u32) -> Trace {
    let syntax = weave_syntax::parse(Arc::from(text));
    let Some(slot) = syntax.items.iter().find(|slot| slot.start <= cursor && cursor <= slot.end) else { return Trace::default() };
    let context = ItemContext { file, start: slot.start, text: syntax.item_text(slot) };
    look_at(model, context, item, &slot.parsed.item.kind, Some(cursor - slot.start))
}

fn look_at(model: &Model, item: ItemContext<'_>, index: u32, kind: &ItemKind, cursor: Option<u32>) -> Trace {
    let Some(scope) = model.scope(item.file) else { return Trace::default() };
    let recorder = Recorder::new(cursor);
    if let Some(known) = model.declared_by(item.file, index).and_then(|id| model.get(id)) {
        let mut ignored = Vec::new();
        let mut context = Context { model, scope, item, diagnostics: &mut ignored, recorder: Some(&recorder) };
        crate::declare::trace_defaults(&mut context, kind);
        settings::read(&mut context, kind, &known.kind);
        if let (ItemKind::Workflow(written), DeclarationKind::Workflow(signature)) = (kind, &known.kind) {
            let sink = Sink::recording(&recorder);
            let owner = bodies::Owner { declaration: known, signature, written };
            bodies::look_at(model, scope, context.item, &sink, owner);
        }
    }
    recorder.into_trace()
}

/// Writes down what is read. It is shared by everything that looks at one item.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    cursor: Option<u32>,
    trace: Rc<RefCell<Trace>>,
}

impl Recorder {
    fn new(cursor: Option<u32>) -> Self {
        Self { cursor, trace: Rc::default() }
    }

    fn into_trace(self) -> Trace {
        let mut trace = std::mem::take(&mut *self.trace.borrow_mut());
        // Some values are looked at twice: alike, or the second time with more knowledge.
        trace.readings.reverse();
        trace.readings.sort_by_key(|reading| reading.place);
        trace.readings.dedup_by_key(|reading| reading.place);
        trace.keys.sort_by_key(|key| key.place);
        trace.keys.dedup_by_key(|key| key.place);
        trace.literals.reverse();
        trace.literals.sort_by_key(|literal| literal.place);
        trace.literals.dedup_by_key(|literal| literal.place);
        trace
    }

    fn is_at(&self, span: Span) -> bool {
        self.cursor.is_some_and(|cursor| span.touches(cursor))
    }

    /// A name behind a leading dot, which may be missing yet.
    pub(crate) fn root(&self, span: Span, values: &dyn Values) {
        if !self.is_at(span) {
            return;
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let names = values.names().into_iter().filter(|name| seen.insert(Arc::clone(name)));
        let named = names.filter_map(|name| match values.lookup(&name) {
            crate::expression::Lookup::Found(variable) => Some(NamedValue { name, root: variable.root, ty: variable.ty }),
            _ => None,
        });
        let named = named.collect();
        self.trace.borrow_mut().at_cursor.values = named;
    }

    /// A word of a path.
    pub(crate) fn reading(&self, reading: Reading, span: Span) {
        let mut trace = self.trace.borrow_mut();
        if let (true, ReadFrom::Value(owner)) = (self.is_at(span), &reading.from) {
            trace.at_cursor.fields_of = Some(owner.clone());
        }
        trace.readings.push(reading);
    }

    /// A key of an object.
    pub(crate) fn key(&self, place: Place, field: &FieldType) {
        self.trace.borrow_mut().keys.push(KeyReading { place, field: field.clone() });
    }

    /// An object of a record; objects within it come later.
    pub(crate) fn object(&self, place: Place, span: Span, record: &RecordType, given: &[bool]) {
        // The braces themselves are not inside.
        if self.cursor.is_some_and(|cursor| span.start < cursor && cursor < span.end) {
            let found = CursorObject { place, record: Arc::new(record.clone()), given: given.to_vec() };
            let mut trace = self.trace.borrow_mut();
            let known = &mut trace.at_cursor.object;
            if known.as_ref().is_none_or(|known| known.place.span.contains(place.span)) {
                *known = Some(found);
            }
        }
    }

    /// A string where a type is wanted, beside a path if it is compared with one.
    pub(crate) fn literal(&self, place: Place, wanted: &Type, beside: Option<Place>) {
        self.trace.borrow_mut().literals.push(LiteralReading { place, wanted: wanted.clone(), beside });
    }

    /// A value where a type is wanted.
    pub(crate) fn wanted(&self, span: Span, ty: &Type) {
        if self.is_at(span) {
            self.trace.borrow_mut().at_cursor.wanted = Some(ty.clone());
        }
    }
}

/// The fields that can be read from a value of a type. A union has those of all its alternatives, so a name may come several times.
#[must_use]
pub fn fields_of<'a>(model: &'a Model, ty: &'a Type) -> Vec<&'a FieldType> {
    let mut found = Vec::new();
    for member in members(model, ty) {
        match member.shape {
            Shape::Record(record) => found.extend(&record.fields),
            Shape::Tagged(union) => {
                let records = union.variants.iter().filter_map(|variant| model.record(&variant.ty));
                found.extend(records.flat_map(|record| &record.fields));
            }
            _ => {}
        }
    }
    found
}

/// The tags of the unions among the alternatives of a type, which can be read like fields.
#[must_use]
pub fn tags_of(model: &Model, ty: &Type) -> Vec<Arc<str>> {
    unions_of(model, ty).into_iter().map(|union| Arc::clone(&union.tag)).collect()
}

/// What can be called in a guard on a value of a type, whether it may be absent or not.
#[must_use]
pub fn methods_of(model: &Model, ty: &Type) -> &'static [Function] {
    match kind::of(model, ty).kind {
        Kind::String => vocabulary::TEXT_METHODS,
        Kind::List => vocabulary::LIST_METHODS,
        Kind::Map | Kind::Bytes => vocabulary::SIZED_METHODS,
        _ => &[],
    }
}

/// The enums among the alternatives of a type.
#[must_use]
pub fn enums_of<'a>(model: &'a Model, ty: &'a Type) -> Vec<&'a EnumType> {
    let of = |shape| if let Shape::Enum(values) = shape { Some(values) } else { None };
    members(model, ty).into_iter().filter_map(|member| of(member.shape)).collect()
}

/// The tagged unions among the alternatives of a type.
#[must_use]
pub fn unions_of<'a>(model: &'a Model, ty: &'a Type) -> Vec<&'a UnionType> {
    let of = |shape| if let Shape::Tagged(union) = shape { Some(union) } else { None };
    members(model, ty).into_iter().filter_map(|member| of(member.shape)).collect()
}

/// The strings that a value of a type can be, if only some can: the values of enums, and literals.
#[must_use]
pub fn strings_of(model: &Model, ty: &Type) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    for member in members(model, ty) {
        match member.shape {
            Shape::Literal(Literal::String(text)) => found.push(Arc::clone(text)),
            Shape::Enum(values) => found.extend(values.values.iter().map(|value| Arc::clone(&value.wire))),
            _ => {}
        }
    }
    found
}

/// The words `true`, `false` and `null`, as far as a value of a type can be one of them.
#[must_use]
pub fn words_of(model: &Model, ty: &Type) -> Vec<&'static str> {
    let members = members(model, ty);
    let can = |word: &str| {
        members.iter().any(|member| match member.shape {
            Shape::Unknown | Shape::Json => true,
            Shape::Null => word == "null",
            Shape::Scalar(scalar, _) => scalar == Scalar::Bool && word != "null",
            Shape::Literal(Literal::Bool(value)) => word == if *value { "true" } else { "false" },
            _ => false,
        })
    };
    ["true", "false", "null"].into_iter().filter(|word| can(word)).collect()
}
