//! The graph and its forms, from definitions as they are written to files.

use insta::assert_snapshot;
use serde_json::{Value, json};
use weave_ir::Definition;

use crate::{EdgeCondition, Graph, NodeKind, TriggerKind};

/// The graph of a workflow with these nodes.
fn graph(nodes: &Value) -> Graph {
    let object = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let tool = json!({ "kind": "local", "mode": "feedback", "strict": false, "input": object, "output": {} });
    let event = |external: bool, answers: &[&str]| match answers {
        [] => json!({ "external": external, "payload": {} }),
        _ => json!({ "external": external, "payload": {}, "answers": answers }),
    };
    let definition = json!({
        "weave": "1", "workflow": "desk", "input": object, "output": {}, "nodes": nodes,
        "tools": { "pay": tool },
        "agents": { "triager": { "input": object, "output": {} } },
        "events": {
            "ai.request": event(false, &["ai.response"]), "ai.response": event(true, &[]),
            "approval.asked": event(false, &["approval.given"]), "approval.given": event(true, &[]), "order.paid": event(true, &[]),
        },
    });
    Graph::of(&serde_json::from_value::<Definition>(definition).unwrap())
}

fn guard(cel: &str) -> Value {
    json!({ "cel": cel, "expr": { "const": true, "type": "bool" } })
}

fn support() -> Graph {
    graph(&json!([
        { "id": "triage", "emit": "ai.request", "payload": { "agent": "triager", "args": {} }, "timeout": "PT1M30S" },
        { "id": "approve", "description": "A person looks.", "on": "triage", "when": guard("triage.kind == \"refund\" && triage.sum < 5"),
          "emit": "approval.asked", "payload": {} },
        { "id": "pay", "on": { "any": [{ "on": "triage", "else": true }, { "topic": "approval.given", "from": "approve" }] }, "limit": 3,
          "each": { "in": "{{.triage.lines}}", "as": "line", "parallel": 2, "min": 1 },
          "emit": "tool.dispatch", "payload": { "name": "pay", "args": {} }, "retry": { "max": 2, "backoff": "exponential" } },
        { "id": "note", "on": "pay", "when": guard("true"), "also": true, "output": 1 },
        { "id": "end", "on": { "all": ["pay", "note"], "per": "triage" }, "terminal": true },
        { "id": "late", "on": { "any": [{ "timeout": "PT24H", "from": "approve" }, { "timeout": "PT72H" }] }, "terminal": true, "outcome": "failed" },
        { "id": "declined", "on": { "any": [{ "failure": "pay" }, { "failure": "*" }] }, "terminal": true },
        { "id": "called", "on": { "tool": "pay", "from": "triage" }, "terminal": true },
    ]))
}

