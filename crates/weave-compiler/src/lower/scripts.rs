//! From typed tests to scripts.

use serde_json::Value as Json;
use weave_analysis::model::script::{Element, Failure, Line, LineKind, Script as Typed, Step, Test};
use weave_analysis::model::value::{Value, ValueKind};
use weave_analysis::model::workflow::WorkflowBody;
use weave_diagnostics::{Place, SourceFile, Span as Bytes};
use weave_scenario::{
    Branch, Element as Elements, Entry, Expected, FailureName, Line as Lowered, LineKind as Kind, Literal, LiteralKind, OrderItem, Script,
    Span, StepRef,
};

/// The script of a test, whose file has this text. `workflow` is the name of the workflow that it runs, and `body` its nodes.
pub(crate) fn script(source: &SourceFile, test: &Test, workflow: &str, body: &WorkflowBody, in_text: &dyn Fn(Place) -> Place) -> Script {
    let lowering = Lowering { source, body, in_text };
    Script { workflow: workflow.to_owned(), root: lowering.branch(&test.script) }
}

struct Lowering<'a> {
    source: &'a SourceFile,
    body: &'a WorkflowBody,
    in_text: &'a dyn Fn(Place) -> Place,
}

impl Lowering<'_> {
    fn bytes(&self, place: Place) -> Bytes {
        (self.in_text)(place).span
    }

    fn span(&self, place: Place) -> Span {
        self.at(self.bytes(place))
    }

    fn at(&self, bytes: Bytes) -> Span {
        Span { start: bytes.start, end: bytes.end, line: self.source.line_column(bytes.start).line }
    }

    fn branch(&self, typed: &Typed) -> Branch {
        Branch {
            name: typed.name.to_string(),
            span: self.span(typed.name_place),
            doc: typed.docs.as_deref().map(str::to_owned),
            lines: typed.lines.iter().map(|line| self.line(line)).collect(),
            branches: typed.inner.iter().map(|inner| self.branch(inner)).collect(),
        }
    }

    fn line(&self, line: &Line) -> Lowered {
        let value = |value: &Option<Value>| value.as_ref().map(|value| self.literal(value));
        let kind = match &line.kind {
            LineKind::Start { input } => Kind::Start { input: value(input) },
            LineKind::Answer { step, value: answer } => Kind::Answer { step: self.step(step), value: value(answer) },
            LineKind::Fail { step, failure, once } => {
                let (failure, payload) = self.failure(failure);
                Kind::Fail { step: self.step(step), failure, payload, once: *once }
            }
            LineKind::Call { step, tool, arguments } => {
                Kind::Call { tool: tool.to_string(), step: self.step(step), args: value(arguments) }
            }
            LineKind::Send { topic, from, payload } => {
                Kind::Send { topic: topic.to_string(), from: from.as_ref().map(|step| self.step(step)), payload: value(payload) }
            }
            LineKind::Approve { step, arguments } => Kind::Approve { step: self.step(step), args: value(arguments) },
            LineKind::Reject { step, reason } => Kind::Reject { step: self.step(step), reason: reason.as_deref().map(str::to_owned) },
            LineKind::Wait(milliseconds) => Kind::Wait { milliseconds: *milliseconds },
            LineKind::WaitUntil(milliseconds) => Kind::WaitUntil { milliseconds: *milliseconds },
            LineKind::Expect { node, asked, gave } => Kind::Expect {
                firing: self.step(node),
                expected: match (asked, gave) {
                    (Some(asked), _) => Expected::Asked(self.literal(asked)),
                    (None, Some(gave)) => Expected::Gave(self.literal(gave)),
                    (None, None) => Expected::Fired,
                },
            },
            LineKind::ExpectNot(node) => Kind::ExpectNot { firing: self.step(node) },
            LineKind::ExpectFailure(failure) => {
                let (failure, payload) = self.failure(failure);
                Kind::ExpectFailure { failure, payload }
            }
            LineKind::ExpectOrder(items) => Kind::ExpectOrder { items: items.iter().map(|item| self.order(*item)).collect() },
            LineKind::Open(steps) => Kind::Open { steps: steps.iter().map(|step| self.step(step)).collect() },
        };
        Lowered { span: self.span(line.place), kind }
    }

    fn order(&self, item: Option<(u32, Place)>) -> OrderItem {
        let Some((index, place)) = item else { return OrderItem::Gap };
        let node = self.body.nodes.get(index as usize).map(|node| node.name.to_string()).unwrap_or_default();
        OrderItem::Node { node, span: self.span(place) }
    }

    fn step(&self, step: &Step) -> StepRef {
        StepRef {
            span: self.span(step.place),
            node: step.name.to_string(),
            number: step.number,
            element: match step.element {
                None => Elements::None,
                Some(Element::All) => Elements::All,
                Some(Element::One(index)) => Elements::At(index),
            },
        }
    }

    fn failure(&self, failure: &Failure) -> (FailureName, Option<Literal>) {
        let name = match &failure.code {
            Some(code) => FailureName::Code(code.to_string()),
            None => FailureName::Kind(failure.kind.to_string()),
        };
        let message = failure
            .message
            .as_ref()
            .map(|(message, place)| Literal { span: self.span(*place), kind: LiteralKind::String(message.to_string()) });
        (name, failure.data.as_ref().map(|data| self.literal(data)).or(message))
    }

    // ---- Values --------------------------------------------------------------------------------------------------------

    fn literal(&self, value: &Value) -> Literal {
        let bytes = self.bytes(value.place);
        let rest = matches!(value.kind, ValueKind::Open(_)).then(|| self.rest(bytes));
        let inner = if let ValueKind::Open(inner) = &value.kind { inner } else { value };
        let kind = match &inner.kind {
            ValueKind::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| self.entry(key, value)).collect();
                LiteralKind::Object { entries, rest }
            }
            ValueKind::List(items) => LiteralKind::List { items: items.iter().map(|item| self.literal(item)).collect(), rest },
            ValueKind::Constant(json) => plain(json, self.at(bytes)),
            // Only a program with errors has these, and it is not lowered.
            ValueKind::Path(_) | ValueKind::Template(_) | ValueKind::Open(_) | ValueKind::Unknown => LiteralKind::Null,
        };
        Literal { span: self.at(bytes), kind }
    }

    fn entry(&self, key: &str, value: &Value) -> Entry {
        let start = self.bytes(value.place).start;
        let before = self.source.text().get(..start as usize).unwrap_or_default();
        let name = before.trim_end().trim_end_matches(':').trim_end();
        let length = if name.ends_with('"') {
            name.strip_suffix('"').and_then(|inner| inner.rfind('"')).map_or(1, |open| name.len() - open)
        } else {
            name.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
        };
        let end = name.len() as u32;
        Entry { key: key.to_owned(), span: self.at(Bytes::new(end - length as u32, end)), value: self.literal(value) }
    }

    /// Where the `...` of an object or a list is: before its closing bracket.
    fn rest(&self, bytes: Bytes) -> Span {
        const DOTS: &str = "...";
        let text = bytes.text(self.source.text());
        let at = text.rfind(DOTS).unwrap_or_default() as u32 + bytes.start;
        self.at(Bytes::new(at, at + DOTS.len() as u32))
    }
}

/// A value that is written as one word, or the JSON of one without places of its own.
fn plain(json: &Json, span: Span) -> LiteralKind {
    let inner = |json: &Json| Literal { span, kind: plain(json, span) };
    match json {
        Json::Null => LiteralKind::Null,
        Json::Bool(value) => LiteralKind::Bool(*value),
        Json::Number(number) => LiteralKind::Number(number.clone()),
        Json::String(text) => LiteralKind::String(text.clone()),
        Json::Array(items) => LiteralKind::List { items: items.iter().map(inner).collect(), rest: None },
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| Entry { key: key.clone(), span, value: inner(value) });
            LiteralKind::Object { entries: entries.collect(), rest: None }
        }
    }
}
