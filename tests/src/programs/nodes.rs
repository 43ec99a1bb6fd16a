//! The nodes of a random workflow: from each point where something happens the flow grows until it ends.

use super::declarations::{Callable, Declarations, Kind, retry};
use super::types::{Field, Type};
use super::values::{Scope, Writer};
use crate::random::Random;

/// Where something happens that nodes may listen to.
#[derive(Clone, Debug)]
struct Point {
    /// The trigger; empty for the start.
    trigger: String,
    scope: Scope,
}

/// A workflow that grows.
pub(super) struct Growth<'g> {
    pub(super) declarations: &'g mut Declarations,
    pub(super) random: &'g mut Random,
    pub(super) nodes: Vec<String>,
    /// All steps so far, with their answers.
    steps: Vec<(String, Type)>,
    /// The steps that asked an agent.
    asked: Vec<String>,
    /// How many further nodes there may be.
    budget: usize,
    output: Field,
    daring: usize,
    /// Choices may leave something open.
    gaps: bool,
}

impl<'g> Growth<'g> {
    /// Grows a workflow with this input.
    pub(super) fn workflow(declarations: &'g mut Declarations, random: &'g mut Random, size: usize, daring: usize, gaps: bool) -> String {
        let count = 1 + random.below(4);
        let parameters = declarations.types.fields(random, count);
        let output = Field { name: String::new(), of: declarations.types.any(random), optional: false };
        declarations.types.records.push(parameters.clone());
        let place = declarations.types.records.len() - 1;
        declarations.text.push(format!("type Record{place} {{ {} }}", declarations.types.list(&parameters)));
        let timeout = if random.chance(10) { "  timeout 20d\n" } else { "" };
        let (nodes, steps, asked) = (Vec::new(), Vec::new(), Vec::new());
        let mut growth = Growth { declarations, random, nodes, steps, asked, budget: size, output: output.clone(), daring, gaps };
        let input = ("input".to_owned(), Type::Record(place));
        let start = Scope { sure: vec![input], ..Scope::default() };
        growth.grow(Point { trigger: String::new(), scope: start.clone() });
        growth.sides(&start);
        let head =
            format!("workflow main({}) -> {} {{", growth.declarations.types.list(&parameters), growth.declarations.types.name(&output.of));
        let body = growth.nodes.join("\n");
        format!("{head}\n{timeout}{body}\n}}")
    }

