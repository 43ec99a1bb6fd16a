//! Expressions: what a value, a constant, a string with placeholders or a guard means where it stands.
//!
//! A place says what a leading dot can name there ([`Values`]), and what type it wants. Everything that is wrong is put into
//! a [`Sink`]; what is left of it in the model is unknown, so that nothing follows from it.

mod doubt;
mod fits;
pub(crate) mod formats;
pub(crate) mod guard;
mod limits;
mod literal;
mod narrow;
mod path;
mod read;
pub(crate) mod shape;
mod template;
mod value;

use std::cell::RefCell;
use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use weave_diagnostics::{Diagnostic, FileId, Place, Span};

use crate::model::types::{FieldType, RecordType, Type};
use crate::model::value::PathRoot;
use crate::model::{ItemContext, Model};
use crate::trace::Recorder;

pub(crate) use doubt::Doubts;
pub(crate) use fits::{Mismatch, MismatchKind, fits};
pub(crate) use guard::check_guard;
pub(crate) use narrow::Facts;
pub(crate) use path::{Reading, only_path, resolve_path};
pub(crate) use read::Absence;
pub(crate) use template::check_template;
pub(crate) use value::{
    check_arguments, check_constant, check_expected, check_script_arguments, check_script_value, check_value, infer_value,
};

/// How many diagnostics get suggestions.
pub(crate) const MANY: usize = 100;

/// Where diagnostics go.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// Who writes down what is read, if somebody does.
    recorder: Option<Recorder>,
}

impl Sink {
    /// A sink that has what is read written down.
    pub(crate) fn recording(recorder: &Recorder) -> Self {
        Self { diagnostics: RefCell::default(), recorder: Some(recorder.clone()) }
    }

    /// Who writes down what is read.
    pub(crate) const fn recorder(&self) -> Option<&Recorder> {
        self.recorder.as_ref()
    }

    /// Takes a diagnostic.
    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// All that have been reported.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    /// Those that have been reported after so many others.
    pub(crate) fn since(&self, count: usize) -> Vec<Diagnostic> {
        self.diagnostics.borrow().get(count..).map(<[Diagnostic]>::to_vec).unwrap_or_default()
    }

    /// Where those stand in a file that have been reported after so many others.
    pub(crate) fn spans_since(&self, count: usize, file: FileId) -> Vec<Span> {
        let diagnostics = self.diagnostics.borrow();
        let places = diagnostics.get(count..).unwrap_or_default().iter().map(|diagnostic| diagnostic.primary.place);
        places.filter(|place| place.file == file).map(|place| place.span).collect()
    }

    /// Keeps, of those that have been reported after so many others and have the same key, only the first.
    pub(crate) fn keep_first_since<K: Eq + Hash>(&self, count: usize, key: impl Fn(&Diagnostic) -> Option<K>) {
        let mut seen = FxHashSet::default();
        let mut index = 0;
        self.diagnostics.borrow_mut().retain(|diagnostic| {
            index += 1;
            index <= count || key(diagnostic).is_none_or(|key| seen.insert(key))
        });
    }

    /// How many have been reported.
    pub(crate) fn len(&self) -> usize {
        self.diagnostics.borrow().len()
    }

    /// Whether a suggestion is still worth the search: after so many diagnostics nobody reads them any more, and looking for one takes time
    /// that grows with the file.
    pub(crate) fn worth_a_suggestion(&self) -> bool {
        self.len() < MANY
    }
}

/// What a leading dot can name at a place.
pub(crate) trait Values {
    /// What a name stands for.
    fn lookup(&self, name: &str) -> Lookup;

    /// All names that stand for something, for suggestions.
    fn names(&self) -> Vec<Arc<str>>;
}

/// What a name stands for.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// A value.
    Found(Variable),
    /// A value that cannot be read at this place, and why.
    Unreadable(Unreadable),
    /// Nothing.
    Unknown,
}

