//! Exhausts small runs: every order of what may happen, with crashes, lost and late answers.
//!
//! A state is the store, the drive of a process, what it wants done, and what is on its way to and from the callees. Safety is
//! checked in each state. Liveness: from each state the end is reachable by steps that are no faults. The search is breadth-first, so
//! the trace of a violation is a shortest one.

mod cases;
mod seeds;
mod world;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use world::{Case, Step, World};

/// What a search came to.
pub(crate) struct Checked {
    pub(crate) states: usize,
    /// What is violated, with the steps that lead there.
    pub(crate) violation: Option<(String, Vec<Step>)>,
}

/// Searches all states of a case, at most `most`.
pub(crate) fn check(case: &Case, most: usize) -> Checked {
    let start = World::new(case);
    let mut known = HashMap::from([(start.fingerprint(), 0usize)]);
    // The state before each state, and the step between them.
    let mut parents: Vec<Option<(usize, Step)>> = vec![None];
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut goals = Vec::new();
    let mut open = VecDeque::from([(0usize, start)]);
    let trace = |parents: &[Option<(usize, Step)>], mut at: usize| {
        let mut steps = Vec::new();
        while let Some((parent, step)) = parents[at].clone() {
            steps.push(step);
            at = parent;
        }
        steps.reverse();
        steps
    };
    while let Some((at, world)) = open.pop_front() {
        if let Some(violation) = world.violation() {
            return Checked { states: known.len(), violation: Some((violation, trace(&parents, at))) };
        }
        if world.is_goal() {
            goals.push(at);
        }
        for step in world.steps() {
            let mut next = world.clone();
            next.take(&step);
            let fingerprint = next.fingerprint();
            let fault = step.is_fault();
            let place = match known.entry(fingerprint) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    parents.push(Some((at, step)));
                    before.push(Vec::new());
                    open.push_back((parents.len() - 1, next));
                    *new.insert(parents.len() - 1)
                }
            };
            if !fault {
                before[place].push(at);
            }
        }
        assert!(known.len() < most, "more than {most} states: the case is too large");
    }
    let mut alive = vec![false; parents.len()];
    while let Some(goal) = goals.pop() {
        if !std::mem::replace(&mut alive[goal], true) {
            goals.extend(&before[goal]);
        }
    }
    let stuck = alive.iter().position(|alive| !alive);
    let violation = stuck.map(|at| ("the end cannot be reached any more".to_owned(), trace(&parents, at)));
    Checked { states: parents.len(), violation }
}