    fn writer(&mut self) -> Writer<'_> {
        Writer { types: &self.declarations.types, random: self.random, daring: self.daring }
    }

    fn name(&self, kind: &str) -> String {
        format!("{kind}{}", self.nodes.len())
    }

    /// What a node at a point can read: all steps so far may have answered.
    fn seen(&self, scope: &Scope) -> Scope {
        Scope { perhaps: self.steps.clone(), ..scope.clone() }
    }

    // ---- Growing -------------------------------------------------------------------------------------------------------

    /// Continues at a point until the run ends there.
    fn grow(&mut self, point: Point) {
        if self.budget == 0 {
            return self.end(&point, "");
        }
        self.budget -= 1;
        match self.random.below(100) {
            0..=34 => self.go_on(&point, ""),
            35..=49 => self.choose(&point),
            50..=65 => self.fork(&point),
            66..=76 => self.repeat(&point),
            77..=87 => self.rejoin(&point),
            88..=92 => self.aside(&point),
            93..=95 => self.take_turns(&point),
            _ => self.end(&point, ""),
        }
    }

    fn end(&mut self, point: &Point, condition: &str) {
        let scope = self.seen(&point.scope);
        let trigger = self.perhaps_wider(point);
        let on = on(&trigger, condition);
        if self.random.chance(15) {
            let message = self.writer().message(&scope);
            let name = self.name("lost");
            return self.nodes.push(format!("  fail {name}{on} = {message}"));
        }
        let of = self.output.of.clone();
        let output = self.writer().required(&scope, &of);
        let name = self.name("done");
        self.nodes.push(format!("  end {name}{on} = {output}"));
    }

    /// The same point, and sometimes one that does not fit it.
    fn perhaps_wider(&mut self, point: &Point) -> String {
        let other = self.steps.get(self.random.below(self.steps.len())).map(|(name, _)| name.clone());
        match other {
            Some(other) if self.random.chance(self.daring) && !point.trigger.is_empty() && point.trigger != other => {
                format!("{} | {other}", point.trigger)
            }
            _ => point.trigger.clone(),
        }
    }

    /// A step, and what follows from it.
    fn go_on(&mut self, point: &Point, condition: &str) {
        let trigger = self.perhaps_wider(point);
        let step = self.step(&point.scope, &on(&trigger, condition));
        self.follow(step);
    }

    /// What follows from a step: its answer, and perhaps its failure, its delay and what its agent says.
    fn follow(&mut self, step: Step) {
        for point in self.beside(&step) {
            if self.random.chance(70) { self.end(&point, "") } else { self.grow(point) }
        }
        for point in step.answers {
            self.grow(point);
        }
    }

    /// The points of a step beside its answers.
    fn beside(&mut self, step: &Step) -> Vec<Point> {
        let mut points = Vec::new();
        let behind = |trigger: String, event: Option<Type>, failure| {
            let scope = Scope { event, failure, element: None, ..step.scope.clone() };
            Point { trigger, scope }
        };
        if step.fails && self.random.chance(30) {
            points.push(behind(format!("failure({})", step.name), None, true));
        }
        if step.waits && self.random.chance(20) {
            let late = behind(format!("timeout({}, {})", step.name, self.random.pick(&["1h", "20s", "2d"])), None, false);
            if self.random.chance(40) {
                let name = self.name("stop");
                self.nodes.push(format!("  step {name}{} {{ cancel {} }}", on(&late.trigger, ""), step.name));
                points.push(Point { trigger: name, scope: late.scope });
            } else {
                points.push(late);
            }
        }
        for (tool, of) in [&step.signal, &step.offered].into_iter().flatten() {
            if !self.random.chance(70) {
                continue;
            }
            let place = self.declarations.types.records.len();
            let field = Field { name: "reason".to_owned(), of: of.clone(), optional: false };
            self.declarations.text.push(format!("type Record{place} {{ {} }}", self.declarations.types.list(std::slice::from_ref(&field))));
            self.declarations.types.records.push(vec![field]);
            points.push(behind(format!("{tool} from {}", step.name), Some(Type::Record(place)), false));
        }
        if step.is_ask && self.random.chance(10) {
            let progress = behind(format!("tool.progress from {}", step.name), Some(Type::Json), false);
            let scope = self.seen(&progress.scope);
            let name = self.name("progress");
            self.value(&name, &scope, &format!("{} limit 2", on(&progress.trigger, "")));
        }
        points
    }

    /// Guarded ways, of which one is taken.
    fn choose(&mut self, point: &Point) {
        let scope = self.seen(&point.scope);
        let mut ways = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            ways.extend(self.writer().guard(&scope).map(|guard| format!("when {guard}")));
        }
        if ways.is_empty() {
            return self.go_on(point, "");
        }
        if !(self.gaps && self.random.chance(30)) {
            ways.push("else".to_owned());
        }
        for way in ways {
            let limit = if way != "else" && self.random.chance(10) { " limit 1" } else { "" };
            self.budget = self.budget.saturating_sub(1);
            if self.random.chance(45) {
                self.end(point, &format!("{way}{limit}"));
            } else {
                self.go_on(point, &format!("{way}{limit}"));
            }
        }
    }

    /// Steps side by side, and a join of them.
    fn fork(&mut self, point: &Point) {
        let steps: Vec<_> = (0..2 + self.random.below(2)).map(|_| self.step(&point.scope, &on(&point.trigger, ""))).collect();
        let mut names: Vec<_> = steps.iter().map(|step| step.name.clone()).collect();
        let other = self.steps.get(self.random.below(self.steps.len())).map(|(name, _)| name.clone());
        names.extend(other.filter(|other| self.random.chance(2 * self.daring) && !names.contains(other)));
        let list = names.join(", ");
        let mut scope = point.scope.without_event();
        let trigger = match self.random.below(10) {
            0..=4 => {
                for step in &steps {
                    scope.sure.push((step.name.clone(), step.answer.clone()));
                }
                format!("all({list})")
            }
            5 | 6 => format!("settled({list})"),
            7 => {
                let answers = steps.iter().all(|step| step.answer == steps[0].answer);
                scope.event = answers.then(|| steps[0].answer.clone());
                format!("1 of ({list})")
            }
            _ => {
                let answers = steps.iter().all(|step| step.answer == steps[0].answer);
                scope.event = answers.then(|| Type::List(steps[0].answer.clone().into()));
                format!("2 of ({list})")
            }
        };
        if self.random.chance(30) {
            let step = &steps[self.random.below(steps.len())];
            self.beside(step).iter().for_each(|point| self.end(point, ""));
        }
        if self.random.chance(20) && !names.is_empty() {
            let name = self.name("stop");
            let late = format!("timeout({}, 3h)", names[0]);
            if steps[0].waits {
                self.nodes.push(format!("  step {name}{} {{ cancel {list} }}", on(&late, "")));
                self.end(&Point { trigger: name, scope: point.scope.without_event() }, "");
            }
        }
        self.grow(Point { trigger, scope });
    }

    /// A loop: a step, and a way back to it.
    fn repeat(&mut self, point: &Point) {
        let (limit, back) = (1 + self.random.below(3), format!("again{}", self.nodes.len() + 1));
        let (nodes, steps) = (self.nodes.len(), self.steps.len());
        let trigger = if point.trigger.is_empty() { format!("start | {back}") } else { format!("{} | {back}", point.trigger) };
        let step = self.step(&point.scope.without_event(), &on(&trigger, ""));
        let scope = self.seen(&step.behind());
        let Some(guard) = self.writer().guard(&scope) else {
            self.nodes.truncate(nodes);
            self.steps.truncate(steps);
            self.asked.retain(|asked| *asked != step.name);
            return self.go_on(point, "");
        };
        let on_back = format!(" on {} when {guard} limit {limit}", step.name);
        let again = self.step_called(&back, &scope, &on_back);
        if self.random.chance(20) {
            self.beside(&again).iter().for_each(|point| self.end(point, ""));
        }
        for point in self.beside(&step) {
            self.end(&point, "");
        }
        let rest = Point { trigger: step.name.clone(), scope: step.behind() };
        if self.random.chance(50) { self.end(&rest, "else") } else { self.go_on(&rest, "else") }
    }

    /// Two ways that lead to the same step.
    fn rejoin(&mut self, point: &Point) {
        let scope = self.seen(&point.scope);
        let Some(guard) = self.writer().guard(&scope) else { return self.go_on(point, "") };
        let one = self.step(&point.scope, &on(&point.trigger, &format!("when {guard}")));
        let other = self.step(&point.scope, &on(&point.trigger, "else"));
        let mut scope = point.scope.without_event();
        if one.answer == other.answer {
            scope.event = Some(one.answer.clone());
        }
        let mut trigger = format!("{} | {}", one.name, other.name);
        if one.fails && self.random.chance(20) {
            trigger += &format!(" | failure({})", one.name);
            scope.event = None;
        }
        self.grow(Point { trigger, scope });
    }

    /// Something that happens beside the flow.
    fn aside(&mut self, point: &Point) {
        let scope = self.seen(&point.scope);
        if let Some(guard) = self.writer().guard(&scope) {
            self.step(&point.scope, &on(&point.trigger, &format!("also when {guard}")));
        }
        self.go_on(point, "");
    }

    /// A step whose firings are limited, with somebody else who goes on.
    fn take_turns(&mut self, point: &Point) {
        if point.trigger.is_empty() {
            return self.go_on(point, "");
        }
        let limit = format!(" limit {}", 1 + self.random.below(2));
        let step = self.step(&point.scope, &format!("{}{limit}", on(&point.trigger, "")));
        self.follow(step);
        self.end(point, "else");
    }

    /// What stands beside the flow of a workflow as a whole.
    fn sides(&mut self, start: &Scope) {
        let start = start.without_event();
        if self.random.chance(20) {
            let (topic, payload) = self.declarations.outside(self.random);
            let scope = Scope { event: Some(payload), ..start.clone() };
            let limit = if self.random.chance(50) { " limit 2" } else { "" };
            let step = self.step(&scope, &format!("{}{limit}", on(&topic, "")));
            if self.random.chance(30) {
                step.answers.iter().for_each(|point| self.end(point, ""));
            }
        }
        if self.random.chance(15) {
            self.end(&Point { trigger: "timeout(10d)".to_owned(), scope: start.clone() }, "");
        }
        if self.random.chance(35) {
            self.end(&Point { trigger: "failure".to_owned(), scope: Scope { failure: true, ..start } }, "");
        }
    }

    // ---- Steps ---------------------------------------------------------------------------------------------------------

    fn step(&mut self, scope: &Scope, on: &str) -> Step {
        let name = self.name("n");
        self.step_called(&name, scope, on)
    }

    fn step_called(&mut self, name: &str, scope: &Scope, on: &str) -> Step {
        let own = scope.clone();
        let seen = self.seen(scope);
        let step = match self.random.below(100) {
            0..=69 => self.call(name, &seen, on),
            70..=79 => self.value(name, &seen, on),
            80..=87 => self.mailbox(name, &seen, on),
            _ => self.wait(name, &seen, on),
        };
        let step = Step { scope: own, ..step }.with_points(self.random);
        self.steps.push((step.name.clone(), step.answer.clone()));
        step
    }

    fn value(&mut self, name: &str, scope: &Scope, on: &str) -> Step {
        let of = self.declarations.types.any(self.random);
        let path = self.writer().path(scope, &of);
        let (value, of) = path.map_or_else(|| (self.random.chance(50).to_string(), Type::Bool), |path| (path, of));
        self.nodes.push(format!("  step {name}{on} = {value}"));
        Step::value(name, of, scope)
    }

    fn wait(&mut self, name: &str, scope: &Scope, on: &str) -> Step {
        let (moment, length) = (self.writer().path(scope, &Type::Timestamp), self.writer().path(scope, &Type::Duration));
        let action = match (moment, length) {
            (Some(path), _) if self.random.chance(80) => format!("wait until {path}"),
            (_, Some(path)) if self.random.chance(70) => format!("wait {path}"),
            _ => "wait 3h".to_owned(),
        };
        self.nodes.push(format!("  step {name}{on} {{ {action} }}"));
        Step { waits: true, ..Step::value(name, Type::Json, scope) }
    }

    fn mailbox(&mut self, name: &str, scope: &Scope, on: &str) -> Step {
        let (topic, payload) = self.declarations.outside(self.random);
        let list = if self.random.chance(10) { self.writer().list(scope) } else { None };
        let element = list.as_ref().map(|(_, of)| ("item".to_owned(), of.clone()));
        let each = list.as_ref().map_or_else(String::new, |(path, _)| format!(" each {path} as item"));
        let guard = if self.random.chance(40) {
            let scope = Scope { event: Some(payload.clone()), element, ..scope.clone() };
            self.writer().guard(&scope).map(|guard| format!(" when {guard}"))
        } else {
            None
        };
        let timeout = if self.random.chance(40) { "\n    timeout 2d" } else { "" };
        self.nodes.push(format!("  step {name}{on}{each} {{\n    wait {topic}{}{timeout}\n  }}", guard.unwrap_or_default()));
        let answer = if list.is_some() { Type::List(payload.into()) } else { payload };
        Step { waits: true, fails: !timeout.is_empty(), ..Step::value(name, answer, scope) }
    }

    fn call(&mut self, name: &str, scope: &Scope, on: &str) -> Step {
        let callable = self.declarations.callable(self.random);
        let list = if self.random.chance(12) && callable.kind != Kind::Fact { self.writer().list(scope) } else { None };
        let scope = &Scope { element: list.as_ref().map(|(_, of)| ("item".to_owned(), of.clone())), ..scope.clone() };
        let arguments = self.writer().arguments(scope, &callable.parameters);
        let action = match callable.kind {
            Kind::Tool => format!("call {} {arguments}", callable.name),
            Kind::Agent => format!("ask {} {arguments}", callable.name),
            Kind::Workflow => format!("run {} {arguments}", callable.name),
            Kind::Request => format!("emit {}.asked {arguments}", callable.name),
            Kind::Fact => format!("emit {}.noted {arguments}", callable.name),
        };
        let settings = self.settings(&callable, scope);
        let each = list.as_ref().map_or_else(String::new, |(path, _)| {
            let parallel = if self.random.chance(50) { format!(" parallel {}", 1 + self.random.below(2)) } else { String::new() };
            let min = if self.random.chance(40) { " min 1" } else { "" };
            format!(" each {path} as item{parallel}{min}")
        });
        self.nodes.push(format!("  step {name}{on}{each} {{\n    {action}{settings}\n  }}"));
        if callable.kind == Kind::Agent {
            self.asked.push(name.to_owned());
        }
        let asks = callable.kind != Kind::Fact;
        let answer = if list.is_some() { Type::List(callable.answer.clone().into()) } else { callable.answer.clone() };
        let request = (callable.kind == Kind::Request && list.is_none()).then(|| callable.name.clone());
        let is_ask = callable.kind == Kind::Agent;
        Step {
            waits: asks,
            fails: asks,
            request,
            is_ask,
            signal: callable.signal,
            offered: callable.offered,
            ..Step::value(name, answer, scope)
        }
    }

    fn settings(&mut self, callable: &Callable, scope: &Scope) -> String {
        let mut settings = String::new();
        if callable.kind != Kind::Fact && self.random.chance(20) {
            settings += "\n    timeout 1h";
        }
        if callable.kind != Kind::Fact && self.random.chance(15) {
            settings += &format!("\n    {}", retry(self.random));
        }
        let asked: Vec<_> = self.asked.iter().filter(|step| scope.sure.iter().any(|(name, _)| name == *step)).collect();
        if callable.kind == Kind::Agent && !asked.is_empty() && self.random.chance(40) {
            settings += &format!("\n    history [{}]", asked[0]);
        }
        settings
    }
}

