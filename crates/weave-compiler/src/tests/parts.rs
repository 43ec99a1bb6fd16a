//! What stands beside the nodes.

use insta::assert_snapshot;
use serde_json::Value;

use super::{compiled, definition};

const SETTINGS: &str = r#"
/// The bank said no.
error refused { reason: string }
error lost
type Report { text: string }

/// Pays.
tool pay(amount: decimal, to?: email) -> { id: string } {
  title "Pay"
  version "v2"
  action "Paying {{.amount}} to {{.to ?? "somebody"}}"
  mode silent
  strict false
  hints [idempotent, destructive]
  timeout 10s
  retry 3 { backoff exponential, on [unavailable, refused] }
  approval always
  deferred { deadline 2d, on_timeout error }
  progress { pct: int(0..100) }
  artifacts Report
  fails [unavailable, refused]
  example { amount: "1" } -> { id: "{{x}}" }
  example { amount: "2", to: "a@b.ch" }
  requires [Db, Clock]
  at env("PAY_URL")
  binding lash { module: "pay" }
  meta { b: 1, a: [1, { c: null }] }
  on_cancel ignore
}
tool plain()
tool imported(x: string) -> json { from mcp("github", "create_issue"), approval never, hints [] }
signal tool stop(why: string)
interaction tool choose(ids: string[]) -> string
provider tool search(query: string) { via openai { search_context_size: "low" } }

agent writer(topic: string) -> Report {
  title "Writer"
  version "1"
  model "openai/gpt-5"
  system "Write about {{.topic}}, \{{not this}}."
  prompt ask_for
  tools [pay, plain, imported, stop, choose, search]
  max_turns 4
  options { temperature: 0.5 }
  meta { team: "a" }
}
agent plain_text(topic: string) { model mini, system "Write." }
prompt ask_for(topic: string) hydrates { docs: string[] } """
  About {{.topic}}:
  {{.docs}}
  """

workflow main(topic: string = "x") -> Report {
  title "Main"
  version "3"
  timeout 2d
  meta { owner: "me" }
  step write { ask writer { topic: .input.topic } }
  step say { ask plain_text { topic: .input.topic } }
  end done on write = .write
  end said on say = { text: .say.text }
}
"#;

