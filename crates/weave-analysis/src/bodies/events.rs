//! What fired a node, as a value: `.event`, `.failure`, `.response`, `.result`.

use std::sync::Arc;

use super::Body;
use super::targets::Target;
use crate::expression::shape::join;
use crate::expression::{Unreadable, shape};
use crate::messages::bodies as message;
use crate::model::declarations::TargetNames;
use crate::model::declarations::{FAILURE_KINDS, FailureName, Tool};
use crate::model::types::{FieldType, ListType, Literal, RecordType, Scalar, Type};
use crate::model::workflow::Source;
use crate::model::{DeclarationId, DeclarationKind};

/// A raw event that has a name of its own on nodes that it fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    /// `.response`, an `ai.response`.
    Response,
    /// `.result`, a `tool.result`.
    Result,
}

impl Raw {
    const fn topic(self) -> &'static str {
        match self {
            Self::Response => "ai.response",
            Self::Result => "tool.result",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Result => "result",
        }
    }
}

impl Body<'_> {
    /// `.event`: what fired the node; under several triggers either of it.
    pub(super) fn event(&self, sources: &[Source]) -> Result<Type, Unreadable> {
        if sources.is_empty() {
            return Err(message::no_event("it fires at the start of the run"));
        }
        let mut types = Vec::with_capacity(sources.len());
        for source in sources {
            types.push(self.event_of(source)?);
        }
        Ok(join(types))
    }

    fn event_of(&self, source: &Source) -> Result<Type, Unreadable> {
        Ok(match source {
            Source::Step(step) => self.answer(*step),
            Source::Topic(topic) => self.topic_type(*topic),
            Source::TopicFrom(topic, step) => self.answered_with(*topic, *step),
            Source::ToolFrom { tool, .. } => match self.model.get(*tool).map(|declaration| &declaration.kind) {
                Some(DeclarationKind::Tool(tool)) => Type::Record(Arc::clone(&tool.input)),
                Some(DeclarationKind::Agent(agent)) => Type::Record(Arc::clone(&agent.input)),
                Some(DeclarationKind::Workflow(workflow)) => Type::Record(Arc::clone(&workflow.input)),
                _ => Type::Unknown,
            },
            Source::Count(count, steps) => {
                let winner = join(steps.iter().map(|step| self.answer(*step)));
                if *count == 1 {
                    winner
                } else {
                    Type::List(Arc::new(ListType { min: Some(*count), max: Some(*count), ..ListType::of(winner) }))
                }
            }
            Source::Failure(_) | Source::AnyFailure => self.failure_of(source).unwrap_or(Type::Unknown),
            Source::Start => return Err(message::no_event("it fires at the start of the run")),
            Source::All(_) => return Err(message::no_event("`all` joins several answers; read each by the name of its step")),
            Source::Settled(_) => return Err(message::no_event("`settled` joins several answers; read each by the name of its step")),
            Source::Timeout { .. } => return Err(message::no_event("it fires because time has passed, not because of an event")),
            Source::Unknown => Type::Unknown,
        })
    }

    /// What an event says as the answer to a step, or from within what the step does.
    fn answered_with(&self, topic: DeclarationId, step: u32) -> Type {
        if self.answers_of(self.target_of(step)).contains(&topic) { self.element_answer(step, Some(topic)) } else { self.payload(topic) }
    }

    /// What an event says: if it answers something that this workflow asks for, the answers to that.
    fn topic_type(&self, topic: DeclarationId) -> Type {
        if let Some(ty) = self.topics.borrow().get(&topic) {
            return ty.clone();
        }
        let ty = match self.answered_by.get(&topic).map(Vec::as_slice) {
            None | Some([]) => self.payload(topic),
            Some(steps) => join(steps.iter().map(|step| self.element_answer(*step, Some(topic)))),
        };
        self.topics.borrow_mut().insert(topic, ty.clone());
        ty
    }

    /// `.response` and `.result`.
    pub(super) fn raw_event(&self, raw: Raw, sources: &[Source]) -> Result<Type, Unreadable> {
        let Some(topic) = self.scope.topics.get(raw.topic()) else { return Ok(Type::Unknown) };
        let is_raw = |source: &Source| matches!(source, Source::Topic(it) | Source::TopicFrom(it, _) if it == topic);
        if !sources.is_empty() && sources.iter().all(|source| is_raw(source) || *source == Source::Unknown) {
            self.event(sources)
        } else {
            Err(message::not_raw(raw.name(), raw.topic()))
        }
    }

    // ---- Failures ------------------------------------------------------------------------------------------------------

    /// `.failure`.
    pub(super) fn failure(&self, sources: &[Source]) -> Result<Type, Unreadable> {
        let failures = sources.iter().map(|source| self.failure_of(source)).collect::<Option<Vec<_>>>();
        failures.filter(|failures| !failures.is_empty()).map(join).ok_or_else(message::no_failure)
    }

    fn failure_of(&self, source: &Source) -> Option<Type> {
        match source {
            Source::Unknown => Some(Type::Unknown),
            Source::AnyFailure => Some(self.any_failure()),
            Source::Failure(step) => Some(match self.target_of(*step) {
                Target::Tool(id) | Target::Workflow(id) => match self.model.get(*id).map(|declaration| &declaration.kind) {
                    Some(DeclarationKind::Tool(tool)) => self.tool_failure(tool),
                    Some(DeclarationKind::Workflow(workflow)) => self.run_failure(&workflow.failures),
                    _ => self.any_failure(),
                },
                Target::None => Type::Unknown,
                _ => self.any_failure(),
            }),
            _ => None,
        }
    }

    /// A failure of which only the kind is known. Where it has no code of its own, its kind takes the place.
    fn any_failure(&self) -> Type {
        self.failure_record(Type::Scalar(Scalar::String, None), Some((Type::Json, true)))
    }

    /// What a tool fails with: one of its declared errors with its data, or a built-in kind alone.
    ///
    /// Written as a union, so that asking for the code says which data there is.
    fn tool_failure(&self, tool: &Tool) -> Type {
        if tool.doubtful {
            return Type::Unknown;
        }
        let errors = tool.fails.iter().filter_map(|name| if let FailureName::Error(id) = name { Some(*id) } else { None });
        let declared = errors.filter_map(|id| Some((id, Arc::clone(&self.model.get(id)?.name)))).collect::<Vec<_>>();
        if declared.is_empty() {
            return self.any_failure();
        }
        let with_code = declared.into_iter().map(|(id, name)| {
            let code = Type::Literal(Literal::String(name));
            self.failure_record(code, Some((Type::Named(id), false)))
        });
        let with_code = with_code.collect::<Vec<_>>();
        join(with_code.into_iter().chain([self.failure_record(self.kinds(), None)]))
    }

    /// What a run fails with: its `fail` nodes, or a built-in kind.
    fn run_failure(&self, codes: &[Arc<str>]) -> Type {
        if codes.is_empty() {
            return self.any_failure();
        }
        let code = join(codes.iter().map(|code| Type::Literal(Literal::String(Arc::clone(code)))));
        let with_code = self.failure_record(code, Some((Type::Json, true)));
        shape::join([with_code, self.failure_record(self.kinds(), None)])
    }

    /// The built-in kinds, which are also the codes of failures without a code of their own.
    fn kinds(&self) -> Type {
        let kinds = || join(FAILURE_KINDS.iter().map(|kind| Type::Literal(Literal::String(Arc::from(*kind)))));
        self.failure_kinds.get_or_init(kinds).clone()
    }

    fn failure_record(&self, code: Type, data: Option<(Type, bool)>) -> Type {
        let mut fields = vec![
            self.field("kind", self.kinds(), false),
            self.field("code", code, false),
            self.field("message", Type::Scalar(Scalar::String, None), false),
        ];
        fields.extend(data.map(|(ty, optional)| self.field("data", ty, optional)));
        Type::Record(Arc::new(RecordType::new(fields.into(), false)))
    }

    /// A field that is built in, and so has no place of its own.
    fn field(&self, name: &str, ty: Type, optional: bool) -> FieldType {
        FieldType {
            name: Arc::from(name),
            wire: None,
            ty,
            optional,
            default: None,
            docs: None,
            secret: false,
            deprecated: None,
            target_names: TargetNames::default(),
            place: self.owner.declaration.place,
            ty_place: self.owner.declaration.place,
        }
    }
}
