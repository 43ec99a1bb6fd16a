//! Finding and reading `weave.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use weave_compiler::lint::{Config, Settings};
use weave_diagnostics::{Diagnostic, SourceFile, SourceMap};
use weave_diff::Accepted;

use crate::failure::{Failure, Failures};
use crate::input::display;
use crate::read::{ReadError, read_file, read_named};

/// The name of the file.
const NAME: &str = "weave.toml";

/// The configurations of the files of one run.
#[derive(Debug, Default)]
pub(crate) struct Configs {
    /// What was read, each with the folder that its paths count from.
    found: Vec<(PathBuf, Config)>,
    /// Which of them holds for a folder.
    by_folder: BTreeMap<PathBuf, Option<usize>>,
    /// The configuration that was named, which holds for all files.
    named: bool,
    /// What is wrong with them, and their texts.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: SourceMap,
}

impl Configs {
    /// The configuration that was named, or none yet.
    pub(crate) fn new(named: Option<&Path>) -> Result<Self, Failures> {
        let mut configs = Self::default();
        if let Some(path) = named {
            let text = read_named(path).map_err(|error| cannot_read(path, &error))?;
            let folder = absolute(path).parent().map(Path::to_path_buf).unwrap_or_default();
            configs.add(path, folder, &text);
            configs.named = true;
        }
        Ok(configs)
    }

    /// Finds the configuration of a file: the nearest one in its folder or above.
    pub(crate) fn find(&mut self, file: &Path) -> Result<(), Failure> {
        if self.named {
            return Ok(());
        }
        let folder = absolute(file).parent().map(Path::to_path_buf).unwrap_or_default();
        let mut passed = Vec::new();
        let mut holds = None;
        for folder in folder.ancestors() {
            if let Some(known) = self.by_folder.get(folder) {
                holds = *known;
                break;
            }
            passed.push(folder.to_path_buf());
            let path = folder.join(NAME);
            match read_file(&path) {
                Ok(text) => {
                    holds = Some(self.add(&shown(&path), folder.to_path_buf(), &text));
                    break;
                }
                Err(ReadError::NotFound) => {}
                Err(error) => return Err(cannot_read(&shown(&path), &error)),
            }
            // What is above a repository is not part of it.
            if is_repository(folder) {
                break;
            }
        }
        self.by_folder.extend(passed.into_iter().map(|folder| (folder, holds)));
        Ok(())
    }

    /// What holds for a file that was found before.
    pub(crate) fn of(&self, file: &Path) -> Settings {
        let Some((folder, config)) = self.holding(file) else { return Settings::default() };
        let file = absolute(file);
        config.of(&display(file.strip_prefix(folder).unwrap_or(&file)))
    }

    /// The folder of the configuration that holds for a file that was found before.
    pub(crate) fn folder(&self, file: &Path) -> Option<PathBuf> {
        self.holding(file).map(|(folder, _)| folder.clone())
    }

    /// The baseline that it names.
    pub(crate) fn baseline(&self, file: &Path) -> Option<PathBuf> {
        let (folder, config) = self.holding(file)?;
        config.baseline().map(|path| folder.join(path))
    }

    /// The changes that were agreed to, in all that were found.
    pub(crate) fn accepted(&self) -> Vec<Accepted> {
        self.found.iter().flat_map(|(_, config)| config.accepted().iter().cloned()).collect()
    }

    /// The path under which generated code is imported, if it says so.
    pub(crate) fn module(&self, file: &Path, language: &str) -> Option<&str> {
        let (_, config) = self.holding(file)?;
        config.generation(language)?.module.as_deref()
    }

    /// Whether it asks for what serves tools over the Model Context Protocol.
    pub(crate) fn mcp(&self, file: &Path, language: &str) -> bool {
        self.holding(file).and_then(|(_, config)| config.generation(language)).is_some_and(|generation| generation.mcp)
    }

    /// The lines that it wants at the top of each generated file; empty if there are none.
    pub(crate) fn header(&self, file: &Path, language: &str) -> String {
        self.holding(file).map(|(_, config)| config.header(language).to_owned()).unwrap_or_default()
    }

    /// Whether it asks for programs that put the definitions together.
    pub(crate) fn builders(&self, file: &Path, language: &str) -> bool {
        self.holding(file).and_then(|(_, config)| config.generation(language)).is_some_and(|generation| generation.builders)
    }

    /// The folder for generated code that it names.
    pub(crate) fn output(&self, file: &Path, language: &str) -> Option<PathBuf> {
        let (folder, config) = self.holding(file)?;
        config.generation(language)?.output.as_ref().map(|path| folder.join(path))
    }

    /// The folder for skeletons that it names.
    pub(crate) fn scaffold(&self, file: &Path, language: &str) -> Option<PathBuf> {
        let (folder, config) = self.holding(file)?;
        config.generation(language)?.scaffold.as_ref().map(|path| folder.join(path))
    }

    /// The folder with templates for skeletons that it names.
    pub(crate) fn templates(&self, file: &Path, language: &str) -> Option<PathBuf> {
        let (folder, config) = self.holding(file)?;
        config.generation(language)?.templates.as_ref().map(|path| folder.join(path))
    }

    /// What carries out the calls of tools.
    #[cfg(feature = "run")]
    pub(crate) fn tools(&self, file: &Path) -> Option<&BTreeMap<String, weave_compiler::lint::ToolSetting>> {
        self.holding(file).map(|(_, config)| config.tools())
    }

    fn holding(&self, file: &Path) -> Option<&(PathBuf, Config)> {
        let file = absolute(file);
        let holds = if self.named { Some(0) } else { file.parent().and_then(|folder| self.by_folder.get(folder).copied().flatten()) };
        holds.and_then(|index| self.found.get(index))
    }

    fn add(&mut self, shown: &Path, folder: PathBuf, text: &Arc<str>) -> usize {
        let id = self.sources.add(SourceFile::new(display(shown), Arc::clone(text)).into());
        let (config, diagnostics) = Config::read(text, id);
        self.diagnostics.extend(diagnostics);
        self.found.push((folder, config));
        self.found.len() - 1
    }
}

/// Whether a folder is the root of a Git repository.
pub(crate) fn is_repository(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok()
}

fn cannot_read(path: &Path, error: &ReadError) -> Failure {
    Failure::new(format!("cannot read `{}`: {error}", display(path)))
}

/// A path from the root; that of a file that was not read from the disk stands in the current folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).map_or_else(|_| path.to_path_buf(), |path| crate::input::shortened(&path))
}

/// A path as it is shown: from the current folder, if it lies in there.
pub(crate) fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).map_or_else(|_| path.to_path_buf(), Path::to_path_buf)
}