#[test]
fn every_setting_has_its_key() {
    let mut definition = definition(SETTINGS);
    definition.as_object_mut().unwrap().shift_remove("nodes");
    definition["events"].as_object_mut().unwrap().values_mut().for_each(|event| {
        event.as_object_mut().unwrap().shift_remove("payload");
    });
    assert_snapshot!(sections(&definition), @r##"
    weave: "1"
    workflow: "main"
    title: "Main"
    version: "3"
    timeout: "PT48H"
    input: {"type":"object","properties":{"topic":{"type":"string","default":"x"}},"additionalProperties":false}
    output: {"$ref":"#/$defs/Report"}
    tools.choose: {"kind":"interaction","mode":"feedback","strict":true,"input":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}}},"required":["ids"],"additionalProperties":false},"output":{"type":"string"}}
    tools.imported: {"kind":"remote","mode":"feedback","strict":true,"hints":[],"input":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"],"additionalProperties":false},"output":{},"from":{"mcp":{"server":"github","tool":"create_issue"}}}
    tools.pay: {"kind":"remote","title":"Pay","description":"Pays.","version":"v2","action":"Paying {{.amount}} to {{.to ?? \"somebody\"}}","mode":"silent","strict":false,"hints":["destructive","idempotent"],"timeout":"PT10S","retry":{"max":3,"backoff":"exponential","base":"PT1S","on":["refused","unavailable"]},"approval":"always","deferred":{"deadline":"PT48H","on_timeout":"error"},"on_cancel":"ignore","input":{"type":"object","properties":{"amount":{"type":"string","format":"decimal","pattern":"^-?[0-9]+(\\.[0-9]+)?$"},"to":{"type":"string","format":"email"}},"required":["amount"],"additionalProperties":false},"output":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false},"progress":{"type":"object","properties":{"pct":{"type":"integer","minimum":0,"maximum":100}},"required":["pct"],"additionalProperties":false},"artifacts":{"$ref":"#/$defs/Report"},"fails":["refused","unavailable"],"examples":[{"input":{"amount":"1"},"output":{"id":"{{x}}"}},{"input":{"amount":"2","to":"a@b.ch"}}],"requires":["Clock","Db"],"at":{"env":"PAY_URL"},"binding":{"lash":{"module":"pay"}},"meta":{"a":[1,{"c":null}],"b":1}}
    tools.plain: {"kind":"local","mode":"feedback","strict":true,"input":{"type":"object","properties":{},"additionalProperties":false},"output":{"type":"null"}}
    tools.search: {"kind":"provider","mode":"feedback","strict":true,"input":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false},"output":{"type":"null"},"via":{"provider":"openai","options":{"search_context_size":"low"}}}
    tools.stop: {"kind":"signal","mode":"feedback","strict":true,"input":{"type":"object","properties":{"why":{"type":"string"}},"required":["why"],"additionalProperties":false},"output":{"type":"null"}}
    agents.plain_text: {"model":"mini","system":"Write.","input":{"type":"object","properties":{"topic":{"type":"string"}},"required":["topic"],"additionalProperties":false},"output":{"type":"object","properties":{"text":{"description":"What the model wrote.","type":"string"}},"required":["text"],"additionalProperties":true}}
    agents.writer: {"title":"Writer","version":"1","model":"openai/gpt-5","system":"Write about {{.topic}}, {{\"{{\"}}not this}}.","prompt":"ask_for","input":{"type":"object","properties":{"topic":{"type":"string"}},"required":["topic"],"additionalProperties":false},"output":{"$ref":"#/$defs/Report"},"tools":[{"name":"pay","tool":"pay"},{"name":"plain","tool":"plain"},{"name":"imported","tool":"imported"},{"name":"stop","tool":"stop"},{"name":"choose","tool":"choose"},{"name":"search","tool":"search"}],"max_turns":4,"options":{"temperature":0.5},"meta":{"team":"a"}}
    prompts.ask_for: {"tier":"dynamic","input":{"type":"object","properties":{"topic":{"type":"string"}},"required":["topic"],"additionalProperties":false},"hydrates":{"type":"object","properties":{"docs":{"type":"array","items":{"type":"string"}}},"required":["docs"],"additionalProperties":false},"text":"About {{.topic}}:\n{{.docs}}"}
    events.ai.request: {"description":"Asks a model for an answer. `ask` fills in `agent` and `args`; a request that was written out may say whatever its host understands.","external":false,"answers":["ai.response"]}
    events.ai.response: {"description":"The answer of a model. An agent with a declared output answers with that output instead.","external":true}
    errors.refused: {"description":"The bank said no.","data":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}}
    $defs.Report: {"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}
    projections.gemini: {"tools":{"pay":{"schema":{"type":"object","properties":{"amount":{"description":"A decimal number as a string, such as \"12.50\".","type":"string"},"to":{"description":"An e-mail address.","type":"string"}},"required":["amount"],"additionalProperties":false},"lost":[{"at":"/properties/amount/format","to":"description"},{"at":"/properties/amount/pattern","to":"description"},{"at":"/properties/to/format","to":"description"}]}}}
    projections.openai: {"tools":{"plain":{"schema":{"type":"object","properties":{},"required":[],"additionalProperties":false}}}}
    meta: {"owner":"me"}
    "##);
}

/// Each entry of each section on a line.
fn sections(definition: &Value) -> String {
    let mut lines = Vec::new();
    for (key, value) in definition.as_object().unwrap() {
        match value {
            Value::Object(entries) if !matches!(key.as_str(), "input" | "output" | "meta") => {
                lines.extend(entries.iter().map(|(name, entry)| format!("{key}.{name}: {entry}")));
            }
            value => lines.push(format!("{key}: {value}")),
        }
    }
    lines.join("\n")
}

