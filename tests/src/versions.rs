//! Two versions of a program, and what changed between them.

use weave_compiler::{Compiled, Snapshot, places};
use weave_diagnostics::{Charset, Diagnostic, Renderer, SourceFile, SourceMap, Style};
use weave_diff::{Change, SourcePlaces, diff};
use weave_ir::Definition;

/// What changed, as data and as it is drawn.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The changes.
    pub changes: Vec<Change>,
    /// The same for people, in the order of the places.
    pub drawing: String,
}

impl Compared {
    /// Compares two programs without errors.
    ///
    /// # Panics
    ///
    /// If one has errors, or a change has no place.
    #[must_use]
    pub fn of(old: &Snapshot, new: &Snapshot) -> Self {
        let mut sources = SourceMap::new();
        let (new_definitions, new_places) = version(new, "", &mut sources);
        let (old_definitions, old_places) = version(old, "old:", &mut sources);
        let (before, after): (Vec<&Definition>, Vec<&Definition>) = (old_definitions.iter().collect(), new_definitions.iter().collect());
        let changes = diff(&before, &after);
        let drawn = |change: &Change| change.diagnostic(&old_places, &new_places).unwrap_or_else(|| panic!("{change:?} has no place"));
        let mut diagnostics: Vec<Diagnostic> = changes.iter().map(drawn).collect();
        diagnostics.sort_by(|one, other| {
            (one.primary.place, one.severity, one.code.id).cmp(&(other.primary.place, other.severity, other.code.id))
        });
        let renderer = Renderer { style: Style::Full, charset: Charset::Ascii, color: false };
        let drawing = renderer.render_all(&diagnostics, &sources);
        Self { changes, drawing }
    }

    /// The ids of the changes, in their order.
    #[must_use]
    pub fn ids(&self) -> Vec<&'static str> {
        self.changes.iter().map(Change::id).collect()
    }
}

/// The definitions of a program whose files come behind those that are there, and where their parts stand.
fn version(snapshot: &Snapshot, prefix: &str, sources: &mut SourceMap) -> (Vec<Definition>, SourcePlaces) {
    let renderer = Renderer { style: Style::Full, charset: Charset::Ascii, color: false };
    assert!(!snapshot.has_errors(), "{}", renderer.render_all(snapshot.diagnostics(), snapshot.sources()));
    let compiled: Vec<Compiled> = snapshot.compile().expect("a program without errors has definitions");
    let base = sources.iter().count() as u32;
    for (_, file) in snapshot.sources().iter() {
        sources.add(SourceFile::new(format!("{prefix}{}", file.name()), file.text().clone()).into());
    }
    let known = places(snapshot, &compiled, base);
    (compiled.into_iter().map(|one| one.definition).collect(), known)
}
