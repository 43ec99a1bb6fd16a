//! Guards.

use insta::assert_snapshot;

use crate::fixture::typed as checked;

const INPUT: &str = "
type Line { sku: string, price: decimal, gift?: bool }
enum Tier { free, pro, enterprise = \"ent\" }
union Payment { card: { number: string }, wire: { iban: string } }
error lost { at: string }
";

fn guard(guard: &str) -> String {
    checked(&format!(
        "{INPUT}
workflow w(a: int, b: int, f: float, d: decimal, big: int64, name: string, note?: string, nick: string | null, ok: bool, maybe?: bool, tier: Tier,
  level: 1 | 2, kind: \"x\" | \"y\" | null, at: timestamp, day: date, time: duration, tags: string[], lines: Line[], index: map<int>,
  pay: Payment, data: json, raw: bytes, opt?: {{ x: int, y?: string }}) {{
  end yes on start when {guard}
  end no on start else
}}
"
    ))
}

#[test]
fn guards_that_are_right_are_silent() {
    for text in [
        ".input.ok",
        "!.input.ok",
        "!!!.input.ok",
        "!(.input.ok || .input.a == 1)",
        ".input.a == 1 && .input.f >= 1 && .input.d > 12.50 && .input.big != 9 || .input.ok",
        "1 < .input.a",
        ".input.a + 1 > .input.b * 2 - 3 % .input.a",
        "-.input.a < 3",
        ".input.f / 2 > 0.5",
        ".input.d + 1 > \"12.5\"",
        ".input.name + \"x\" == \"yx\"",
        ".input.name < \"m\"",
        ".input.at < \"2027-01-01T00:00:00Z\"",
        ".input.at + 5m > .input.at",
        ".input.at - .input.at > 24h",
        ".input.day >= \"2027-01-01\"",
        ".input.time <= 90m",
        ".input.time <= \"PT90M\"",
        ".input.note == null",
        ".input.note != \"x\"",
        ".input.note != null && .input.note.startsWith(\"A\")",
        "has(.input.note) && size(.input.note) > 3",
        ".input.note == \"x\" && .input.note.size() > 0",
        "!(.input.note == null || .input.note.contains(\"x\"))",
        ".input.note == null || .input.note.contains(\"x\")",
        ".input.nick != null && .input.nick.matches(\"^A[0-9]+$\")",
        ".input.maybe == true",
        ".input.maybe != null && .input.maybe",
        ".input.tier == \"ent\" || .input.tier in [\"free\", \"pro\"]",
        ".input.level == 2",
        ".input.kind == \"x\" || .input.kind == null",
        "\"x\" in .input.tags",
        ".input.name in .input.tags",
        "\"k\" in .input.index",
        ".input.a in [1, 2, 3]",
        ".input.d in [1, 2.50]",
        "size(.input.tags) > 2 && .input.tags[2] == \"x\" && .input.tags[1].startsWith(\"y\")",
        ".input.tags[0] == \"x\"",
        ".input.lines.exists(line, line.price > 10 && line.sku != \"\")",
        ".input.lines.all(line, line.gift == true)",
        ".input.lines.all(line, line.gift != null && line.gift)",
        ".input.index.exists(key, key == \"a\")",
        ".input.lines.exists(line, .input.tags.exists(tag, tag == line.sku))",
        ".input.pay.kind == \"card\" && .input.pay.number == \"4\"",
        ".input.data == 3 && .input.data != \"x\"",
        ".input.opt?.x == 3",
        ".input.opt?.y == \"a\"",
        ".input.opt != null && .input.opt.x > 3",
        ".input.opt?.x != null && .input.opt.x > 3",
        ".input.opt?.y != null && .input.opt.y.contains(\"b\")",
        ".input.raw == \"QUI=\"",
        "(.input.a + .input.b) * 2 > 3",
        "(.input.name + \"x\").endsWith(\"x\")",
        ".input.tags == .input.tags",
        "1 + 2 < 4",
    ] {
        assert_eq!(guard(text), "", "{text}");
    }
}

#[test]
fn operands_of_wrong_types() {
    assert_snapshot!(guard(".input.name"), @r"
    guard-type @ .input.name: a guard is a condition, not `string`
      - this is `string`
      help: compare it with something: `.input.name == …`, or `.input.name != null`
    ");
    assert_snapshot!(guard(".input.a + 1"), @r"
    guard-type @ .input.a + 1: a guard is a condition, not `int`
      - this is `int`
      help: compare it with something: `.input.a + 1 == …`, or `.input.a + 1 != null`
    ");
    assert_snapshot!(guard(".input.a == .input.f"), @r#"
guard-type @ ==: `==` requires the same type on both sides, not `int` and `float`
  - different types
  - .input.a: `int`
  - .input.f: `float`
  help: numeric types never mix; declare both with the same type
"#);
    assert_snapshot!(guard(".input.a < 1.5"), @r"
    guard-type @ 1.5: `1.5` cannot be compared with `int`
      - not `int`
      help: compare an `int` with a whole number, for example `> 2` instead of `> 2.5`
    ");
    assert_snapshot!(guard(".input.a == \"1\""), @r#"
guard-type @ ==: `==` requires the same type on both sides, not `int` and `string`
  - different types
  - .input.a: `int`
  - "1": `string`
"#);
    assert_snapshot!(guard(".input.at > \"yesterday\""), @r#"
    guard-type @ "yesterday": `"yesterday"` cannot be compared with `timestamp`
      - not `timestamp`
      help: write it like `"2027-01-31T12:00:00Z"`
    "#);
    assert_snapshot!(guard(".input.time > 5"), @r#"
guard-type @ >: `>` requires the same type on both sides, not `duration` and `int`
  - different types
  - .input.time: `duration`
  - 5: `int`
"#);
    assert_snapshot!(guard(".input.ok && .input.a"), @r#"
guard-type @ .input.a: `&&` requires `bool`, not `int`
  - this is `int`
  help: compare it with something: `.input.a == …`, or `.input.a != null`
"#);
    assert_snapshot!(guard("!.input.a"), @r#"
guard-type @ .input.a: `!` requires `bool`, not `int`
  - this is `int`
  help: compare it with something: `.input.a == …`, or `.input.a != null`
"#);
    assert_snapshot!(guard("-.input.name < 3"), @r#"
guard-type @ .input.name: `-` requires a number or a duration, not `string`
  - this is `string`
"#);
    assert_snapshot!(guard(".input.name + 1 == \"x1\""), @r#"
guard-type @ +: `+` does not apply to `string` and `int`
  - incompatible operands
  - .input.name: `string`
  - 1: `int`
"#);
    assert_snapshot!(guard(".input.d / 2 > 1"), @r#"
guard-type @ .input.d: `/` requires `int`, `int64` or `float`, not `decimal`
  - this is `decimal`
"#);
    assert_snapshot!(guard(".input.lines < 3"), @r#"
guard-type @ .input.lines: `<` requires ordered values, not `Line[]`
  - this is `Line[]`
"#);
    assert_snapshot!(guard(".input.data > 3"), @r#"
guard-type @ .input.data: `>` requires ordered values, not `json`
  - this is `json`
  help: the content of `json` is unknown; declare its type
"#);
    assert_snapshot!(guard("\"x\" in .input.name"), @r#"
guard-type @ .input.name: `in` requires a list or a map on the right, not `string`
  - this is `string`
"#);
    assert_snapshot!(guard("1 in .input.tags"), @r#"
guard-type @ .input.tags: `int` cannot be an element of `string`
  - different types
  - 1: `int`
"#);
    assert_snapshot!(guard(".input.tags.contains(\"x\")"), @r#"
guard-type @ .input.tags.contains("x"): `contains` searches strings, not lists
  - `.input.tags` is a list
  help: write `"x" in .input.tags`
"#);
    assert_snapshot!(guard("size(.input.a) > 1"), @r#"
guard-type @ .input.a: `size` requires a string, bytes, a list or a map, not `int`
  - this is `int`
"#);
    assert_snapshot!(guard(".input.lines.exists(line, line.sku)"), @r#"
guard-type @ line.sku: `exists` requires `bool`, not `string`
  - this is `string`
"#);
    assert_snapshot!(guard(".input.name.exists(c, c == \"x\")"), @r#"
guard-type @ .input.name: `exists` requires a list or a map, not `string`
  - this is `string`
"#);
    assert_snapshot!(guard(".input.at + .input.at > .input.at"), @r#"
guard-type @ +: `+` does not apply to `timestamp` and `timestamp`
  - incompatible operands
  - .input.at: `timestamp`
  - .input.at: `timestamp`
"#);
}

#[test]
fn constants_that_a_value_never_has() {
    assert_snapshot!(guard(".input.tier == \"por\""), @r#"
    never-equal @ "por": `"por"` is not a value of `Tier`
      - never equal
      - .input.tier: this is `Tier`
      help: did you mean `"pro"`?
    "#);
    assert_snapshot!(guard("\"enterprise\" == .input.tier"), @r#"
never-equal @ "enterprise": `"enterprise"` is not a value of `Tier`
  - never equal
  - .input.tier: this is `Tier`
  help: in JSON this value is "ent"
"#);
    assert_snapshot!(guard(".input.level == 3"), @r"
    never-equal @ 3: `3` is not a value of `1 | 2`
      - never equal
      - .input.level: this is `1 | 2`
      help: there are `1` and `2`
    ");
    assert_snapshot!(guard(".input.kind in [\"x\", \"z\"]"), @r#"
    never-equal @ "z": `"z"` is not a value of `"x" | "y" | null`
      - never equal
      - .input.kind: this is `"x" | "y" | null`
      help: did you mean `"x"`?
    "#);
    assert_snapshot!(guard(".input.pay.kind == \"cash\""), @r#"
    never-equal @ "cash": `"cash"` is not a value of `"card" | "wire"`
      - never equal
      - .input.pay.kind: this is `"card" | "wire"`
      help: did you mean `"card"`?
    "#);
    assert_snapshot!(guard(".input.kind == \"x\" && .input.kind == \"y\""), @"");
}

#[test]
fn operands_that_may_be_absent() {
    assert_snapshot!(guard(".input.maybe"), @r#"
may-be-absent @ .input.maybe: `.input.maybe` may be absent or null, and a guard requires `bool`
  - neither true nor false when it is absent
  help: write `.input.maybe == true`
"#);
    assert_snapshot!(guard(".input.note.startsWith(\"A\")"), @r#"
may-be-absent @ .input.note: `.input.note` may be absent or null, and `startsWith` requires a value
  - may be absent or null
  help: check first: `.input.note != null && …`
"#);
    assert_snapshot!(guard(".input.nick < \"m\""), @r#"
may-be-absent @ .input.nick: `.input.nick` may be absent or null, and `<` requires a value
  - may be absent or null
  help: check first: `.input.nick != null && …`
"#);
    assert_snapshot!(guard(".input.note != null || .input.note.startsWith(\"A\")"), @r#"
may-be-absent @ .input.note: `.input.note` may be absent or null, and `startsWith` requires a value
  - may be absent or null
  help: check first: `.input.note != null && …`
"#);
    assert_snapshot!(guard(".input.opt.x > 3"), @r#"
may-be-absent @ .input.opt: `.input.opt` may be absent, so it cannot be read from
  - is optional
  - opt: declared with `?`
  help: write `.input.opt?.x`, which may be absent too, or check `.input.opt != null` in a guard
"#);
    assert_snapshot!(guard(".input.opt?.x > 3"), @r#"
may-be-absent @ .input.opt?.x: `.input.opt?.x` may be absent or null, and `>` requires a value
  - may be absent or null
  help: check first: `.input.opt?.x != null && …`
"#);
    assert_snapshot!(guard(".input.tags[0].startsWith(\"x\")"), @r#"
may-be-absent @ .input.tags[0]: `.input.tags[0]` may be absent or null, and `startsWith` requires a value
  - may be absent or null
  help: check first: `.input.tags[0] != null && …`
"#);
    assert_snapshot!(guard(".input.lines.all(line, line.gift)"), @r#"
may-be-absent @ line.gift: `line.gift` may be absent or null, and `all` requires `bool`
  - neither true nor false when it is absent
  help: write `line.gift == true`
"#);
    assert_snapshot!(guard(".input.pay.number.startsWith(\"4\")"), @r#"
may-be-absent @ .input.pay.number: `.input.pay.number` may be absent or null, and `startsWith` requires a value
  - may be absent or null
  help: check first: `.input.pay.number != null && …`
"#);
    assert_snapshot!(guard("size(.input.tags) > 1 && .input.tags[2].startsWith(\"y\")"), @r#"
may-be-absent @ .input.tags[2]: `.input.tags[2]` may be absent or null, and `startsWith` requires a value
  - may be absent or null
  help: check first: `.input.tags[2] != null && …`
"#);
}

#[test]
fn functions_and_methods() {
    assert_snapshot!(guard(".input.name.startWith(\"A\")"), @r#"
unknown-function @ startWith: `startWith` is not a method
  - not a guard method
  help: did you mean `startsWith`?
"#);
    assert_snapshot!(guard("startsWith(.input.name, \"A\")"), @r#"
unknown-function @ startsWith(.input.name, "A"): `startsWith` is called on a value
  - write `.input.name.startsWith("A")`
"#);
    assert_snapshot!(guard(".input.name.has()"), @r#"
unknown-function @ has: `has` is not a method
  - not a guard method
  help: `has` is a function: `has(.path)`
"#);
    assert_snapshot!(guard("len(.input.tags) > 2"), @r#"
unknown-function @ len: `len` is not a function
  - not a guard function
  help: use `size` for the length of a list, a map or a string
"#);
    assert_snapshot!(guard(".input.name.contains()"), @r#"
guard-call @ .input.name.contains(): `contains` takes one argument, not no arguments
  - has no arguments
  help: write `.path.contains("text")`
"#);
    assert_snapshot!(guard("size(.input.tags, 2) > 1"), @r"
    guard-call @ size(.input.tags, 2): `size` takes one argument, not 2 arguments
      - has 2 arguments
      help: write `size(.path)`
    ");
    assert_snapshot!(guard("has(3)"), @r#"
guard-call @ 3: `has` requires a path
  - not a path
  help: write `has(.path)`
"#);
    assert_snapshot!(guard(".input.name.matches(\"(\")"), @r#"
invalid-pattern @ (: this pattern is not supported: unclosed group
  - here
  help: only syntax that ECMAScript, Go, Rust and Python interpret alike is supported
"#);
    assert_snapshot!(guard(".input.name.matches(.input.name)"), @r#"
guard-call @ .input.name: the pattern of `matches` must be a string literal
  - not a string literal
  help: patterns are checked at compile time; to search for a value, use `contains`
"#);
    assert_snapshot!(guard(".input.lines.exists(.line, line.price > 1)"), @r#"
guard-call @ .line: the name of an element has no dot
  - not a name
  help: remove the dot
"#);
    assert_snapshot!(guard(".input.lines.exists(line, .line.price > 1)"), @r#"
superfluous-dot @ .line: `line` is written without a dot
  - superfluous dot
  help: remove the dot: only values on the scroll and parameters have one
"#);
    assert_snapshot!(guard(".input.lines.exists(line > 1)"), @r#"
guard-call @ .input.lines.exists(line > 1): `exists` takes 2 arguments, not one argument
  - has one argument
  help: name the element, then write a condition on it: `.lines.exists(line, line.price > 10)`
"#);
    assert_snapshot!(guard(".input.lines.exists(x, .input.tags.exists(x, x == \"a\"))"), @r#"
variable-taken @ x: the variable `x` is already in use
  - taken
  help: choose another name for the element
"#);
    assert_snapshot!(guard("size(.input.tags).foo > 1"), @r#"
guard-call @ .foo: the result of a call has no fields
  - follows a call
  help: end the path before this
"#);
    assert_snapshot!(guard("input.ok"), @r#"
missing-dot @ input.ok: a path starts with a dot
  - without a dot, this is the name of a declaration
  help: add the dot
"#);
    assert_snapshot!(guard("ok"), @r#"
bare-word @ ok: `ok` is not a value
  - a bare word without quotes or a dot
  help: did you mean `.input.ok`?
"#);
    assert_snapshot!(guard(".ok && .input.okay"), @r#"
unknown-value @ .ok: there is no value `.ok` here
  - unknown value
  help: in a workflow it is `.input.ok`
unknown-field @ okay: `.input` has no field `okay`
  - no such field
  help: there are `a`, `b`, `f`, `d`, `big`, `name`, `note`, `nick` and 15 more
"#);
    assert_snapshot!(guard(".input.at < now()"), @r#"
unknown-function @ now: `now` is not a function
  - not a guard function
  help: guards have no clock; use the trigger `timeout(STEP, 1h)` for elapsed time
"#);
    assert_snapshot!(guard(".input.at < timestamp(\"2027-01-01T00:00:00Z\")"), @r#"
unknown-function @ timestamp: `timestamp` is not a function
  - not a guard function
  help: write only the literal: `"2027-01-31T12:00:00Z"`, `24h`
"#);
    assert_snapshot!(guard("string(.input.a) == \"1\""), @r#"
unknown-function @ string: `string` is not a function
  - not a guard function
  help: there are no implicit conversions; a literal takes the required type
"#);
    assert_snapshot!(guard("size(.input.lines.filter(line, line.price > 1)) > 1"), @r#"
unknown-function @ filter: `filter` is not a method
  - not a guard method
  help: use `exists` and `all` on lists; use a tool for other computations
"#);
    assert_snapshot!(guard("!-.input.a"), @r#"
guard-type @ !-.input.a: `!` and `-` cannot be combined
  - a number is not a condition, and a condition is not a number
"#);
}

#[test]
fn what_the_syntax_has_reported_is_not_reported_again() {
    for text in
        ["1 < .input.a < 3", ".input.note ?? \"x\" == \"y\"", ".input.a == 9007199254740993", "(.input.data == { a: 1 })", ".input.ok &&"]
    {
        let said = guard(text);
        assert_eq!(said.lines().filter(|line| !line.starts_with(' ')).count(), 1, "{text}: {said}");
    }
}

#[test]
fn long_chains_do_not_nest() {
    let and = vec![".input.a == 1"; 20_000].join(" && ");
    assert_eq!(guard(&and), "");
    let sum = vec![".input.a"; 20_000].join(" + ");
    assert_eq!(guard(&format!("{sum} > 3")), "");
}

#[test]
fn deep_nesting_fits_the_stack() {
    let deep = format!("{}.input.ok{}", "(".repeat(200), ")".repeat(200));
    assert_eq!(guard(&deep), "");
    let nots = format!("{}.input.ok", "!".repeat(10_000));
    assert_eq!(guard(&nots), "");
}
