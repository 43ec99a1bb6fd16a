//! Playing the tests of a program.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use weave_compiler::{Compiled, CompiledTest, CompiledTests, Snapshot, join_import, normalize_path};
use weave_diagnostics::{Diagnostic, FileId, Place, Span};
use weave_runner::{Event, Prepared};
use weave_scenario::{Branch, Sources, Subject};

use crate::coverage::{Covered, covered};
use crate::findings::diagnostic;

/// Which tests are wanted, by their paths.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The wanted paths; none: all tests.
    pub paths: Vec<String>,
}

impl Filter {
    /// Whether a test is wanted: its path is one of these, or is inside one of these.
    #[must_use]
    pub fn wants(&self, path: &str) -> bool {
        let is_in = |wanted: &String| {
            let wanted = wanted.trim_end_matches('/');
            path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.paths.is_empty() || self.paths.iter().any(is_in)
    }
}

/// A test that is one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its path: `refund/above_the_limit/manager_approves`.
    pub path: String,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// Where its name is.
    pub place: Place,
    /// Why it fails; none: it passes. Tests that share the failing line have the same diagnostic.
    pub failure: Option<Diagnostic>,
    /// The scroll of its run, up to the failure.
    pub scroll: Vec<Event>,
}

/// The tests of one file.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// The file.
    pub file: FileId,
    /// Its tests, in the order of the text.
    pub tests: Vec<Outcome>,
    /// How long playing them took, on all cores together.
    pub time: Duration,
}

/// What playing tests came to.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The files with tests that were asked for, in their order.
    pub files: Vec<TestFile>,
    /// What was reached of each workflow that is tested, in the order of the program.
    pub coverage: Vec<Covered>,
}

impl Played {
    /// How many tests were played.
    #[must_use]
    pub fn count(&self) -> usize {
        self.files.iter().map(|file| file.tests.len()).sum()
    }

    /// How many of them failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.outcomes().filter(|outcome| outcome.failure.is_some()).count()
    }

    /// The tests in their order.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.files.iter().flat_map(|file| &file.tests)
    }

    /// Why tests failed, in their order; what several tests share is said once.
    #[must_use]
    pub fn failures(&self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for failure in self.outcomes().filter_map(|outcome| outcome.failure.as_ref()) {
            if !found.contains(failure) {
                found.push(failure.clone());
            }
        }
        found
    }
}

/// The paths of the wanted tests, by file, in the order of the text.
#[must_use]
pub fn list(tests: &CompiledTests, filter: &Filter) -> Vec<(FileId, Vec<String>)> {
    let mut found: BTreeMap<FileId, Vec<String>> = BTreeMap::new();
    for test in &tests.tests {
        let mut paths = Vec::new();
        leaves(&test.script.root, "", &mut paths);
        paths.retain(|path| filter.wants(path));
        found.entry(test.file).or_default().extend(paths);
    }
    found.into_iter().filter(|(_, paths)| !paths.is_empty()).collect()
}

/// Inner tests nest no deeper than brackets may.
fn leaves(branch: &Branch, above: &str, found: &mut Vec<String>) {
    let path = if above.is_empty() { branch.name.clone() } else { format!("{above}/{}", branch.name) };
    if branch.branches.is_empty() {
        found.push(path);
        return;
    }
    branch.branches.iter().for_each(|inner| leaves(inner, &path, found));
}

/// Leaves out the inner tests that are not wanted; whether anything is left.
fn prune(branch: &mut Branch, above: &str, filter: &Filter) -> bool {
    let path = if above.is_empty() { branch.name.clone() } else { format!("{above}/{}", branch.name) };
    if branch.branches.is_empty() {
        return filter.wants(&path);
    }
    branch.branches.retain_mut(|inner| prune(inner, &path, filter));
    !branch.branches.is_empty()
}

/// Plays the wanted tests on all cores. `clock` gives the time since some moment; only its differences matter.
#[must_use]
pub fn play(snapshot: &Snapshot, tests: &CompiledTests, filter: &Filter, clock: &(dyn Fn() -> Duration + Sync)) -> Played {
    let mut wanted: Vec<CompiledTest> = tests.tests.clone();
    wanted.retain_mut(|test| prune(&mut test.script.root, "", filter));
    let subjects: Vec<Subject> = tests.workflows.iter().map(|workflow| subject(snapshot, workflow)).collect();
    let one = |test: &CompiledTest| {
        let begun = clock();
        let played = subjects.get(test.workflow).map(|subject| weave_scenario::play(subject, &test.script));
        (played, clock().saturating_sub(begun))
    };
    let results: Vec<_> = match wanted.as_slice() {
        // One test needs no threads, and starting them is a good part of its time.
        [only] => vec![one(only)],
        several => several.par_iter().map(one).collect(),
    };
    let mut files: BTreeMap<FileId, TestFile> = BTreeMap::new();
    let mut reached: BTreeMap<usize, weave_scenario::Coverage> = BTreeMap::new();
    for (test, (played, time)) in wanted.iter().zip(results) {
        let Some(played) = played else { continue };
        reached.entry(test.workflow).or_default().merge(&played.coverage);
        let file = files.entry(test.file).or_insert_with(|| TestFile { file: test.file, tests: Vec::new(), time: Duration::ZERO });
        file.time += time;
        let text = snapshot.sources().get(test.file).map(|source| Arc::clone(source.text())).unwrap_or_default();
        for leaf in played.leaves {
            let place = Place::new(test.file, Span::new(leaf.span.start, leaf.span.end));
            let failure = leaf.finding.as_ref().map(|finding| diagnostic(finding, test.file, &text));
            file.tests.push(Outcome { path: leaf.path, doc: leaf.doc, place, failure, scroll: leaf.scroll });
        }
    }
    let coverage = reached.into_iter().filter_map(|(index, reached)| Some(covered(snapshot, tests.workflows.get(index)?, &reached)));
    Played { files: files.into_values().collect(), coverage: coverage.collect() }
}

/// A workflow that is tested, with the texts of the files that its parts were written in.
pub(crate) fn subject(snapshot: &Snapshot, workflow: &Compiled) -> Subject {
    let home = snapshot.sources().name(workflow.file);
    let texts = workflow.source_map.sources.iter().map(|name| source(snapshot, home, name).1).collect();
    let sources = Sources { map: workflow.source_map.clone(), texts };
    Subject::new(Prepared::new(workflow.definition.clone()), Some(sources))
}

/// The file that a source map of a workflow in the file `home` names, and its text.
pub(crate) fn source(snapshot: &Snapshot, home: &str, name: &str) -> (Option<FileId>, Arc<str>) {
    let path = normalize_path(&join_import(home, name));
    let found = snapshot.sources().iter().find(|(_, source)| normalize_path(source.name()) == path);
    found.map_or((None, Arc::from("")), |(file, source)| (Some(file), Arc::clone(source.text())))
}
