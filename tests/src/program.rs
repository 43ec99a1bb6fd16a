//! Programs: some files, of which some are roots, and what the compiler makes of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use weave_compiler::{Compiled, Input, LoadError, Loader, Snapshot};
use weave_diagnostics::{Charset, Diagnostic, Renderer, Style};

/// Files by their names, and which of them are roots.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All files.
    pub files: BTreeMap<String, String>,
    /// Folders that are called like files.
    pub folders: Vec<String>,
    /// The names of the roots, in the order in which the compiler is given them.
    pub roots: Vec<String>,
}

impl Loader for Program {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        let name = path.strip_prefix("./").unwrap_or(path);
        if self.folders.iter().any(|folder| folder == name) {
            return Err(LoadError::Other("it is a folder".to_owned()));
        }
        self.files.get(name).map(|text| text.as_str().into()).ok_or(LoadError::NotFound)
    }
}

impl Program {
    /// One file.
    #[must_use]
    pub fn one(text: &str) -> Self {
        Self::default().with("input.weave", text)
    }

    /// With one more root.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        self.roots.push(name.to_owned());
        self.beside(name, text)
    }

    /// With one more file that is not a root.
    #[must_use]
    pub fn beside(mut self, name: &str, text: &str) -> Self {
        self.files.insert(name.to_owned(), text.to_owned());
        self
    }

    /// The `.weave` files of a folder: `input.weave` is the root, or all of them are.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        let mut program = Self::default();
        for path in crate::files_below(folder, "weave") {
            let name = path.strip_prefix(folder).expect("the file lies in the folder").to_str().expect("names in the suite are text");
            program = program.with(&name.replace('\\', "/"), &crate::read(&path));
        }
        let entries = std::fs::read_dir(folder).expect("the case can be read").map(|entry| entry.expect("the case can be read").path());
        let folders = entries.filter(|path| path.is_dir() && path.extension().is_some_and(|extension| extension == "weave"));
        program.folders = folders.map(|path| crate::suite::file_name(&path)).collect();
        if program.files.contains_key("input.weave") {
            program.roots = vec!["input.weave".to_owned()];
        }
        program
    }

    /// What the compiler makes of it.
    #[must_use]
    pub fn check(&self) -> Checked {
        let inputs = self.roots.iter().map(|path| Input { path: path.clone(), text: self.files[path].as_str().into() }).collect();
        Checked::from(weave_compiler::check(inputs, self))
    }
}

/// A program that the compiler has seen.
pub struct Checked {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// All diagnostics, those of lowering included.
    pub diagnostics: Vec<Diagnostic>,
    /// The workflows; none if there is an error.
    pub compiled: Vec<Compiled>,
}

impl From<Snapshot> for Checked {
    fn from(snapshot: Snapshot) -> Self {
        let (compiled, found) = snapshot.compile().map_or_else(|found| (Vec::new(), found), |compiled| (compiled, Vec::new()));
        let diagnostics = snapshot.diagnostics().iter().cloned().chain(found).collect();
        Self { snapshot, diagnostics, compiled }
    }
}

impl Checked {
    /// All diagnostics as a terminal without colour and beyond ASCII shows them.
    #[must_use]
    pub fn drawing(&self) -> String {
        self.drawn_with(Charset::Ascii)
    }

    /// All diagnostics as a terminal without colour shows them.
    #[must_use]
    pub fn drawn_with(&self, charset: Charset) -> String {
        let renderer = Renderer { style: Style::Full, charset, color: false };
        renderer.render_all(&self.diagnostics, self.snapshot.sources())
    }

    /// The ids of the diagnostics, in their order.
    #[must_use]
    pub fn ids(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
    }

    /// The definitions as they are written to files, by the names of their workflows.
    #[must_use]
    pub fn definitions(&self) -> BTreeMap<String, String> {
        self.compiled
            .iter()
            .map(|compiled| (compiled.name.clone(), compiled.definition.to_json_pretty().expect("a definition is JSON")))
            .collect()
    }

    /// The digests of the definitions, by the names of their workflows.
    #[must_use]
    pub fn digests(&self) -> BTreeMap<String, String> {
        self.compiled.iter().map(|compiled| (compiled.name.clone(), compiled.definition.digest().expect("a definition is JSON"))).collect()
    }
}
