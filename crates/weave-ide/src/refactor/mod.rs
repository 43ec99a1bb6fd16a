//! Changes of a program that somebody asks for: they tidy it, give a part of it a name, or write what is missing.
//!
//! Each is a file. What it answers is found out at once; how the changed declarations are laid out only when the edits are wanted.

mod create;
mod extract_prompt;
mod extract_type;
mod fresh;
mod handle;
mod imports;
mod infer;
mod invoke;
mod layout;
mod types;

use weave_diagnostics::{Diagnostic, Edit, FileId, Span};

use crate::Analysis;

/// What a change is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefactoringKind {
    /// It tidies the imports of a file.
    OrganizeImports,
    /// It gives a part of a declaration a name of its own.
    Extract,
    /// It says the same in another way, or says more.
    Rewrite,
    /// It mends a mistake.
    Create,
}

/// A change that is offered.
#[derive(Clone, Debug)]
pub struct Refactoring<'a> {
    /// What it does, as an order.
    pub title: String,
    /// What it is for.
    pub kind: RefactoringKind,
    /// The mistake that it mends.
    pub mends: Option<&'a Diagnostic>,
    /// The changes of the text, before the declarations that they are in are laid out.
    changes: Vec<Edit>,
}

impl<'a> Refactoring<'a> {
    fn new(kind: RefactoringKind, title: impl Into<String>, changes: Vec<Edit>) -> Self {
        Self { title: title.into(), kind, mends: None, changes }
    }

    fn mending(diagnostic: &'a Diagnostic, title: impl Into<String>, changes: Vec<Edit>) -> Self {
        Self { mends: Some(diagnostic), ..Self::new(RefactoringKind::Create, title, changes) }
    }

    /// The edits that make the change, in the order of the files and their texts. A declaration that was in the one layout is in it afterwards.
    #[must_use]
    pub fn edits(&self, analysis: &Analysis) -> Vec<Edit> {
        layout::laid_out(analysis, &self.changes)
    }
}

/// The changes that can be made where a range is, of the kinds that are wanted.
#[must_use]
pub fn refactorings<'a>(
    analysis: &'a Analysis,
    file: FileId,
    range: Span,
    wants: &dyn Fn(RefactoringKind) -> bool,
) -> Vec<Refactoring<'a>> {
    let mut found = Vec::new();
    if wants(RefactoringKind::Create) {
        found.extend(create::missing_declarations(analysis, file, range));
    }
    if wants(RefactoringKind::Extract) {
        found.extend(extract_type::extract_type(analysis, file, range));
        found.extend(extract_prompt::extract_prompt(analysis, file, range));
    }
    if wants(RefactoringKind::Rewrite) {
        found.extend(invoke::invoke(analysis, file, range));
        found.extend(handle::handlers(analysis, file, range));
    }
    if wants(RefactoringKind::OrganizeImports) {
        found.extend(imports::organize(analysis, file));
    }
    found
}
