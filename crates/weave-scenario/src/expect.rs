//! Lines that look at what has happened.
#![allow(clippy::result_large_err, reason = "a finding ends a test, so it is made once")]

use serde_json::Value;
use weave_runner::FiringOutcome;

use crate::finding::{Finding, FindingId, FixPlace};
use crate::literal::mismatch;
use crate::play::{Play, RUN};
use crate::script::{Element, Expected, FailureName, Line, LineKind, Literal, LiteralKind, OrderItem, Span, StepRef};
use crate::subject::{cut, written};

impl Play<'_> {
    /// Whether what a line expects is so. Lines that act expect nothing.
    pub(crate) fn look(&self, line: &Line) -> Result<(), Finding> {
        match &line.kind {
            LineKind::Expect { firing, expected } => self.expect(firing, expected),
            LineKind::ExpectNot { firing } => self.expect_not(firing),
            LineKind::ExpectFailure { failure, payload } => self.expect_failure(line.span, failure, payload.as_ref()),
            LineKind::ExpectOrder { items } => self.expect_order(line.span, items),
            LineKind::Open { steps } => self.expect_open(line.span, steps),
            _ => Ok(()),
        }
    }

    fn expect(&self, firing: &StepRef, expected: &Expected) -> Result<(), Finding> {
        let Some(number) = self.fired(firing) else { return Err(self.not_fired(firing)) };
        let base = format!("{RUN}/{}#{number}", firing.node);
        let id = if let Element::At(index) = firing.element { format!("{base}[{index}]") } else { base.clone() };
        if firing.element != Element::None && self.asked_by(&id).is_none() && self.gave(firing, &base).is_none() {
            return Err(self.not_fired(firing));
        }
        match expected {
            Expected::Fired => Ok(()),
            Expected::Asked(literal) => match self.asked_by(&id) {
                Some((asked, part)) => self.compare(firing, literal, asked, "asked something else", &part),
                None => Err(Finding::new(FindingId::OtherValue, literal.span, format!("`{}` asks and emits nothing", firing.node))
                    .note("write `= …` to say what it gives")),
            },
            Expected::Gave(literal) => match self.gave(firing, &base) {
                Some(gave) => self.compare(firing, literal, &gave, "given something else", "/output"),
                None => Err(Finding::new(FindingId::OtherValue, literal.span, format!("`{}` has given nothing so far", firing.node))
                    .notes(self.waiting())),
            },
        }
    }

    /// What a firing, or an element of it, has asked or emitted, and the part of the node that says it.
    fn asked_by(&self, id: &str) -> Option<(&Value, String)> {
        let approval = format!("{id}@approval");
        let event = self.scroll.iter().rev().find(|event| event.id == id || event.id == approval)?;
        let data = event.data()?;
        let part = match event.topic.as_str() {
            "tool.dispatch" | "tool.approval.requested" => data.get("args").map(|args| (args, "/payload/args")),
            "ai.request" => data.get("agent").and(data.get("args")).map(|args| (args, "/payload/args")),
            "workflow.start" => data.get("input").map(|input| (input, "/payload/input")),
            _ => None,
        };
        let (value, part) = part.unwrap_or((data, "/payload"));
        Some((value, part.to_owned()))
    }

    /// What a firing, or an element of it, has given.
    fn gave(&self, firing: &StepRef, base: &str) -> Option<Value> {
        let (_, node) = self.subject.node(&firing.node)?;
        if node.terminal {
            let done = self.done()?;
            let output = done.get("output").or_else(|| done.get("failure")?.get("message"));
            return output.cloned();
        }
        let view = self.runner.firings().find(|view| view.id == base)?;
        if let Element::At(index) = firing.element {
            return view.elements?.get(index as usize).copied().flatten().cloned();
        }
        match view.outcome {
            FiringOutcome::Answered(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn compare(&self, firing: &StepRef, expected: &Literal, found: &Value, what: &str, part: &str) -> Result<(), Finding> {
        let Some(mismatch) = mismatch(expected, found, "") else { return Ok(()) };
        let finding = Finding::new(FindingId::OtherValue, mismatch.span, format!("`{}` has {what}", firing.node));
        let Some(value) = &mismatch.found else { return Err(finding.label("this field is not there")) };
        let read = self.trace.texts.iter().rev().find(|(node, read)| *node == firing.node && read.value == *value);
        let from = read.map_or_else(String::new, |(_, read)| {
            let pointer =
                self.subject.node(&firing.node).map_or_else(String::new, |(pointer, _)| format!("{pointer}{part}{}", mismatch.pointer));
            format!(", from `{}`{}{}", read.path, self.subject.place(&pointer), self.line_of(read))
        });
        let shown = cut(&written(value));
        Err(match mismatch.extra {
            Some(key) => {
                finding.label(format!("it also has `{key}: {shown}`{from}")).note("write `...` before the `}` if other fields may be there")
            }
            None => {
                let fix = FixPlace::Replace(mismatch.span);
                let label = format!("it is {shown}{from}");
                finding.label(label).fix(format!("expect {shown}"), fix, written(value))
            }
        })
    }

    fn expect_not(&self, firing: &StepRef) -> Result<(), Finding> {
        let Some(number) = self.fired(firing) else { return Ok(()) };
        let name = if firing.number.is_some() { format!("{}#{number}", firing.node) } else { firing.node.clone() };
        let finding = Finding::new(FindingId::Fired, firing.span, format!("`{name}` has fired"));
        Err(finding.notes(self.why_fired(&firing.node)).notes([self.way_so_far()]))
    }

    fn expect_failure(&self, span: Span, name: &FailureName, payload: Option<&Literal>) -> Result<(), Finding> {
        let failure = self.done().and_then(|done| done.get("failure"));
        let Some(failure) = failure else {
            let finding = Finding::new(FindingId::OtherFailure, span, format!("the run has not failed; {}", self.state()));
            return Err(finding.notes(self.waiting()).notes([self.way_so_far()]));
        };
        let text = |key: &str| failure.get(key).and_then(Value::as_str);
        let word = text("code").or(text("kind")).unwrap_or_default();
        let fits = match name {
            FailureName::Kind(kind) => text("code").is_none() && text("kind") == Some(kind),
            FailureName::Code(code) => text("code") == Some(code),
        };
        if !fits {
            let message = format!("the run has failed with `{word}`, and not with `{}`", name.word());
            let note = text("message").filter(|message| !message.is_empty()).map(|message| format!("it says: {}", cut(message)));
            return Err(Finding::new(FindingId::OtherFailure, span, message).notes(note).notes([self.way_so_far()]));
        }
        let Some(payload) = payload else { return Ok(()) };
        let key = if matches!(payload.kind, LiteralKind::String(_)) { "message" } else { "data" };
        match mismatch(payload, failure.get(key).unwrap_or(&Value::Null), "") {
            None => Ok(()),
            Some(mismatch) => {
                let shown = mismatch.found.map_or_else(|| "not there".to_owned(), |found| cut(&written(&found)));
                let finding = Finding::new(FindingId::OtherValue, mismatch.span, format!("the run has failed with another {key}"));
                Err(finding.label(format!("it is {shown}")))
            }
        }
    }

    fn expect_order(&self, span: Span, items: &[OrderItem]) -> Result<(), Finding> {
        let way: Vec<&str> = self.way().map(|(node, _)| node).collect();
        // Which numbers of firings the items so far may stand for.
        let mut reached = vec![false; way.len() + 1];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        for item in items {
            let mut next = vec![false; way.len() + 1];
            let mut open = false;
            for (place, slot) in next.iter_mut().enumerate() {
                let here = reached.get(place).copied().unwrap_or_default();
                open |= here;
                *slot = match item {
                    OrderItem::Gap => open,
                    OrderItem::Node { node, .. } => {
                        let before = place.checked_sub(1);
                        let fires = before.and_then(|before| way.get(before)).is_some_and(|fired| fired == node);
                        fires && before.and_then(|before| reached.get(before)).copied().unwrap_or_default()
                    }
                };
            }
            reached = next;
        }
        if reached.last().copied().unwrap_or_default() {
            return Ok(());
        }
        Err(Finding::new(FindingId::OtherOrder, span, "the nodes have fired in another order").notes([self.way_so_far()]))
    }

    fn expect_open(&self, span: Span, steps: &[StepRef]) -> Result<(), Finding> {
        if self.runner.is_done() && !steps.is_empty() {
            let finding = Finding::new(FindingId::OtherOpen, span, format!("nothing is open: {}", self.state()));
            return Err(finding.notes([self.way_so_far()]));
        }
        let slots = self.slots();
        let mut open: Vec<(String, u64)> = self.open_firings();
        for step in steps {
            let is_meant = |(node, number): &(String, u64)| *node == step.node && step.number.is_none_or(|it| u64::from(it) == *number);
            let place = open.iter().position(is_meant);
            let element_open = match step.element {
                Element::At(index) => slots.iter().any(|slot| slot.node == step.node && slot.element == Some(index)),
                Element::None | Element::All => true,
            };
            let Some(place) = place.filter(|_| element_open) else {
                let closed = Finding::new(FindingId::OtherOpen, step.span, format!("`{}` is not open", step.node));
                return Err(closed.notes(self.why_not_open(&step.node)).notes(self.waiting()));
            };
            // Several elements of one firing may be listed.
            let listed_again = |other: &StepRef| other.node == step.node && other.span > step.span && other.element != Element::None;
            if !(matches!(step.element, Element::At(_)) && steps.iter().any(listed_again)) {
                open.remove(place);
            }
        }
        match open.first() {
            None => Ok(()),
            Some((node, _)) => Err(Finding::new(FindingId::OtherOpen, span, format!("`{node}` is open too"))
                .notes(self.waiting())
                .notes([self.way_so_far()])),
        }
    }

    /// The firings that wait, with their numbers.
    pub(crate) fn open_firings(&self) -> Vec<(String, u64)> {
        if self.runner.is_done() {
            return Vec::new();
        }
        let open = self.runner.firings().filter(|view| view.outcome == FiringOutcome::Open);
        let numbered = open.filter_map(|view| Some((view.node.to_owned(), view.id.rsplit_once('#')?.1.parse().ok()?)));
        numbered.collect()
    }
}
