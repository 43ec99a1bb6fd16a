//! What stands beside the nodes: tools, agents, prompts and events.

use std::collections::BTreeSet;

use super::expressions::Scope;
use super::{Check, FAILURE_KINDS};
use crate::problem::child;
use crate::{Agent, Approval, OfferedTool, Prompt, Template, Tier, Tool, ToolKind, Toolkit, ToolkitEntry};

impl<'d> Check<'d> {
    pub(super) fn parts(&mut self) {
        let definition = self.definition;
        for (name, tool) in &definition.tools {
            self.tool(&child("/tools", name), tool);
        }
        for (name, toolkit) in &definition.toolkits {
            self.toolkit(&child("/toolkits", name), toolkit);
        }
        self.toolkit_cycles();
        for (name, agent) in &definition.agents {
            self.agent(&child("/agents", name), agent);
        }
        for (name, prompt) in &definition.prompts {
            self.prompt(&child("/prompts", name), prompt);
        }
        for (topic, event) in &definition.events {
            for (index, answer) in event.answers.iter().enumerate() {
                self.known_topic(&child(&child(&child("/events", topic), "answers"), index), answer);
            }
        }
        self.projections();
    }

    /// What a provider is told stands in the place of something.
    fn projections(&mut self) {
        let definition = self.definition;
        for (provider, projections) in &definition.projections {
            let pointer = child("/projections", provider);
            let mut named = |part: &str, name: &String, known: bool| {
                self.known(&child(&child(&pointer, part), name), name, known, &format!("declared in `{part}`"));
            };
            projections.tools.keys().for_each(|name| named("tools", name, definition.tools.contains_key(name)));
            projections.agents.keys().for_each(|name| named("agents", name, definition.agents.contains_key(name)));
            projections.workflows.keys().for_each(|name| named("workflows", name, definition.workflows.contains_key(name)));
            projections.defs.keys().for_each(|name| named("$defs", name, definition.defs.contains_key(name)));
        }
        for (pointer, projection) in definition.projections() {
            if projection.schema.is_some() != projection.refused.is_empty() {
                self.report(pointer, "a projection has a schema, or says why it is refused, and not both");
            }
        }
    }

    fn tool(&mut self, pointer: &str, tool: &'d Tool) {
        if let Some(action) = &tool.action {
            self.template(&child(pointer, "action"), action, Scope::Parameters);
        }
        if let Some(retry) = &tool.retry {
            self.retry(&child(pointer, "retry"), retry);
            self.retried_codes(&child(pointer, "retry"), retry);
        }
        if let Some(Approval::When(guard)) = &tool.approval {
            self.guard(&child(&child(pointer, "approval"), "when"), Some(guard), Scope::Parameters);
        }
        for (index, code) in tool.fails.iter().enumerate() {
            self.failure_code(&child(&child(pointer, "fails"), index), code);
        }
        if (tool.kind == ToolKind::Remote) != (tool.at.is_some() || tool.from.is_some()) {
            self.report(child(pointer, "kind"), "a tool is `remote` if and only if `at` or `from` sets its location");
        }
        if (tool.kind == ToolKind::Provider) != tool.via.is_some() {
            self.report(child(pointer, "kind"), "a tool is of kind `provider` if `via` says which provider executes it, and only then");
        }
    }

    pub(super) fn failure_code(&mut self, pointer: &str, code: &str) {
        let known = FAILURE_KINDS.contains(&code) || self.definition.errors.contains_key(code);
        self.known(pointer, code, known, "an error in `errors`, nor a built-in kind of failure");
    }

    fn agent(&mut self, pointer: &str, agent: &'d Agent) {
        if let Some(system) = &agent.system {
            self.template(&child(pointer, "system"), system, Scope::Parameters);
        }
        if let Some(prompt) = &agent.prompt {
            let known = self.definition.prompts.contains_key(prompt);
            self.known(&child(pointer, "prompt"), prompt, known, "a prompt in `prompts`");
        }
        let mut names = BTreeSet::new();
        for (index, offered) in agent.tools.iter().enumerate() {
            let pointer = child(&child(pointer, "tools"), index);
            if !names.insert(offered.name()) {
                self.report(&pointer, format!("`{}` is offered twice", offered.name()));
            }
            let (key, name) = match offered {
                OfferedTool::Tool { tool, .. } => ("tool", tool),
                OfferedTool::Agent { agent, .. } => ("agent", agent),
                OfferedTool::Workflow { workflow, .. } => ("workflow", workflow),
            };
            self.listed(&pointer, key, name);
        }
    }

    fn toolkit(&mut self, pointer: &str, toolkit: &'d Toolkit) {
        for (index, entry) in toolkit.tools.iter().enumerate() {
            let (key, name) = match entry {
                ToolkitEntry::Tool { tool, .. } => ("tool", tool),
                ToolkitEntry::Agent { agent, .. } => ("agent", agent),
                ToolkitEntry::Workflow { workflow, .. } => ("workflow", workflow),
                ToolkitEntry::Toolkit { toolkit } => ("toolkit", toolkit),
            };
            self.listed(&child(&child(pointer, "tools"), index), key, name);
        }
    }

    /// Demands that whoever follows the toolkits in toolkits comes to an end.
    fn toolkit_cycles(&mut self) {
        let definition = self.definition;
        let nested = |name: &str| definition.toolkits.get(name).map(|toolkit| toolkit.tools.iter()).unwrap_or_default();
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for start in definition.toolkits.keys() {
            if done.contains(start.as_str()) {
                continue;
            }
            let mut way: Vec<(&str, std::slice::Iter<'_, ToolkitEntry>)> = vec![(start, nested(start))];
            let mut on_way: BTreeSet<&str> = BTreeSet::from([start.as_str()]);
            while let Some((name, rest)) = way.last_mut() {
                match rest.next() {
                    Some(ToolkitEntry::Toolkit { toolkit }) if on_way.contains(toolkit.as_str()) => {
                        let pointer = child("/toolkits", name);
                        self.report(pointer, format!("`{toolkit}` contains itself"));
                    }
                    Some(ToolkitEntry::Toolkit { toolkit }) if !done.contains(toolkit.as_str()) => {
                        on_way.insert(toolkit);
                        way.push((toolkit, nested(toolkit)));
                    }
                    Some(_) => {}
                    None => {
                        done.insert(name);
                        on_way.remove(name);
                        way.pop();
                    }
                }
            }
        }
    }

    /// Demands that what stands under `key` in a list of tools is declared.
    fn listed(&mut self, pointer: &str, key: &str, name: &str) {
        let known = match key {
            "tool" => self.definition.tools.contains_key(name),
            "agent" => self.definition.agents.contains_key(name),
            "workflow" => self.definition.workflows.contains_key(name),
            _ => self.definition.toolkits.contains_key(name),
        };
        self.known(&child(pointer, key), name, known, &format!("declared under `{key}s`"));
    }

    fn prompt(&mut self, pointer: &str, prompt: &'d Prompt) {
        if (prompt.tier == Tier::Dynamic) != prompt.hydrates.is_some() {
            self.report(child(pointer, "tier"), "a prompt is `dynamic` if it has `hydrates`, and only then");
        }
        self.template(&child(pointer, "text"), &prompt.text, Scope::Parameters);
        let placeholders = Template::parse(&prompt.text).is_ok_and(|template| template.placeholders().next().is_some());
        if placeholders && prompt.tier == Tier::Static {
            self.report(child(pointer, "tier"), "a `static` prompt has no placeholder");
        }
    }
}
