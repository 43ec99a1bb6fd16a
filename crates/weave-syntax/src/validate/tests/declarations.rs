use super::{all, nodes, said};

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
duplicate-field @ "\"a\"": the field `a` is repeated
--
duplicate-field @ "a": the parameter `a` is repeated
duplicate-key @ "\"\\u0061\"": the key `a` is repeated
--
duplicate-enum-value @ "a": the value `a` is repeated
--
duplicate-enum-value @ "\"a\"": two values of this enum have the JSON string `"a"`
duplicate-enum-value @ "\"x\"": two values of this enum have the JSON string `"x"`
--
duplicate-variant @ "a": the variant `a` is repeated
--
duplicate-constraint @ "min: 2": the constraint `min` is repeated
--
duplicate-constraint @ "max: 3": the constraint `max` is repeated
--
duplicate-key @ "a": the key `a` is repeated
"#
    );
    let many = (0..20).map(|number| format!("f{}: int", number % 19)).collect::<Vec<_>>().join(", ");
    insta::assert_snapshot!(said(&format!("type T {{ {many} }}")), @r#"duplicate-field @ "f0": the field `f0` is repeated"#);
    insta::assert_snapshot!(
        nodes(&[
            "end x on a on b",
            "end x on a limit 2 limit 3",
            "step x on a each .p as q parallel 2 parallel 3 { wait 1s }",
            "end x on all(a, b, a)",
            "step x { cancel a, a }",
        ]),
        @r#"
duplicate-clause @ "on b": `on` is repeated
    => end x on a | b
--
duplicate-clause @ "limit 3": `limit` is repeated
--
duplicate-clause @ "parallel": `parallel` is repeated
--
duplicate-entry @ "a": `a` is listed twice
--
duplicate-entry @ "a": `a` is listed twice
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
optional-type @ "?": the question mark of an optional field goes after its name
    => type T { a?: int }
--
optional-type @ "?": the question mark of an optional field goes after its name
    => type T { a?: int }
--
optional-type @ "?": the question mark of an optional field goes after its name
    => type T { a: int = 3 }
--
optional-with-default @ "?": a field with a default needs no question mark
    => type T { a: int = 3 }
--
optional-type @ "?": a type has no question mark
    => tool t() -> int | null
--
optional-type @ "?": a type has no question mark
--
bare-constraint @ "5": this constraint is neither a minimum nor a maximum
    => type T = string(max: 5)
--
bare-constraint @ "\"^a\"": this constraint has no name
    => type T = string(pattern: "^a")
--
unknown-generic @ "array": `array` takes no type argument
    => type T = (string | int)[](max: 3)
--
unknown-generic @ "Record": `Record` takes no type argument
    => type T = map<string>
--
unknown-generic @ "Foo": `Foo` takes no type argument
--
empty-enum @ "E": the enum `E` has no value
--
empty-enum @ "U": the union `U` has no variant
--
enum-value-not-a-string @ "1": the JSON value of an enum value is a string
    => enum E { a, b }
--
enum-value-not-a-string @ "x": the JSON value of an enum value is a string
    => enum E { a = "x" }
--
not-a-literal @ ".b": only a literal is allowed here
not-a-literal @ "f(1)": only a literal is allowed here
computed-value @ "+": a value has no operator `+`
not-a-literal @ ".a ?? 3": only a literal is allowed here
--
not-a-literal @ ".a": only a literal is allowed here
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
empty-import @ "import { } from \"./a.weave\"": this import lists no names
    => (gone)
--
import-path @ "\"a\"": the path of an import is relative to its file
    => import { A } from "./a.weave"
--
import-path @ "\"a.weave\"": the path of an import is relative to its file
    => import { A } from "./a.weave"
--
import-path @ "\"./b/a\"": the path of an import ends in `.weave`
    => import { A } from "./b/a.weave"
--
import-path @ "\".\\\\a.weave\"": the path of an import uses `/` as its separator
    => import { A } from "./a.weave"
--
import-path @ "\"/a.weave\"": the path of an import is relative to its file
--
import-path @ "\"https://x.y/a.weave\"": the path of an import is relative to its file
--
import-path @ "\"./a.ts\"": the path of an import ends in `.weave`
--
import-path @ "\"\"": the path of an import is relative to its file
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
setting-with-colon @ "hints": the setting `hints` takes no colon
    => tool t() { hints [read_only] }
--
setting-with-colon @ "backoff": the setting `backoff` takes no colon
    => tool t() { retry 3 { backoff fixed, base 1s } }
--
data-without-colon @ "size": a colon is missing after `size`
    => tool t() { via openai { size: "low" } }
--
data-without-colon @ "a": a colon is missing after `a`
    => tool t() { meta { a: 1, b: 2 } }
--
setting-with-colon @ "b": the setting `b` takes no colon
    => tool t() { other { a 1, b 2 } }
--
data-without-colon @ "b": a colon is missing after `b`
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
setting-with-colon @ "timeout": the setting `timeout` takes no colon
    => timeout 3s
--
setting-with-colon @ "timeout": the setting `timeout` takes no colon
    => step x { wait 1s, timeout 3s }
--
setting-behind-node @ "timeout 3s": the setting `timeout` must come before the nodes
    => (gone)
--
setting-behind-node @ "retry 3 { base 1s }": the setting `retry` must come before the nodes
    => retry 3 { base 1s }
--
setting-behind-node @ "timeout 3s": the setting `timeout` must come before the nodes
"#
    );
}
