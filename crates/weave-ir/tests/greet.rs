//! The core that every runtime reads, byte for byte.

use serde_json::json;
use weave_ir::{Definition, Event, Node, On, Schema, Trigger};

const NODES: &str = concat!(
    r#"[{"id":"ask","emit":"ai.request","payload":{"prompt":"greet the traveler warmly: {{.input.name}}"}},"#,
    r#"{"id":"speak","on":"ai.response","emit":"tool.dispatch","payload":{"name":"speak","text":"{{.response.text}}"}},"#,
    r#"{"id":"done","on":"tool.result","terminal":true}]"#,
);

#[test]
fn the_three_nodes_of_greet_have_these_bytes() {
    let mut definition = Definition::new("greet", Schema(json!({ "type": "object" })), Schema(json!({ "type": "null" })));
    let mut ask = Node::new("ask");
    ask.emit = Some("ai.request".to_owned());
    ask.payload = Some(json!({ "prompt": "greet the traveler warmly: {{.input.name}}" }));
    let mut speak = Node::new("speak");
    speak.on = Some(On::One(Trigger::Topic("ai.response".to_owned())));
    speak.emit = Some("tool.dispatch".to_owned());
    speak.payload = Some(json!({ "name": "speak", "text": "{{.response.text}}" }));
    let mut done = Node::new("done");
    done.on = Some(On::One(Trigger::Topic("tool.result".to_owned())));
    done.terminal = true;
    definition.nodes = vec![ask, speak, done];

    let nodes = serde_json::to_string(&definition.nodes).unwrap();
    assert_eq!(nodes, NODES);
    let read: Vec<Node> = serde_json::from_str(NODES).unwrap();
    assert_eq!(read, definition.nodes);
    let event = |external, answers: &[&str]| Event {
        description: None,
        deprecated: None,
        external,
        payload: Schema::anything(),
        answers: answers.iter().map(|topic| (*topic).to_owned()).collect(),
    };
    for (topic, event) in [
        ("ai.request", event(false, &["ai.response"])),
        ("ai.response", event(true, &[])),
        ("tool.dispatch", event(false, &["tool.result"])),
        ("tool.result", event(true, &[])),
    ] {
        definition.events.insert(topic.to_owned(), event);
    }
    let text = definition.to_json_compact().unwrap();
    assert!(text.starts_with(r#"{"weave":"1","workflow":"greet","input":"#) && text.contains(NODES), "{text}");
    assert_eq!(Definition::from_json(&text), Ok(definition));
}
