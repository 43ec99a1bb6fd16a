//! Each form of node, action, clause and setting.

use insta::assert_snapshot;

use super::{definition, lines};

const DECLARATIONS: &str = r#"
external event order.paid { id: string, total: int }
external event order.cancelled { id: string }
event order.opened { id: string }
event review.asked { id: string } -> review.given
external event review.given { stars: int }
tool find(id: string, deep: bool = false, note?: string) -> { urls: uri[], left: duration, due: timestamp, maybe?: string }
tool fetch(url: uri) -> string { retry 9 }
agent writer(topic: string) -> { text: string } { model mini, system "Write.", timeout 90s, retry 2 { backoff linear } }
agent chatter(topic: string) { model mini, system "Write." }
workflow child(id: string) -> { ok: bool } {
  end done = { ok: true }
}
"#;

/// The nodes of a workflow with these nodes and an output, one a line.
fn nodes_with_output(text: &str) -> String {
    lines(&definition(&format!("{DECLARATIONS}\nworkflow main(id: string, delay: duration) -> json {{\n{text}\n}}\n"))["nodes"])
}

/// The nodes of a workflow with these nodes and without an output, one a line.
fn nodes(text: &str) -> String {
    lines(&definition(&format!("{DECLARATIONS}\nworkflow main(id: string, delay: duration) {{\n{text}\n}}\n"))["nodes"])
}

#[test]
fn the_three_nodes_of_greet() {
    let greet = definition(include_str!("../../../../examples/greet.weave"));
    assert_eq!(
        greet["nodes"].to_string(),
        concat!(
            r#"[{"id":"ask","emit":"ai.request","payload":{"prompt":"greet the traveler warmly: {{.input.name}}"}},"#,
            r#"{"id":"speak","on":"ai.response","emit":"tool.dispatch","payload":{"name":"speak","text":"{{.response.text}}"}},"#,
            r#"{"id":"done","on":"tool.result","terminal":true}]"#,
        )
    );
}

