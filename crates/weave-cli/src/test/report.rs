//! What playing tests came to, in each format.

use std::fmt::Write as _;

use serde_json::{Value, json};
use weave_diagnostics::{Charset, Diagnostic, Renderer, Style, counted};
use weave_report::Format;
use weave_testing::{Counts, Outcome, Reached, TestFile};

use super::Run;
use crate::args::{self, CoverageFormat, TestFormat};
use crate::failure::Failure;
use crate::printed::Printed;
use crate::report::lines;
use crate::terminal::Terminal;

/// So many names of tests are said about one failure.
const MOST_NAMES: usize = 3;

pub(crate) fn report(run: &Run, arguments: &args::Test, terminal: Terminal) -> Result<(), Failure> {
    let failures = failures(run);
    // Standard output has one thing alone.
    if arguments.coverage.is_some_and(|format| format != CoverageFormat::Table) && arguments.coverage_output.is_none() {
        terminal.report(&failures, run.snapshot.sources());
        terminal.remark(summary(run));
        return Ok(());
    }
    match arguments.format {
        TestFormat::Human => {
            terminal.print(&Printed::drawn(&human(run, &failures, arguments, terminal)))?;
            Ok(())
        }
        TestFormat::Json => {
            let mut text =
                serde_json::to_string_pretty(&document(run)).map_err(|error| Failure::new(format!("cannot write the report: {error}")))?;
            text.push('\n');
            terminal.print(&Printed::json(&text))
        }
        TestFormat::JUnit => terminal.print(&Printed::drawn(&junit(run))),
        TestFormat::GitHub => {
            terminal.print(&lines(Format::GitHub, &failures, run.snapshot.sources())?)?;
            terminal.remark(summary(run));
            Ok(())
        }
        TestFormat::Agent => {
            terminal.print(&lines(Format::Agent, &failures, run.snapshot.sources())?)?;
            terminal.remark(summary(run));
            Ok(())
        }
    }
}

/// Why tests fail, each with the tests that it is about.
fn failures(run: &Run) -> Vec<Diagnostic> {
    let of = |failure: &Diagnostic| {
        let names: Vec<&str> = run.played.outcomes().filter(|it| it.failure.as_ref() == Some(failure)).map(|it| &*it.path).collect();
        let mut said = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if names.len() > MOST_NAMES {
            let _ = write!(said, " and {} more", names.len() - MOST_NAMES);
        }
        failure.clone().note(format!("in the {} {said}", if names.len() == 1 { "test" } else { "tests" }))
    };
    run.played.failures().iter().map(of).collect()
}

fn human(run: &Run, failures: &[Diagnostic], arguments: &args::Test, terminal: Terminal) -> String {
    let color = terminal.colors_output();
    let paint = |code: &str, text: &str| if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() };
    let mut text = String::new();
    let name = |file: &TestFile| Charset::Unicode.line(run.snapshot.sources().name(file.file));
    let names: Vec<String> = run.played.files.iter().map(name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    for (file, name) in run.played.files.iter().zip(names) {
        let failed = failed(file);
        let mark = if failed == 0 { paint("32", "✓") } else { paint("31", "✗") };
        let _ = write!(text, "{mark} {name:<width$}   {}", counted(file.tests.len(), "test"));
        text.push_str(&if failed == 0 { "\n".to_owned() } else { format!(", {failed} failed\n") });
    }
    let renderer = Renderer { style: Style::Full, color, ..Renderer::default() };
    for failure in failures {
        text.push('\n');
        text.push_str(renderer.render(failure, run.snapshot.sources()).trim_end());
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&summary(run));
    text.push('\n');
    // What the tests that were left out reach is not known.
    text.push_str(&if arguments.filter.is_empty() { gaps(run) } else { "  only of the tests that --filter names\n".to_owned() });
    text
}

fn failed(file: &TestFile) -> usize {
    file.tests.iter().filter(|outcome| outcome.failure.is_some()).count()
}

