//! The graph of a workflow: what makes each of its nodes fire.
//!
//! The vertices are the nodes, known by their index, and behind them *hubs*: where many nodes listen to what many steps may say
//! (`on ai.response`, `on failure`), a hub stands between the two, so that the graph grows with the text and not with its square.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_syntax::ast::{NodeKind, ToolKind};

use crate::model::declarations::Approval;
use crate::model::workflow::{Action, Condition, Node, Source};
use crate::model::{DeclarationId, DeclarationKind, Model};

/// What makes a vertex fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause<'a> {
    /// The start of the run.
    Start,
    /// An event that nobody here asked for.
    Outside,
    /// Time has passed since the start of the run.
    Clock,
    /// The answer of a step.
    Answer(u32),
    /// Something that is said while a step is open, or that closes it without its answer.
    Inner(u32),
    /// The event that a step emitted; it is not the answer to it.
    Emitted(u32),
    /// The failure of a step.
    Failed(u32),
    /// A step has been open for some time.
    Late(u32),
    /// Whatever makes a hub fire.
    Hub(u32),
    /// All of them answered.
    All(&'a [u32]),
    /// That many of them answered.
    Count(u64, &'a [u32]),
    /// Each of them answered or failed.
    Settled(&'a [u32]),
    /// Nothing.
    Never(Never),
}

/// Why nothing makes a trigger fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Never {
    /// It waits for an event that is not external, and that no step of the workflow emits.
    NobodyEmits(DeclarationId),
    /// It waits for the answer of a step that nothing answers; the event is one that should.
    NoAnswer(u32, DeclarationId),
    /// It waits for the failure of a step that cannot fail.
    CannotFail(u32),
    /// It waits for a failure, and no step can fail.
    NothingFails,
    /// It waits for the delay of a step that is answered at once.
    AtOnce(u32),
}

impl<'a> Cause<'a> {
    /// The vertices that it needs.
    pub(super) fn sources(&self) -> Sources<'a> {
        match *self {
            Self::Start | Self::Outside | Self::Clock | Self::Never(_) => Sources::Many(&[]),
            Self::Answer(step) | Self::Inner(step) | Self::Emitted(step) | Self::Failed(step) | Self::Late(step) | Self::Hub(step) => {
                Sources::One(Some(step))
            }
            Self::All(steps) | Self::Count(_, steps) | Self::Settled(steps) => Sources::Many(steps),
        }
    }
}

/// The vertices that a cause needs.
pub(super) enum Sources<'a> {
    /// At most one.
    One(Option<u32>),
    /// Some steps.
    Many(&'a [u32]),
}

impl Iterator for Sources<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::One(step) => step.take(),
            Self::Many(steps) => {
                let (first, rest) = steps.split_first()?;
                *steps = rest;
                Some(*first)
            }
        }
    }
}

/// The topics with which the built-in requests are answered.
#[derive(Debug, Default)]
pub(super) struct BuiltIn {
    ask: Vec<DeclarationId>,
    call: Vec<DeclarationId>,
    run: Vec<DeclarationId>,
    wait: Vec<DeclarationId>,
}

impl BuiltIn {
    pub(super) fn new(model: &Model) -> Self {
        let topic = |name: &str| model.scopes.first().and_then(|prelude| prelude.topics.get(name)).copied().into_iter().collect();
        Self { ask: topic("ai.response"), call: topic("tool.result"), run: topic("workflow.done"), wait: topic("timer.fired") }
    }

    /// The events that answer what an action does.
    pub(super) fn answers<'a>(&'a self, model: &'a Model, action: &'a Action) -> &'a [DeclarationId] {
        match action {
            Action::Ask { .. } => &self.ask,
            Action::Call { .. } => &self.call,
            Action::Run { .. } => &self.run,
            Action::WaitFor(_) | Action::WaitUntil(_) => &self.wait,
            Action::WaitTopics { topics, .. } => topics,
            Action::Emit { event, .. } => match model.get(*event).map(|declaration| &declaration.kind) {
                Some(DeclarationKind::Event(it)) if !it.answers.is_empty() => &it.answers,
                // An event that nobody answers is answered at once, by itself.
                _ => std::slice::from_ref(event),
            },
            Action::Cancel(_) | Action::Value(_) | Action::End(_) | Action::Fail(_) | Action::Unknown => &[],
        }
    }
}

