//! The typed model: what the passes find out, as plain data.

pub mod declarations;
pub mod guard;
pub mod types;
pub mod value;
pub mod workflow;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use weave_diagnostics::{FileId, Place, Span};

pub use declarations::{Declaration, DeclarationKind};

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
}

/// What all files declare.
#[derive(Debug, Default)]
pub struct Model {
    /// All declarations, in the order of files and of their places.
    pub declarations: Vec<Declaration>,
    /// What each file can name, by the index of its file.
    pub scopes: Vec<Scope>,
}

impl Model {
    /// The declaration.
    #[must_use]
    pub fn get(&self, id: DeclarationId) -> Option<&Declaration> {
        self.declarations.get(id.0 as usize)
    }

    /// What a file can name.
    #[must_use]
    pub fn scope(&self, file: FileId) -> Option<&Scope> {
        self.scopes.get(file.0 as usize)
    }
}

/// What a file can name: its own declarations, its imports, and the prelude.
#[derive(Debug, Default)]
pub struct Scope {
    /// By name: types, tools, agents, … share one space of names.
    pub names: FxHashMap<Arc<str>, DeclarationId>,
    /// By topic.
    pub topics: FxHashMap<Arc<str>, DeclarationId>,
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
