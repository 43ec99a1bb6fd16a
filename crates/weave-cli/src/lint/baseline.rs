//! `--baseline` and `--write-baseline`: findings that are known, and only what is new.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use weave_compiler::lint::{Baseline, BaselineEntry};
use weave_compiler::{Input, Snapshot};
use weave_diagnostics::{Diagnostic, SourceFile, SourceMap, counted};

use crate::args;
use crate::config::{Configs, absolute};
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::read::{ReadError, read_file, read_named};
use crate::terminal::Terminal;
use crate::write::Output;

/// The name of the file where nobody says another.
const NAME: &str = ".weave-baseline.json";

/// More of what is gone is counted, but not listed.
const MOST_LISTED: usize = 5;

/// The baselines of one run: one, unless several configurations name their own.
#[derive(Debug, Default)]
pub(crate) struct Baselines {
    /// By their paths from the root.
    known: BTreeMap<PathBuf, Baseline>,
    /// The files of the run by the baseline that holds for each, both from the root.
    files: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// Which baseline holds for which file.
    of_file: BTreeMap<PathBuf, PathBuf>,
    /// Whether the command names it, and not only to write it.
    is_named: bool,
    /// What is wrong with them, and their texts.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: SourceMap,
}

impl Baselines {
    /// Finds and reads the baselines of these files. Where one is to be written, it need not exist.
    pub(crate) fn read<'a>(
        arguments: &args::Lint,
        configs: &Configs,
        inputs: impl IntoIterator<Item = &'a Input>,
    ) -> Result<Self, Failures> {
        let mut baselines = Self { is_named: arguments.baseline.is_some(), ..Self::default() };
        let writes = arguments.write_baseline.is_some();
        for input in inputs {
            let file = absolute(Path::new(&input.path));
            let Some(path) = place(arguments, configs, Path::new(&input.path)) else { continue };
            let path = absolute(&path);
            baselines.files.entry(path.clone()).or_default().insert(file.clone());
            baselines.of_file.insert(file, path);
        }
        for path in baselines.files.keys().cloned().collect::<Vec<_>>() {
            let text = if baselines.is_named { read_named(&path) } else { read_file(&path) };
            match text {
                Ok(text) => baselines.add(path, &text),
                Err(ReadError::NotFound) if writes => {}
                Err(error) => {
                    let failure = Failure::new(format!("cannot read the baseline `{}`: {error}", shown(&path)));
                    return Err(failure.help("`weave lint PATH… --write-baseline` writes it").into());
                }
            }
        }
        Ok(baselines)
    }

    fn add(&mut self, path: PathBuf, text: &str) {
        // The path may be that of any file, so what is drawn of it are blanks.
        let blanks = |character: char| if character == '\n' { "\n".to_owned() } else { " ".repeat(character.len_utf8()) };
        let drawn: String = text.chars().map(blanks).collect();
        let id = self.sources.add(SourceFile::new(shown(&path), drawn.into()).into());
        match Baseline::read(text, id) {
            Ok(baseline) => _ = self.known.insert(path, baseline),
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    /// The findings that no baseline knows, and what is to be said about the others. A program with errors is not linted, and so nothing of its baseline is gone.
    pub(crate) fn only_new(&self, found: Vec<Diagnostic>, snapshot: &Snapshot) -> (Vec<Diagnostic>, Vec<String>) {
        if self.files.is_empty() || snapshot.has_errors() {
            return (found, Vec::new());
        }
        let mut remarks = Vec::new();
        let mut is_known = vec![false; found.len()];
        for (path, seen) in &self.files {
            let Some(baseline) = self.known.get(path) else { continue };
            let (indexes, entries) = self.entries(path, &found, snapshot);
            let comparison = baseline.compare(&entries, &|file| is_seen(path, seen, file));
            for (index, known) in indexes.into_iter().zip(comparison.is_known) {
                if let Some(place) = is_known.get_mut(index) {
                    *place = known;
                }
            }
            remarks.extend(what_is_gone(path, &comparison.gone).into_iter().flatten());
        }
        let count = is_known.iter().filter(|known| **known).count();
        if count > 0 {
            let are = if count == 1 { "is" } else { "are" };
            remarks.insert(0, format!("{} of the baseline {are} not shown.", counted(count, "finding")));
        }
        let new = found.into_iter().zip(is_known).filter(|(_, known)| !known).map(|(finding, _)| finding).collect();
        (new, remarks)
    }

    /// Writes the baselines with all these findings. What they know of files that were not looked at stays.
    pub(crate) fn write(&self, found: &[Diagnostic], snapshot: &Snapshot, configs: &Configs, terminal: Terminal) -> Result<Exit, Failures> {
        for (path, seen) in &self.files {
            let (_, entries) = self.entries(path, found, snapshot);
            let known = self.known.get(path);
            let renewed = known.cloned().unwrap_or_default().renewed(entries, &|file| is_seen(path, seen, file));
            let findings = counted(renewed.len(), "finding");
            if known == Some(&renewed) {
                terminal.remark(format!("`{}` is up to date: {findings}.", shown(path)));
                continue;
            }
            Output::new(&crate::config::shown(path), seen.iter().map(PathBuf::as_path))?.write(&renewed.to_json())?;
            terminal.remark(format!("Wrote {findings} to `{}`.", shown(path)));
            let is_used = self.is_named || seen.iter().any(|file| configs.baseline(file).is_some_and(|used| absolute(&used) == *path));
            if !is_used {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                terminal.remark(format!(
                    "Use it with `--baseline {}`, or set `baseline = \"{name}\"` under `[lint]` in weave.toml.",
                    shown(path)
                ));
            }
        }
        Ok(Exit::Clean)
    }

    /// The findings that one baseline may know, and their indexes among all.
    fn entries(&self, path: &Path, found: &[Diagnostic], snapshot: &Snapshot) -> (Vec<usize>, Vec<BaselineEntry>) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let identities = snapshot.identities(found);
        let entry = |(index, (finding, identity)): (usize, (&Diagnostic, _))| {
            let file = absolute(Path::new(snapshot.sources().name(finding.primary.place.file)));
            let holds = self.of_file.get(&file).is_some_and(|of_file| of_file == path);
            holds.then(|| (index, BaselineEntry::new(relative(folder, &file), finding, identity)))
        };
        found.iter().zip(identities).enumerate().filter_map(entry).unzip()
    }
}

