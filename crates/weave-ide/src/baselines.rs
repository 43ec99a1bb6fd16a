//! Findings that a team knows of and has not mended yet: what a baseline keeps from being reported is not shown either.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use weave_compiler::{Snapshot, normalize_path, relative_path};
use weave_diagnostics::{Diagnostic, FileId, SourceFile, SourceMap};
use weave_lint::{Baseline, BaselineEntry};

use crate::configs::Configs;
use crate::workspace::{ConfigFindings, ENDING, Workspace, folder_of};

/// A baseline, and the files of a program for which it holds.
#[derive(Debug)]
pub(crate) struct KnownFindings {
    baseline: Baseline,
    /// What it calls these files.
    files: FxHashMap<FileId, String>,
    /// The files that it names and that are none of these, though they are there: nothing can be said about them.
    unseen: BTreeSet<String>,
}

impl KnownFindings {
    /// Reads the baselines that hold for these files, and says what is wrong with each. One that cannot be read keeps nothing back.
    pub(crate) fn read(workspace: &Workspace, configs: &Configs, files: &[(FileId, String)]) -> (Arc<[Self]>, Vec<ConfigFindings>) {
        let mut by_path: BTreeMap<String, Vec<&(FileId, String)>> = BTreeMap::new();
        for file in files {
            if let Some(path) = configs.baseline(&file.1) {
                by_path.entry(path).or_default().push(file);
            }
        }
        let (mut known, mut named) = (Vec::new(), Vec::new());
        for (path, files) in by_path {
            let text = workspace.on_disk(&path);
            let source = Arc::new(SourceFile::new(path.clone(), text.clone().unwrap_or_default()));
            let id = SourceMap::new().add(Arc::clone(&source));
            let read = text.map(|text| Baseline::read(&text, id));
            let (baseline, diagnostics) = match read {
                Ok(Ok(baseline)) => (baseline, Vec::new()),
                Ok(Err(diagnostic)) => (Baseline::default(), vec![*diagnostic]),
                Err(_) => (Baseline::default(), Vec::new()),
            };
            let folder = folder_of(&path);
            let files: FxHashMap<FileId, String> = files.into_iter().map(|(id, file)| (*id, relative_path(file, folder))).collect();
            let seen: BTreeSet<&str> = files.values().map(String::as_str).collect();
            let is_there = |file: &&str| workspace.on_disk(&normalize_path(&format!("{folder}{file}"))).is_ok();
            let unseen = baseline
                .files()
                .filter(|file| file.ends_with(ENDING) && !seen.contains(file))
                .filter(is_there)
                .map(str::to_owned)
                .collect();
            known.push(Self { baseline, files, unseen });
            named.push(ConfigFindings { path, source, diagnostics, outputs: Vec::new() });
        }
        (known.into(), named)
    }

    /// Takes away what this baseline knows. The places are those of the texts.
    pub(crate) fn keep_back(&self, found: Vec<Diagnostic>, snapshot: &Snapshot) -> Vec<Diagnostic> {
        if self.baseline.is_empty() {
            return found;
        }
        let identities = snapshot.identities(&found);
        let entry = |(finding, identity): (&Diagnostic, _)| {
            let file = self.files.get(&finding.primary.place.file)?;
            Some(BaselineEntry::new(file.clone(), finding, identity))
        };
        let entries: Vec<Option<BaselineEntry>> = found.iter().zip(identities).map(entry).collect();
        let mine: Vec<BaselineEntry> = entries.iter().flatten().cloned().collect();
        let mut is_known = self.baseline.compare(&mine, &|file| !self.unseen.contains(file)).is_known.into_iter();
        let is_kept_back = entries.iter().map(|entry| entry.is_some() && is_known.next().unwrap_or(false));
        found.into_iter().zip(is_kept_back).filter(|(_, is_kept_back)| !is_kept_back).map(|(finding, _)| finding).collect()
    }
}
