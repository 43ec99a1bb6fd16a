use insta::assert_snapshot;

use crate::codes::declarations::CODES;
use crate::fixture::{Fixture, declared};

#[test]
fn the_prelude_is_legal() {
    assert_eq!(declared(""), "");
}

#[test]
fn every_bad_example_gets_its_diagnostic_and_no_other_and_every_good_one_gets_none() {
    for code in CODES {
        let bad = Fixture::new(code.bad);
        let shown = bad.show(bad.declare().diagnostics.into_iter().chain(bad.syntax_diagnostics()).collect());
        let ids = shown.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>();
        assert_eq!(ids, [code.id], "{}\n{shown}", code.bad);
        let good = Fixture::new(code.good);
        let shown = good.show(good.declare().diagnostics.into_iter().chain(good.syntax_diagnostics()).collect());
        assert_eq!(shown, "", "{}", code.good);
    }
}

#[test]
fn names_are_declared_once() {
    assert_snapshot!(declared("type Order { id: string }\ntool Order()\nevent a.b { }\nevent a.b = string\nerror timeout { }\ntype json = string\nevent ai.request { }\n"), @r#"
duplicate-declaration @ Order: the name `Order` is declared twice
  - duplicate
  - Order: a type with this name
  help: rename one of them
duplicate-declaration @ a.b: the topic `a.b` is declared twice
  - duplicate
  - a.b: an event with this name
  help: rename one of them
reserved-name @ timeout: `timeout` is a built-in failure kind
  - cannot be declared as an error
  help: choose another name, or write `timeout` in `fails` without declaring it
reserved-name @ json: `json` is a built-in type
  - cannot be declared again
  help: choose another name
reserved-name @ ai.request: the topic `ai.request` is built in
  - cannot be declared again
  help: choose another topic; the built-in one needs no declaration
"#);
}

#[test]
fn tools_may_be_called_like_scalars() {
    assert_eq!(declared("tool email(to: email) -> date\ntool date() -> date\n"), "");
}

#[test]
fn unknown_names_are_said_with_what_was_meant() {
    assert_snapshot!(declared(
        "type Order { customer: Custmer, total: number, paid: boolean, at: Foo, by: find, extra: map, x: strng }\ntype Customer { name: string }\ntool find(id: string)\n"
    ), @r"
unknown-name @ Custmer: there is no type `Custmer`
  - not declared or imported
  help: did you mean `Customer`?
unknown-name @ number: there is no type `number`
  - not declared or imported
  help: use `int` for whole numbers, `decimal` for exact ones such as amounts of money, and `float` for all others
unknown-name @ boolean: there is no type `boolean`
  - not declared or imported
  help: did you mean `bool`?
unknown-name @ Foo: there is no type `Foo`
  - not declared or imported
  help: declare it with `type Foo { … }`, or import it
wrong-kind @ find: `find` is a tool, not a type
  - expected a type
  - find: a tool with this name
  note: a type is a `type`, `enum`, `union` or `error`, or a built-in
unknown-name @ map: `map` lacks the type of its values
  - no value type
  help: write `map<string>`; the keys are always strings
unknown-name @ strng: there is no type `strng`
  - not declared or imported
  help: did you mean `string`?
");
}

#[test]
fn topics_are_looked_up_too() {
    assert_snapshot!(declared("event a.asked { } -> a.granted | a.deniedd | tool.result | nothing.like_it\nevent a.granted { }\nevent a.denied { }\n"), @r#"
    unknown-topic @ a.deniedd: there is no topic `a.deniedd`
      - not declared or imported
      help: did you mean `a.denied`?
    unknown-topic @ nothing.like_it: there is no topic `nothing.like_it`
      - not declared or imported
      help: declare it with `event nothing.like_it { … }`, or import it
    "#);
}

#[test]
fn imports_take_what_the_other_file_declares() {
    let program = "import { Customer, Tier as Level, order.placed } from \"./shop.weave\"\n\
                   type Ticket { customer: Customer, level: Level }\nevent a.b { } -> order.placed\n\
                   // file: shop.weave\ntype Customer { name: string }\nenum Tier { free, pro }\nevent order.placed { id: string }\n";
    assert_eq!(declared(program), "");
}

#[test]
fn imports_may_form_a_cycle() {
    let program =
        "import { B } from \"./b.weave\"\ntype A { b?: B }\n// file: b.weave\nimport { A } from \"./input.weave\"\ntype B { a?: A }\n";
    assert_eq!(declared(program), "");
}

#[test]
fn wrong_imports() {
    assert_snapshot!(declared(
        "import { Custmer, Zebra, Address, tool.result, order.placd } from \"./shop.weave\"\n\
         import { Item as Order, order.placed as placed } from \"./shop.weave\"\n\
         import { Order } from \"./shop.weave\"\nimport { Order } from \"./input.weave\"\n\
         import { Item, Item as Thing, Thing } from \"./shop.weave\"\n\
         type Order { a: Custmer, b: Zebra, c: Address, d: Thing }\n\
         // file: shop.weave\nimport { Address } from \"./address.weave\"\ntype Customer { at: Address }\ntype Order { id: string }\n\
         type Item { id: string }\nevent order.placed { }\n\
         // file: address.weave\ntype Address { city: string }\n"
    ), @r#"
unknown-import @ Custmer: the imported file does not declare `Custmer`
  - not declared there
  help: did you mean `Customer`?
unknown-import @ Zebra: the imported file does not declare `Zebra`
  - not declared there
indirect-import @ Address: the imported file only imports `Address`
  - not declared there
  - Address: imported here, not declared
  help: import it from the file that declares it, which that file calls "./address.weave"
reserved-name @ tool.result: the topic `tool.result` is built in
  - needs no import
  help: remove it from the import; the built-in topic needs no import
unknown-import @ order.placd: the imported file does not declare `order.placd`
  - not declared there
  help: did you mean `order.placed`?
duplicate-declaration @ Item as Order: the name `Order` of this import is already in use
  - `Order` is already declared
  - Order: a type of this file
  help: import it under another name: `Item as other_name`
topic-alias @ placed: a topic cannot be renamed: `order.placed`
  - only names without dots can be renamed
  help: import it without `as`
duplicate-declaration @ Order: the name `Order` of this import is already in use
  - `Order` is already declared
  - Order: a type of this file
  help: import it under another name: `Order as other_name`
self-import @ "./input.weave": a file imports itself
  - the same file
  help: remove the import; a declaration can be used everywhere in its file
unknown-import @ Thing: the imported file does not declare `Thing`
  - not declared there
"#);
}

#[test]
fn an_import_cannot_take_a_name_that_is_built_in() {
    assert_snapshot!(declared("import { A as string, b as timeout, c as email } from \"./shop.weave\"\n// file: shop.weave\ntype A { a: int }\nerror b\ntool c()\n"), @r#"
    reserved-name @ string: `string` is a built-in type
      - cannot be declared again
      help: choose another name
    reserved-name @ timeout: `timeout` is a built-in failure kind
      - cannot be declared as an error
      help: choose another name, or write `timeout` in `fails` without declaring it
    "#);
}

#[test]
fn twelve_mistakes_in_twelve_items_are_twelve_diagnostics() {
    let program = r#"
import { Customer, Nothing } from "./shop.weave"

type Order { id: string, by: Custmer }

typ Lost { id: string }

union Payment { card: string, cash: { amount: decimal, by: Lost } }

error refused { reason: strng }

event order.placed { order: Order } -> order.payed

tool find(id: string(min: 3, max: 2)) -> Order

tool refund(order: Order, amount: decimal) { timeout 10, example { order: { id: "x", by: "x" }, amount: 1 } }

signal tool escalate(reason: string) { retry 3 }

agent writer(question: string { model mini, system "Write." }

toolkit desk { tools [find, refund, writer, escalat] }

prompt ask(question: string) "Answer {{.qestion}}"

// file: shop.weave
type Customer { name: string }
"#;
    let fixture = Fixture::new(program);
    let found = fixture.syntax_diagnostics().into_iter().chain(fixture.declare().diagnostics).collect();
    assert_snapshot!(fixture.show(found), @r"
unknown-import @ Nothing: the imported file does not declare `Nothing`
  - not declared there
unknown-name @ Custmer: there is no type `Custmer`
  - not declared or imported
  help: did you mean `Customer`?
unknown-item @ typ: there is no declaration `typ`; did you mean `type`?
  - not a keyword
variant-type @ string: a variant of a union must be a record, not `string`
  - cannot carry the tag
  help: wrap it in a record, such as `{ value: string }`, or write alternatives with `|`
unknown-name @ strng: there is no type `strng`
  - not declared or imported
  help: did you mean `string`?
unknown-topic @ order.payed: there is no topic `order.payed`
  - not declared or imported
  help: did you mean `order.placed`?
constraint-value @ (min: 3, max: 2): no value is both at least 3 and at most 2
  - the minimum exceeds the maximum
  help: swap the two
foreign-form @ 10: a duration is a number directly followed by its unit
  - the unit is missing
  help: durations are written `250ms`, `30s`, `5m`, `24h` and `7d`
misplaced-setting @ retry: `retry` has no effect for a signal tool
  - no effect here
  note: a signal is decoded and never executed
  help: remove the setting, or declare another kind of tool
unclosed-bracket @ : expected `)` to close the parameters of `writer`
  - `)` is missing here
  - (: opened here
unknown-name @ escalat: there is no tool `escalat`
  - not declared or imported
  help: did you mean `escalate`?
unknown-value @ .qestion: there is no value `.qestion` here
  - unknown value
  help: did you mean `.question`?
");
}

#[test]
fn what_cannot_be_loaded_is_missing_without_a_word() {
    let program = "import { Customer, order.placed } from \"./gone.weave\"\ntype Ticket { by: Customer }\nevent a.b { } -> order.placed\n";
    assert_eq!(declared(program), "");
}

#[test]
fn what_a_broken_item_would_have_declared_is_missing_without_a_word() {
    let program = Fixture::new("typ Customer { name: string }\n\ntype Ticket { by: Customer, at: Nothing }\n");
    assert!(!program.syntax_diagnostics().is_empty());
    assert_snapshot!(program.show(program.declare().diagnostics), @r#"
    unknown-name @ Nothing: there is no type `Nothing`
      - not declared or imported
      help: declare it with `type Nothing { … }`, or import it
    "#);
}

#[test]
fn nothing_follows_from_what_the_parser_had_to_guess() {
    let program = Fixture::new("type Ticket { by: Nothing, at: }\ntype A { a: A b: ( }\nagent x( { }\nunion U { a: string, : }\n");
    assert!(!program.syntax_diagnostics().is_empty());
    assert_eq!(program.show(program.declare().diagnostics), "");
}

#[test]
fn attributes_are_known() {
    assert_snapshot!(declared(
        "@deprecated(\"use B\") @allow(unused-type, \"kept for old runs\", until: \"2027-06-30\") @allow(naming, \"as in the shop\")\n\
         type A {\n  @secret @wire(\"tokenValue\") token: string\n  @wire() a: int\n  @secret(1) b: int\n  @secrt c: int\n  @wire(\"x\") @wire(\"y\") d: int\n  @wire(\"x\") e: int\n}\n\
         @secret\ntype B { }\n@deprecated\ntype C { }\n@allow(naming)\ntype D { }\n@allow(naming, \"why\", until: \"2027-02-30\")\ntype E { }\n\
         enum F { @deprecated(\"use b\") a, @wire(\"x\") b }\n\
         workflow w() { @deprecated(\"no\") end done }\n"
    ), @r#"
attribute-arguments @ @wire(): `@wire` has wrong arguments
  - expected `@wire("nameInJson")`
attribute-arguments @ @secret(1): `@secret` has wrong arguments
  - expected `@secret`
unknown-attribute @ secrt: there is no attribute `@secrt`
  - not an attribute
  help: did you mean `@secret`?
duplicate-attribute @ @wire("y"): `@wire` is repeated
  - repeated here
  - @wire("x"): first here
  help: remove one of them
duplicate-wire-name @ e: two fields have the JSON name `x`
  - has this JSON name
  - d: and so does this one
  help: rename one of them with `@wire("…")`
misplaced-attribute @ secret: `@secret` has no effect here
  - belongs to fields and parameters
attribute-arguments @ @deprecated: `@deprecated` has wrong arguments
  - expected `@deprecated("what to use instead")`
attribute-arguments @ @allow(naming): `@allow` has wrong arguments
  - expected `@allow(rule-name, "reason")` or `@allow(rule-name, "reason", until: "2027-06-30")`
attribute-arguments @ @allow(naming, "why", until: "2027-02-30"): `@allow` has wrong arguments
  - expected `@allow(rule-name, "reason")` or `@allow(rule-name, "reason", until: "2027-06-30")`
misplaced-attribute @ wire: `@wire` has no effect here
  - belongs to fields and parameters
misplaced-attribute @ deprecated: `@deprecated` has no effect here
  - belongs to declarations, fields and the values of enums and unions
"#);
}

#[test]
fn errors_have_fields() {
    assert_snapshot!(declared("type R { text: string }\nerror a = R\nerror b\nerror c { reason: string }\n"), @r#"
error-data @ R: the data of the error `a` is not written as fields
  - expected fields in braces
  help: write `error a { … }`
"#);
}
