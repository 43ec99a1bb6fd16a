//! Nodes that are not reached, runs that hang, loops, triggers that never fire.

use insta::assert_snapshot;

use super::{ids, nodes, silent};

#[test]
fn nodes_that_wait_for_each_other_are_not_reached() {
    assert_snapshot!(nodes("step a on c { call find { id: \"a\" } }\n step b on a { call find { id: .a.id } }\n step c on b = 1\n step d on b = 1\n end e\n end f on d"), @r#"
unreachable-node @ a: nothing fires `a`
  - it fires only after itself
  - b: `b` follows `a`
  - c: `c` follows `b`
  note: they wait for each other: a → b → c → a
  help: give one of them another trigger: `on start | …`, or the step that comes before
"#);
    silent(
        "step a on c | order.paid limit 2 { call find { id: \"a\" } }\n step b on a { call find { id: .a.id } }\n step c on b = 1\n end e on b when .b.total > 1\n end f on c else",
    );
    // A join needs all its members.
    assert_eq!(ids("step a = 1\n step b on all(a, c) = 1\n step c on b = 1\n end d on a"), "unreachable-node @ b");
}

#[test]
fn a_run_that_cannot_end_hangs() {
    assert_snapshot!(nodes("step a { call find { id: \"a\" } }\n end b on a when .a.total > 1\n step c on a else { call find { id: \"c\" } }"), @r#"
dead-end @ c: the run deadlocks after `c`
  - after this has answered, nothing continues
  help: let an `end` or another node fire on `c`
"#);
    assert_snapshot!(
        nodes("step a { call find { id: \"a\" } }\n end b on a when .a.total > 1\n step c on a else | d { emit review.asked { id: \"c\" } }\n step d on c { wait 1h }"), @r#"
dead-end @ c: the loop of `c` has no exit
  - from here the run loops forever
  - d: `d` follows `c`
  note: the loop: c → d → c
  help: let an `end` fire on one of its steps, with a condition, or when one of them fails or is late: `on failure(STEP)`, `on timeout(STEP, 1h)`
"#);
    assert_eq!(ids("step a { call find { id: \"a\" } }"), "no-end @ w");
    // What goes on beside it leads to an end.
    silent("step a { call find { id: \"a\" } }\n step log on a { call find { id: \"log\" } }\n step b on a = 1\n end c on b");
    silent(
        "step a { call find { id: \"a\" } }\n step b { call find { id: \"b\" } }\n step log on b when .b.total > 1 { call find { id: \"log\" } }\n end c on a",
    );
    silent("step a { emit review.asked { id: \"a\" } }\n step remind on timeout(a, 1h) { call find { id: \"x\" } }\n end c on a");
    silent("step a { call find { id: \"a\" } }\n end c on order.paid");
    // A failure is no way to go on.
    assert_eq!(ids("step a { call find { id: \"a\" } }\n end c on failure(a)"), "dead-end @ a");
    silent("step a { ask writer { text: \"a\" } }\n end b on a\n end c on escalate from a");
}

#[test]
fn loops_need_a_bound() {
    let start = "step a on start | b when !.b.good";
    assert_snapshot!(
        nodes(&format!("{start} {{ ask writer {{ text: \"x\" }} }}\n step b on a {{ run child {{ id: .a.text }} }}\n end c on b else")), @r#"
unbounded-loop @ a: the loop of `a` has no bound
  - nothing limits how often this fires
  - b: `b` follows `a`
  note: the loop: a → b → a
  help: give one of its nodes a `limit`, such as `limit 3`
"#);
    silent(&format!(
        "{start} limit 3 {{ ask writer {{ text: \"x\" }} }}\n step b on a {{ run child {{ id: .a.text }} }}\n end c on b else"
    ));
    silent(
        "step a on start | b when .b.total > 1 { emit review.asked { id: \"a\" } }\n step b on a { call find { id: .a.by } }\n end c on b else",
    );
    silent("step a on start | b when .b.total > 1 { wait 1h }\n step b on a { call find { id: \"b\" } }\n end c on b else");
    silent("step a on start | b when .b.total > 1 { wait order.paid }\n step b on a { call find { id: \"b\" } }\n end c on b else");
    silent("step a on start | b when .b.total > 1 { call choose { ids: [] } }\n step b on a { call find { id: \"b\" } }\n end c on b else");
    assert_eq!(ids("step a on start | failure(a) { call find { id: \"a\" } }\n end c on a"), "unbounded-loop @ a");
    silent("step a on start | timeout(a, 1h) { call find { id: \"a\" } }\n end c on a");
    // Who handles all failures may fail too.
    silent("step a { call find { id: \"a\" } }\n end b on a\n step undo on failure { call find { id: \"u\" } }\n end c on undo");
    // The join fires once for each start; so `b` is answered in vain when it comes round.
    assert_eq!(
        ids(
            "step a { call find { id: \"a\" } }\n step b on start | c when .c.total > 1 { call find { id: \"b\" } }\n step c on all(a, b) { call find { id: \"c\" } }\n end d on c else"
        ),
        "stuck-run @ b"
    );
}

#[test]
fn events_that_nobody_emits_never_come() {
    assert_snapshot!(nodes("step a { call find { id: \"a\" } }\n end b on a\n end c on order.noted"), @r#"
never-fires @ order.noted: no step of `w` emits `order.noted`
  - this never fires
  - order.noted: not external, so it comes only from a step that emits it
  help: declare it as `external event order.noted` if it comes from outside, or emit it in a step
"#);
    silent("step a { emit order.noted { id: \"a\" } }\n end c on order.noted");
    assert_snapshot!(nodes("step a { emit inner.asked { id: \"a\" } }\n end b on a\n end c on timeout(a, 1h)"), @r#"
never-fires @ a: `a` is never answered with `inner.told`
  - this never fires
  - a: the step that waits for it
  - inner.told: not external, and only an external event can answer
  help: declare it as `external event inner.told` if the answer comes from outside
"#);
}

#[test]
fn what_cannot_fail_or_be_late_has_no_such_trigger() {
    assert_snapshot!(nodes("step a = 1\n end b on a\n end c on failure(a)\n end d on timeout(a, 1h)\n end e on failure"), @r#"
never-fires @ failure(a): `a` cannot fail
  - this never fires
  - a: only a step that asks, calls, runs, emits a request, or has a `timeout` can fail
  help: remove the trigger
never-fires @ timeout(a, 1h): `a` never times out
  - this never fires
  - a: answered immediately
  help: remove the trigger, or wait for another step
never-fires @ failure: no step of this workflow can fail
  - this never fires
  help: remove the trigger
"#);
    assert_eq!(ids("step a { wait 1h }\n end b on a\n end c on failure(a)"), "never-fires @ failure(a)");
    silent("step a { wait order.paid\n timeout 1h }\n end b on a\n end c on failure(a)");
}

#[test]
fn of_a_choice_only_one_answers() {
    let choice = "step s { call find { id: \"s\" } }\n step a on s when .s.total > 1 { call find { id: \"a\" } }\n";
    assert_snapshot!(nodes(&format!("{choice} step b on s else {{ call find {{ id: \"b\" }} }}\n end c on all(a, b)\n end d on a | b")), @r#"
never-fires @ all(a, b): `a` and `b` never answer in the same round
  - this never fires
  - a: either this one fires
  - b: or this one
  help: if one of them is enough, write `on a | b`
"#);
    // Whether `b` fires whenever `a` does is not looked into.
    assert_eq!(
        ids(&format!("{choice} step b on s also when .s.total > 0 {{ call find {{ id: \"b\" }} }}\n end c on all(a, b)\n end d on s else")),
        "stuck-run @ a"
    );
    silent(&format!("{choice} step b on s {{ call find {{ id: \"b\" }} }}\n end c on all(a, b)\n end d on s else"));
    assert_eq!(
        ids(&format!("{choice} step b on s else = 1\n step e on a = 1\n end c on settled(e, b)\n end d on timeout(1h)")),
        "never-fires @ settled(e, b)"
    );
    silent(&format!("{choice} step b on s else = 1\n end c on 1 of (a, b)"));
    assert_eq!(
        ids(&format!("{choice} step b on s else = 1\n step x on s = 1\n end c on 3 of (a, b, x)\n end d on timeout(1h)")),
        "never-fires @ 3 of (a, b, x)"
    );
    silent(&format!("{choice} step b on s else = 1\n step x on s = 1\n end c on 2 of (a, b, x)"));
    let asked = "step s { emit review.asked { id: \"s\" } }\n step a on review.granted from s = 1\n";
    assert_eq!(
        ids(&format!("{asked} step b on review.denied from s = 2\n end c on all(a, b)\n end d on timeout(1h)")),
        "never-fires @ all(a, b)"
    );
    assert_eq!(ids(&format!("{asked} step b on failure(s) = 2\n end c on all(a, b)\n end d on timeout(1h)")), "never-fires @ all(a, b)");
    // It answers before it is late.
    assert_eq!(ids(&format!("{asked} step b on timeout(s, 1h) = 2\n end c on all(a, b)\n end d on review.denied from s")), "stuck-run @ s");
    silent(&format!("{asked} step b on timeout(s, 1h) = 2\n step e on s = 1\n end c on all(a, b)\n end d on e"));
}

#[test]
fn nothing_stands_beside_an_end() {
    assert_snapshot!(nodes("step a { call find { id: \"a\" } }\n step b on a { call find { id: \"b\" } }\n end c on a\n end d on b"), @r#"
beside-end @ a: `b` fires at the same instant that `c` ends the run
  - the run ends when this fires
  - c: this always fires on the same trigger
  help: let `c` fire after `b`, or give it a condition
"#);
    silent("step a { call find { id: \"a\" } }\n step b on a { call find { id: \"b\" } }\n end c on a when .a.total > 1\n end d on b");
    assert_eq!(ids("step a { call find { id: \"a\" } }\n end b\n end c on a"), "beside-end @ a");
    assert_eq!(
        ids("step a { emit review.asked { id: \"a\" } }\n end b on a\n step c on review.denied from a = 1\n end d on c"),
        "beside-end @ review.denied from a"
    );
}

#[test]
fn a_topic_says_whose_answer_it_means() {
    let two = "step a { ask writer { text: \"a\" } }\n step b { ask writer { text: \"b\" } }\n";
    assert_snapshot!(nodes(&format!("{two} end c on ai.response")), @r#"
ambiguous-trigger @ ai.response: `ai.response` may answer several steps that are open at the same time
  - ambiguous
  - a: `a` waits for it
  - b: `b` waits for it
  help: name the step: `on ai.response from a`, or just `on a`
"#);
    silent(&format!("{two} end c on ai.response from a\n end d on b"));
    silent(
        "step a { ask writer { text: \"a\" } }\n step b on a when .a.text != \"x\" { ask writer { text: \"b\" } }\n step d on ai.response limit 2 = 1\n end c on d",
    );
    silent(
        "step s { call find { id: \"s\" } }\n step a on s when .s.total > 1 { ask writer { text: \"a\" } }\n step b on s else { ask writer { text: \"b\" } }\n end c on ai.response",
    );
    assert_eq!(
        ids(
            "step s { call find { id: \"s\" } }\n step a on s { ask writer { text: \"a\" } }\n step b on s { ask writer { text: \"b\" } }\n end c on ai.response"
        ),
        "ambiguous-trigger @ ai.response"
    );
}
