//! Nodes: triggers, actions, answers, settings.

use insta::assert_snapshot;

use crate::fixture::typed as checked;

const DECLARATIONS: &str = "
error card_declined { reason: string }
error no_stock { sku: string, left: int }
type Order { id: string, total: decimal }
event review.asked { id: string } -> review.granted | review.denied
external event review.granted { by: string, note?: string }
external event review.denied { by: string, reason: string }
external event order.paid { id: string, amount: decimal }
event order.noted { id: string }
event tick.tock = null
event any.thing = json
tool find_order(order_id: string) -> Order
tool refund(order_id: string, amount: decimal) -> { refund_id: string } { fails [card_declined, no_stock, unavailable] }
tool remember(preferences: string[])
tool fetch_page(url: uri) -> string
signal tool escalate(reason: string)
provider tool web_search(query: string) { via openai }
interaction tool choose(ids: string[]) -> string
toolkit desk { tools [find_order as lookup, escalate] }
agent triager(body: string) -> { intent: \"refund\" | \"question\", order_id: string | null } {
  model nano
  system \"Classify.\"
  tools [desk]
}
agent writer(question: string) { model mini
  system \"Answer.\"
  tools [web_search] }
workflow child(id: string) -> { done: bool } {
  end ok = { done: true }
  fail nope on failure = \"no\"
}
";

/// A workflow with these nodes, which has an order as its input and no output.
fn nodes(nodes: &str) -> String {
    checked(&format!(
        "{DECLARATIONS}\nworkflow w(order: Order, urls: uri[], delay: duration, at: timestamp, note?: string) {{\n{nodes}\n}}\n"
    ))
}

fn silent(text: &str) {
    assert_eq!(nodes(text), "", "{text}");
}

#[test]
fn every_form_of_a_node_is_understood() {
    silent("step find { call find_order { order_id: .input.order.id } }\n end done on find");
    silent(
        "step a { ask triager { body: \"x\" } }\n step b on a when .a.order_id != null { call find_order { order_id: .a.order_id } }\n end c on a else\n end d on b",
    );
    silent(
        "step a { ask writer { question: \"x\" } }\n step b on ai.response { call remember { preferences: [.response.text, .event.text, .a.text] } }\n end c on tool.result",
    );
    silent(
        "step a { run child { id: \"x\" } }\n end b on a when .a.done && .event.done\n end c on a else\n fail d on failure(a) when .failure.code == \"nope\" = \"child: {{.failure.message}}\"",
    );
    silent(
        "step a { emit review.asked { id: \"x\" } }\n step b on review.granted from a { call remember { preferences: [.event.by, .event.note ?? \"-\"] } }\n end c on review.denied from a\n end d on timeout(a, 24h)\n end e on timeout(1h)\n end f on b",
    );
    silent("step a { emit review.asked { id: \"x\" } }\n step b on a = .event.by\n end c on b");
    silent("step a { emit order.noted { id: \"x\" } }\n step b on a { call find_order { order_id: .a.id } }\n end c on b");
    silent(
        "step a { wait 24h }\n step b on a { wait .input.delay }\n step c on b { wait until .input.at }\n step d on c { wait until \"2027-01-01T00:00:00Z\" }\n end e on timer.fired from d",
    );
    silent("step a { wait order.paid | review.granted when .event.id == .input.order.id }\n end b on a");
    silent(
        "step a { wait order.paid when .event.id == .input.order.id && .event.amount > 3 }\n step b on order.paid from a { call find_order { order_id: .event.id } }\n end c on b",
    );
    silent(
        "step a { wait 1h }\n step b { wait 2h }\n step c on 1 of (a, b) { cancel a, b }\n end d on all(a, b)\n end e on settled(a, b)\n end f on c",
    );
    silent(
        "step get each .input.urls as url parallel 4 min 1 { call fetch_page { url: .url } }\n step keep on get { call remember { preferences: .get } }\n end c on keep",
    );
    silent(
        "step a { ask triager { body: \"x\" }, timeout 30s, retry 2 { backoff exponential, base 1s } }\n step b on a { ask triager { body: \"y\" }, history [a] }\n end c on b",
    );
    silent(
        "step a { ask triager { body: \"x\" } }\n end b on escalate from a when .event.reason != \"\"\n end b2 on escalate from a else\n step c on lookup from a { call find_order { order_id: .event.order_id } }\n end d on tool.progress from a\n end e on a\n end f on c",
    );
    silent(
        "step a { call choose { ids: [] } }\n step b on a { call child { id: .a } }\n step c on b { call triager { body: \"got {{.b}}\" } }\n end d on c",
    );
    silent(
        "step a { emit tool.dispatch { name: \"x\", more: .input.note } }\n end b on tool.result when .result == 3\n end c on tool.result else",
    );
    silent("step a { emit any.thing }\n step b on a { emit any.thing { x: 1 } }\n end d on b");
    silent(
        "step draft on start | again limit 3 { ask writer { question: \"so far: {{.draft[]}}\" } }\n step again on draft when size(.draft[]) < 3 { wait 1h }\n end done on draft else",
    );
    silent("end nothing");
    silent("fail nothing = \"text {{.input.order.id}}\"");
    silent(
        "step a { call refund { order_id: \"x\", amount: 5 } }\n fail b on failure(a) | failure when .failure.kind == \"timeout\" = \"{{.failure.message}}\"\n end c on a",
    );
}

