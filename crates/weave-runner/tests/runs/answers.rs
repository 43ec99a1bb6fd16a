//! Answers: rules 6 to 8.

use serde_json::{Value, json};
use weave_runner::Event;

use crate::world::{World, ask, call, end, flow, is, with};

fn two() -> Value {
    flow(json!([
        ask("a", json!({})),
        { "id": "b", "on": "news.came", "emit": "ask.second", "payload": null },
        end("first", json!("a"), json!({ "output": "first" })),
        end("second", json!("b"), json!({ "output": "second" })),
    ]))
}

#[test]
fn an_answer_names_its_request() {
    let mut world = World::start(&two(), json!({}));
    world.post("news.came", Value::Null).gives(&["b#1"]);
    world.answer("b#1", "ask.no", Value::Null).gives(&[]);
    world.answer("c#1", "ask.yes", Value::Null).gives(&[]);
    world.answer("b#1", "ask.yes", Value::Null).gives(&["a#1@cancel", "succeeded"]).succeeds(json!("second"));
}

#[test]
fn without_a_name_the_only_request_that_accepts_the_topic_is_meant() {
    let mut world = World::start(&two(), json!({}));
    world.post("ask.yes", Value::Null).succeeds(json!("first"));
    let mut world = World::start(&two(), json!({}));
    world.post("news.came", Value::Null).post("ask.yes", Value::Null).gives(&[]);
    world.post("ask.no", Value::Null).gives(&["b#1@cancel", "succeeded"]).succeeds(json!("first"));
}

#[test]
fn an_answer_inside_a_loop_answers_no_node() {
    let mut world = World::start(&two(), json!({}));
    let event = world.event("ask.yes", Value::Null);
    world.take(event.inside("r/a#1")).gives(&[]);
    let event = Event { re: Some("r/a#1".to_owned()), ..world.event("ask.yes", Value::Null) };
    world.take(event.inside("r/other#1")).gives(&[]);
    world.post("ask.yes", Value::Null).succeeds(json!("first"));
}

#[test]
fn the_first_answer_closes_the_request() {
    let flow = flow(json!([ask("a", json!({})), ask("b", json!({ "on": "a" })), end("done", json!("b"), json!({}))]));
    let mut world = World::start(&flow, json!({}));
    world.answer("a#1", "ask.yes", json!(1)).gives(&["b#1"]);
    world.answer("a#1", "ask.yes", json!(2)).gives(&[]);
    world.answer("a#1", "ask.no", json!(2)).gives(&[]);
    assert_eq!(world.open(), ["b#1"]);
    world.post("ask.yes", Value::Null).succeeds(Value::Null);
}

#[test]
fn an_answer_that_does_not_fit_is_a_failure() {
    let flow = flow(json!([
        call("a", json!({})),
        end("good", json!("a"), json!({ "output": "good" })),
        end("bad", json!({ "failure": "a" }), json!({ "output": "{{.failure.kind}}, {{.event.code}}" })),
    ]));
    let mut world = World::start(&flow, json!({}));
    world.result("a#1", 3).succeeds(json!("good"));
    for data in [json!({ "n": "3" }), json!({}), json!({ "n": 1, "m": 2 }), Value::Null] {
        let mut world = World::start(&flow, json!({}));
        world.answer("a#1", "tool.result", data).succeeds(json!("invalid_output, invalid_output"));
    }
}

#[test]
fn an_input_that_does_not_fit_ends_the_run() {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let flow = with(flow(json!([call("a", json!({})), end("done", json!("a"), json!({}))])), "/input", schema);
    let mut world = World::start(&flow, json!({ "n": "1" }));
    world.gives(&["failed"]).fails("invalid_input", None);
    World::start(&flow, json!({ "n": 1 })).gives(&["a#1"]);
}

#[test]
fn arguments_that_do_not_fit_are_not_sent() {
    let flow = flow(json!([
        call("a", json!({ "payload": { "name": "work", "args": { "n": "{{.input.n}}" } } })),
        end("good", json!("a"), json!({})),
        end("bad", json!({ "failure": "a" }), json!({ "output": "{{.failure.kind}}" })),
    ]));
    World::start(&flow, json!({ "n": 1 })).gives(&["a#1"]);
    World::start(&flow, json!({ "n": "1" })).gives(&["succeeded"]).succeeds(json!("invalid_input"));
    World::start(&flow, json!({})).succeeds(json!("invalid_input"));
}

#[test]
fn an_event_that_does_not_fit_has_no_effect() {
    let flow = flow(json!([end("done", json!("news.came"), json!({ "output": "{{.event.n}}" }))]));
    let flow = with(
        flow,
        "/events/news.came/payload",
        json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] }),
    );
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", json!({ "n": "x" })).gives(&[]);
    world.post("news.came", json!({ "n": 7 })).succeeds(json!(7));
}

