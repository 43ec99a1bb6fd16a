//! A person at the terminal, who answers for everything that is not configured.
//!
//! One question is asked at a time. A valid answer is filled in: Enter takes it; another one is typed as JSON on one line, or written in
//! an editor. Answers are checked against their schemas before the run sees them.

mod console;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
use weave_host::{Ask, Context, Handle, Message, ModelCall, ModelTurn, Models, Outcome, Pending, People, Question, ToolCall, Tools};
use weave_ir::{Definition, Schema};
use weave_runner::{Failure as Failed, FailureKind};
use weave_tools::Handlers;

use super::made_up::Maker;
use super::mock::{preferred, variant};
use super::secrets::{Secrets, errors};
use crate::terminal::Terminal;
use console::Console;

/// How many lines of a schema, of a value and of a message are shown.
const MOST_LINES: usize = 40;
/// How many errors of an answer are shown.
const MOST_ERRORS: usize = 5;

/// A person, and what is configured besides.
pub(crate) struct Person {
    terminal: Terminal,
    handlers: Handlers,
    console: tokio::sync::Mutex<Console>,
    /// Parks the run.
    stop: OnceLock<Handle>,
    secrets: Arc<Mutex<Secrets>>,
    by: String,
}

/// What is asked for.
struct Wanted<'a> {
    definition: &'a Arc<Definition>,
    schema: &'a Schema,
    /// What Enter takes.
    sample: Value,
    /// Whether the person may say that it failed.
    may_fail: bool,
}

/// What the person said.
enum Said {
    /// This.
    Value(Value),
    /// It failed.
    Failed(String),
    /// A command that only some questions have.
    Other(String),
    /// Not now.
    Later,
}

