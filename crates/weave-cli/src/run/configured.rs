//! What a run needs and nothing provides.

use std::collections::BTreeMap;

use weave_host::{Ask, Context, Models, Outcome, Pending, People, Question};
use weave_runner::{Failure as Failed, FailureKind};

use super::chosen::Chosen;
use super::tools::{Missing, Wiring};
use crate::failure::Failure;

/// Checks that something answers for each model and tool, where no person can be asked.
pub(crate) fn check(chosen: &Chosen, wiring: &Wiring) -> Result<(), Failure> {
    let models = models(chosen);
    if models.is_empty() && wiring.missing.is_empty() {
        return Ok(());
    }
    let message =
        format!("`{}` calls models or tools that are not configured, and there is no terminal to ask", chosen.definition.workflow);
    let mut failure = Failure::new(message);
    for (model, agent) in &models {
        let who = agent.as_ref().map(|agent| format!(", which the agent `{agent}` uses{}", place(chosen, "agents", agent)));
        failure = failure.detail(format!("{model}{}", who.unwrap_or_default()));
    }
    for (name, missing) in &wiring.missing {
        failure = failure.detail(described(chosen, name, missing));
    }
    let lines: Vec<_> = wiring.missing.iter().flat_map(|(name, missing)| lines(name, missing)).collect();
    if !lines.is_empty() {
        failure = failure.detail("").detail("Add to weave.toml:").detail("");
        failure = lines.into_iter().fold(failure, |failure, line| failure.detail(format!("  {line}"))).detail("");
    }
    let help = match models.is_empty() {
        true => "or run it with `--mock`: answers are made up from examples and schemas",
        false => "run it at a terminal to answer for the models yourself, or with `--mock`: answers are made up from examples and schemas",
    };
    Err(failure.help(help))
}

/// The models that the agents use, each with one of its agents.
fn models(chosen: &Chosen) -> BTreeMap<String, Option<String>> {
    let definitions = || chosen.all.iter().map(|(definition, _)| definition);
    let agents = definitions().flat_map(|definition| &definition.agents).map(|(name, agent)| {
        let model = agent.model.as_ref().map_or_else(|| "the default model".to_owned(), |model| format!("the model `{model}`"));
        (model, Some(name.clone()))
    });
    let written_out = definitions().flat_map(|definition| &definition.nodes).any(|node| node.emit.as_deref() == Some("ai.request"));
    // The steps that ask an agent emit it, too.
    let written_out = written_out && definitions().all(|definition| definition.agents.is_empty());
    let written_out = written_out.then(|| ("the model of an `ai.request`".to_owned(), None));
    let mut found = BTreeMap::new();
    for (model, agent) in agents.chain(written_out) {
        found.entry(model).or_insert(agent);
    }
    found
}

fn described(chosen: &Chosen, name: &str, missing: &Missing) -> String {
    let noun = if missing.prompt { "the documents of the prompt" } else { "the tool" };
    let at = place(chosen, if missing.prompt { "prompts" } else { "tools" }, name);
    let why = match (&missing.variable, &missing.server, &missing.near) {
        (Some(variable), ..) => format!(": the environment variable `{variable}` is not set"),
        (_, Some(server), _) => format!(": the MCP server `{server}` cannot be reached by this version"),
        (.., Some(near)) => format!(": did you mean `{name}` by `[tools.{near}]`?"),
        _ => String::new(),
    };
    format!("{noun} `{name}`{at}{why}")
}

/// The lines of `weave.toml` for one of them.
fn lines(name: &str, missing: &Missing) -> Vec<String> {
    if let Some(variable) = &missing.variable {
        return vec![
            format!("# {name}: export {variable}=http://localhost:8080, or:"),
            format!("[tools.{name}]"),
            "url = \"http://localhost:8080\"".to_owned(),
        ];
    }
    vec![format!("[tools.{name}]"), format!("command = [\"python3\", \"tools/{name}.py\"]  # or: url = \"http://localhost:8080\"")]
}

/// Where a part of the definition was written.
fn place(chosen: &Chosen, part: &str, name: &str) -> String {
    let range = chosen.map.as_ref().and_then(|map| Some((map, map.paths.get(&format!("/{part}/{name}"))?)));
    let found = range.and_then(|(map, range)| {
        let file = map.sources.get(usize::try_from(range.source).ok()?)?;
        Some(format!(" ({file}:{}:{})", range.line, range.column))
    });
    found.unwrap_or_default()
}

/// No person is asked: a question stays open for an answer from elsewhere.
pub(crate) struct Unconfigured;

impl Models for Unconfigured {
    fn turn<'a>(&'a self, ask: &'a Ask, _: &'a Context) -> Pending<'a, Outcome> {
        let name = ask.model.as_deref().unwrap_or("default");
        let failure = Failed::new(FailureKind::Unavailable, format!("the model `{name}` is not configured"));
        Box::pin(std::future::ready(Outcome::Failed(failure)))
    }
}

impl People for Unconfigured {
    fn ask<'a>(&'a self, _: Question<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}
