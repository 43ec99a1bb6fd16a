//! What tests reach: as a table, for programs that show it on lines, and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use weave_diagnostics::{Charset, FileId};
use weave_scenario::Goal;
use weave_testing::{Counts, Covered, Part, Reached};

use super::Run;
use super::report::escaped;
use crate::args::{self, CoverageFormat};
use crate::failure::Failure;
use crate::input::display;
use crate::printed::Printed;
use crate::report::may_write;
use crate::terminal::Terminal;

/// What is said about coverage of some tests.
const PARTIAL: &str = "This is the coverage of the tests that --filter names, not of all.\n";

/// Reports what tests reach, if that is asked for; whether it is enough.
pub(crate) fn report(run: &Run, arguments: &args::Test, terminal: Terminal) -> Result<bool, Failure> {
    if let Some(format) = arguments.coverage {
        let text = match format {
            CoverageFormat::Table => table(run) + if arguments.filter.is_empty() { "" } else { PARTIAL },
            CoverageFormat::Lcov => lcov(run),
            CoverageFormat::Cobertura => cobertura(run),
            CoverageFormat::Json => {
                let all: Vec<Value> = run.played.coverage.iter().map(|covered| document(run, covered)).collect();
                serde_json::to_string_pretty(&all)
                    .map(|text| text + "\n")
                    .map_err(|error| Failure::new(format!("cannot write the coverage: {error}")))?
            }
        };
        match &arguments.coverage_output {
            Some(path) => {
                may_write(path, run.snapshot.sources())?.write(&text)?;
                terminal.remark(format!("The coverage is in `{}`.", display(path)));
            }
            None => terminal.print(&match format {
                CoverageFormat::Json => Printed::json(&text),
                _ => Printed::drawn(&text),
            })?,
        }
    }
    let mut counts = Counts::default();
    run.played.coverage.iter().for_each(|covered| counts.add(covered.counts()));
    let total = counts.total();
    let Some(wanted) = arguments.min_coverage else { return Ok(true) };
    if total.percent() >= usize::from(wanted) {
        return Ok(true);
    }
    terminal.say(format!("error: the tests cover {} %, but --min-coverage requires {wanted} %", total.percent()));
    Ok(false)
}

/// A line for each workflow, and below it a line for each thing that no test reaches.
fn table(run: &Run) -> String {
    let mut text = String::from("\n");
    let width = run.played.coverage.iter().map(|covered| covered.workflow.chars().count()).max().unwrap_or_default().max("workflow".len());
    let _ = writeln!(text, "{:<width$}  {:>9}  {:>11}  {:>9}  {:>9}", "workflow", "nodes", "guard sides", "failures", "others");
    let cell = |reached: Reached| if reached.all == 0 { "–".to_owned() } else { format!("{}/{}", reached.reached, reached.all) };
    for covered in &run.played.coverage {
        let counts = covered.counts();
        let _ = writeln!(
            text,
            "{:<width$}  {:>9}  {:>11}  {:>9}  {:>9}",
            covered.workflow,
            cell(counts.nodes),
            cell(counts.guards),
            cell(counts.failures),
            cell(counts.others)
        );
        for gap in covered.gaps() {
            let _ = writeln!(text, "  no test: {:<40}{}", gap.line, place(run, gap).map(|place| format!("  {place}")).unwrap_or_default());
        }
    }
    text
}

/// `support.weave:94`.
fn place(run: &Run, part: &Part) -> Option<String> {
    let (file, line) = line(run, part)?;
    Some(format!("{}:{line}", run.snapshot.sources().name(file)))
}

fn line(run: &Run, part: &Part) -> Option<(FileId, u32)> {
    let place = part.place?;
    let source = run.snapshot.sources().get(place.file)?;
    Some((place.file, source.line_column(place.span.start).line))
}

/// What kind of thing a goal is, in a word.
const fn kind(goal: &Goal) -> &'static str {
    match goal {
        Goal::Node { .. } => "node",
        Goal::Item { .. } => "trigger",
        Goal::Guard { .. } => "guard",
        Goal::Failure { .. } => "failure",
        Goal::Timeout { .. } => "timeout",
        Goal::Limit { .. } => "limit",
        Goal::Approval { .. } => "approval",
    }
}

pub(super) fn document(run: &Run, covered: &Covered) -> Value {
    let counts = covered.counts();
    let reached = |reached: Reached| json!({ "reached": reached.reached, "all": reached.all });
    let part = |part: &Part| {
        let at = line(run, part);
        json!({
            "kind": kind(&part.goal),
            "line": part.line,
            "reached": part.reached,
            "file": at.map(|(file, _)| run.snapshot.sources().name(file)),
            "source_line": at.map(|(_, line)| line),
        })
    };
    json!({
        "workflow": covered.workflow,
        "file": run.snapshot.sources().name(covered.file),
        "nodes": reached(counts.nodes),
        "guard_sides": reached(counts.guards),
        "failures": reached(counts.failures),
        "others": reached(counts.others),
        "parts": covered.parts.iter().map(part).collect::<Vec<_>>(),
    })
}

