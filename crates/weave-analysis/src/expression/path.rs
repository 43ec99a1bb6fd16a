//! Paths: from a root that a leading dot names, segment by segment, to a type.

use std::sync::Arc;

use weave_diagnostics::Span;
use weave_syntax::ast::{Expr, Name, Path, Root, Segment};
use weave_syntax::text;

use super::doubt::Doubtful;
use super::narrow::{Fact, narrowed, push_segment};
use super::read::{Absence, FieldRead, ItemRead, read_field, read_item};
use super::shape::{Shape, is_nullable, single, without_null};
use super::{Environment, Lookup, Variable};
use crate::messages::bodies as message;
use crate::model::DeclarationKind;
use crate::model::types::{ListType, Type};
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};
use crate::trace::{self, ReadFrom};

/// A path that means something.
#[derive(Debug)]
pub(crate) struct Reading {
    /// What it means.
    pub(crate) path: ResolvedPath,
    /// Why what it yields may be absent, if it may and no `?` has said so.
    pub(crate) absence: Option<Absence>,
}

/// What a path means; `None` if something is wrong with it, which has been reported.
///
/// Whether what it yields may be absent or null is for the place to judge; what it reads *through* is judged here.
pub(crate) fn resolve_path(env: &Environment<'_>, path: &Path) -> Option<Reading> {
    let mut segments = &*path.segments;
    // A call of a name that is no value is not a path at all; the second pass over the syntax has said so.
    if segments.iter().any(|segment| matches!(segment, Segment::Call { .. })) {
        return None;
    }
    let (variable, root) = match &path.root {
        Root::Dot(_) => {
            let (Segment::Field(name), behind) = segments.split_first()? else { return None };
            segments = behind;
            if let Some(recorder) = env.sink.recorder() {
                recorder.root(name.span, env.values);
            }
            (named(env, *name, path)?, *name)
        }
        Root::Name(name) => (bound(env, *name, path)?, *name),
        Root::Expr(_) => return None,
    };
    let dotted = matches!(path.root, Root::Dot(_));
    Reader::start(env, path, root, variable, dotted).read(segments)
}

/// The path that an expression is, where nothing else may stand.
pub(crate) fn only_path(env: &Environment<'_>, expression: &Expr) -> Option<Reading> {
    match expression {
        Expr::Path(path) => resolve_path(env, path),
        Expr::Parenthesized(inner) => only_path(env, &inner.1),
        _ => None,
    }
}

/// What a name behind a leading dot stands for.
fn named(env: &Environment<'_>, name: Name, path: &Path) -> Option<Variable> {
    if name.is_missing() {
        return None;
    }
    let word = env.text(name.span);
    match env.values.lookup(word) {
        Lookup::Found(variable) => Some(variable),
        Lookup::Unreadable(why) => {
            env.report(message::unreadable(why, word, env.place(Span::new(path.span.start, name.span.end))));
            None
        }
        Lookup::Unknown => {
            let place = env.place(Span::new(path.span.start, name.span.end));
            if let Some(error) = foreign_root(env, word, path) {
                env.report(error);
                return None;
            }
            env.report(if is_bound(env, word) {
                message::superfluous_dot(word, place)
            } else if is_input(env, word) {
                message::forgotten_input(word, place)
            } else {
                message::unknown_value(word, names(env).as_deref(), place)
            });
            None
        }
    }
}

/// All names that stand for something, as long as somebody reads suggestions.
fn names(env: &Environment<'_>) -> Option<Vec<Arc<str>>> {
    env.sink.worth_a_suggestion().then(|| env.values.names())
}

/// What a bare name stands for: the variable of a quantifier, or nothing.
fn bound(env: &Environment<'_>, name: Name, path: &Path) -> Option<Variable> {
    let word = env.text(name.span);
    let variables = env.variables.borrow();
    let variable = variables.iter().rev().find(|it| matches!(&it.root, PathRoot::Variable(known) if **known == *word));
    if let Some(variable) = variable {
        return Some(Variable { root: variable.root.clone(), ty: variable.ty.clone(), absent: None });
    }
    drop(variables);
    if name.is_missing() {
        return None;
    }
    let stands = !matches!(env.values.lookup(word), Lookup::Unknown);
    if !stands && let Some(error) = enum_member(env, word, path).or_else(|| foreign_root(env, word, path)) {
        env.report(error);
    } else if stands || path.segments.iter().any(|segment| !matches!(segment, Segment::Optional(_))) {
        let names = names(env);
        env.report(message::missing_dot(word, stands, names.as_deref(), env.place(path.span)));
    } else {
        env.report(message::bare_word(word, &[], is_input(env, word), env.place(path.span)));
    }
    None
}

