//! Each form of trigger and condition, and the forks of joins.

use insta::assert_snapshot;

use super::{definition, lines};

const DECLARATIONS: &str = r#"
external event order.paid { id: string, total: int }
event review.asked { id: string } -> review.given | review.refused
external event review.given { stars: int }
external event review.refused { why: string }
signal tool give_up(reason: string)
tool find(id: string) -> { n: int, list: string[] } { fails [gone] }
error gone { since: date }
agent writer(topic: string) -> { text: string } { model mini, system "Write.", tools [give_up] }
"#;

/// What each node listens to: its keys except those of its action.
fn triggers(text: &str) -> String {
    let mut definition = definition(&format!("{DECLARATIONS}\nworkflow main(id: string) {{\n{text}\n}}\n"));
    for node in definition["nodes"].as_array_mut().unwrap() {
        let node = node.as_object_mut().unwrap();
        for key in ["emit", "payload", "terminal", "output", "outcome", "message"] {
            node.shift_remove(key);
        }
        hide_trees(node.values_mut());
    }
    lines(&definition["nodes"])
}

/// Guards have tests of their own.
fn hide_trees<'a>(values: impl Iterator<Item = &'a mut serde_json::Value>) {
    for value in values {
        if let Some(when) = value.get_mut("expr") {
            *when = "…".into();
        }
        match value {
            serde_json::Value::Object(entries) => hide_trees(entries.values_mut()),
            serde_json::Value::Array(items) => hide_trees(items.iter_mut()),
            _ => {}
        }
    }
}

#[test]
fn the_order_in_which_members_are_written_says_nothing() {
    for (join, keys) in [("all", ""), ("2 of ", "\"count\":2,"), ("settled", "")] {
        let with = |members: &str| {
            triggers(&format!(
                "step a {{ call find {{ id: .input.id }} }}\n step b {{ call find {{ id: .input.id }} }}\n step c {{ call find {{ id: .input.id }} }}\n                 step d on {join}({members}) = 1\n end e on d\n end f on timeout(2h)"
            ))
        };
        let forward = with("a, b, c");
        assert!(forward.contains(&format!("{keys}\"{}\":[\"a\",\"b\",\"c\"]", if keys.is_empty() { join } else { "of" })), "{forward}");
        for members in ["c, b, a", "b, c, a", "a, c, b"] {
            assert_eq!(with(members), forward, "{join}({members})");
        }
    }
}

