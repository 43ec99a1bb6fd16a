//! Random definitions and random worlds: whatever happens, nothing panics, and each scroll is replayed (see `world.rs`).

use proptest::prelude::*;
use serde_json::{Value, json};
use weave_runner::{Body, Failure, FailureKind};

use crate::world::{World, call, flow, is};

/// Draws numbers below a bound.
struct Dice(Vec<u16>, usize);

impl Dice {
    fn roll(&mut self, bound: usize) -> usize {
        let number = self.0.get(self.1).copied().unwrap_or_default();
        self.1 += 1;
        usize::from(number) % bound
    }

    fn step(&mut self, count: usize) -> String {
        format!("n{}", self.roll(count))
    }
}

fn trigger(dice: &mut Dice, count: usize) -> Value {
    let steps = |dice: &mut Dice| {
        let mut steps = vec![dice.step(count), dice.step(count)];
        steps.sort();
        steps.dedup();
        steps
    };
    let join = |dice: &mut Dice, key: &str| {
        let mut join = json!({ key: steps(dice) });
        if dice.roll(2) == 0 {
            join["per"] = json!(dice.step(count));
        }
        join
    };
    match dice.roll(12) {
        0..=2 => json!(dice.step(count)),
        3 => json!("ask.yes"),
        4 => json!("news.came"),
        5 => json!({ "topic": "ask.no", "from": dice.step(count) }),
        6 => join(dice, "all"),
        7 => join(dice, "settled"),
        8 => {
            let mut join = json!({ "of": steps(dice), "count": 1 });
            if join["of"].as_array().unwrap().len() == 2 {
                join["count"] = json!(1 + dice.roll(2));
            }
            join
        }
        9 => json!({ "failure": dice.step(count) }),
        10 => json!({ "failure": "*" }),
        _ => json!({ "timeout": "PT1H", "from": dice.step(count) }),
    }
}

fn node(dice: &mut Dice, index: usize, count: usize) -> Value {
    let id = format!("n{index}");
    let mut node = match dice.roll(9) {
        0 | 1 => {
            json!({ "id": id, "emit": "ask.first", "payload": { "a": format!("{{{{.{}}}}}", dice.step(count)), "all": format!("{{{{.{}[]}}}}", dice.step(count)) } })
        }
        2 => json!({ "id": id, "emit": "ask.second", "payload": "{{.event}}", "retry": { "max": 1, "base": "PT1S" }, "timeout": "PT1H" }),
        3 => call(&id, json!({ "retry": { "max": 1 } })),
        4 => json!({ "id": id, "emit": "note.made", "payload": 1 }),
        5 => json!({ "id": id, "await": ["news.came", "note.made"], "timeout": "PT2H" }),
        6 => json!({ "id": id, "cancel": [dice.step(count)] }),
        7 => json!({ "id": id, "emit": "tool.dispatch", "payload": { "name": "work", "args": { "n": "{{.x}}" } },
            "each": { "in": "{{.input.list}}", "as": "x", "parallel": 2, "min": 2 } }),
        _ => json!({ "id": id, "output": [format!("{{{{.{}}}}}", dice.step(count))] }),
    };
    match dice.roll(4) {
        0 if index == 0 => {}
        0 => node["on"] = json!({ "any": [trigger(dice, count), { "on": trigger(dice, count), "else": true }] }),
        _ if index == 0 => {}
        1 => {
            node["on"] = trigger(dice, count);
            node["when"] = is(&["event", "n"], json!(1));
        }
        2 => {
            node["on"] = trigger(dice, count);
            node["else"] = json!(true);
        }
        _ => node["on"] = trigger(dice, count),
    }
    // Otherwise most of these run away.
    node["limit"] = json!(1 + dice.roll(3));
    node
}

fn happen(world: &mut World, dice: &mut Dice) {
    let open = world.requests();
    let data = json!({ "n": dice.roll(2) });
    if open.is_empty() || dice.roll(6) == 0 {
        let topics = ["news.came", "ask.yes", "ask.no", "tool.result", "timer.fired", "workflow.cancel"];
        world.post(topics[dice.roll(topics.len())], if dice.roll(3) == 0 { Value::Null } else { data });
        return;
    }
    let (id, attempt, answers) = &open[dice.roll(open.len())];
    let mut event = world.event(&answers[dice.roll(answers.len())], if answers[0] == "timer.fired" { Value::Null } else { data });
    event.re = Some(id.clone());
    event.attempt = if dice.roll(8) == 0 { attempt + 1 } else { *attempt };
    match dice.roll(10) {
        0 => event.body = Body::Failure(Failure::coded("gone", "", None)),
        1 => event.body = Body::Failure(Failure::new(FailureKind::Unavailable, "")),
        2 => event.body = Body::Data(json!("does not fit")),
        3 => event.id = world.scroll[dice.roll(world.scroll.len())].id.clone(),
        4 => event = event.inside(id.clone()),
        _ => {}
    }
    world.take(event);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn any_world_can_be_replayed(rolls in prop::collection::vec(any::<u16>(), 300), events in 0usize..30) {
        let mut dice = Dice(rolls, 0);
        let count = 2 + dice.roll(7);
        let nodes: Vec<_> = (0..count).map(|index| node(&mut dice, index, count)).collect();
        let mut world = World::start(&flow(json!(nodes)), json!({ "list": [1, "x", 2, 3] }));
        for _ in 0..events {
            happen(&mut world, &mut dice);
        }
    }
}
