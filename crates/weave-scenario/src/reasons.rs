//! Why something has, or has not, happened.

use serde_json::Value;
use weave_ir::{Duration, On, Trigger};
use weave_runner::FiringOutcome;

use crate::finding::{Finding, FindingId, FixPlace};
use crate::play::Play;
use crate::script::{Element, Span, StepRef};
use crate::subject::{cut, written};
use crate::target::{Phase, Slot};
use crate::trace::{Decision, ReadValue};

impl Play<'_> {
    /// A line acts on a step that does not wait for it.
    pub(crate) fn not_open(&self, span: Span, step: &StepRef, verb: &str) -> Finding {
        let name = &step.node;
        let what = match verb {
            "answer" => format!("nothing can answer `{name}` here"),
            "fail" => format!("`{name}` cannot fail here"),
            "call" => format!("the agent of `{name}` cannot call anything here"),
            "send" => format!("nothing can be sent from `{name}` here"),
            "approve" => format!("there is nothing to approve at `{name}`"),
            _ => format!("there is nothing to reject at `{name}`"),
        };
        let of_node: Vec<_> = self.slots().into_iter().filter(|slot| slot.node == *name).collect();
        let has_elements = of_node.iter().any(|slot| slot.element.is_some());
        let waits_otherwise = of_node.iter().any(|slot| slot.phase != Phase::Approval) && matches!(verb, "approve" | "reject");
        let why = match self.runner.firings().filter(|view| view.node == name).last().map(|view| view.outcome) {
            _ if self.runner.is_done() => self.state(),
            None => "it has not fired".to_owned(),
            Some(FiringOutcome::Answered(_)) => "it has been answered".to_owned(),
            Some(FiringOutcome::Failed) => "it has failed".to_owned(),
            Some(FiringOutcome::Closed) => "it has been cancelled, or closed by a signal".to_owned(),
            Some(FiringOutcome::Open) if step.element == Element::None && has_elements => {
                format!("it has elements; write `{name}[0]` or `{name}[]`")
            }
            Some(FiringOutcome::Open) if waits_otherwise => "its tool has been called already".to_owned(),
            Some(FiringOutcome::Open) if step.element != Element::None => "this element is not open".to_owned(),
            Some(FiringOutcome::Open) => "this firing is not open".to_owned(),
        };
        let finding = Finding::new(FindingId::NotOpen, span, format!("{what}: {why}"));
        let finding = if why == "it has not fired" { finding.notes(self.why_not_open(name)) } else { finding };
        finding.notes(self.waiting())
    }

    /// A node was expected to fire.
    pub(crate) fn not_fired(&self, firing: &StepRef) -> Finding {
        let mut name = firing.node.clone();
        if let Some(number) = firing.number {
            name += &format!("#{number}");
        }
        if let Element::At(index) = firing.element {
            name += &format!("[{index}]");
        }
        let finding = Finding::new(FindingId::NotFired, firing.span, format!("`{name}` has not fired; {}", self.state()));
        let ended = self.way().last().map(|(node, _)| node.to_owned()).filter(|_| self.runner.is_done());
        let finding = finding.notes(self.why_not_open(&firing.node));
        let finding = finding.notes(ended.into_iter().flat_map(|node| self.why_fired(&node)).collect::<Vec<_>>());
        finding.notes(self.waiting()).notes([self.way_so_far()])
    }

    /// The test ends, and the run does not.
    pub(crate) fn not_over(&self, span: Span) -> Finding {
        let slots = self.slots();
        let open: Vec<String> = self.open_firings().into_iter().map(|(node, _)| node).collect();
        let Some(first) = open.first() else {
            let finding = Finding::new(FindingId::NotOver, span, "the run is not over: it waits for an event from outside");
            return finding.label("the last line").notes([self.way_so_far()]).fix("add `open []`", FixPlace::After(span), "open []");
        };
        let finding = Finding::new(FindingId::NotOver, span, format!("the run is not over: `{first}` waits for {}", self.waits_for(first)));
        let asked = slots.iter().find(|slot| slot.node == *first).and_then(|slot| self.asks(slot));
        let line = slots.iter().find(|slot| slot.node == *first).map(|slot| self.line_for(slot));
        let park = format!("open [{}]", open.join(", "));
        let finding = finding.label("the last line").notes(asked).notes([self.way_so_far()]);
        match line {
            Some(line) => finding.fix(format!("add `{line}`, or `{park}` if the run shall wait here"), FixPlace::After(span), line),
            None => finding.fix(format!("add `{park}` if the run shall wait here"), FixPlace::After(span), park),
        }
    }

    fn waits_for(&self, node: &str) -> &'static str {
        let phase = self.slots().into_iter().find(|slot| slot.node == node).map(|slot| (slot.phase, slot.topic));
        match phase {
            Some((Phase::Approval, _)) => "an approval",
            Some((Phase::Pause, _)) => "the pause before its next attempt",
            Some((_, topic)) if topic == "timer.set" => "its time",
            Some(_) => "an answer",
            None => "an event",
        }
    }

    /// The line that answers what a slot has open.
    fn line_for(&self, slot: &Slot) -> String {
        match slot.phase {
            Phase::Approval => format!("approve {}", slot.name()),
            Phase::Pause => format!("answer {}", slot.name()),
            Phase::Request if matches!(slot.topic.as_str(), "tool.dispatch" | "ai.request" | "workflow.start") => {
                let schema = slot.answers.first().and_then(|(_, schema)| schema.as_ref());
                let made = self.made(schema, None, self.example(slot));
                made.map_or_else(|| format!("answer {}", slot.name()), |made| format!("answer {} = {}", slot.name(), written(&made.value)))
            }
            Phase::Request if slot.topic == "timer.set" => {
                let data = self.request_data(&slot.id, slot.attempt);
                let due = data.map(|data| crate::clock::due(data, 0)).unwrap_or_default();
                format!("wait {}", Duration::from_milliseconds(due.saturating_sub(self.now)).words())
            }
            Phase::Request => {
                let topic = slot.answers.first().map(|(topic, _)| topic.as_str()).unwrap_or_default();
                format!("send {topic} from {}", slot.name())
            }
        }
    }

    /// What a slot asks: "`pay` called `refund` with { … } (support.weave:106)".
    fn asks(&self, slot: &Slot) -> Option<String> {
        let data = self.request_data(&slot.id, slot.attempt)?;
        let (pointer, _) = self.subject.node(&slot.node)?;
        let place = self.subject.place(&format!("{pointer}/payload"));
        let named = |key: &str| data.get(key).and_then(Value::as_str);
        let with = |key: &str| data.get(key).map(|args| cut(&written(args))).unwrap_or_default();
        Some(match slot.topic.as_str() {
            "tool.dispatch" => format!("`{}` called `{}` with {}{place}", slot.node, named("name")?, with("args")),
            "tool.approval.requested" => format!("`{}` will call `{}` with {}{place}", slot.node, named("name")?, with("args")),
            "ai.request" => format!("`{}` asked `{}` with {}{place}", slot.node, named("agent")?, with("args")),
            "workflow.start" => format!("`{}` started `{}` with {}{place}", slot.node, named("workflow")?, with("input")),
            topic => format!("`{}` emitted `{topic}` with {}{place}", slot.node, cut(&written(data))),
        })
    }

    /// What waits, in a note of one line.
    pub(crate) fn waiting(&self) -> Option<String> {
        let slots = self.slots();
        let mut words: Vec<String> = Vec::new();
        for (node, _) in self.open_firings() {
            let slot = slots.iter().find(|slot| slot.node == node);
            let data = slot.and_then(|slot| self.request_data(&slot.id, slot.attempt));
            let named = |key: &str| data.and_then(|data| data.get(key)).and_then(Value::as_str);
            let what = match slot.map(|slot| (slot.phase, slot.topic.as_str())) {
                Some((Phase::Approval, _)) => "asks for approval".to_owned(),
                Some((Phase::Pause, _)) => "tries again after a pause".to_owned(),
                Some((_, "ai.request")) => named("agent").map_or_else(|| "asks a model".to_owned(), |agent| format!("asks `{agent}`")),
                Some((_, "tool.dispatch")) => named("name").map_or_else(|| "calls a tool".to_owned(), |tool| format!("calls `{tool}`")),
                Some((_, "workflow.start")) => named("workflow").map_or_else(|| "runs a workflow".to_owned(), |it| format!("runs `{it}`")),
                Some((_, "timer.set")) => "waits for a time".to_owned(),
                Some((_, topic)) => format!("emitted `{topic}`"),
                None => "waits for an event".to_owned(),
            };
            let word = format!("`{node}` ({what})");
            if !words.contains(&word) {
                words.push(word);
            }
        }
        (!words.is_empty()).then(|| format!("what waits here: {}", words.join(", ")))
    }

    /// How far the run is, in words.
    pub(crate) fn state(&self) -> String {
        let last = self.way().last().map(|(node, _)| node.to_owned());
        if self.scroll.is_empty() {
            return "the run has not started".to_owned();
        }
        if !self.runner.is_done() {
            let open = self.open_firings();
            return open
                .first()
                .map_or_else(|| "the run waits for an event from outside".to_owned(), |(node, _)| format!("the run waits for `{node}`"));
        }
        let terminal = last.filter(|node| self.subject.node(node).is_some_and(|(_, node)| node.terminal));
        if let Some(node) = terminal {
            return format!("the run ended at `{node}`");
        }
        let failure = self.done().and_then(|done| done.get("failure"));
        let text = |key: &str| failure.and_then(|failure| failure.get(key)).and_then(Value::as_str);
        let word = text("code").or(text("kind")).unwrap_or("failure");
        match text("message").filter(|message| !message.is_empty()) {
            Some(message) => format!("the run failed with `{word}`: {}", cut(message)),
            None => format!("the run failed with `{word}`"),
        }
    }

    /// The nodes that have fired.
    pub(crate) fn way_so_far(&self) -> String {
        let way: Vec<_> = self.way().map(|(node, number)| if number > 1 { format!("{node}#{number}") } else { node.to_owned() }).collect();
        if way.is_empty() { "no node has fired".to_owned() } else { format!("the way so far: {}", shortened(&way).join(" → ")) }
    }

    /// Why a node has not fired: the guard that decided, or what it waits for.
    pub(crate) fn why_not_open(&self, node: &str) -> Option<String> {
        let (pointer, source) = self.subject.node(node)?;
        if let Some(decision) = self.trace.decisions.iter().rev().find(|decision| decision.node == node && !decision.result) {
            return Some(self.decided(decision));
        }
        let on = self.subject.text(&format!("{pointer}/on")).or_else(|| source.on.as_ref().map(|on| triggers(on).join(" | ")))?;
        Some(format!("`{node}` fires on `{}`{}", on.trim_start_matches("on "), self.subject.place(&format!("{pointer}/on"))))
    }

    /// A guard that was evaluated, with the values that decided.
    fn decided(&self, decision: &Decision) -> String {
        let (text, place) = self.subject.guard(&decision.node, decision.item).unwrap_or_default();
        let result = if decision.result { "true" } else { "false" };
        let mut values: Vec<String> = Vec::new();
        for read in &decision.reads {
            let value = format!("`{}` is {}{}", read.path, cut(&written(&read.value)), self.line_of(read));
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        format!("the guard `{text}` of `{}` was {result}{place}{values}", decision.node)
    }

    /// Why a node has fired.
    pub(crate) fn why_fired(&self, node: &str) -> Vec<String> {
        let Some((_, item)) = self.trace.chosen.iter().rev().find(|(chosen, _)| chosen == node) else { return Vec::new() };
        let Some((pointer, source)) = self.subject.node(node) else { return Vec::new() };
        let (trigger, place) = match &source.on {
            None => return Vec::new(),
            Some(On::One(trigger)) => (trigger, format!("{pointer}/on")),
            Some(On::Any(any)) => match any.any.get(*item) {
                Some(found) => (&found.trigger, format!("{pointer}/on/any/{item}")),
                None => return Vec::new(),
            },
        };
        let because = match trigger {
            Trigger::Failure { step } => {
                let failed = step.as_ref().and_then(|step| Some((step, *self.failed_by.get(step)?)));
                let line = failed.and_then(|(step, line)| Some((step, self.lines.get(line)?.span.line)));
                line.map_or_else(String::new, |(step, line)| format!(", because line {line} lets `{step}` fail"))
            }
            _ => String::new(),
        };
        let mut notes = vec![format!("`{node}` fired on {}{because}{}", trigger_text(trigger), self.subject.place(&place))];
        let decision = self.trace.decisions.iter().rev().find(|decision| decision.node == node && decision.result);
        notes.extend(decision.map(|decision| self.decided(decision)));
        notes
    }

    /// The line that a value comes from, as ", from line 5".
    pub(crate) fn line_of(&self, read: &ReadValue) -> String {
        let line = read.origin.as_ref().and_then(|origin| self.lines.get(origin.line));
        let made_up = if read.is_invented() { " (made up)" } else { "" };
        line.map_or_else(String::new, |line| format!(", from line {}{made_up}", line.span.line))
    }

    /// The guards on whose result two plays differ first: what each has read.
    pub(crate) fn parting<'p>(&'p self, other: &'p Self) -> Option<(&'p Decision, &'p Decision)> {
        let pairs = self.trace.decisions.iter().zip(&other.trace.decisions);
        pairs.into_iter().find(|(one, other)| one.node == other.node && one.item == other.item && one.result != other.result)
    }
}

