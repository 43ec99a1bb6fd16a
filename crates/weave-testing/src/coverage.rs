//! What tests reach, with places in the sources.

use weave_compiler::{Compiled, Snapshot};
use weave_diagnostics::{FileId, Place, Span};
use weave_scenario::{Coverage, Gap, Goal};

use crate::play::source;

/// What tests reach of a workflow.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The workflow.
    pub workflow: String,
    /// The file that declares it.
    pub file: FileId,
    /// All that a test can reach, in the order of the text.
    pub parts: Vec<Part>,
}

/// One thing that a test can reach.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub goal: Goal,
    /// The line of a test that reaches it: `fail pay unavailable`.
    pub line: String,
    /// Where it is written, if it is.
    pub place: Option<Place>,
    /// Whether a test has reached it.
    pub reached: bool,
}

/// How many of some parts are reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Those that are.
    pub reached: usize,
    /// All of them.
    pub all: usize,
}

impl Reached {
    fn count(&mut self, reached: bool) {
        self.all += 1;
        self.reached += usize::from(reached);
    }

    fn add(&mut self, other: Self) {
        self.reached += other.reached;
        self.all += other.all;
    }

    /// The share in percent, rounded down; all of nothing is everything.
    #[must_use]
    pub fn percent(self) -> usize {
        (self.reached * 100).checked_div(self.all).unwrap_or(100)
    }
}

/// How much tests reach, by what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes that fire.
    pub nodes: Reached,
    /// Guards that are true, and guards that are false.
    pub guards: Reached,
    /// Declared failures.
    pub failures: Reached,
    /// Triggers of nodes with several, timeouts, limits and approvals.
    pub others: Reached,
}

impl Counts {
    /// Everything together.
    #[must_use]
    pub fn total(self) -> Reached {
        let mut total = Reached::default();
        [self.nodes, self.guards, self.failures, self.others].into_iter().for_each(|part| total.add(part));
        total
    }

    /// These and those of another workflow.
    pub fn add(&mut self, other: Self) {
        self.nodes.add(other.nodes);
        self.guards.add(other.guards);
        self.failures.add(other.failures);
        self.others.add(other.others);
    }
}

impl Covered {
    /// How much of the workflow is reached.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for part in &self.parts {
            let kind = match part.goal {
                Goal::Node { .. } => &mut counts.nodes,
                Goal::Guard { .. } => &mut counts.guards,
                Goal::Failure { .. } => &mut counts.failures,
                Goal::Item { .. } | Goal::Timeout { .. } | Goal::Limit { .. } | Goal::Approval { .. } => &mut counts.others,
            };
            kind.count(part.reached);
        }
        counts
    }

    /// What no test reaches.
    pub fn gaps(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| !part.reached)
    }
}

/// What tests have reached of a workflow.
pub(crate) fn covered(snapshot: &Snapshot, workflow: &Compiled, coverage: &Coverage) -> Covered {
    let home = snapshot.sources().name(workflow.file);
    let parts = Coverage::goals(&workflow.definition).into_iter().map(|gap| {
        let reached = coverage.reaches(&gap.goal);
        let place = place(snapshot, workflow, home, &gap);
        Part { goal: gap.goal, line: gap.line, place, reached }
    });
    Covered { workflow: workflow.name.clone(), file: workflow.file, parts: parts.collect() }
}

/// Where something that a test can reach was written; what was not written itself is where its node is.
fn place(snapshot: &Snapshot, workflow: &Compiled, home: &str, gap: &Gap) -> Option<Place> {
    let map = &workflow.source_map;
    let range = map.paths.get(&gap.pointer).or_else(|| map.nodes.get(gap.goal.node()?)).or_else(|| map.paths.get("/workflow"))?;
    let name = map.sources.get(range.source as usize)?;
    let file = source(snapshot, home, name).0?;
    Some(Place::new(file, Span::new(range.start, range.end)))
}
