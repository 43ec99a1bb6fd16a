//! Exploring a workflow: thousands of runs in a random world, guided by what they reach.
//!
//! A run is a list of lines, as a test has them, so that whatever is found can be printed as a test. Each run goes on from the
//! beginning of one that reached something new, and says what was said least so far.

mod actions;
mod defects;
mod shrink;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use weave_runner::Event;
use weave_sample::Sampler;

use crate::coverage::{Coverage, Goal};
use crate::play::Play;
use crate::run::covered;
use crate::script::{LineKind, Script};
use crate::subject::Subject;
use crate::tape::Tape;
use actions::Actions;
use values::Values;

pub use defects::{Defect, DefectKind};

/// The longest run, in lines.
const MOST_LINES: usize = 160;
/// So many beginnings are remembered.
const MOST_BEGINNINGS: usize = 400;
/// Each so manieth run is also held to what is true of all runs.
const CHECKED: u64 = 16;

/// How a workflow is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exploring {
    /// How many runs there are.
    pub runs: u32,
    /// Where chance begins: the same seed gives the same runs.
    pub seed: u64,
    /// It ends as soon as so many defects are found; with 0, it looks for none, and ends as soon as everything is reached.
    pub defects: usize,
}

/// What exploring a workflow came to.
#[derive(Clone, Debug)]
pub struct Explored {
    /// How many runs there were.
    pub runs: u32,
    /// How many events there were.
    pub events: u64,
    /// What they have reached.
    pub coverage: Coverage,
    /// What must not happen, each kind once a node, in the order in which it was found.
    pub defects: Vec<Defect>,
    /// How each thing is reached that is reached: a run up to the line that reaches it.
    ways: BTreeMap<Goal, Vec<LineKind>>,
}

/// A way to something that a test can reach.
#[derive(Clone, Debug)]
pub struct Found {
    /// What the test reaches.
    pub goals: Vec<Goal>,
    /// The test. It passes.
    pub script: Script,
}

/// Explores a workflow.
#[must_use]
pub fn explore(subject: &Subject, exploring: Exploring) -> Explored {
    let sampler = Sampler::new(subject.definition());
    let mut explorer = Explorer {
        subject,
        sampler: &sampler,
        actions: Actions::new(subject),
        values: Values::new(subject, exploring.seed),
        beginnings: Vec::new(),
        shapes: BTreeSet::new(),
        goals: Coverage::goals(subject.definition()).into_iter().map(|gap| gap.goal).collect(),
        explored: Explored { runs: 0, events: 0, coverage: Coverage::default(), defects: Vec::new(), ways: BTreeMap::new() },
    };
    for _ in 0..exploring.runs {
        explorer.run(exploring.defects > 0);
        let is_over = match exploring.defects {
            0 => explorer.goals.iter().all(|goal| explorer.explored.coverage.reaches(goal)),
            most => explorer.explored.defects.len() >= most,
        };
        if is_over {
            break;
        }
    }
    explorer.explored
}

impl Explored {
    /// Tests that reach what is reached here and not by other tests, as few as were found. Each passes.
    #[must_use]
    pub fn suggestions(&self, subject: &Subject, known: &Coverage) -> Vec<Found> {
        let mut reached = known.clone();
        let mut found = Vec::new();
        for gap in known.gaps(subject.definition()) {
            let is_wanted = matches!(gap.goal, Goal::Node { .. } | Goal::Guard { .. } | Goal::Item { .. });
            let Some(way) = self.ways.get(&gap.goal).filter(|_| is_wanted && !reached.reaches(&gap.goal)) else { continue };
            let Some((script, coverage)) = shrink::to_goal(subject, way, &gap.goal, &test_name(&gap.goal, found.len())) else { continue };
            let goals = Coverage::goals(subject.definition()).into_iter().map(|gap| gap.goal);
            let goals = goals.filter(|goal| coverage.reaches(goal) && !reached.reaches(goal)).collect();
            reached.merge(&coverage);
            found.push(Found { goals, script });
        }
        found
    }
}

/// `reaches_late`, `without_review`.
fn test_name(goal: &Goal, number: usize) -> String {
    match goal {
        Goal::Node { node } => format!("reaches_{node}"),
        Goal::Item { node, item } => format!("reaches_{node}_by_{}", item + 1),
        Goal::Guard { node, result: false, item } => {
            format!("without_{node}{}", item.map_or_else(String::new, |item| format!("_{}", item + 1)))
        }
        Goal::Guard { node, .. } => format!("with_{node}"),
        _ => format!("suggested_{number}"),
    }
}

/// What of a run is known already.
#[derive(Default)]
struct Marks {
    decisions: usize,
    chosen: usize,
    scroll: usize,
    coverage: Coverage,
}

struct Explorer<'s> {
    subject: &'s Subject,
    sampler: &'s Sampler<'s>,
    actions: Actions,
    values: Values,
    /// Runs up to the lines that reached something new.
    beginnings: Vec<Vec<LineKind>>,
    /// The states that were seen: what is open, and which node fired last.
    shapes: BTreeSet<String>,
    goals: Vec<Goal>,
    explored: Explored,
}

