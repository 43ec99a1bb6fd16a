//! Mailboxes: those that wait for ever, and those that take one another's events.

use super::Hazard;
use crate::flow::Flow;
use crate::flow::dominators::Dominators;
use crate::flow::endings::{self, at};
use crate::flow::graph::{Cause, Graph};
use crate::flow::triggers::are_forked;
use crate::model::DeclarationId;
use crate::model::guard::{Guard, GuardExpression, GuardKind};
use crate::model::value::ResolvedPath;
use crate::model::workflow::{Action, Node, Source};

/// How many mailboxes of a workflow are compared with one another.
const MOST_MAILBOXES: usize = 32;

/// A mailbox: its events and its guard.
type Mailbox<'a> = (u32, &'a [DeclarationId], Option<&'a Guard>);

fn mailboxes<'a>(graph: &Graph<'a>) -> Vec<Mailbox<'a>> {
    let mailbox = |(index, node): (u32, &'a Node)| match &node.action {
        Action::WaitTopics { topics, guard } => Some((index, &**topics, guard.as_ref())),
        _ => None,
    };
    graph.indexed().filter_map(mailbox).take(MOST_MAILBOXES).collect()
}

/// Finds mailboxes that nothing bounds while nothing else goes on that can end the run.
pub(super) fn endless(flow: &Flow<'_>, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let is_bounded = |node: u32| {
        graph.node(node).is_none_or(|node| node.timeout.is_some())
            || graph.nodes.iter().any(|other| {
                matches!(&other.action, Action::Cancel(steps) if steps.iter().any(|step| step.node == node))
                    || other
                        .triggers
                        .iter()
                        .any(|trigger| matches!(trigger.source, Source::Timeout { step: Some(step), .. } if step == node))
            })
    };
    // What a step of the workflow itself emits comes when that step fires.
    let is_own = |topics: &[DeclarationId]| topics.iter().any(|topic| graph.emitting.contains_key(topic));
    let mailboxes = mailboxes(graph).into_iter().filter(|(_, topics, _)| !is_own(topics));
    let open: Vec<u32> = mailboxes.map(|(node, ..)| node).filter(|node| !is_bounded(*node)).collect();
    if open.is_empty() || flow.has_timeout() {
        return;
    }
    let ends_anyway = |cause: &Cause<'_>| matches!(cause, Cause::Outside | Cause::Clock | Cause::Unknown);
    if graph.causes.iter().flatten().any(ends_anyway) {
        return;
    }
    let live = endings::live(graph);
    found.extend(open.into_iter().filter(|node| !at(&live, *node)).map(|node| Hazard::EndlessMailbox { node }));
}

/// Finds pairs of mailboxes that take the same event: each has a queue of its own, with all events of the run in it.
pub(super) fn shared(flow: &Flow<'_>, dominators: &Dominators, found: &mut Vec<Hazard>) {
    let graph = &flow.graph;
    let mailboxes = mailboxes(graph);
    for (at, (second, topics, guard)) in mailboxes.iter().enumerate() {
        let take_same = |(first, others, other): &&Mailbox<'_>| {
            let in_one_run = dominators.is_before(*first, *second)
                || dominators.is_before(*second, *first)
                || are_forked(flow, dominators, *first, *second);
            let same_guard = match (guard, other) {
                (Some(guard), Some(other)) => says_same(&guard.expression, &other.expression),
                (None, None) => true,
                _ => false,
            };
            same_guard && topics.iter().any(|topic| others.contains(topic)) && in_one_run
        };
        if let Some((first, others, _)) = mailboxes.iter().take(at).find(take_same)
            && let Some(topic) = topics.iter().find(|topic| others.contains(topic))
        {
            found.push(Hazard::SharedMailbox { first: *first, second: *second, topic: *topic });
        }
    }
}

/// Whether two guards are the same, wherever they are written.
fn says_same(one: &GuardExpression, other: &GuardExpression) -> bool {
    let same_path = |one: &ResolvedPath, other: &ResolvedPath| one.root == other.root && one.segments == other.segments;
    let mut ones = one.parts();
    let mut others = other.parts();
    loop {
        let same = match (ones.next(), others.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) => match (&one.kind, &other.kind) {
                (GuardKind::Constant(one), GuardKind::Constant(other)) => one == other,
                (GuardKind::Path(one), GuardKind::Path(other)) | (GuardKind::Has(one), GuardKind::Has(other)) => same_path(one, other),
                (GuardKind::List(one), GuardKind::List(other)) => one.len() == other.len(),
                (GuardKind::Chain { rest: one, .. }, GuardKind::Chain { rest: other, .. }) => {
                    one.iter().map(|(operator, _)| operator).eq(other.iter().map(|(operator, _)| operator))
                }
                (GuardKind::Text { method: one, .. }, GuardKind::Text { method: other, .. }) => one == other,
                (
                    GuardKind::Quantifier { quantifier: one, variable: of_one, .. },
                    GuardKind::Quantifier { quantifier: other, variable, .. },
                ) => one == other && of_one == variable,
                (GuardKind::Not(_), GuardKind::Not(_))
                | (GuardKind::Negate(_), GuardKind::Negate(_))
                | (GuardKind::Size(_), GuardKind::Size(_)) => true,
                _ => false,
            },
            _ => false,
        };
        if !same {
            return false;
        }
    }
}
