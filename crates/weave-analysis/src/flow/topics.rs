//! Who says what to whom in a whole project: for each topic who emits and who consumes it, and for each step of a workflow whether
//! somebody waits for its answer and handles its failure. Facts, not complaints; everything is in the order of the text.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_diagnostics::Place;

use super::doubts::Doubts;
use super::reads;
use super::speakers::{BuiltIn, can_fail};
use crate::bodies::Bodies;
use crate::model::workflow::{Action, Condition, Node, Source, Trigger, WorkflowBody};
use crate::model::{DeclarationId, DeclarationKind, Model};

/// A node of a workflow, and where it says what a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeReference {
    /// The workflow.
    pub workflow: DeclarationId,
    /// The index of the node.
    pub node: u32,
    /// Where: the trigger, or the name of the node.
    pub place: Place,
}

/// How a node puts an event on the scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emission {
    /// `emit`.
    Emit,
    /// `ask`, of this agent.
    Ask(DeclarationId),
    /// `call`, of this tool.
    Call(DeclarationId),
    /// `run`, of this workflow.
    Run(DeclarationId),
    /// `wait` for a time.
    Timer,
}

/// A node that emits an event. Its payload is that of the topic, or what the agent, the tool or the workflow takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emit {
    /// The node.
    pub at: NodeReference,
    /// How.
    pub how: Emission,
}

/// How a node takes notice of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumption {
    /// `on TOPIC`.
    Trigger,
    /// `on TOPIC from STEP`, as the answer of the step or from within what it does.
    From(u32),
    /// `wait TOPIC`.
    Mailbox,
    /// `on STEP`, or a join with it: the event is one of those that answer the step.
    Answer(u32),
}

/// A node that takes notice of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// The node.
    pub at: NodeReference,
    /// How.
    pub how: Consumption,
}

/// What a project does with a topic.
#[derive(Debug)]
pub struct Topic {
    /// The event that declares it, with its payload and its answers.
    pub event: DeclarationId,
    /// Whether it is declared in the prelude.
    pub built_in: bool,
    /// Whether it comes from outside.
    pub external: bool,
    /// Whether it asks for an answer.
    pub is_request: bool,
    /// The topics that this one answers, if somebody emits them.
    pub answers_to: Vec<DeclarationId>,
    /// Who emits it.
    pub emits: Vec<Emit>,
    /// Who takes notice of it.
    pub consumers: Vec<Consumer>,
}

/// How far something is taken care of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Handling {
    /// Nobody takes care of it.
    #[default]
    Never,
    /// Somebody does, under a condition or up to a limit.
    Sometimes,
    /// Somebody does, whatever happens.
    Always,
}

/// What a workflow does with a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepFlow {
    /// Whether it waits for an answer: it asks, calls, runs, waits, or emits an event that has answers.
    pub waits: bool,
    /// Whether it can fail.
    pub can_fail: bool,
    /// Whether some node fires on its answer, alone or in a join.
    pub awaited: bool,
    /// Whether some node reads its answer.
    pub read: bool,
    /// Whether its failure is handled: by `failure(STEP)`, by `failure`, or in a `settled` join.
    pub failure: Handling,
    /// Whether a node fires on `timeout(STEP, …)`.
    pub late: bool,
    /// The time after which it fails, in milliseconds: its own setting, or that of what it asks or calls.
    pub timeout: Option<u64>,
}

/// The steps of a workflow.
#[derive(Debug)]
pub struct WorkflowFlow {
    /// The workflow.
    pub workflow: DeclarationId,
    /// What it does with each of its nodes, by their index.
    pub steps: Vec<StepFlow>,
}

/// What a project does with its topics.
#[derive(Debug, Default)]
pub struct TopicFlow {
    topics: Vec<Topic>,
    workflows: Vec<WorkflowFlow>,
    by_event: FxHashMap<DeclarationId, usize>,
    by_workflow: FxHashMap<DeclarationId, usize>,
}

