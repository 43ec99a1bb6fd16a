//! Commands by the names of their tools.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use weave_host::{Context, Outcome, Pending, ToolCall, Tools};

use crate::Command;

/// Which command each tool, and each prompt that is filled in at run time, is.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    commands: BTreeMap<String, Command>,
}

impl Commands {
    /// A set of commands by the names of their tools and prompts.
    #[must_use]
    pub const fn new(commands: BTreeMap<String, Command>) -> Self {
        Self { commands }
    }

    /// The command of a tool or prompt.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Command> {
        self.commands.get(name)
    }

    async fn run(&self, name: &str, args: &Value, context: &Context) -> Outcome {
        // Whoever has no command for it leaves it to others.
        let Some(command) = self.get(name) else { return Outcome::Nobody };
        let call = json!({
            "name": name,
            "args": args,
            "key": context.key.name(),
            "attempt": context.key.attempt,
            "run": context.run,
        });
        command.call(&call, &mut |data| context.progress(&data)).await
    }
}

impl Tools for Commands {
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(self.run(call.name, call.args, context))
    }

    fn hydrate<'a>(&'a self, prompt: &'a str, args: &'a Value, context: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(self.run(prompt, args, context))
    }
}