/// A way that fits on a line: the middle of a long one is left out.
fn shortened(way: &[String]) -> Vec<String> {
    if way.len() <= 14 {
        return way.to_vec();
    }
    let mut short: Vec<_> = way.iter().take(6).cloned().collect();
    short.push("…".to_owned());
    short.extend(way.iter().skip(way.len() - 7).cloned());
    short
}

fn triggers(on: &On) -> Vec<String> {
    match on {
        On::One(trigger) => vec![trigger_text(trigger)],
        On::Any(any) => any.any.iter().map(|item| trigger_text(&item.trigger)).collect(),
    }
}

/// A trigger as the language writes it.
pub(crate) fn trigger_text(trigger: &Trigger) -> String {
    let failure = |step: &Option<String>| step.as_ref().map_or_else(|| "failure".to_owned(), |step| format!("failure({step})"));
    match trigger {
        Trigger::Start => "start".to_owned(),
        Trigger::Step(name) | Trigger::Topic(name) => name.clone(),
        Trigger::Answer { topic, from } => format!("{topic} from {from}"),
        Trigger::Tool { tool, from } => format!("{tool} from {from}"),
        Trigger::All { steps, .. } => format!("all({})", steps.join(", ")),
        Trigger::Count { count, steps, .. } => format!("{count} of({})", steps.join(", ")),
        Trigger::Settled { steps, .. } => format!("settled({})", steps.join(", ")),
        Trigger::Failure { step } => failure(step),
        Trigger::Timeout { after, from: Some(from) } => format!("timeout({from}, {})", after.words()),
        Trigger::Timeout { after, from: None } => format!("timeout({})", after.words()),
    }
}
