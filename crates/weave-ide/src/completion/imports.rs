//! Names that other files declare: choosing one imports it.

use weave_analysis::model::{Declaration, DeclarationKind};

use super::names::{Accepts, completion};
use super::{Completer, Completion, CompletionKind, Importing};
use crate::importing::{Importer, import_path};
use crate::symbols::matches;

/// More than these are not offered at once; what is typed narrows them down.
const MOST: usize = 100;

/// Offers what other files of the project declare and this one neither has nor imports. Names that are taken here would need another one.
pub(super) fn offer(completer: &Completer<'_>, kind: CompletionKind, accepts: Accepts, calls: bool, items: &mut Vec<Completion>) {
    let (analysis, file) = (completer.analysis, completer.file);
    let Some(scope) = analysis.model().scope(file) else { return };
    let typed = completer.typed();
    let is_taken = |declaration: &Declaration| match declaration.kind {
        DeclarationKind::Event(_) => scope.topics.contains_key(&declaration.name),
        _ => scope.names.contains_key(&declaration.name),
    };
    let others = analysis.model().declarations.iter().map(|declaration| &**declaration).filter(|declaration| {
        declaration.file != file && declaration.file.0 > 0 && accepts(&declaration.kind) && matches(&declaration.name, typed)
    });
    let mut found: Vec<&Declaration> =
        others.filter(|declaration| !declaration.name.is_empty() && !is_taken(declaration)).take(MOST + 1).collect();
    if found.len() > MOST {
        completer.more.set(true);
        found.truncate(MOST);
    }
    let mut found: Vec<(String, &Declaration)> =
        found.into_iter().map(|declaration| (import_path(analysis, file, declaration.file), declaration)).collect();
    found.sort_by(|(one_path, one), (other_path, other)| (&one.name, one_path).cmp(&(&other.name, other_path)));
    let importer = Importer::new(analysis, file);
    items.extend(found.into_iter().map(|(path, declaration)| Completion {
        import: Some(Importing { file: declaration.file, edit: importer.edit(declaration.file, &path, &declaration.name), path }),
        ..completion(completer, &declaration.name, kind, declaration, calls)
    }));
}
