//! Running the rules.

use rayon::prelude::*;
use weave_diagnostics::{Diagnostic, FileId, sort_and_dedup};

use crate::findings::Findings;
use crate::levels::{Level, Settings};
use crate::project::{FileView, Project};
use crate::registry::RULES;
use crate::rule::{Check, Rule};
use crate::suppression::{self, Day};

/// What a run of the rules is told.
pub struct Options<'a> {
    /// The levels and options of each file.
    pub settings: &'a (dyn Fn(FileId) -> Settings + Sync),
    /// Which day it is, for what is allowed until a day; nothing has expired where nobody says.
    pub today: Option<Day>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Options").field("today", &self.today).finish_non_exhaustive()
    }
}

/// Runs the rules over a program without errors. The findings stand in the order of the files and of the places in them.
#[must_use]
pub fn lint(project: &Project<'_>, options: &Options<'_>) -> Vec<Diagnostic> {
    let files: Vec<FileView<'_>> = project.files().collect();
    let settings: Vec<Settings> = files.iter().map(|file| (options.settings)(file.id())).collect();
    let is_on = |rule: &Rule, settings: &Settings| settings.level(rule) != Level::Off;
    let wanted: Vec<&'static Rule> = RULES.iter().copied().filter(|rule| settings.iter().any(|settings| is_on(rule, settings))).collect();
    let parts = files.par_iter().zip(&settings).flat_map_iter(|(file, settings)| {
        let on: Vec<&'static Rule> = wanted.iter().copied().filter(|rule| is_on(rule, settings)).collect();
        in_file(file, &on, settings)
    });
    let mut found: Vec<Diagnostic> = parts.collect();
    let whole = wanted.par_iter().filter_map(|rule| match rule.check {
        Check::Project(check) => Some((rule, check)),
        _ => None,
    });
    // What is said of some files only cannot set what a rule does with all of them.
    let shared = Settings::default();
    let of_project = whole.flat_map_iter(|(rule, check)| {
        let mut findings = Findings::new(rule, &shared);
        check(project, &mut findings);
        findings.into_found()
    });
    found.extend(of_project.collect::<Vec<_>>());
    found.retain(|finding| project.is_linted(finding.primary.place.file));
    let mut found: Vec<Diagnostic> = found.into_iter().map(|finding| finding.with_places(|place| project.in_text(place))).collect();
    let settings_of = |file: FileId| (file.0 as usize).checked_sub(1).and_then(|index| settings.get(index));
    let is_off = |file, rule: &Rule| settings_of(file).is_none_or(|settings| !is_on(rule, settings));
    let about_allowances = suppression::apply(&files, &mut found, options.today.as_ref(), &is_off);
    found.extend(about_allowances);
    found.retain_mut(|finding| {
        let rule = RULES.iter().find(|rule| std::ptr::eq(rule.code, finding.code));
        let level = rule.zip(settings_of(finding.primary.place.file)).map(|(rule, settings)| settings.level(rule));
        match level.and_then(Level::severity) {
            Some(severity) => finding.severity = severity,
            None => return false,
        }
        true
    });
    sort_and_dedup(&mut found);
    found
}

/// What the rules that look at parts of a file find in it.
fn in_file(file: &FileView<'_>, rules: &[&'static Rule], settings: &Settings) -> Vec<Diagnostic> {
    let declarations: Vec<_> = file.declarations().collect();
    let workflows: Vec<_> = file.workflows().collect();
    let mut found = Vec::new();
    for rule in rules {
        let mut findings = Findings::new(rule, settings);
        match rule.check {
            Check::Declaration(check) => declarations.iter().for_each(|declaration| check(declaration, &mut findings)),
            Check::Workflow(check) => workflows.iter().for_each(|workflow| check(workflow, &mut findings)),
            Check::File(check) => check(file, &mut findings),
            Check::Project(_) | Check::Suppressions => {}
        }
        found.extend(findings.into_found());
    }
    found
}
