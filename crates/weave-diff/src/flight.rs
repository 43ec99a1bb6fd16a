//! What becomes of runs that began with the old version, if they go on with the new one.
//!
//! A run keeps the definition whose digest stands in its `workflow.start`. These changes are about hosts that move runs to a new version, or that do not
//! keep old definitions.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::{Condition, Definition, Guard, Node, Trigger};

use crate::codes::flight as codes;
use crate::documents::Pair;
use crate::nodes::{Renamed, by_name};
use crate::schema::child;
use crate::triggers::{action_text, callee, condition_text, items, listed, members, steps, trigger_text};
use crate::wire::Context;
use crate::{Change, Kind, Party, Spot};

pub(crate) fn changes(pair: &Pair<'_>, renamed: &Renamed<'_>, context: &mut Context<'_>) -> Vec<Change> {
    let mut flight = Flight {
        pair,
        renamed,
        old: by_name(pair.old),
        new: by_name(pair.new),
        ways: [ways(pair.old, renamed), ways(pair.new, &Renamed::default())],
        changes: Vec::new(),
    };
    let waiting: Vec<&Node> = pair.old.nodes.iter().filter(|node| waits(node, pair.old)).collect();
    for node in waiting {
        flight.waiting(node, context);
    }
    flight.joins();
    flight.listeners();
    flight.changes
}

/// Whether a run may wait at a node: for an answer, or for an event of a mailbox.
fn waits(node: &Node, definition: &Definition) -> bool {
    let answers = |topic: &String| definition.events.get(topic).is_some_and(|event| !event.answers.is_empty());
    !node.awaits.is_empty() || node.emit.as_ref().is_some_and(answers)
}

struct Flight<'d> {
    pair: &'d Pair<'d>,
    renamed: &'d Renamed<'d>,
    old: BTreeMap<&'d str, (String, &'d Node)>,
    new: BTreeMap<&'d str, (String, &'d Node)>,
    /// The ways from each step in the old and in the new version.
    ways: [Ways; 2],
    changes: Vec<Change>,
}