/// Whether the answer of a node is there as soon as it fires.
pub(super) fn answers_at_once(model: &Model, node: &Node) -> bool {
    match &node.action {
        Action::Value(_) | Action::Cancel(_) => true,
        Action::Emit { event, .. } => match model.get(*event).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Event(event)) => event.answers.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a node can fail.
pub(super) fn can_fail(model: &Model, node: &Node) -> bool {
    match &node.action {
        Action::Ask { .. } | Action::Call { .. } | Action::Run { .. } => true,
        Action::Emit { .. } => !answers_at_once(model, node),
        // What only waits fails only if it must not wait for ever.
        Action::WaitFor(_) | Action::WaitUntil(_) | Action::WaitTopics { .. } => node.timeout.is_some(),
        _ => false,
    }
}

/// Whether the answer of a node needs something that happens outside the workflow and its models and tools: a person, a fact, time.
pub(super) fn waits_for_the_world(model: &Model, node: &Node) -> bool {
    match &node.action {
        Action::WaitFor(_) | Action::WaitUntil(_) | Action::WaitTopics { .. } => true,
        Action::Emit { event, .. } => {
            let Some(declaration) = model.get(*event) else { return true };
            let is_request = matches!(&*declaration.name, "ai.request" | "tool.dispatch" | "workflow.start" | "prompt.hydrate.request");
            !(answers_at_once(model, node) || (declaration.file.0 == 0 && is_request))
        }
        Action::Call { tool, .. } => match model.get(*tool).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Tool(tool)) => {
                tool.kind == ToolKind::Interaction || tool.deferred.is_some() || matches!(tool.approval, Some(Approval::Always))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a node is a member of the choice of its trigger: of these at most one fires.
pub(super) fn in_choice(node: &Node, condition: Option<&Condition>) -> bool {
    match condition {
        Some(Condition::When(_) | Condition::Else) => true,
        Some(Condition::AlsoWhen(_)) => false,
        None => node.limit.is_some(),
    }
}

/// The graph of a workflow.
pub(super) struct Graph<'a> {
    pub(super) model: &'a Model,
    pub(super) nodes: &'a [Node],
    /// The topics that answer each node.
    pub(super) answers: Vec<&'a [DeclarationId]>,
    /// What makes each vertex fire: for a node one cause for each trigger, in their order.
    pub(super) causes: Vec<Vec<Cause<'a>>>,
    /// The vertices that each vertex may make fire.
    pub(super) after: Vec<Vec<u32>>,
    /// The vertices that a way leads to, each before those that only it leads to.
    pub(super) order: Vec<u32>,
    /// Whether a vertex can fire at all.
    pub(super) fires: Vec<bool>,
    /// The steps that an event of this topic answers.
    pub(super) asking: FxHashMap<DeclarationId, Vec<u32>>,
    /// The steps that emit an event.
    emitting: FxHashMap<DeclarationId, Vec<u32>>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(model: &'a Model, built_in: &'a BuiltIn, nodes: &'a [Node]) -> Self {
        let mut graph = Self {
            model,
            nodes,
            answers: nodes.iter().map(|node| built_in.answers(model, &node.action)).collect(),
            causes: Vec::with_capacity(nodes.len()),
            after: Vec::new(),
            order: Vec::new(),
            fires: Vec::new(),
            asking: FxHashMap::default(),
            emitting: FxHashMap::default(),
        };
        graph.find_speakers();
        graph.find_causes();
        graph.find_order();
        graph.find_firing();
        graph
    }

    /// The node of a vertex; none for a hub.
    pub(super) fn node(&self, vertex: u32) -> Option<&'a Node> {
        self.nodes.get(vertex as usize)
    }

    pub(super) fn causes_of(&self, vertex: u32) -> &[Cause<'a>] {
        self.causes.get(vertex as usize).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn answers_of(&self, step: u32) -> &'a [DeclarationId] {
        self.answers.get(step as usize).copied().unwrap_or_default()
    }

    pub(super) fn after_of(&self, vertex: u32) -> &[u32] {
        self.after.get(vertex as usize).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn fires(&self, vertex: u32) -> bool {
        self.fires.get(vertex as usize).copied().unwrap_or(false)
    }

    /// The vertices: nodes, then hubs.
    pub(super) fn len(&self) -> usize {
        self.causes.len()
    }

    /// The nodes with their indices.
    pub(super) fn indexed(&self) -> impl Iterator<Item = (u32, &'a Node)> + use<'a> {
        self.nodes.iter().enumerate().map(|(index, node)| (index as u32, node))
    }

    /// Whether a node ends the run.
    pub(super) fn is_end(&self, vertex: u32) -> bool {
        self.node(vertex).is_some_and(|node| node.kind != NodeKind::Step)
    }

    // ---- Who says what -------------------------------------------------------------------------------------------------

    fn find_speakers(&mut self) {
        for (index, node) in self.indexed() {
            if let Action::Emit { event, .. } = &node.action {
                self.emitting.entry(*event).or_default().push(index);
            }
            // A mailbox asks for nothing: it takes what comes.
            if !matches!(node.action, Action::WaitTopics { .. }) {
                for topic in self.answers_of(index) {
                    self.asking.entry(*topic).or_default().push(index);
                }
            }
        }
    }

    /// Whether an event can come at all: from outside, from the runtime, or from a step of this workflow.
    fn comes(&self, topic: DeclarationId) -> bool {
        let Some(declaration) = self.model.get(topic) else { return true };
        let DeclarationKind::Event(event) = &declaration.kind else { return true };
        event.external || declaration.file.0 == 0 || self.emitting.contains_key(&topic)
    }

    // ---- Causes --------------------------------------------------------------------------------------------------------

    fn find_causes(&mut self) {
        let mut hubs = Hubs { first: self.nodes.len() as u32, topics: FxHashMap::default(), failure: None, causes: Vec::new() };
        for node in self.nodes {
            let mut causes = Vec::with_capacity(node.triggers.len().max(1));
            if node.triggers.is_empty() {
                causes.push(Cause::Start);
            }
            causes.extend(node.triggers.iter().map(|trigger| self.cause(&trigger.source, &mut hubs)));
            self.causes.push(causes);
        }
        self.causes.append(&mut hubs.causes);
    }

    fn cause(&self, source: &'a Source, hubs: &mut Hubs<'a>) -> Cause<'a> {
        match source {
            Source::Start | Source::Unknown => Cause::Start,
            Source::Step(step) => match self.answers_of(*step) {
                // A value, or a cancel: it is its own answer.
                [] => Cause::Answer(*step),
                [first, ..] if !self.answers_of(*step).iter().any(|topic| self.comes(*topic)) => {
                    Cause::Never(Never::NoAnswer(*step, *first))
                }
                _ => Cause::Answer(*step),
            },
            Source::Topic(topic) => self.topic(*topic, hubs),
            Source::TopicFrom(topic, step) => {
                if !self.answers_of(*step).contains(topic) {
                    Cause::Inner(*step)
                } else if self.comes(*topic) {
                    self.answer(*step)
                } else {
                    Cause::Never(Never::NoAnswer(*step, *topic))
                }
            }
            Source::ToolFrom { step, .. } => Cause::Inner(*step),
            Source::All(steps) => Cause::All(steps),
            Source::Count(count, steps) => Cause::Count(*count, steps),
            Source::Settled(steps) => Cause::Settled(steps),
            Source::Failure(step) => match self.node(*step) {
                Some(node) if !can_fail(self.model, node) => Cause::Never(Never::CannotFail(*step)),
                _ => Cause::Failed(*step),
            },
            Source::AnyFailure => self.any_failure(hubs),
            Source::Timeout { step: None, .. } => Cause::Clock,
            Source::Timeout { step: Some(step), .. } => match self.node(*step) {
                Some(node) if answers_at_once(self.model, node) => Cause::Never(Never::AtOnce(*step)),
                _ => Cause::Late(*step),
            },
        }
    }

    /// One answer to a step. Of a fan-out it is the answer of an element, which is not the list.
    fn answer(&self, step: u32) -> Cause<'a> {
        if self.node(step).is_some_and(|node| node.each.is_some()) { Cause::Inner(step) } else { Cause::Answer(step) }
    }

    fn topic(&self, topic: DeclarationId, hubs: &mut Hubs<'a>) -> Cause<'a> {
        let several: Vec<Cause<'a>> = if let Some(steps) = self.asking.get(&topic) {
            if let Some(hub) = hubs.topics.get(&topic) {
                return Cause::Hub(*hub);
            }
            steps.iter().map(|step| self.answer(*step)).collect()
        } else if let Some(steps) = self.emitting.get(&topic) {
            steps.iter().map(|step| Cause::Emitted(*step)).collect()
        } else if self.comes(topic) {
            return Cause::Outside;
        } else {
            return Cause::Never(Never::NobodyEmits(topic));
        };
        if let [only] = several.as_slice() {
            return *only;
        }
        let hub = hubs.add(several);
        hubs.topics.insert(topic, hub);
        Cause::Hub(hub)
    }

    fn any_failure(&self, hubs: &mut Hubs<'a>) -> Cause<'a> {
        if let Some(hub) = hubs.failure {
            return Cause::Hub(hub);
        }
        let failing = self.indexed().filter(|(_, node)| can_fail(self.model, node)).map(|(index, _)| index).collect::<Vec<_>>();
        if failing.is_empty() {
            return Cause::Never(Never::NothingFails);
        }
        // Failures that another node always handles do not get here.
        let mut handled = FxHashSet::default();
        for node in self.nodes.iter().filter(|node| node.limit.is_none()) {
            for trigger in node.triggers.iter().filter(|trigger| trigger.condition.is_none()) {
                if let Source::Failure(step) = trigger.source {
                    handled.insert(step);
                }
            }
        }
        let left = failing.iter().filter(|step| !handled.contains(*step)).map(|step| Cause::Failed(*step)).collect::<Vec<_>>();
        let hub = hubs.add(if left.is_empty() { failing.iter().map(|step| Cause::Failed(*step)).collect() } else { left });
        hubs.failure = Some(hub);
        Cause::Hub(hub)
    }

    // ---- Ways ----------------------------------------------------------------------------------------------------------

    /// Puts the vertices in reverse postorder; without recursion, for a workflow may be long.
    fn find_order(&mut self) {
        self.after = vec![Vec::new(); self.causes.len()];
        let mut roots = Vec::new();
        for (vertex, causes) in self.causes.iter().enumerate() {
            let mut is_root = false;
            for cause in causes {
                is_root |= matches!(cause, Cause::Start | Cause::Outside | Cause::Clock);
                for source in cause.sources() {
                    if let Some(after) = self.after.get_mut(source as usize)
                        && after.last() != Some(&(vertex as u32))
                    {
                        after.push(vertex as u32);
                    }
                }
            }
            if is_root {
                roots.push(vertex as u32);
            }
        }
        let mut seen = vec![false; self.after.len()];
        for root in roots.into_iter().rev() {
            if std::mem::replace(seen.get_mut(root as usize).unwrap_or(&mut true), true) {
                continue;
            }
            let mut open = vec![(root, 0)];
            while let Some((vertex, next)) = open.pop() {
                match self.after_of(vertex).get(next) {
                    Some(target) => {
                        open.push((vertex, next + 1));
                        if !std::mem::replace(seen.get_mut(*target as usize).unwrap_or(&mut true), true) {
                            open.push((*target, 0));
                        }
                    }
                    None => self.order.push(vertex),
                }
            }
        }
        self.order.reverse();
    }

    /// Finds out what can fire: of a join not one member is enough.
    fn find_firing(&mut self) {
        let mut fires = vec![false; self.causes.len()];
        let mut open = self.order.iter().rev().copied().filter(|vertex| self.can_start(*vertex)).collect::<Vec<_>>();
        while let Some(vertex) = open.pop() {
            if std::mem::replace(fires.get_mut(vertex as usize).unwrap_or(&mut true), true) {
                continue;
            }
            for target in self.after_of(vertex) {
                let waits = !fires.get(*target as usize).copied().unwrap_or(true);
                if waits && self.causes_of(*target).iter().any(|cause| is_satisfied(cause, &fires)) {
                    open.push(*target);
                }
            }
        }
        self.fires = fires;
    }

    fn can_start(&self, vertex: u32) -> bool {
        self.causes_of(vertex).iter().any(|cause| is_satisfied(cause, &[]))
    }
}

/// Whether a cause can come about when these vertices fire.
fn is_satisfied(cause: &Cause<'_>, fires: &[bool]) -> bool {
    let fired = |step: &u32| fires.get(*step as usize).copied().unwrap_or(false);
    match cause {
        Cause::Start | Cause::Outside | Cause::Clock => true,
        Cause::Never(_) => false,
        Cause::All(steps) | Cause::Settled(steps) => steps.iter().all(fired),
        Cause::Count(count, steps) => steps.iter().filter(|step| fired(step)).count() as u64 >= *count,
        cause => cause.sources().any(|step| fired(&step)),
    }
}

/// The hubs of a graph that is being made.
struct Hubs<'a> {
    first: u32,
    topics: FxHashMap<DeclarationId, u32>,
    failure: Option<u32>,
    causes: Vec<Vec<Cause<'a>>>,
}

impl<'a> Hubs<'a> {
    fn add(&mut self, causes: Vec<Cause<'a>>) -> u32 {
        self.causes.push(causes);
        self.first + self.causes.len() as u32 - 1
    }
}
