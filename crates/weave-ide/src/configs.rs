//! The configuration files that hold for the files of a project.

use std::collections::BTreeMap;
use std::sync::Arc;

use weave_compiler::path_within;
use weave_diagnostics::{SourceFile, SourceMap};
use weave_lint::{Config, Settings};

use crate::workspace::{CONFIG, ConfigFindings, Workspace, folder_of};

/// The configurations of a project.
#[derive(Default)]
pub(crate) struct Configs {
    found: Vec<Found>,
    by_folder: BTreeMap<String, Option<usize>>,
}

struct Found {
    folder: String,
    config: Config,
    findings: ConfigFindings,
}

impl Configs {
    /// Finds the configuration of a file: the nearest one in its folder or above.
    pub(crate) fn find(&mut self, workspace: &Workspace, path: &str) {
        let mut folder = folder_of(path);
        let mut passed = Vec::new();
        let mut holds = None;
        while !folder.is_empty() {
            if let Some(known) = self.by_folder.get(folder) {
                holds = *known;
                break;
            }
            passed.push(folder.to_owned());
            let path = format!("{folder}{CONFIG}");
            if let Ok(text) = workspace.on_disk(&path) {
                holds = Some(self.found.len());
                self.add(folder, path, text);
                break;
            }
            if workspace.is_repository(folder) {
                break;
            }
            folder = folder_of(folder.trim_end_matches('/'));
        }
        self.by_folder.extend(passed.into_iter().map(|folder| (folder, holds)));
    }

    fn add(&mut self, folder: &str, path: String, text: Arc<str>) {
        let (config, findings) = read_settings(path, &text);
        self.found.push(Found { folder: folder.to_owned(), config, findings });
    }

    /// What they say.
    pub(crate) fn findings(self) -> impl Iterator<Item = ConfigFindings> {
        self.found.into_iter().map(|found| found.findings)
    }

    /// The path of the baseline of a file, if its configuration names one.
    pub(crate) fn baseline(&self, path: &str) -> Option<String> {
        let found = self.holds(path)?;
        let named = found.config.baseline()?;
        Some(path_within(&found.folder, named))
    }

    fn holds(&self, path: &str) -> Option<&Found> {
        let index = self.by_folder.get(folder_of(path)).copied().flatten()?;
        self.found.get(index)
    }

    /// The levels of the rules for a file.
    pub(crate) fn of(&self, path: &str) -> Settings {
        let Some(found) = self.holds(path) else { return Settings::default() };
        found.config.of(path.strip_prefix(&found.folder).unwrap_or(path))
    }
}

/// Reads the text of a configuration file.
pub(crate) fn read_settings(path: String, text: &Arc<str>) -> (Config, ConfigFindings) {
    let source = Arc::new(SourceFile::new(path.clone(), Arc::clone(text)));
    let id = SourceMap::new().add(Arc::clone(&source));
    let (config, diagnostics) = Config::read(text, id);
    let outputs = config.outputs().map(|(language, output)| (language, output.to_owned())).collect();
    (config, ConfigFindings { path, source, diagnostics, outputs })
}
