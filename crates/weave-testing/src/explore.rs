//! Exploring the workflows of a program: what must not happen, as diagnostics, and tests that reach what none reaches.

use rayon::prelude::*;
use weave_compiler::{Compiled, Snapshot};
use weave_diagnostics::{Diagnostic, FileId, Place, Span};
use weave_scenario::{Coverage, Defect, DefectKind, Exploring, Goal, Subject};

use crate::codes::explore_code;
use crate::coverage::{Covered, covered};
use crate::generated::checked;
use crate::play::{Played, source, subject};
use crate::write::written;

/// What exploring workflows came to.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The workflows, in the order of the program.
    pub workflows: Vec<Explored>,
}

/// What exploring one workflow came to.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The workflow.
    pub workflow: String,
    /// The file that declares it.
    pub file: FileId,
    /// How many runs there were.
    pub runs: u32,
    /// How many events there were.
    pub events: u64,
    /// What was reached.
    pub covered: Covered,
    /// What must not happen, each with the test that shows it in its notes.
    pub findings: Vec<Diagnostic>,
    /// What is wrong with weave itself, with the run that shows it: no workflow can cause it.
    pub broken: Vec<String>,
    /// Tests that reach what no test reached before. All of them pass.
    pub tests: Vec<Generated>,
}

/// A test that was written by exploring.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The `test` item.
    pub text: String,
    /// The lines that name what it reaches: `expect late`.
    pub reaches: Vec<String>,
}

impl Exploration {
    /// All findings, in their order.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.workflows.iter().flat_map(|explored| &explored.findings)
    }

    /// All tests, in their order.
    pub fn tests(&self) -> impl Iterator<Item = &Generated> {
        self.workflows.iter().flat_map(|explored| &explored.tests)
    }
}

/// Explores workflows on all cores, and reports what must not happen.
#[must_use]
pub fn explore_all(snapshot: &Snapshot, workflows: &[Compiled], exploring: Exploring) -> Exploration {
    let one = |workflow: &Compiled| {
        let subject = subject(snapshot, workflow);
        let found = weave_scenario::explore(&subject, exploring);
        let findings = found.defects.iter().filter_map(|defect| finding(snapshot, workflow, &subject, defect));
        let of_weave = found.defects.iter().filter(|defect| explore_code(defect.kind).is_none());
        Explored {
            workflow: workflow.name.clone(),
            file: workflow.file,
            runs: found.runs,
            events: found.events,
            covered: covered(snapshot, workflow, &found.coverage),
            findings: findings.collect(),
            broken: of_weave.map(|defect| format!("{}\n{}", defect.message, written(&defect.script))).collect(),
            tests: Vec::new(),
        }
    };
    Exploration { workflows: workflows.par_iter().map(one).collect() }
}

/// Writes a test for each node and each side of a guard that the tests that were played do not reach, as far as exploring knows a way.
#[must_use]
pub fn suggest_all(snapshot: &Snapshot, workflows: &[Compiled], played: &Played, exploring: Exploring) -> Exploration {
    let one = |workflow: &Compiled| {
        let subject = subject(snapshot, workflow);
        let known = known(workflow, played);
        let found = weave_scenario::explore(&subject, Exploring { defects: 0, ..exploring });
        let goals = Coverage::goals(&workflow.definition);
        let mut tests = Vec::new();
        let mut reached = known.clone();
        for suggestion in found.suggestions(&subject, &known) {
            let Ok(text) = checked(snapshot, workflow, &written(&suggestion.script)) else { continue };
            suggestion.goals.iter().for_each(|goal| reached.reach(goal.clone()));
            let line = |goal: &Goal| goals.iter().find(|gap| gap.goal == *goal).map(|gap| gap.line.clone());
            tests.push(Generated { text, reaches: suggestion.goals.iter().filter_map(line).collect() });
        }
        Explored {
            workflow: workflow.name.clone(),
            file: workflow.file,
            runs: found.runs,
            events: found.events,
            covered: covered(snapshot, workflow, &reached),
            findings: Vec::new(),
            broken: Vec::new(),
            tests,
        }
    };
    Exploration { workflows: workflows.par_iter().map(one).collect() }
}

/// What the tests that were played reach of a workflow.
fn known(workflow: &Compiled, played: &Played) -> Coverage {
    let mut known = Coverage::default();
    let of = played.coverage.iter().find(|covered| covered.workflow == workflow.name && covered.file == workflow.file);
    for part in of.iter().flat_map(|covered| &covered.parts).filter(|part| part.reached) {
        known.reach(part.goal.clone());
    }
    known
}

fn finding(snapshot: &Snapshot, workflow: &Compiled, subject: &Subject, defect: &Defect) -> Option<Diagnostic> {
    let code = explore_code(defect.kind)?;
    let home = snapshot.sources().name(workflow.file);
    let map = &workflow.source_map;
    let pointer = match (defect.kind, &defect.node) {
        (DefectKind::InvalidInput, Some(node)) => node_pointer(subject, node).map(|pointer| format!("{pointer}/payload")),
        (DefectKind::InvalidOutput, Some(node)) => node_pointer(subject, node).map(|pointer| format!("{pointer}/output")),
        _ => None,
    };
    let range = pointer
        .and_then(|pointer| map.paths.get(&pointer))
        .or_else(|| map.nodes.get(defect.node.as_ref()?))
        .or_else(|| map.paths.get("/workflow"));
    let place = range.and_then(|range| {
        let file = source(snapshot, home, map.sources.get(range.source as usize)?).0?;
        Some(Place::new(file, Span::new(range.start, range.end)))
    });
    let place = place.unwrap_or_else(|| Place::new(workflow.file, Span::at(0)));
    let text = written(&defect.script);
    let found = Diagnostic::new(code, place, format!("in a run of `{}`, {}", workflow.name, defect.message));
    let found = found.note(defect.way.clone());
    Some(match checked(snapshot, workflow, &text) {
        Ok(text) => found.note(format!("this test shows it:\n{}", text.trim_end())),
        Err(reason) => found.note(format!("the run, which is not a test that passes ({reason}):\n{}", text.trim_end())),
    })
}

fn node_pointer(subject: &Subject, node: &str) -> Option<String> {
    let place = subject.definition().nodes.iter().position(|it| it.id == node)?;
    Some(format!("/nodes/{place}"))
}
