//! `--explore` and `--suggest`: random runs, what must not happen in them, and tests that reach what none reaches.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Value, json};
use weave_compiler::{Compiled, Snapshot};
use weave_diagnostics::{Charset, Diagnostic, Renderer, Style, counted};
use weave_report::Format;
use weave_scenario::Exploring;
use weave_testing::{Counts, Exploration, Explored, Filter, explore_all, play, suggest_all};

use super::report::escaped;
use crate::args::{self, TestFormat};
use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::report::lines;
use crate::terminal::Terminal;

/// A workflow with so many findings is explored no further.
const MOST_FINDINGS: usize = 20;

/// Explores the workflows of the files.
pub(crate) fn run(arguments: &args::Test, terminal: Terminal) -> Result<Exit, Failures> {
    let Some((snapshot, tests, _)) = super::read(arguments, terminal)? else { return Ok(Exit::Errors) };
    let workflows = match snapshot.compile() {
        Ok(own) if own.is_empty() => tests.workflows.clone(),
        Ok(own) => with_tested(own, &tests.workflows),
        Err(diagnostics) => {
            terminal.report(&diagnostics, snapshot.sources());
            return Ok(Exit::Errors);
        }
    };
    if workflows.is_empty() {
        let failure = Failure::new("there is no workflow to explore");
        return Err(failure.help("name a file that declares a workflow, or has a test of one").into());
    }
    let begun = Instant::now();
    let exploring = |runs| Exploring { runs, seed: arguments.seed, defects: MOST_FINDINGS };
    let found = match (arguments.explore, arguments.suggest) {
        (Some(runs), _) => explore_all(&snapshot, &workflows, exploring(runs)),
        (None, runs) => {
            let played = play(&snapshot, &tests, &Filter::default(), &|| begun.elapsed());
            suggest_all(&snapshot, &workflows, &played, exploring(runs.unwrap_or(1)))
        }
    };
    let explored =
        Reported { found: &found, snapshot: &snapshot, suggests: arguments.suggest.is_some(), milliseconds: begun.elapsed().as_millis() };
    explored.print(arguments, terminal)?;
    let broken: Vec<&String> = found.workflows.iter().flat_map(|explored| &explored.broken).collect();
    for broken in &broken {
        terminal.say("error: this is a defect of weave, not of the workflow; please report it:");
        broken.lines().for_each(|line| terminal.say(line));
    }
    Ok(if broken.is_empty() && found.findings().next().is_none() { Exit::Clean } else { Exit::Errors })
}

/// The workflows of the files, and those that their tests are about.
fn with_tested(mut own: Vec<Compiled>, tested: &[Compiled]) -> Vec<Compiled> {
    for workflow in tested {
        if !own.iter().any(|known| known.file == workflow.file && known.name == workflow.name) {
            own.push(workflow.clone());
        }
    }
    own
}

struct Reported<'r> {
    found: &'r Exploration,
    snapshot: &'r Snapshot,
    suggests: bool,
    milliseconds: u128,
}

