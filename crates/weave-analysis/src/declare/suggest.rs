//! "Did you mean …?" over what a file can name.

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, FileId, closest};

use crate::model::{DeclarationKind, Model, watch};

/// After so many diagnostics nobody reads suggestions any more, and looking for one takes time that grows with the file.
const MANY: usize = 100;

/// Whether a suggestion is still worth the search.
pub(crate) fn worth_a_suggestion(diagnostics: &[Diagnostic]) -> bool {
    !is_much(diagnostics.len())
}

/// Whether so many diagnostics are too many for suggestions.
pub(super) const fn is_much(count: usize) -> bool {
    count >= MANY
}

/// The name that a file can use, of an accepted kind, that is most like `word`.
pub(crate) fn similar_name(
    model: &Model,
    file: FileId,
    word: &str,
    topics: bool,
    accepts: impl Fn(&DeclarationKind) -> bool,
) -> Option<Arc<str>> {
    let scope = model.scope(file)?;
    watch::note_all();
    let accepted = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Event(_)) == topics && accepts(kind);
    let imported = scope.imported.iter().filter(|name| {
        let id = if topics { scope.topics.get(*name) } else { scope.names.get(*name) };
        id.and_then(|id| model.get(*id)).is_some_and(|declaration| accepted(&declaration.kind))
    });
    // Declarations stand in the order of their files, the prelude, which everybody sees, before all.
    let of = |file: FileId| {
        let start = model.declarations.partition_point(|declaration| declaration.file < file);
        let own = model.declarations.get(start..).unwrap_or_default();
        own.iter().take_while(move |declaration| declaration.file == file).filter(|it| accepted(&it.kind)).map(|it| &it.name)
    };
    let prelude = of(FileId(0)).filter(|_| file != FileId(0));
    // A name without a dot is not a topic.
    let fits = |name: &&str| !topics || name.contains('.');
    closest(word, of(file).chain(imported).chain(prelude).map(|name| &**name).filter(fits)).map(Arc::from)
}
