//! Branches that fire together where one was meant.

use weave_syntax::ast::NodeKind;

use super::Hazard;
use crate::flow::Flow;
use crate::flow::dominators::Dominators;
use crate::flow::graph::Graph;
use crate::model::DeclarationKind;
use crate::model::workflow::{Action, Condition, Node, Source, Trigger};

/// How many triggers of a node are compared with one another.
const MOST_TRIGGERS: usize = 16;

/// Finds nodes without a condition that have the trigger of a choice; at the start of a run that is how branches begin, so it does not count.
pub(super) fn beside_choices(flow: &Flow<'_>, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    for (index, node) in graph.indexed().filter(|(_, node)| node.kind == NodeKind::Step && node.limit.is_none()) {
        for (place, trigger) in (0_u32..).zip(&node.triggers) {
            if trigger.condition.is_some() || trigger.source == Source::Start {
                continue;
            }
            let members = graph.groups.id(index, place).map(|group| graph.groups.members(group)).unwrap_or_default();
            let condition = |node: u32, trigger: u32| trigger_of(graph, node, trigger).and_then(|trigger| trigger.condition.as_ref());
            let find = |test: fn(&Condition) -> bool| {
                members.iter().find(|member| condition(member.node, member.trigger).is_some_and(test)).map(|member| member.node)
            };
            let otherwise = find(|condition| matches!(condition, Condition::Else));
            if let Some(choice) = find(|condition| matches!(condition, Condition::When(_))).or(otherwise) {
                found.push(Hazard::BesideChoice { node: index, trigger: place, choice, otherwise });
            }
        }
    }
}

fn trigger_of<'a>(graph: &Graph<'a>, node: u32, trigger: u32) -> Option<&'a Trigger> {
    graph.node(node)?.triggers.get(trigger as usize)
}

/// Finds nodes that fire for each of two steps which always answer both, and lead to something that should happen once.
pub(super) fn twice(flow: &Flow<'_>, dominators: &Dominators, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    for (index, node) in graph.indexed().filter(|(_, node)| node.triggers.len() > 1 && node.limit.is_none()) {
        let answers = |trigger: &Trigger| match (&trigger.source, &trigger.condition) {
            (Source::Step(step), None) => Some(*step),
            _ => None,
        };
        let sources: Vec<u32> = node.triggers.iter().filter_map(answers).take(MOST_TRIGGERS).collect();
        let ways: Vec<Vec<Option<u32>>> = sources.iter().map(|step| sure_way(graph, *step)).collect();
        let pair = ways.iter().enumerate().find_map(|(at, one)| {
            let both = |other: &Vec<Option<u32>>| one.iter().any(|step| other.contains(step));
            let other = ways.iter().skip(at + 1).position(both)?;
            Some((*sources.get(at)?, *sources.get(at + 1 + other)?))
        });
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
    }
}

/// A step and the steps before it that have surely answered then, one after the other, up to the start of the run, which is `None`, or to a step that
/// does not always fire.
fn sure_way(graph: &Graph<'_>, step: u32) -> Vec<Option<u32>> {
    let mut way = vec![Some(step)];
    let mut here = step;
    while way.len() <= graph.nodes.len() {
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