#[test]
fn what_is_invoked_decides_what_is_emitted() {
    let nodes = nodes(
        r#"
  step a { ask writer { topic: .input.id } }
  step b on a { call find { id: "x", deep: true } }
  step c on b { run child { id: "y" } }
  step d on c { call writer { topic: .a.text } }
  step e on d { call child { id: "y" } }
  step f on e { ask chatter { topic: "t" } }
  end done on f
"#,
    );
    assert_snapshot!(digests_hidden(&nodes), @r#"
    {"id":"a","emit":"ai.request","payload":{"agent":"writer","args":{"topic":"{{.input.id}}"}},"timeout":"PT1M30S","retry":{"max":2,"backoff":"linear","base":"PT1S"}}
    {"id":"b","on":"a","emit":"tool.dispatch","payload":{"name":"find","args":{"id":"x","deep":true}}}
    {"id":"c","on":"b","emit":"workflow.start","payload":{"workflow":"child","digest":"sha256:…","input":{"id":"y"}}}
    {"id":"d","on":"c","emit":"ai.request","payload":{"agent":"writer","args":{"topic":"{{.a.text}}"}},"timeout":"PT1M30S","retry":{"max":2,"backoff":"linear","base":"PT1S"}}
    {"id":"e","on":"d","emit":"workflow.start","payload":{"workflow":"child","digest":"sha256:…","input":{"id":"y"}}}
    {"id":"f","on":"e","emit":"ai.request","payload":{"agent":"chatter","args":{"topic":"t"}}}
    {"id":"done","on":"f","terminal":true}
    "#);
}

/// Digests change with every detail of the child, which is not what these tests are about.
fn digests_hidden(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("sha256:") {
        shown.push_str(before);
        shown.push_str("sha256:…");
        rest = &behind[64..];
    }
    shown + rest
}

#[test]
fn events_and_waits() {
    let nodes = nodes(
        r#"
  step open { emit order.opened { id: .input.id } }
  step review on open { emit review.asked { id: .open.id } }
  step pause on review { wait 24h }
  step delayed on pause { wait .input.delay }
  step find on delayed { call find { id: .input.id } }
  step until on find { wait until .find.due }
  step later on until { wait until "2027-01-01T00:00:00Z" }
  step paid on later { wait order.paid | order.cancelled when .event.id == .input.id }
  step any on paid { wait order.cancelled, timeout 3d }
  step side on paid { wait 1h }
  step stop on timeout(any, 1d) { cancel any, side }
  end done on any
  end stopped on stop
"#,
    );
    assert_snapshot!(nodes, @r#"
    {"id":"open","emit":"order.opened","payload":{"id":"{{.input.id}}"}}
    {"id":"review","on":"open","emit":"review.asked","payload":{"id":"{{.open.id}}"}}
    {"id":"pause","on":"review","emit":"timer.set","payload":{"after":"PT24H"}}
    {"id":"delayed","on":"pause","emit":"timer.set","payload":{"after":"{{.input.delay}}"}}
    {"id":"find","on":"delayed","emit":"tool.dispatch","payload":{"name":"find","args":{"id":"{{.input.id}}"}}}
    {"id":"until","on":"find","emit":"timer.set","payload":{"at":"{{.find.due}}"}}
    {"id":"later","on":"until","emit":"timer.set","payload":{"at":"2027-01-01T00:00:00Z"}}
    {"id":"paid","on":"later","await":["order.cancelled","order.paid"],"match":{"cel":"event.id == input.id","expr":{"op":"==","type":"string","args":[{"path":["event","id"],"type":"string"},{"path":["input","id"],"type":"string"}]}}}
    {"id":"any","on":"paid","await":["order.cancelled"],"timeout":"PT72H"}
    {"id":"side","on":"paid","emit":"timer.set","payload":{"after":"PT1H"}}
    {"id":"stop","on":{"timeout":"PT24H","from":"any"},"cancel":["any","side"]}
    {"id":"done","on":"any","terminal":true}
    {"id":"stopped","on":"stop","terminal":true}
    "#);
}

#[test]
fn values_ends_and_fails() {
    let nodes = nodes_with_output(
        r#"
  /// What is found out first.
  step plan = { n: 1, list: [.input.id, "b", null], nested: { text: "id {{.input.id}}!" } }
  step nothing on plan = null
  step text on plan = "{{.input.id}}"
  step talk on plan { ask chatter { topic: .input.id } }
  end plain on nothing = null
  end valued on text = .plan.list[0]
  fail bare on failure
  fail said on timeout(1h) = "{{.input.id}} took too long"
"#,
    );
    assert_snapshot!(nodes, @r#"
    {"id":"plan","description":"What is found out first.","output":{"n":1,"list":["{{.input.id}}","b",null],"nested":{"text":"id {{.input.id}}!"}}}
    {"id":"nothing","on":"plan","output":null}
    {"id":"text","on":"plan","output":"{{.input.id}}"}
    {"id":"talk","on":"plan","emit":"ai.request","payload":{"agent":"chatter","args":{"topic":"{{.input.id}}"}}}
    {"id":"plain","on":"nothing","output":null,"terminal":true}
    {"id":"valued","on":"text","output":"{{.plan.list[0]}}","terminal":true}
    {"id":"bare","on":{"failure":"*"},"terminal":true,"outcome":"failed"}
    {"id":"said","on":{"timeout":"PT1H"},"terminal":true,"outcome":"failed","message":"{{.input.id}} took too long"}
    "#);
}

#[test]
fn clauses_and_settings() {
    let nodes = nodes(
        r#"
  step find { call find { id: .input.id }, timeout 3h, retry 3 { backoff exponential, base 200ms, max 2s, on [unavailable, timeout] } }
  step fetch on find each .find.urls as url parallel 4 min 3 { call fetch { url: .url } }
  step all on find each .find.urls as url { call fetch { url: .url }, retry 1 }
  step write on fetch limit 2 { ask writer { topic: "from {{.fetch}}" } }
  step more on write { ask writer { topic: .write.text }, history [write], timeout 1m, retry 0 }
  end done on more
  end other on all
"#,
    );
    assert_snapshot!(nodes, @r#"
    {"id":"find","emit":"tool.dispatch","payload":{"name":"find","args":{"id":"{{.input.id}}"}},"timeout":"PT3H","retry":{"max":3,"backoff":"exponential","base":"PT0.2S","cap":"PT2S","on":["timeout","unavailable"]}}
    {"id":"fetch","on":"find","each":{"in":"{{.find.urls}}","as":"url","parallel":4,"min":3},"emit":"tool.dispatch","payload":{"name":"fetch","args":{"url":"{{.url}}"}}}
    {"id":"all","on":"find","each":{"in":"{{.find.urls}}","as":"url"},"emit":"tool.dispatch","payload":{"name":"fetch","args":{"url":"{{.url}}"}},"retry":{"max":1}}
    {"id":"write","on":"fetch","limit":2,"emit":"ai.request","payload":{"agent":"writer","args":{"topic":"from {{.fetch}}"}},"timeout":"PT1M30S","retry":{"max":2,"backoff":"linear","base":"PT1S"}}
    {"id":"more","on":"write","emit":"ai.request","payload":{"agent":"writer","args":{"topic":"{{.write.text}}"}},"timeout":"PT1M","retry":{"max":0},"history":["write"]}
    {"id":"done","on":"more","terminal":true}
    {"id":"other","on":"all","terminal":true}
    "#);
}

#[test]
fn braces_are_literal_where_they_are_meant_so() {
    let nodes = nodes_with_output(
        r#"
  step open { emit order.opened { id: "\{{not.a.path}} {{.input.id}} {" } }
  step b on find { emit order.opened { id: "{\{{ {{.input.id}}" } }
  step c on b = { "a/b~": "\{{", k: "{{.find?.maybe ?? "{{"}} and }}" }
  step find on open { call find { id: """
    {{.input.id}}
      raw \n \{{x}}
    """ } }
  end done on c = .find.maybe ?? { a: ["}}", "{{"] }
"#,
    );
    assert_snapshot!(nodes, @r#"
    {"id":"open","emit":"order.opened","payload":{"id":"{{\"{{\"}}not.a.path}} {{.input.id}} {"}}
    {"id":"b","on":"find","emit":"order.opened","payload":{"id":"{{\"{{\"}}{ {{.input.id}}"}}
    {"id":"c","on":"b","output":{"a/b~":"{{\"{{\"}}","k":"{{.find?.maybe ?? \"{{\"}} and }}"}}
    {"id":"find","on":"open","emit":"tool.dispatch","payload":{"name":"find","args":{"id":"{{.input.id}}\n  raw \\n {{\"{{\"}}x}}"}}}
    {"id":"done","on":"c","output":"{{.find.maybe ?? {\"a\":[\"}}\",\"{{\"]}}}","terminal":true}
    "#);
}

#[test]
fn paths_keep_their_form() {
    let nodes = nodes(
        r#"
  step ask { ask writer { topic: .input.id } }
  step again on ask limit 3 { ask writer { topic: .ask.text } }
  step list on find = { all: .again[], texts: .again[].text, first: .ask.text, maybe: .find?.urls[0], whole: .input }
  step find on again { call find { id: .input.id } }
  step more on list { call find { id: .input.id, note: .find?.maybe } }
  end done on more
"#,
    );
    assert_snapshot!(nodes, @r#"
    {"id":"ask","emit":"ai.request","payload":{"agent":"writer","args":{"topic":"{{.input.id}}"}},"timeout":"PT1M30S","retry":{"max":2,"backoff":"linear","base":"PT1S"}}
    {"id":"again","on":"ask","limit":3,"emit":"ai.request","payload":{"agent":"writer","args":{"topic":"{{.ask.text}}"}},"timeout":"PT1M30S","retry":{"max":2,"backoff":"linear","base":"PT1S"}}
    {"id":"list","on":"find","output":{"all":"{{.again[]}}","texts":"{{.again[].text}}","first":"{{.ask.text}}","maybe":"{{.find?.urls[0]}}","whole":"{{.input}}"}}
    {"id":"find","on":"again","emit":"tool.dispatch","payload":{"name":"find","args":{"id":"{{.input.id}}"}}}
    {"id":"more","on":"list","emit":"tool.dispatch","payload":{"name":"find","args":{"id":"{{.input.id}}","note":"{{.find?.maybe}}"}}}
    {"id":"done","on":"more","terminal":true}
    "#);
}
