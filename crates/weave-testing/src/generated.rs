//! Tests that are written by the machine: nothing is printed that was not compiled and played.

use std::fmt;
use std::sync::Arc;

use weave_compiler::{Compiled, Input, LoadError, Loader, Snapshot, check, normalize_path};
use weave_diagnostics::Diagnostic;

use crate::play::{Filter, play};

/// So many names and values are corrected at most.
const MOST_FIXES: usize = 100;

/// Why a test is not printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// What is wrong with it, in one line.
    pub message: String,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Unwritable {}

/// The files of a program that were read already.
struct Loaded<'s>(&'s Snapshot);

impl Loader for Loaded<'_> {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        let path = normalize_path(path);
        let found = self.0.sources().iter().find(|(_, source)| normalize_path(source.name()) == path);
        found.map_or(Err(LoadError::NotFound), |(_, source)| Ok(Arc::clone(source.text())))
    }
}

/// The text of a `test` item after it was compiled and played next to the file that has its workflow, so that it passes there.
///
/// What the compiler corrects by itself, such as a field that has another name on the wire, is corrected.
///
/// # Errors
///
/// If the text does not compile, or the test fails.
pub fn checked(program: &Snapshot, workflow: &Compiled, test: &str) -> Result<String, Unwritable> {
    let home = program.sources().name(workflow.file);
    let (folder, file) = home.rsplit_once('/').map_or(("", home), |(folder, file)| (folder, file));
    let path = if folder.is_empty() { "generated_test.weave".to_owned() } else { format!("{folder}/generated_test.weave") };
    let name = &workflow.name;
    let import = format!("import {{ {name} }} from {}\n\n", weave_syntax::text::quoted_string(&format!("./{file}")));
    let mut test = test.to_owned();
    for _ in 0..MOST_FIXES {
        let text = format!("{import}{test}");
        let snapshot = check(vec![Input { path: path.clone(), text: text.as_str().into() }], &Loaded(program));
        let Some(error) = snapshot.diagnostics().iter().find(|diagnostic| diagnostic.is_error()) else {
            let tests = snapshot.tests().map_err(|errors| unwritable(&errors))?;
            let played = play(&snapshot, &tests, &Filter::default(), &|| std::time::Duration::ZERO);
            return match played.failures().first() {
                None if played.count() > 0 => Ok(test),
                None => Err(Unwritable { message: "it was not played".to_owned() }),
                Some(failure) => Err(Unwritable { message: format!("{}: {}", failure.code.id, failure.message) }),
            };
        };
        let corrected = error.fixes.first().and_then(|fix| {
            let mut text = text.clone();
            let mut edits: Vec<_> = fix.edits.iter().collect();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span));
            for edit in edits {
                text.get(edit.place.span.range())?;
                text.replace_range(edit.place.span.range(), &edit.text);
            }
            text.strip_prefix(&import).map(str::to_owned)
        });
        match corrected.filter(|corrected| *corrected != test) {
            Some(corrected) => test = corrected,
            None => return Err(unwritable(std::slice::from_ref(error))),
        }
    }
    Err(Unwritable { message: "it does not compile".to_owned() })
}

fn unwritable(errors: &[Diagnostic]) -> Unwritable {
    let message = errors.first().map_or_else(|| "it does not compile".to_owned(), |error| format!("{}: {}", error.code.id, error.message));
    Unwritable { message }
}
