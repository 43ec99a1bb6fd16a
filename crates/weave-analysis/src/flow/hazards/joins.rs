//! Races and quorums whose result a failure or a second success turns round.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_syntax::ast::NodeKind;

use super::Hazard;
use crate::flow::Flow;
use crate::model::workflow::Source;

/// Finds `N of` joins that one failure loses, and `settled` joins that take back a race that was won.
pub(super) fn races(flow: &Flow<'_>, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let sources = || graph.indexed().flat_map(|(index, node)| (0_u32..).zip(&node.triggers).map(move |(place, it)| (index, place, it)));
    let is_race = |source: &Source| matches!(source, Source::Count(count, steps) if *count < steps.len() as u64);
    if !sources().any(|(.., trigger)| is_race(&trigger.source)) {
        return;
    }
    let mut handled: FxHashSet<u32> = FxHashSet::default();
    let mut all_handled = false;
    let mut won: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    for (index, _, trigger) in sources() {
        match &trigger.source {
            Source::Failure(step) => _ = handled.insert(*step),
            Source::Settled(steps) => handled.extend(steps),
            Source::AnyFailure => all_handled = true,
            Source::Count(_, steps) if is_race(&trigger.source) => _ = won.entry(sorted(steps)).or_insert(index),
            _ => {}
        }
    }
    for (node, place, trigger) in sources() {
        match &trigger.source {
            Source::Count(_, steps) if is_race(&trigger.source) && !all_handled => {
                let loses = |step: &&u32| graph.can_fail(**step) && !handled.contains(*step);
                if let Some(member) = steps.iter().find(loses) {
                    found.push(Hazard::LostRace { node, trigger: place, member: *member });
                }
            }
            Source::Settled(steps) if trigger.condition.is_none() => {
                let fails = graph.node(node).is_some_and(|node| node.kind == NodeKind::Fail);
                let Some(race) = won.get(&sorted(steps)).copied().filter(|_| fails) else { continue };
                // An `end` that comes first in the text has ended the run before the last member has settled, or in the same moment.
                let is_over = graph.is_end(race) && race < node;
                if !is_over {
                    found.push(Hazard::ReversedRace { node, trigger: place, race });
                }
            }
            _ => {}
        }
    }
}

fn sorted(steps: &[u32]) -> Vec<u32> {
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    steps
}
