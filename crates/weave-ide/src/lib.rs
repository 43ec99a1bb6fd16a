//! What an editor asks about a program.
//!
//! Each feature is a file and a function of an [`Analysis`], a program at one moment that never changes, and of an offset in one of its
//! files; its answer is plain data. This crate knows neither the protocol nor the units that an editor counts in: offsets are bytes. It
//! touches no file: the texts come in through a [`Host`].
//!
//! [`Workspace`] is what changes: it holds the folders that are open and the texts that are being edited, and gives an analysis of each.

mod actions;
mod analysis;
mod baselines;
mod compiled;
mod completion;
mod configs;
mod definition;
mod folding;
mod format;
mod hierarchy;
mod hints;
mod hover;
mod implementation;
mod importing;
mod lenses;
mod linked;
mod links;
mod members;
mod mentions;
mod moving;
mod on_type;
mod refactor;
mod references;
mod rename;
mod semantic;
mod settings;
mod signature;
mod symbol;
mod symbols;
mod way;
mod workspace;

pub use actions::{Action, actions, fix_all, fixes_at};
pub use analysis::{Analysis, Target};
pub use compiled::{GraphFormat, compile, graph, syntax_tree};
pub use completion::{Completion, CompletionKind, Completions, Importing, SNIPPETS, Snippet, completion, described};
pub use definition::{Definition, definition, type_definition};
pub use folding::{FoldKind, folding, selection};
pub use format::{format_document, format_range};
pub use hierarchy::{HierarchyCall, HierarchyItem, hierarchy_item, incoming, outgoing};
pub use hints::{Hint, hints};
pub use hover::{Hover, hover};
pub use implementation::{Implementation, implementation};
pub use lenses::{Lens, LensKind, lenses, test_path, uses};
pub use linked::linked;
pub use links::{Link, links};
pub use mentions::{Mention, Role};
pub use moving::moved;
pub use on_type::format_on_type;
pub use refactor::{Refactoring, RefactoringKind, refactorings};
pub use references::{highlights, references};
pub use rename::{prepare_rename, rename};
pub use semantic::{SemanticKind, SemanticModifiers, SemanticToken, semantic_tokens};
pub use settings::{settings_completion, settings_hover, settings_symbols};
pub use signature::{Parameter, Signature, signature};
pub use symbol::Symbol;
pub use symbols::{DocumentSymbol, SymbolKind, WorkspaceSymbol, document_symbols, workspace_symbols};
pub use workspace::{ConfigFindings, Host, Project, Workspace};