impl TopicFlow {
    /// The facts about the workflows in these files.
    #[must_use]
    pub fn new<'b>(model: &Model, bodies: impl IntoIterator<Item = &'b Bodies>) -> Self {
        let mut flow = Self::default();
        flow.add_topics(model);
        let built_in = BuiltIn::new(model);
        for body in bodies.into_iter().flat_map(|bodies| &bodies.workflows) {
            flow.add_workflow(model, &built_in, body);
        }
        flow
    }

    /// All topics, those of the prelude first, in the order of their declarations.
    #[must_use]
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// What the project does with a topic; nothing if the declaration is no event.
    #[must_use]
    pub fn topic(&self, event: DeclarationId) -> Option<&Topic> {
        self.topics.get(*self.by_event.get(&event)?)
    }

    /// All workflows, in the order of the files and of their texts.
    #[must_use]
    pub fn workflows(&self) -> &[WorkflowFlow] {
        &self.workflows
    }

    /// The steps of a workflow; nothing if the declaration is none, or none of these files has it.
    #[must_use]
    pub fn workflow(&self, workflow: DeclarationId) -> Option<&WorkflowFlow> {
        self.workflows.get(*self.by_workflow.get(&workflow)?)
    }

    /// Events that a workflow emits and no workflow of the project takes notice of, and that ask for no answer either.
    pub fn orphan_emits(&self) -> impl Iterator<Item = (&Topic, &Emit)> {
        let orphans = self.topics.iter().filter(|topic| !topic.built_in && topic.consumers.is_empty() && !topic.is_request);
        orphans.flat_map(|topic| topic.emits.iter().map(move |emit| (topic, emit)))
    }

    /// Topics that come from outside and that nobody takes notice of.
    pub fn unread(&self) -> impl Iterator<Item = &Topic> {
        self.topics.iter().filter(|topic| topic.external && !topic.built_in && topic.consumers.is_empty())
    }

    /// Nodes that listen to a topic that is not external and that only other workflows emit: each run has a scroll of its own, so it
    /// never comes. Each with the first of those that emit it.
    pub fn emitted_elsewhere(&self) -> impl Iterator<Item = (&Topic, &Consumer, &Emit)> {
        let derived = self.topics.iter().filter(|topic| !topic.built_in && !topic.external);
        derived.flat_map(|topic| {
            let own: FxHashSet<DeclarationId> = topic.emits.iter().map(|emit| emit.at.workflow).collect();
            let listens = move |consumer: &&Consumer| !own.contains(&consumer.at.workflow);
            topic.consumers.iter().filter(listens).filter_map(move |consumer| Some((topic, consumer, topic.emits.first()?)))
        })
    }

    /// Steps that wait for an answer that no node fires on and that nobody reads.
    pub fn unawaited(&self) -> impl Iterator<Item = (DeclarationId, u32)> {
        self.steps(|step| step.waits && !step.awaited && !step.read)
    }

    /// Steps that can fail without anybody handling it always.
    pub fn unhandled_failures(&self) -> impl Iterator<Item = (DeclarationId, u32)> {
        self.steps(|step| step.can_fail && step.failure < Handling::Always)
    }

    /// Steps that may wait for ever: nothing bounds their time, and nobody notices that they are late.
    pub fn unbounded_waits(&self) -> impl Iterator<Item = (DeclarationId, u32)> {
        self.steps(|step| step.waits && step.timeout.is_none() && !step.late)
    }

    fn steps(&self, wanted: impl Fn(&StepFlow) -> bool + Copy) -> impl Iterator<Item = (DeclarationId, u32)> {
        self.workflows.iter().flat_map(move |workflow| {
            let steps = workflow.steps.iter().enumerate().filter(move |(_, step)| wanted(step));
            steps.map(|(index, _)| (workflow.workflow, index as u32))
        })
    }

    // ---- Finding -------------------------------------------------------------------------------------------------------

    fn add_topics(&mut self, model: &Model) {
        let mut asked: FxHashMap<DeclarationId, Vec<DeclarationId>> = FxHashMap::default();
        for (index, declaration) in model.declarations.iter().enumerate() {
            let DeclarationKind::Event(event) = &declaration.kind else { continue };
            let id = DeclarationId(index as u32);
            self.by_event.insert(id, self.topics.len());
            self.topics.push(Topic {
                event: id,
                built_in: declaration.file.0 == 0,
                external: event.external,
                is_request: !event.answers.is_empty(),
                answers_to: Vec::new(),
                emits: Vec::new(),
                consumers: Vec::new(),
            });
            event.answers.iter().for_each(|answer| asked.entry(*answer).or_default().push(id));
        }
        for topic in &mut self.topics {
            topic.answers_to = asked.remove(&topic.event).unwrap_or_default();
        }
    }

    fn add_workflow(&mut self, model: &Model, built_in: &BuiltIn, body: &WorkflowBody) {
        let reference = |node: u32, place: Place| NodeReference { workflow: body.declaration, node, place };
        let mut steps = Steps::new(model, built_in, &body.nodes);
        for (index, node) in body.nodes.iter().enumerate().map(|(index, node)| (index as u32, node)) {
            if let (Some(event), Some(how)) = (built_in.emitted(&node.action), emission(&node.action)) {
                self.emitted(event, Emit { at: reference(index, node.name_place), how });
            }
            if let Action::WaitTopics { topics, .. } = &node.action {
                let consumer = Consumer { at: reference(index, node.name_place), how: Consumption::Mailbox };
                topics.iter().for_each(|topic| self.consumed(*topic, consumer));
            }
            for trigger in &node.triggers {
                steps.note(node, trigger);
                let at = reference(index, trigger.place);
                match &trigger.source {
                    Source::Topic(topic) => self.consumed(*topic, Consumer { at, how: Consumption::Trigger }),
                    Source::TopicFrom(topic, step) => self.consumed(*topic, Consumer { at, how: Consumption::From(*step) }),
                    Source::Step(step) => self.answered(built_in, model, body, *step, at),
                    Source::All(members) | Source::Count(_, members) | Source::Settled(members) => {
                        members.iter().for_each(|step| self.answered(built_in, model, body, *step, at));
                    }
                    _ => {}
                }
            }
        }
        self.by_workflow.insert(body.declaration, self.workflows.len());
        self.workflows.push(WorkflowFlow { workflow: body.declaration, steps: steps.finish(model, built_in) });
    }

    fn emitted(&mut self, event: DeclarationId, emit: Emit) {
        if let Some(topic) = self.by_event.get(&event).and_then(|index| self.topics.get_mut(*index)) {
            topic.emits.push(emit);
        }
    }

    fn consumed(&mut self, event: DeclarationId, consumer: Consumer) {
        if let Some(topic) = self.by_event.get(&event).and_then(|index| self.topics.get_mut(*index)) {
            topic.consumers.push(consumer);
        }
    }

    /// A node fires on the answer of a step, which is one of these events.
    fn answered(&mut self, built_in: &BuiltIn, model: &Model, body: &WorkflowBody, step: u32, at: NodeReference) {
        let Some(node) = body.nodes.get(step as usize) else { return };
        // What a mailbox takes it takes itself.
        if !matches!(node.action, Action::WaitTopics { .. }) {
            let consumer = Consumer { at, how: Consumption::Answer(step) };
            built_in.answers(model, &node.action).iter().for_each(|topic| self.consumed(*topic, consumer));
        }
    }
}

