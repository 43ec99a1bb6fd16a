//! What actions are aimed at: agents, tools, workflows, events.

use weave_diagnostics::Span;
use weave_syntax::ast::{self, Action, Dotted, Name, Node, NodeBody, NodeKind, StepEntry, ToolKind, Wait};

use super::Body;
use crate::declare::similar_name;
use crate::messages::{bodies as message, declarations};
use crate::model::declarations::Tool;
use crate::model::{DeclarationId, DeclarationKind, Lookup};

/// What the action of a node is aimed at.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// Nothing: it has no action, or none that is known.
    None,
    /// `ask`, or `call` of an agent.
    Agent(DeclarationId),
    /// `call` of a tool.
    Tool(DeclarationId),
    /// `run`, or `call` of a workflow.
    Workflow(DeclarationId),
    /// `emit`.
    Event(DeclarationId),
    /// `wait` for a time.
    Time,
    /// `wait` for one of these events.
    Mailbox(Box<[DeclarationId]>),
    /// `cancel`.
    Cancel,
    /// A value.
    Value,
}

/// The action of a node. If it has several, which has been reported, the first one counts.
pub(super) fn action(node: &Node) -> Option<&Action> {
    match &node.body {
        NodeBody::Block { entries, .. } => {
            entries.iter().find_map(|entry| if let StepEntry::Action(action) = entry { Some(action) } else { None })
        }
        NodeBody::Value(_) | NodeBody::None => None,
    }
}

impl Body<'_> {
    /// What the action of a node is aimed at; what is wrong with that is reported.
    pub(super) fn target(&self, node: &Node) -> Target {
        if node.kind != NodeKind::Step {
            return Target::None;
        }
        let Some(action) = action(node) else {
            return if matches!(node.body, NodeBody::Value(_)) { Target::Value } else { Target::None };
        };
        match action {
            Action::Invoke { span, target, name, .. } => self.invoked(*target, *name, *span).unwrap_or(Target::None),
            Action::Emit { topic, .. } => self.emitted(*topic).map_or(Target::None, Target::Event),
            Action::Wait { wait: Wait::For(_) | Wait::Until(_), .. } => Target::Time,
            Action::Wait { wait: Wait::Topics { topics, .. }, .. } => {
                let found = topics.iter().map(|topic| self.topic(*topic)).collect::<Vec<_>>();
                let found = found.into_iter().collect::<Option<Vec<_>>>();
                found.map_or(Target::None, |topics| Target::Mailbox(topics.into()))
            }
            Action::Cancel { .. } => Target::Cancel,
        }
    }

    fn invoked(&self, target: ast::Target, name: Name, action: Span) -> Option<Target> {
        let word = self.text(name.span);
        let place = self.place(name.span);
        let (expected, accepts): (_, fn(&DeclarationKind) -> bool) = match target {
            ast::Target::Agent => ("an agent", |kind| matches!(kind, DeclarationKind::Agent(_))),
            // Agents and workflows may stand wherever a tool is named.
            ast::Target::Tool => {
                ("a tool", |kind| matches!(kind, DeclarationKind::Tool(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)))
            }
            ast::Target::Workflow => ("a workflow", |kind| matches!(kind, DeclarationKind::Workflow(_))),
        };
        match self.scope.lookup(word, false) {
            Lookup::Found(id) => {
                let found = self.model.get(id)?;
                if !accepts(&found.kind) {
                    let keyword = match target {
                        ast::Target::Agent | ast::Target::Workflow => 3,
                        ast::Target::Tool => 4,
                    };
                    let keyword = self.place(Span::new(action.start, action.start + keyword));
                    self.report(message::wrong_target(word, expected, place, keyword, found));
                    return None;
                }
                if let DeclarationKind::Tool(tool) = &found.kind
                    && !self.is_callable(tool, word, name.span)
                {
                    return None;
                }
                // What is found decides what happens, not the word: an agent that is called is asked.
                Some(match &found.kind {
                    DeclarationKind::Agent(_) => Target::Agent(id),
                    DeclarationKind::Workflow(_) => Target::Workflow(id),
                    _ => Target::Tool(id),
                })
            }
            Lookup::Excused => None,
            Lookup::Unknown => {
                let similar = self.worth_a_suggestion().then(|| similar_name(self.model, self.item.file, word, false, accepts)).flatten();
                self.report(declarations::unknown_name(word, expected, place, similar.as_deref()));
                None
            }
        }
    }

    fn is_callable(&self, tool: &Tool, word: &str, at: Span) -> bool {
        let callable = matches!(tool.kind, ToolKind::Local | ToolKind::Interaction);
        if !callable {
            self.report(message::uncallable_tool(word, tool.kind, self.place(at)));
        }
        callable
    }

    fn emitted(&self, topic: Dotted) -> Option<DeclarationId> {
        let id = self.topic(topic)?;
        let declaration = self.model.get(id)?;
        let DeclarationKind::Event(event) = &declaration.kind else { return None };
        if event.external {
            self.report(message::external_emit(&declaration.name, self.place(topic.span), declaration.place));
        }
        Some(id)
    }

    /// The event of a topic; nothing if there is none, which is reported.
    pub(super) fn topic(&self, topic: Dotted) -> Option<DeclarationId> {
        // A name without a dot has been reported with the syntax.
        if !topic.is_topic || topic.is_missing(self.item.text) {
            return None;
        }
        let word = topic.text(self.item.text);
        match self.scope.lookup(word, true) {
            Lookup::Found(id) => Some(id),
            Lookup::Excused => None,
            Lookup::Unknown => {
                let similar = self.worth_a_suggestion().then(|| similar_name(self.model, self.item.file, word, true, |_| true)).flatten();
                self.report(declarations::unknown_topic(word, self.place(topic.span), similar.as_deref()));
                None
            }
        }
    }

    pub(super) fn worth_a_suggestion(&self) -> bool {
        self.sink.worth_a_suggestion()
    }
}
