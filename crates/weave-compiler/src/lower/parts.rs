//! What stands beside the nodes: tools, agents, prompts, events and errors.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use weave_analysis::model::Declaration;
use weave_analysis::model::declarations::{
    Activation, Agent, Approval, Backoff, Category, Deferred, Event, FailureName, Hints, OnCancel, OnTimeout, Prompt, PromptTier, Retry,
    Tool,
};
use weave_analysis::model::offered::Offered;
use weave_analysis::model::types::RecordType;
use weave_analysis::model::{DeclarationId, Model};
use weave_ir::{Duration, Schema};
use weave_syntax::ast::ToolKind;

use super::BuiltIn;
use super::guard::guard;
use super::offered::offer;
use super::places::Places;
use super::values::{child, small, template};
use crate::schema::Schemas;

/// Lowers the parts of one definition.
pub(super) struct Parts<'a> {
    pub(super) model: &'a Model,
    pub(super) schemas: Schemas<'a>,
    pub(super) built_in: &'a BuiltIn,
}

pub(super) fn text(text: &Option<std::sync::Arc<str>>) -> Option<String> {
    text.as_deref().map(str::to_owned)
}

/// The entries of an object of the model; the order of keys means nothing.
pub(super) fn entries(json: Option<&Json>) -> BTreeMap<String, Json> {
    match json {
        Some(Json::Object(entries)) => entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        _ => BTreeMap::new(),
    }
}

pub(super) fn duration(milliseconds: Option<u64>) -> Option<Duration> {
    milliseconds.map(Duration::from_milliseconds)
}

/// The places of the fields of a record whose schema stands at this pointer.
pub(super) fn fields(record: &RecordType, pointer: &str, places: &mut Places) {
    for field in &record.fields {
        places.add(child(&format!("{pointer}/properties"), field.wire_name()), field.place);
    }
}

/// The codes of failures.
pub(super) fn codes(model: &Model, names: &[FailureName]) -> BTreeSet<String> {
    let code = |name: &FailureName| match name {
        FailureName::Error(id) => model.get(*id).map(|declaration| declaration.name.to_string()),
        FailureName::Kind(kind) => Some(kind.to_string()),
    };
    names.iter().filter_map(code).collect()
}

/// The pause before the first further attempt, where the pauses grow but nobody said from what.
const FIRST_PAUSE: u64 = 1_000;

/// What a tool or an agent says about further attempts; `retry 0` says what holds anyway.
pub(super) fn said(retry: Option<&Retry>) -> Option<&Retry> {
    retry.filter(|retry| retry.max > 0)
}

pub(super) fn retry(model: &Model, retry: &Retry) -> weave_ir::Retry {
    let backoff = match retry.backoff {
        None | Some(Backoff::Constant) => None,
        Some(Backoff::Linear) => Some(weave_ir::Backoff::Linear),
        Some(Backoff::Exponential) => Some(weave_ir::Backoff::Exponential),
    };
    let paused = retry.backoff.is_some() || retry.cap.is_some();
    weave_ir::Retry {
        max: small(retry.max),
        backoff,
        base: duration(retry.base.or(paused.then_some(FIRST_PAUSE))),
        cap: duration(retry.cap),
        on: codes(model, &retry.on),
    }
}

fn hints(hints: Hints) -> BTreeSet<weave_ir::Hint> {
    let all = [
        (hints.read_only, weave_ir::Hint::ReadOnly),
        (hints.destructive, weave_ir::Hint::Destructive),
        (hints.idempotent, weave_ir::Hint::Idempotent),
        (hints.open_world, weave_ir::Hint::OpenWorld),
    ];
    all.into_iter().filter_map(|(said, hint)| said.then_some(hint)).collect()
}