/// "26 tests, 1 failed, in 21 ms. Nodes 34 of 36, guard sides 21 of 24, failures 5 of 9"
fn summary(run: &Run) -> String {
    let mut counts = Counts::default();
    run.played.coverage.iter().for_each(|covered| counts.add(covered.counts()));
    let failed = run.played.failed();
    let failed = if failed == 0 { String::new() } else { format!(", {failed} failed") };
    let mut text = format!("{}{failed}, in {} ms. Nodes {}", counted(run.played.count(), "test"), run.milliseconds, of(counts.nodes));
    for (name, reached) in [("guard sides", counts.guards), ("failures", counts.failures)] {
        if reached.all > 0 {
            let _ = write!(text, ", {name} {}", of(reached));
        }
    }
    text
}

fn of(reached: Reached) -> String {
    format!("{} of {}", reached.reached, reached.all)
}

/// The first thing that no test reaches, and how many there are.
fn gaps(run: &Run) -> String {
    let mut gaps = run.played.coverage.iter().flat_map(|covered| covered.gaps().map(move |gap| (covered, gap)));
    let Some((covered, first)) = gaps.next() else { return String::new() };
    let more = gaps.count();
    let more = if more == 0 { "`weave test --coverage` shows where".to_owned() } else { format!("{more} more: weave test --coverage") };
    format!("  no test of {}: {}   ({more})\n", covered.workflow, first.line)
}

fn document(run: &Run) -> Value {
    let sources = run.snapshot.sources();
    let line = |outcome: &Outcome| sources.get(outcome.place.file).map(|file| file.line_column(outcome.place.span.start).line);
    let test = |outcome: &Outcome| {
        let failure = outcome.failure.as_ref().map(|failure| {
            let at = sources.get(failure.primary.place.file).map(|file| file.line_column(failure.primary.place.span.start));
            let fixes: Vec<Value> = failure
                .fixes
                .iter()
                .map(|fix| json!({ "message": fix.message, "text": fix.edits.first().map(|edit| edit.text.trim()) }))
                .collect();
            json!({
                "id": failure.code.id,
                "message": failure.message,
                "label": failure.primary.message,
                "notes": failure.notes,
                "line": at.map(|at| at.line),
                "column": at.map(|at| at.column),
                "fixes": fixes,
            })
        });
        json!({
            "path": outcome.path,
            "file": sources.name(outcome.place.file),
            "line": line(outcome),
            "description": outcome.doc,
            "status": if outcome.failure.is_none() { "passed" } else { "failed" },
            "failure": failure,
        })
    };
    let coverage: Vec<Value> = run.played.coverage.iter().map(|covered| super::coverage::document(run, covered)).collect();
    json!({
        "version": "1",
        "tests": run.played.outcomes().map(test).collect::<Vec<_>>(),
        "passed": run.played.count() - run.played.failed(),
        "failed": run.played.failed(),
        "milliseconds": run.milliseconds as u64,
        "coverage": coverage,
    })
}

fn junit(run: &Run) -> String {
    let (count, failed_count) = (run.played.count(), run.played.failed());
    let seconds = |milliseconds: u128| format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
    let time = seconds(run.milliseconds);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"weave\" tests=\"{count}\" failures=\"{failed_count}\" errors=\"0\" time=\"{time}\">\n"
    );
    let renderer = Renderer { style: Style::Full, charset: Charset::Unicode, color: false };
    for file in &run.played.files {
        let name = escaped(run.snapshot.sources().name(file.file));
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"{}\">",
            file.tests.len(),
            failed(file),
            seconds(file.time.as_millis())
        );
        for outcome in &file.tests {
            let path = escaped(&outcome.path);
            match &outcome.failure {
                None => {
                    let _ = writeln!(text, "    <testcase name=\"{path}\" classname=\"{name}\"/>");
                }
                Some(failure) => {
                    let drawing = escaped(renderer.render(failure, run.snapshot.sources()).trim_end());
                    let _ = writeln!(
                        text,
                        "    <testcase name=\"{path}\" classname=\"{name}\">\n      <failure message=\"{}\" type=\"{}\">{drawing}</failure>\n    </testcase>",
                        escaped(&failure.message),
                        failure.code.id
                    );
                }
            }
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

/// A text in XML: marks are escaped, and characters that XML does not have are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
