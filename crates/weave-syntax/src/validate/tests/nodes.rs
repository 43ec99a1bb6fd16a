use super::{all, nodes};

#[test]
fn nodes_are_whole() {
    insta::assert_snapshot!(
        nodes(&[
            "step x",
            "step x { }",
            "step x { timeout 3s }",
            "step x {\n wait 1s\n call a { b: 1 }\n emit c.d\n }",
            "end x { status: 1 }",
            "end x on a { call b { } }",
            "fail x { message: \"no\" }",
            "end x { }",
            "end x each .a as b",
            "fail x each .a as b = \"c\"",
            "step x each .a as b = 1",
            "step x each b in .a { wait 1s }",
            "step x each [1, 2] as b { wait 1s }",
            "step x each f(.a) as b { wait 1s }",
            "end x limit 0",
            "end x limit 1.5",
            "end x limit 99999999999",
            "step x each .a as b parallel 0 min 1.5 { wait 1s }",
            "end x on 0 of (a, b) | 3 of (a, b) | 1.5 of (a, b)",
            "end x on all() | settled() | a",
            "fail x = .a.b",
            "fail x = .a ?? \"b\"",
            "fail x = 5",
            "fail x = { a: 1 }",
            "step x { emit done { a: 1 } }",
            "step x { wait done | a.b }",
            "end x on A.b",
        ]),
        @r#"
missing-action @ "step x": the step `x` has no action
--
missing-action @ "step x": the step `x` has no action
--
missing-action @ "step x": the step `x` has no action
--
several-actions @ "call a": the step `x` has more than one action
--
block-on-end @ "{": an `end` has no block
    => end x = { status: 1 }
--
block-on-end @ "{": an `end` has no block
--
block-on-end @ "{": a `fail` has no block
--
block-on-end @ "{": an `end` has no block
--
misplaced-each @ "each .a as b": an `end` cannot have `each`
--
misplaced-each @ "each .a as b": a `fail` cannot have `each`
--
misplaced-each @ "each .a as b": a step with a value cannot have `each`
--
each-in @ "b in .a": a fan-out names the list first and its element second
    => step x each .a as b { wait 1s }
--
each-without-path @ "[1, 2]": a fan-out iterates over a path
--
each-without-path @ "f(.a)": a fan-out iterates over a path
--
bad-count @ "0": `0` is not a valid number for `limit`
--
bad-count @ "1.5": `1.5` is not a valid number for `limit`
--
bad-count @ "99999999999": `99999999999` is not a valid number for `limit`
--
bad-count @ "0": `0` is not a valid number for `parallel`
bad-count @ "1.5": `1.5` is not a valid number for `min`
--
bad-count @ "0": `0` is not a valid number for `N of (…)`
bad-count @ "3": this join waits for 3 of 2 steps
bad-count @ "1.5": `1.5` is not a valid number for `N of (…)`
--
empty-join @ "all()": this join lists no steps
empty-join @ "settled()": this join lists no steps
--
fail-message @ ".a.b": the message of a `fail` is a string
    => fail x = "{{.a.b}}"
--
fail-message @ ".a ?? \"b\"": the message of a `fail` is a string
    => fail x = "{{.a ?? "b"}}"
--
fail-message @ "5": the message of a `fail` is a string
--
fail-message @ "{ a: 1 }": the message of a `fail` is a string
--
bad-topic @ "done": `done` is not a topic, so it cannot be emitted
--
bad-topic @ "done": `done` is not a topic, so it cannot be awaited
--
bad-topic @ "A.b": `A.b` is not a topic
    => end x on a.b
"#
    );
}

#[test]
fn nothing_is_said_beside_a_syntax_error() {
    insta::assert_snapshot!(
        nodes(&["step x { call a { b: 1 c: } }", "step x on a {\n", "step x on ", "end x limit ", "step x { emit a. }", "step x each .a as { wait 1s }"]),
        @"
        missing-token
        --
        unclosed-bracket
        --
        missing-token
        --
        missing-token
        --
        missing-token
        --
        missing-token
        "
    );
    insta::assert_snapshot!(all(&["type T { a: int b: }", "enum E {", "import { } from", "tool t() { hints: ", "type T = array<"]), @"
    missing-token
    --
    unclosed-bracket
    --
    missing-token
    --
    missing-token
    --
    missing-token
    ");
}
