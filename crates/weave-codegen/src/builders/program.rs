//! Workflows as programs that put their definitions together.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use weave_ir::package::{BuiltWorkflow, Part, PartKey, PartKind, Written};
use weave_ir::{
    Condition, Definition, Duration, Node, On, Outcome, Path, Placeholder, Retry, Segment, Template, TemplatePart, Trigger, TriggerItem,
};

use super::code::{Code, Piece, Statement};
use super::guards::{answer, flush, guard};
use super::schemas::{fields, type_code};

/// The parts of one workflow by the names that they have in its definition.
pub(super) struct Named<'a> {
    keys: BTreeMap<(PartKind, &'a str), &'a PartKey>,
    parts: &'a BTreeMap<PartKey, Part>,
}

impl<'a> Named<'a> {
    pub(super) fn new(workflow: &'a BuiltWorkflow, parts: &'a BTreeMap<PartKey, Part>) -> Self {
        let named = |key: &'a PartKey| Some(((key.kind, parts.get(key)?.name.as_str()), key));
        // A type has its declared name in a definition unless another one that is there has it too; then that name leads nowhere.
        let declared = workflow.parts.iter().map(|key| ((key.kind, key.name.as_str()), key));
        let keys = declared.chain(workflow.parts.iter().filter_map(named)).collect();
        Self { keys, parts }
    }

    fn find(&self, kind: PartKind, name: &str) -> Option<PartKey> {
        self.keys.get(&(kind, name)).map(|key| (*key).clone())
    }

    pub(super) fn type_called(&self, name: &str) -> Option<PartKey> {
        self.find(PartKind::Type, name)
    }

    fn part(&self, kind: PartKind, name: &str) -> Option<Code> {
        self.find(kind, name).map(Code::Part)
    }

    fn topic(&self, topic: &str) -> Code {
        // What a node names stands in its definition.
        self.part(PartKind::Event, topic).unwrap_or(Code::Null)
    }
}

/// What the first names of paths mean in one node.
pub(super) struct Roots<'a> {
    variables: &'a BTreeMap<String, String>,
    element: Option<&'a str>,
}

impl Roots<'_> {
    pub(super) fn of(&self, root: &str) -> Code {
        match root {
            root if self.element == Some(root) => Code::call("element", vec![Code::text(root)]),
            "input" => Code::Input,
            "event" => Code::Shared("event"),
            "response" => Code::Shared("response"),
            "result" => Code::Shared("result"),
            "failure" => Code::Shared("failure"),
            step => self.variables.get(step).map_or(Code::Null, |name| Code::Name(name.clone())),
        }
    }

    fn path(&self, path: &Path) -> Code {
        let mut steps = path.steps.iter();
        let root = steps.next().map(|step| &step.segment);
        let mut at = match root {
            Some(Segment::Key(root)) => self.of(root),
            _ => Code::Null,
        };
        let mut keys = Vec::new();
        for step in steps {
            if step.optional {
                at = Code::Property(Box::new(flush(at, &mut keys)), "maybe");
            }
            match &step.segment {
                Segment::Key(key) => keys.push(Code::text(key)),
                Segment::Index(index) => keys.push(Code::Number((*index).into())),
                Segment::All => at = Code::Property(Box::new(flush(at, &mut keys)), "all"),
            }
        }
        answer(flush(at, &mut keys))
    }

    fn placeholder(&self, placeholder: &Placeholder) -> Code {
        let path = self.path(&placeholder.path);
        match &placeholder.default {
            Some(default) => path.then("or_else", vec![Code::json(default)]),
            None => path,
        }
    }

    /// A string of a definition, which is a template.
    fn template(&self, text: &str) -> Code {
        let Ok(template) = Template::parse(text) else { return Code::text(text) };
        match template.parts.as_slice() {
            [] => Code::text(""),
            [TemplatePart::Text(text)] => Code::text(text),
            [TemplatePart::Value(value)] => self.placeholder(value),
            parts => Code::Template(
                parts
                    .iter()
                    .map(|part| match part {
                        TemplatePart::Text(text) => Piece::Text(text.clone()),
                        TemplatePart::Value(value) => Piece::Value(self.placeholder(value)),
                    })
                    .collect(),
            ),
        }
    }

    fn value(&self, value: &Value) -> Code {
        match value {
            Value::String(text) => self.template(text),
            Value::Array(items) => Code::List(items.iter().map(|item| self.value(item)).collect()),
            Value::Object(entries) => Code::Object(entries.iter().map(|(key, value)| (key.clone(), self.value(value))).collect()),
            other => Code::json(other),
        }
    }
}

