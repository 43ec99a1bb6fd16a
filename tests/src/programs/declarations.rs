//! What the steps of a random program call: tools, agents, events and child workflows, each made where it is needed.

use super::types::{Field, Type, Types};
use crate::random::Random;

/// What a step can call, ask, run or emit.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) parameters: Vec<Field>,
    pub(super) answer: Type,
    /// The codes of its own failures.
    pub(super) fails: Vec<&'static str>,
    /// A signal that the agent may send, with its parameter's type.
    pub(super) signal: Option<(String, Type)>,
    /// A tool that the agent may call, with its parameter's type.
    pub(super) offered: Option<(String, Type)>,
}

/// How a step addresses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tool,
    Agent,
    Workflow,
    /// An event with the topics `NAME.granted` and `NAME.denied` as answers; the second has a field `reason`.
    Request,
    /// An event that nobody answers.
    Fact,
}

/// The declarations of a program.
pub(super) struct Declarations {
    pub(super) types: Types,
    pub(super) text: Vec<String>,
    pub(super) callables: Vec<Callable>,
    /// Topics that come from outside, with their payloads.
    pub(super) external: Vec<(String, Vec<Field>)>,
    children: usize,
}

const ERRORS: [&str; 2] = ["sold_out", "card_declined"];

impl Declarations {
    pub(super) fn new(random: &mut Random) -> Self {
        let types = Types::new(random);
        let mut text = types.text();
        text.push("error sold_out".to_owned());
        text.push("error card_declined { reason: string, tries?: int }".to_owned());
        Self { types, text, callables: Vec::new(), external: Vec::new(), children: 0 }
    }

    fn number(&self) -> usize {
        self.callables.len() + self.external.len()
    }

    /// Something to call.
    pub(super) fn callable(&mut self, random: &mut Random) -> Callable {
        if !self.callables.is_empty() && random.chance(35) {
            let known = random.pick(&self.callables).clone();
            // The answers of requests are told apart by their topic, so each is made once.
            if known.kind != Kind::Request {
                return known;
            }
        }
        let name = format!("c{}", self.number());
        let count = random.below(4);
        let parameters = self.types.fields(random, count);
        let answer = self.types.any(random);
        let kind = match random.below(20) {
            0..=7 => Kind::Tool,
            8..=12 => Kind::Agent,
            13 | 14 => Kind::Workflow,
            15..=17 => Kind::Request,
            _ => Kind::Fact,
        };
        let mut callable = Callable { kind, name, parameters, answer, fails: Vec::new(), signal: None, offered: None };
        match kind {
            Kind::Tool => self.tool(random, &mut callable),
            Kind::Agent => self.agent(random, &mut callable),
            Kind::Workflow => self.child(random, &callable),
            Kind::Request => self.request(&mut callable),
            Kind::Fact => self.fact(&mut callable),
        }
        self.callables.push(callable.clone());
        callable
    }

    fn tool(&mut self, random: &mut Random, tool: &mut Callable) {
        let mut settings = Vec::new();
        if random.chance(50) {
            tool.fails = ERRORS.into_iter().filter(|_| random.chance(60)).collect();
            let fails = [tool.fails.as_slice(), &["unavailable"]].concat();
            settings.push(format!("fails [{}]", fails.join(", ")));
        }
        if random.chance(20) {
            settings.push("timeout 20s".to_owned());
        }
        if random.chance(20) {
            settings.push(retry(random));
        }
        let numbers = tool.parameters.iter().find(|field| field.of == Type::Int && !field.optional);
        match (random.below(10), numbers) {
            (0, _) => settings.push("approval always".to_owned()),
            (1..=4, Some(field)) => settings.push(format!("approval when .{} > 2", field.name)),
            (5, _) => settings.push("deferred { deadline 2d, on_timeout fail }".to_owned()),
            _ => {}
        }
        let kind = if settings.is_empty() && random.chance(25) { "interaction tool" } else { "tool" };
        let (types, name) = (&self.types, &tool.name);
        let head = format!("{kind} {name}({}) -> {}", types.list(&tool.parameters), types.name(&tool.answer));
        self.text.push(with_settings(head, &settings));
    }

