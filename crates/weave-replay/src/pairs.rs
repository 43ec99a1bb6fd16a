//! Which events of then and now are the same although their ids differ.

use std::collections::HashMap;

use weave_ir::Definition;
use weave_runner::Event;

/// By what events with different ids are taken for the same.
#[derive(Clone, Copy)]
enum Rule {
    Node,
    Payload,
    Request,
    Renamed,
}

/// What pairs events need to know of both definitions.
pub(crate) struct Names<'d> {
    pub(crate) then: Option<&'d Definition>,
    pub(crate) now: &'d Definition,
}

impl Names<'_> {
    /// A node that is gone, and one that is new.
    fn may_be_renamed(&self, then: &Event, now: &Event) -> bool {
        let (Some(before), Some(after)) = (node_of(&then.id), node_of(&now.id)) else { return false };
        let is_new = self.then.is_none_or(|definition| definition.node(after).is_none());
        self.now.node(before).is_none() && is_new
    }
}

/// Pairs events that have other ids and mean the same: of one node, else of one payload; the firings of steps whose requests are
/// paired; and the firing of a node that is gone with that of a new node, where the same event made both fire. The events that are
/// left have no partner.
pub(crate) fn pair(names: &Names<'_>, renamed: &mut HashMap<String, String>, only_then: &mut Vec<&Event>, only_now: &mut Vec<&Event>) {
    let follows = |event: &Event| matches!(event.topic.as_str(), "workflow.step" | "workflow.cancel");
    for rule in [Rule::Node, Rule::Payload, Rule::Request, Rule::Renamed] {
        only_now.retain(|now| {
            let means_the_same = |then: &&Event| {
                let fits = match rule {
                    Rule::Node => node_of(&then.id) == node_of(&now.id) && (follows(then) || then.data() == now.data()),
                    Rule::Payload => !follows(then) && then.data() == now.data(),
                    Rule::Request => follows(then) && renamed.get(base(&then.id)).is_some_and(|id| id == base(&now.id)),
                    Rule::Renamed => follows(then) && cause(then) == cause(now) && names.may_be_renamed(then, now),
                };
                fits && then.topic == now.topic && then.attempt == now.attempt
            };
            // Two candidates cannot be told apart.
            let mut candidates = only_then.iter().enumerate().filter(|(_, then)| means_the_same(then));
            let (Some((place, then)), None) = (candidates.next(), candidates.next()) else { return true };
            renamed.insert(then.id.clone(), now.id.clone());
            only_then.remove(place);
            false
        });
    }
}

/// The event that made a node fire, with its place among the firings of that node.
fn cause(event: &Event) -> Option<(&str, Option<u64>)> {
    let data = event.data()?;
    Some((data.get("cause")?.as_str()?, data.get("n").and_then(serde_json::Value::as_u64)))
}

/// A computed id without what is open for it: `r1/pay#1@step` is of `r1/pay#1`.
fn base(id: &str) -> &str {
    id.split_once('@').map_or(id, |(base, _)| base)
}

/// The node of a computed id: `r1/pay#1@retry` is of `pay`.
pub(crate) fn node_of(id: &str) -> Option<&str> {
    let (base, _) = id.rsplit_once('#')?;
    Some(base.rsplit_once('/').map_or(base, |(_, node)| node))
}
