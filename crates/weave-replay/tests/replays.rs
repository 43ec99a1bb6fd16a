//! Recorded scrolls through the same and through changed definitions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

use std::sync::Arc;

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_replay::{ForkError, Lines, Replay, Verdict, fork};
use weave_runner::{Event, Prepared, Runner};

/// Looks an order up; above a limit somebody is asked, else it is paid.
fn definition(change: impl FnOnce(&mut Value)) -> Arc<Prepared> {
    let above = |limit: i64| {
        json!({ "expr": { "op": ">", "type": "int",
            "args": [{ "path": ["lookup", "total"], "type": "int" }, { "const": limit, "type": "int" }] } })
    };
    let order = json!({ "type": "object", "properties": { "total": { "type": "integer" } }, "required": ["total"] });
    let tool =
        |output: Value| json!({ "kind": "local", "mode": "feedback", "strict": true, "input": { "type": "object" }, "output": output });
    let outside = json!({ "external": true, "payload": {} });
    let mut definition = json!({
        "weave": "1", "workflow": "shop", "input": { "type": "object" }, "output": {},
        "nodes": [
            { "id": "lookup", "emit": "tool.dispatch", "payload": { "name": "find", "args": { "id": "{{.input.id}}" } } },
            { "id": "approve", "on": "lookup", "when": above(100), "emit": "review.asked", "payload": { "amount": "{{.lookup.total}}" } },
            { "id": "pay", "on": { "any": [{ "on": "lookup", "else": true }, "approve"] }, "emit": "tool.dispatch",
              "payload": { "name": "pay", "args": { "amount": "{{.lookup.total}}" } } },
            { "id": "done", "on": "pay", "terminal": true, "output": { "paid": "{{.lookup.total}}" } },
        ],
        "tools": { "find": tool(order), "pay": tool(json!({})) },
        "events": {
            "tool.dispatch": { "external": false, "payload": {}, "answers": ["tool.result"] }, "tool.result": outside,
            "review.asked": { "external": false, "payload": {}, "answers": ["review.done"] }, "review.done": outside,
        },
    });
    change(&mut definition);
    Prepared::new(Definition::from_json(&definition.to_string()).unwrap_or_else(|error| panic!("{error}")))
}

/// A run in which the order costs this much.
fn recorded(prepared: &Arc<Prepared>, total: i64) -> Vec<Event> {
    let mut runner = Runner::new(Arc::clone(prepared));
    let mut scroll: Vec<Event> = Vec::new();
    let mut next = Some(Event::start("r1", "shop", prepared.digest().unwrap(), json!({ "id": "A" })));
    while let Some(event) = next.take() {
        let derived = runner.feed(&event);
        scroll.push(Event { seq: scroll.len() as u64, ..event });
        scroll.extend(derived);
        next = runner.open_requests().first().map(|request| {
            let data = if request.node == Some("lookup") { json!({ "total": total }) } else { json!(null) };
            Event::answer(format!("e{}", scroll.len()), request.answers[0].0, request.id.clone(), data)
        });
    }
    scroll
}

fn replayed(then: Option<&Arc<Prepared>>, now: &Arc<Prepared>, scroll: &[Event]) -> Verdict {
    let mut replay = Replay::new(then.cloned(), Arc::clone(now));
    scroll.iter().for_each(|event| replay.push(event));
    replay.finish()
}

#[test]
fn a_scroll_replays_exactly_through_its_own_definition() {
    let prepared = definition(|_| {});
    for total in [5, 250] {
        let scroll = recorded(&prepared, total);
        assert_eq!(replayed(None, &prepared, &scroll), Verdict::Same);
        assert_eq!(replayed(Some(&prepared), &prepared, &scroll), Verdict::Same);
        for length in 1..scroll.len() {
            let mut cut = scroll.clone();
            let removed = cut.remove(length);
            let lost = removed.kind == weave_runner::EventKind::Derived;
            assert_eq!(replayed(None, &prepared, &cut) == Verdict::Same, !lost && cut.len() == length, "without {}", removed.id);
        }
    }
}

