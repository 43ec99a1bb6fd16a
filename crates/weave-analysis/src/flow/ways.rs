//! The shortest way to a node on which a step has not answered.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::Flow;
use super::graph::{Cause, Graph};
use super::lineage::Lineage;

/// Where a way leads: to a node, or to the condition of one of its triggers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) node: u32,
    pub(super) trigger: Option<u32>,
}

impl Goal {
    /// The cause of the trigger whose condition is the goal.
    pub(super) fn cause<'a>(self, graph: &Graph<'a>) -> Option<Cause<'a>> {
        graph.causes_of(self.node).get(self.trigger? as usize).copied()
    }
}

/// A vertex on a way, and the place of the trigger by which it fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) vertex: u32,
    pub(super) trigger: u32,
}

/// How much may be searched for ways: a workflow with thousands of wrong reads shows the ways of the first ones.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        Self(1_000_000_usize.max(graph.len() * 8))
    }

    /// The shortest way from the start, or from an event from outside, to a goal on which a step has not answered.
    ///
    /// It is searched for from its end. Where a join lacks the step, all its members do, and the way goes through one of them.
    pub(super) fn way_without(&mut self, flow: &Flow<'_>, sure: &Lineage, goal: Goal, step: u32) -> Vec<Hop> {
        let graph = &flow.graph;
        // For each vertex that was met the hop that it leads to.
        let mut leads_to: FxHashMap<u32, Hop> = FxHashMap::default();
        let mut open = VecDeque::from([goal.node]);
        let mut wanted = goal.trigger;
        while let Some(vertex) = open.pop_front() {
            // Only of the goal itself a single trigger may be meant.
            let wanted = wanted.take();
            for (index, cause) in graph.causes_of(vertex).iter().enumerate() {
                if self.0 == 0 {
                    return Vec::new();
                }
                self.0 -= 1;
                let trigger = index as u32;
                if wanted.is_some_and(|wanted| wanted != trigger) {
                    continue;
                }
                if matches!(cause, Cause::Never(_)) || sure.holds(cause, step) || flow.is_proven(vertex, trigger, step, goal) {
                    continue;
                }
                let hop = Hop { vertex, trigger };
                if cause.is_root() || matches!(cause, Cause::Emitted(_)) {
                    return follow(hop, goal, &leads_to);
                }
                let joined = matches!(cause, Cause::Answer(_) | Cause::All(_) | Cause::Count(..));
                for source in cause.sources() {
                    let lacks = !(sure.has(source, step) || joined && source == step);
                    if graph.fires(source) && lacks && !leads_to.contains_key(&source) {
                        leads_to.insert(source, hop);
                        open.push_back(source);
                    }
                }
            }
        }
        Vec::new()
    }
}

/// The way from a hop to the goal.
fn follow(start: Hop, goal: Goal, leads_to: &FxHashMap<u32, Hop>) -> Vec<Hop> {
    let mut way = vec![start];
    let is_goal = |hop: Hop| hop.vertex == goal.node && goal.trigger.is_none_or(|trigger| trigger == hop.trigger);
    let mut hop = start;
    while let Some(next) = leads_to.get(&hop.vertex).filter(|_| !is_goal(hop)) {
        way.push(*next);
        hop = *next;
    }
    way
}