/// What other languages write between the name of a step and what is read from its answer.
const PARTS: [&str; 12] =
    ["output", "outputs", "result", "results", "value", "data", "response", "answer", "body", "json", "payload", "content"];

/// Words that other languages have before all paths.
const ROOTS: [&str; 23] = [
    "input",
    "steps",
    "step",
    "nodes",
    "node",
    "state",
    "states",
    "ctx",
    "context",
    "self",
    "this",
    "vars",
    "variables",
    "outputs",
    "results",
    "jobs",
    "needs",
    "tasks",
    "workflow",
    "run",
    "data",
    "inputs",
    "args",
];

/// `state.triage.intent`, `.steps.triage.intent`, where what follows can be read.
fn foreign_root(env: &Environment<'_>, word: &str, path: &Path) -> Option<weave_diagnostics::Diagnostic> {
    let next = if matches!(path.root, Root::Dot(_)) { path.segments.get(1) } else { path.segments.first() };
    let Some(Segment::Field(next)) = next else { return None };
    let name = env.text(next.span);
    let rest = env.text(Span::new(next.span.start, path.span.end));
    if !ROOTS.contains(&word) {
        return None;
    }
    let readable = matches!(env.values.lookup(name), Lookup::Found(_));
    let input = matches!(word, "inputs" | "args" | "ctx" | "context" | "state" | "data") && is_input(env, name);
    let written = if readable { rest.to_owned() } else { format!("input.{rest}") };
    (readable || input).then(|| message::foreign_root(word, &written, env.place(path.span)))
}

/// `Intent.question`, where `Intent` is a type, which has no value.
fn enum_member(env: &Environment<'_>, word: &str, path: &Path) -> Option<weave_diagnostics::Diagnostic> {
    let [Segment::Field(value)] = &*path.segments else { return None };
    let declared = env.model.scope(env.item.file)?.names.get(word)?;
    let kind = &env.model.get(*declared)?.kind;
    matches!(kind, DeclarationKind::Enum(_) | DeclarationKind::Type(_))
        .then(|| message::enum_member(env.text(value.span), env.place(path.span)))
}

/// Whether the input has a field of this name.
pub(crate) fn is_input(env: &Environment<'_>, word: &str) -> bool {
    match env.values.lookup("input") {
        Lookup::Found(Variable { root: PathRoot::Input, ty, .. }) => env.model.record(&ty).is_some_and(|input| input.field(word).is_some()),
        _ => false,
    }
}

fn is_bound(env: &Environment<'_>, word: &str) -> bool {
    env.variables.borrow().iter().any(|it| matches!(&it.root, PathRoot::Variable(known) if **known == *word))
}

/// A path that is being read, up to some segment.
struct Reader<'e, 'a> {
    env: &'e Environment<'a>,
    path: &'e Path,
    root: PathRoot,
    segments: Vec<PathSegment>,
    /// The type of what has been read.
    ty: Type,
    /// Why it may be absent, if nothing was said about that.
    absence: Option<Absence>,
    /// Whether something before it may be absent, which a `?` says.
    excused: bool,
    /// Whether a `?` stands directly before.
    marked: bool,
    /// Whether it stands for each answer of a step.
    mapped: bool,
    /// Whether a guard that is wrong may have said which of several things it is that this is read from.
    is_unsure: bool,
    /// Whether such a guard may have said that what this is read from is there.
    doubtful: bool,
    /// The name of what has been read, for the facts; kept only if there are some.
    key: Option<String>,
    /// The name of what has been read ends here.
    end: u32,
}

impl<'e, 'a> Reader<'e, 'a> {
    fn start(env: &'e Environment<'a>, path: &'e Path, name: Name, variable: Variable, dotted: bool) -> Self {
        let word = env.text(name.span);
        let key = (!env.facts.borrow().is_empty()).then(|| if dotted { format!(".{word}") } else { word.to_owned() });
        let mut reader = Self {
            env,
            path,
            root: variable.root,
            segments: Vec::new(),
            ty: variable.ty,
            absence: variable.absent.map(Absence::Optional),
            excused: false,
            marked: false,
            mapped: false,
            is_unsure: false,
            doubtful: false,
            key,
            end: name.span.end,
        };
        reader.apply_facts();
        if env.sink.recorder().is_some() {
            let from = ReadFrom::Root(reader.root.clone());
            reader.record(from, name.span);
        }
        reader
    }

    /// Has what has been read written down.
    fn record(&self, from: ReadFrom, span: Span) {
        if let Some(recorder) = self.env.sink.recorder() {
            let place = self.env.place(span);
            let absent = self.excused || self.absence.is_some();
            recorder.reading(trace::Reading { place, from, ty: self.ty.clone(), absent }, span);
        }
    }