fn emission(action: &Action) -> Option<Emission> {
    match action {
        Action::Emit { .. } => Some(Emission::Emit),
        Action::Ask { agent, .. } => Some(Emission::Ask(*agent)),
        Action::Call { tool, .. } => Some(Emission::Call(*tool)),
        Action::Run { workflow, .. } => Some(Emission::Run(*workflow)),
        Action::WaitFor(_) | Action::WaitUntil(_) => Some(Emission::Timer),
        _ => None,
    }
}

/// The steps of a workflow while its triggers are gone through.
struct Steps<'a> {
    nodes: &'a [Node],
    steps: Vec<StepFlow>,
    /// The topics that some node listens to without naming a step.
    listened: FxHashSet<DeclarationId>,
    /// The topics that some node listens to as an answer of a step.
    from: FxHashSet<(DeclarationId, u32)>,
    /// What happens to failures that no other node takes.
    rest: Handling,
}

impl<'a> Steps<'a> {
    fn new(model: &Model, built_in: &BuiltIn, nodes: &'a [Node]) -> Self {
        let doubts = Doubts::none(nodes);
        let step = |(index, node): (usize, &Node)| StepFlow {
            waits: !built_in.answers(model, &node.action).is_empty(),
            can_fail: can_fail(model, &doubts, index as u32, node),
            timeout: node.timeout.or_else(|| callee_timeout(model, &node.action)),
            ..StepFlow::default()
        };
        let steps = nodes.iter().enumerate().map(step).collect();
        Self { nodes, steps, listened: FxHashSet::default(), from: FxHashSet::default(), rest: Handling::Never }
    }

