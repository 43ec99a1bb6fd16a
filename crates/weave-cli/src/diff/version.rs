//! One version: definitions, and where their parts were written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use weave_compiler::Input;
use weave_diagnostics::{Diagnostic, FileId, Place, SourceFile, SourceMap, counted};
use weave_diff::{JsonPlaces, Places, SourcePlaces};
use weave_ir::{Definition, Manifest};

use crate::compile::merged;
use crate::diff::tree::Tree;
use crate::failure::{Failure, Failures};
use crate::input::display;
use crate::terminal::Terminal;

/// The file that says what lies in a folder with definitions.
const MANIFEST: &str = "manifest.json";

/// One version.
#[derive(Default)]
pub(crate) struct Version {
    pub(crate) definitions: Vec<Definition>,
    /// The files of it that were asked about.
    pub(crate) files: Vec<FileId>,
    /// Where they lie.
    pub(crate) paths: Vec<PathBuf>,
    in_sources: SourcePlaces,
    in_json: JsonPlaces,
    /// The files that declare the workflows, by name.
    homes: BTreeMap<String, Vec<String>>,
}

impl Places for Version {
    fn exact(&self, workflow: &str, pointer: &str) -> Option<Place> {
        self.in_sources.exact(workflow, pointer).or_else(|| self.in_json.exact(workflow, pointer))
    }
}

impl Version {
    /// Reads what the paths name. Nothing if it has errors, which are told. The texts come into `sources`.
    pub(crate) fn read(tree: &dyn Tree, paths: &[PathBuf], sources: &mut SourceMap, terminal: Terminal) -> Result<Option<Self>, Failures> {
        let mut version = Self::default();
        let mut rest = Vec::new();
        for path in paths {
            if path.extension().is_some_and(|extension| extension == "json") {
                version.definition(tree, path, sources)?;
            } else if let Some(manifest) = manifest(tree, path)? {
                for workflow in manifest.workflows.values() {
                    let file = path.join(inside(path, &workflow.file)?);
                    version.definition(tree, &file, sources)?;
                    let digest = version.definitions.last().and_then(|definition| definition.digest().ok());
                    if digest.as_ref() != Some(&workflow.digest) {
                        let name = tree.shown(&display(&file));
                        let failure = Failure::new(format!("`{name}` is not the definition that its manifest lists: the digests differ"));
                        return Err(failure.in_files().help("write the folder again with `weave compile -o`").into());
                    }
                }
            } else {
                rest.push(path.clone());
            }
        }
        if !rest.is_empty() && !version.compile(tree, tree.inputs(&rest)?, sources, terminal)? {
            return Ok(None);
        }
        version.is_unambiguous()?;
        Ok(Some(version))
    }

    /// The names of the workflows.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        self.homes.keys().map(String::as_str).collect()
    }

    /// Reads a definition.
    fn definition(&mut self, tree: &dyn Tree, path: &Path, sources: &mut SourceMap) -> Result<(), Failure> {
        let name = tree.shown(&display(path));
        let text = tree.read(path)?.ok_or_else(|| Failure::new(format!("cannot read `{name}`: no such file or folder")))?;
        let definition = Definition::from_json(&text).map_err(|error| {
            let failure = Failure::new(format!("`{name}` is not a definition: {error}"));
            failure.help("`weave compile` writes definitions; `weave schema definition` describes them")
        })?;
        let file = sources.add(SourceFile::new(name.clone(), text.clone()).into());
        self.in_json.add(&definition.workflow, &text, file);
        self.files.push(file);
        self.paths.push(path.to_path_buf());
        self.homes.entry(definition.workflow.clone()).or_default().push(name);
        self.definitions.push(definition);
        Ok(())
    }

    /// Compiles source files. Whether that went well; if not, what is wrong was told.
    fn compile(&mut self, tree: &dyn Tree, inputs: Vec<Input>, sources: &mut SourceMap, terminal: Terminal) -> Result<bool, Failure> {
        self.paths.extend(inputs.iter().map(|input| PathBuf::from(&input.path)));
        let snapshot = weave_compiler::check(inputs, tree.loader());
        let (compiled, lowering) = match snapshot.compile() {
            Ok(compiled) => (compiled, Vec::new()),
            Err(diagnostics) => (Vec::new(), diagnostics),
        };
        let base = sources.iter().count() as u32;
        let mut shown = SourceMap::new();
        for (id, file) in snapshot.sources().iter() {
            let name = if id.0 == 0 { file.name().to_owned() } else { tree.shown(file.name()) };
            let file = std::sync::Arc::new(SourceFile::new(name, file.text().clone()));
            shown.add(file.clone());
            sources.add(file);
            if snapshot.is_root(id) {
                self.files.push(FileId(id.0 + base));
            }
        }
        let diagnostics = merged(snapshot.diagnostics(), lowering);
        let errors: Vec<Diagnostic> = diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        if !errors.is_empty() {
            terminal.report(&errors, &shown);
            return Ok(false);
        }
        self.in_sources = weave_compiler::places(&snapshot, &compiled, base);
        for one in compiled {
            self.homes.entry(one.name).or_default().push(tree.shown(snapshot.sources().name(one.file)));
            self.definitions.push(one.definition);
        }
        Ok(true)
    }

    /// Two workflows of one name cannot be told apart in the other version.
    fn is_unambiguous(&self) -> Result<(), Failure> {
        let Some((name, files)) = self.homes.iter().find(|(_, files)| files.len() > 1) else { return Ok(()) };
        let mut failure = Failure::new(format!("{} have the name `{name}`", counted(files.len(), "workflow"))).in_files();
        for file in files {
            failure = failure.detail(file.clone());
        }
        Err(failure.help("workflows are identified by name; compare their files or folders separately"))
    }
}

/// The manifest of a folder, if `weave compile -o` wrote it.
fn manifest(tree: &dyn Tree, folder: &Path) -> Result<Option<Manifest>, Failure> {
    if folder == Path::new("-") || folder.is_file() {
        return Ok(None);
    }
    let text = tree.read(&folder.join(MANIFEST))?;
    Ok(text.and_then(|text| Manifest::from_json(&text).ok()))
}

/// A manifest can be edited, and nothing outside of its folder belongs to it.
fn inside<'f>(folder: &Path, file: &'f str) -> Result<&'f Path, Failure> {
    let path = Path::new(file);
    match path.components().all(|part| matches!(part, Component::Normal(_))) {
        true => Ok(path),
        false => Err(Failure::new(format!("the manifest of `{}` names `{file}`, which does not exist", display(folder)))),
    }
}