    fn agent(&mut self, random: &mut Random, agent: &mut Callable) {
        let mut settings = vec!["model mini".to_owned(), "system \"Answer.\"".to_owned()];
        let mut tools = Vec::new();
        if random.chance(45) {
            let (name, of) = (format!("s{}", self.number()), self.types.any(random));
            self.text.push(format!("signal tool {name}(reason: {})", self.types.name(&of)));
            tools.push(name.clone());
            agent.signal = Some((name, of));
        }
        if random.chance(30) {
            let (name, of) = (format!("look{}", self.number()), self.types.any(random));
            self.text.push(format!("tool {name}(reason: {}) -> string", self.types.name(&of)));
            tools.push(name.clone());
            agent.offered = Some((name, of));
        }
        if !tools.is_empty() {
            settings.push(format!("tools [{}]", tools.join(", ")));
        }
        if random.chance(25) {
            let name = format!("p{}", self.number());
            let parameters = self.types.list(&agent.parameters);
            self.text.push(format!("prompt {name}({parameters}) hydrates {{ docs: string[] }} \"\"\"\n  Read {{{{.docs}}}}.\n  \"\"\""));
            settings.push(format!("prompt {name}"));
        }
        if random.chance(15) {
            settings.push("max_turns 3".to_owned());
        }
        let head = format!("agent {}({}) -> {}", agent.name, self.types.list(&agent.parameters), self.types.name(&agent.answer));
        self.text.push(with_settings(head, &settings));
    }

    fn child(&mut self, random: &mut Random, child: &Callable) {
        self.children += 1;
        let (types, name) = (&self.types, &child.name);
        let (answer, parameters) = (types.name(&child.answer), types.list(&child.parameters));
        let ask = if random.chance(30) { "  fail nothing on failure(think) = \"{{.failure.message}}\"\n" } else { "" };
        self.text.push(format!("tool think_{name}({parameters}) -> {answer}"));
        let entries: Vec<_> = child.parameters.iter().map(|field| format!("{}: .input.{}", field.name, field.name)).collect();
        let think = format!("  step think {{ call think_{name} {{ {} }} }}\n", entries.join(", "));
        self.text.push(format!("workflow {name}({parameters}) -> {answer} {{\n{think}  end done on think = .think\n{ask}}}"));
    }

    fn request(&mut self, request: &mut Callable) {
        let (types, name) = (&self.types, &request.name);
        self.text.push(format!("external event {name}.granted = {}", types.name(&request.answer)));
        self.text.push(format!("external event {name}.denied {{ reason: string }}"));
        let fields = types.list(&request.parameters);
        self.text.push(format!("event {name}.asked {{ {fields} }} -> {name}.granted | {name}.denied"));
    }

    fn fact(&mut self, fact: &mut Callable) {
        self.text.push(format!("event {}.noted {{ {} }}", fact.name, self.types.list(&fact.parameters)));
        self.types.records.push(fact.parameters.clone());
        let place = self.types.records.len() - 1;
        self.text.push(format!("type Record{place} {{ {} }}", self.types.list(&fact.parameters)));
        fact.answer = Type::Record(place);
    }

    /// A topic that comes from outside.
    pub(super) fn outside(&mut self, random: &mut Random) -> (String, Type) {
        if self.external.is_empty() || random.chance(50) {
            let topic = format!("e{}.came", self.number());
            let fields = self.types.fields(random, 2);
            self.text.push(format!("external event {topic} {{ {} }}", self.types.list(&fields)));
            self.types.records.push(fields.clone());
            self.text.push(format!("type Record{} {{ {} }}", self.types.records.len() - 1, self.types.list(&fields)));
            self.external.push((topic, fields));
        }
        let (topic, fields) = random.pick(&self.external);
        let place = self.types.records.iter().rposition(|record| record == fields).unwrap_or_default();
        (topic.clone(), Type::Record(place))
    }
}

/// How often a step, or a tool, is tried again.
pub(super) fn retry(random: &mut Random) -> String {
    let on = if random.chance(30) { ", on [unavailable, timeout, invalid_output]" } else { "" };
    match random.below(4) {
        0 => "retry 1".to_owned(),
        1 => format!("retry 2 {{ backoff constant, base 1s{on} }}"),
        2 => format!("retry 2 {{ backoff linear, base 1s{on} }}"),
        _ => format!("retry 3 {{ backoff exponential, base 1s, max 3s{on} }}"),
    }
}

fn with_settings(head: String, settings: &[String]) -> String {
    if settings.is_empty() { head } else { format!("{head} {{\n  {}\n}}", settings.join("\n  ")) }
}
