//! `weave diff`: what is compared, what was agreed to, and what is said.

pub(crate) mod git;
pub(crate) mod tree;
pub(crate) mod version;

use std::path::{Path, PathBuf};

use weave_diagnostics::bounds::RUN_DIAGNOSTICS;
use weave_diagnostics::{Diagnostic, FileId, Severity, SourceMap, counted};
use weave_diff::{Accepted, Change, accept, diff};

use crate::args;
use crate::config::Configs;
use crate::failure::{Exit, Failure, Failures};
use crate::lint::today;
use crate::report::{Findings, report_findings};
use crate::terminal::Terminal;
use git::Repository;
use tree::Disk;
use version::Version;

pub(crate) fn run(arguments: &args::Diff, terminal: Terminal) -> Result<Exit, Failures> {
    let mut sources = SourceMap::new();
    let Some((old, new)) = versions(arguments, &mut sources, terminal)? else { return Ok(Exit::Errors) };
    let mut configs = Configs::new(arguments.config.as_deref())?;
    for path in &new.paths {
        configs.find(path)?;
    }
    if !configs.diagnostics.is_empty() {
        terminal.report(&configs.diagnostics, &configs.sources);
        return Ok(Exit::Unusable);
    }
    let (before, after): (Vec<_>, Vec<_>) = (old.definitions.iter().collect(), new.definitions.iter().collect());
    let agreed = accept(diff(&before, &after), &accepted(&configs, &mut sources), today().as_str());
    let (mut found, mut fingerprints) = in_order(&agreed.left, agreed.findings, &old, &new);
    let is_error = found.iter().any(Diagnostic::is_error);
    let warnings = found.iter().filter(|finding| finding.severity == Severity::Warning).count();
    let more = found.len().saturating_sub(RUN_DIAGNOSTICS.most);
    found.truncate(RUN_DIAGNOSTICS.most);
    fingerprints.truncate(RUN_DIAGNOSTICS.most);
    let workflows = old.names().union(&new.names()).count();
    let findings = Findings {
        found: &found,
        sources: &sources,
        files: new.files.clone(),
        fingerprints: &|| fingerprints.clone(),
        nothing: format!("No changes in {}.", counted(workflows, "workflow")),
    };
    report_findings(&findings, &arguments.report, terminal)?;
    if agreed.count > 0 {
        let was = if agreed.count == 1 { "was" } else { "were" };
        terminal.remark(format!("{} {was} accepted.", counted(agreed.count, "change")));
    }
    if more > 0 {
        terminal.say(format!("{} not reported: a run reports at most {}", counted(more, "more change"), RUN_DIAGNOSTICS.most));
    }
    let too_many = arguments.max_warnings.filter(|most| warnings > *most);
    if let Some(most) = too_many {
        terminal.say(format!("{}, and at most {most} are allowed", counted(warnings, "warning")));
    }
    Ok(if is_error || too_many.is_some() { Exit::Errors } else { Exit::Clean })
}

/// Reads both versions; nothing if one of them has errors, which are told. The new one comes first, so that what is said about it does.
fn versions(arguments: &args::Diff, sources: &mut SourceMap, terminal: Terminal) -> Result<Option<(Version, Version)>, Failures> {
    let (new, old) = match (&arguments.against, arguments.paths.as_slice()) {
        (Some(revision), paths) => {
            let here = [PathBuf::from(".")];
            let paths = if paths.is_empty() { &here } else { paths };
            if paths.iter().any(|path| path == Path::new("-")) {
                return Err(Failure::new("`-` cannot be compared with a Git revision").help("name the file to compare").into());
            }
            let repository = Repository::open(revision)?;
            let old_paths = paths.iter().map(|path| repository.place(path)).collect::<Result<Vec<_>, _>>()?;
            // What was deleted is no mistake: it is what changed.
            let is_deleted = |(path, place): &(&PathBuf, &PathBuf)| !path.exists() && repository.has(place);
            let left = paths.iter().zip(&old_paths).filter(|pair| !is_deleted(pair)).map(|(path, _)| path.clone()).collect::<Vec<_>>();
            let new = Version::read(&Disk, &left, sources, terminal)?;
            (new, Version::read(&repository, &old_paths, sources, terminal)?)
        }
        (None, [old, new]) => {
            let read = |path: &PathBuf, sources: &mut SourceMap| Version::read(&Disk, std::slice::from_ref(path), sources, terminal);
            let new = read(new, sources)?;
            (new, read(old, sources)?)
        }
        (None, _) => {
            let failure = Failure::new("two paths are required: the old version and the new version");
            return Err(failure.help("write `weave diff OLD NEW`, or `weave diff --against REV` for a Git revision").into());
        }
    };
    Ok(old.zip(new))
}

/// What was agreed to, with places among all texts.
fn accepted(configs: &Configs, sources: &mut SourceMap) -> Vec<Accepted> {
    let base = sources.iter().count() as u32;
    for (_, file) in configs.sources.iter() {
        sources.add(file.clone());
    }
    let mut accepted = configs.accepted();
    for entry in &mut accepted {
        entry.place.file = FileId(entry.place.file.0 + base);
    }
    accepted
}

/// The changes as diagnostics, and what was found about those that were agreed to, in the order of their places; each with what it is known by.
fn in_order(changes: &[Change], findings: Vec<Diagnostic>, old: &Version, new: &Version) -> (Vec<Diagnostic>, Vec<String>) {
    let of_change = |change: &Change| Some((change.diagnostic(old, new)?, change.fingerprint()));
    let of_finding = |finding: Diagnostic| {
        let digest = weave_ir::sha256(format!("{}\0{}", finding.code.id, finding.message).as_bytes());
        (finding, digest.trim_start_matches("sha256:").chars().take(32).collect())
    };
    let mut all: Vec<(Diagnostic, String)> = changes.iter().filter_map(of_change).chain(findings.into_iter().map(of_finding)).collect();
    all.sort_by(|(one, _), (other, _)| {
        let key = |it: &Diagnostic| (it.primary.place, it.severity, it.code.id);
        key(one).cmp(&key(other)).then_with(|| one.message.cmp(&other.message))
    });
    all.into_iter().unzip()
}
