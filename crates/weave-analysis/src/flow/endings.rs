//! Whether nodes are reached, whether a run can end, and what ends it too early.

use super::Flow;
use super::beside::Beside;
use super::components::Components;
use super::graph::{Cause, Graph};
use super::groups::{Group, Key};
use crate::messages::flow as message;
use crate::model::DeclarationKind;
use crate::model::workflow::{Action, Source};
use rustc_hash::FxHashSet;
use weave_syntax::ast::NodeKind;

/// Reports the nodes that only lead to themselves. What lies behind them, or behind a trigger that never fires, follows from that.
pub(super) fn check_reached(flow: &Flow<'_>) -> bool {
    let graph = &flow.graph;
    if (0..graph.len() as u32).all(|vertex| graph.fires(vertex)) {
        return false;
    }
    let components = Components::new(&graph.after);
    let mut excused = vec![false; components.has_cycle.len()];
    for vertex in (0..graph.len() as u32).filter(|vertex| !graph.fires(*vertex)) {
        for cause in graph.causes_of(vertex) {
            let follows = matches!(cause, Cause::Never(_))
                || cause.sources().any(|source| !graph.fires(source) && !components.together(source, vertex));
            if let Some(excused) = components.of.get(vertex as usize).and_then(|component| excused.get_mut(*component as usize)) {
                *excused |= follows;
            }
        }
    }
    let mut found = false;
    for (index, node) in graph.indexed().filter(|(index, _)| !graph.fires(*index)) {
        let Some(excused) = components.of.get(index as usize).and_then(|component| excused.get_mut(*component as usize)) else { continue };
        if std::mem::replace(excused, true) {
            continue;
        }
        // A join that is reached by some of its members only waits for those that are behind it.
        let cycle = components.cycle(index, &graph.after);
        found = true;
        flow.report(message::unreachable(&node.name, node.name_place, &flow.labels(&cycle)));
    }
    found
}

/// Reports a workflow that no node ends.
pub(super) fn check_has_end(flow: &Flow<'_>) -> bool {
    let has_end = flow.graph.doubts.lost_end || flow.graph.nodes.iter().any(|node| node.kind != NodeKind::Step);
    if !has_end {
        flow.report(message::no_end(flow.workflow, flow.place));
    } else if !flow.graph.doubts.lost_end
        && let DeclarationKind::Workflow(signature) = &flow.declaration.kind
        && signature.output.is_some()
        && flow.graph.nodes.iter().all(|node| node.kind != NodeKind::End)
    {
        let fail = flow.graph.nodes.iter().find(|node| node.kind == NodeKind::Fail);
        flow.report(message::never_succeeds(flow.workflow, flow.place, fail.map(|node| node.name_place)));
    }
    has_end
}

/// From where a run goes on to its end.
pub(super) struct Endings {
    /// The vertices from which an `end` or a `fail` can be reached.
    ending: Vec<bool>,
    /// The vertices beside which something else goes on that can end the run, whenever they fire.
    live: Vec<bool>,
    /// Whether something may come from outside at any time that ends the run, so that it never hangs.
    stays_open: bool,
}

impl Endings {
    /// `is_right` says whether nothing is wrong with the workflow, so that its runs are tried as well.
    pub(super) fn new(flow: &Flow<'_>, is_right: bool) -> Self {
        let graph = &flow.graph;
        let Ways { ending, fired } = Ways::new(graph);
        let all = (0..graph.len() as u32).all(|vertex| !graph.fires(vertex) || at(&ending, vertex));
        let comes = |cause: &Cause<'_>| matches!(cause, Cause::Outside | Cause::Clock | Cause::Unknown);
        let is_unknown = |vertex: u32| at(&fired, vertex) && graph.causes_of(vertex).contains(&Cause::Unknown);
        let is_open = |vertex: u32| at(&ending, vertex) && graph.causes_of(vertex).iter().any(comes) || is_unknown(vertex);
        let stays_open = graph.doubts.lost || (0..graph.len() as u32).any(is_open);
        let live = if stays_open || all && graph.nodes.iter().all(|node| node.limit.is_none()) && !has_joins(graph) {
            Vec::new()
        } else {
            goes_on_elsewhere(graph, &ending, if is_right { FxHashSet::default() } else { joined(graph, &ending) })
        };
        Self { ending, live, stays_open }
    }

    /// Whether the run cannot end any more when a vertex has fired and nothing fires behind it.
    pub(super) fn hangs(&self, vertex: u32) -> bool {
        !self.stays_open && !at(&self.live, vertex)
    }