impl Person {
    pub(crate) fn new(terminal: Terminal, handlers: Handlers) -> Self {
        let by = ["USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|user| !user.is_empty()));
        Self {
            terminal,
            handlers,
            console: tokio::sync::Mutex::new(Console::new(terminal)),
            stop: OnceLock::new(),
            secrets: Arc::default(),
            by: by.unwrap_or_else(|| "terminal".to_owned()),
        }
    }

    /// Tells how the run is parked.
    pub(crate) fn stops(&self, handle: Handle) {
        drop(self.stop.set(handle));
    }

    /// The secrets that are not shown, for everything else that is shown.
    pub(crate) fn secrets(&self) -> Arc<Mutex<Secrets>> {
        Arc::clone(&self.secrets)
    }

    /// The input of a workflow; nothing: the person gives none.
    pub(crate) async fn input(&self, definition: &Arc<Definition>) -> Option<Value> {
        let mut console = self.console.lock().await;
        self.terminal.say(format!("`{}` needs an input.", definition.workflow));
        let sample = Maker::new(definition).value(&definition.input);
        let wanted = Wanted { definition, schema: &definition.input, sample, may_fail: false };
        match self.value(&mut console, &wanted, "the input", false).await {
            Said::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Asks for a value of a schema.
    async fn value(&self, console: &mut Console, wanted: &Wanted<'_>, what: &str, may_call: bool) -> Said {
        self.show(&format!("  {what}, as an example"), &wanted.sample, wanted);
        let fail = if wanted.may_fail { "  [f]ail" } else { "" };
        let more = if may_call { "  [c]all TOOL JSON" } else { "" };
        let prompt = format!("  Enter takes it, or type JSON  [e]dit{fail}{more}  [?] schema  [l]ater › ");
        loop {
            let Some(line) = console.line(&prompt).await else { return Said::Later };
            let (word, rest) = line.split_once(' ').map_or((line.as_str(), ""), |(word, rest)| (word, rest.trim()));
            let typed = match word {
                "" => return Said::Value(wanted.sample.clone()),
                "l" | "later" => return Said::Later,
                "f" | "fail" if wanted.may_fail => {
                    return Said::Failed(if rest.is_empty() { "a person said that it failed".to_owned() } else { rest.to_owned() });
                }
                "?" => {
                    let schema = weave_providers::bundle(wanted.schema, &wanted.definition.defs);
                    self.lines(&format!("{schema:#}"));
                    continue;
                }
                "e" | "edit" => match console.edit(&format!("{:#}\n", wanted.sample)).await {
                    Ok(text) => text,
                    Err(failure) => {
                        self.terminal.fail(&failure);
                        continue;
                    }
                },
                "c" | "call" if may_call => return Said::Other(line),
                _ => line,
            };
            match checked(wanted, &typed) {
                Ok(value) => return Said::Value(value),
                Err(errors) => errors.iter().for_each(|error| self.terminal.say(format!("  {}", self.hide(error)))),
            }
        }
    }

    /// Asks for the output of something, and makes it an outcome.
    async fn output(&self, head: String, wanted: Wanted<'_>) -> Outcome {
        let mut console = self.console.lock().await;
        let asked = Asked::new(self.terminal);
        self.terminal.say(format!("? {}", self.hide(&head)));
        let said = self.value(&mut console, &wanted, "the answer", false).await;
        asked.answered();
        match said {
            Said::Value(value) => Outcome::Data(value),
            Said::Failed(message) => Outcome::Failed(Failed::new(FailureKind::ExecutionError, message)),
            Said::Other(_) | Said::Later => self.later(),
        }
    }

    /// Parks the run.
    fn later(&self) -> Outcome {
        if let Some(handle) = self.stop.get() {
            handle.stop();
        }
        Outcome::Unserved
    }

    async fn approval(&self, question: Question<'_>, context: &Context) -> Outcome {
        let definition = &context.definition;
        let mut console = self.console.lock().await;
        let asked = Asked::new(self.terminal);
        let args = question.data.get("args").cloned().unwrap_or_default();
        self.terminal.say(format!("◔ {}   `{}` needs an approval", node(context), question.name));
        let tool = definition.tools.get(question.name);
        if let Some(action) = tool.and_then(|tool| tool.description.as_ref()) {
            self.lines(action);
        }
        self.lines(&format!("{:#}", self.hidden(&args)));
        let decision = loop {
            let line = console.line("  [a]pprove  [d]eny REASON  [e]dit  [l]ater › ").await;
            let Some(line) = line else { break None };
            let (word, rest) = line.split_once(' ').map_or((line.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match word {
                "a" | "approve" => break Some(json!({ "decision": "approve", "by": self.by })),
                "d" | "deny" | "r" | "reject" => {
                    let reason = if rest.is_empty() { console.line("  reason › ").await.unwrap_or_default() } else { rest.to_owned() };
                    break Some(json!({ "decision": "reject", "by": self.by, "reason": reason }));
                }
                "e" | "edit" => {
                    let Some(tool) = tool else { continue };
                    let wanted = Wanted { definition, schema: &tool.input, sample: args.clone(), may_fail: false };
                    match self.value(&mut console, &wanted, "the arguments", false).await {
                        Said::Value(args) => break Some(json!({ "decision": "edit", "by": self.by, "args": args })),
                        _ => continue,
                    }
                }
                "l" | "later" => break None,
                _ => self.terminal.say("  type `a`, `d` with a reason, `e` or `l`"),
            }
        };
        asked.answered();
        let topic = question.answers.first().cloned().unwrap_or_default();
        decision.map_or_else(|| self.later(), |data| Outcome::Answer { topic, data })
    }

    /// A question of the program, which events of several topics may answer.
    async fn question(&self, question: Question<'_>, context: &Context) -> Outcome {
        let definition = &context.definition;
        let mut console = self.console.lock().await;
        let asked = Asked::new(self.terminal);
        self.terminal.say(format!("◔ {}   {}", node(context), question.topic));
        if let Some(about) = definition.events.get(question.topic).and_then(|event| event.description.as_ref()) {
            self.lines(about);
        }
        self.lines(&format!("{:#}", self.hidden(question.data)));
        let first = preferred(question.answers.iter().map(String::as_str)).unwrap_or_default().to_owned();
        let topic = if let [_] = question.answers {
            Some(first)
        } else {
            let listed: String = question.answers.iter().zip(1..).map(|(topic, place)| format!("[{place}] {topic}  ")).collect();
            loop {
                let Some(line) = console.line(&format!("  {listed}[l]ater; Enter is `{first}` › ")).await else { break None };
                let chosen = line.parse::<usize>().ok().and_then(|place| question.answers.get(place.checked_sub(1)?));
                match chosen.or_else(|| question.answers.iter().find(|topic| **topic == line)) {
                    Some(topic) => break Some(topic.clone()),
                    None if line.is_empty() => break Some(first),
                    None if line == "l" || line == "later" => break None,
                    None => self.terminal.say("  type a number"),
                }
            }
        };
        let Some(topic) = topic else {
            asked.answered();
            return self.later();
        };
        let anything = Schema::anything();
        let schema = definition.events.get(&topic).map_or(&anything, |event| &event.payload);
        let sample = Maker::new(definition).value(schema);
        let said = self.value(&mut console, &Wanted { definition, schema, sample, may_fail: false }, &format!("`{topic}`"), false).await;
        asked.answered();
        match said {
            Said::Value(data) => Outcome::Answer { topic, data },
            _ => self.later(),
        }
    }

    async fn model(&self, ask: &Ask, context: &Context) -> Outcome {
        let mut console = self.console.lock().await;
        let asked = Asked::new(self.terminal);
        let who = ask.agent.as_deref().unwrap_or("a model");
        self.terminal.say(format!(
            "? {}   ask {who}{}",
            node(context),
            ask.model.as_ref().map(|model| format!(" ({model})")).unwrap_or_default()
        ));
        for text in [ask.system.as_deref(), ask.messages.last().map(said).as_deref()].into_iter().flatten() {
            self.lines(&self.hide(text));
        }
        let agent = ask.agent.as_ref().and_then(|agent| ask.definition.agents.get(agent));
        let anything = Schema::from(json!({ "type": "string" }));
        let schema = agent.map_or(&anything, |agent| &agent.output);
        let sample =
            agent.map_or_else(|| json!("made up"), |agent| Maker::new(&ask.definition).varied(variant(context)).value(&agent.output));
        if !ask.tools.is_empty() {
            let names: Vec<_> = ask.tools.iter().map(|tool| tool.name.as_str()).collect();
            self.lines(&format!("tools: {}", names.join(", ")));
        }
        let wanted = Wanted { definition: &ask.definition, schema, sample, may_fail: true };
        let outcome = loop {
            match self.value(&mut console, &wanted, "the answer", !ask.tools.is_empty()).await {
                Said::Value(Value::String(text)) if agent.is_none() => break turn(Some(text), Vec::new()),
                Said::Value(value) => break turn(Some(value.to_string()), Vec::new()),
                Said::Failed(message) => break Outcome::Failed(Failed::new(FailureKind::ExecutionError, message)),
                Said::Later => break self.later(),
                Said::Other(line) => match called(&line, ask) {
                    Ok(call) => break turn(None, vec![call]),
                    Err(why) => self.terminal.say(format!("  {why}")),
                },
            }
        };
        asked.answered();
        outcome
    }

    fn show(&self, what: &str, value: &Value, wanted: &Wanted<'_>) {
        self.terminal.say(format!("{what}:"));
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        // What is made up for a secret field is none; what is given is.
        let made_up = Maker::new(wanted.definition).value(wanted.schema) == *value;
        if !made_up {
            secrets.search(wanted.definition, wanted.schema, Some(value));
        }
        drop(secrets);
        self.lines(&format!("{:#}", self.hidden(value)));
    }

    /// Says a text of several lines, not too many.
    fn lines(&self, text: &str) {
        let count = text.lines().count();
        text.lines().take(MOST_LINES).for_each(|line| self.terminal.say(format!("    {line}")));
        if count > MOST_LINES {
            self.terminal.say(format!("    … {} more lines", count - MOST_LINES));
        }
    }

    fn hide(&self, text: &str) -> String {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).hide(text)
    }

    fn hidden(&self, value: &Value) -> Value {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).hidden(value)
    }
}

impl Models for Person {
    fn turn<'a>(&'a self, ask: &'a Ask, context: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(self.model(ask, context))
    }
}

impl Tools for Person {
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        if self.handlers.get(call.name).is_some() {
            return self.handlers.call(call, context);
        }
        Box::pin(async move {
            let anything = Schema::anything();
            let schema = call.tool.map_or(&anything, |tool| &tool.output);
            let example = call.tool.into_iter().flat_map(|tool| &tool.examples).find_map(|example| example.output.clone());
            let sample = example.unwrap_or_else(|| Maker::new(&context.definition).varied(variant(context)).value(schema));
            let head = format!("{}   {} {}", node(context), call.name, call.args);
            self.output(head, Wanted { definition: &context.definition, schema, sample, may_fail: true }).await
        })
    }

    fn hydrate<'a>(&'a self, prompt: &'a str, args: &'a Value, context: &'a Context) -> Pending<'a, Outcome> {
        if self.handlers.get(prompt).is_some() {
            return self.handlers.hydrate(prompt, args, context);
        }
        Box::pin(async move {
            let anything = Schema::anything();
            let schema = context.definition.prompts.get(prompt).and_then(|prompt| prompt.hydrates.as_ref()).unwrap_or(&anything);
            let sample = Maker::new(&context.definition).value(schema);
            let head = format!("{}   the prompt `{prompt}` is filled in: {args}", node(context));
            self.output(head, Wanted { definition: &context.definition, schema, sample, may_fail: true }).await
        })
    }
}

impl People for Person {
    fn ask<'a>(&'a self, question: Question<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        match question.topic {
            "tool.approval.requested" => Box::pin(self.approval(question, context)),
            "tool.dispatch" => Box::pin(async move {
                let anything = Schema::anything();
                let schema = context.definition.tools.get(question.name).map_or(&anything, |tool| &tool.output);
                let sample = Maker::new(&context.definition).varied(variant(context)).value(schema);
                let args = question.data.get("args").cloned().unwrap_or_default();
                let head = format!("{}   {} {args}", node(context), question.name);
                self.output(head, Wanted { definition: &context.definition, schema, sample, may_fail: true }).await
            }),
            _ => Box::pin(self.question(question, context)),
        }
    }
}

