use proptest::prelude::*;
use weave_diagnostics::FileId;

/// What is said about a file, and the first fix: `id @ place: message => the line with the fix`. Of what the parser says only the id is shown.
fn said(text: &str) -> String {
    let mut lines = Vec::new();
    for diagnostic in crate::parse(text.into()).diagnostics(FileId(0)) {
        let place = diagnostic.primary.place.span;
        if !crate::codes_validate::CODES.iter().any(|code| code.id == diagnostic.code.id) {
            lines.push(diagnostic.code.id.to_owned());
            continue;
        }
        let mut line = format!("{} @ {:?}: {}", diagnostic.code.id, place.text(text), diagnostic.message);
        if let Some(fix) = diagnostic.fixes.first() {
            let mut edits = fix.edits.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span));
            let mut mended = text.to_owned();
            for edit in edits {
                mended.replace_range(edit.place.span.range(), &edit.text);
            }
            let changed = mended.lines().filter(|line| !text.lines().any(|other| other == *line)).map(str::trim).collect::<Vec<_>>();
            line += &format!("\n    => {}", if changed.is_empty() { "(gone)".to_owned() } else { changed.join(" / ") });
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Each item on its own.
fn all(items: &[&str]) -> String {
    items.iter().map(|item| said(item)).collect::<Vec<_>>().join("\n--\n")
}

/// Each group of nodes in a workflow of its own.
fn nodes(nodes: &[&str]) -> String {
    nodes.iter().map(|nodes| said(&format!("workflow w(a: int) {{\n  {nodes}\n}}\n"))).collect::<Vec<_>>().join("\n--\n")
}

/// Each guard in a workflow of its own.
fn guards(guards: &[&str]) -> String {
    guards.iter().map(|guard| said(&format!("workflow w() {{\n  end x on start when {guard}\n}}\n"))).collect::<Vec<_>>().join("\n--\n")
}

/// Each value as an entry of a payload.
fn values(values: &[&str]) -> String {
    values
        .iter()
        .map(|value| said(&format!("workflow w() {{\n  step x {{ emit a.b {{ v: {value} }} }}\n}}\n")))
        .collect::<Vec<_>>()
        .join("\n--\n")
}

#[test]
fn what_is_right_gets_nothing() {
    let right = r#"import { A, b.c, } from "../a/b-c.weave"
enum E { a, b = "x", c = "c d" }
enum F {
  a
  b
}
type T { a: int, b?: string /* , */, "c d": (A | B)[](max: 3), d: map<int[]>, e: float(0..1), f: int(1..), g: { x: int, ... }, ... }
event a.b { x: int } -> c.d | c.e2_x
tool t(a: int) -> int {
  action "Doing {{.a}}", title "{{ plain"
  hints [read_only]
  retry 3 { backoff exponential, base 200ms, on [unavailable] }
  via openai { a: "b", c: { d: 1 } }
  meta { x: 1 }
  at env("URL")
  approval when .a > 5 && .b.contains("x")
  example { a: 1 } -> 2
}
workflow w(a: int) -> bool {
  timeout 1h30m
  step a { ask b { c: .input.a ?? [], d: "{{.x ?? "y"}} \{{ \u00e9", "e f": -5 } }
  step b on a when !(.a.ok ?? x) == null { wait 5m }
  step c on all(a, b) limit 3 each .a.xs[0].ys as y parallel 2 min 0 { call d { x: .y }, timeout 3s }
  step d = .a.b
  end e on 2 of (a, b, c) when size(.a.xs) > 3 && .x in ["a"] = (.x)
  end f on a when (.ok) = true
  fail g on b = "no {{.a}}"
}
"#;
    insta::assert_snapshot!(said(right), @r#"
    coalesce-in-guard @ "??": a guard has no `??`
    "#);
}

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
        bad-escape @ "\\d": no string has the escape `\d`
            => step x { emit a.b { v: "\\d \' \{ \u12 \ud800" } }
        bad-escape @ "\\'": no string has the escape `\'`
            => step x { emit a.b { v: "\d ' \{ \u12 \ud800" } }
        bad-escape @ "\\{": a single brace needs no escape
            => step x { emit a.b { v: "\d \' { \u12 \ud800" } }
        bad-escape @ "\\u12": `\u` is not followed by four hexadecimal digits
        bad-escape @ "\\ud800": `\ud800` is half of a character
        --
        number-too-large @ "9007199254740993": `9007199254740993` is too large to be carried exactly
            => step x { emit a.b { v: "9007199254740993" } }
        --
        number-too-large @ "-9007199254740993": `-9007199254740993` is too large to be carried exactly
            => step x { emit a.b { v: "-9007199254740993" } }
        --
        number-too-large @ "1e999": `1e999` is too large for a number
        --
        bad-duration @ "30m1h": the units of the duration `30m1h` are in a wrong order
        --
        bad-duration @ "999999999999d": the duration `999999999999d` is too long
        --
        empty-placeholder @ "{{}}": this placeholder is empty
        unclosed-placeholder @ "{{.a": this placeholder is not closed
            => step x { emit a.b { v: "{{}} {{.a}}" } }
        --
        bad-placeholder @ ".a + 1": a placeholder holds a path and nothing else
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
        computed-value @ "\"a \" + .b + \"c\"": strings are not added
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
        computed-value @ "size(.a)": a value has no calls
        --
        computed-value @ ".a.contains(1)": a value has no calls
        --
        computed-value @ "(.a).b": a path does not start with parentheses
        --
        bad-default @ ".b": behind `??` stands a literal
        --
        not-a-literal @ ".b": only a literal may stand here
        --
        bad-default @ "1": `??` stands behind a path
        --
        computed-value @ "+": a value has no operator `+`
        --
        computed-value @ "+": a value has no operator `+`
        computed-value @ "f(.b)": a value has no calls
        "#
    );
}

