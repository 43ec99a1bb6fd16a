//! Values, paths and placeholders.

use insta::assert_snapshot;

use crate::fixture::typed as checked;

/// A workflow with this input and this output, which ends at once.
pub(super) fn ends(declarations: &str, input: &str, output: &str, value: &str) -> String {
    checked(&format!("{declarations}\nworkflow w({input}) -> {output} {{\n  end done = {value}\n}}\n"))
}

pub(super) const SHOP: &str = "
enum Tier { free, pro, enterprise = \"ent\" }
type Customer { id: uuid, name: string, email?: email, @wire(\"nickName\") nick?: string }
type Order { id: string, customer: Customer | null, total: decimal, lines: Line[](min: 1), placed: timestamp, tier: Tier = \"free\", notes: map<string> }
type Line { sku: string, count: int(1..100), price: float }
union Payment { card: Card, wire: Wire }
type Card { number: string, holder?: string }
type Wire { iban: string }
";

pub(super) fn order(output: &str, value: &str) -> String {
    ends(SHOP, "order: Order, payment: Payment, limit: int, note?: string, data: json", output, value)
}

#[test]
fn values_that_fit_are_silent() {
    for (output, value) in [
        ("string", "\"a\""),
        ("string", "\"\"\"\n  a\n  \"\"\""),
        ("int", "5"),
        ("int", "5.0"),
        ("float", "5"),
        ("float", ".input.limit"),
        ("decimal", "12.50"),
        ("decimal", "\"12.50\""),
        ("decimal", ".input.order.total"),
        ("int64", "7"),
        ("int64", "\"9007199254740993\""),
        ("duration", "24h"),
        ("duration", "\"PT24H\""),
        ("uuid", "\"123e4567-e89b-12d3-a456-426614174000\""),
        ("Tier", "\"ent\""),
        ("Tier", ".input.order.tier"),
        ("string", ".input.order.tier"),
        ("\"free\" | \"pro\" | \"ent\"", ".input.order.tier"),
        ("json", "{ a: [1, \"x\", .input.order, null], b: { c: true } }"),
        ("json", ".input.order"),
        ("Order", ".input.order"),
        ("Customer | null", ".input.order.customer"),
        ("{ id: string, customer: Customer | null, total: decimal, ... }", ".input.order"),
        ("string", "\"{{.input.order.total}} for {{.input.order.lines}} in {{.input.limit}}\""),
        ("string", "\"{{.input.order.total}}\""),
        ("uri", "\"https://example.com/{{.input.order.id}}\""),
        ("string", ".input.order.customer?.name ?? \"nobody\""),
        ("string", ".input.order.customer?.nick ?? \"nobody\""),
        ("string", "\"{{.input.note ?? \"nothing\"}}\""),
        ("string[]", "[\"a\", .input.order.id]"),
        ("string[]", "[]"),
        ("(string | int)[]", "[\"a\", 1]"),
        ("float", ".input.order.lines[0].price"),
        ("string", ".input.order.notes.gift ?? \"none\""),
        ("map<int>", "{ a: 1, \"b c\": .input.limit }"),
        ("{ note?: string }", "{ note: .input.note }"),
        ("{ note: string = \"x\" }", "{ note: .input.note }"),
        ("{ note?: string }", "{ }"),
        ("Payment", "{ kind: \"card\", number: \"1\" }"),
        ("Payment", ".input.payment"),
        ("\"card\" | \"wire\"", ".input.payment.kind"),
        ("Payment | null", "null"),
        ("{ a: int } | { b: string }", "{ b: \"x\" }"),
        ("{ kind: \"a\", n: int } | { kind: \"b\", n: string }", "{ kind: \"b\", n: \"x\" }"),
        ("{ n: int } | { n: string }", "{ n: .input.order.id }"),
        ("int[] | string[]", "[.input.order.id]"),
        ("json", "\"\\{{ literal }}\""),
        ("bool | null", "true"),
    ] {
        assert_eq!(order(output, value), "", "{output} = {value}");
    }
}

#[test]
fn types_that_do_not_fit() {
    assert_snapshot!(order("string", ".input.limit"), @r#"
type-mismatch @ .input.limit: expected `string`, found `int`
  - this is `int`
  - string: the output of `w` is `string`
  help: in a longer string it is converted too: `"no. {{.input.limit}}"`
"#);
    assert_snapshot!(order("string", ".input.order.total"), @r#"
type-mismatch @ .input.order.total: expected `string`, found `decimal`
  - this is `decimal`
  - string: the output of `w` is `string`
  help: as a string it is `"{{.input.order.total}}"`
"#);
    assert_snapshot!(order("int", "1.5"), @r"
    type-mismatch @ 1.5: expected `int`, found `1.5`
      - not `int`
      - int: the output of `w` is `int`
      help: write it like `12`
    ");
    assert_snapshot!(order("string", "5"), @r"
    type-mismatch @ 5: expected `string`, found `5`
      - not `string`
      - string: the output of `w` is `string`
      help: write it as a string
    ");
    assert_snapshot!(order("int", "\"5\""), @r#"
    type-mismatch @ "5": expected `int`, found `"5"`
      - not `int`
      - int: the output of `w` is `int`
      help: write it like `12`
    "#);
    assert_snapshot!(order("int", "null"), @r#"
type-mismatch @ null: expected `int`, found `null`
  - not `int`
  - int: the output of `w` is `int`
  help: remove the entry, or declare the type with `| null`
"#);
    assert_snapshot!(order("decimal", ".input.limit"), @r"
    type-mismatch @ .input.limit: expected `decimal`, found `int`
      - this is `int`
      - decimal: the output of `w` is `decimal`
    ");
    assert_snapshot!(order("Tier", "\"por\""), @r#"
    type-mismatch @ "por": `"por"` is not a value of `Tier`
      - not one of its values
      - Tier: the output of `w` is `Tier`
      help: did you mean `"pro"`?
    "#);
    assert_snapshot!(order("Tier", "\"enterprise\""), @r#"
type-mismatch @ "enterprise": `"enterprise"` is not a value of `Tier`
  - not one of its values
  - Tier: the output of `w` is `Tier`
  help: in JSON this value is "ent"
"#);
    assert_snapshot!(order("Tier", "\"unheard of\""), @r#"
    type-mismatch @ "unheard of": `"unheard of"` is not a value of `Tier`
      - not one of its values
      - Tier: the output of `w` is `Tier`
      help: there are `"free"`, `"pro"` and `"ent"`
    "#);
    assert_snapshot!(order("\"free\" | \"pro\"", ".input.order.tier"), @r#"
    type-mismatch @ .input.order.tier: expected `"free" | "pro"`, found `Tier`
      - this is `Tier`
      - "free" | "pro": the output of `w` is `"free" | "pro"`
    "#);
    assert_snapshot!(order("timestamp", "\"tomorrow\""), @r#"
wrong-format @ "tomorrow": `"tomorrow"` is not a valid `timestamp`
  - not a `timestamp`
  - timestamp: the output of `w` is `timestamp`
  help: write it like `"2027-01-31T12:00:00Z"`
"#);
    assert_snapshot!(order("uuid", "\"x{{.input.order.id}}\""), @r#"
type-mismatch @ "x{{.input.order.id}}": expected `uuid`, found a string
  - a string with placeholders has the type `string`
  - uuid: the output of `w` is `uuid`
  help: a single placeholder in quotes, or a path without quotes, keeps its type
"#);
    assert_snapshot!(order("Customer", ".input.order"), @r"
    type-mismatch @ .input.order: expected `Customer`, found `Order`
      - this is `Order`
      - Customer: the output of `w` is `Customer`
      note: its `id` is `string`, not `uuid`
    ");
    assert_snapshot!(order("Line[]", ".input.order"), @r"
    type-mismatch @ .input.order: expected `Line[]`, found `Order`
      - this is `Order`
      - Line[]: the output of `w` is `Line[]`
    ");
    assert_snapshot!(order("int", "{ a: 1 }"), @r"
    type-mismatch @ { a: 1 }: expected `int`, found an object
      - this is an object
      - int: the output of `w` is `int`
    ");
    assert_snapshot!(order("int", "[1]"), @r"
    type-mismatch @ [1]: expected `int`, found a list
      - this is a list
      - int: the output of `w` is `int`
    ");
    assert_snapshot!(order("string", ".input.limit ?? \"x\""), @r#"
type-mismatch @ .input.limit: expected `string`, found `int`
  - this is `int`
  - string: the output of `w` is `string`
  help: in a longer string it is converted too: `"no. {{.input.limit}}"`
"#);
    assert_snapshot!(order("int", ".input.limit ?? \"x\""), @r#"
    type-mismatch @ "x": expected `int`, found `"x"`
      - not `int`
      - int: the output of `w` is `int`
      help: write it like `12`
    "#);
    assert_snapshot!(order("{ id: int, customer: Customer, ... }", ".input.order"), @r"
    type-mismatch @ .input.order: expected `{ id: int, customer: Customer, ... }`, found `Order`
      - this is `Order`
      - { id: int, customer: Customer, ... }: the output of `w` is `{ id: int, customer: Customer, ... }`
      note: its `id` is `string`, not `int`
    ");
    assert_snapshot!(order("{ id: string }", ".input.order"), @r#"
type-mismatch @ .input.order: expected `{ id: string }`, found `Order`
  - this is `Order`
  - { id: string }: the output of `w` is `{ id: string }`
  note: it has the field `customer`, which is not allowed there
"#);
    assert_snapshot!(order("{ id: string, more: int, ... }", ".input.order"), @r#"
type-mismatch @ .input.order: expected `{ id: string, more: int, ... }`, found `Order`
  - this is `Order`
  - { id: string, more: int, ... }: the output of `w` is `{ id: string, more: int, ... }`
  note: it lacks `more`
"#);
    assert_snapshot!(order("string", ".input.data"), @r"
    type-mismatch @ .input.data: expected `string`, found `json`
      - this is `json`
      - string: the output of `w` is `string`
    ");
}

#[test]
fn objects() {
    assert_snapshot!(order("Line", "{ sku: \"a\", cuont: 1 }"), @r#"
    missing-field @ { sku: "a", cuont: 1 }: `Line` needs `price`
      - `price` is missing
      - price: `price: float`
      help: add it
    unknown-field @ cuont: `Line` has no `cuont`
      - not declared
      help: did you mean `count`?
    "#);
    assert_snapshot!(order("Customer", "{ id: \"x\", name: .input.order.id, nickName: \"n\" }"), @r#"
wrong-format @ "x": `"x"` is not a valid `uuid`
  - not a `uuid`
  - id: `id` is declared as `uuid`
  help: write it like `"123e4567-e89b-12d3-a456-426614174000"`
unknown-field @ nickName: `Customer` has no `nickName`
  - not declared
  - nick: declared here
  help: the name in the language is `nick`
"#);
    assert_snapshot!(order("Order", "{ customer: { name: \"A\" }, lines: [{ sku: 5, count: 0 }] }"), @r#"
missing-field @ { customer: { name: "A" }, lines: [{ sku: 5, count: 0 }] }: `Order` needs `id`, `total`, `placed` and `notes`
  - 4 entries are missing
  - id: `id: string`
  - total: `total: decimal`
  - placed: `placed: timestamp`
  - notes: `notes: map<string>`
  help: add them
missing-field @ { name: "A" }: `Customer` needs `id`
  - `id` is missing
  - id: `id: uuid`
  help: add it
missing-field @ { sku: 5, count: 0 }: `Line` needs `price`
  - `price` is missing
  - price: `price: float`
  help: add it
type-mismatch @ 5: expected `string`, found `5`
  - not `string`
  - sku: `sku` is declared as `string`
  help: write it as a string
broken-constraint @ 0: `0` violates the constraint `min: 1`
  - must be `int(1..100)`
  - count: `count` is declared as `int(1..100)`
"#);
    assert_snapshot!(order("Payment", "{ number: \"1\" }"), @r#"
missing-field @ { number: "1" }: `Payment` needs its tag `kind`
  - `kind` is missing
  help: add the tag: `kind` is `"card"` or `"wire"`
"#);
    assert_snapshot!(order("Payment", "{ kind: \"crad\", number: \"1\" }"), @r#"
    type-mismatch @ "crad": `"crad"` is not a value of `Payment`
      - not one of its values
      - Payment: the output of `w` is `Payment`
      help: did you mean `"card"`?
    "#);
    assert_snapshot!(order("Payment", "{ kind: \"card\", iban: \"1\" }"), @r#"
    unknown-field @ iban: `Payment` with `kind: "card"` has no `iban`
      - not declared
      help: there are `kind`, `number` and `holder`
    "#);
    assert_snapshot!(order("{ a: int } | { b: string }", "{ b: 1 }"), @r"
    type-mismatch @ 1: expected `string`, found `1`
      - not `string`
      - b: `b` is declared as `string`
      help: write it as a string
    ");
    assert_snapshot!(order("map<int>", "{ a: \"x\" }"), @r#"
    type-mismatch @ "x": expected `int`, found `"x"`
      - not `int`
      - map<int>: the output of `w` is `map<int>`
      help: write it like `12`
    "#);
    assert_snapshot!(order("map<int>(max: 1)", "{ a: 1, b: 2 }"), @r#"
broken-constraint @ { a: 1, b: 2 }: 2 elements violate the constraint `max: 1`
  - must be `map<int>(max: 1)`
  - map<int>(max: 1): the output of `w` is `map<int>(max: 1)`
"#);
}

#[test]
fn constraints_of_constants() {
    assert_snapshot!(order("int(1..100)", "0"), @r#"
broken-constraint @ 0: `0` violates the constraint `min: 1`
  - must be `int(1..100)`
  - int(1..100): the output of `w` is `int(1..100)`
"#);
    assert_snapshot!(order("string(pattern: \"^A-\")", "\"B-1\""), @r#"
broken-constraint @ "B-1": `"B-1"` violates the constraint `pattern: "^A-"`
  - must be `string(pattern: "^A-")`
  - string(pattern: "^A-"): the output of `w` is `string(pattern: "^A-")`
"#);
    assert_snapshot!(order("string(min: 1)", "\"\""), @r#"
broken-constraint @ "": `""` violates the constraint `min: 1`
  - must be `string(min: 1)`
  - string(min: 1): the output of `w` is `string(min: 1)`
"#);
    assert_snapshot!(order("int[](min: 2, unique: true)", "[1]"), @r#"
broken-constraint @ [1]: one element violates the constraint `min: 2`
  - must be `int[](min: 2, unique: true)`
  - int[](min: 2, unique: true): the output of `w` is `int[](min: 2, unique: true)`
"#);
    assert_snapshot!(order("int[](unique: true)", "[1, 2, 1]"), @r#"
broken-constraint @ 1: a list of unique elements contains a duplicate
  - duplicate
  - 1: first occurrence
  help: remove one of them
"#);
    assert_snapshot!(order("decimal(max: \"10\")", "10.01"), @r#"
broken-constraint @ 10.01: `10.01` violates the constraint `max: "10"`
  - must be `decimal(max: 10)`
  - decimal(max: "10"): the output of `w` is `decimal(max: 10)`
"#);
}

#[test]
fn what_the_syntax_has_reported_is_not_reported_again() {
    for value in [
        ".input.limit + 1",
        "!.input.limit",
        ".input.note ?? .input.order.id",
        "9007199254740993",
        "size(.input.note)",
        "\"{{.a + 1}}\"",
        "",
    ] {
        let said = order("string", value);
        assert_eq!(said.lines().filter(|line| !line.starts_with(' ')).count(), 1, "{value}: {said}");
    }
}

#[test]
fn an_unknown_type_says_nothing() {
    let said = checked(
        "type Order { customer: Custmer }\nworkflow w(order: Order, other: Nothing) -> Missing {\n  end done when .input.order.customer.x > 3 = { a: .input.other.b.c, b: .input.order.customer.x }\n}\n",
    );
    let ids = said.lines().filter(|line| !line.starts_with(' ')).collect::<Vec<_>>();
    assert!(ids.iter().all(|id| id.starts_with("unknown-name") || id.starts_with("missing-token")), "{said}");
}

#[test]
fn records_are_compared_by_their_fields() {
    let types = "type A { value: int, next?: A }\ntype B { value: int, next?: B }\ntype C { value: int, next?: { value: string } }\ntype D { value: float, next?: D, ... }";
    assert_eq!(ends(types, "a: A", "B", ".input.a"), "");
    assert_eq!(ends(types, "a: A", "D", ".input.a"), "");
    assert_eq!(ends(types, "a: A[]", "(B | null)[]", ".input.a"), "");
    assert_eq!(ends(types, "a: { x: int, y: int }", "map<float>", ".input.a"), "");
    assert_snapshot!(ends(types, "a: A", "C", ".input.a"), @r"
    type-mismatch @ .input.a: expected `C`, found `A`
      - this is `A`
      - C: the output of `w` is `C`
      note: its `next.value` is `int`, not `string`
    ");
    assert_snapshot!(ends(types, "d: D", "A", ".input.d"), @r"
    type-mismatch @ .input.d: expected `A`, found `D`
      - this is `D`
      - A: the output of `w` is `A`
      note: its `value` is `float`, not `int`
    ");
    assert_snapshot!(ends(types, "a: A | string", "A", ".input.a"), @r"
    type-mismatch @ .input.a: expected `A`, found `A | string`
      - this is `A | string`
      - A: the output of `w` is `A`
    ");
    assert_snapshot!(ends(types, "a: map<int>", "{ x: int }", ".input.a"), @r"
    type-mismatch @ .input.a: expected `{ x: int }`, found `map<int>`
      - this is `map<int>`
      - { x: int }: the output of `w` is `{ x: int }`
    ");
}

#[test]
fn unions_of_one_meaning_fit_each_other() {
    let types = "enum E { a, b }\nunion U { x: { n: int }, y: { s: string } }\nunion V { x: { n: int }, y: { s: string }, z: { } }";
    assert_eq!(ends(types, "e: \"a\" | \"b\"", "E", ".input.e"), "");
    assert_eq!(ends(types, "e: E | null", "\"a\" | \"b\" | \"c\" | null", ".input.e"), "");
    assert_eq!(ends(types, "b: bool", "true | false", ".input.b"), "");
    assert_eq!(ends(types, "u: U", "V", ".input.u"), "");
    assert_eq!(ends(types, "u: U", "{ kind: \"x\", n: int } | { kind: \"y\", s: string }", ".input.u"), "");
    assert_eq!(ends(types, "u: { kind: \"x\", n: int }", "U", ".input.u"), "");
    assert_snapshot!(ends(types, "v: V", "U", ".input.v"), @r#"
    type-mismatch @ .input.v: expected `U`, found `V`
      - this is `V`
      - U: the output of `w` is `U`
      note: its `kind` is `"z"`, not `"x" | "y"`
    "#);
    assert_snapshot!(ends(types, "u: { kind: \"x\" | \"y\", n: int }", "U", ".input.u"), @r#"
type-mismatch @ .input.u: expected `U`, found `{ kind: "x" | "y", n: int }`
  - this is `{ kind: "x" | "y", n: int }`
  - U: the output of `w` is `U`
  note: it lacks `s`
"#);
    assert_snapshot!(ends(types, "u: { n: int }", "U", ".input.u"), @r#"
type-mismatch @ .input.u: expected `U`, found `{ n: int }`
  - this is `{ n: int }`
  - U: the output of `w` is `U`
  note: it lacks `kind`
"#);
}

#[test]
fn chains_of_thousands_of_types_and_deep_values_fit_the_stack() {
    let mut types = String::new();
    for index in 0..3_000 {
        types += &format!("type A{index} {{ next?: A{next} }}\ntype B{index} {{ next?: B{next} }}\n", next = index + 1);
    }
    types += "type A3000 { end: int }\ntype B3000 { end: int }\n";
    assert_eq!(ends(&types, "a: A0", "B0", ".input.a"), "");
    let deep = format!("{}1{}", "[{ a: ".repeat(100), " }]".repeat(100));
    assert_eq!(ends("", "", "json", &deep), "");
    assert!(ends("", "", "int", &deep).contains("found a list"));
}