/// Says that a question was closed, if it was before it was answered.
struct Asked {
    terminal: Terminal,
    answered: bool,
}

impl Asked {
    const fn new(terminal: Terminal) -> Self {
        Self { terminal, answered: false }
    }

    fn answered(mut self) {
        self.answered = true;
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if !self.answered {
            self.terminal.say("\n  This question is closed: it was answered elsewhere, or its time is over.");
        }
    }
}

fn node(context: &Context) -> &str {
    context.node().unwrap_or_default()
}

/// A typed value, if it fits.
fn checked(wanted: &Wanted<'_>, typed: &str) -> Result<Value, Vec<String>> {
    let value: Value = serde_json::from_str(typed).map_err(|error| vec![format!("this is not JSON: {error}")])?;
    let errors = errors(wanted.definition, wanted.schema, &value, MOST_ERRORS);
    if errors.is_empty() { Ok(value) } else { Err(errors) }
}

/// What a message says.
fn said(message: &Message) -> String {
    match message {
        Message::User(text) => text.clone(),
        Message::Model(turn) => turn.text.clone().unwrap_or_default(),
        Message::Result { name, content, failed, .. } => format!("{name}{}: {content}", if *failed { " failed" } else { "" }),
    }
}

fn turn(text: Option<String>, calls: Vec<ModelCall>) -> Outcome {
    Outcome::Turn(Box::new(ModelTurn { text, calls, ..ModelTurn::default() }))
}

/// The call in `call TOOL JSON`.
fn called(line: &str, ask: &Ask) -> Result<ModelCall, String> {
    let mut words = line.splitn(3, ' ').skip(1);
    let name = words.next().unwrap_or_default();
    if !ask.tools.iter().any(|tool| tool.name == name) {
        let near = weave_diagnostics::closest(name, ask.tools.iter().map(|tool| tool.name.as_str()));
        return Err(near.map_or_else(|| format!("there is no tool `{name}` here"), |near| format!("did you mean `{near}`?")));
    }
    let text = words.next().unwrap_or("{}");
    let args = serde_json::from_str(text).map_err(|error| format!("these arguments are not JSON: {error}"))?;
    Ok(ModelCall { id: format!("call{}", ask.turn), name: name.to_owned(), args })
}