    fn change(&mut self, step: u32, change: impl FnOnce(&mut StepFlow)) {
        if let Some(step) = self.steps.get_mut(step as usize) {
            change(step);
        }
    }

    fn note(&mut self, node: &Node, trigger: &Trigger) {
        let is_always = node.limit.is_none() && matches!(trigger.condition, None | Some(Condition::Else));
        let handling = if is_always { Handling::Always } else { Handling::Sometimes };
        match &trigger.source {
            Source::Step(step) => self.change(*step, |step| step.awaited = true),
            Source::All(members) | Source::Count(_, members) => {
                members.iter().for_each(|member| self.change(*member, |step| step.awaited = true));
            }
            Source::Settled(members) => members.iter().for_each(|member| {
                self.change(*member, |step| (step.awaited, step.failure) = (true, Handling::Always));
            }),
            Source::Topic(topic) => drop(self.listened.insert(*topic)),
            Source::TopicFrom(topic, step) => drop(self.from.insert((*topic, *step))),
            Source::Failure(step) => self.change(*step, |step| step.failure = step.failure.max(handling)),
            Source::AnyFailure => self.rest = self.rest.max(handling),
            Source::Timeout { step: Some(step), .. } => self.change(*step, |step| step.late = true),
            Source::Start | Source::ToolFrom { .. } | Source::Timeout { step: None, .. } | Source::Unknown => {}
        }
    }

    fn finish(mut self, model: &Model, built_in: &BuiltIn) -> Vec<StepFlow> {
        let mut read = Vec::new();
        for node in self.nodes {
            reads::of_node(node, &mut |found| read.push(found.step));
            node.triggers.iter().for_each(|trigger| reads::of_trigger(trigger, Vec::new(), &mut |found| read.push(found.step)));
        }
        read.into_iter().for_each(|step| self.change(step, |step| step.read = true));
        for (index, (node, step)) in self.nodes.iter().zip(&mut self.steps).enumerate() {
            let is_heard = |topic: &DeclarationId| self.listened.contains(topic) || self.from.contains(&(*topic, index as u32));
            step.awaited |= built_in.answers(model, &node.action).iter().any(is_heard);
            step.failure = step.failure.max(self.rest);
        }
        self.steps
    }
}

/// The time that an agent or a tool says it takes at most.
fn callee_timeout(model: &Model, action: &Action) -> Option<u64> {
    let (Action::Ask { agent: callee, .. } | Action::Call { tool: callee, .. } | Action::Run { workflow: callee, .. }) = action else {
        return None;
    };
    match &model.get(*callee)?.kind {
        DeclarationKind::Agent(agent) => agent.timeout,
        DeclarationKind::Tool(tool) => tool.timeout,
        DeclarationKind::Workflow(workflow) => workflow.timeout,
        _ => None,
    }
}
