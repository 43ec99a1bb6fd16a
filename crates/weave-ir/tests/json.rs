//! JSON in and out beside the sample: numbers, depth, canonical bytes, and the two files beside a definition.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use weave_ir::{
    Condition, Definition, Error, Event, Expr, Guard, Manifest, ManifestWorkflow, Node, On, Operator, Schema, SourceMap, SourceRange,
    Trigger, TriggerItem, ValueType,
};

fn small() -> Definition {
    let mut definition = Definition::new("small", Schema::anything(), Schema::anything());
    let mut node = Node::new("done");
    node.terminal = true;
    definition.nodes.push(node);
    definition
}

#[test]
fn numbers_that_readers_would_round_are_never_written() {
    let mut definition = small();
    definition.nodes[0].output = Some(json!({ "a/b": [1, 9_007_199_254_740_992_u64] }));
    let expected = Err(Error::UnsafeNumber { pointer: Some("/nodes/0/output/a~1b/1".to_owned()), number: "9007199254740992".to_owned() });
    assert_eq!(definition.to_json_pretty(), expected);
    assert_eq!(definition.to_json_compact(), expected);
    assert_eq!(definition.canonical(), expected);
    assert_eq!(definition.digest(), expected);
    for number in [json!(5e16), json!(-9_007_199_254_740_992_i64)] {
        definition.nodes[0].output = Some(number);
        let error = definition.canonical().unwrap_err();
        assert!(matches!(&error, Error::UnsafeNumber { pointer: Some(pointer), .. } if pointer == "/nodes/0/output"), "{error}");
    }
    definition.nodes[0].output = Some(json!(-9_007_199_254_740_991_i64));
    assert!(definition.canonical().unwrap().contains("-9007199254740991"));
}

#[test]
fn a_whole_number_has_one_text() {
    let with = |number: Value| {
        let mut definition = small();
        definition.nodes[0].output = Some(number);
        definition
    };
    assert_eq!(with(json!(1.0)).to_json_pretty(), with(json!(1)).to_json_pretty());
    assert_eq!(with(json!(-0.0)).to_json_compact(), with(json!(0)).to_json_compact());
    assert_ne!(with(json!(1.5)).digest(), with(json!(1)).digest());
    let read = Definition::from_json(&with(json!(1)).to_json_compact().unwrap().replace("\"output\":1", "\"output\":1.0")).unwrap();
    assert_eq!(read.digest(), with(json!(1)).digest());
}

#[test]
fn the_canonical_form_has_sorted_keys_and_no_space() {
    assert_eq!(
        small().canonical().unwrap(),
        r#"{"input":{},"nodes":[{"id":"done","terminal":true}],"output":{},"weave":"1","workflow":"small"}"#
    );
    assert_eq!(small().digest().unwrap(), "sha256:8d35aa62f7dd156b25367a00ae2e0549f1bbe46899c9b33905cd658021c53788");
}