/// The keys of all sections beside the nodes.
fn keys(definition: &Value) -> String {
    let sections = ["tools", "agents", "prompts", "events", "errors", "workflows", "$defs"];
    let keys = |section: &str| definition[section].as_object().map(|entries| entries.keys().cloned().collect::<Vec<_>>().join(" "));
    sections.iter().filter_map(|section| Some(format!("{section}: {}", keys(section)?))).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_definition_holds_what_its_nodes_reach_and_nothing_else() {
    let definition = definition(
        r#"
type A { b: B }
type B { c?: C[] }
enum C { x }
type D { d: map<E> }
type E = string
type F { a: A }
union G { one: F, two: { h: H } }
type H { x: int }
type Unused { g: G }
error gone { d: D }
error never { d: Unused }
event asked { a: A } -> answered
external event answered.now = G
event asked.again { a: A } -> answered.now
event asked.never { a: Unused }
tool used(a: A) -> json { fails [gone] }
tool unused(a: Unused)
tool offered(x: string)
tool inner(x: string)
toolkit kit { namespace "k", tools [offered, sub] }
toolkit sub { tools [inner, helper, child] }
toolkit other { tools [unused] }
agent helper(x: string) { model mini, prompt helping }
agent asked_one(x: string) { model mini, system "Write.", tools [kit] }
agent lonely(x: string) { model mini, system "Write." }
prompt helping(x: string) """
  {{.x}}
  """
prompt lonely_too() """
  x
  """
workflow child(f: F) -> E { end done = "x" }
workflow grandchild(u: Unused) { end done }
workflow main(a: A) {
  step one { call used { a: .input.a } }
  step two on one { emit asked.again { a: .input.a } }
  step three on two { ask asked_one { x: "1" } }
  step four on three { wait 1s }
  end done on four
}
"#
        .replace("event asked { a: A } -> answered\n", "")
        .as_str(),
    );
    assert_snapshot!(keys(&definition), @r#"
    tools: inner offered used
    agents: asked_one helper
    prompts: helping
    events: ai.request ai.response answered.now asked.again timer.fired timer.set tool.dispatch tool.result
    errors: gone
    workflows: child
    $defs: A B C D E F G H
    "#);
    assert_snapshot!(definition["agents"]["asked_one"]["tools"], @r#"[{"name":"k__offered","tool":"offered"},{"name":"k__inner","tool":"inner"},{"name":"k__helper","agent":"helper"},{"name":"k__child","workflow":"child"}]"#);
}

#[test]
fn children_are_pinned_by_their_digests() {
    let program = |detail: &str| {
        format!(
            "workflow leaf(x: int) {{ end done on start when .input.x > {detail} end other on start else }}
workflow middle(x: int) {{ step a {{ run leaf {{ x: .input.x }} }} end done on a }}
workflow top(x: int) {{ step a {{ run middle {{ x: .input.x }} }} end done on a }}
"
        )
    };
    let digests = |detail: &str| compiled(&program(detail)).iter().map(|one| one.source_map.digest.clone()).collect::<Vec<_>>();
    let one = compiled(&program("1"));
    let names: Vec<&str> = one.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["leaf", "middle", "top"]);
    assert_eq!(one[2].definition.workflows["middle"].digest, one[1].definition.digest().unwrap());
    assert_eq!(one[2].definition.nodes[0].payload.as_ref().unwrap()["digest"], digests("1")[1].as_str());
    assert!(digests("1").iter().zip(&digests("2")).all(|(one, other)| one != other), "a change below changes everything above");
}

#[test]
fn only_workflows_of_the_roots_are_compiled_and_in_their_order() {
    let compiled = compiled(
        "import { c } from \"./other.weave\"
workflow b(x: int) { step s { run c { x: .input.x } } end done on s }
workflow a(x: int) { end done }
// file: other.weave
workflow c(x: int) { end done }
",
    );
    assert_eq!(compiled.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
}

const SAME: &str = r#"
import { Money as Cash } from "./one.weave"
import { Money } from "./two.weave"
workflow main(a: Cash, b: Money, c: Local) { end done }
type Local { a: Cash[] }
// file: one.weave
import { Currency } from "./two.weave"
type Money { amount: decimal, back?: Money }
// file: two.weave
type Money { amount: int64, currency: Currency }
enum Currency { chf }
"#;

#[test]
fn types_of_one_name_are_told_apart_by_what_they_say() {
    let first = definition(SAME);
    let names = first["$defs"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.iter().filter(|name| name.starts_with("Money_")).count() == 2, "{names:?}");
    let cash = first["input"]["properties"]["a"]["$ref"].as_str().unwrap().replace("#/$defs/", "");
    assert_eq!(first["$defs"][&cash]["properties"]["back"]["$ref"], format!("#/$defs/{cash}").as_str());
    // The other way round: other files first, other names in the file.
    let turned = SAME.replace(
        "import { Money as Cash } from \"./one.weave\"\nimport { Money } from \"./two.weave\"",
        "import { Money } from \"./two.weave\"\nimport { Money as Cash } from \"./one.weave\"",
    );
    assert_eq!(definition(&turned), first);
    let renamed = SAME.replace("two.weave", "zero.weave");
    assert_eq!(definition(&renamed), first);
}

#[test]
fn types_of_one_name_that_say_the_same_are_one() {
    let definition = definition(
        r#"
import { Tree as Other } from "./one.weave"
type Tree { leaves: Leaf[], left?: Tree }
type Leaf { x: int }
workflow main(a: Tree, b: Other) { end done }
// file: one.weave
type Tree { leaves: Leaf[], left?: Tree }
type Leaf { x: int }
"#,
    );
    assert_snapshot!(keys(&definition), @r#"$defs: Leaf Tree"#);
}

#[test]
fn the_whole_file_of_the_charter() {
    let files = format!(
        "{}\n// file: shop.weave\n{}",
        include_str!("../../../../examples/support.weave"),
        include_str!("../../../../examples/shop.weave")
    );
    let definition = definition(&files);
    assert_snapshot!(super::lines(&definition["nodes"]), @r#"
    {"id":"triage","emit":"ai.request","payload":{"agent":"triager","args":{"ticket":"{{.input.ticket}}"}}}
    {"id":"lookup","on":"triage","when":{"cel":"triage.order_id != null && triage.intent == \"refund\"","expr":{"op":"&&","args":[{"op":"!=","type":"null","args":[{"path":["triage","order_id"],"type":"json"},{"const":null,"type":"null"}]},{"op":"==","type":"string","args":[{"path":["triage","intent"],"type":"string"},{"const":"refund","type":"string"}]}]}},"emit":"tool.dispatch","payload":{"name":"find_order","args":{"order_id":"{{.triage.order_id}}"}}}
    {"id":"answer","on":"triage","when":{"cel":"triage.intent == \"question\"","expr":{"op":"==","type":"string","args":[{"path":["triage","intent"],"type":"string"},{"const":"question","type":"string"}]}},"emit":"ai.request","payload":{"agent":"writer","args":{"question":"{{.input.ticket.body}}"}}}
    {"id":"unclear","on":"triage","else":true,"output":{"status":"escalated","detail":"no automatic answer"},"terminal":true}
    {"id":"approve","on":"lookup","when":{"expr":{"op":">","type":"decimal","args":[{"path":["lookup","total"],"type":"decimal"},{"const":"100","type":"decimal"}]}},"emit":"approval.requested","payload":{"order":"{{.lookup}}","amount":"{{.lookup.total}}"}}
    {"id":"pay","on":{"any":[{"on":"lookup","else":true},{"topic":"approval.granted","from":"approve"}]},"emit":"tool.dispatch","payload":{"name":"refund","args":{"order_id":"{{.lookup.id}}","amount":"{{.lookup.total}}"}}}
    {"id":"refunded","on":"pay","output":{"status":"refunded","detail":"order {{.lookup.id}}"},"terminal":true}
    {"id":"denied","on":{"topic":"approval.denied","from":"approve"},"output":{"status":"denied","detail":"{{.event.reason}}"},"terminal":true}
    {"id":"late","on":{"timeout":"PT24H","from":"approve"},"output":{"status":"denied","detail":"nobody answered"},"terminal":true}
    {"id":"declined","on":{"failure":"pay"},"when":{"cel":"failure.code == \"card_declined\"","expr":{"op":"==","type":"string","args":[{"path":["failure","code"],"type":"string"},{"const":"card_declined","type":"string"}]}},"output":{"status":"denied","detail":"{{.failure.data.reason}}"},"terminal":true}
    {"id":"answered","on":"answer","output":{"status":"answered","detail":"{{.answer.text}}"},"terminal":true}
    {"id":"handed","on":{"tool":"escalate","from":"answer"},"output":{"status":"escalated","detail":"{{.event.reason}}"},"terminal":true}
    "#);
    assert_snapshot!(keys(&definition), @r#"
    tools: choose_account escalate find_order refund web_search
    agents: triager writer
    prompts: classify grounded
    events: ai.request ai.response approval.denied approval.granted approval.requested tool.dispatch tool.result
    errors: card_declined
    $defs: Customer Line Order Resolution Ticket Tier Triage
    "#);
    assert_snapshot!(definition["agents"]["writer"]["tools"], @r#"[{"name":"desk__find_order","tool":"find_order"},{"name":"desk__lookup","tool":"choose_account"},{"name":"desk__escalate","tool":"escalate"},{"name":"web_search","tool":"web_search"}]"#);
}