impl Reported<'_> {
    fn print(&self, arguments: &args::Test, terminal: Terminal) -> Result<(), Failure> {
        let findings: Vec<Diagnostic> = self.found.findings().cloned().collect();
        let sources = self.snapshot.sources();
        match arguments.format {
            TestFormat::Human => terminal.print(&Printed::drawn(&self.human(&findings, terminal)))?,
            TestFormat::Json => {
                let text = serde_json::to_string_pretty(&self.document());
                let text = text.map_err(|error| Failure::new(format!("cannot write the report: {error}")))?;
                return terminal.print(&Printed::json(&(text + "\n")));
            }
            TestFormat::JUnit => return terminal.print(&Printed::drawn(&self.junit())),
            TestFormat::GitHub | TestFormat::Agent => {
                let format = if arguments.format == TestFormat::GitHub { Format::GitHub } else { Format::Agent };
                terminal.print(&lines(format, &findings, sources)?)?;
                terminal.print(&Printed::exact(self.tests()))?;
            }
        }
        self.found.workflows.iter().for_each(|explored| terminal.remark(self.summary(explored)));
        terminal.remark(format!("With the seed {}, in {} ms.", arguments.seed, self.milliseconds));
        Ok(())
    }

    fn human(&self, findings: &[Diagnostic], terminal: Terminal) -> String {
        let renderer = Renderer { style: Style::Full, color: terminal.colors_output(), ..Renderer::default() };
        renderer.render_all(findings, self.snapshot.sources()) + &self.tests()
    }

    /// The tests that were written, to be put into a file.
    fn tests(&self) -> String {
        let mut text = String::new();
        for test in self.found.tests() {
            if !text.is_empty() {
                text.push('\n');
            }
            let shown: String = test.text.chars().map(|it| if it == '\n' { it } else { Charset::Unicode.visible(it) }).collect();
            text.push_str(&shown);
        }
        text
    }

    /// "support: 2,000 runs with 25,310 events, 1 finding. Nodes 12 of 12, guard sides 8 of 8"
    fn summary(&self, explored: &Explored) -> String {
        let Counts { nodes, guards, .. } = explored.covered.counts();
        let mut text = format!(
            "{}: {} with {}",
            explored.workflow,
            counted(explored.runs as usize, "run"),
            counted(explored.events as usize, "event")
        );
        if self.suggests {
            let _ = write!(text, ", {}", counted(explored.tests.len(), "new test"));
        } else {
            let _ = write!(text, ", {}", counted(explored.findings.len(), "finding"));
        }
        let _ = write!(text, ". Nodes {} of {}", nodes.reached, nodes.all);
        if guards.all > 0 {
            let _ = write!(text, ", guard sides {} of {}", guards.reached, guards.all);
        }
        text
    }

    fn document(&self) -> Value {
        let sources = self.snapshot.sources();
        let finding = |finding: &Diagnostic| {
            let place = finding.primary.place;
            let at = sources.get(place.file).map(|file| file.line_column(place.span.start));
            json!({
                "id": finding.code.id,
                "message": finding.message,
                "notes": finding.notes,
                "file": sources.name(place.file),
                "line": at.map(|at| at.line + 1),
                "column": at.map(|at| at.column + 1),
            })
        };
        let workflow = |explored: &Explored| {
            let Counts { nodes, guards, .. } = explored.covered.counts();
            json!({
                "workflow": explored.workflow,
                "file": sources.name(explored.file),
                "runs": explored.runs,
                "events": explored.events,
                "nodes": { "reached": nodes.reached, "all": nodes.all },
                "guard_sides": { "reached": guards.reached, "all": guards.all },
                "findings": explored.findings.iter().map(finding).collect::<Vec<_>>(),
                "tests": explored.tests.iter().map(|test| json!({ "text": test.text, "reaches": test.reaches })).collect::<Vec<_>>(),
            })
        };
        json!({ "version": "1", "milliseconds": self.milliseconds as u64, "workflows": self.found.workflows.iter().map(workflow).collect::<Vec<_>>() })
    }

    /// A case for each workflow.
    fn junit(&self) -> String {
        let (count, failures) = (self.found.workflows.len(), self.found.workflows.iter().filter(|it| !it.findings.is_empty()).count());
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"weave\" tests=\"{count}\" failures=\"{failures}\" errors=\"0\">\n  <testsuite name=\"explore\" tests=\"{count}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n"
        );
        let renderer = Renderer { style: Style::Full, charset: Charset::Unicode, color: false };
        for explored in &self.found.workflows {
            let (name, file) = (escaped(&explored.workflow), escaped(self.snapshot.sources().name(explored.file)));
            let _ = writeln!(text, "    <testcase name=\"{name}\" classname=\"{file}\">");
            for finding in &explored.findings {
                let drawing = escaped(renderer.render(finding, self.snapshot.sources()).trim_end());
                let message = escaped(&finding.message);
                let _ = writeln!(text, "      <failure message=\"{message}\" type=\"{}\">{drawing}</failure>", finding.code.id);
            }
            text.push_str("    </testcase>\n");
        }
        text.push_str("  </testsuite>\n</testsuites>\n");
        text
    }
}
