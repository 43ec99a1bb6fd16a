//! The state of a run: what follows from the events so far.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use crate::lineage::{FiringId, Lineage, Lineages};
use crate::plan::{ItemId, Plan};

/// A run so far.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) phase: RunPhase,
    /// The id of the run.
    pub(crate) run: String,
    pub(crate) input: Value,
    /// How many events the scroll has.
    pub(crate) length: u64,
    /// The ids on the scroll.
    pub(crate) known: HashSet<String>,
    pub(crate) nodes: Vec<NodeState>,
    pub(crate) firings: Vec<Firing>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) lineages: Lineages,
    /// The open requests by id, and by the order in which they were appended.
    pub(crate) requests: HashMap<String, SlotId>,
    pub(crate) open: BTreeMap<Order, SlotId>,
    /// The open requests that accept a topic.
    pub(crate) accepting: HashMap<String, BTreeSet<Order>>,
    /// The timers of timeouts that have not fired, by id and attempt.
    pub(crate) timers: HashMap<(String, u32), Timer>,
    /// How many of them belong to the run itself.
    pub(crate) run_timers: usize,
    pub(crate) joins: HashMap<(usize, Option<FiringId>), JoinState>,
    /// How many firings are open.
    pub(crate) open_firings: usize,
    /// How many nodes that listen to the outside may still fire.
    pub(crate) listeners: usize,
    clock: u64,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunPhase {
    Waiting,
    Running,
    Done,
}

/// A moment of the run: answers and requests are ordered by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Order(u64);

/// What a run knows of a node.
#[derive(Clone, Default)]
pub(crate) struct NodeState {
    pub(crate) fired: u32,
    pub(crate) open: BTreeSet<FiringId>,
    /// The open mailboxes, in the order of their firings and elements.
    pub(crate) mailboxes: BTreeMap<(FiringId, usize), SlotId>,
    /// The events for the mailbox that it has not taken, in order.
    pub(crate) post: VecDeque<Arc<Post>>,
    /// The newest firing that was answered, or that a signal has closed.
    newest_closed: Option<FiringId>,
    /// Some firing was answered after a newer one.
    overtaken: bool,
}

/// An event that may lie in a mailbox.
pub(crate) struct Post {
    pub(crate) id: String,
    pub(crate) topic: String,
    pub(crate) value: Arc<Value>,
}

/// One firing of a node.
#[derive(Clone)]
pub(crate) struct Firing {
    pub(crate) node: usize,
    /// Its request id: `RUN/node#n`.
    pub(crate) id: String,
    pub(crate) lineage: Lineage,
    /// The lineage of what follows from it, once it was asked for.
    pub(crate) behind: Option<Lineage>,
    pub(crate) event: Option<Arc<Value>>,
    pub(crate) failure: Option<Arc<Value>>,
    pub(crate) state: FiringState,
    /// Its open requests.
    pub(crate) open: BTreeSet<Order>,
    pub(crate) fan: Option<Fan>,
    /// What it, or each of its elements that has started, waits for.
    pub(crate) slots: Vec<SlotId>,
}

#[derive(Clone)]
pub(crate) enum FiringState {
    Open,
    Answered(Order, Arc<Value>),
    Failed,
    /// A signal of its agent has closed it, without an answer.
    Signalled(Order),
    Cancelled,
}

/// The elements of a fan-out.
#[derive(Clone)]
pub(crate) struct Fan {
    pub(crate) list: Vec<Value>,
    pub(crate) answers: Vec<Option<Arc<Value>>>,
    pub(crate) started: usize,
    pub(crate) open: usize,
    pub(crate) failed: usize,
    pub(crate) parallel: usize,
    pub(crate) min: usize,
}

/// The place of a slot among all slots of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SlotId(pub(crate) u32);

