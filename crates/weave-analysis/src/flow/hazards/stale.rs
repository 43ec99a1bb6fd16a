//! Answers that are out of date.

use weave_diagnostics::Place;

use super::repeats::Cycles;
use super::{Hazard, MOST};
use crate::flow::Flow;
use crate::flow::dominators::Dominators;
use crate::model::value::{PathRoot, PathSegment};
use crate::model::workflow::{Node, Source};

/// Finds nodes after a step `newest on old | new` that read `old`, where `new` comes after `newest`: from the second round on `old` is not the
/// value that `newest` has worked on.
///
/// Who reads both `old` and `new` compares them, and all answers of a step, `.old[]`, are meant as such.
pub(super) fn reads(flow: &Flow<'_>, dominators: &Dominators, cycles: &Cycles, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let is_merge = |(_, node): &(u32, &Node)| node.triggers.len() > 1 && node.each.is_none() && takes_what_comes(node);
    for (newest, merge) in graph.indexed().filter(is_merge).take(MOST) {
        let step = |source: &Source| match source {
            Source::Step(step) | Source::TopicFrom(_, step) => Some(*step),
            _ => None,
        };
        let steps = || merge.triggers.iter().filter_map(|trigger| step(&trigger.source));
        let Some(new) = steps().find(|step| cycles.share(*step, newest)) else { continue };
        let olds: Vec<u32> = steps().filter(|step| !cycles.share(*step, newest)).collect();
        for (node, reader) in graph.indexed().filter(|(node, _)| *node != newest && dominators.is_before(newest, *node)) {
            let Some((old, place)) = outdated(reader, &olds, new) else { continue };
            found.push(Hazard::StaleRead { node, place, old, new, newest });
        }
    }
}

/// Whether a node reads the value that fires it.
fn takes_what_comes(node: &Node) -> bool {
    let mut takes = false;
    node.action.paths(&mut |path| takes |= path.root == PathRoot::Event);
    takes
}

/// The first of some steps that a node reads, unless it reads another one as well.
fn outdated(node: &Node, olds: &[u32], new: u32) -> Option<(u32, Place)> {
    let mut first: Option<(u32, Place)> = None;
    let mut reads_new = false;
    node.paths(&mut |path| {
        let PathRoot::Step { node: step, .. } = path.root else { return };
        reads_new |= step == new;
        let is_whole = matches!(path.segments.first(), Some(PathSegment::All));
        if olds.contains(&step) && !is_whole && first.is_none_or(|(_, known)| path.place.span.start < known.span.start) {
            first = Some((step, path.place));
        }
    });
    first.filter(|_| !reads_new)
}
