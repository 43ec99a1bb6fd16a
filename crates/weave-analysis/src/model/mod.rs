//! The typed model: what the passes find out, as plain data.

mod addresses;
pub mod declarations;
pub(crate) mod display;
pub mod guard;
pub mod naming;
pub mod offered;
mod paths;
pub mod script;
pub mod types;
pub mod value;
pub(crate) mod watch;
pub mod workflow;

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use weave_diagnostics::{FileId, Place, Span};

pub use addresses::Addresses;
pub use declarations::{Declaration, DeclarationKind};
use types::{RecordType, Type};
pub use watch::Looks;

/// Names a declaration of a [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclarationId(pub u32);

/// One parsed file and what its imports lead to.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file in the source map; units are given in the order of their ids, the first one being the prelude.
    pub file: FileId,
    /// The parsed file.
    pub syntax: Arc<weave_syntax::File>,
    /// For each item of the file the file that its import names: `None` for an item that is no import and for one whose
    /// file could not be loaded, which has been reported.
    pub imports: Vec<Option<FileId>>,
    /// The addresses that the model's places count in; where there are none they count in the text.
    pub addresses: Option<Arc<Addresses>>,
}

impl Unit {
    /// A file whose places count in its text.
    #[must_use]
    pub const fn new(file: FileId, syntax: Arc<weave_syntax::File>, imports: Vec<Option<FileId>>) -> Self {
        Self { file, syntax, imports, addresses: None }
    }
}

/// What all files declare. A clone shares what is in it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All declarations, in the order of files and of their places.
    pub declarations: Vec<Arc<Declaration>>,
    /// What each file can name, by the index of its file.
    pub scopes: Vec<Arc<Scope>>,
    /// For each declaration the last alias on the way from it, itself if it leads to none: so a chain of aliases is followed in one step.
    /// Empty until all types are known.
    last_aliases: Arc<[DeclarationId]>,
}

impl Model {
    /// The declaration.
    #[must_use]
    pub fn get(&self, id: DeclarationId) -> Option<&Declaration> {
        watch::note(id);
        debug_assert!((id.0 as usize) < self.declarations.len(), "{id:?} is not in the model");
        self.declarations.get(id.0 as usize).map(|declaration| &**declaration)
    }

    /// The declaration, to be finished; nothing if it is shared with another model.
    pub(crate) fn get_mut(&mut self, id: DeclarationId) -> Option<&mut Declaration> {
        Arc::get_mut(self.declarations.get_mut(id.0 as usize)?)
    }

    /// What a file can name.
    #[must_use]
    pub fn scope(&self, file: FileId) -> Option<&Scope> {
        self.scopes.get(file.0 as usize).map(|scope| &**scope)
    }

    /// The declaration that an item of a file makes. One whose name is taken has a declaration too, which no scope names.
    #[must_use]
    pub fn declared_by(&self, file: FileId, item: u32) -> Option<DeclarationId> {
        let found = self.declarations.binary_search_by_key(&(file, item), |declaration| (declaration.file, declaration.item));
        found.ok().map(|index| DeclarationId(index as u32))
    }

