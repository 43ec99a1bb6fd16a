//! Reads of what may not have happened.

use insta::assert_snapshot;

use super::{ids, nodes, silent};

#[test]
fn the_answer_of_a_step_is_there_behind_it_and_no_earlier() {
    silent(
        "step a { call find { id: .input.id } }\n step b on a { call find { id: .a.id } }\n step c on b = { x: .a.total, y: .b.total }\n end d on c",
    );
    assert_snapshot!(nodes("step a { call find { id: .input.id } }\n step b on start | a limit 2 { call find { id: .a.id } }\n end d on b"), @r#"
may-not-have-happened @ .a.id: `a` may not have answered when `b` reads it
  - `.a` does not exist on the path shown
  - b: 1. `b` fires at the start, without an answer of `a`
  help: read `.a?`, which may be absent, add a default with `??`, or let `b` fire only after `a` has answered
"#);
}

#[test]
fn of_alternatives_only_what_all_have_is_there() {
    silent(
        "step a { call find { id: .input.id } }\n step b on a when .a.total > 1 = 1\n step c on a else = 2\n end d on b | c when .a.total > 3\n end e on c else",
    );
    assert_snapshot!(
        nodes("step a { call find { id: .input.id } }\n step b on a when .a.total > 1 { call find { id: \"b\" } }\n step c on a else = 2\n step e on b | c = .b.total\n end f on e"), @r#"
may-not-have-happened @ .b.total: `b` may not have answered when `e` reads it
  - `.b` does not exist on the path shown
  - a: 1. `a` fires at the start
  - c: 2. `c` fires on `a`
  - e: 3. `e` fires on `c`, without an answer of `b`
  note: the shortest such path: start → a → c → e
  help: read `.b?`, which may be absent, add a default with `??`, or let `e` fire only after `b` has answered
"#);
    silent(
        "step a { call find { id: .input.id } }\n step b on a when .a.total > 1 { call find { id: \"b\" } }\n step c on a else = 2\n step e on b | c = { x: .b?.total ?? 0, y: .b.total ?? 1 }\n end f on e",
    );
}

#[test]
fn a_condition_sees_what_its_own_trigger_brings() {
    silent(
        "step a { call find { id: .input.id } }\n step b { call find { id: .input.id } }\n end c on a when .a.total > 1 | b when .b.total > 1\n end d on a else",
    );
    assert_snapshot!(
        nodes("step a { call find { id: .input.id } }\n step b { call find { id: .input.id } }\n end c on a when .b.total > 1\n end d on a else | b"), @r#"
may-not-have-happened @ .b.total: `b` never comes before `c`, which reads it
  - never available
  - b: no path leads from here to `c`
  help: let `c` fire on `b`, or on `all(…)` to wait for several steps
"#);
    // What it proves holds behind it, and in what follows within it.
    silent(
        "step s = 1\n step b on s when .input.yes { call find { id: .input.id } }\n step a on s else | b { call find { id: \"a\" } }\n step c on a when .b? != null && .b.total > 1 = .b.id\n end d on c when .b.total > 1\n end e on c else\n end f on a else",
    );
}

#[test]
fn joins_bring_what_their_members_have() {
    let start = "step a { call find { id: \"a\" } }\n step b { call find { id: \"b\" } }\n step c { call find { id: \"c\" } }\n";
    silent(&format!("{start} step d on all(a, b, c) = {{ x: .a.id, y: .b.id, z: .c.id }}\n end e on d"));
    assert_eq!(ids(&format!("{start} step d on 1 of (a, b, c) = .a.id\n end e on d")), "may-not-have-happened @ .a.id");
    assert_eq!(ids(&format!("{start} step d on 2 of (a, b, c) = .a.id\n end e on d")), "may-not-have-happened @ .a.id");
    silent(&format!("{start} step d on 3 of (a, b, c) = .a.id\n end e on d"));
    assert_eq!(ids(&format!("{start} step d on settled(a, b, c) = .a.id\n end e on d")), "may-not-have-happened @ .a.id");
    silent(&format!("{start} step d on settled(a, b, c) = .a?.id ?? \"-\"\n end e on d"));
    // Two of three share what at least two of them have.
    let twice = "step s { call find { id: \"s\" } }\n step a on s { call find { id: \"a\" } }\n step b on s { call find { id: \"b\" } }\n step c { call find { id: \"c\" } }\n";
    silent(&format!("{twice} step d on 2 of (a, b, c) = .s.id\n end e on d"));
    assert_eq!(ids(&format!("{twice} step d on 1 of (a, b, c) = .s.id\n end e on d")), "may-not-have-happened @ .s.id");
}

#[test]
fn some_of_many_share_what_fewer_than_so_many_lack() {
    const MEMBERS: usize = 5;
    // Steps that are read before, so that the shared one is in another word of the sets too.
    for others in [0, 70] {
        let before: String =
            (0..others).map(|n| format!("step o{n} {{ call find {{ id: \"o\" }} }}\n step r{n} on o{n} = .o{n}.id\n")).collect();
        for having in 0..=MEMBERS {
            for count in 1..=MEMBERS {
                let member = |n| format!("step m{n}{} {{ call find {{ id: \"m\" }} }}\n", if n < having { " on s" } else { "" });
                let members: String = (0..MEMBERS).map(member).collect();
                let body = format!(
                    "{before}step s {{ call find {{ id: \"s\" }} }}\n {members} step d on {count} of (m4, m3, m0, m1, m2) = .s.id\n end e on d"
                );
                let found = ids(&body);
                let is_there = MEMBERS - having < count;
                assert_eq!(
                    found.contains("may-not-have-happened @ .s.id"),
                    !is_there,
                    "{having} of {MEMBERS} have it, {count} are awaited: {found}"
                );
            }
        }
    }
}

#[test]
fn a_failure_and_a_delay_come_without_the_answer() {
    let start = "step s { call find { id: \"s\" } }\n step a on s { emit review.asked { id: .s.id } }\n end ok on a\n";
    silent(&format!(
        "{start} end b on failure(a) when .s.total > 1\n end c on failure(a) else\n end d on timeout(a, 1h) when .s.total > 1"
    ));
    assert_eq!(
        ids(&format!("{start} end b on failure(a) when .a.by == \"x\"\n end c on failure(a) else")),
        "may-not-have-happened @ .a.by"
    );
    assert_eq!(ids(&format!("{start} end b on timeout(a, 1h) when .a.by == \"x\"")), "may-not-have-happened @ .a.by");
    assert_eq!(ids(&format!("{start} end b on failure when .s.total > 1\n end c on failure else")), "may-not-have-happened @ .s.total");
    assert_eq!(ids(&format!("{start} end b on timeout(1h) when .s.total > 1")), "may-not-have-happened @ .s.total");
}

#[test]
fn events_bring_what_their_step_has() {
    let start = "step s { call find { id: \"s\" } }\n step a on s { emit review.asked { id: .s.id } }\n";
    silent(&format!(
        "{start} step b on review.granted from a = {{ x: .s.id, y: .a.by, z: .event.by }}\n end c on b\n end d on review.denied from a"
    ));
    silent(&format!("{start} step b on review.granted = {{ x: .s.id, y: .a.by, z: .event.by }}\n end c on b\n end d on review.denied"));
    let asked = "step s { call find { id: \"s\" } }\n step a on s { ask writer { text: .s.id } }\n end ok on a\n";
    silent(&format!("{asked} step b on escalate from a = .s.id\n end c on b"));
    assert_eq!(ids(&format!("{asked} step b on escalate from a = .a.text\n end c on b")), "may-not-have-happened @ .a.text");
    // An event that answers nothing belongs to nobody, even if a step has just emitted it.
    silent("step a { emit order.noted { id: \"x\" } }\n step b on order.noted = .event.id\n end c on b");
    assert_eq!(
        ids("step a { emit order.noted { id: \"x\" } }\n step b on order.noted = .a.id\n end c on b"),
        "may-not-have-happened @ .a.id"
    );
    assert_snapshot!(nodes(&format!("{asked} step b on order.paid = .s.id\n end c on b")), @r#"
may-not-have-happened @ .s.id: `s` never comes before `b`, which reads it
  - never available
  - s: the answer of a step is never available after an external event
  help: after a plain external event, only `.event` and `.input` are available; a step with `wait TOPIC` keeps earlier answers
"#);
}

#[test]
fn a_fan_out_has_answered_when_all_its_elements_have() {
    silent("step a each .input.ids as id { call find { id: .id } }\n step b on a = .a\n end c on b");
    assert_eq!(
        ids(
            "step a each .input.ids as id { emit review.asked { id: .id } }\n step b on review.granted from a limit 1 = .a\n end c on b\n end d on a"
        ),
        "never-fires @ review.granted from a"
    );
}

#[test]
fn loops_have_a_first_round() {
    assert_snapshot!(
        nodes("step draft on start | judge when .judge.rating != \"good\" limit 3 { ask writer { text: .judge.text } }\n step judge on draft = { rating: .draft.text, text: .draft.text }\n end done on judge else"), @r#"
may-not-have-happened @ .judge.text: `judge` may not have answered when `draft` reads it
  - `.judge` does not exist on the path shown
  - draft: 1. `draft` fires at the start, without an answer of `judge`
  help: read `.judge?`, which may be absent, add a default with `??`, or let `draft` fire only after `judge` has answered
"#);
    silent(
        "step draft on start | judge when .judge.rating != \"good\" limit 3 { ask writer { text: .judge?.text ?? \"-\" } }\n step judge on draft = { rating: .draft.text, text: .draft.text }\n end done on judge else",
    );
    silent(
        "step draft on start | judge when .judge.total > 1 limit 3 { ask writer { text: \"x\" } }\n step judge on draft { call find { id: \"all: {{.judge[]}}\" } }\n end done on judge else",
    );
    assert_snapshot!(nodes("step a = 1\n step b on a { call find { id: .b.id } }\n end c on b"), @r#"
may-not-have-happened @ .b.id: `b` reads its own answer, which is not available yet
  - it answers only after this
  help: read another value; a node can read its own earlier answers only in a loop
"#);
}

#[test]
fn what_never_comes_before_cannot_be_asked_for_either() {
    assert_snapshot!(nodes("step a = 1\n step b on a = { x: .c?.id ?? \"-\" }\n step c on b { call find { id: \"c\" } }\n end d on c"), @r#"
may-not-have-happened @ .c?.id: `c` never comes before `b`, which reads it
  - never available
  - c: no path leads from here to `b`
  help: let `b` fire on `c`, or on `all(…)` to wait for several steps
"#);
}