/// What is known of a line of a source.
#[derive(Default)]
struct Line {
    /// Whether what starts on it is reached; nothing if nothing does.
    hit: Option<bool>,
    /// Its branches: sides of guards, failures, and the like.
    branches: Vec<bool>,
}

/// The lines of the sources, by file.
fn by_line(run: &Run) -> BTreeMap<FileId, BTreeMap<u32, Line>> {
    let mut files: BTreeMap<FileId, BTreeMap<u32, Line>> = BTreeMap::new();
    for part in run.played.coverage.iter().flat_map(|covered| &covered.parts) {
        let Some((file, line)) = line(run, part) else { continue };
        let line = files.entry(file).or_default().entry(line).or_default();
        if let Goal::Node { .. } = part.goal {
            line.hit = Some(line.hit.unwrap_or_default() || part.reached);
        } else {
            line.branches.push(part.reached);
        }
    }
    files
}

impl Line {
    fn is_hit(&self) -> bool {
        self.hit.unwrap_or_else(|| self.branches.contains(&true))
    }
}

/// The format of lcov's tracefiles: nodes are lines, the rest are branches.
fn lcov(run: &Run) -> String {
    let mut text = String::new();
    for (file, lines) in by_line(run) {
        let _ = writeln!(text, "TN:\nSF:{}", Charset::Unicode.line(run.snapshot.sources().name(file)));
        let (mut found, mut hit) = (0, 0);
        for (number, line) in &lines {
            for (index, reached) in line.branches.iter().enumerate() {
                let _ = writeln!(text, "BRDA:{number},0,{index},{}", u8::from(*reached));
                found += 1;
                hit += usize::from(*reached);
            }
        }
        let _ = writeln!(text, "BRF:{found}\nBRH:{hit}");
        for (number, line) in &lines {
            let _ = writeln!(text, "DA:{number},{}", u8::from(line.is_hit()));
        }
        let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", lines.len(), lines.values().filter(|line| line.is_hit()).count());
    }
    text
}

/// Cobertura's XML.
fn cobertura(run: &Run) -> String {
    let files = by_line(run);
    let rate = |hit: usize, all: usize| if all == 0 { "1".to_owned() } else { format!("{:.4}", hit as f64 / all as f64) };
    let all_lines: Vec<&Line> = files.values().flat_map(BTreeMap::values).collect();
    let branches = |lines: &[&Line]| {
        let all: Vec<bool> = lines.iter().flat_map(|line| line.branches.iter().copied()).collect();
        (all.iter().filter(|reached| **reached).count(), all.len())
    };
    let hit = |lines: &[&Line]| lines.iter().filter(|line| line.is_hit()).count();
    let (branches_hit, branches_all) = branches(&all_lines);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<coverage line-rate=\"{}\" branch-rate=\"{}\" lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{branches_hit}\" branches-valid=\"{branches_all}\" complexity=\"0\" version=\"{}\" timestamp=\"0\">\n  <packages>\n    <package name=\"weave\" line-rate=\"{}\" branch-rate=\"{}\" complexity=\"0\">\n      <classes>\n",
        rate(hit(&all_lines), all_lines.len()),
        rate(branches_hit, branches_all),
        hit(&all_lines),
        all_lines.len(),
        env!("CARGO_PKG_VERSION"),
        rate(hit(&all_lines), all_lines.len()),
        rate(branches_hit, branches_all),
    );
    for (file, lines) in &files {
        let name = escaped(run.snapshot.sources().name(*file));
        let own: Vec<&Line> = lines.values().collect();
        let (branches_hit, branches_all) = branches(&own);
        let _ = writeln!(
            text,
            "        <class name=\"{name}\" filename=\"{name}\" line-rate=\"{}\" branch-rate=\"{}\" complexity=\"0\">\n          <methods/>\n          <lines>",
            rate(hit(&own), own.len()),
            rate(branches_hit, branches_all)
        );
        for (number, line) in lines {
            let hits = u8::from(line.is_hit());
            if line.branches.is_empty() {
                let _ = writeln!(text, "            <line number=\"{number}\" hits=\"{hits}\"/>");
                continue;
            }
            let (reached, all) = (line.branches.iter().filter(|reached| **reached).count(), line.branches.len());
            let percent = (reached * 100).checked_div(all).unwrap_or(100);
            let _ = writeln!(
                text,
                "            <line number=\"{number}\" hits=\"{hits}\" branch=\"true\" condition-coverage=\"{percent}% ({reached}/{all})\"/>"
            );
        }
        text.push_str("          </lines>\n        </class>\n");
    }
    text.push_str("      </classes>\n    </package>\n  </packages>\n</coverage>\n");
    text
}