impl Flight<'_> {
    /// A change about a node of the old version, at the node of that name in the new one.
    fn change(&self, kind: &'static Kind, name: &str, message: String) -> Change {
        let workflow = &self.pair.new.workflow;
        let change = Change::new(kind, format!("{workflow}.{name}"), message);
        let change = match self.new.get(name) {
            Some((pointer, _)) => change.at_new(Spot::new(workflow, format!("{pointer}/id")), "now"),
            None => change.at_new(Spot::new(workflow, "/workflow"), format!("has no `{name}`")),
        };
        match self.old.get(name) {
            Some((pointer, _)) => change.at_old(Spot::new(&self.pair.old.workflow, format!("{pointer}/id")), "runs wait here"),
            None => change,
        }
    }

    /// A node at which runs may wait.
    fn waiting(&mut self, node: &Node, context: &mut Context<'_>) {
        let (name, workflow) = (node.id.as_str(), &self.pair.new.workflow);
        let Some((_, after)) = self.new.get(name).map(|(pointer, node)| (pointer, *node)) else {
            let message = format!("a run of `{workflow}` that waits at `{name}` no longer finds this node");
            let mut change = self.change(&codes::WAIT_LOST, name, message).breaks(Party::Runs);
            if let Some(now) = self.renamed.names.get(name) {
                change = change.help(format!(
                    "`{now}` is probably the same node, but requests are identified by the name of their node; keep the old name"
                ));
            }
            self.changes.push(change);
            return;
        };
        if let Some(said) = asked_otherwise(node, after) {
            let message = format!("a run of `{workflow}` that waits at `{name}` {said}");
            self.changes.push(self.change(&codes::WAIT_CHANGED, name, message).breaks(Party::Runs));
            return;
        }
        if answers(node, self.pair.old).iter().any(|pointer| context.is_narrower(pointer)) {
            let message = format!("a run of `{workflow}` that waits at `{name}` may get an answer that no longer fits");
            self.changes.push(self.change(&codes::ANSWER_NARROWED, name, message).breaks(Party::Runs));
        }
        self.route(name);
    }

    /// Where a run goes when the step is answered, fails or takes too long.
    fn route(&mut self, name: &str) {
        let new_name = self.renamed.new_name(name);
        let [before, after] = self.ways.each_ref().map(|ways| ways.get(new_name).map(Vec::as_slice).unwrap_or_default());
        if before == after {
            return;
        }
        let workflow = &self.pair.new.workflow;
        let message = format!("a run of `{workflow}` that waits at `{name}` may continue differently");
        let gone = before.iter().filter(|way| !after.contains(way)).map(|way| format!("before: {way}"));
        let fresh = after.iter().filter(|way| !before.contains(way)).map(|way| format!("now: {way}"));
        let mut change = self.change(&codes::ROUTE_CHANGED, name, message);
        change.notes.extend(gone.chain(fresh).take(MOST_WAYS));
        if change.notes.is_empty() {
            change.notes.push("the nodes are evaluated in a different order".to_owned());
        }
        self.changes.push(change);
    }

    /// Joins: what a run has of their members may not be what they want now.
    fn joins(&mut self) {
        for (name, (_, node)) in self.old.clone() {
            let new_name = self.renamed.new_name(name);
            let Some((_, after)) = self.new.get(new_name) else { continue };
            let of = |node: &Node| -> Vec<Trigger> {
                items(node).into_iter().map(|item| item.trigger).filter(|it| members(it).is_some()).collect()
            };
            let (before, after): (Vec<String>, Vec<String>) = (
                of(node).iter().map(|join| self.join_text(join, true)).collect(),
                of(after).iter().map(|join| self.join_text(join, false)).collect(),
            );
            let gone: Vec<&String> = before.iter().filter(|join| !after.contains(join)).collect();
            if gone.is_empty() {
                continue;
            }
            let workflow = &self.pair.new.workflow;
            let waits = listed(&gone.iter().map(|join| format!("`{join}`")).collect::<Vec<_>>());
            let message = format!("a run of `{workflow}` that waits for {waits} at `{name}` now waits for something else");
            let mut change = self.change(&codes::JOIN_CHANGED, new_name, message).breaks(Party::Runs);
            if !after.is_empty() {
                change = change.note(format!("now it is {}", listed(&after.iter().map(|join| format!("`{join}`")).collect::<Vec<_>>())));
            }
            self.changes.push(change);
        }
    }

    /// A join with its members sorted, by their new names: the order of members says nothing.
    fn join_text(&self, join: &Trigger, is_old: bool) -> String {
        let name = |name: &String| if is_old { self.renamed.new_name(name).to_owned() } else { name.clone() };
        let mut steps: Vec<String> = members(join).into_iter().flatten().map(name).collect();
        steps.sort();
        trigger_text(&match join {
            Trigger::Count { count, per, .. } => Trigger::Count { count: *count, steps, per: per.clone() },
            Trigger::Settled { per, .. } => Trigger::Settled { steps, per: per.clone() },
            other => Trigger::All {
                steps,
                per: match other {
                    Trigger::All { per, .. } => per.clone(),
                    _ => None,
                },
            },
        })
    }

    /// Topics from outside that runs hear, and hear no more.
    fn listeners(&mut self) {
        let heard = |definition: &Definition| -> BTreeMap<String, String> {
            let answering: BTreeSet<&String> = definition.events.values().flat_map(|event| &event.answers).collect();
            let is_plain = |topic: &String| definition.events.get(topic).is_some_and(|event| event.external) && !answering.contains(topic);
            let mut heard = BTreeMap::new();
            for node in &definition.nodes {
                for item in items(node) {
                    let plain = match &item.trigger {
                        // It comes from outside, and answers nothing here.
                        Trigger::Topic(topic) if is_plain(topic) => Some(topic.clone()),
                        Trigger::Tool { tool, from } => Some(format!("{tool} from {from}")),
                        _ => None,
                    };
                    if let Some(plain) = plain {
                        heard.entry(plain).or_insert_with(|| node.id.clone());
                    }
                }
            }
            heard
        };
        let (before, after) = (heard(self.pair.old), heard(self.pair.new));
        for (topic, name) in before.iter().filter(|(topic, _)| !after.contains_key(*topic)) {
            // A step that is gone is told by itself.
            let step = topic.split_once(" from ").map(|(_, step)| step);
            if step.is_some_and(|step| !self.new.contains_key(self.renamed.new_name(step))) {
                continue;
            }
            let workflow = &self.pair.new.workflow;
            let message = format!("a run of `{workflow}` that waits for `{topic}` no longer receives it");
            self.changes.push(self.change(&codes::LISTENER_LOST, name, message).breaks(Party::Runs));
        }
    }
}

