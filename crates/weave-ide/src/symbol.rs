//! What a word can mean.

use weave_analysis::model::DeclarationId;
use weave_diagnostics::{FileId, Place};

/// What a word of a program means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// Something that is declared at top level.
    Declaration(DeclarationId),
    /// A node of a workflow, by its index.
    Node(DeclarationId, u32),
    /// A field, a parameter, a value of an enum or a variant of a union, by the place of its name.
    Member(Place),
    /// The variable of `each`, `exists` or `all`, by the place where it is bound.
    Variable(Place),
    /// A value that is always there, such as `.input` or `.event`.
    BuiltIn(&'static str),
    /// A scalar type, `json` or `map`.
    Type(String),
    /// A rule of the linter, by its name.
    Rule(String),
    /// Another file.
    File(FileId),
}

impl Symbol {
    /// Whether it is something that the program itself names, and so may rename.
    #[must_use]
    pub const fn is_named(&self) -> bool {
        matches!(self, Self::Declaration(_) | Self::Node(..) | Self::Member(_) | Self::Variable(_))
    }
}