/// Where the baseline of a file lies, if one is wanted.
fn place(arguments: &args::Lint, configs: &Configs, file: &Path) -> Option<PathBuf> {
    match &arguments.write_baseline {
        Some(Some(named)) => return Some(named.clone()),
        None if arguments.no_baseline => return None,
        _ => {}
    }
    let of_config = || configs.baseline(file);
    let fresh = || arguments.write_baseline.as_ref().map(|_| configs.folder(file).unwrap_or_default().join(NAME));
    arguments.baseline.clone().or_else(of_config).or_else(fresh)
}

/// Whether the run looked at a file, or would have if it still existed. The name counts from the folder of the baseline.
fn is_seen(baseline: &Path, seen: &BTreeSet<PathBuf>, file: &str) -> bool {
    let path = absolute(&baseline.parent().unwrap_or(Path::new("")).join(file));
    seen.contains(&path) || !path.exists()
}

fn what_is_gone(path: &Path, gone: &[BaselineEntry]) -> Option<Vec<String>> {
    let count: usize = gone.iter().map(|entry| entry.count as usize).sum();
    if count == 0 {
        return None;
    }
    let are = if count == 1 { "is" } else { "are" };
    let mut lines = vec![format!("{} of the baseline `{}` {are} gone:", counted(count, "finding"), shown(path))];
    for entry in gone.iter().take(MOST_LISTED) {
        let times = if entry.count > 1 { format!(" ({} times)", entry.count) } else { String::new() };
        lines.push(format!("  {}: {}: {}{times}", entry.file, entry.rule, entry.message));
    }
    if gone.len() > MOST_LISTED {
        lines.push(format!("  … and {} more", gone.len() - MOST_LISTED));
    }
    lines.push("Run `weave lint PATH… --write-baseline` to shrink it.".to_owned());
    Some(lines)
}

/// A path from the root as it is shown: from the current folder, if it lies in there.
fn shown(path: &Path) -> String {
    display(&crate::config::shown(path))
}

/// The way from a folder to a file, both from the root, with `/`.
fn relative(folder: &Path, file: &Path) -> String {
    let same = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let ups = folder.components().skip(same).map(|_| Component::ParentDir);
    display(&ups.chain(file.components().skip(same)).collect::<PathBuf>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_from_the_folder_to_the_file() {
        let cases = [("/a", "/a/b/c.weave", "b/c.weave"), ("/a/b", "/a/c.weave", "../c.weave"), ("/x/y", "/a/c.weave", "../../a/c.weave")];
        for (folder, file, way) in cases {
            assert_eq!(relative(Path::new(folder), Path::new(file)), way);
        }
    }
}
