//! What carries out the calls, by the names of the tools.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use weave_host::{Context, Outcome, Pending, ToolCall, Tools};
use weave_ir::sha256;

use crate::http::{Connections, Sent};
use crate::{Command, Service};

/// What carries out the calls of a tool.
#[derive(Clone, Debug)]
pub enum Handler {
    /// A command, which is started for each call.
    Command(Command),
    /// A service over HTTP.
    Service(Service),
}

/// What carries out the calls of each tool, and finds what prompts are filled in with at run time.
#[derive(Clone, Debug)]
pub struct Handlers {
    handlers: BTreeMap<String, Handler>,
    connections: Connections,
}

impl Handlers {
    /// Handlers by the names of their tools and prompts.
    ///
    /// # Errors
    ///
    /// If a service has an address of HTTPS, and this machine trusts no certificates.
    pub fn new(handlers: BTreeMap<String, Handler>) -> Result<Self, String> {
        let https = handlers.values().any(|handler| matches!(handler, Handler::Service(service) if service.is_https()));
        Ok(Self { handlers, connections: Connections::new(https)? })
    }

    /// The handler of a tool or prompt.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Handler> {
        self.handlers.get(name)
    }

    async fn run(&self, name: &str, args: &Value, streams: bool, context: &Context) -> Outcome {
        // A tool without a handler is left to others.
        let Some(handler) = self.get(name) else { return Outcome::Unserved };
        let key = context.key.name();
        let call = json!({ "name": name, "args": args, "key": key, "attempt": context.key.attempt, "run": context.run });
        let mut progress = |data| context.progress(&data);
        match handler {
            Handler::Command(command) => command.call(&call, &mut progress).await,
            Handler::Service(service) => {
                let trace = trace(&context.run, &context.key.to_string());
                let sent = Sent { call: &call, key: &key, trace: &trace, once_only: context.sending > 0, streams };
                service.call(&self.connections, &sent, &mut progress).await
            }
        }
    }
}

impl Tools for Handlers {
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        let streams = call.tool.is_some_and(|tool| tool.progress.is_some() || tool.artifacts.is_some());
        Box::pin(self.run(call.name, call.args, streams, context))
    }

    fn hydrate<'a>(&'a self, prompt: &'a str, args: &'a Value, context: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(self.run(prompt, args, false, context))
    }
}

/// The place of an attempt in the trace of its run, as the header `traceparent` has it. It is computed, so that a call that is sent
/// again after a crash has the same one.
fn trace(run: &str, attempt: &str) -> String {
    let digits =
        |text: &str, most: usize| sha256(text.as_bytes()).rsplit(':').next().unwrap_or_default().chars().take(most).collect::<String>();
    format!("00-{}-{}-01", digits(run, 32), digits(attempt, 16))
}