#[test]
fn formats_and_bounds_are_checked() {
    let fits = |schema: Value, data: Value| {
        let flow = flow(json!([end("done", json!("news.came"), json!({}))]));
        let mut world = World::start(&with(flow, "/events/news.came/payload", schema), json!({}));
        !world.post("news.came", data).last().is_empty()
    };
    let text = |format: &str| json!({ "type": "string", "format": format });
    for (format, good, bad) in [
        ("int64", "-9223372036854775808", "9223372036854775808"),
        ("decimal", "12.50", "1e3"),
        ("date-time", "2027-01-31T12:00:00+01:00", "2027-01-31 12:00"),
        ("date", "2024-02-29", "2023-02-29"),
        ("duration", "P1DT2H", "P1Y"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"),
        ("uri", "https://example.org/a?b", "//example.org"),
        ("email", "ada@example.org", "ada"),
    ] {
        assert!(fits(text(format), json!(good)), "{format} {good}");
        assert!(!fits(text(format), json!(bad)), "{format} {bad}");
    }
    let base64 = json!({ "type": "string", "contentEncoding": "base64", "x-weave-min": 2, "x-weave-max": 3 });
    for (octets, expected) in [("Zm8=", true), ("Zm9v", true), ("Zg==", false), ("Zm9vYg==", false), ("Zm8", false), ("é", false)] {
        assert_eq!(fits(base64.clone(), json!(octets)), expected, "{octets}");
    }
    for (format, least, most, good, bad) in [
        ("decimal", "0.5", "10", "9.99", "10.01"),
        ("int64", "5", "12", "7", "13"),
        ("date", "2024-01-01", "2024-12-31", "2024-06-01", "2023-12-31"),
        ("duration", "PT1M", "PT2H", "PT90M", "PT3H"),
        ("date-time", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "2023-12-31T23:59:59Z"),
    ] {
        let schema = json!({ "type": "string", "format": format, "x-weave-min": least, "x-weave-max": most });
        assert!(fits(schema.clone(), json!(good)) && !fits(schema, json!(bad)), "{format}");
    }
    let nullable = json!({ "anyOf": [{ "type": "string", "pattern": "^A-\\d+$" }, { "type": "null" }] });
    assert!(fits(nullable.clone(), Value::Null) && fits(nullable.clone(), json!("A-1")) && !fits(nullable, json!("B-1")));
}

#[test]
fn defaults_are_filled_in() {
    let line = json!({ "type": "object", "properties": { "sku": { "type": "string" }, "count": { "type": "integer", "default": 1 } }, "required": ["sku"] });
    let schema = json!({
        "type": "object",
        "properties": {
            "tier": { "type": "string", "default": "free" },
            "lines": { "type": "array", "items": { "$ref": "#/$defs/Line" } },
            "by_name": { "type": "object", "additionalProperties": { "$ref": "#/$defs/Line" } },
            "way": { "anyOf": [
                { "type": "object", "properties": { "kind": { "const": "mail" }, "fast": { "type": "boolean", "default": false } }, "required": ["kind"] },
                { "type": "object", "properties": { "kind": { "const": "walk" }, "miles": { "type": "integer", "default": 3 } }, "required": ["kind"] }
            ] },
        },
    });
    let flow = flow(json!([{ "id": "done", "output": "{{.input}}", "terminal": true }]));
    let flow = with(with(flow, "/input", schema), "/$defs/Line", line);
    World::start(&flow, json!({})).succeeds(json!({ "tier": "free" }));
    let input = json!({ "tier": "pro", "lines": [{ "sku": "a" }, { "sku": "b", "count": 5 }], "by_name": { "x": { "sku": "c" } }, "way": { "kind": "walk" } });
    World::start(&flow, input).succeeds(json!({
        "tier": "pro",
        "lines": [{ "sku": "a", "count": 1 }, { "sku": "b", "count": 5 }],
        "by_name": { "x": { "sku": "c", "count": 1 } },
        "way": { "kind": "walk", "miles": 3 },
    }));
}

#[test]
fn a_value_of_any_depth_is_no_danger() {
    let deep = |levels: usize| (0..levels).fold(json!([]), |value, _| json!([value]));
    let nested = json!({ "type": "array", "items": { "anyOf": [{ "$ref": "#/$defs/Nested" }, { "type": "null" }] } });
    let flow = flow(json!([
        end("done", json!("news.came"), json!({ "when": is(&["event"], json!(1)) })),
        ask("a", json!({ "on": "news.came", "else": true, "payload": "{{.event}}" })),
    ]));
    let flow = with(with(flow, "/events/news.came/payload", json!({ "$ref": "#/$defs/Nested" })), "/$defs/Nested", nested);
    let mut world = World::start(&flow, json!({}));
    world.post("news.came", deep(600)).gives(&[]);
    world.post("news.came", deep(500)).gives(&["a#1"]);
}