pub(super) fn category(category: Category) -> weave_ir::Category {
    match category {
        Category::Invalid => weave_ir::Category::Invalid,
        Category::Unauthenticated => weave_ir::Category::Unauthenticated,
        Category::Denied => weave_ir::Category::Denied,
        Category::NotFound => weave_ir::Category::NotFound,
        Category::Conflict => weave_ir::Category::Conflict,
        Category::RateLimit => weave_ir::Category::RateLimit,
        Category::Unavailable => weave_ir::Category::Unavailable,
        Category::Timeout => weave_ir::Category::Timeout,
        Category::Internal => weave_ir::Category::Internal,
    }
}

fn deferred(deferred: &Deferred) -> weave_ir::Deferred {
    let on_timeout = deferred.on_timeout.map(|on_timeout| match on_timeout {
        OnTimeout::Fail => weave_ir::OnTimeout::Fail,
        OnTimeout::Error => weave_ir::OnTimeout::Error,
    });
    weave_ir::Deferred { deadline: duration(deferred.deadline), on_timeout }
}

fn kind(tool: &Tool) -> weave_ir::ToolKind {
    match tool.kind {
        ToolKind::Local if tool.at.is_some() || tool.from.is_some() => weave_ir::ToolKind::Remote,
        ToolKind::Local => weave_ir::ToolKind::Local,
        ToolKind::Signal => weave_ir::ToolKind::Signal,
        ToolKind::Interaction => weave_ir::ToolKind::Interaction,
        ToolKind::Provider => weave_ir::ToolKind::Provider,
    }
}

