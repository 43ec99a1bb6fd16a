//! The graph as data.

/// What follows what in one workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The name of the workflow.
    pub workflow: String,
    /// The start, the nodes in source order, each behind its joins, and then what comes from outside, in the order of first use.
    pub nodes: Vec<GraphNode>,
    /// The edges by the node that they lead to, in the order of its triggers.
    pub edges: Vec<Edge>,
}

/// One node of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Unique in the graph. A node of the workflow has its own id, an event its topic, a join `NODE/1` with the first node that listens to
    /// it, the start `start`, and the failures that no other node handles `failure`.
    pub id: String,
    /// What it is.
    pub kind: NodeKind,
    /// What it does, in a few words: `ask triager`.
    pub title: String,
    /// Its settings, one a line: `limit 3`.
    pub notes: Vec<String>,
    /// What an end or a value gives, and the message of a failed end: `{ status: "paid" }`.
    pub output: Option<String>,
    /// What its author says about it.
    pub description: Option<String>,
    /// What is wrong with it; the one who draws adds this with [`Graph::mark`].
    pub problems: Vec<String>,
}

/// What a node of the picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// The start of the run.
    Start,
    /// Asks an agent.
    Ask,
    /// Calls a tool.
    Call,
    /// Runs a workflow.
    Run,
    /// Emits an event.
    Emit,
    /// Waits for a time.
    Wait,
    /// Takes events from a mailbox.
    Mailbox,
    /// Closes steps.
    Cancel,
    /// Makes a value.
    Value,
    /// Ends the run well.
    End,
    /// Ends the run with a failure.
    Fail,
    /// Not a node of the workflow: an event that comes from outside.
    Event,
    /// Not a node of the workflow: where several answers meet.
    Join,
    /// Not a node of the workflow: any failure that no other node takes.
    Failure,
}

impl NodeKind {
    /// Every kind.
    pub const ALL: [Self; 14] = [
        Self::Start,
        Self::Ask,
        Self::Call,
        Self::Run,
        Self::Emit,
        Self::Wait,
        Self::Mailbox,
        Self::Cancel,
        Self::Value,
        Self::End,
        Self::Fail,
        Self::Event,
        Self::Join,
        Self::Failure,
    ];

    /// Its name in all forms of the graph.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Ask => "ask",
            Self::Call => "call",
            Self::Run => "run",
            Self::Emit => "emit",
            Self::Wait => "wait",
            Self::Mailbox => "mailbox",
            Self::Cancel => "cancel",
            Self::Value => "value",
            Self::End => "end",
            Self::Fail => "fail",
            Self::Event => "event",
            Self::Join => "join",
            Self::Failure => "failure",
        }
    }
}

/// One edge: what makes a node fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The id of the node that it comes from.
    pub from: String,
    /// The id of the node that it leads to.
    pub to: String,
    /// What has to happen.
    pub trigger: TriggerKind,
    /// The condition that stands on it.
    pub condition: EdgeCondition,
}

/// What has to happen at the source of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TriggerKind {
    /// The run starts.
    Start,
    /// The step answers.
    Answer,
    /// An event of this topic comes, from outside or as an answer.
    Topic(String),
    /// The agent of the step calls this tool.
    Tool(String),
    /// The edge leads into a join: what counts there is an answer, and for `settled` a failure too.
    Member,
    /// The join is complete.
    Join(Join),
    /// The step fails.
    Failure,
    /// There is no answer in this time, as in `30m`; from the start: so much time has passed.
    Timeout(String),
}

/// When a join is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// All members answered.
    All,
    /// So many members answered.
    Count(u32),
    /// All members answered or failed.
    Settled,
}

/// The condition of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeCondition {
    /// None.
    Always,
    /// A member of the choice, with its guard.
    When(String),
    /// Outside the choice, with its guard.
    Also(String),
    /// What is left of the choice.
    Else,
}

impl TriggerKind {
    /// Its name in all forms of the graph.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Answer => "answer",
            Self::Topic(_) => "topic",
            Self::Tool(_) => "tool",
            Self::Member => "member",
            Self::Join(Join::All) => "all",
            Self::Join(Join::Count(_)) => "count",
            Self::Join(Join::Settled) => "settled",
            Self::Failure => "failure",
            Self::Timeout(_) => "timeout",
        }
    }
}

impl Edge {
    /// What is written on the edge, one or two lines; nothing for a bare answer. An event from outside is not named again.
    #[must_use]
    pub fn caption(&self) -> Vec<String> {
        let trigger = match &self.trigger {
            TriggerKind::Topic(topic) if *topic != self.from => Some(topic.clone()),
            TriggerKind::Tool(tool) => Some(format!("calls {tool}")),
            TriggerKind::Failure if self.from != crate::read::ANY_FAILURE => Some("failure".to_owned()),
            TriggerKind::Timeout(after) => Some(format!("timeout {after}")),
            _ => None,
        };
        let condition = match &self.condition {
            EdgeCondition::Always => None,
            EdgeCondition::When(guard) => Some(format!("when {guard}")),
            EdgeCondition::Also(guard) => Some(format!("also when {guard}")),
            EdgeCondition::Else => Some("else".to_owned()),
        };
        trigger.into_iter().chain(condition).collect()
    }
}

impl GraphNode {
    /// Whether it is a node of the workflow, and not one that only the picture has.
    #[must_use]
    pub const fn is_own(&self) -> bool {
        !matches!(self.kind, NodeKind::Start | NodeKind::Event | NodeKind::Join | NodeKind::Failure)
    }

    /// What is written in it: a node of the workflow shows its name and then what it does.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let name = self.is_own().then(|| self.id.clone());
        name.into_iter().chain([self.title.clone()]).chain(self.notes.iter().cloned()).chain(self.output.clone()).collect()
    }
}

impl Graph {
    /// Marks a node as having a problem. What names no node changes nothing.
    pub fn mark(&mut self, id: &str, problem: impl Into<String>) {
        if let Some(node) = self.nodes.iter_mut().find(|node| node.id == id) {
            node.problems.push(problem.into());
        }
    }
}
