//! Branches that fire together where one was meant.

use rustc_hash::FxHashMap;
use weave_syntax::ast::NodeKind;

use super::{Hazard, MOST};
use crate::flow::Flow;
use crate::flow::dominators::Dominators;
use crate::flow::graph::Graph;
use crate::flow::groups::{GroupId, Member};
use crate::model::DeclarationKind;
use crate::model::workflow::{Action, Condition, Node, Source, Trigger};

/// How many triggers of a node are compared with one another.
const MOST_TRIGGERS: usize = 16;

/// How many steps before each of them are looked at.
const MOST_STEPS: usize = 32;

/// Finds nodes without a condition that have the trigger of a choice; at the start of a run that is how branches begin, so it does not count.
pub(super) fn beside_choices(flow: &Flow<'_>, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let mut choices: FxHashMap<GroupId, Option<Choice>> = FxHashMap::default();
    for (index, node) in graph.indexed().filter(|(_, node)| node.kind == NodeKind::Step && node.limit.is_none()) {
        for (place, trigger) in (0_u32..).zip(&node.triggers) {
            if trigger.condition.is_some() || trigger.source == Source::Start {
                continue;
            }
            let Some(group) = graph.groups.id(index, place) else { continue };
            if let Some(Choice { first, otherwise }) = *choices.entry(group).or_insert_with(|| choice(graph, group)) {
                found.push(Hazard::BesideChoice { node: index, trigger: place, choice: first, otherwise });
            }
        }
    }
}

/// The choice of a trigger.
#[derive(Clone, Copy)]
struct Choice {
    /// Its first node with a guard, or else that with the `else`.
    first: u32,
    /// The node with the `else`.
    otherwise: Option<u32>,
}

fn choice(graph: &Graph<'_>, group: GroupId) -> Option<Choice> {
    let condition = |member: &Member| graph.node(member.node)?.triggers.get(member.trigger as usize)?.condition.as_ref();
    let members = || graph.groups.members(group).iter();
    let otherwise = members().find(|member| matches!(condition(member), Some(Condition::Else))).map(|member| member.node);
    let guarded = members().find(|member| matches!(condition(member), Some(Condition::When(_)))).map(|member| member.node);
    Some(Choice { first: guarded.or(otherwise)?, otherwise })
}

/// Finds nodes that fire for each of two steps which always answer both, and lead to something that should happen once.
pub(super) fn twice(flow: &Flow<'_>, dominators: &Dominators, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let mut looked = 0;
    for (index, node) in graph.indexed().filter(|(_, node)| node.triggers.len() > 1 && node.limit.is_none()) {
        let answers = |trigger: &Trigger| match (&trigger.source, &trigger.condition) {
            (Source::Step(step), None) => Some(*step),
            _ => None,
        };
        let sources = node.triggers.iter().filter_map(answers).take(MOST_TRIGGERS);
        let pair = share_a_way(graph, sources);
        // What comes after the node itself is a loop.
        let is_loop = |step: u32| dominators.is_before(index, step);
        let Some((first, second)) = pair.filter(|(first, second)| first != second && !is_loop(*first) && !is_loop(*second)) else {
            continue;
        };
        let is_once = |(other, node): &(u32, &Node)| {
            dominators.is_before(index, *other) && node.limit != Some(1) && graph.fires(*other) && should_happen_once(graph, node)
        };
        if let Some((repeated, _)) = graph.indexed().find(is_once) {
            found.push(Hazard::FiresTwice { node: index, first, second, repeated });
        }
        looked += 1;
        if looked == MOST {
            return;
        }
    }
}

/// The first two of some steps that both always answer: going back from each of them over steps that surely came before, one comes to the same.
fn share_a_way(graph: &Graph<'_>, sources: impl Iterator<Item = u32>) -> Option<(u32, u32)> {
    let mut reached: FxHashMap<Option<u32>, u32> = FxHashMap::default();
    for source in sources {
        let way = sure_way(graph, source);
        if let Some(first) = way.iter().find_map(|step| reached.get(step)) {
            return Some((*first, source));
        }
        reached.extend(way.into_iter().map(|step| (step, source)));
    }
    None
}

/// A step and the steps before it that have surely answered then, one after the other, up to the start of the run, which is `None`, or to a step that
/// does not always fire.
fn sure_way(graph: &Graph<'_>, step: u32) -> Vec<Option<u32>> {
    let mut way = vec![Some(step)];
    let mut here = step;
    while way.len() < MOST_STEPS {
        let Some(node) = graph.node(here).filter(|node| node.limit.is_none()) else { break };
        let before = match &*node.triggers {
            [] => None,
            [Trigger { source: Source::Start, condition: None, .. }] => None,
            [Trigger { source: Source::Step(step), condition: None, .. }] => Some(*step),
            _ => break,
        };
        way.push(before);
        let Some(before) = before else { break };
        here = before;
    }
    way
}

/// Whether a node does something that makes a difference when it is done twice.
fn should_happen_once(graph: &Graph<'_>, node: &Node) -> bool {
    match &node.action {
        Action::Call { tool, .. } => match graph.model.get(*tool).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Tool(tool)) => tool.hints.is_none_or(|hints| !hints.read_only && !hints.idempotent),
            _ => false,
        },
        // A person is asked.
        Action::Emit { event, .. } => match graph.model.get(*event).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Event(event)) => !event.answers.is_empty(),
            _ => false,
        },
        _ => false,
    }
}