#[test]
fn a_changed_guard_is_named_with_both_results() {
    let then = definition(|_| {});
    let now = definition(|definition| definition["nodes"][1]["when"]["expr"]["args"][1]["const"] = json!(500));
    let scroll = recorded(&then, 250);
    let Verdict::Diverges(found) = replayed(Some(&then), &now, &scroll) else { panic!("it diverges") };
    assert_eq!((found.seq, found.after.as_str()), (3, "`lookup` answered"));
    let (before, after) = (found.then.unwrap(), found.now.unwrap());
    assert_eq!((before.what.as_str(), after.what.as_str()), ("`approve` fires", "`pay` fires"));
    assert_eq!((before.pointer.as_str(), after.pointer.as_str()), ("/nodes/1/when", "/nodes/1/when"));
    let (before, after) = (before.guard.unwrap(), after.guard.unwrap());
    assert_eq!((before.result, after.result), (true, false));
    assert_eq!(after.reads, [(".lookup.total".to_owned(), json!(250))]);
    assert!(found.folded > 0);
    // Without the old definition the scroll itself says what followed.
    let Verdict::Diverges(found) = replayed(None, &now, &scroll) else { panic!("it diverges") };
    assert_eq!(found.then.unwrap().what, "`approve` fires");
    assert_eq!(found.now.unwrap().guard.unwrap().reads, [(".lookup.total".to_owned(), json!(250))]);
    assert_eq!(replayed(Some(&then), &now, &recorded(&then, 5)), Verdict::Same);
}

#[test]
fn another_payload_and_another_end_are_told_apart() {
    let then = definition(|_| {});
    let scroll = recorded(&then, 5);
    let now = definition(|definition| definition["nodes"][2]["payload"]["args"]["amount"] = json!("twice"));
    let Verdict::Diverges(found) = replayed(Some(&then), &now, &scroll) else { panic!("it diverges") };
    assert_eq!(found.then.unwrap().what, "`pay` calls `pay` with {\"amount\":5}");
    assert_eq!(found.now.unwrap().what, "`pay` calls `pay` with {\"amount\":\"twice\"}");
    let now = definition(|definition| definition["nodes"][3]["output"] = json!({ "paid": 0 }));
    let end = |paid: i64| Some(json!({ "outcome": "succeeded", "output": { "paid": paid } }));
    let (then_pointer, now_pointer) = ("/nodes/3/output/paid".to_owned(), "/nodes/3/output/paid".to_owned());
    assert_eq!(
        replayed(Some(&then), &now, &scroll),
        Verdict::EndsOtherwise { then: end(5), now: end(0), seq: 6, then_pointer, now_pointer }
    );
}

#[test]
fn a_renamed_end_is_the_same_run_and_another_end_is_not() {
    let then = definition(|_| {});
    let scroll = recorded(&then, 5);
    let renamed = definition(|definition| definition["nodes"][3]["id"] = json!("paid"));
    assert_eq!(replayed(Some(&then), &renamed, &scroll), Verdict::Same);
    assert_eq!(replayed(None, &renamed, &scroll), Verdict::Same);
    // A second end that takes the place of the first is another way, also if it says the same.
    let other = definition(|definition| {
        definition["nodes"][3]["on"] = json!("approve");
        let end = json!({ "id": "settled", "on": "pay", "terminal": true, "output": { "paid": "{{.lookup.total}}" } });
        definition["nodes"].as_array_mut().unwrap().push(end);
    });
    assert!(matches!(replayed(Some(&then), &other, &scroll), Verdict::Diverges(_)));
}

#[test]
fn a_scroll_of_this_definition_that_says_something_else_was_changed() {
    let prepared = definition(|_| {});
    let scroll = recorded(&prepared, 5);
    let mut edited = scroll.clone();
    let place = edited.iter().position(|event| event.id == "r1/pay#1").unwrap();
    edited[place].body = weave_runner::Body::Data(json!({ "name": "pay", "args": { "amount": 6 } }));
    let Verdict::Altered(found) = replayed(None, &prepared, &edited) else { panic!("it was altered") };
    assert_eq!(found.now.unwrap().what, "`pay` calls `pay` with {\"amount\":5}");
    assert_eq!(replayed(None, &prepared, &scroll[..scroll.len() - 1]), Verdict::CutOff { seq: 6 });
}

