//! What a run needs and nobody provides.

use std::collections::BTreeSet;

use serde_json::Value;
use weave_host::{Ask, Context, Models, Outcome, Pending, People, Question, ToolCall, Tools};
use weave_ir::ToolKind;
use weave_runner::{Failure as Failed, FailureKind};

use super::chosen::Chosen;
use crate::failure::Failure;

/// Checks before anything starts that somebody answers for each model and tool.
pub(crate) fn check(chosen: &Chosen) -> Result<(), Failure> {
    let definitions = || chosen.all.iter().map(|(definition, _)| definition);
    let models: BTreeSet<_> = definitions().flat_map(|definition| definition.agents.values()).map(|agent| agent.model.as_deref()).collect();
    let written_out = definitions().flat_map(|definition| &definition.nodes).any(|node| node.emit.as_deref() == Some("ai.request"));
    let executed = |kind: ToolKind| matches!(kind, ToolKind::Local | ToolKind::Remote);
    let tools: BTreeSet<_> = definitions()
        .flat_map(|definition| &definition.tools)
        .filter(|(_, tool)| executed(tool.kind))
        .map(|(name, _)| name.as_str())
        .collect();
    if models.is_empty() && tools.is_empty() && !written_out {
        return Ok(());
    }
    let mut failure = Failure::new(format!("the models or tools that `{}` calls are not configured", chosen.definition.workflow));
    for model in models {
        failure = failure.detail(match model {
            Some(model) => format!("the model `{model}` is not configured"),
            None => "an agent without a model needs a default model".to_owned(),
        });
    }
    for tool in tools {
        failure = failure.detail(format!("the tool `{tool}` is not configured"));
    }
    Err(failure.help("run it with `--mock`: answers are made up from examples and schemas"))
}

/// Nobody: each call fails.
pub(crate) struct Unconfigured;

fn unavailable(what: String) -> Outcome {
    Outcome::Failed(Failed::new(FailureKind::Unavailable, what))
}

impl Models for Unconfigured {
    fn turn<'a>(&'a self, ask: &'a Ask, _: &'a Context) -> Pending<'a, Outcome> {
        let name = ask.model.as_deref().unwrap_or("default");
        Box::pin(std::future::ready(unavailable(format!("the model `{name}` is not configured"))))
    }
}

impl Tools for Unconfigured {
    fn call<'a>(&'a self, call: ToolCall<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(unavailable(format!("the tool `{}` is not configured", call.name))))
    }

    fn hydrate<'a>(&'a self, prompt: &'a str, _: &'a Value, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(unavailable(format!("no hydrator is configured for the prompt `{prompt}`"))))
    }
}

impl People for Unconfigured {
    fn ask<'a>(&'a self, _: Question<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Nobody))
    }
}