/// Why a value cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// What is wrong, in one line.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: String,
}

/// A value that a leading dot names.
#[derive(Debug)]
pub(crate) struct Variable {
    /// What it is on the scroll.
    pub(crate) root: PathRoot,
    /// Its type.
    pub(crate) ty: Type,
    /// Whether it may be absent, and where that is said.
    pub(crate) absent: Option<Place>,
}

/// Nothing can be named: only constants have a meaning.
impl Values for () {
    fn lookup(&self, _: &str) -> Lookup {
        Lookup::Unknown
    }

    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}

/// Parameters can be named; of a prompt also what it hydrates.
pub(crate) struct Parameters<'a>(pub(crate) &'a [&'a RecordType]);

impl Values for Parameters<'_> {
    fn lookup(&self, name: &str) -> Lookup {
        let Some(field) = self.0.iter().find_map(|record| record.field(name)) else { return Lookup::Unknown };
        Lookup::Found(Variable {
            root: PathRoot::Parameter(field.wire.as_ref().unwrap_or(&field.name).clone()),
            ty: field.ty.clone(),
            absent: field.optional.then_some(field.place),
        })
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.0.iter().flat_map(|record| record.fields.iter().map(|field| Arc::clone(&field.name))).collect()
    }
}

/// The place of an expression.
pub(crate) struct Environment<'a> {
    /// All declarations.
    pub(crate) model: &'a Model,
    /// The item in which the expression stands.
    pub(crate) item: ItemContext<'a>,
    /// What a leading dot can name.
    pub(crate) values: &'a dyn Values,
    /// Where diagnostics go.
    pub(crate) sink: &'a Sink,
    /// What is known of values, because a guard has said so.
    pub(crate) facts: RefCell<Facts>,
    /// The variables of the quantifiers around the expression, innermost last.
    variables: RefCell<Vec<Variable>>,
}

impl<'a> Environment<'a> {
    /// A place where nothing is known of the values but their types.
    pub(crate) fn new(model: &'a Model, item: ItemContext<'a>, values: &'a dyn Values, sink: &'a Sink) -> Self {
        Self::with_facts(model, item, values, sink, Facts::default())
    }

    /// A place behind a guard.
    pub(crate) fn with_facts(model: &'a Model, item: ItemContext<'a>, values: &'a dyn Values, sink: &'a Sink, facts: Facts) -> Self {
        Self { model, item, values, sink, facts: RefCell::new(facts), variables: RefCell::default() }
    }

    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        self.sink.report(diagnostic);
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        span.text(self.item.text)
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        self.item.place(span)
    }

    pub(crate) fn display(&self, ty: &Type) -> String {
        self.model.display(ty)
    }
}

/// What a place wants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'a> {
    /// The type.
    pub(crate) ty: &'a Type,
    /// Whether what is written there may yield nothing.
    pub(crate) may_be_absent: bool,
    /// Who wants it.
    pub(crate) by: WantedBy<'a>,
}

/// Who wants a type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WantedBy<'a> {
    /// The place itself.
    Place,
    /// A field or a parameter.
    Field(&'a FieldType),
    /// Something that is declared elsewhere: where, what it is, such as "the output of `support`", and its type.
    Declaration(Place, &'a str, &'a Type),
}

impl<'a> Expected<'a> {
    /// A type that the place itself wants.
    pub(crate) const fn of(ty: &'a Type) -> Self {
        Self { ty, may_be_absent: false, by: WantedBy::Place }
    }

    /// What a field wants.
    pub(crate) const fn field(field: &'a FieldType) -> Self {
        Self { ty: &field.ty, may_be_absent: field.may_be_left_out(), by: WantedBy::Field(field) }
    }

    /// Another type, for the same reason.
    pub(crate) const fn part(self, ty: &'a Type) -> Self {
        Self { ty, may_be_absent: false, by: self.by }
    }
}