    /// Whether an `end` or a `fail` can be reached.
    pub(super) fn is_ending(&self, vertex: u32) -> bool {
        at(&self.ending, vertex)
    }
}

fn has_joins(graph: &Graph<'_>) -> bool {
    graph.causes.iter().flatten().any(|cause| cause.members().is_some())
}

/// For each vertex whether a run hangs after it: neither `end` nor `fail` can be reached from it, and nothing else goes on.
///
/// A failure that nobody handles ends a run too, but is no way to go on; so what follows only on a node's own failure does not count.
pub(super) fn find_dead_ends(flow: &Flow<'_>, endings: &Endings) -> Vec<bool> {
    let graph = &flow.graph;
    let is_dead = |vertex: u32| graph.fires(vertex) && !endings.is_ending(vertex) && endings.hangs(vertex);
    (0..graph.len() as u32).map(is_dead).collect()
}

/// Reports the nodes after which a run hangs. If it is known that no run comes to a standstill, only loops are left, in which it goes
/// round for ever.
pub(super) fn check_dead_ends(flow: &Flow<'_>, endings: &Endings, dead: &[bool], never_stalls: bool) {
    let graph = &flow.graph;
    if dead.iter().all(|dead| !dead) {
        return;
    }
    // The last ones tell it all: those from which no other dead one is reached.
    let mut edges = vec![Vec::new(); graph.len()];
    for vertex in (0..graph.len() as u32).filter(|vertex| at(dead, *vertex)) {
        for cause in graph.causes_of(vertex).iter().filter(|cause| !matches!(cause, Cause::Failed(_))) {
            for source in cause.sources().filter(|source| at(dead, *source)) {
                if let Some(edges) = edges.get_mut(source as usize) {
                    edges.push(vertex);
                }
            }
        }
    }
    let components = Components::new(&edges);
    let mut seen = vec![false; components.has_cycle.len()];
    for (vertex, targets) in edges.iter().enumerate() {
        if targets.iter().any(|target| !components.together(vertex as u32, *target))
            && let Some(seen) = components.of.get(vertex).and_then(|component| seen.get_mut(*component as usize))
        {
            *seen = true;
        }
    }
    for (index, node) in graph.indexed().filter(|(index, _)| at(dead, *index)) {
        let Some(seen) = components.of.get(index as usize).and_then(|component| seen.get_mut(*component as usize)) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        if components.on_cycle(index) {
            flow.report(message::endless(&node.name, node.name_place, &flow.labels(&components.cycle(index, &edges))));
        } else if !never_stalls {
            flow.report(message::dead_end(&node.name, node.name_place, &silenced(flow, index, endings)));
        }
    }
}

/// The steps that a node cancels, and behind which the run would have gone on.
fn silenced(flow: &Flow<'_>, node: u32, endings: &Endings) -> Vec<super::Named> {
    let Some(Action::Cancel(steps)) = flow.graph.node(node).map(|node| &node.action) else { return Vec::new() };
    flow.labels(&steps.iter().map(|step| step.node).filter(|step| endings.is_ending(*step)).collect::<Vec<_>>())
}

/// The vertices from which an `end` or a `fail` can be reached.
///
/// The failure of a step leads on from where the step fires, but not from its answer. So it is a way out of a loop in which the step is asked again and again.
struct Ways {
    /// Those that are one, and those of which something that is said while they are open, or their answer, leads to one.
    ending: Vec<bool>,
    /// Those that lead to one once they have fired, be it by failing.
    fired: Vec<bool>,
}

impl Ways {
    fn new(graph: &Graph<'_>) -> Self {
        let mut ways = Self { ending: vec![false; graph.len()], fired: vec![false; graph.len()] };
        let mut open = (0..graph.nodes.len() as u32).filter(|node| graph.is_end(*node) && graph.fires(*node)).collect::<Vec<_>>();
        for end in &open {
            mark(&mut ways.ending, *end);
        }
        while let Some(vertex) = open.pop() {
            if mark(&mut ways.fired, vertex) {
                continue;
            }
            for cause in graph.causes_of(vertex) {
                match cause {
                    Cause::Never(_) => {}
                    // A handler of all failures is there for what goes wrong: nobody means it as a way out.
                    Cause::Failed(step) => open.extend((graph.node(vertex).is_some() && graph.fires(*step)).then_some(*step)),
                    cause => {
                        for source in cause.sources().filter(|source| graph.fires(*source)) {
                            mark(&mut ways.ending, source);
                            open.push(source);
                        }
                    }
                }
            }
        }
        ways
    }
}

