//! What replaying said, as diagnostics in each format, and a summary.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use weave_diagnostics::bounds::RUN_DIAGNOSTICS;
use weave_diagnostics::{Charset, Diagnostic, Place, SourceFile, SourceMap, Span, counted};
use weave_replay::{Places, Verdict, diagnostic, problem};

use super::versions::Versions;
use super::{Outcome, scrolls};
use crate::args;
use crate::failure::Failure;
use crate::input::display;
use crate::report::{Findings, report_findings};
use crate::terminal::Terminal;

/// The places of one workflow.
struct Of<'v> {
    workflow: &'v str,
    versions: &'v Versions,
    sources: &'v SourceMap,
}

impl Places for Of<'_> {
    fn now(&self, pointer: &str) -> Option<Place> {
        self.versions.place_now(self.workflow, pointer)
    }

    fn then(&self, pointer: &str) -> Option<Place> {
        self.versions.place_then(self.workflow, pointer)
    }

    fn text(&self, place: Place) -> String {
        self.sources.text(place).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Reports what is not the same, and a summary.
pub(super) fn report(
    files: &[PathBuf],
    outcomes: &[Outcome],
    versions: &Versions,
    mut sources: SourceMap,
    arguments: &args::Replay,
    terminal: Terminal,
) -> Result<(), Failure> {
    let is_same = |outcome: &Outcome| matches!(outcome, Outcome::Replayed { verdict: Verdict::Same, .. });
    let different: Vec<(&PathBuf, &Outcome)> = files.iter().zip(outcomes).filter(|(_, outcome)| !is_same(outcome)).collect();
    let more = different.len().saturating_sub(RUN_DIAGNOSTICS.most);
    let mut found = Vec::new();
    for (file, outcome) in different.into_iter().take(RUN_DIAGNOSTICS.most) {
        found.extend(found_in(file, outcome, versions, &mut sources));
    }
    let summary = summary(outcomes, versions);
    let fingerprint = |finding: &Diagnostic| {
        let digest = weave_ir::sha256(format!("{}\0{}", finding.code.id, finding.message).as_bytes());
        digest.trim_start_matches("sha256:").chars().take(32).collect::<String>()
    };
    let findings = Findings {
        found: &found,
        sources: &sources,
        files: versions.files(),
        fingerprints: &|| found.iter().map(fingerprint).collect(),
        nothing: summary.clone(),
    };
    report_findings(&findings, &arguments.report, terminal)?;
    if more > 0 {
        terminal.say(format!("{} not reported: a run reports at most {}", counted(more, "more difference"), RUN_DIAGNOSTICS.most));
    }
    if !found.is_empty() {
        terminal.remark(summary);
    }
    Ok(())
}

/// The diagnostic of one file.
fn found_in(file: &Path, outcome: &Outcome, versions: &Versions, sources: &mut SourceMap) -> Option<Diagnostic> {
    let name = display(file);
    match outcome {
        Outcome::Bad(bad) => {
            let line = excerpt(file, &name, bad.line, sources);
            Some(problem(bad, line))
        }
        Outcome::Replayed { workflow, verdict } => {
            let seq = match verdict {
                Verdict::EndsOtherwise { seq, .. } | Verdict::NoLongerFits { seq, .. } | Verdict::CutOff { seq } => *seq,
                Verdict::Diverges(divergence) | Verdict::Altered(divergence) => divergence.seq,
                Verdict::Same | Verdict::Broken(_) => 0,
            };
            let line = excerpt(file, &name, scrolls::line_of(file, seq), sources);
            diagnostic(verdict, &name, line, &Of { workflow, versions, sources })
        }
    }
}

/// One line of a scroll as a file with this line alone, at its place: the lines before it are empty.
fn excerpt(file: &Path, name: &str, number: usize, sources: &mut SourceMap) -> Place {
    let text = scrolls::line(file, number);
    let before = number.saturating_sub(1);
    let (start, end) = (before as u32, (before + text.len()) as u32);
    let id = sources.add(Arc::new(SourceFile::new(name, ("\n".repeat(before) + &text).into())));
    Place::new(id, Span::new(start, end))
}

/// One run in a list: its verdict, its file, its workflow.
pub(super) fn line(file: &str, outcome: &Outcome) -> String {
    let workflow = match outcome {
        Outcome::Replayed { workflow, .. } => format!("  {workflow}"),
        Outcome::Bad(_) => String::new(),
    };
    Charset::Unicode.line(&format!("{:<14}  {file}{workflow}", outcome.word())) + "\n"
}

/// How many runs came to what.
fn summary(outcomes: &[Outcome], versions: &Versions) -> String {
    let count = |words: &[&str]| outcomes.iter().filter(|outcome| words.contains(&outcome.word())).count();
    let verb = |count: usize, one: &str, more: &str| (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { more }));
    let parts = [
        verb(count(&["same"]), "the same", "the same"),
        verb(count(&["ends-otherwise"]), "ends otherwise", "end otherwise"),
        verb(count(&["diverges"]), "diverges", "diverge"),
        verb(count(&["no-longer-fits"]), "has an answer that no longer fits", "have an answer that no longer fits"),
        verb(count(&["broken", "altered", "cut-off"]), "cannot be replayed", "cannot be replayed"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let hint = if versions.has_then() || count(&["diverges"]) == 0 { "" } else { "; `--against REV` shows the guards of then" };
    format!("{}: {}{hint}", counted(outcomes.len(), "run"), parts.join(", "))
}
