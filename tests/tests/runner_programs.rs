//! Programs that are compiled and run: what the source says is what happens.

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::{Event, EventKind, Failure, Prepared, Runner, next};
use weave_tests::program::Program;
use weave_tests::root;

/// A run of a compiled workflow; its id is `r`.
pub(crate) struct Run {
    runner: Runner,
    scroll: Vec<Event>,
    last: Vec<String>,
}

impl Run {
    pub(crate) fn start(definition: &Definition, input: Value) -> Self {
        let prepared = Prepared::new(definition.clone());
        let start = Event::start("r", &definition.workflow, prepared.digest().expect("a definition has a digest"), input);
        let mut run = Self { runner: Runner::new(prepared), scroll: Vec::new(), last: Vec::new() };
        run.take(start);
        run
    }

    pub(crate) fn take(&mut self, event: Event) -> &mut Self {
        let derived = self.runner.feed(&event);
        self.last = derived.iter().filter(|event| event.topic != "workflow.step").map(|event| event.id.clone()).collect();
        self.scroll.push(Event { seq: self.scroll.len() as u64, ..event });
        self.scroll.extend(derived);
        self
    }

    pub(crate) fn answer(&mut self, re: &str, topic: &str, data: Value) -> &mut Self {
        let id = format!("e{}", self.scroll.len());
        self.take(Event::answer(id, topic, format!("r/{re}"), data))
    }

    /// A request has failed.
    pub(crate) fn failed(&mut self, re: &str, topic: &str, failure: Failure) -> &mut Self {
        let id = format!("e{}", self.scroll.len());
        self.take(Event::failed(id, topic, format!("r/{re}"), failure))
    }

    /// A timer of the whole run fires.
    pub(crate) fn expires(&mut self, length: &str) -> &mut Self {
        let id = format!("e{}", self.scroll.len());
        self.take(Event::answer(id, "timer.fired", format!("r@{length}"), Value::Null))
    }

    /// An event that answers nothing.
    pub(crate) fn post(&mut self, topic: &str, data: Value) -> &mut Self {
        let id = format!("e{}", self.scroll.len());
        self.take(Event::external(id, topic, data))
    }

    /// The agent of an open `ask` calls a tool.
    pub(crate) fn called(&mut self, step: &str, tool: &str, args: Value) -> &mut Self {
        let id = format!("e{}", self.scroll.len());
        let call = serde_json::json!({ "name": tool, "args": args });
        self.take(Event::external(id, "tool.dispatch", call).inside(format!("r/{step}")))
    }

    /// The ids of what followed from the last event.
    pub(crate) fn last(&self) -> &[String] {
        &self.last
    }

    #[track_caller]
    pub(crate) fn gives(&mut self, ids: &[&str]) -> &mut Self {
        let ids: Vec<_> = ids.iter().map(|id| if id.starts_with('@') { format!("r{id}") } else { format!("r/{id}") }).collect();
        assert_eq!(self.last, ids);
        self
    }

    /// Asserts how the run ended, and that each prefix of its scroll can be continued.
    #[track_caller]
    pub(crate) fn ends(&self, outcome: &str, result: Value) {
        let done = self.scroll.last().and_then(Event::data).expect("the run is over");
        let found = if outcome == "succeeded" { done["output"].clone() } else { done["failure"]["code"].clone() };
        assert_eq!((&done["outcome"], found), (&json!(outcome), result), "{done}");
        for length in 0..=self.scroll.len() {
            let (there, rest) = self.scroll.split_at(length);
            let expected: Vec<_> = rest.iter().take_while(|event| event.kind == EventKind::Derived).cloned().collect();
            assert_eq!(next(self.runner.prepared(), there), Ok(expected));
        }
    }
}

pub(crate) fn example(name: &str, workflow: &str) -> Definition {
    let program = Program { roots: vec![name.to_owned()], ..Program::in_folder(&root().join("examples")) };
    compiled(&program, workflow)
}

fn compiled(program: &Program, workflow: &str) -> Definition {
    let json = program.check().definitions().remove(workflow).unwrap_or_else(|| panic!("{}", program.check().drawing()));
    Definition::from_json(&json).expect("a compiled definition is valid")
}

pub(crate) fn customer() -> Value {
    json!({ "id": "123e4567-e89b-12d3-a456-426614174000", "name": "Ada", "email": "ada@example.org", "since": "2024-02-29" })
}

pub(crate) fn ticket() -> Value {
    let id = "123e4567-e89b-12d3-a456-426614174001";
    json!({ "ticket": { "id": id, "body": "My order is broken.", "tags": [], "customer": customer() } })
}

#[test]
fn greet() {
    let definition = example("greet.weave", "greet");
    let mut run = Run::start(&definition, json!({ "name": "Ada" }));
    run.gives(&["ask#1"]).answer("ask#1", "ai.response", json!({ "text": "Welcome!" })).gives(&["speak#1"]);
    run.answer("speak#1", "tool.result", Value::Null).gives(&["@done"]).ends("succeeded", Value::Null);
}

/// A run of `support` up to the manager's approval.
fn asked_for_approval(definition: &Definition) -> Run {
    let mut run = Run::start(definition, ticket());
    run.gives(&["triage#1"]);
    run.answer("triage#1", "ai.response", json!({ "intent": "refund", "confidence": 0.9, "order_id": "A-17" }))
        .gives(&["lookup#1", "lookup#1@PT10S"]);
    let order = json!({ "id": "A-17", "customer": customer(), "total": "250.00", "placed_at": "2027-01-31T12:00:00Z",
        "lines": [{ "sku": "AB-1", "title": "Lamp", "quantity": 1, "price": "250.00" }] });
    run.answer("lookup#1", "tool.result", order).gives(&["approve#1", "approve#1@PT24H"]);
    run
}

