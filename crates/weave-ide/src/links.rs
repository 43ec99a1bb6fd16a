//! Texts that name files.

use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::ItemKind;

use crate::Analysis;

/// A text that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The path, without its quotes.
    pub place: Place,
    /// The file.
    pub target: FileId,
}

/// The paths of those imports of a file that can be read, in the order of the text.
#[must_use]
pub fn links(analysis: &Analysis, file: FileId) -> Vec<Link> {
    let link = |item: crate::analysis::ItemView<'_>| {
        let ItemKind::Import(import) = &item.slot.parsed.item.kind else { return None };
        let (path, target) = (import.path?.span, analysis.imported_file(&item)?);
        let inside = Span::new(path.start + 1, path.end.saturating_sub(1).max(path.start + 1));
        Some(Link { place: item.place(inside), target })
    };
    analysis.items(file).filter_map(link).collect()
}
