//! What this crate has to say, one constructor a message.

pub(crate) mod strict;

use weave_analysis::model::Declaration;
use weave_diagnostics::{Diagnostic, Place};

use crate::codes::{COMPUTED_TIMEOUT, DEEP_GUARD, IMPORT_NOT_FOUND, IMPORT_UNREADABLE, SAME_NAME, WORKFLOW_RUNS_ITSELF};
use crate::lower::GREATEST_HEIGHT;

/// The import names a file that is not there; `path` is how the text says it, `looked_for` where it was looked for.
pub(crate) fn import_not_found(place: Place, path: &str, looked_for: &str) -> Diagnostic {
    Diagnostic::new(&IMPORT_NOT_FOUND, place, format!("the file `{path}` does not exist"))
        .label(format!("`{looked_for}` does not exist"))
        .help("the path of an import is relative to the importing file")
}

/// The import names a file that cannot be read.
pub(crate) fn import_unreadable(place: Place, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(&IMPORT_UNREADABLE, place, format!("cannot read `{path}`: {reason}")).label("this file cannot be read")
}

/// Two declarations of one name meet in the definition of a workflow.
pub(crate) fn same_name(first: &Declaration, second: &Declaration, workflow: &Declaration) -> Diagnostic {
    let (one, other) = (first.kind.noun(), second.kind.noun());
    let both = match one.split_once(' ') {
        Some((_, noun)) if one == other => format!("two different {noun}s"),
        _ => format!("{one} and {other}"),
    };
    Diagnostic::new(&SAME_NAME, second.place, format!("{both} named `{}` meet in one definition", second.name))
        .label("the first one")
        .also(first.place, "the second one")
        .also(workflow.place, "this workflow uses both")
        .help("rename one of them: a definition has one namespace, and renaming an import does not change it")
}

/// The time of a timeout is not written in the program.
pub(crate) fn computed_timeout(place: Place) -> Diagnostic {
    Diagnostic::new(&COMPUTED_TIMEOUT, place, "the duration of a timeout must be a constant")
        .label("this is known only at run time")
        .help("write a duration such as `24h`, or wait in a step (`wait .input.delay`) and fire on that step")
}

/// A workflow runs itself, directly or by way of others.
pub(crate) fn runs_itself(way: &[&Declaration]) -> Option<Diagnostic> {
    let first = *way.first()?;
    let names: Vec<String> = way.iter().chain([&first]).map(|declaration| format!("`{}`", declaration.name)).collect();
    let mut diagnostic = Diagnostic::new(&WORKFLOW_RUNS_ITSELF, first.place, format!("workflow `{}` runs itself", first.name))
        .label(format!("the cycle is {}", names.join(" → ")));
    for declaration in way.iter().skip(1) {
        diagnostic = diagnostic.also(declaration.place, "part of the cycle");
    }
    Some(diagnostic.help("repeat steps with an edge that goes back and a `limit`, or split the workflow"))
}

/// A guard nests too deep to be carried by a definition.
pub(crate) fn deep_guard(place: Place) -> Diagnostic {
    Diagnostic::new(&DEEP_GUARD, place, format!("the guard is nested more than {GREATEST_HEIGHT} operations deep"))
        .label("too many nested operations here")
        .help("split it over several nodes, or let a tool decide")
}

/// JSON cannot carry the definition of a workflow. The parser refuses the only reason, numbers that are too large, where they are
/// written; so nobody should see this.
pub(crate) fn unwritable(workflow: &Declaration, error: &weave_ir::Error) -> Option<Diagnostic> {
    let code = weave_syntax::CODES.iter().find(|code| code.id == "number-too-large")?;
    let message = format!("the definition of `{}` cannot be written: {error}", workflow.name);
    Some(Diagnostic::new(code, workflow.place, message).label("this workflow"))
}