/// A step that was written.
#[derive(Clone, Debug)]
struct Step {
    name: String,
    answer: Type,
    scope: Scope,
    /// Where it goes on.
    answers: Vec<Point>,
    fails: bool,
    waits: bool,
    is_ask: bool,
    signal: Option<(String, Type)>,
    offered: Option<(String, Type)>,
    /// The first segment of the topics that answer it.
    request: Option<String>,
}

impl Step {
    fn value(name: &str, answer: Type, scope: &Scope) -> Self {
        let (name, scope, answers) = (name.to_owned(), scope.clone(), Vec::new());
        let (signal, offered, request) = (None, None, None);
        Self { name, answer, scope, answers, fails: false, waits: false, is_ask: false, signal, offered, request }
    }

    /// What can be read behind its answer.
    fn behind(&self) -> Scope {
        self.scope.with(&self.name, self.answer.clone())
    }

    fn with_points(mut self, random: &mut Random) -> Self {
        let point = |trigger: String, scope| Point { trigger, scope };
        let is_fan_out = matches!(self.answer, Type::List(_));
        self.answers = match self.request.clone() {
            Some(topic) if random.chance(70) => {
                let answer = std::mem::replace(&mut self.answer, Type::Json);
                // What the step itself answered is either of the two.
                let scope = |event| Scope { event, failure: false, element: None, ..self.scope.clone() };
                let from = if random.chance(60) { format!(" from {}", self.name) } else { String::new() };
                vec![point(format!("{topic}.granted{from}"), scope(Some(answer))), point(format!("{topic}.denied{from}"), scope(None))]
            }
            Some(_) => {
                // It may be a refusal, so nothing is known of it.
                self.answer = Type::Json;
                vec![point(self.name.clone(), self.scope.without_event())]
            }
            // The topic in place of the step: what it says may come from others as well.
            None if self.is_ask && !is_fan_out && random.chance(6) => vec![point("ai.response".to_owned(), self.scope.without_event())],
            None => vec![point(self.name.clone(), self.behind())],
        };
        self
    }
}

/// `on TRIGGER CONDITION`, with the condition behind each trigger of a list.
fn on(trigger: &str, condition: &str) -> String {
    let (condition, limit) =
        condition.split_once(" limit").map_or((condition, String::new()), |(it, limit)| (it, format!(" limit{limit}")));
    let one = |trigger: &str| if condition.is_empty() { trigger.to_owned() } else { format!("{trigger} {condition}") };
    match trigger {
        "" if condition.is_empty() => limit,
        "" => format!(" on {}{limit}", one("start")),
        _ => format!(" on {}{limit}", trigger.split(" | ").map(one).collect::<Vec<_>>().join(" | ")),
    }
}