#[test]
fn paths_are_written_without_blanks() {
    insta::assert_snapshot!(values(&[".a. b", ". a", ".a [0]", ".a[ 0 ].b", ".a[1.5]", ".a[99999999999]", ".a ?.b"]), @r#"
    blank-in-path @ ". ": a path is written without blanks
        => step x { emit a.b { v: .a.b } }
    --
    blank-in-path @ " ": a path is written without blanks
        => step x { emit a.b { v: .a } }
    --
    blank-in-path @ " [": a path is written without blanks
        => step x { emit a.b { v: .a[0] } }
    --
    blank-in-path @ "[ ": a path is written without blanks
        => step x { emit a.b { v: .a[0 ].b } }
    --
    bad-index @ "1.5": `1.5` is no index
    --
    bad-index @ "99999999999": `99999999999` is no index
    --
    blank-in-path @ " ": a path is written without blanks
        => step x { emit a.b { v: .a?.b } }
    "#);
    insta::assert_snapshot!(all(&["event a. b", "event A.bC_d", "event a", "event a.b -> c | D.e", "event a.b -> c.d | c.d"]), @r#"
    blank-in-path @ "a. b": a topic is written without blanks
        => event a.b
    --
    bad-topic @ "A.bC_d": `A.bC_d` is no topic
        => event a.b_c_d
    --
    bad-topic @ "a": `a` is no topic
    --
    bad-topic @ "c": `c` is no topic
    bad-topic @ "D.e": `D.e` is no topic
        => event a.b -> c | d.e
    --
    duplicate-entry @ "c.d": `c.d` is named twice
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
        coalesce-in-guard @ "??": a guard has no `??`
        --
        object-in-guard @ "{ x: 1 }": a guard has no objects
        --
        placeholder-in-guard @ "\"{{.b}}\"": strings in a guard have no placeholders
            => end x on start when .a == .b
        --
        placeholder-in-guard @ "\"x {{.b}}\"": strings in a guard have no placeholders
        --

        --
        blank-in-path @ ". ": a path is written without blanks
            => end x on start when .a.b > 1
        --
        coalesce-in-guard @ "??": a guard has no `??`
        --
        bad-escape @ "\\d": no string has the escape `\d`
            => end x on start when .a.matches("\\d")
        --
        assignment-in-guard @ "=": `=` starts the value of this node, it does not compare `.ok`
            => end x on start when .ok == true
        --
        assignment-in-guard @ "=": `=` starts the value of this node, it does not compare `.ok`
            => end x on start when .a > 1 && !.ok == false
        --

        --
        "#
    );
}

#[test]
fn entries_on_one_line_need_commas() {
    insta::assert_snapshot!(
        all(&[
            "type T { a: int b: int }",
            "type T { a: int /* , */ b: int\n c: int ... }",
            "type T { a: int @secret b: int }",
            "enum E { a b }",
            "union U { a: A b: B }",
            "tool t() { timeout 3s mode silent }",
            "tool t() { retry 3 { backoff fixed base 1s } }",
            "tool t() { meta { a: 1 b: 2 } }",
        ]),
        @r#"
        missing-comma @ "": entries on one line need a comma between them
            => type T { a: int, b: int }
        --
        missing-comma @ "": entries on one line need a comma between them
            => type T { a: int, /* , */ b: int
        missing-comma @ "": entries on one line need a comma between them
            => c: int, ... }
        --
        missing-comma @ "": entries on one line need a comma between them
            => type T { a: int, @secret b: int }
        --
        missing-comma @ "": entries on one line need a comma between them
            => enum E { a, b }
        --
        missing-comma @ "": entries on one line need a comma between them
            => union U { a: A, b: B }
        --
        missing-comma @ "": entries on one line need a comma between them
            => tool t() { timeout 3s, mode silent }
        --
        missing-comma @ "": entries on one line need a comma between them
            => tool t() { retry 3 { backoff fixed, base 1s } }
        --
        missing-comma @ "": entries on one line need a comma between them
            => tool t() { meta { a: 1, b: 2 } }
        "#
    );
    insta::assert_snapshot!(nodes(&["step a { ask b { c: 1 d: 2 } timeout 3s }", "timeout 3s retry 3\n step a { wait 1s } step b { wait 1s }"]), @r#"
    missing-comma @ "": entries on one line need a comma between them
        => step a { ask b { c: 1, d: 2 } timeout 3s }
    missing-comma @ "": entries on one line need a comma between them
        => step a { ask b { c: 1 d: 2 }, timeout 3s }
    --
    missing-comma @ "": entries on one line need a comma between them
        => timeout 3s, retry 3
    "#);
}

#[test]
fn nothing_is_given_twice() {
    insta::assert_snapshot!(
        all(&[
            "type T { a: int, \"a\": int }",
            "tool t(a: int, a: int) { example { a: 1, \"\\u0061\": 2 } }",
            "enum E { a, b, a }",
            "enum E { a, b = \"a\", c = \"x\", d = \"x\" }",
            "union U { a: A, a: B }",
            "type T = string(min: 1, min: 2)",
            "type T = int(1..5, max: 3)",
            "tool t() { meta { a: 1, a: 2 } }",
        ]),
        @r#"
        duplicate-field @ "\"a\"": the field `a` is given twice
        --
        duplicate-field @ "a": the parameter `a` is given twice
        duplicate-key @ "\"\\u0061\"": the key `a` is given twice
        --
        duplicate-enum-value @ "a": the value `a` is given twice
        --
        duplicate-enum-value @ "\"a\"": two values of this enum are `"a"` on the wire
        duplicate-enum-value @ "\"x\"": two values of this enum are `"x"` on the wire
        --
        duplicate-variant @ "a": the variant `a` is given twice
        --
        duplicate-constraint @ "min: 2": the constraint `min` is given twice
        --
        duplicate-constraint @ "max: 3": the constraint `max` is given twice
        --
        duplicate-key @ "a": the key `a` is given twice
        "#
    );
    let many = (0..20).map(|number| format!("f{}: int", number % 19)).collect::<Vec<_>>().join(", ");
    insta::assert_snapshot!(said(&format!("type T {{ {many} }}")), @r#"
    duplicate-field @ "f0": the field `f0` is given twice
    "#);
    insta::assert_snapshot!(
        nodes(&[
            "end x on a on b",
            "end x on a limit 2 limit 3",
            "step x on a each .p as q parallel 2 parallel 3 { wait 1s }",
            "end x on all(a, b, a)",
            "step x { cancel a, a }",
        ]),
        @r#"
        duplicate-clause @ "on b": `on` is given twice
            => end x on a | b
        --
        duplicate-clause @ "limit 3": `limit` is given twice
        --
        duplicate-clause @ "parallel": `parallel` is given twice
        --
        duplicate-entry @ "a": `a` is named twice
        --
        duplicate-entry @ "a": `a` is named twice
        "#
    );
}

#[test]
fn types() {
    insta::assert_snapshot!(
        all(&[
            "type T { a: int? }",
            "type T { a?: int? }",
            "type T { a: int? = 3 }",
            "type T { a?: int = 3 }",
            "tool t() -> int?",
            "type T = int?[]",
            "type T = string(5)",
            "type T = string(\"^a\")",
            "type T = array<string | int>(max: 3)",
            "type T = Record<string>",
            "type T = Foo<string>",
            "enum E { }",
            "union U { }",
            "enum E { a = 1, b = 2 }",
            "enum E { a = x }",
            "type T { a: int = .b, c: int = f(1), d: int = 1 + 2, e: E = free, f: int = .a ?? 3 }",
            "type T = int(min: .a)",
        ]),
        @r#"
        optional-type @ "?": the question mark of an optional field stands behind its name
            => type T { a?: int }
        --
        optional-type @ "?": the question mark of an optional field stands behind its name
            => type T { a?: int }
        --
        optional-type @ "?": the question mark of an optional field stands behind its name
            => type T { a: int = 3 }
        --
        optional-with-default @ "?": a field with a default has no question mark
            => type T { a: int = 3 }
        --
        optional-type @ "?": a type has no question mark
            => tool t() -> int | null
        --
        optional-type @ "?": a type has no question mark
        --
        bare-constraint @ "5": this constraint does not say whether it is the least or the greatest
            => type T = string(max: 5)
        --
        bare-constraint @ "\"^a\"": this constraint has no name
            => type T = string(pattern: "^a")
        --
        unknown-generic @ "array": `array` takes no type in angle brackets
            => type T = (string | int)[](max: 3)
        --
        unknown-generic @ "Record": `Record` takes no type in angle brackets
            => type T = map<string>
        --
        unknown-generic @ "Foo": `Foo` takes no type in angle brackets
        --
        empty-enum @ "E": the enum `E` has no value
        --
        empty-enum @ "U": the union `U` has no variant
        --
        enum-value-not-a-string @ "1": the value of an enum is a string on the wire
        --
        enum-value-not-a-string @ "x": the value of an enum is a string on the wire
            => enum E { a = "x" }
        --
        not-a-literal @ ".b": only a literal may stand here
        not-a-literal @ "f(1)": only a literal may stand here
        computed-value @ "+": a value has no operator `+`
        not-a-literal @ ".a ?? 3": only a literal may stand here
        --
        not-a-literal @ ".a": only a literal may stand here
        "#
    );
}

#[test]
fn imports() {
    insta::assert_snapshot!(
        all(&[
            "import { } from \"./a.weave\"",
            "import { A } from \"a\"",
            "import { A } from \"a.weave\"",
            "import { A } from \"./b/a\"",
            "import { A } from \".\\\\a.weave\"",
            "import { A } from \"/a.weave\"",
            "import { A } from \"https://x.y/a.weave\"",
            "import { A } from \"./a.ts\"",
            "import { A } from \"\"",
        ]),
        @r#"
        empty-import @ "import { } from \"./a.weave\"": this import takes nothing
            => (gone)
        --
        import-path @ "\"a\"": an import's path is relative to its file
            => import { A } from "./a.weave"
        --
        import-path @ "\"a.weave\"": an import's path is relative to its file
            => import { A } from "./a.weave"
        --
        import-path @ "\"./b/a\"": an import's path ends in `.weave`
            => import { A } from "./b/a.weave"
        --
        import-path @ "\".\\\\a.weave\"": the parts of an import's path have `/` between them
            => import { A } from "./a.weave"
        --
        import-path @ "\"/a.weave\"": an import's path is relative to its file
        --
        import-path @ "\"https://x.y/a.weave\"": an import's path is relative to its file
        --
        import-path @ "\"./a.ts\"": an import's path ends in `.weave`
        --
        import-path @ "\"\"": an import's path is relative to its file
        "#
    );
}

#[test]
fn settings_and_data() {
    insta::assert_snapshot!(
        all(&[
            "tool t() { hints: [read_only] }",
            "tool t() { retry 3 { backoff: fixed, base 1s } }",
            "tool t() { via openai { size \"low\" } }",
            "tool t() { meta { a 1, b: 2 } }",
            "tool t() { other { a 1, b: 2 } }",
            "tool t() { other { a: 1, b 2 } }",
            "agent a() { tools [b + 1] }",
        ]),
        @r#"
        setting-with-colon @ "hints": the setting `hints` has no colon
            => tool t() { hints [read_only] }
        --
        setting-with-colon @ "backoff": the setting `backoff` has no colon
            => tool t() { retry 3 { backoff fixed, base 1s } }
        --
        data-without-colon @ "size": a colon is missing behind `size`
            => tool t() { via openai { size: "low" } }
        --
        data-without-colon @ "a": a colon is missing behind `a`
            => tool t() { meta { a: 1, b: 2 } }
        --
        setting-with-colon @ "b": the setting `b` has no colon
            => tool t() { other { a 1, b 2 } }
        --
        data-without-colon @ "b": a colon is missing behind `b`
            => tool t() { other { a: 1, b: 2 } }
        --
        computed-value @ "+": a value has no operator `+`
        "#
    );
    insta::assert_snapshot!(
        nodes(&[
            "timeout: 3s\n  end x",
            "step x { wait 1s, timeout: 3s }",
            "end x\n  timeout 3s",
            "/// Doc.\n  end x\n  retry 3 { base 1s },\n  end y",
            "end x\n  timeout 3s end y",
        ]),
        @r#"
        setting-with-colon @ "timeout": the setting `timeout` has no colon
            => timeout 3s
        --
        setting-with-colon @ "timeout": the setting `timeout` has no colon
            => step x { wait 1s, timeout 3s }
        --
        setting-behind-node @ "timeout 3s": the setting `timeout` stands behind a node
            => (gone)
        --
        setting-behind-node @ "retry 3 { base 1s }": the setting `retry` stands behind a node
            => retry 3 { base 1s }
        --
        setting-behind-node @ "timeout 3s": the setting `timeout` stands behind a node
        "#
    );
}

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
        missing-action @ "step x": the step `x` does nothing
        --
        missing-action @ "step x": the step `x` does nothing
        --
        missing-action @ "step x": the step `x` does nothing
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
        misplaced-each @ "each .a as b": an `end` has no `each`
        --
        misplaced-each @ "each .a as b": a `fail` has no `each`
        --
        misplaced-each @ "each .a as b": a step with a value has no `each`
        --
        each-in @ "b in .a": a fan-out names the list first and its element second
            => step x each .a as b { wait 1s }
        --
        each-without-path @ "[1, 2]": a fan-out is over a path
        --
        each-without-path @ "f(.a)": a fan-out is over a path
        --
        bad-count @ "0": `0` is no number for `limit`
        --
        bad-count @ "1.5": `1.5` is no number for `limit`
        --
        bad-count @ "99999999999": `99999999999` is no number for `limit`
        --
        bad-count @ "0": `0` is no number for `parallel`
        bad-count @ "1.5": `1.5` is no number for `min`
        --
        bad-count @ "0": `0` is no number for `N of (…)`
        bad-count @ "3": this join waits for 3 of 2 steps
        bad-count @ "1.5": `1.5` is no number for `N of (…)`
        --
        empty-join @ "all()": this join waits for no step
        empty-join @ "settled()": this join waits for no step
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
        bad-topic @ "done": `done` is no topic, so it cannot be emitted
        --
        bad-topic @ "done": `done` is no topic, so nothing can be waited for
        --
        bad-topic @ "A.b": `A.b` is no topic
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

/// Pieces that programs are made of, and some that they are not.
fn piece() -> impl Strategy<Value = String> {
    let words = "type|enum|union|event|tool|prompt|agent|workflow|step|end|fail|on|when|also|else|limit|each|in|as|parallel|min|ask|call|emit|wait|cancel|all|of|a|b|T|int|string|map|meta|retry|import|from|example";
    let signs = r#"\{|\}|\(|\)|\[|\]|\[\]|<|>|,|:|\?|\?\?|\.a| \.b|\. |\.\.|\|| = |==|&&|\+|-|->|@a|!|\n|\n\n| |  "#;
    let literals = r#"1|0|1\.5|9007199254740993|30s|1s1m|true|null|"x"|"\{\{\.a \?\? "b"\}\} \{\{"|"\\q"|"""\n  \{\{\.a\n x\n  """|/// é\n|/\* , \*/|"é.weave""#;
    prop::string::string_regex(&format!("({words}|{signs}|{literals}|{words}|{signs}) ?")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_said_is_said_about_the_text(pieces in prop::collection::vec(piece(), 0..12), start in "(type T|tool t\\(|workflow w\\(\\) \\{\n|enum E|prompt p\\(\\) |step )") {
        let text = format!("{start} {}", pieces.concat());
        for diagnostic in crate::parse(text.as_str().into()).diagnostics(FileId(0)) {
            let labels = diagnostic.secondary.iter().map(|label| label.place.span);
            let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.place.span);
            for span in labels.chain(edits).chain([diagnostic.primary.place.span]) {
                prop_assert!(text.get(span.range()).is_some(), "{span:?} of {diagnostic:?}");
            }
            let message = &diagnostic.message;
            let ours = crate::codes_validate::CODES.iter().any(|code| code.id == diagnostic.code.id);
            prop_assert!(!ours || !message.is_empty() && !message.contains('\n') && !message.ends_with('.'), "{diagnostic:?}");
        }
    }
}
