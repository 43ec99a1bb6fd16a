//! What tests reach.

use std::collections::BTreeSet;

use weave_ir::{Condition, Definition, Duration, Node, On, Trigger};
use weave_runner::Event;

use crate::play::RUN;
use crate::reasons::trigger_text;

/// What tests of a workflow have reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    reached: BTreeSet<Goal>,
}

/// One thing that a test can reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// A node fires.
    Node {
        /// The node.
        node: String,
    },
    /// A node that has several triggers fires by this one.
    Item {
        /// The node.
        node: String,
        /// Which of its triggers, counted from 0.
        item: usize,
    },
    /// A guard has this result.
    Guard {
        /// The node.
        node: String,
        /// Which of its triggers the guard is on, counted from 0; none: it is the `match` of a mailbox.
        item: Option<usize>,
        /// The result.
        result: bool,
    },
    /// A step fails in a way that its tool declares.
    Failure {
        /// The step.
        node: String,
        /// The code of a declared error, or a built-in kind.
        code: String,
    },
    /// A timeout of a step passes.
    Timeout {
        /// The step; none: the timeout of the run.
        node: Option<String>,
        /// How long it is.
        after: Duration,
    },
    /// A node fires as often as its limit allows.
    Limit {
        /// The node.
        node: String,
    },
    /// A call is decided on.
    Approval {
        /// The step.
        node: String,
        /// `approve`, `edit` or `reject`.
        decision: &'static str,
    },
}

impl Goal {
    /// The node that it is about; none: the run as a whole.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Node { node }
            | Self::Item { node, .. }
            | Self::Guard { node, .. }
            | Self::Failure { node, .. }
            | Self::Limit { node }
            | Self::Approval { node, .. } => Some(node),
            Self::Timeout { node, .. } => node.as_deref(),
        }
    }
}

/// What no test has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What it is.
    pub goal: Goal,
    /// The line that would reach it, or what would have to be so: `fail pay unavailable`.
    pub line: String,
    /// The part of the definition, as a JSON pointer.
    pub pointer: String,
}

impl Coverage {
    /// Notes that something is reached.
    pub fn reach(&mut self, goal: Goal) {
        self.reached.insert(goal);
    }

    /// Adds what another test of the same workflow has reached.
    pub fn merge(&mut self, other: &Self) {
        self.reached.extend(other.reached.iter().cloned());
    }

    /// Whether this is reached.
    #[must_use]
    pub fn reaches(&self, goal: &Goal) -> bool {
        self.reached.contains(goal)
    }

    /// What a test of a workflow can reach, in source order, with the line that reaches it.
    #[must_use]
    pub fn goals(definition: &Definition) -> Vec<Gap> {
        let mut goals = Vec::new();
        for (place, node) in definition.nodes.iter().enumerate() {
            of_node(definition, node, &format!("/nodes/{place}"), &mut goals);
        }
        if let Some(after) = definition.timeout {
            let line = format!("wait {}", after.words());
            goals.push(Gap { goal: Goal::Timeout { node: None, after }, line, pointer: "/timeout".to_owned() });
        }
        let mut seen = BTreeSet::new();
        goals.retain(|gap| seen.insert(gap.goal.clone()));
        goals
    }

    /// What of these goals is not reached.
    #[must_use]
    pub fn gaps(&self, definition: &Definition) -> Vec<Gap> {
        Self::goals(definition).into_iter().filter(|gap| !self.reaches(&gap.goal)).collect()
    }

    /// Notes what an external event reaches by itself: the timer of a timeout that fires.
    pub(crate) fn event(&mut self, event: &Event) {
        let Some(timer) = event.re.as_ref().filter(|_| event.topic == "timer.fired") else { return };
        let Some((base, length)) = timer.rsplit_once('@') else { return };
        let Ok(after) = length.parse::<Duration>() else { return };
        let node = base.strip_prefix(RUN).and_then(|base| base.strip_prefix('/')).and_then(|base| base.split('#').next());
        self.reach(Goal::Timeout { node: node.map(str::to_owned), after });
    }
}

fn of_node(definition: &Definition, node: &Node, pointer: &str, goals: &mut Vec<Gap>) {
    let name = || node.id.clone();
    let mut add = |goal, line: String, pointer: String| goals.push(Gap { goal, line, pointer });
    add(Goal::Node { node: name() }, format!("expect {}", node.id), pointer.to_owned());
    let own = node.condition();
    let items: Vec<(Option<&Trigger>, &Condition)> = match &node.on {
        None => vec![(None, &own)],
        Some(On::One(trigger)) => vec![(Some(trigger), &own)],
        Some(On::Any(any)) => any.any.iter().map(|item| (Some(&item.trigger), &item.condition)).collect(),
    };
    let several = items.len() > 1;
    for (item, (trigger, condition)) in items.into_iter().enumerate() {
        let at = if several { format!("{pointer}/on/any/{item}") } else { format!("{pointer}/on") };
        let on = trigger.map_or_else(|| "start".to_owned(), trigger_text);
        if several {
            let otherwise = if *condition == Condition::Else { " else" } else { "" };
            add(Goal::Item { node: name(), item }, format!("expect {} on {on}{otherwise}", node.id), at.clone());
        }
        if matches!(condition, Condition::When(_) | Condition::Also(_)) {
            let guard = if several { format!("{at}/when") } else { format!("{pointer}/when") };
            for (result, line) in [(true, format!("expect {} on {on}", node.id)), (false, format!("expect !{} on {on}", node.id))] {
                add(Goal::Guard { node: name(), item: Some(item), result }, line, guard.clone());
            }
        }
        if let Some(Trigger::Timeout { after, from }) = trigger {
            let line = format!("wait {}", after.words());
            add(Goal::Timeout { node: from.clone(), after: *after }, line, at);
        }
    }
    if let Some(limit) = node.limit {
        let line = format!("expect {0}#{limit}, then expect !{0}#{1}", node.id, u64::from(limit) + 1);
        add(Goal::Limit { node: name() }, line, format!("{pointer}/limit"));
    }
    let tool = node.payload.as_ref().and_then(|payload| definition.tools.get(payload.get("name")?.as_str()?));
    let tool = tool.filter(|_| node.emit.as_deref() == Some("tool.dispatch"));
    for code in tool.iter().flat_map(|tool| &tool.fails) {
        add(Goal::Failure { node: name(), code: code.clone() }, format!("fail {} {code}", node.id), pointer.to_owned());
    }
    let setting = tool.and_then(|tool| tool.deferred.as_ref().map_or(tool.timeout, |deferred| deferred.deadline));
    if let Some(after) = node.timeout.or(setting) {
        let line = format!("wait {}", after.words());
        add(Goal::Timeout { node: Some(name()), after }, line, format!("{pointer}/timeout"));
    }
    if tool.is_some_and(|tool| tool.approval.is_some()) {
        for decision in ["approve", "reject"] {
            add(Goal::Approval { node: name(), decision }, format!("{decision} {}", node.id), pointer.to_owned());
        }
    }
}