#[test]
fn all_forms() {
    let triggers = triggers(
        r#"
  step a { call find { id: .input.id } }
  step b on start { emit review.asked { id: .input.id } }
  step c on a { ask writer { topic: .input.id } }
  step d on review.given from b = 1
  step e on review.given = 1
  step f on order.paid = 1
  step g on give_up from c = 1
  step h on all(a, b) = 1
  step i on 2 of (a, b, c) = 1
  step j on settled(a, b) = 1
  step k on failure(a) = 1
  step l on failure = 1
  step m on timeout(b, 24h) = 1
  step n on timeout(1h30m) = 1
  end o on ai.response
  end p on timeout(2h)
"#,
    );
    assert_snapshot!(triggers, @r#"
    {"id":"a"}
    {"id":"b"}
    {"id":"c","on":"a"}
    {"id":"d","on":{"topic":"review.given","from":"b"}}
    {"id":"e","on":"review.given"}
    {"id":"f","on":"order.paid"}
    {"id":"g","on":{"tool":"give_up","from":"c"}}
    {"id":"h","on":{"all":["a","b"]}}
    {"id":"i","on":{"count":2,"of":["a","b","c"]}}
    {"id":"j","on":{"settled":["a","b"]}}
    {"id":"k","on":{"failure":"a"}}
    {"id":"l","on":{"failure":"*"}}
    {"id":"m","on":{"timeout":"PT24H","from":"b"}}
    {"id":"n","on":{"timeout":"PT1H30M"}}
    {"id":"o","on":"ai.response"}
    {"id":"p","on":{"timeout":"PT2H"}}
    "#);
}

#[test]
fn conditions_stand_on_the_node_or_on_their_trigger() {
    let triggers = triggers(
        r#"
  step a on start when .input.id == "x" { call find { id: .input.id } }
  step b on start also when .input.id == "y" = 1
  step c on start else = 1
  step d on a when .a.n > 1 limit 2 = 1
  step e on a also when .a.n > 2 = 1
  step g on start | a = 1
  step h on a when .a.n < 0 | b | failure(a) also when .failure.code == "gone" = 1
  step f on a else = 1
  end i on d | e | f
  end j on g | h
"#,
    );
    assert_snapshot!(triggers, @r#"
    {"id":"a","when":{"cel":"input.id == \"x\"","expr":"…"}}
    {"id":"b","when":{"cel":"input.id == \"y\"","expr":"…"},"also":true}
    {"id":"c","else":true}
    {"id":"d","on":"a","when":{"cel":"a.n > 1","expr":"…"},"limit":2}
    {"id":"e","on":"a","when":{"cel":"a.n > 2","expr":"…"},"also":true}
    {"id":"g","on":{"any":["start","a"]}}
    {"id":"h","on":{"any":[{"on":"a","when":{"cel":"a.n < 0","expr":"…"}},"b",{"on":{"failure":"a"},"when":{"cel":"failure.code == \"gone\"","expr":"…"},"also":true}]}}
    {"id":"f","on":"a","else":true}
    {"id":"i","on":{"any":["d","e","f"]}}
    {"id":"j","on":{"any":["g","h"]}}
    "#);
}

#[test]
fn a_join_belongs_to_the_nearest_node_that_all_ways_to_its_members_pass() {
    let triggers = triggers(
        r#"
  step a = 1
  step b = 2
  step of_the_run on all(a, b) = 3
  step fork on of_the_run | redo limit 3 = 4
  step left on fork when .input.id == "l" = 5
  step right on fork else = 6
  step far on left | right = 7
  step side on fork = 8
  step of_fork on all(far, side) = 9
  step of_far on 1 of (far, deep) = 10
  step deep on far = 11
  step lone on settled(side) = 12
  step redo on of_fork when .input.id == "again" limit 2 = 13
  step mixed on all(a, side) = 14
  step asked on fork { emit review.asked { id: "1" } }
  step given on review.given = 15
  step of_asked on all(asked, given) = 16
  step paid on order.paid = 17
  step of_events on all(paid, side) = 18
  end done on of_fork else
  end m on mixed | lone | of_far | of_asked | of_events | deep
"#,
    );
    assert_snapshot!(triggers, @r#"
    {"id":"a"}
    {"id":"b"}
    {"id":"of_the_run","on":{"all":["a","b"]}}
    {"id":"fork","on":{"any":["of_the_run","redo"]},"limit":3}
    {"id":"left","on":"fork","when":{"cel":"input.id == \"l\"","expr":"…"}}
    {"id":"right","on":"fork","else":true}
    {"id":"far","on":{"any":["left","right"]}}
    {"id":"side","on":"fork"}
    {"id":"of_fork","on":{"all":["far","side"],"per":"fork"}}
    {"id":"of_far","on":{"count":1,"of":["far","deep"],"per":"far"}}
    {"id":"deep","on":"far"}
    {"id":"lone","on":{"settled":["side"],"per":"side"}}
    {"id":"redo","on":"of_fork","when":{"cel":"input.id == \"again\"","expr":"…"},"limit":2}
    {"id":"mixed","on":{"all":["a","side"]}}
    {"id":"asked","on":"fork"}
    {"id":"given","on":"review.given"}
    {"id":"of_asked","on":{"all":["asked","given"],"per":"asked"}}
    {"id":"paid","on":"order.paid"}
    {"id":"of_events","on":{"all":["side","paid"]}}
    {"id":"done","on":"of_fork","else":true}
    {"id":"m","on":{"any":["mixed","lone","of_far","of_asked","of_events","deep"]}}
    "#);
}