#[test]
fn support_with_a_managers_approval() {
    let definition = example("support.weave", "support");
    let mut run = asked_for_approval(&definition);
    run.answer("approve#1", "approval.granted", json!({ "by": "Max" }));
    assert_eq!(run.last.first().map(String::as_str), Some("r/pay#1"));
    run.answer("pay#1", "tool.result", json!({ "refund_id": "r_1" }));
    run.ends("succeeded", json!({ "status": "refunded", "detail": "order A-17" }));

    let mut run = asked_for_approval(&definition);
    run.answer("approve#1", "approval.denied", json!({ "by": "Max", "reason": "too old" }));
    run.ends("succeeded", json!({ "status": "denied", "detail": "too old" }));

    let mut run = asked_for_approval(&definition);
    run.answer("approve#1@PT24H", "timer.fired", Value::Null).gives(&["approve#1@cancel", "@done"]);
    run.ends("succeeded", json!({ "status": "denied", "detail": "nobody answered" }));

    let mut run = asked_for_approval(&definition);
    run.answer("approve#1", "approval.granted", json!({ "by": "Max" }));
    let declined = Failure::coded("card_declined", "", Some(json!({ "reason": "limit" })));
    run.take(Event::failed("f1", "tool.result", "r/pay#1", declined));
    run.ends("succeeded", json!({ "status": "denied", "detail": "limit" }));
}

#[test]
fn a_signal_of_the_writer_hands_over() {
    let definition = example("support.weave", "support");
    let mut run = Run::start(&definition, ticket());
    run.answer("triage#1", "ai.response", json!({ "intent": "question", "confidence": 0.9, "order_id": null }))
        .gives(&["answer#1@hydrate"]);
    run.answer("answer#1@hydrate", "prompt.hydrate.result", json!({ "docs": ["a"] })).gives(&["answer#1"]);
    let call = json!({ "name": "escalate", "args": { "reason": "angry" } });
    run.take(Event::external("c1", "tool.dispatch", call).inside("r/answer#1")).gives(&["answer#1@cancel", "@done"]);
    run.ends("succeeded", json!({ "status": "escalated", "detail": "angry" }));
}

#[test]
fn fan_out_join_and_loop() {
    let program = Program::one(
        r#"
tool fetch(url: string) -> { text: string, more: bool } { fails [unavailable] }
tool judge(texts: string[]) -> { good: bool }

workflow look(urls: string[]) -> { texts: string[] } {
  step pages each .input.urls as url parallel 2 min 1 {
    call fetch { url: .url }
  }
  step verdict on pages | again limit 2 {
    call judge { texts: ["one"] }
  }
  step again on verdict when !.verdict.good limit 1 {
    wait 1h
  }
  end done on verdict else = { texts: ["it is {{.verdict.good}}"] }
  fail nothing on failure(pages) = "no page: {{.failure.kind}}"
}
"#,
    );
    let definition = compiled(&program, "look");
    let mut run = Run::start(&definition, json!({ "urls": ["a", "b", "c"] }));
    run.gives(&["pages#1[0]", "pages#1[1]"]);
    run.answer("pages#1[1]", "tool.result", json!({ "text": "b", "more": false })).gives(&["pages#1[2]"]);
    run.take(Event::failed("f1", "tool.result", "r/pages#1[2]", Failure::coded("unavailable", "", None))).gives(&[]);
    run.answer("pages#1[0]", "tool.result", json!({ "text": "a", "more": false })).gives(&["verdict#1"]);
    run.answer("verdict#1", "tool.result", json!({ "good": false })).gives(&["again#1"]);
    run.answer("again#1", "timer.fired", Value::Null).gives(&["verdict#2"]);
    run.answer("verdict#2", "tool.result", json!({ "good": true })).ends("succeeded", json!({ "texts": ["it is true"] }));

    let mut run = Run::start(&definition, json!({ "urls": ["a"] }));
    run.take(Event::failed("f1", "tool.result", "r/pages#1[0]", Failure::coded("unavailable", "", None)));
    run.ends("failed", json!("nothing"));
}

#[test]
fn values_are_emitted_and_entries_read() {
    let program = Program::one(
        "event counts.made = int[]\n\
         event count.best = int\n\
         type In { headers: map<string>, list: int[], \"x y\"?: int }\n\
         workflow w(in: In) -> json {\n\
           step list { emit counts.made .input.in.list }\n\
           step best on list { emit count.best .input.in[\"x y\"] ?? -1 }\n\
           end traced on best when \"a b\" in .input.in.headers = { trace: .input.in.headers[\"a b\"], best: .best, list: .list }\n\
           end plain on best else = \"{{.input.in.headers[\"c d\"] ?? \"none\"}}: {{.best}}\"\n\
         }\n",
    );
    let definition = compiled(&program, "w");
    let run = Run::start(&definition, json!({ "in": { "headers": { "a b": "t" }, "list": [1, 2], "x y": 3 } }));
    run.ends("succeeded", json!({ "trace": "t", "best": 3, "list": [1, 2] }));
    let run = Run::start(&definition, json!({ "in": { "headers": { "a": "t" }, "list": [] } }));
    run.ends("succeeded", json!("none: -1"));
}