#[test]
fn mermaid() {
    assert_snapshot!(support().mermaid(), @r#"
    flowchart TD
      n0(["desk"]):::kind_start
      s_triage("triage<br/>ask triager<br/>timeout 1m30s"):::kind_ask
      s_approve[/"approve<br/>emit approval.asked"/]:::kind_emit
      s_pay["pay<br/>call pay<br/>each line in .triage.lines<br/>2 at a time · min 1<br/>limit 3 · retry 2 exponential"]:::kind_call
      s_note["note<br/>value<br/>1"]:::kind_value
      n5{{"all<br/>per triage"}}:::kind_join
      s_end(["end<br/>end"]):::kind_end
      s_late(["late<br/>fail"]):::kind_fail
      s_declined(["declined<br/>end"]):::kind_end
      s_called(["called<br/>end"]):::kind_end
      n10(["any other failure"]):::kind_failure
      n0 --> s_triage
      s_triage -->|"when triage.kind == #34;refund#34; && triage.sum #60; 5"| s_approve
      s_triage -->|"else"| s_pay
      s_approve -->|"approval.given"| s_pay
      s_pay ==>|"also when true"| s_note
      s_pay --> n5
      s_note --> n5
      n5 --> s_end
      s_approve -.->|"timeout 24h"| s_late
      n0 -.->|"timeout 3d"| s_late
      s_pay -.->|"failure"| s_declined
      n10 -.-> s_declined
      s_triage -->|"calls pay"| s_called
      classDef kind_start fill:#e2e8f0,stroke:#475569,color:#0f172a
      classDef kind_ask fill:#ede9fe,stroke:#7c3aed,color:#1e1b4b
      classDef kind_call fill:#dbeafe,stroke:#2563eb,color:#172554
      classDef kind_emit fill:#fef3c7,stroke:#d97706,color:#451a03
      classDef kind_value fill:#f1f5f9,stroke:#64748b,color:#0f172a
      classDef kind_end fill:#dcfce7,stroke:#16a34a,color:#052e16
      classDef kind_fail fill:#fee2e2,stroke:#dc2626,color:#450a0a
      classDef kind_join fill:#f8fafc,stroke:#475569,color:#0f172a
      classDef kind_failure fill:#fee2e2,stroke:#dc2626,color:#450a0a
    "#);
}

#[test]
fn dot() {
    assert_snapshot!(support().dot(), @r##"
    digraph "desk" {
      node [fontname="Helvetica", fontsize=11, style="filled"]
      edge [fontname="Helvetica", fontsize=10]
      "start" [label="desk", shape=oval, fillcolor="#e2e8f0"]
      "triage" [label="triage\nask triager\ntimeout 1m30s", shape=box, fillcolor="#ede9fe"]
      "approve" [label="approve\nemit approval.asked", shape=cds, fillcolor="#fef3c7"]
      "pay" [label="pay\ncall pay\neach line in .triage.lines\n2 at a time · min 1\nlimit 3 · retry 2 exponential", shape=component, fillcolor="#dbeafe"]
      "note" [label="note\nvalue\n1", shape=note, fillcolor="#f1f5f9"]
      "end/1" [label="all\nper triage", shape=hexagon, fillcolor="#f8fafc"]
      "end" [label="end\nend", shape=oval, fillcolor="#dcfce7", peripheries=2]
      "late" [label="late\nfail", shape=oval, fillcolor="#fee2e2", peripheries=2]
      "declined" [label="declined\nend", shape=oval, fillcolor="#dcfce7", peripheries=2]
      "called" [label="called\nend", shape=oval, fillcolor="#dcfce7", peripheries=2]
      "failure" [label="any other failure", shape=oval, fillcolor="#fee2e2", style="filled,dashed"]
      "start" -> "triage"
      "triage" -> "approve" [label="when triage.kind == \"refund\" &amp;&amp; triage.sum < 5"]
      "triage" -> "pay" [label="else"]
      "approve" -> "pay" [label="approval.given"]
      "pay" -> "note" [label="also when true", style=bold]
      "pay" -> "end/1"
      "note" -> "end/1"
      "end/1" -> "end"
      "approve" -> "late" [label="timeout 24h", style=dotted]
      "start" -> "late" [label="timeout 3d", style=dotted]
      "pay" -> "declined" [label="failure", style=dashed, color="#dc2626"]
      "failure" -> "declined" [style=dashed, color="#dc2626"]
      "triage" -> "called" [label="calls pay"]
    }
    "##);
}

#[test]
fn json_form() {
    assert_snapshot!(support().json(), @r#"
    {
      "version": "2",
      "workflows": [
        {
          "workflow": "desk",
          "nodes": [
            {
              "id": "start",
              "kind": "start",
              "title": "desk"
            },
            {
              "id": "triage",
              "kind": "ask",
              "title": "ask triager",
              "notes": [
                "timeout 1m30s"
              ]
            },
            {
              "id": "approve",
              "kind": "emit",
              "title": "emit approval.asked",
              "description": "A person looks."
            },
            {
              "id": "pay",
              "kind": "call",
              "title": "call pay",
              "notes": [
                "each line in .triage.lines",
                "2 at a time · min 1",
                "limit 3 · retry 2 exponential"
              ]
            },
            {
              "id": "note",
              "kind": "value",
              "title": "value",
              "output": "1"
            },
            {
              "id": "end/1",
              "kind": "join",
              "title": "all",
              "notes": [
                "per triage"
              ]
            },
            {
              "id": "end",
              "kind": "end",
              "title": "end"
            },
            {
              "id": "late",
              "kind": "fail",
              "title": "fail"
            },
            {
              "id": "declined",
              "kind": "end",
              "title": "end"
            },
            {
              "id": "called",
              "kind": "end",
              "title": "end"
            },
            {
              "id": "failure",
              "kind": "failure",
              "title": "any other failure"
            }
          ],
          "edges": [
            {
              "from": "start",
              "to": "triage",
              "trigger": "start"
            },
            {
              "from": "triage",
              "to": "approve",
              "trigger": "answer",
              "when": "triage.kind == \"refund\" && triage.sum < 5"
            },
            {
              "from": "triage",
              "to": "pay",
              "trigger": "answer",
              "else": true
            },
            {
              "from": "approve",
              "to": "pay",
              "trigger": "topic",
              "topic": "approval.given"
            },
            {
              "from": "pay",
              "to": "note",
              "trigger": "answer",
              "when": "true",
              "also": true
            },
            {
              "from": "pay",
              "to": "end/1",
              "trigger": "member"
            },
            {
              "from": "note",
              "to": "end/1",
              "trigger": "member"
            },
            {
              "from": "end/1",
              "to": "end",
              "trigger": "all"
            },
            {
              "from": "approve",
              "to": "late",
              "trigger": "timeout",
              "after": "24h"
            },
            {
              "from": "start",
              "to": "late",
              "trigger": "timeout",
              "after": "3d"
            },
            {
              "from": "pay",
              "to": "declined",
              "trigger": "failure"
            },
            {
              "from": "failure",
              "to": "declined",
              "trigger": "failure"
            },
            {
              "from": "triage",
              "to": "called",
              "trigger": "tool",
              "tool": "pay"
            }
          ]
        }
      ]
    }
    "#);
}

#[test]
fn what_a_node_does_is_said_in_the_words_of_the_language() {
    let graph = graph(&json!([
        { "id": "a", "emit": "workflow.start", "payload": { "workflow": "billing", "digest": "", "input": {} } },
        { "id": "b", "emit": "timer.set", "payload": { "after": "PT24H" } },
        { "id": "c", "emit": "timer.set", "payload": { "at": "{{.input.at}}" } },
        { "id": "d", "await": ["order.paid", "approval.given"], "match": guard("event.id == 1"), "timeout": "PT48H" },
        { "id": "e", "cancel": ["a", "b"] },
        { "id": "f", "emit": "tool.dispatch", "payload": { "name": "speak", "text": "" } },
        { "id": "g", "emit": "ai.request", "payload": { "prompt": "hi", "history": [] }, "history": ["a"] },
        { "id": "h", "terminal": true, "outcome": "failed" },
    ]));
    let said = graph.nodes.iter().filter(|node| node.is_own()).map(|node| node.lines().join(" / "));
    assert_snapshot!(said.collect::<Vec<_>>().join("\n"), @r#"
    a / run billing
    b / wait 24h
    c / wait until .input.at
    d / wait approval.given | order.paid / when event.id == 1 / timeout 2d
    e / cancel a, b
    f / emit tool.dispatch
    g / emit ai.request / history a
    h / fail
    "#);
}

#[test]
fn a_plain_topic_comes_from_those_who_ask_or_from_outside() {
    let graph = graph(&json!([
        { "id": "ask", "emit": "approval.asked", "payload": {} },
        { "id": "again", "emit": "approval.asked", "payload": {} },
        { "id": "answered", "on": "approval.given", "output": 1 },
        { "id": "paid", "on": "order.paid", "output": 1 },
        { "id": "box", "await": ["approval.asked", "order.paid"] },
    ]));
    let edges = graph.edges.iter().filter(|edge| matches!(edge.trigger, TriggerKind::Topic(_)));
    let edges = edges.map(|edge| format!("{} -> {} {:?}", edge.from, edge.to, edge.caption())).collect::<Vec<_>>();
    assert_snapshot!(edges.join("\n"), @r###"
    ask -> answered ["approval.given"]
    again -> answered ["approval.given"]
    order.paid -> paid []
    ask -> box ["approval.asked"]
    again -> box ["approval.asked"]
    order.paid -> box []
    "###);
    assert_eq!(graph.nodes.iter().filter(|node| node.kind == NodeKind::Event).count(), 1, "an event stands there once");
}

#[test]
fn guards_without_cel_are_printed_in_its_manner() {
    let path = |name: &str, kind: &str| json!({ "path": ["order", name, 0, { "all": true }, "a b"], "type": kind });
    let text = |expr: &Value| serde_json::from_value::<weave_ir::Guard>(json!({ "expr": expr })).unwrap().text();
    let more = json!({ "op": ">", "type": "decimal", "args": [path("total", "decimal"), { "const": "100", "type": "decimal" }] });
    assert_eq!(text(&more), "order.total[0][][\"a b\"] > 100");
    let number = |value: i32| json!({ "const": value, "type": "int" });
    let minus = |a: Value, b: Value| json!({ "op": "-", "type": "int", "args": [a, b] });
    let nested = minus(number(1), minus(number(2), number(3)));
    assert_eq!(text(&nested), "1 - (2 - 3)");
    assert_eq!(text(&minus(minus(number(1), number(2)), number(3))), "1 - 2 - 3");
    let either =
        json!({ "op": "||", "args": [more, { "op": "!", "args": [{ "op": "has", "args": [{ "path": ["a", "b"], "type": "string" }] }] }] });
    let both = json!({ "op": "&&", "args": [either, { "op": "startsWith", "args": [{ "path": ["a"], "type": "string" }, { "const": "x\"", "type": "string" }] }] });
    assert_eq!(text(&both), r#"(order.total[0][]["a b"] > 100 || !has(a.b)) && a.startsWith("x\"")"#);
    let some = json!({ "op": "exists", "var": "line", "in": { "path": ["lines"], "type": "list" },
        "body": { "op": "in", "type": "string", "args": [{ "var": "line", "path": ["kind"], "type": "string" }, { "list": [{ "path": ["a"], "type": "string" }, { "const": "b", "type": "string" }] }] } });
    assert_eq!(text(&some), r#"lines.exists(line, line.kind in [a, "b"])"#);
    assert_eq!(text(&json!({ "const": "PT1H", "type": "duration" })), "duration(\"PT1H\")");
}

/// A guard that each form could take for something of its own.
const HOSTILE: &str = "a == \"x\\\" ]] <b> &amp; `c` #35; | --> } \u{1}\" \n && häuser != \"日本語\"";

#[test]
fn nothing_in_a_label_ends_it() {
    let graph = graph(&json!([{ "id": "a", "output": 1 }, { "id": "b", "on": "a", "when": guard(HOSTILE), "terminal": true }]));
    let line = |text: &str, part: &str| text.lines().find(|line| line.contains(part)).unwrap().to_owned();
    assert_snapshot!(line(&graph.mermaid(), "s_a -->"), @r###"  s_a -->|"when a == #34;x#92;#34; ]] #60;b> #38;amp; #96;c#96; #35;35; | --> } #34;   && häuser…"| s_b"###);
    assert_snapshot!(line(&graph.dot(), "\"a\" ->"), @r###"  "a" -> "b" [label="when a == \"x\\\" ]] <b> &amp;amp; `c` #35; | --> } \"   &amp;&amp; häuser…"]"###);
    let svg = graph.svg();
    assert!(!svg.contains("<b>") && !svg.contains('\u{1}') && svg.contains("&lt;b&gt; &amp;amp;"), "{svg}");
    let back = serde_json::from_str::<Value>(&graph.json()).unwrap();
    assert_eq!(back["workflows"][0]["edges"][1]["when"], HOSTILE, "the JSON form has guards in full");
}

#[test]
fn long_guards_are_cut_but_not_in_json() {
    let long = format!("a == \"{}\"", "y".repeat(5_000));
    let graph = graph(&json!([{ "id": "a", "output": 1 }, { "id": "b", "on": "a", "when": guard(&long), "terminal": true }]));
    assert!(graph.mermaid().lines().chain(graph.dot().lines()).all(|line| line.chars().count() < 200));
    assert!(graph.json().contains(&"y".repeat(5_000)));
    let shown = graph.svg().lines().flat_map(|line| line.split("<text").skip(1).map(str::len).collect::<Vec<_>>()).max();
    assert!(shown.unwrap() < 120, "{shown:?}");
}

#[test]
fn problems_are_marked_in_every_form() {
    let mut graph = support();
    graph.mark("pay", "nobody \"answers\"");
    graph.mark("nowhere", "is not drawn");
    for form in [graph.mermaid(), graph.dot(), graph.svg(), graph.json()] {
        assert!(form.contains("nobody") && !form.contains("is not drawn"), "{form}");
    }
    assert!(graph.mermaid().ends_with("  class s_pay problem\n") && graph.svg().contains("\"node call problem\""));
}

#[test]
fn the_picture_has_every_node_and_edge_and_is_always_the_same() {
    let graph = support();
    let svg = graph.svg();
    assert_eq!(svg, support().svg());
    assert_eq!(svg.matches("<g class=\"node ").count(), graph.nodes.len());
    assert_eq!(svg.matches("<g class=\"edge ").count(), graph.edges.len());
    assert!(svg.contains("prefers-color-scheme: dark") && !svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn a_step_may_follow_itself_and_loops_end() {
    let graph = graph(&json!([
        { "id": "a", "on": { "any": ["start", { "timeout": "PT1H", "from": "a" }, "b"] }, "limit": 3, "emit": "approval.asked", "payload": {} },
        { "id": "b", "on": { "any": ["a", "b"] }, "emit": "approval.asked", "payload": {} },
        { "id": "ghost", "on": "nobody", "terminal": true },
    ]));
    assert!(graph.edges.iter().any(|edge| edge.from == "a" && edge.to == "a" && edge.condition == EdgeCondition::Always));
    assert!(graph.svg().contains("timeout 1h"));
    assert!(!graph.mermaid().contains("nobody"), "what is not there is not drawn");
}

/// The number of nodes of this kind.
fn count(graph: &Graph, kind: NodeKind) -> usize {
    graph.nodes.iter().filter(|node| node.kind == kind).count()
}

#[test]
fn nodes_that_choose_on_the_same_join_share_it() {
    let graph = graph(&json!([
        { "id": "a", "output": 1 }, { "id": "b", "output": 2 },
        { "id": "large", "on": { "all": ["a", "b"] }, "when": guard("a > b"), "terminal": true },
        { "id": "small", "on": { "all": ["a", "b"] }, "else": true, "terminal": true },
        { "id": "any", "on": { "settled": ["a", "b"] }, "terminal": true },
    ]));
    assert_eq!(count(&graph, NodeKind::Join), 2);
    let edges = graph.edges.iter().filter(|edge| edge.from == "large/1").map(|edge| (edge.to.as_str(), edge.caption().concat()));
    assert_eq!(edges.collect::<Vec<_>>(), [("large", "when a > b".to_owned()), ("small", "else".to_owned())]);
    assert_eq!(graph.edges.iter().filter(|edge| edge.to == "large/1").count(), 2, "its members are drawn once");
}

#[test]
fn an_output_is_said_in_the_words_of_the_language() {
    let graph = graph(&json!([
        { "id": "a", "output": { "id": "{{.input.id}}", "a b": ["x {{.input.id}}", null, 1.5], "none": {} } },
        { "id": "b", "on": "a", "terminal": true, "outcome": "failed", "message": "no {{.a.id}}" },
        { "id": "c", "on": "a", "terminal": true, "output": "{{.a.id ?? \"?\"}}" },
    ]));
    let said = graph.nodes.iter().filter_map(|node| node.output.as_deref()).collect::<Vec<_>>();
    assert_eq!(said, [r#"{ id: .input.id, "a b": ["x {{.input.id}}", null, 1.5], none: {} }"#, r#""no {{.a.id}}""#, r#".a.id ?? "?""#]);
}

#[test]
fn several_workflows_are_one_picture() {
    let mut wrong = support();
    wrong.mark("pay", "is wrong");
    let graphs = [support(), wrong];
    let (svg, mermaid, dot) = (crate::svg(&graphs), crate::mermaid(&graphs), crate::dot(&graphs));
    assert_eq!(svg.matches("<g class=\"node ").count(), 2 * graphs[0].nodes.len());
    assert_eq!((svg.matches("<svg ").count(), svg.matches("<g class=\"workflow\"").count()), (1, 2));
    assert_eq!((mermaid.matches("  subgraph w").count(), mermaid.matches("classDef kind_ask").count()), (2, 1));
    assert!(mermaid.contains("    w0_s_pay -->|") || mermaid.contains("    w0_s_pay --> "), "{mermaid}");
    assert!(mermaid.ends_with("  class w1_s_pay problem\n"), "{mermaid}");
    assert!(dot.contains("subgraph \"cluster_1\"") && dot.contains("    \"1/triage\" -> \"1/approve\""), "{dot}");
    let read = serde_json::from_str::<Value>(&crate::json(&graphs)).unwrap();
    assert_eq!(read["workflows"].as_array().unwrap().len(), 2);
    for nothing in [crate::svg(&[]), crate::mermaid(&[]), crate::dot(&[]), crate::json(&[])] {
        assert!(!nothing.contains("NaN") && !nothing.contains("-12"), "{nothing}");
    }
}