#[test]
fn what_is_no_definition_is_said_plainly() {
    for (text, message) in [
        ("", "the text ends too early (line 1, column 0)"),
        ("{", "the text ends too early (line 1, column 1)"),
        ("[]", "this is not a workflow definition: it lacks the key `weave` with the version of the format"),
        ("{} {}", "the text is not JSON (line 1, column 4)"),
        (r#"{"weave":"1"}"#, "missing field `workflow`"),
        (r#"{"weave":"9","anything":1}"#, "the file is of format 9, and this program reads format 1"),
    ] {
        assert_eq!(Definition::from_json(text).unwrap_err().to_string(), message, "{text}");
    }
    assert_eq!(Definition::from_json(&"[".repeat(1_000_000)), Err(Error::TooDeep));
}

#[test]
fn a_null_value_is_not_an_absent_one() {
    let mut definition = small();
    definition.nodes[0].output = Some(Value::Null);
    let text = definition.to_json_compact().unwrap();
    assert!(text.contains(r#""output":null"#), "{text}");
    assert_eq!(Definition::from_json(&text), Ok(definition));
}

#[test]
fn a_guard_may_be_as_deep_as_the_limit_says() {
    let deep = |levels| {
        let mut expr = Expr::path(vec![weave_ir::Segment::Key("input".to_owned())], ValueType::Bool);
        for _ in 0..levels {
            expr = Expr::apply(Operator::Not, vec![expr]);
        }
        let mut definition = small();
        definition.nodes[0].set_condition(Condition::When(Guard::new(expr)));
        definition
    };
    let check = move || {
        // Four levels stand around the tree, and each operator is an object and a list.
        let (deepest, deeper) = (deep(509), deep(510));
        assert_eq!(Definition::from_json(&deepest.to_json_pretty().unwrap()).as_ref(), Ok(&deepest));
        assert_eq!(Definition::from_json(&deeper.to_json_compact().unwrap()), Err(Error::TooDeep));
    };
    // The stack of a test thread is for programs that are compiled with optimisation; this one is not.
    std::thread::Builder::new().stack_size(64 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn triggers_take_their_form_from_their_number() {
    let lookup = || TriggerItem { trigger: Trigger::Step("done".to_owned()), condition: Condition::Else };
    assert_eq!(On::from_items(Vec::new()), None);
    assert_eq!(On::from_items(vec![lookup()]), Some((On::One(Trigger::Step("done".to_owned())), Condition::Else)));
    let (on, condition) = On::from_items(vec![lookup(), Trigger::Start.into()]).unwrap();
    assert_eq!(condition, Condition::Always);
    assert_eq!(serde_json::to_string(&on).unwrap(), r#"{"any":[{"on":"done","else":true},"start"]}"#);
}

#[test]
fn the_files_beside_a_definition_round_trip() {
    let digest = weave_ir::sha256(b"");
    assert_eq!(digest, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    let range = SourceRange { source: 0, start: 4, end: 9, line: 1, column: 5 };
    let map = SourceMap {
        version: SourceMap::VERSION.to_owned(),
        workflow: "small".to_owned(),
        digest: digest.clone(),
        sources: vec!["small.weave".to_owned()],
        nodes: BTreeMap::from([("done".to_owned(), range)]),
        paths: BTreeMap::from([("/nodes/0/output".to_owned(), range)]),
    };
    assert_eq!(SourceMap::from_json(&map.to_json_pretty().unwrap()), Ok(map));
    let manifest = Manifest {
        version: Manifest::VERSION.to_owned(),
        workflows: BTreeMap::from([(
            "small".to_owned(),
            ManifestWorkflow {
                digest: digest.clone(),
                file: "small.workflow.json".to_owned(),
                source_map: "small.workflow.map.json".to_owned(),
                source: "small.weave".to_owned(),
            },
        )]),
        files: BTreeMap::from([("small.workflow.json".to_owned(), digest)]),
    };
    let text = manifest.to_json_pretty().unwrap();
    assert_eq!(Manifest::from_json(&text), Ok(manifest));
    let error = Manifest::from_json(&text.replace("\"version\": \"1\"", "\"version\": \"7\"")).unwrap_err();
    assert_eq!(error, Error::Version { found: "7".to_owned() });
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
        (-9e15..9e15_f64).prop_map(Value::from),
        any::<String>().prop_map(|text| Value::from(weave_ir::Template::escape(&text))),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn payloads_round_trip_and_the_order_of_keys_is_no_part_of_the_digest(payload in any_json()) {
        let mut definition = small();
        let event = Event { description: None, deprecated: None, external: false, payload: Schema::anything(), answers: Default::default() };
        definition.events.insert("a.b".to_owned(), event);
        definition.nodes[0] = Node { emit: Some("a.b".to_owned()), payload: Some(payload), ..Node::new("a") };
        let digest = definition.digest().unwrap();
        for text in [definition.to_json_pretty().unwrap(), definition.to_json_compact().unwrap(), definition.canonical().unwrap()] {
            let read = Definition::from_json(&text);
            prop_assert!(read.is_ok(), "{}", read.unwrap_err());
            let read = read.unwrap();
            prop_assert_eq!(read.digest().unwrap(), digest.as_str());
            prop_assert_eq!(read.canonical().unwrap(), definition.canonical().unwrap());
        }
        let pretty = definition.to_json_pretty().unwrap();
        prop_assert_eq!(Definition::from_json(&pretty).unwrap().to_json_pretty().unwrap(), pretty);
    }
}