impl Parts<'_> {
    pub(super) fn tool(&self, name: &Declaration, tool: &Tool, pointer: &str, places: &mut Places) -> weave_ir::Tool {
        fields(&tool.input, &format!("{pointer}/input"), places);
        if let Some(action) = &tool.action {
            places.add(format!("{pointer}/action"), action.place);
        }
        let schema = |ty: &Option<_>| ty.as_ref().map(|ty| Schema(self.schemas.of(ty)));
        let mut lowered =
            weave_ir::Tool::new(kind(tool), Schema(self.schemas.record(&tool.input)), Schema(self.schemas.output(tool.output.as_ref())));
        lowered.id = tool.id.as_ref().map(|(id, _)| id.to_string());
        lowered.title = text(&tool.title);
        lowered.description = text(&name.docs);
        lowered.deprecated = text(&name.deprecated);
        lowered.version = text(&tool.version);
        lowered.action = tool.action.as_ref().map(template);
        if tool.silent {
            lowered.mode = weave_ir::ToolMode::Silent;
        }
        lowered.activation = match tool.activation {
            Activation::Always => None,
            Activation::Deferred => Some(weave_ir::Activation::Deferred),
            Activation::Internal => Some(weave_ir::Activation::Internal),
        };
        lowered.strict = tool.strict;
        lowered.hints = tool.hints.map(hints);
        lowered.timeout = duration(tool.timeout);
        lowered.retry = said(tool.retry.as_ref()).map(|it| retry(self.model, it));
        lowered.approval = self.approval(tool.approval.as_ref(), pointer, places);
        lowered.deferred = tool.deferred.as_ref().map(deferred);
        lowered.on_cancel = tool.on_cancel.map(|on_cancel| match on_cancel {
            OnCancel::Cancel => weave_ir::OnCancel::Cancel,
            OnCancel::Ignore => weave_ir::OnCancel::Ignore,
        });
        lowered.max_output = tool.max_output.map(small);
        lowered.progress = schema(&tool.progress);
        lowered.artifacts = schema(&tool.artifacts);
        lowered.fails = codes(self.model, &tool.fails);
        let example =
            |it: &weave_analysis::model::declarations::Example| weave_ir::Example { input: it.input.clone(), output: it.output.clone() };
        lowered.examples = tool.examples.iter().map(example).collect();
        lowered.requires = tool.requires.iter().map(|name| name.to_string()).collect();
        lowered.at = tool.at.as_ref().map(|env| weave_ir::Endpoint { env: env.to_string() });
        lowered.from = tool
            .from
            .as_ref()
            .map(|from| weave_ir::Origin::Mcp(weave_ir::McpTool { server: from.server.to_string(), tool: from.tool.to_string() }));
        lowered.via =
            tool.via.as_ref().map(|via| weave_ir::Provider { provider: via.provider.to_string(), options: entries(Some(&via.options)) });
        lowered.binding = tool.bindings.iter().map(|(host, settings)| (host.to_string(), settings.clone())).collect();
        lowered.meta = entries(tool.meta.as_ref());
        lowered
    }

    fn approval(&self, approval: Option<&Approval>, pointer: &str, places: &mut Places) -> Option<weave_ir::Approval> {
        match approval? {
            // To say that none is needed is for the reader of the program.
            Approval::Never => None,
            Approval::Always => Some(weave_ir::Approval::Always),
            Approval::When(condition) => {
                places.add(format!("{pointer}/approval/when"), condition.place);
                Some(weave_ir::Approval::When(guard(self.model, condition)))
            }
        }
    }

    pub(super) fn agent(
        &self,
        name: &Declaration,
        agent: &Agent,
        offered: &[Offered],
        pointer: &str,
        places: &mut Places,
    ) -> weave_ir::Agent {
        fields(&agent.input, &format!("{pointer}/input"), places);
        if let Some(system) = &agent.system {
            places.add(format!("{pointer}/system"), system.place);
        }
        for (index, offered) in offered.iter().enumerate() {
            places.add(format!("{pointer}/tools/{index}"), offered.place);
        }
        let output = agent.output.as_ref().or_else(|| self.built_in.plain_answer(self.model));
        let mut lowered = weave_ir::Agent::new(Schema(self.schemas.record(&agent.input)), Schema(self.schemas.output(output)));
        lowered.title = text(&agent.title);
        lowered.description = text(&name.docs);
        lowered.deprecated = text(&name.deprecated);
        lowered.version = text(&agent.version);
        lowered.model = text(&agent.model);
        lowered.system = agent.system.as_ref().map(template);
        lowered.prompt = agent.prompt.and_then(|id| self.declared(id));
        lowered.tools = offered.iter().map(|offered| offer(offered, self.model)).collect();
        lowered.max_turns = agent.max_turns.map(small);
        lowered.options = entries(agent.options.as_ref());
        lowered.meta = entries(agent.meta.as_ref());
        lowered
    }

    pub(super) fn prompt(&self, name: &Declaration, prompt: &Prompt, pointer: &str, places: &mut Places) -> weave_ir::Prompt {
        fields(&prompt.input, &format!("{pointer}/input"), places);
        places.add(format!("{pointer}/text"), prompt.text.place);
        weave_ir::Prompt {
            tier: match prompt.tier {
                PromptTier::Static => weave_ir::Tier::Static,
                PromptTier::Bound => weave_ir::Tier::Bound,
                PromptTier::Dynamic => weave_ir::Tier::Dynamic,
            },
            description: text(&name.docs),
            deprecated: text(&name.deprecated),
            version: None,
            input: Schema(self.schemas.record(&prompt.input)),
            hydrates: prompt.hydrates.as_ref().map(|record| Schema(self.schemas.record(record))),
            text: template(&prompt.text),
        }
    }

    pub(super) fn event(&self, name: &Declaration, event: &Event) -> weave_ir::Event {
        weave_ir::Event {
            description: text(&name.docs),
            deprecated: text(&name.deprecated),
            external: event.external,
            payload: Schema(self.schemas.of(&event.payload)),
            answers: event.answers.iter().filter_map(|id| self.declared(*id)).collect(),
        }
    }

    pub(super) fn error(&self, name: &Declaration, data: &RecordType, pointer: &str, places: &mut Places) -> weave_ir::ErrorType {
        fields(data, &format!("{pointer}/data"), places);
        weave_ir::ErrorType {
            description: text(&name.docs),
            deprecated: text(&name.deprecated),
            category: name.category.map(category),
            status: name.status,
            data: Schema(self.schemas.record(data)),
        }
    }

    fn declared(&self, id: DeclarationId) -> Option<String> {
        self.model.get(id).map(|declaration| declaration.name.to_string())
    }
}