#[test]
fn failures_know_their_codes_and_data() {
    let refund = "step a { call refund { order_id: \"x\", amount: 5 } }\n end z on a\n";
    silent(&format!("{refund} fail b on failure(a) when .failure.code == \"card_declined\" = \"{{{{.failure.data.reason}}}}\""));
    silent(&format!(
        "{refund} fail b on failure(a) when .failure.code == \"no_stock\" && .failure.data.left > 3 = \"{{{{.failure.data.sku}}}}\""
    ));
    silent(&format!("{refund} fail b on failure(a) when .failure.data != null = \"{{{{.failure.code}}}} {{{{.failure.data}}}}\""));
    silent("step a { wait 1h }\n fail b on failure = \"{{.failure.code ?? \"-\"}} {{.failure.data?.x ?? \"-\"}}\"\n end c on a");
    assert_snapshot!(nodes(&format!("{refund} fail b on failure(a) when .failure.code == \"card_declind\"\n fail c on failure(a) else = \"{{{{.failure.data.reason}}}}\"")), @r#"
never-equal @ "card_declind": `"card_declind"` is not a value of `"card_declined" | "no_stock" | "execution_error" | "invalid_input" | …`
  - never equal
  - .failure.code: this is `"card_declined" | "no_stock" | "execution_error" | "invalid_input" | …`
  help: did you mean `"card_declined"`?
may-be-absent @ .failure.data: `.failure.data` may be absent, so it cannot be read from
  - only declared errors have it, and a built-in failure is also possible
  help: write `.failure.data?.reason`, which may be absent too, or check `.failure.data != null` in a guard
"#);
    silent(&format!("{refund} fail b on failure(a) = \"{{{{.failure.code}}}}\""));
    assert_snapshot!(nodes("step a { run child { id: \"x\" } }\n end z on a\n fail b on failure(a) when .failure.code == \"yes\" = \"\"\n fail c on failure(a) else"), @r#"
    never-equal @ "yes": `"yes"` is not a value of `"nope" | "execution_error" | "invalid_input" | "invalid_output" | …`
      - never equal
      - .failure.code: this is `"nope" | "execution_error" | "invalid_input" | "invalid_output" | …`
      help: there are `"nope"`, `"execution_error"`, `"invalid_input"`, `"invalid_output"`, `"timeout"`, `"denied"`, `"cancelled"`, `"unavailable"` and 7 more
    "#);
    assert_snapshot!(nodes("step a { wait 1h }\n end b on a | failure(a) when .failure.kind == \"timeout\"\n end c on a = .failure"), @r#"
unavailable-value @ .failure: `.failure` exists only in nodes that fire on a failure
  - `.failure` does not exist here
  help: write `on failure(STEP)`, or `on failure` for failures that no other node handles
unexpected-output @ .failure: this `end` has an output, but `w` declares none
  - not declared
  - w: has no `->` in its signature
  help: declare the output after the parameters, `-> T`, or remove it here
"#);
}

#[test]
fn names_of_nodes() {
    assert_snapshot!(nodes("step a { wait 1h }\n end a on a = 5\n step failure on a { wait 1h }\n end event on failure"), @r#"
duplicate-node @ a: two nodes are named `a`
  - same name
  - a: first node with this name
  help: rename one of them
unexpected-output @ 5: this `end` has an output, but `w` declares none
  - not declared
  - w: has no `->` in its signature
  help: declare the output after the parameters, `-> T`, or remove it here
reserved-step-name @ failure: a step cannot be named `failure`
  - reserved
  note: as a trigger, `failure` is a failure that no other node handles, and `.failure` is its value
  help: choose another name
"#);
    assert_snapshot!(nodes("step a { wait 1h }\n end b on aa | c\n end c on b"), @r#"
unknown-step @ aa: there is no step `aa`
  - not a step of this workflow
  help: did you mean `a`?
not-a-step @ c: `c` is an `end`, not a step
  - a step is required here
  - c: an `end`, which finishes the run
  help: name the step that comes before it
not-a-step @ b: `b` is an `end`, not a step
  - a step is required here
  - b: an `end`, which finishes the run
  help: name the step that comes before it
"#);
    assert_snapshot!(nodes("step a { wait 1h }\n end b on all(a, x) | 2 of (a, y, a2) | failure(z) | timeout(q, 1h) | review.granted from r\n step a2 { cancel s, a }"), @r#"
unknown-step @ x: there is no step `x`
  - not a step of this workflow
  help: there are `a` and `a2`
unknown-step @ y: there is no step `y`
  - not a step of this workflow
  help: there are `a` and `a2`
unknown-step @ z: there is no step `z`
  - not a step of this workflow
  help: there are `a` and `a2`
unknown-step @ q: there is no step `q`
  - not a step of this workflow
  help: there are `a` and `a2`
unknown-step @ r: there is no step `r`
  - not a step of this workflow
  help: there are `a` and `a2`
unknown-step @ s: there is no step `s`
  - not a step of this workflow
  help: there are `a` and `a2`
"#);
    assert_snapshot!(nodes("step a { call find_order { order_id: \"x\" } }\n end b on find_order\n end c on triager\n end d on Order\n end e on a"), @r#"
unknown-step @ find_order: there is no step `find_order`, but a tool
  - not a step of this workflow
  - find_order: a tool with this name
  help: `on find_order from STEP` fires when the agent of that step calls the tool; to fire on a step that calls the tool, name the step
unknown-step @ triager: there is no step `triager`, but an agent
  - not a step of this workflow
  - triager: an agent with this name
  help: name the step that asks the agent
unknown-step @ Order: there is no step `Order`, but a type
  - not a step of this workflow
  - Order: a type with this name
  help: a trigger names a step, or a topic with its dots
"#);
}

#[test]
fn aims_of_actions() {
    assert_snapshot!(nodes("step a { ask find_order { order_id: \"x\" } }\n step b { call desk {} }\n step c { run triager { body: \"x\" } }\n step d { call child { id: 1 } }\n end e on a | b | c | d"), @r#"
wrong-kind @ find_order: `find_order` is a tool; use `call`
  - expected an agent
  - find_order: a tool with this name
wrong-kind @ desk: `desk` is a toolkit, not a tool
  - expected a tool
  - desk: a toolkit with this name
wrong-kind @ triager: `triager` is an agent; use `ask`
  - expected a workflow
  - triager: an agent with this name
type-mismatch @ 1: expected `string`, found `1`
  - not `string`
  - id: `id` is declared as `string`
  help: write it as a string
"#);
    assert_snapshot!(nodes("step a { ask triagr { body: .input.nothing } }\n step b { emit review.askd { id: 1 } }\n step c { wait order.piad }\n end e on a | b | c"), @r"
    unknown-name @ triagr: there is no agent `triagr`
      - not declared or imported
      help: did you mean `triager`?
    unknown-field @ nothing: `.input` has no field `nothing`
      - no such field
      help: there are `order`, `urls`, `delay`, `at` and `note`
    unknown-topic @ review.askd: there is no topic `review.askd`
      - not declared or imported
      help: did you mean `review.asked`?
    unknown-topic @ order.piad: there is no topic `order.piad`
      - not declared or imported
      help: did you mean `order.paid`?
    ");
    assert_snapshot!(nodes("step a { call escalate { reason: \"x\" } }\n step b { call web_search { query: \"x\" } }\n step c { emit order.paid { id: \"x\", amount: 1 } }\n end e on a | b | c"), @r#"
uncallable-tool @ escalate: `escalate` is a signal, so a step cannot call it
  - cannot be called
  help: an agent calls it: list it in the `tools` of the agent, and write `on escalate from STEP`
uncallable-tool @ web_search: `web_search` is runs at the provider of the model, so a step cannot call it
  - cannot be called
  help: list it in the `tools` of an agent
external-emit @ order.paid: `order.paid` is external, so a step cannot emit it
  - an external event
  - order.paid: declared as `external`
  help: wait for it instead, or remove `external` from its declaration
"#);
    assert_snapshot!(nodes("step a { call find_order }\n step b { emit review.asked }\n step c { call find_order { id: \"x\" } }\n step d { emit tick.tock { x: 1 } }\n end e on a | b | c | d"), @"
    missing-field @ find_order: `find_order` needs `order_id`
      - `order_id` is missing
      - order_id: `order_id: string`
      help: add it
    missing-field @ review.asked: `review.asked` needs `id`
      - `id` is missing
      - id: `id: string`
      help: add it
    unknown-field @ id: `find_order` has no `id`
      - not declared
      help: there is `order_id`
    type-mismatch @ { x: 1 }: expected `null`, found an object
      - this is an object
      - tick.tock: the payload of `tick.tock` is `null`
    ");
    assert_snapshot!(nodes("step a { wait .input.at }\n step b { wait until .input.delay }\n step c { wait until \"soon\" }\n end e on a | b | c | timeout(a, .input.at)"), @r#"
type-mismatch @ .input.at: expected `duration`, found `timestamp`
  - this is `timestamp`
type-mismatch @ .input.delay: expected `timestamp`, found `duration`
  - this is `duration`
wrong-format @ "soon": `"soon"` is not a valid `timestamp`
  - not a `timestamp`
  help: write it like `"2027-01-31T12:00:00Z"`
type-mismatch @ .input.at: expected `duration`, found `timestamp`
  - this is `timestamp`
"#);
}

#[test]
fn answers_that_never_come() {
    assert_snapshot!(nodes("step a { emit review.asked { id: \"x\" } }\n end b on order.paid from a\n end c on review.granted from a"), @r#"
not-an-answer @ order.paid: `order.paid` never answers `a`
  - not an answer to this step
  - a: is answered with `review.granted` or `review.denied`
  - review.asked: the declaration of the event lists its answers
  help: there are `review.granted` and `review.denied`
"#);
    assert_snapshot!(nodes("step a { ask triager { body: \"x\" } }\n end b on review.granted from a\n end c on web_search from a\n end d on Order from a\n end e on escalte from a\n end f on a"), @r#"
not-an-answer @ review.granted: `review.granted` never answers `a`
  - not an answer to this step
  - a: is answered with `ai.response`
  help: there is `ai.response`
not-an-answer @ web_search: the agent `triager` has no tool `web_search`
  - not in the tools of this agent
  help: there are `lookup` and `escalate`
wrong-kind @ Order: `Order` is a type, not a tool
  - expected a tool
  - Order: a type with this name
not-an-answer @ escalte: the agent `triager` has no tool `escalte`
  - not in the tools of this agent
  help: did you mean `escalate`?
"#);
    assert_snapshot!(nodes("step a { call find_order { order_id: \"x\" } }\n end b on escalate from a\n end c on ai.response from a\n end d on tool.result from a"), @r#"
not-an-answer @ escalate: `a` does not ask an agent, so no agent calls `escalate` there
  - only an agent calls tools
  - a: this step
  help: write `on a` for the answer of the step
not-an-answer @ ai.response: `ai.response` never answers `a`
  - not an answer to this step
  - a: is answered with `tool.result`
  help: there is `tool.result`
"#);
    assert_snapshot!(nodes("step a = 5\n step c on a { ask writer { question: \"x\" } }\n end b on tool.result from a\n end d on escalate from c\n end e on c"), @r#"
not-an-answer @ tool.result: `tool.result` never answers `a`
  - not an answer to this step
  - a: has no event as its answer
  help: name only the step, without a topic
not-an-answer @ escalate: the agent `writer` has no tool `escalate`
  - not in the tools of this agent
  help: there is `web_search`
"#);
}

#[test]
fn values_that_a_node_does_not_have() {
    assert_snapshot!(nodes("step a { wait 1h }\n step b { wait 1h }\n step c on all(a, b) = .event\n step d on timeout(1h) = .event\n step e = .event\n step f on a = .response\n step g on a = .result\n step h on settled(a, b) = .failure\n end i on c | d | e | f | g | h"), @r#"
unavailable-value @ .event: `.event` cannot be read in this node
  - `.event` does not exist here
  help: `all` joins several answers; read each by the name of its step
unavailable-value @ .event: `.event` cannot be read in this node
  - `.event` does not exist here
  help: it fires because time has passed, not because of an event
unavailable-value @ .event: `.event` cannot be read in this node
  - `.event` does not exist here
  help: it fires at the start of the run
unavailable-value @ .response: `.response` exists only in nodes that fire on `ai.response`
  - `.response` does not exist here
  help: write `on ai.response`, or read the answer by the name of its step
unavailable-value @ .result: `.result` exists only in nodes that fire on `tool.result`
  - `.result` does not exist here
  help: write `on tool.result`, or read the answer by the name of its step
unavailable-value @ .failure: `.failure` exists only in nodes that fire on a failure
  - `.failure` does not exist here
  help: write `on failure(STEP)`, or `on failure` for failures that no other node handles
"#);
}

#[test]
fn choices() {
    assert_snapshot!(nodes("step a { wait 1h }\n end b on a else"), @r#"
else-without-choice @ else: this `else` does not belong to a choice
  - no other node has this trigger with a `when`
  help: give another node the same trigger with a `when`, or remove the `else`
"#);
    assert_snapshot!(nodes("step a { wait 1h }\n end b on a when .input.order.total > 1\n end c on a else\n end d on a else"), @r#"
second-else @ else: a choice can have only one `else`
  - never fires
  - else: this one fires if no other condition is true
  help: give one of them a `when`, or remove it
"#);
    assert_snapshot!(nodes("step a { wait 1h }\n end b on a also when .input.order.total > 1\n end c on a else"), @r#"
else-without-choice @ else: this `else` does not belong to a choice
  - no other node has this trigger with a `when`
  help: give another node the same trigger with a `when`, or remove the `else`
"#);
    silent("step a { wait 1h }\n step b on a limit 2 { wait 1h }\n end c on a else\n end d on b");
    silent("step a { wait 1h }\n step x { wait 1h }\n end b on all(a, x) when .input.order.total > 1\n end c on all(x, a) else");
    silent("end b on start when .input.order.total > 1\n end c on start else");
}

#[test]
fn outputs() {
    assert_snapshot!(checked("type R { status: \"ok\" | \"bad\" }\nworkflow w(a: int) -> R {\n end x on start when .input.a > 1\n end y on start else = { status: \"bda\" }\n}\n"), @r#"
missing-output @ end x: this `end` has no output, but `w` returns `R`
  - no output
  - R: the declared output
  help: add the output after `=`
type-mismatch @ "bda": `"bda"` is not a value of `"ok" | "bad"`
  - not one of its values
  - status: `status` is declared as `"ok" | "bad"`
  help: did you mean `"bad"`?
"#);
    assert_snapshot!(checked("workflow w(a: int) {\n end x = .input.a\n}\n"), @r#"
unexpected-output @ .input.a: this `end` has an output, but `w` declares none
  - not declared
  - w: has no `->` in its signature
  help: declare the output after the parameters, `-> T`, or remove it here
"#);
    assert_snapshot!(checked("workflow w(a: int) {\n fail x = \"{{.input.b}} {{.x}}\"\n}\n"), @r#"
unknown-field @ b: `.input` has no field `b`
  - no such field
  help: there is `a`
unavailable-value @ .x: `x` is a `fail`, which has no answer
  - `.x` does not exist here
  help: it finishes the run; read the answer of a step
"#);
}

#[test]
fn fan_outs() {
    assert_snapshot!(nodes("step a each .input.order as x { call fetch_page { url: .x } }\n end b on a"), @r#"
not-a-list @ .input.order: `.input.order` is `Order`, not a list
  - `each` requires a list
  help: without `each` the step fires once
"#);
    assert_snapshot!(nodes("step a each .input.urls as a { call fetch_page { url: .a } }\n step b each .input.urls as event { call fetch_page { url: .event } }\n end c on a | b"), @r#"
variable-taken @ a: the variable `a` is already in use
  - taken
  help: choose another name for the element
variable-taken @ event: the variable `event` is already in use
  - taken
  help: choose another name for the element
"#);
    assert_snapshot!(nodes("step a each .input.urls as url { call find_order { order_id: .ulr } }\n step b on a { call fetch_page { url: .url } }\n end c on b"), @r#"
unknown-value @ .ulr: there is no value `.ulr` here
  - unknown value
  help: did you mean `.url`?
unknown-value @ .url: there is no value `.url` here
  - unknown value
  help: there are `.input`, `.event`, `.a` and `.b`
"#);
    assert_snapshot!(checked("tool t(x: string)\nworkflow w(xs?: string[]) {\n step a each .input.xs as x { call t { x: .x } }\n end c on a\n}\n"), @r#"
may-be-absent @ .input.xs: `.input.xs` may be absent or null, and `each` requires a list
  - may be absent or null
  - xs: declared with `?`
  help: fire the node only `when .input.xs != null`
"#);
    let narrowed = "tool t(x: string)\nworkflow w(xs?: string[]) {\n step a on start when .input.xs != null each .input.xs as x { call t { x: .x } }\n end b on start else\n end c on a\n}\n";
    assert_eq!(checked(narrowed), "");
}

#[test]
fn settings() {
    assert_snapshot!(nodes("step a { wait 1h, timeot 3s }\n step b on a { wait 1h, history [a] }\n step c on b { ask writer { question: \"x\" }, history [b, .a, \"x\", z] }\n end d on c"), @r#"
unknown-setting @ timeot: a step has no setting `timeot`
  - not a setting
  note: a step has the settings `timeout`, `retry` and `history`
  help: did you mean `timeout`?
history-step @ history: only an `ask` continues an exchange
  - this step does not ask an agent
  help: remove the setting
history-step @ b: `b` does not ask an agent, so it has no exchange to continue
  - not an `ask`
  - b: this step
  help: name steps that ask an agent
superfluous-dot @ .a: `a` is written without a dot
  - superfluous dot
  help: remove the dot: only values on the scroll and parameters have one
history-step @ "x": `history` is a list of steps
  - not the name of a step
  help: write `history [triage, faq]`
unknown-step @ z: there is no step `z`
  - not a step of this workflow
  help: there are `a`, `b` and `c`
"#);
    assert_snapshot!(nodes("step a { call refund { order_id: \"x\", amount: 1 }, retry 2 { on [card_declined, timeuot] }, timeout 3, timeout 5s }\n end d on a"), @r"
unknown-failure @ timeuot: there is no error or failure kind `timeuot`
  - not declared or built in
  help: did you mean `timeout`?
foreign-form @ 3: a duration is a number directly followed by its unit
  - the unit is missing
  help: durations are written `250ms`, `30s`, `5m`, `24h` and `7d`
duplicate-setting @ timeout: `timeout` is repeated
  - repeated here
  - timeout: first here
  help: remove one of them
");
}

#[test]
fn values_of_steps_are_typed_in_the_order_of_their_needs() {
    silent(
        "step last on middle = { a: .middle.list[0] ?? \"x\", b: .first.n }\n step middle on first = { list: [.first.id], n: .first.n }\n step first = { id: .input.order.id, n: 3 }\n step use on last { call find_order { order_id: .last.a } }\n end done on use",
    );
    silent("step a = \"{{.input.order.total}}\"\n step b on a = \"text {{.b2 ?? \"x\"}}\"\n step b2 on b = .b\n end c on b2");
    assert_snapshot!(nodes("step a = .b\n step b on a = { x: .c }\n step c on b = [.a]\n end d on c"), @r#"
value-cycle @ a: the values of `a`, `b` and `c` depend on each other
  - has no type of its own
  - b: `b` depends on it
  - c: `c` depends on it
  help: use another value in one of them
"#);
    assert_snapshot!(nodes("step a on a = .event\n end d on a"), @r#"
value-cycle @ a: the value of `a` depends on itself
  - has no type of its own
  help: use another value in one of them
"#);
    assert_snapshot!(nodes("step a = { id: .input.order.id }\n step b on a { call find_order { order_id: .a.idd } }\n step c on b { call find_order { order_id: .a } }\n step d on c = .input.note\n end e on d"), @r#"
unknown-field @ idd: `.a` has no field `idd`
  - no such field
  help: did you mean `id`?
type-mismatch @ .a: expected `string`, found `{ id: string }`
  - this is `{ id: string }`
  - order_id: `order_id` is declared as `string`
may-be-absent @ .input.note: `.input.note` may be absent
  - is optional
  - note: declared with `?`
  help: add a default, `.input.note ?? …`, or check `.input.note != null` in a guard
"#);
}

#[test]
fn five_thousand_values_in_a_row_do_not_nest() {
    let mut text = String::from("step v0 = .input.order.id\n");
    for index in 1..5_000 {
        text += &format!("step v{index} on v{} = .v{}\n", index - 1, index - 1);
    }
    // The last one comes first, so that the whole row is needed at once.
    let mut lines = text.lines().rev().collect::<Vec<_>>();
    lines.push("step use on v4999 { call find_order { order_id: .v4999 } }");
    lines.push("end done on use");
    silent(&lines.join("\n"));
}

#[test]
fn facts_hold_where_all_triggers_say_them() {
    let two = "step a { ask triager { body: \"x\" } }\n";
    silent(&format!(
        "{two} step b on a when .a.order_id != null | escalate from a when .a.order_id != null {{ call find_order {{ order_id: .a.order_id }} }}\n end c on b"
    ));
    assert_snapshot!(nodes(&format!("{two} step b on a when .a.order_id != null | escalate from a {{ call find_order {{ order_id: .a.order_id }} }}\n end c on b")), @r"
    may-be-absent @ .a.order_id: `.a.order_id` may be null, but `order_id` may not
      - this is `string | null`
      - order_id: `order_id` is declared as `string`
      help: check `.a.order_id != null` in the guard of this node, and handle the other case in another node
    ");
    assert_snapshot!(nodes(&format!("{two} step b on a when .a.order_id != null || .a.intent == \"refund\" {{ call find_order {{ order_id: .a.order_id }} }}\n end c on b")), @r"
    may-be-absent @ .a.order_id: `.a.order_id` may be null, but `order_id` may not
      - this is `string | null`
      - order_id: `order_id` is declared as `string`
      help: check `.a.order_id != null` in the guard of this node, and handle the other case in another node
    ");
    // What the trigger says of its event says nothing of the one in the mailbox.
    assert_snapshot!(nodes("step a { emit review.asked { id: \"x\" } }\n step b on review.granted from a when .event.note != null { wait review.granted when .event.note.contains(\"x\") }\n end c on b"), @r#"
may-be-absent @ .event.note: `.event.note` may be absent or null, and `contains` requires a value
  - may be absent or null
  help: check first: `.event.note != null && …`
"#);
}

#[test]
fn repaired_items_are_silent() {
    let said = nodes("step a { call find_order { order_id: .input.ordr.id } }\n step b on ");
    assert!(said.lines().filter(|line| !line.starts_with(' ')).all(|line| line.starts_with("missing-")), "{said}");
}
