//! The graph of a workflow: what makes each of its nodes fire.
//!
//! The vertices are the nodes, known by their index, and behind them *hubs*: where many nodes listen to what many steps may say
//! (`on ai.response`, `on failure`), a hub stands between the two, so that the graph grows with the text and not with its square.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_syntax::ast::{NodeKind, ToolKind};

pub(super) use super::cause::{Cause, Never};
use super::doubts::Doubts;
use super::groups::Groups;
use super::speakers::{BuiltIn, answers_at_once, can_fail};
use crate::model::workflow::{Action, Node, Source, Time};
use crate::model::{DeclarationId, DeclarationKind, Model};

/// The graph of a workflow.
pub(super) struct Graph<'a> {
    pub(super) model: &'a Model,
    pub(super) nodes: &'a [Node],
    pub(super) doubts: &'a Doubts,
    pub(super) groups: Groups,
    /// How long a run may take at most, in milliseconds.
    limit: Option<u64>,
    /// The topics that answer each node.
    answers: Vec<&'a [DeclarationId]>,
    /// The steps that never answer, and why.
    silent: FxHashMap<u32, Never>,
    /// What makes each vertex fire: for a node one cause for each trigger, in their order.
    pub(super) causes: Vec<Vec<Cause<'a>>>,
    /// The vertices that each vertex may make fire.
    pub(super) after: Vec<Vec<u32>>,
    /// The vertices that a way leads to, each before those that only it leads to.
    pub(super) order: Vec<u32>,
    /// Whether a vertex can fire at all.
    fires: Vec<bool>,
    /// The steps that ask for an event of this topic.
    pub(super) asking: FxHashMap<DeclarationId, Vec<u32>>,
    /// The steps that emit an event.
    pub(super) emitting: FxHashMap<DeclarationId, Vec<u32>>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(model: &'a Model, built_in: &'a BuiltIn, nodes: &'a [Node], doubts: &'a Doubts) -> Self {
        Self::with_limit(model, built_in, nodes, doubts, None)
    }

    /// The graph of a workflow whose runs take at most so many milliseconds.
    pub(super) fn with_limit(model: &'a Model, built_in: &'a BuiltIn, nodes: &'a [Node], doubts: &'a Doubts, limit: Option<u64>) -> Self {
        let mut graph = Self {
            model,
            nodes,
            doubts,
            groups: Groups::new(nodes, doubts),
            limit,
            answers: nodes.iter().map(|node| built_in.answers(model, &node.action)).collect(),
            silent: FxHashMap::default(),
            causes: Vec::with_capacity(nodes.len()),
            after: Vec::new(),
            order: Vec::new(),
            fires: Vec::new(),
            asking: FxHashMap::default(),
            emitting: FxHashMap::default(),
        };
        graph.find_speakers(built_in);
        graph.find_silent();
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
        debug_assert!((vertex as usize) < self.causes.len(), "the vertex {vertex} is not in the graph");
        self.causes.get(vertex as usize).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn answers_of(&self, step: u32) -> &'a [DeclarationId] {
        debug_assert!((step as usize) < self.answers.len(), "the step {step} is not in the workflow");
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

    /// Whether the answer of a step is there as soon as it fires.
    pub(super) fn answers_at_once(&self, step: u32) -> bool {
        self.node(step).is_some_and(|node| answers_at_once(self.model, node))
    }

    /// Whether a step can fail.
    pub(super) fn can_fail(&self, step: u32) -> bool {
        self.node(step).is_some_and(|node| can_fail(self.model, self.doubts, step, node))
    }

    // ---- Who says what -------------------------------------------------------------------------------------------------

    fn find_speakers(&mut self, built_in: &BuiltIn) {
        for (index, node) in self.indexed() {
            if let Some(event) = built_in.emitted(&node.action) {
                self.emitting.entry(event).or_default().push(index);
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
    pub(super) fn comes(&self, topic: DeclarationId) -> bool {
        self.is_external(topic) || self.emitting.contains_key(&topic) || self.doubts.has_unknown_action()
    }

    /// Whether an event comes from outside, or from the runtime.
    pub(super) fn is_external(&self, topic: DeclarationId) -> bool {
        let Some(declaration) = self.model.get(topic) else { return true };
        let DeclarationKind::Event(event) = &declaration.kind else { return true };
        event.external || declaration.file.0 == 0
    }

    /// Finds the steps that never answer.
    fn find_silent(&mut self) {
        let mut silent = FxHashMap::default();
        for (index, node) in self.indexed().filter(|(index, _)| !self.doubts.is_action_unknown(*index)) {
            let is_mailbox = matches!(node.action, Action::WaitTopics { .. });
            // Only what comes from outside answers a request; a mailbox takes what the workflow itself says, too.
            let answers = |topic: &DeclarationId| if is_mailbox { self.comes(*topic) } else { self.is_external(*topic) };
            if let [first, ..] = self.answers_of(index)
                && !self.answers_of(index).iter().any(answers)
            {
                silent.insert(index, Never::NoAnswer(index, *first));
            }
        }
        for (canceller, node) in self.indexed() {
            let Action::Cancel(steps) = &node.action else { continue };
            for step in steps.iter().map(|step| step.node).filter(|step| self.cancels_at_once(canceller, *step)) {
                silent.entry(step).or_insert(Never::Cancelled(step, canceller));
            }
        }
        self.silent = silent;
    }

    /// Whether a step is cancelled in the moment in which it fires, whatever happens.
    fn cancels_at_once(&self, canceller: u32, step: u32) -> bool {
        let waits = |node: &Node| {
            let is_request = !matches!(node.action, Action::WaitTopics { .. } | Action::Unknown) && node.each.is_none();
            is_request && !answers_at_once(self.model, node) && !self.doubts.is_touched(step)
        };
        let groups = self.groups.of_node(step);
        let always = |group: &u32| {
            let own = self.groups.of_node(canceller).iter().position(|own| own == group);
            own.and_then(|own| self.groups.member(canceller, own as u32)).is_some_and(|member| member.always)
        };
        step < canceller && !groups.is_empty() && self.node(step).is_some_and(waits) && groups.iter().all(always)
    }

    // ---- Causes --------------------------------------------------------------------------------------------------------

    fn find_causes(&mut self) {
        let mut hubs = Hubs { first: self.nodes.len() as u32, topics: FxHashMap::default(), failure: None, causes: Vec::new() };
        for (index, node) in self.indexed() {
            let mut causes = Vec::with_capacity(node.triggers.len().max(1));
            if node.triggers.is_empty() {
                causes.push(Cause::Start);
            }
            causes.extend(node.triggers.iter().map(|trigger| self.cause(&trigger.source, &mut hubs)));
            if self.doubts.is_unclear(index) {
                causes.push(Cause::Unknown);
            }
            self.causes.push(causes);
        }
        self.causes.append(&mut hubs.causes);
    }

    fn cause(&self, source: &'a Source, hubs: &mut Hubs<'a>) -> Cause<'a> {
        match source {
            Source::Start => Cause::Start,
            Source::Unknown => Cause::Unknown,
            Source::Step(step) => self.answer(*step),
            Source::Topic(topic) => self.topic(*topic, hubs),
            Source::TopicFrom(topic, step) => self.topic_from(*topic, *step),
            Source::ToolFrom { tool, step, .. } if self.is_signal(*tool) => Cause::Closed(*step),
            Source::ToolFrom { step, .. } => Cause::Inner(*step),
            Source::All(steps) => self.join(Cause::All(steps), steps, steps.len()),
            Source::Count(count, steps) => self.join(Cause::Count(*count, steps), steps, usize::try_from(*count).unwrap_or(usize::MAX)),
            Source::Settled(steps) => {
                let silent = steps.iter().filter_map(|step| Some((step, self.silent.get(step)?)));
                // What never answers may fail nevertheless, but not if it is cancelled.
                let mut stuck = silent.filter(|(step, why)| !self.can_fail(**step) || matches!(why, Never::Cancelled(..)));
                stuck.next().map_or(Cause::Settled(steps), |(_, why)| Cause::Never(*why))
            }
            Source::Failure(step) => match self.silent.get(step) {
                _ if !self.can_fail(*step) => Cause::Never(Never::CannotFail(*step)),
                Some(why @ Never::Cancelled(..)) => Cause::Never(*why),
                _ => Cause::Failed(*step),
            },
            Source::AnyFailure => self.any_failure(hubs),
            Source::Timeout { step: None, after } => match (after, self.limit) {
                (Time::Constant(after), Some(limit)) if *after > limit => Cause::Never(Never::RunIsOver(limit)),
                _ => Cause::Clock,
            },
            Source::Timeout { step: Some(step), after } => self.late(*step, after),
        }
    }

    /// The answer of a step.
    fn answer(&self, step: u32) -> Cause<'a> {
        self.silent.get(&step).map_or(Cause::Answer(step), |why| Cause::Never(*why))
    }

    /// Whether nobody executes a tool: the call is the message.
    pub(super) fn is_signal(&self, tool: DeclarationId) -> bool {
        matches!(self.model.get(tool).map(|it| &it.kind), Some(DeclarationKind::Tool(tool)) if tool.kind == ToolKind::Signal)
    }

    /// The answers of so many steps at least.
    fn join(&self, cause: Cause<'a>, steps: &[u32], count: usize) -> Cause<'a> {
        let mut silent = steps.iter().filter_map(|step| self.silent.get(step)).peekable();
        match silent.peek().copied() {
            Some(why) if steps.len() - silent.count() < count => Cause::Never(*why),
            _ => cause,
        }
    }

    fn topic_from(&self, topic: DeclarationId, step: u32) -> Cause<'a> {
        if self.doubts.is_action_unknown(step) {
            return Cause::Unknown;
        }
        let is_own = matches!(self.node(step).map(|node| &node.action), Some(Action::Emit { event, .. }) if *event == topic);
        if !self.answers_of(step).contains(&topic) {
            return if is_own { Cause::Never(Never::NotAsked(step, topic)) } else { Cause::Inner(step) };
        }
        if self.node(step).is_some_and(|node| node.each.is_some()) {
            return Cause::Never(Never::Element(step, topic));
        }
        if !self.is_external(topic) && !matches!(self.node(step).map(|node| &node.action), Some(Action::WaitTopics { .. })) {
            return Cause::Never(Never::NoAnswer(step, topic));
        }
        self.answer(step)
    }

    fn late(&self, step: u32, after: &Time) -> Cause<'a> {
        let Some(node) = self.node(step) else { return Cause::Late(step) };
        if self.answers_at_once(step) {
            return Cause::Never(Never::AtOnce(step));
        }
        if let Some(why @ Never::Cancelled(..)) = self.silent.get(&step) {
            return Cause::Never(*why);
        }
        match (after, node.timeout) {
            // An attempt may begin late: behind an approval, a retry, another element.
            (Time::Constant(after), Some(limit))
                if *after > limit && node.each.is_none() && matches!(node.action, Action::WaitTopics { .. }) =>
            {
                Cause::Never(Never::StepIsOver(step, limit))
            }
            _ => Cause::Late(step),
        }
    }

    fn topic(&self, topic: DeclarationId, hubs: &mut Hubs<'a>) -> Cause<'a> {
        if let Some(hub) = hubs.topics.get(&topic) {
            return Cause::Hub(*hub);
        }
        let mut several: Vec<Cause<'a>> = if let Some(steps) = self.asking.get(&topic) {
            // The answer of one element of a fan-out is no answer of the step.
            let plain = |step: &&u32| self.node(**step).is_some_and(|node| node.each.is_none());
            let answers = steps.iter().filter(plain).map(|step| self.answer(*step)).collect::<Vec<_>>();
            match (answers.is_empty(), steps.first()) {
                (_, Some(step)) if !self.is_external(topic) => vec![Cause::Never(Never::NoAnswer(*step, topic))],
                (true, Some(step)) => vec![Cause::Never(Never::Element(*step, topic))],
                _ => answers,
            }
        } else if let Some(steps) = self.emitting.get(&topic) {
            steps.iter().map(|step| Cause::Emitted(*step)).collect()
        } else {
            match self.model.get(topic).map(|declaration| &declaration.kind) {
                _ if self.doubts.has_unknown_action() => Vec::new(),
                Some(DeclarationKind::Event(event)) if event.external => return Cause::Outside,
                Some(_) if !self.is_external(topic) => return Cause::Never(Never::NobodyEmits(topic)),
                _ => return Cause::Runtime,
            }
        };
        if self.doubts.has_unknown_action() {
            several.push(Cause::Unknown);
        }
        // The runtime asks for time and for approvals by itself.
        if self.model.get(topic).is_some_and(|declaration| declaration.file.0 == 0) && !self.asking.contains_key(&topic) {
            several.push(Cause::Runtime);
        }
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
        let is_cancelled = |step: &u32| matches!(self.silent.get(step), Some(Never::Cancelled(..)));
        let failing = (0..self.nodes.len() as u32).filter(|step| self.can_fail(*step) && !is_cancelled(step)).collect::<Vec<_>>();
        if failing.is_empty() {
            return if self.doubts.lost { Cause::Unknown } else { Cause::Never(Never::NothingFails) };
        }
        // Failures that another node always handles do not get here.
        let mut handled = FxHashSet::default();
        for (_, node) in self.indexed().filter(|(index, node)| node.limit.is_none() && !self.doubts.is_unclear(*index)) {
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
            for source in causes.iter().flat_map(Cause::sources) {
                if let Some(after) = self.after.get_mut(source as usize)
                    && after.last() != Some(&(vertex as u32))
                {
                    after.push(vertex as u32);
                }
            }
            if causes.iter().any(Cause::is_root) {
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
        // The causes that need each vertex, and of how many vertices each cause is still short.
        let mut needing = vec![Vec::new(); self.causes.len()];
        let mut short = Vec::new();
        for (vertex, causes) in self.causes.iter().enumerate() {
            for cause in causes {
                for source in cause.sources() {
                    if let Some(needing) = needing.get_mut(source as usize) {
                        needing.push((vertex as u32, short.len()));
                    }
                }
                short.push(cause.needed());
            }
        }
        let mut fires = vec![false; self.causes.len()];
        let roots = self.causes.iter().enumerate().filter(|(_, causes)| causes.iter().any(Cause::is_root));
        let mut open = roots.map(|(vertex, _)| vertex as u32).collect::<Vec<_>>();
        while let Some(vertex) = open.pop() {
            if std::mem::replace(fires.get_mut(vertex as usize).unwrap_or(&mut true), true) {
                continue;
            }
            for (target, cause) in needing.get(vertex as usize).into_iter().flatten() {
                if let Some(short) = short.get_mut(*cause) {
                    *short = short.saturating_sub(1);
                    if *short == 0 {
                        open.push(*target);
                    }
                }
            }
        }
        self.fires = fires;
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