    /// Has a word written down that names nothing, or is being typed.
    fn record_unknown(&self, span: Span) {
        if let Some(recorder) = self.env.sink.recorder() {
            let from = ReadFrom::Value(self.ty.clone());
            recorder.reading(trace::Reading { place: self.env.place(span), from, ty: Type::Unknown, absent: false }, span);
        }
    }

    fn read(mut self, segments: &[Segment]) -> Option<Reading> {
        for segment in segments {
            let before = self.env.sink.recorder().map(|_| self.ty.clone());
            match segment {
                Segment::Optional(span) => self.mark(*span),
                Segment::Field(name) if name.is_missing() => {
                    self.record_unknown(name.span);
                    return None;
                }
                Segment::Field(name) => {
                    let read = self.field(self.env.text(name.span), name.span, name.span.end);
                    if read.is_none() {
                        self.record_unknown(name.span);
                    }
                    read?;
                }
                Segment::Key(span) if span.is_empty() => return None,
                Segment::Key(span) => {
                    let read = self.field(&text::string_value(self.env.text(*span)), *span, span.end + 1);
                    if read.is_none() {
                        self.record_unknown(*span);
                    }
                    read?;
                }
                Segment::Index(span) => self.index(*span)?,
                Segment::All(span) => self.all(*span)?,
                Segment::Call { .. } => return None,
            }
            if let Some(key) = &mut self.key
                && push_segment(key, self.env.item.text, segment).is_none()
            {
                self.key = None;
            }
            self.apply_facts();
            if let (Some(before), Segment::Field(Name { span }) | Segment::Key(span)) = (before, segment) {
                self.record(ReadFrom::Value(before), *span);
            }
        }
        if self.in_doubt() && (self.doubtful || self.absence.is_some() || self.excused || self.marked || self.is_choice()) {
            (self.ty, self.absence, self.excused, self.marked) = (Type::Unknown, None, false, false);
        }
        let ty = if self.mapped { Type::List(Arc::new(ListType::of(self.ty))) } else { self.ty };
        let path = ResolvedPath {
            root: self.root,
            segments: self.segments.into(),
            ty,
            absent: self.excused || self.marked || self.absence.is_some(),
            place: self.env.place(self.path.span),
        };
        Some(Reading { path, absence: self.absence })
    }

    fn mark(&mut self, span: Span) {
        self.marked = true;
        self.end = span.end;
        self.segments.push(PathSegment::Optional);
    }

    /// The name of the segment after the one that is written at a span.
    fn following(&self, span: Span) -> Option<&str> {
        self.path.segments.iter().find_map(|segment| match segment {
            Segment::Field(name) if name.span.start > span.end && name.span.start <= span.end + 2 => Some(self.env.text(name.span)),
            _ => None,
        })
    }

    /// Reads the field or entry of this name, which is written at `span`; its segment ends at `end`.
    fn field(&mut self, word: &str, span: Span, end: u32) -> Option<()> {
        let quotes = u32::from(self.env.text(span).starts_with('"'));
        let inside = Span::new(span.start + quotes, span.end - quotes);
        match read_field(self.env.model, &self.ty, word) {
            FieldRead::Found { wire, ty, absence } => {
                let segment = match (&absence, single(self.env.model, &without_null(self.env.model, &self.ty))) {
                    (Some(Absence::Undeclared), _) | (Some(Absence::Key), Some(Shape::Map(_))) => PathSegment::Entry(wire),
                    (Some(Absence::Key), _) => PathSegment::Loose(wire),
                    _ => PathSegment::Field(wire),
                };
                // What a failure brings with it has no tag of its own: a built-in one brings nothing, whatever its code is not.
                let is_tagged = self.root != PathRoot::Failure;
                let is_unsure = self.is_choice()
                    && match self.doubtful_as() {
                        Doubtful::No => false,
                        Doubtful::Tag => is_tagged && matches!(absence, Some(Absence::Alternatives)),
                        Doubtful::Within | Doubtful::Whole => true,
                    };
                self.pass(span)?;
                self.is_unsure |= is_unsure;
                let is_failure = self.root == PathRoot::Failure && self.segments.is_empty();
                self.segments.push(segment);
                self.ty = ty;
                self.absence = match absence {
                    // The record is built in: its optional field is declared nowhere.
                    Some(Absence::Alternatives | Absence::Optional(_)) if is_failure => Some(Absence::Failure),
                    absence => absence,
                };
                self.end = end;
                Some(())
            }
            FieldRead::Unknown(_) | FieldRead::NoFields if self.in_doubt() && self.is_choice() => None,
            FieldRead::Unknown(names) => {
                let owner = self.env.display(&without_null(self.env.model, &self.ty));
                // A record without a name is called by where it lies.
                let owner = if owner.starts_with('{') { self.so_far() } else { &owner };
                if let Some(next) = self.following(span).filter(|next| PARTS.contains(&word) && names.iter().any(|name| **name == **next)) {
                    self.env.report(message::foreign_part(word, self.so_far(), next, self.env.place(inside)));
                    return None;
                }
                let names = self.env.sink.worth_a_suggestion().then_some(&*names);
                self.env.report(message::unknown_field(word, owner, names, self.env.place(inside)));
                None
            }
            FieldRead::NoFields => {
                self.env.report(message::no_fields(self.so_far(), &self.env.display(&self.ty), word, self.env.place(inside)));
                None
            }
            FieldRead::Silent => None,
        }
    }