/// Marks a vertex; whether it was marked before.
fn mark(values: &mut [bool], vertex: u32) -> bool {
    std::mem::replace(values.get_mut(vertex as usize).unwrap_or(&mut true), true)
}

/// The vertices beside which something else goes on that can end the run, whenever they fire.
pub(super) fn live(graph: &Graph<'_>) -> Vec<bool> {
    goes_on_elsewhere(graph, &Ways::new(graph).ending, FxHashSet::default())
}

/// The steps for which a join waits that can end the run.
fn joined(graph: &Graph<'_>, ending: &[bool]) -> FxHashSet<u32> {
    let joins = (0..graph.len() as u32).filter(|vertex| at(ending, *vertex)).flat_map(|vertex| graph.causes_of(vertex));
    joins.filter_map(Cause::members).flatten().copied().collect()
}

/// `joined` are steps whose answer is taken to go on in a join, whatever the others do for which that waits.
fn goes_on_elsewhere(graph: &Graph<'_>, ending: &[bool], joined: FxHashSet<u32>) -> Vec<bool> {
    let beside = Beside::new(graph, ending, joined);
    let mut live = vec![true; graph.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for vertex in graph.order.iter().copied().filter(|vertex| graph.fires(*vertex)) {
            let is_live = graph.causes_of(vertex).iter().enumerate().all(|(trigger, cause)| {
                beside.goes_on(vertex, trigger as u32)
                    || beside.is_heard_otherwise(vertex, trigger as u32, cause)
                    || match cause {
                        Cause::Never(_) | Cause::Unknown => true,
                        // What they stand on is still open, or goes its own way.
                        Cause::Inner(step) | Cause::Closed(step) | Cause::Late(step) | Cause::Emitted(step) => {
                            at(&live, *step) || at(ending, *step) && !beside.cancels(vertex, *step)
                        }
                        cause => cause.sources().any(|source| at(&live, source)),
                    }
            });
            if !is_live && at(&live, vertex) {
                changed = true;
                if let Some(live) = live.get_mut(vertex as usize) {
                    *live = false;
                }
            }
        }
    }
    live
}

/// Reports nodes that stand beside an `end` or a `fail` which fires in the same moment, whatever happens. What fires before something that
/// it reads, which is `premature`, is meant to fire elsewhere.
pub(super) fn check_beside_ends(flow: &Flow<'_>, premature: &FxHashSet<u32>) {
    let graph = &flow.graph;
    for (index, node) in graph.indexed().filter(|(index, _)| graph.fires(*index) && !graph.doubts.is_unclear(*index)) {
        // What is said at once before the end is said.
        let is_said = matches!(node.action, Action::Emit { .. }) && graph.answers_at_once(index);
        // Of two ends the later one stands beside the other.
        let is_beside = |end: &u32| *end != index && (*end < index || !graph.is_end(index) && !is_said);
        let ends = |group: Option<&Group>| group.and_then(|group| group.end).filter(is_beside);
        let found = node.triggers.iter().enumerate().find_map(|(trigger, written)| {
            let own = graph.groups.id(index, trigger as u32).and_then(|id| graph.groups.get(id));
            let find = |key: Key| ends(graph.groups.find(&key));
            // An answer of a step may be meant in several ways: by the step, by the topic, by both.
            let wider = || match (&written.source, graph.causes_of(index).get(trigger)) {
                (Source::TopicFrom(topic, step), Some(Cause::Answer(_))) => find(Key::Step(*step)).or_else(|| find(Key::Topic(*topic))),
                // (The answer of a fan-out has no topic.)
                (Source::Step(step), Some(Cause::Answer(_))) if graph.node(*step).is_some_and(|node| node.each.is_none()) => {
                    match graph.answers_of(*step) {
                        [only] => find(Key::Topic(*only)).or_else(|| find(Key::TopicFrom(*only, *step))),
                        _ => None,
                    }
                }
                _ => None,
            };
            ends(own).or_else(wider).map(|end| (written.place, end))
        });
        let at_start = || {
            let group = graph.groups.id(index, 0).and_then(|id| graph.groups.get(id));
            node.triggers.is_empty().then(|| ends(group)).flatten().map(|end| (node.name_place, end))
        };
        if let Some((place, end)) = found.or_else(at_start)
            && !graph.doubts.has_mistake(place)
            && !premature.contains(&index)
            && !premature.contains(&end)
        {
            flow.report(message::beside_end(&node.name, place, &flow.name(end), flow.name_place(end)));
        }
    }
}

pub(super) fn at(values: &[bool], vertex: u32) -> bool {
    values.get(vertex as usize).copied().unwrap_or(false)
}