/// Writes one workflow.
pub(super) struct Program<'a> {
    pub(super) named: Named<'a>,
    pub(super) definition: &'a Definition,
    /// The guards that have not been written.
    pub(super) guards: std::slice::Iter<'a, Written>,
    /// What the nodes are called in the program.
    pub(super) variables: BTreeMap<String, String>,
}

/// Options of a call, by their names.
type Said = Vec<(&'static str, Code)>;

/// What a step brings along of its settings.
type Settings = (Option<Duration>, Option<Retry>);

fn time(duration: Duration) -> Code {
    Code::Time(duration.milliseconds())
}

impl Program<'_> {
    /// What makes the workflow.
    pub(super) fn head(&self) -> Code {
        let definition = self.definition;
        let mut options = Vec::new();
        let said = [
            ("title", &definition.title),
            ("description", &definition.description),
            ("deprecated", &definition.deprecated),
            ("version", &definition.version),
        ];
        options.extend(said.into_iter().filter_map(|(key, text)| Some((key, Code::text(text.as_ref()?)))));
        options.extend(definition.timeout.map(|timeout| ("timeout", time(timeout))));
        let input = definition.input.as_value();
        let required = input.get("required").cloned().unwrap_or_default();
        if let Some(properties) = input.get("properties").and_then(Value::as_object).filter(|properties| !properties.is_empty()) {
            options.push(("input", Code::Fields(fields(properties, &required, &self.named))));
        }
        let output = definition.output.as_value();
        if *output != serde_json::json!({ "type": "null" }) {
            options.push(("output", type_code(output, &self.named)));
        }
        if !definition.meta.is_empty() {
            options.push(("meta", Code::json(&definition.meta.clone().into_iter().collect::<Map<_, _>>().into())));
        }
        Code::call("workflow", vec![Code::text(&definition.workflow)]).with(options)
    }

    /// The nodes, as statements; those that are named before they stand in the text are made first.
    pub(super) fn nodes(&mut self) -> Vec<Statement> {
        let nodes = &self.definition.nodes;
        let names: Vec<String> = nodes.iter().map(|node| self.variables.get(&node.id).cloned().unwrap_or_default()).collect();
        let made: Vec<(&'static str, Said)> = nodes.iter().map(|node| self.node(node)).collect();
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut early = 0;
        for (index, (_, options)) in made.iter().enumerate() {
            for (_, option) in options {
                option.walk(&mut |code| {
                    if let Code::Name(name) = code {
                        used.insert(name.clone());
                        if let Some(found) = names.iter().position(|other| other == name).filter(|found| *found >= index) {
                            early = early.max(found + 1);
                        }
                    }
                });
            }
        }
        let flow = || Code::Name("flow".to_owned());
        let make = |node: &Node, kind: &'static str| flow().then(kind, vec![Code::text(&node.id)]);
        let mut statements = Vec::new();
        let each = || nodes.iter().zip(&names).zip(&made);
        for ((node, name), (kind, _)) in each().take(early) {
            statements.push(Statement::Let(name.clone(), make(node, kind)));
        }
        for (index, ((node, name), (kind, options))) in each().enumerate() {
            statements.push(match () {
                () if index < early => Statement::Do(Code::Name(name.clone()).then("is", Vec::new()).with(options.clone())),
                () if used.contains(name) => Statement::Let(name.clone(), make(node, kind).with(options.clone())),
                () => Statement::Do(make(node, kind).with(options.clone())),
            });
        }
        statements
    }

    /// What makes a node, and what is said of it.
    fn node(&mut self, node: &Node) -> (&'static str, Said) {
        let mut options = Vec::new();
        let variables = self.variables.clone();
        let before = Roots { variables: &variables, element: None };
        let roots = Roots { variables: &variables, element: node.each.as_ref().map(|each| each.variable.as_str()) };
        options.extend(self.on(node, &before).map(|on| ("on", on)));
        options.extend(node.description.as_ref().map(|text| ("description", Code::text(text))));
        options.extend(node.limit.map(|limit| ("limit", Code::Number(limit.into()))));
        if node.terminal {
            return if node.outcome == Some(Outcome::Failed) {
                options.extend(node.message.as_ref().map(|message| ("message", roots.template(message))));
                ("fail", options)
            } else {
                options.extend(node.output.as_ref().map(|output| ("output", roots.value(output))));
                ("end", options)
            };
        }
        if let Some(each) = &node.each {
            let list = before.template(&each.list);
            let mut more = Vec::new();
            more.extend(each.parallel.map(|count| ("parallel", Code::Number(count.into()))));
            more.extend(each.min.map(|count| ("min", Code::Number(count.into()))));
            options.push(("each", Code::call("each", vec![list, Code::text(&each.variable)]).with(more)));
        }
        let (action, settings) = self.action(node, &roots);
        options.push(("do", action));
        if node.timeout != settings.0 {
            options.extend(node.timeout.map(|timeout| ("timeout", time(timeout))));
        }
        if node.retry != settings.1 {
            options.extend(node.retry.as_ref().map(|retry| ("retry", self.retry(retry))));
        }
        if !node.history.is_empty() {
            options.push(("history", self.steps(&node.history)));
        }
        ("step", options)
    }

    fn steps(&self, names: &[String]) -> Code {
        Code::List(names.iter().map(|name| self.step(name)).collect())
    }

    fn step(&self, name: &str) -> Code {
        Code::Name(self.variables.get(name).cloned().unwrap_or_default())
    }

    fn retry(&self, retry: &Retry) -> Code {
        let mut options = Vec::new();
        options.extend(retry.backoff.map(|backoff| {
            let word = match backoff {
                weave_ir::Backoff::Linear => "linear",
                weave_ir::Backoff::Exponential => "exponential",
            };
            ("backoff", Code::text(word))
        }));
        options.extend(retry.base.map(|base| ("base", time(base))));
        options.extend(retry.cap.map(|cap| ("cap", time(cap))));
        let (mut known, mut codes) = (Vec::new(), Vec::new());
        for code in &retry.on {
            match self.named.part(PartKind::Error, code) {
                Some(error) => known.push(error),
                None if weave_ir::FAILURE_KINDS.contains(&code.as_str()) => known.push(Code::FailureKind(code.clone())),
                None => codes.push(Code::text(code)),
            }
        }
        for (key, list) in [("on", known), ("codes", codes)] {
            if !list.is_empty() {
                options.push((key, Code::List(list)));
            }
        }
        Code::call("retry", vec![Code::Number(retry.max.into())]).with(options)
    }

    fn on(&mut self, node: &Node, roots: &Roots<'_>) -> Option<Code> {
        let items = match &node.on {
            None => vec![TriggerItem { trigger: Trigger::Start, condition: node.condition() }],
            Some(On::One(trigger)) => vec![TriggerItem { trigger: trigger.clone(), condition: node.condition() }],
            Some(On::Any(any)) => any.any.clone(),
        };
        let mut written: Vec<Code> = items.iter().map(|item| self.trigger(item, roots)).collect();
        match (written.len(), items.first()) {
            (1, Some(TriggerItem { trigger: Trigger::Start, condition: Condition::Always })) => None,
            (1, _) => written.pop(),
            _ => Some(Code::List(written)),
        }
    }

    fn guard(&mut self, roots: &Roots<'_>) -> Code {
        self.guards.next().map_or(Code::Null, |written| guard(written, roots))
    }

    fn trigger(&mut self, item: &TriggerItem, roots: &Roots<'_>) -> Code {
        let source = self.source(&item.trigger);
        match &item.condition {
            Condition::Always => source,
            Condition::When(_) => Code::call("when", vec![source, self.guard(roots)]),
            Condition::Also(_) => Code::call("also_when", vec![source, self.guard(roots)]),
            Condition::Else => Code::call("otherwise", vec![source]),
        }
    }

    fn source(&self, trigger: &Trigger) -> Code {
        let join = |function, mut arguments: Vec<Code>, steps: &[String], per: Option<&String>| {
            arguments.push(self.steps(steps));
            arguments.extend(per.map(|per| self.step(per)));
            Code::call(function, arguments)
        };
        match trigger {
            Trigger::Start => Code::call("start", Vec::new()),
            Trigger::Step(step) => self.step(step),
            Trigger::Topic(topic) => self.named.topic(topic),
            Trigger::Answer { topic, from } => Code::call("answer", vec![self.named.topic(topic), self.step(from)]),
            Trigger::Tool { tool, from } => {
                let kinds = [PartKind::Tool, PartKind::Agent, PartKind::Workflow];
                let called = kinds.into_iter().find_map(|kind| self.named.part(kind, tool)).unwrap_or(Code::Null);
                Code::call("called", vec![called, self.step(from)])
            }
            Trigger::All { steps, per } => join("all_of", Vec::new(), steps, per.as_ref()),
            Trigger::Count { count, steps, per } => join("some_of", vec![Code::Number((*count).into())], steps, per.as_ref()),
            Trigger::Settled { steps, per } => join("settled", Vec::new(), steps, per.as_ref()),
            Trigger::Failure { step: Some(step) } => Code::call("failed", vec![self.step(step)]),
            Trigger::Failure { step: None } => Code::call("any_failure", Vec::new()),
            Trigger::Timeout { after, from: Some(step) } => Code::call("timed_out", vec![self.step(step), time(*after)]),
            Trigger::Timeout { after, from: None } => Code::call("run_timed_out", vec![time(*after)]),
        }
    }

    /// What a step does, and what it brings along of its settings.
    fn action(&mut self, node: &Node, roots: &Roots<'_>) -> (Code, Settings) {
        let plain = |code: Code| (code, (None, None));
        if let Some(topic) = &node.emit {
            let payload = node.payload.clone().unwrap_or_default();
            let typed = self.invocation(node, topic, &payload, roots);
            return typed.unwrap_or_else(|| plain(Code::call("emit", vec![self.named.topic(topic), roots.value(&payload)])));
        }
        if !node.awaits.is_empty() {
            let topics = node.awaits.iter().map(|topic| self.named.topic(topic)).collect();
            let mut arguments = vec![Code::List(topics)];
            if node.matches.is_some() {
                arguments.push(self.guard(roots));
            }
            return plain(Code::call("receive", arguments));
        }
        if !node.cancel.is_empty() {
            return plain(Code::call("cancel", vec![self.steps(&node.cancel)]));
        }
        plain(Code::call("value", vec![roots.value(node.output.as_ref().unwrap_or(&Value::Null))]))
    }

    /// What has a word of its own: `call`, `ask`, `run` and `wait`.
    fn invocation(&self, node: &Node, topic: &str, payload: &Value, roots: &Roots<'_>) -> Option<(Code, Settings)> {
        let entries = payload.as_object()?;
        let (function, kind, name, arguments, count) = match topic {
            "tool.dispatch" => ("call", PartKind::Tool, "name", "args", 2),
            "ai.request" => ("ask", PartKind::Agent, "agent", "args", 2),
            "workflow.start" => ("run", PartKind::Workflow, "workflow", "input", 3),
            "timer.set" => return Some((timer(entries, roots)?, (None, None))),
            _ => return None,
        };
        let key = self.named.find(kind, entries.get(name)?.as_str()?)?;
        let arguments = entries.get(arguments).filter(|_| entries.len() == count)?;
        let part = self.named.parts.get(&key)?;
        // A request that is written out has none of the agent's settings.
        let settled = (part.timeout.is_none() || node.timeout.is_some()) && (part.retry.is_none() || node.retry.is_some());
        let settings = (part.timeout, part.retry.clone());
        settled.then(|| (Code::call(function, vec![Code::Part(key), roots.value(arguments)]), settings))
    }
}

fn timer(entries: &Map<String, Value>, roots: &Roots<'_>) -> Option<Code> {
    let (key, text) = entries.iter().next().filter(|_| entries.len() == 1)?;
    let text = text.as_str()?;
    match key.as_str() {
        "after" => {
            if let Ok(duration) = text.parse() {
                return Some(Code::call("wait", vec![time(duration)]));
            }
            let template = Template::parse(text).ok()?;
            let whole = template.whole().filter(|whole| whole.default.is_none())?;
            Some(Code::call("wait", vec![roots.placeholder(whole)]))
        }
        "at" => Some(Code::call("wait_until", vec![roots.template(text)])),
        _ => None,
    }
}