/// What a firing, or one element of it, waits for.
#[derive(Clone)]
pub(crate) struct Slot {
    pub(crate) firing: FiringId,
    pub(crate) element: Option<(usize, Arc<Value>)>,
    pub(crate) phase: SlotPhase,
    pub(crate) attempt: u32,
    pub(crate) payload: Value,
    pub(crate) order: Option<Order>,
    /// Its agent has called a tool that must not be called twice, so there is no further attempt.
    pub(crate) acted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotPhase {
    /// Somebody is asked whether the call may be made.
    Approval,
    /// A prompt is being hydrated.
    Hydration,
    /// The request itself is open.
    Request,
    /// It waits before the next attempt.
    Pause,
    /// It waits for an event.
    Mailbox,
    /// Nothing is open.
    Closed,
}

/// A timer of one or two timeouts.
#[derive(Clone)]
pub(crate) enum Timer {
    Run {
        item: Option<ItemId>,
        ends: bool,
    },
    Step {
        firing: FiringId,
        /// The setting: which attempt it closes.
        closes: Option<(SlotId, u32)>,
        /// The trigger.
        item: Option<ItemId>,
    },
}

/// What a join has seen of its members.
#[derive(Clone, Default)]
pub(crate) struct JoinState {
    pub(crate) answered: BTreeMap<usize, (Order, FiringId)>,
    pub(crate) failed: BTreeMap<usize, FiringId>,
    pub(crate) satisfied: bool,
}

impl State {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            phase: RunPhase::Waiting,
            run: String::new(),
            input: Value::Null,
            length: 0,
            known: HashSet::new(),
            nodes: plan.nodes.iter().map(|_| NodeState::default()).collect(),
            firings: Vec::new(),
            slots: Vec::new(),
            lineages: Lineages::new(plan.nodes.len()),
            requests: HashMap::new(),
            open: BTreeMap::new(),
            accepting: HashMap::new(),
            timers: HashMap::new(),
            run_timers: 0,
            joins: HashMap::new(),
            open_firings: 0,
            listeners: plan.listeners.len(),
            clock: 0,
        }
    }

    /// A moment later than all before.
    pub(crate) fn tick(&mut self) -> Order {
        self.clock += 1;
        Order(self.clock)
    }

    pub(crate) fn firing(&self, id: FiringId) -> Option<&Firing> {
        debug_assert!((id.0 as usize) < self.firings.len(), "there is no firing {}", id.0);
        self.firings.get(id.0 as usize)
    }

    pub(crate) fn firing_mut(&mut self, id: FiringId) -> Option<&mut Firing> {
        debug_assert!((id.0 as usize) < self.firings.len(), "there is no firing {}", id.0);
        self.firings.get_mut(id.0 as usize)
    }

    pub(crate) fn slot(&self, id: SlotId) -> Option<&Slot> {
        debug_assert!((id.0 as usize) < self.slots.len(), "there is no slot {}", id.0);
        self.slots.get(id.0 as usize)
    }

    pub(crate) fn slot_mut(&mut self, id: SlotId) -> Option<&mut Slot> {
        debug_assert!((id.0 as usize) < self.slots.len(), "there is no slot {}", id.0);
        self.slots.get_mut(id.0 as usize)
    }

    pub(crate) fn is_open(&self, id: FiringId) -> bool {
        self.firing(id).is_some_and(|firing| matches!(firing.state, FiringState::Open))
    }

    /// The lineage of what follows from a firing: its ancestors and itself.
    pub(crate) fn behind(&mut self, id: FiringId) -> Lineage {
        let Some(firing) = self.firings.get_mut(id.0 as usize) else { return Lineage::default() };
        *firing.behind.get_or_insert_with(|| self.lineages.push(firing.lineage, firing.node, id))
    }

    /// Adds a firing, which is open.
    pub(crate) fn add_firing(&mut self, firing: Firing) -> FiringId {
        let id = FiringId(u32::try_from(self.firings.len()).unwrap_or(u32::MAX));
        if let Some(node) = self.nodes.get_mut(firing.node) {
            node.open.insert(id);
        }
        self.open_firings += 1;
        self.firings.push(firing);
        id
    }

    pub(crate) fn add_slot(&mut self, slot: Slot) -> SlotId {
        let id = SlotId(u32::try_from(self.slots.len()).unwrap_or(u32::MAX));
        if let Some(firing) = self.firing_mut(slot.firing) {
            firing.slots.push(id);
        }
        self.slots.push(slot);
        id
    }

    /// Closes a firing. Whoever does this has closed its requests.
    pub(crate) fn close_firing(&mut self, id: FiringId, state: FiringState) {
        let closed = matches!(state, FiringState::Answered(..) | FiringState::Signalled(_));
        let Some(firing) = self.firing_mut(id).filter(|firing| matches!(firing.state, FiringState::Open)) else { return };
        firing.state = state;
        let index = firing.node;
        self.open_firings -= 1;
        let Some(node) = self.nodes.get_mut(index) else { return };
        node.open.remove(&id);
        let closed_mailboxes: Vec<_> = node.mailboxes.range((id, 0)..=(id, usize::MAX)).map(|(place, _)| *place).collect();
        for place in closed_mailboxes {
            node.mailboxes.remove(&place);
        }
        if closed {
            node.overtaken |= node.newest_closed > Some(id);
            node.newest_closed = node.newest_closed.max(Some(id));
        }
    }

    /// The latest answer of a node in a lineage, in the order of the answers.
    pub(crate) fn latest(&self, lineage: Lineage, node: usize) -> Option<(FiringId, &Arc<Value>)> {
        let overtaken = self.nodes.get(node).is_some_and(|node| node.overtaken);
        let mut answers = self.answers(lineage, node);
        let latest = if overtaken { answers.max_by_key(|(order, ..)| *order) } else { answers.next() };
        latest.map(|(_, firing, value)| (firing, value))
    }

    /// The latest firing of a node in a lineage that was answered, or that a signal has closed.
    pub(crate) fn latest_exchange(&self, lineage: Lineage, node: usize) -> Option<FiringId> {
        let mut closed = self.lineages.of(lineage, node).filter_map(|id| match &self.firing(id)?.state {
            FiringState::Answered(order, _) | FiringState::Signalled(order) => Some((*order, id)),
            _ => None,
        });
        let overtaken = self.nodes.get(node).is_some_and(|node| node.overtaken);
        let latest = if overtaken { closed.max_by_key(|(order, _)| *order) } else { closed.next() };
        latest.map(|(_, id)| id)
    }

    /// The answers of a node in a lineage, in no particular order.
    pub(crate) fn answers(&self, lineage: Lineage, node: usize) -> impl Iterator<Item = (Order, FiringId, &Arc<Value>)> {
        self.lineages.of(lineage, node).filter_map(|id| match &self.firing(id)?.state {
            FiringState::Answered(order, value) => Some((*order, id, value)),
            _ => None,
        })
    }
}