/// More ways are not told.
const MOST_WAYS: usize = 6;

/// Whether a node sends another request than before, which the answers that are on their way do not know.
fn asked_otherwise(old: &Node, new: &Node) -> Option<String> {
    let is_same = callee(old) == callee(new) && old.emit == new.emit && old.awaits.is_subset(&new.awaits);
    if !is_same {
        return Some(format!("waits for a different answer: the node now {}", action_text(new)));
    }
    match (&old.each, &new.each) {
        (Some(_), None) => Some("has asked for each element of a list, and the node now asks once".to_owned()),
        (None, Some(_)) => Some("has asked once, and the node now asks for each element of a list".to_owned()),
        _ => None,
    }
}

/// The pointers to the schemas of what a node is answered.
fn answers(node: &Node, definition: &Definition) -> Vec<String> {
    let pointer = |part: &str, name: &str, key: &str| child(&child(&child("", part), name), key);
    match callee(node) {
        Some(("tool.dispatch", tool)) => return vec![pointer("tools", tool, "output")],
        Some(("ai.request", agent)) => return vec![pointer("agents", agent, "output")],
        Some((_, workflow)) => return vec![pointer("workflows", workflow, "output")],
        None => {}
    }
    let topics: BTreeSet<&String> = match &node.emit {
        Some(topic) => definition.events.get(topic).into_iter().flat_map(|event| &event.answers).collect(),
        None => node.awaits.iter().collect(),
    };
    topics.into_iter().map(|topic| pointer("events", topic, "payload")).collect()
}

/// The ways from each step: the nodes that listen to it, in their order, each as a line: on what, when, and which.
type Ways = BTreeMap<String, Vec<String>>;

/// The ways from all steps. Old names are said as the new ones.
fn ways(definition: &Definition, renamed: &Renamed<'_>) -> Ways {
    let mut ways = Ways::new();
    for node in &definition.nodes {
        let translated = (!renamed.names.is_empty()).then(|| crate::nodes::translated(node, renamed));
        let node = translated.as_ref().unwrap_or(node);
        for item in items(node) {
            let condition = match &item.condition {
                Condition::Always => String::new(),
                other => format!(" {}", condition_text(&without_cel(other))),
            };
            // What became of the members of a join is told by itself.
            let on = if members(&item.trigger).is_some() { "a join".to_owned() } else { format!("`{}`", trigger_text(&item.trigger)) };
            let way = format!("`{}` on {on}{condition}", node.id);
            for step in steps(&item.trigger).into_iter().collect::<BTreeSet<_>>() {
                ways.entry(step.to_owned()).or_default().push(way.clone());
            }
        }
    }
    ways
}

/// A condition whose text is made from its tree, so that equal trees have equal texts.
fn without_cel(condition: &Condition) -> Condition {
    let bare = |guard: &Guard| Guard { cel: None, expr: guard.expr.clone() };
    match condition {
        Condition::When(guard) => Condition::When(bare(guard)),
        Condition::Also(guard) => Condition::Also(bare(guard)),
        other => other.clone(),
    }
}