    fn index(&mut self, span: Span) -> Option<()> {
        let index: u64 = self.env.text(span).parse().ok()?;
        match read_item(self.env.model, &self.ty, index) {
            ItemRead::Found(ty, sure) => {
                self.pass(span)?;
                let known = sure || self.length() > index;
                self.segments.push(PathSegment::Index(index));
                self.ty = ty;
                self.absence = (!known).then_some(Absence::Index);
                self.end = span.end + 1;
                Some(())
            }
            ItemRead::NoItems => {
                let brackets = Span::new(span.start.saturating_sub(1), span.end + 1);
                self.env.report(message::no_items(self.so_far(), &self.env.display(&self.ty), self.env.place(brackets)));
                None
            }
            ItemRead::Silent => None,
        }
    }

    /// `[]`: all answers of a step.
    fn all(&mut self, span: Span) -> Option<()> {
        if matches!(self.ty, Type::Unknown) {
            return None;
        }
        if !matches!(self.root, PathRoot::Step { .. }) || !self.segments.is_empty() {
            self.env.report(message::all_of_no_step(self.so_far(), self.env.place(span)));
            return None;
        }
        self.segments.push(PathSegment::All);
        // None at all is an empty list, which is there.
        (self.mapped, self.absence, self.key, self.end) = (true, None, None, span.end);
        Some(())
    }

    /// Goes on behind what has been read: it must be there, or a `?` must say that it may not.
    fn pass(&mut self, next: Span) -> Option<()> {
        let nullable = is_nullable(self.env.model, &self.ty);
        if self.marked {
            self.marked = false;
            self.excused = true;
        } else if self.in_doubt() && (self.absence.is_some() || nullable) {
            self.doubtful = true;
        } else if self.absence.is_some() || nullable {
            let place = self.env.place(Span::new(self.path.span.start, self.end));
            self.env.report(message::read_through(
                self.so_far(),
                self.absence.as_ref(),
                place,
                self.env.place(Span::at(self.end)),
                self.env.text(next),
            ));
            return None;
        }
        if nullable {
            self.ty = without_null(self.env.model, &self.ty);
        }
        Some(())
    }

    /// Whether nobody knows what a guard would have said about what has been read.
    fn in_doubt(&self) -> bool {
        self.is_unsure || matches!(self.doubtful_as(), Doubtful::Within | Doubtful::Whole)
    }

    fn doubtful_as(&self) -> Doubtful {
        self.env.facts.borrow().doubts().about(self.key.as_deref())
    }

    /// Whether a guard could say which of several things it is that has been read.
    fn is_choice(&self) -> bool {
        matches!(single(self.env.model, &self.ty), None | Some(Shape::Enum(_) | Shape::Tagged(_)))
    }

    /// The path up to here, as it was written.
    fn so_far(&self) -> &'a str {
        self.env.text(Span::new(self.path.span.start, self.end))
    }

    /// How many elements are there for sure, as guards say.
    fn length(&self) -> u64 {
        let Some(key) = &self.key else { return 0 };
        let facts = self.env.facts.borrow();
        facts.of(key).iter().filter_map(|fact| if let Fact::AtLeast(least) = fact { Some(*least) } else { None }).max().unwrap_or(0)
    }

    fn apply_facts(&mut self) {
        let Some(key) = &self.key else { return };
        let facts = self.env.facts.borrow();
        let facts = facts.of(key);
        if facts.is_empty() {
            return;
        }
        if facts.contains(&Fact::Present) || facts.contains(&Fact::There) {
            (self.absence, self.excused, self.marked) = (None, false, false);
        }
        self.ty = narrowed(self.env.model, std::mem::replace(&mut self.ty, Type::Unknown), facts);
    }
}