#[test]
fn a_renamed_node_and_another_order_are_the_same_run() {
    let then = definition(|_| {});
    let scroll = recorded(&then, 250);
    let now = definition(|definition| {
        definition["nodes"][1]["id"] = json!("ask_a_manager");
        definition["nodes"][2]["on"]["any"][1] = json!("ask_a_manager");
        definition["nodes"].as_array_mut().unwrap().swap(0, 1);
    });
    assert_eq!(replayed(Some(&then), &now, &scroll), Verdict::Same);
}

#[test]
fn an_answer_that_no_longer_fits_is_named() {
    let then = definition(|_| {});
    let now = definition(|definition| definition["tools"]["find"]["output"]["required"] = json!(["total", "currency"]));
    let found = replayed(Some(&then), &now, &recorded(&then, 5));
    let Verdict::NoLongerFits { seq, event, node, message, pointer, then_pointer: _ } = found else { panic!("{found:?}") };
    assert_eq!((seq, event.as_str(), node.as_deref()), (3, "`lookup` answered", Some("lookup")));
    assert!(message.contains("currency"), "{message}");
    assert_eq!(pointer, "/tools/find/output/properties/currency");
    let other = definition(|definition| definition["workflow"] = json!("other"));
    assert!(matches!(replayed(None, &other, &recorded(&then, 5)), Verdict::Broken(_)));
}

#[test]
fn broken_scrolls_are_reported_with_their_line() {
    let scroll = recorded(&definition(|_| {}), 5);
    let lines: Vec<String> = scroll.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let problem = |lines: &[String]| {
        let mut reader = Lines::default();
        let found = lines.iter().find_map(|line| reader.read(line).err());
        found.or_else(|| reader.finish().err()).map(|problem| problem.to_string())
    };
    assert_eq!(problem(&lines), None);
    let of_several: Vec<_> = lines.iter().map(|line| line.replacen('{', "{\"run\":\"r1\",", 1)).collect();
    assert_eq!(problem(&of_several), None);
    assert_eq!(problem(&[]).unwrap(), "line 1: the file has no event");
    assert_eq!(problem(&lines[1..]).unwrap(), "line 1: the scroll does not begin with `workflow.start`, but with `workflow.step`");
    let gap = [&lines[..2], &lines[3..]].concat();
    assert_eq!(problem(&gap).unwrap(), "line 3: event 2 is missing: this one has the number 3");
    let twice = [&lines[..3], &lines[2..]].concat();
    assert_eq!(problem(&twice).unwrap(), "line 4: event 2 is here a second time");
    let mut cut = lines.clone();
    let end = cut[4].len() / 2;
    cut[4].truncate(end);
    assert_eq!(problem(&cut).unwrap(), "line 5: the line is cut off");
    assert!(problem(&["{}".to_owned()]).unwrap().starts_with("line 1: this is not an event: missing field"));
    assert!(problem(&["no".to_owned()]).unwrap().starts_with("line 1: this is not JSON"));
    let clash = [lines[0].clone(), lines[1].clone(), lines[1].replace("\"seq\":1", "\"seq\":2")];
    assert_eq!(problem(&clash).unwrap(), "line 3: the id `r1/lookup#1@step` is on the scroll already");
}

#[test]
fn a_fork_goes_on_as_a_run_of_its_own() {
    let then = definition(|_| {});
    let now = definition(|definition| definition["nodes"][1]["when"]["expr"]["args"][1]["const"] = json!(500));
    let scroll = recorded(&then, 250);
    let forked = fork(&scroll, 4, "r2", &now).unwrap();
    let ids: Vec<_> = forked.iter().map(|event| event.id.as_str()).collect();
    assert_eq!(ids, ["r2", "r2/lookup#1@step", "r2/lookup#1", "e3", "r2/pay#1@step", "r2/pay#1"]);
    assert_eq!(weave_runner::next(&now, &forked), Ok(Vec::new()));
    assert_eq!(fork(&scroll, 0, "r2", &now), Ok(Vec::new()));
    assert_eq!(fork(&scroll[1..], 9, "r2", &now), Err(ForkError::NoStart));
}