    /// The record that a type is, aliases followed: a record that was written out, a declared one, or the data of an error.
    #[must_use]
    pub fn record<'a>(&'a self, ty: &'a Type) -> Option<&'a Arc<RecordType>> {
        match self.resolve(ty) {
            Type::Record(record) => Some(record),
            Type::Named(id) => match &self.get(*id)?.kind {
                DeclarationKind::Error(record) => Some(record),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type that an alias stands for in the end, itself if it is none. A declared record is its record; an enum, a tagged
    /// union and an error stay named. (Aliases never form a cycle: such ones are [`Type::Unknown`].)
    #[must_use]
    pub fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let mut ty = ty;
        while let Type::Named(id) = ty {
            watch::note(*id);
            let last = self.last_aliases.get(id.0 as usize).unwrap_or(id);
            match self.get(*last).map(|declaration| &declaration.kind) {
                Some(DeclarationKind::Type(target)) => ty = target,
                _ => return ty,
            }
        }
        ty
    }

    /// Remembers where chains of aliases end. No alias may form a cycle any more, and none may become another type afterwards.
    pub(crate) fn shorten_aliases(&mut self) {
        let mut last: Vec<Option<DeclarationId>> = vec![None; self.declarations.len()];
        let mut way = Vec::new();
        for index in 0..self.declarations.len() {
            let mut here = DeclarationId(index as u32);
            let end = loop {
                if let Some(known) = last.get(here.0 as usize).copied().flatten() {
                    break known;
                }
                way.push(here);
                match self.next_alias(here) {
                    Some(next) => here = next,
                    None => break here,
                }
            };
            for id in way.drain(..) {
                if let Some(slot) = last.get_mut(id.0 as usize) {
                    *slot = Some(end);
                }
            }
        }
        self.last_aliases = last.into_iter().flatten().collect();
    }

    /// The declarations that lead to another end than in an earlier model of as many declarations.
    pub(crate) fn other_ends<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = DeclarationId> + 'a {
        let ends = self.last_aliases.iter().zip(&*earlier.last_aliases).zip(0..);
        ends.filter(|((now, before), _)| now != before).map(|(_, id)| DeclarationId(id))
    }

    /// Whether a declaration leads to another one.
    pub(crate) fn is_alias(&self, id: DeclarationId) -> bool {
        self.next_alias(id).is_some()
    }

    /// The alias that an alias stands for.
    fn next_alias(&self, id: DeclarationId) -> Option<DeclarationId> {
        let DeclarationKind::Type(Type::Named(next)) = self.get(id)?.kind else { return None };
        matches!(self.get(next)?.kind, DeclarationKind::Type(_)).then_some(next)
    }
}

/// What a file can name: its own declarations, its imports, and the prelude.
#[derive(Debug, Default)]
pub struct Scope {
    /// By name: types, tools, agents, … share one space of names.
    pub names: FxHashMap<Arc<str>, DeclarationId>,
    /// By topic.
    pub topics: FxHashMap<Arc<str>, DeclarationId>,
    /// The names and topics that imports bring, in the order of the text.
    pub imported: Vec<Arc<str>>,
    /// Names and topics that would be here but for a mistake that has been reported, such as an import of a file that is not
    /// there. Whoever meets one of them stays silent.
    pub excused: FxHashSet<Arc<str>>,
    /// What was looked for in vain.
    pub missed: Missed,
}

/// Names that somebody has looked for in a scope and that are not there, excused or not. Of other names it does not matter whether they
/// are excused.
#[derive(Debug, Default)]
pub struct Missed(Mutex<FxHashSet<Arc<str>>>);

impl Missed {
    fn note(&self, name: &str) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !names.contains(name) {
            names.insert(Arc::from(name));
        }
    }

    /// Whether one of these was looked for.
    #[must_use]
    pub fn has_any(&self, wanted: &FxHashSet<Arc<str>>) -> bool {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.iter().any(|name| wanted.contains(name))
    }
}

impl Scope {
    /// What a name or a topic refers to.
    #[must_use]
    pub fn lookup(&self, name: &str, is_topic: bool) -> Lookup {
        let found = if is_topic { self.topics.get(name) } else { self.names.get(name) };
        if found.is_none() {
            self.missed.note(name);
        }
        match found {
            Some(id) => Lookup::Found(*id),
            None if name.is_empty() || self.excused.contains(name) => Lookup::Excused,
            None => Lookup::Unknown,
        }
    }
}

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// A declaration.
    Found(DeclarationId),
    /// Nothing, which has been reported.
    Excused,
    /// Nothing.
    Unknown,
}

/// An item in a file: what turns the spans of its tree into places.
#[derive(Clone, Copy, Debug)]
pub struct ItemContext<'a> {
    /// The file.
    pub file: FileId,
    /// Where the item starts in the file.
    pub start: u32,
    /// The text of the item.
    pub text: &'a str,
}

impl ItemContext<'_> {
    /// The place of a span of the item.
    #[must_use]
    pub const fn place(&self, span: Span) -> Place {
        Place { file: self.file, span: span.shifted(self.start) }
    }
}