impl Explorer<'_> {
    fn run(&mut self, look_for_defects: bool) {
        self.explored.runs += 1;
        let beginning = self.beginning();
        let tape = Tape::new(MOST_LINES);
        let calm = self.values.below(3) == 0;
        let mut play = Play::new(self.subject, self.sampler, self.values.below(2) as u32);
        let mut lines: Vec<LineKind> = Vec::new();
        let mut marks = Marks::default();
        let mut pool = values::Pool::default();
        for place in 0..MOST_LINES {
            let kind = match beginning.get(place) {
                Some(kind) => kind.clone(),
                None => match self.actions.next(&play, self.sampler, &mut self.values, &pool, calm) {
                    Some(kind) => kind,
                    None => break,
                },
            };
            pool.take(&kind);
            match tape.play(&mut play, kind.clone()) {
                Ok(true) => lines.push(kind),
                // A beginning that does not fit any more, because what is made up is another.
                Ok(false) | Err(_) => break,
            }
            self.note(&play, &lines, &mut marks);
            if play.runner.is_done() {
                break;
            }
        }
        self.explored.events += play.scroll.len() as u64;
        if look_for_defects {
            self.look(&play, &lines);
        }
        let all = covered(self.subject.definition(), &play);
        self.explored.coverage.merge(&all);
    }

    /// Where a run begins: anew, or like an earlier one.
    fn beginning(&mut self) -> Vec<LineKind> {
        if self.beginnings.is_empty() || self.values.below(4) == 0 {
            return Vec::new();
        }
        // What was found last is nearest to what is not reached.
        let count = self.beginnings.len();
        let place = if self.values.below(2) == 0 { count - 1 - self.values.below(count.min(8)) } else { self.values.below(count) };
        let Some(lines) = self.beginnings.get(place) else { return Vec::new() };
        let mut lines = lines.clone();
        if self.values.below(3) > 0 && lines.len() > 1 {
            let length = 1 + self.values.below(lines.len());
            lines.truncate(length);
        }
        lines
    }

    /// Notes what the last line reached for the first time.
    fn note(&mut self, play: &Play<'_>, lines: &[LineKind], marks: &mut Marks) {
        let mut fresh: Vec<Goal> = Vec::new();
        for decision in play.trace.decisions.iter().skip(marks.decisions) {
            fresh.push(Goal::Guard { node: decision.node.clone(), item: decision.item, result: decision.result });
        }
        for (node, item) in play.trace.chosen.iter().skip(marks.chosen) {
            fresh.push(Goal::Item { node: node.clone(), item: *item });
        }
        for event in play.scroll.iter().skip(marks.scroll).filter(|event| event.topic == "workflow.step") {
            if let Some(node) = node_of(event) {
                fresh.push(Goal::Node { node });
            }
        }
        if play.coverage != marks.coverage {
            marks.coverage = play.coverage.clone();
            fresh.extend(self.goals.iter().filter(|goal| marks.coverage.reaches(goal)).cloned());
        }
        marks.decisions = play.trace.decisions.len();
        marks.chosen = play.trace.chosen.len();
        marks.scroll = play.scroll.len();
        let mut is_new = false;
        for goal in fresh {
            if !self.explored.ways.contains_key(&goal) {
                self.explored.coverage.reach(goal.clone());
                self.explored.ways.insert(goal, lines.to_vec());
                is_new = true;
            }
        }
        let shape = shape(play);
        if !self.shapes.contains(&shape) && self.shapes.len() < MOST_BEGINNINGS {
            self.shapes.insert(shape);
            is_new = true;
        }
        if is_new && !play.runner.is_done() && self.beginnings.len() < MOST_BEGINNINGS {
            self.beginnings.push(lines.to_vec());
        }
    }

    /// Looks for what must not happen in a run that is over.
    fn look(&mut self, play: &Play<'_>, lines: &[LineKind]) {
        let is_checked = u64::from(self.explored.runs).is_multiple_of(CHECKED);
        let found = defects::of(play, lines).or_else(|| is_checked.then(|| defects::of_all_runs(play, &mut self.values)).flatten());
        let Some((kind, node, message)) = found else { return };
        if self.explored.defects.iter().any(|known| known.kind == kind && known.node == node) {
            return;
        }
        let defect = shrink::to_defect(self.subject, lines, kind, node, message, self.explored.defects.len());
        self.explored.defects.push(defect);
    }
}

/// The node that fires with this event.
fn node_of(event: &Event) -> Option<String> {
    event.data()?.get("id")?.as_str().map(str::to_owned)
}

/// What is open, and which node fired last with how many firings, up to three.
fn shape(play: &Play<'_>) -> String {
    let mut text = String::new();
    for slot in play.slots() {
        text += &format!("{} {:?};", slot.node, slot.phase);
    }
    if let Some((node, number)) = play.way().last() {
        text += &format!("|{node} {}", number.min(3));
    }
    text
}
