//! Who watches a node read, and what is open: the interface for tests of the compiler's analysis.

use std::sync::Arc;

use serde_json::json;
use weave_ir::Definition;
use weave_runner::{Event, Observer, Prepared, Read, ReadPlace, Runner};

use crate::world::{World, ask, call, end, flow, is, with};

#[derive(Default)]
struct Watcher(Vec<(String, String, bool, bool)>);

impl Observer for Watcher {
    fn read(&mut self, read: &Read<'_>) {
        let entry = (read.node.to_owned(), read.path.to_string(), read.is_found(), read.is_unsound());
        assert!(read.place != ReadPlace::Guard || !entry.3);
        self.0.push(entry);
    }
}

#[test]
fn every_path_that_is_read_is_seen() {
    let flow = flow(json!([
        call("a", json!({})),
        { "id": "f", "on": "a", "when": is(&["b", "x"], json!(1)), "each": { "in": "{{.input.list}}", "as": "e" }, "emit": "ask.first",
          "payload": ["{{.e.n}}", "{{.b.x}}", "{{.b?.x}}", "{{.b.x ?? 1}}", "{{.a.m}}", "{{.a.m.k}}", "{{.f[].x}}"] },
        end("done", json!("f"), json!({ "else": true })),
        call("b", json!({ "on": "news.came" })),
    ]));
    let flow = with(flow, "/nodes/1/when", json!({ "expr": { "op": "!", "args": [is(&["b", "x"], json!(1))["expr"]] } }));
    let prepared = Prepared::new(Definition::from_json(&flow.to_string()).unwrap());
    let mut seen = Watcher::default();
    let mut runner = Runner::new(Arc::clone(&prepared));
    let start = Event::start("r", "flow", prepared.digest().unwrap(), json!({ "list": [{ "n": 1 }] }));
    runner.feed_observed(&start, &mut seen);
    runner.feed_observed(&Event::answer("e1", "tool.result", "r/a#1", json!({ "n": 1 })), &mut seen);
    let entry = |path: &str, found: bool, unsound: bool| ("f".to_owned(), path.to_owned(), found, unsound);
    assert_eq!(
        seen.0,
        [
            entry(".b.x", false, false),
            entry(".input.list", true, false),
            entry(".e.n", true, false),
            entry(".b.x", false, true),
            entry(".b?.x", false, false),
            entry(".b.x", false, false),
            entry(".a.m", false, false),
            entry(".a.m.k", false, true),
            entry(".f[].x", true, false),
        ]
    );
}

#[test]
fn what_is_open_can_be_asked() {
    let flow = flow(json!([
        call("a", json!({ "timeout": "PT1M" })),
        ask("b", json!({})),
        end("late", json!({ "timeout": "PT1H" }), json!({})),
        end("done", json!({ "all": ["a", "b"] }), json!({})),
    ]));
    let mut world = World::start(&flow, json!({}));
    assert_eq!(world.open(), ["a#1", "b#1", "a#1@PT1M", "r@PT1H"]);
    world.result("a#1", 1);
    assert_eq!(world.open(), ["b#1", "r@PT1H"]);
    let prepared = world.prepared();
    let mut runner = Runner::new(Arc::clone(prepared));
    runner.feed(&Event::start("r", "flow", prepared.digest().unwrap(), json!({})));
    let open = runner.open_requests();
    assert_eq!((open[0].node, open[0].topic, open[0].attempt), (Some("a"), "tool.dispatch", 1));
    assert_eq!(open[0].answers, [("tool.result", Some(&prepared.definition().tools["work"].output))]);
    assert_eq!(open[1].answers.iter().map(|(topic, _)| *topic).collect::<Vec<_>>(), ["ask.no", "ask.yes"]);
    assert_eq!((open[3].node, open[3].topic), (None, "timer.set"));
    world.answer("b#1", "ask.yes", json!(1));
    assert!(world.open().is_empty());
}
