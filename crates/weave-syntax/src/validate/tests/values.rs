use super::{all, guards, said, values};

#[test]
fn literals() {
    insta::assert_snapshot!(
        values(&[
            r#""\d \' \{ \u12 \ud800""#,
            "9007199254740993",
            "-9007199254740993",
            "1e999",
            "30m1h",
            "999999999999d",
            r#""{{}} {{.a""#,
            r#""{{.a + 1}} {{.b}}""#,
            r#""{{.a ?? \"x\"}}""#,
        ]),
        @r#"
bad-escape @ "\\d": strings have no escape `\d`
    => step x { emit a.b { v: "\\d \' \{ \u12 \ud800" } }
bad-escape @ "\\'": strings have no escape `\'`
    => step x { emit a.b { v: "\d ' \{ \u12 \ud800" } }
bad-escape @ "\\{": a single brace needs no escape
    => step x { emit a.b { v: "\d \' { \u12 \ud800" } }
bad-escape @ "\\u12": `\u` must be followed by four hexadecimal digits
bad-escape @ "\\ud800": `\ud800` is half of a character
--
number-too-large @ "9007199254740993": `9007199254740993` is too large to be represented exactly
--
number-too-large @ "-9007199254740993": `-9007199254740993` is too large to be represented exactly
--
number-too-large @ "1e999": `1e999` is too large to be represented exactly
--
bad-duration @ "30m1h": the units of the duration `30m1h` are in the wrong order
--
bad-duration @ "999999999999d": the duration `999999999999d` is too long
--
empty-placeholder @ "{{}}": this placeholder is empty
unclosed-placeholder @ "{{.a": this placeholder is not closed
    => step x { emit a.b { v: "{{}} {{.a}}" } }
--
bad-placeholder @ ".a + 1": a placeholder contains only a path
--
escaped-quote @ "\\\"": quotes in a placeholder are not escaped
    => step x { emit a.b { v: "{{.a ?? "x"}}" } }
"#
    );
    insta::assert_snapshot!(said("prompt p() \"\"\"\n    a {{\n  b\n c\n    {{.}}\n    \"\"\"\n"), @r#"
    unclosed-placeholder @ "{{": this placeholder is not closed
    text-in-margin @ "b": a line of this text block is indented less than its closing quotes
    missing-token
    "#);
}

#[test]
fn values_are_not_computed() {
    insta::assert_snapshot!(
        values(&[
            ".a + 1",
            r#""a " + .b + "c""#,
            r#"1 + "a""#,
            ".a > 3",
            "!.a",
            "-.a",
            "size(.a)",
            ".a.contains(1)",
            "(.a).b",
            ".a ?? .b",
            ".a ?? { x: .b }",
            "1 ?? 2",
            ".a ?? (.b + 1)",
            "[.a + 1, { x: f(.b) }]",
        ]),
        @r#"
computed-value @ "+": a value has no operator `+`
--
computed-value @ "\"a \" + .b + \"c\"": strings cannot be added
    => step x { emit a.b { v: "a {{.b}}c" } }
--
computed-value @ "+": a value has no operator `+`
--
computed-value @ ">": a value has no operator `>`
--
computed-value @ "!": a value has no operator `!`
--
computed-value @ "-": a value has no operator `-`
--
computed-value @ "size(.a)": a value cannot contain calls
--
computed-value @ ".a.contains(1)": a value cannot contain calls
--
computed-value @ "(.a).b": a path does not start with parentheses
--
bad-default @ ".b": `??` must be followed by a literal
--
not-a-literal @ ".b": only a literal is allowed here
--
bad-default @ "1": `??` must follow a path
--
computed-value @ "+": a value has no operator `+`
--
computed-value @ "+": a value has no operator `+`
computed-value @ "f(.b)": a value cannot contain calls
"#
    );
}

#[test]
fn paths_are_written_without_blanks() {
    insta::assert_snapshot!(values(&[".a .b", "[.a\n .b]", ".a. b", ". a", ".a [0]", ".a[ 0 ].b", ".a[1.5]", ".a[99999999999]", ".a ?.b"]), @r#"
blank-in-path @ " .": a path is written without spaces
    => step x { emit a.b { v: .a.b } }
--
missing-token
--
blank-in-path @ ". ": a path is written without spaces
    => step x { emit a.b { v: .a.b } }
--
blank-in-path @ " ": a path is written without spaces
    => step x { emit a.b { v: .a } }
--
blank-in-path @ " [": a path is written without spaces
    => step x { emit a.b { v: .a[0] } }
--
blank-in-path @ "[ ": a path is written without spaces
    => step x { emit a.b { v: .a[0 ].b } }
--
bad-index @ "1.5": `1.5` is not an index
--
bad-index @ "99999999999": `99999999999` is not an index
--
blank-in-path @ " ": a path is written without spaces
    => step x { emit a.b { v: .a?.b } }
"#);
    insta::assert_snapshot!(all(&["event a. b", "event A.bC_d", "event a", "event a.b -> c | D.e", "event a.b -> c.d | c.d"]), @r#"
blank-in-path @ "a. b": a topic is written without spaces
    => event a.b
--
bad-topic @ "A.bC_d": `A.bC_d` is not a topic
    => event a.b_c_d
--
bad-topic @ "a": `a` is not a topic
--
bad-topic @ "c": `c` is not a topic
bad-topic @ "D.e": `D.e` is not a topic
    => event a.b -> c | d.e
--
duplicate-entry @ "c.d": `c.d` is listed twice
"#);
}

#[test]
fn guards_are_plain() {
    insta::assert_snapshot!(
        guards(&[
            "0 < .a < 10",
            ".a == .b == .c",
            "(.a ?? 3) > 2",
            ".a == ({ x: 1 })",
            r#".a == "{{.b}}""#,
            r#".a == "x {{.b}}""#,
            r#".a == "\{{""#,
            ".a. b > 1",
            ".xs.exists(x, x ?? 1)",
            r#".a.matches("\d")"#,
            ".ok = true",
            ".a > 1 && !.ok = false",
            ".ok = \"x\"",
            "has(.a) = true",
        ]),
        @r#"
comparison-chain @ "<": comparisons cannot be chained
    => end x on start when 0 < .a && .a < 10
--
comparison-chain @ "==": comparisons cannot be chained
    => end x on start when .a == .b && .b == .c
--
coalesce-in-guard @ "??": a guard cannot contain `??`
--
object-in-guard @ "{ x: 1 }": a guard cannot contain objects
--
placeholder-in-guard @ "\"{{.b}}\"": strings in a guard cannot contain placeholders
    => end x on start when .a == .b
--
placeholder-in-guard @ "\"x {{.b}}\"": strings in a guard cannot contain placeholders
--

--
blank-in-path @ ". ": a path is written without spaces
    => end x on start when .a.b > 1
--
coalesce-in-guard @ "??": a guard cannot contain `??`
--
bad-escape @ "\\d": strings have no escape `\d`
    => end x on start when .a.matches("\\d")
--
assignment-in-guard @ "=": `=` starts the value of this node; it does not compare `.ok`
    => end x on start when .ok == true
--
assignment-in-guard @ "=": `=` starts the value of this node; it does not compare `.ok`
    => end x on start when .a > 1 && !.ok == false
--

--
"#
    );
}
