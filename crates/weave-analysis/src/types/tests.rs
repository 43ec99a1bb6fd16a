use std::fmt::Write;
use std::sync::Arc;

use insta::assert_snapshot;
use weave_diagnostics::FileId;

use crate::fixture::{Fixture, declared};
use crate::model::types::{RecordType, Type};
use crate::model::{DeclarationKind, Model};

#[test]
fn constraints_fit_their_types() {
    assert_snapshot!(declared(
        "type A {\n  a: bool(min: 1)\n  b: int(min: 1.5)\n  c: string(min: -1)\n  d: string(minLength: 1)\n  e: A[](pattern: \"x\")\n  f: map<int>(unique: true)\n  \
         g: int(5..1)\n  h: decimal(\"1.50\"..\"1.5\")\n  i: timestamp(\"x\"..)\n  j: duration(30s..1m)\n  k: A(min: 1)\n  l: int[](min: 3, max: 2)\n  m: json(max: 3)\n  \
         n: duration(1h..1m)\n  o: string[](unique: 1)\n  p: int64(0..\"9223372036854775808\")\n}\n"
    ), @r#"
constraint-not-allowed @ (min: 1): `bool` takes no constraints
  - has no effect here
  help: remove the parentheses, or constrain a scalar, a list or a map
constraint-value @ 1.5: `min` of `int` has an invalid value
  - expected an integer, such as `10`
constraint-value @ -1: `min` of `string` has an invalid value
  - expected a number of characters, such as `10`
constraint-not-allowed @ minLength: `string` has no constraint `minLength`
  - expected `min`, `max` or `pattern`
  help: did you mean `min`?
constraint-not-allowed @ pattern: a list has no constraint `pattern`
  - expected `min`, `max` or `unique`
constraint-not-allowed @ unique: a map has no constraint `unique`
  - expected `min` or `max`
constraint-value @ (5..1): no value is both at least 5 and at most 1
  - the minimum exceeds the maximum
  help: swap the two
constraint-value @ "x": `min` of `timestamp` has an invalid value
  - expected a timestamp, such as `"2027-01-31T12:00:00Z"`
infinite-type @ k: no finite value of `A` exists
  - needs another `A`, and so on
  help: make one of these fields optional (`name?: T`), nullable (`T | null`), or a list
constraint-not-allowed @ (min: 1): `A` takes no constraints
  - has no effect here
  help: remove the parentheses, or constrain a scalar, a list or a map
constraint-value @ (min: 3, max: 2): no value is both at least 3 and at most 2
  - the minimum exceeds the maximum
  help: swap the two
constraint-not-allowed @ (max: 3): `json` takes no constraints
  - has no effect here
  help: remove the parentheses, or constrain a scalar, a list or a map
constraint-value @ (1h..1m): no value is both at least 1h and at most 1m
  - the minimum exceeds the maximum
  help: swap the two
constraint-value @ 1: `unique` of a list has an invalid value
  - expected `true` or `false`
constraint-value @ "9223372036854775808": `max` of `int64` has an invalid value
  - expected an integer, such as `10` or `"9007199254740993"`
"#);
}

#[test]
fn patterns_are_understood_everywhere() {
    assert_snapshot!(declared("type A { a: string(pattern: \"^(?=x)\"), b: string(pattern: \"[a-\"), c: string(pattern: \"^[A-Z]{3}$\"), d: string(pattern: 3) }\n"), @r#"
invalid-pattern @ (?=: the pattern is not portable
  - look-around is not portable
  help: use only what every regular expression engine interprets alike: literals, classes, `\d \w \s \b`, `^ $`, groups, `|`, and repetitions
invalid-pattern @ [: the pattern is not portable
  - unclosed character class
  help: use only what every regular expression engine interprets alike: literals, classes, `\d \w \s \b`, `^ $`, groups, `|`, and repetitions
constraint-value @ 3: `pattern` of `string` has an invalid value
  - expected a regular expression, such as `"^[A-Z]{3}-"`
"#);
}

#[test]
fn types_come_to_an_end() {
    assert_snapshot!(declared(
        "type A { b: B }\ntype B { c: C[](min: 1) }\ntype C { a: A | D }\ntype D { c: C }\n\
         type Tree { children: Tree[], parent?: Tree, other: Tree | null, by_name: map<Tree> }\n\
         union U { leaf: { value: int }, node: { left: U, right: U } }\nunion V { a: { v: V }, b: { v: V } }\n\
         type Outside { a: A }\nerror loop { again: loop }\ntype Late { x: Never | Soon }\ntype Never { n: Late }\ntype Soon { v: int }\n"
    ), @r#"
infinite-type @ b: no finite value of `A` exists
  - needs `B`
  - c: needs `C`
  - a: needs `A`
  help: make one of these fields optional (`name?: T`), nullable (`T | null`), or a list
infinite-type @ a: no finite value of `V` exists
  - needs another `V`, and so on
  help: make one of these fields optional (`name?: T`), nullable (`T | null`), or a list
infinite-type @ again: no finite value of `loop` exists
  - needs another `loop`, and so on
  help: make one of these fields optional (`name?: T`), nullable (`T | null`), or a list
"#);
}

#[test]
fn aliases_come_to_an_end() {
    assert_snapshot!(declared("type A = B\ntype B = C | null\ntype C = A\ntype D = D\ntype E = A\ntype F = F[]\ntype G { f: A }\n"), @r#"
alias-cycle @ A: the alias `A` refers to itself
  - refers to `B`, which refers to `C`, which refers to `A`
  - B: part of the cycle
  - C: part of the cycle
  help: make one of them a type of its own
alias-cycle @ D: the alias `D` refers to itself
  - refers to `D`
  help: make one of them a type of its own
"#);
}

#[test]
fn variants_are_records_without_the_tag() {
    assert_snapshot!(declared(
        "type Card { number: string }\ntype Alias = Card\ntype Tagged { kind: string }\nerror lost { }\n\
         union U { a: Card, b: Alias, c: lost, d: string, e: Tagged, f: Card | null, g: { @wire(\"kind\") x: int } }\n\
         union V by type { a: Tagged, b: { type: string } }\n"
    ), @r#"
variant-type @ string: a variant of a union must be a record, not `string`
  - cannot carry the tag
  help: wrap it in a record, such as `{ value: string }`, or write alternatives with `|`
variant-type @ Tagged: a variant has a field `kind`, which is the tag of the union
  - has the tag as a field
  - kind: this field
  help: remove the field, or choose another tag with `union Name by tag { … }`
variant-type @ Card | null: a variant of a union must be a record, not `Card | null`
  - cannot carry the tag
  help: wrap it in a record, such as `{ value: Card | null }`, or write alternatives with `|`
variant-type @ { @wire("kind") x: int }: a variant has a field `kind`, which is the tag of the union
  - has the tag as a field
  - x: this field
  help: remove the field, or choose another tag with `union Name by tag { … }`
variant-type @ { type: string }: a variant has a field `type`, which is the tag of the union
  - has the tag as a field
  - type: this field
  help: remove the field, or choose another tag with `union Name by tag { … }`
"#);
}

#[test]
fn alternatives_are_given_once() {
    assert_snapshot!(declared("type A { a: \"x\" | \"y\" | \"x\", b: int | (string | int), c: 1 | 2 | 1, d: A | A, e: null | A | null }\n"), @r#"
duplicate-alternative @ "x": the alternative `"x"` is repeated
  - duplicate
  help: remove it, or write the alternative that was meant
duplicate-alternative @ (string | int): the alternative `int` is repeated
  - duplicate
  help: remove it, or write the alternative that was meant
duplicate-alternative @ 1: the alternative `1` is repeated
  - duplicate
  help: remove it, or write the alternative that was meant
infinite-type @ d: no finite value of `A` exists
  - needs another `A`, and so on
  help: make one of these fields optional (`name?: T`), nullable (`T | null`), or a list
duplicate-alternative @ A: the alternative `A` is repeated
  - duplicate
  help: remove it, or write the alternative that was meant
duplicate-alternative @ null: the alternative `null` is repeated
  - duplicate
  help: remove it, or write the alternative that was meant
"#);
}

/// Shows the types of a file's declarations.
fn types(program: &str) -> String {
    let fixture = Fixture::new(program);
    let syntax = fixture.syntax_diagnostics();
    assert!(syntax.is_empty(), "{}", fixture.show(syntax));
    let model = fixture.declare().model;
    let mut shown = String::new();
    for declaration in model.declarations.iter().filter(|declaration| declaration.file == FileId(1)) {
        writeln!(shown, "{} = {}", declaration.name, kind(&model, &declaration.kind)).unwrap();
    }
    shown
}

fn kind(model: &Model, kind: &DeclarationKind) -> String {
    let record = |record: &Arc<RecordType>| model.display(&Type::Record(record.clone()));
    match kind {
        DeclarationKind::Type(ty) => model.display(ty),
        DeclarationKind::Enum(it) => it.values.iter().map(|value| format!("{}={}", value.name, value.wire)).collect::<Vec<_>>().join(", "),
        DeclarationKind::Union(it) => {
            let variants = it.variants.iter().map(|variant| format!("{}: {}", variant.name, model.display(&variant.ty)));
            format!("by {}: {}", it.tag, variants.collect::<Vec<_>>().join(", "))
        }
        DeclarationKind::Error(it) => record(it),
        DeclarationKind::Event(it) => {
            let answers = it.answers.iter().filter_map(|id| model.get(*id)).map(|it| it.name.to_string()).collect::<Vec<_>>().join(" | ");
            format!("{}{} -> {answers}", if it.external { "external " } else { "" }, model.display(&it.payload))
        }
        DeclarationKind::Tool(it) => {
            format!("{} -> {}", record(&it.input), it.output.as_ref().map_or(String::new(), |ty| model.display(ty)))
        }
        DeclarationKind::Agent(it) => {
            format!("{} -> {}", record(&it.input), it.output.as_ref().map_or(String::new(), |ty| model.display(ty)))
        }
        DeclarationKind::Workflow(it) => format!("{} fails {:?}", record(&it.input), it.failures),
        other => format!("{other:?}"),
    }
}

#[test]
fn types_are_shown_as_they_are_written() {
    assert_snapshot!(types(
        "type Sku = string(pattern: \"^A-\")\ntype Order {\n  id: Sku\n  n: int(1..100)\n  at: float(min: 0)\n}\ntype Rest {\n  tags: (\"a\" | \"b\")[](max: 20, unique: true)\n  \
         by?: Order | null\n  ...\n}\ntype More {\n  extra: map<json>(max: 3)\n  price: decimal(0.50..10) = \"1.20\"\n}\n\
         type Deep = { a: { b: { c: { d: { e: int } } } } }[][]\ntype Long = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n\
         enum Tier { free, enterprise = \"ent\" }\nunion Payment by method { card: { number: string }, cash: Order }\nerror lost { why?: string }\n\
         external event a.b = Order\nevent a.c { } -> a.b\ntool find(id: Sku) -> Order\nworkflow w(t: duration(1m..)) { fail late on timeout(1h)  end done }\n"
    ), @r#"
    Sku = string(pattern: "^A-")
    Order = { id: Sku, n: int(1..100), at: float(min: 0) }
    Rest = { tags: ("a" | "b")[](max: 20, unique: true), by?: Order | null, ... }
    More = { extra: map<json>(max: 3), price: decimal(0.5..10) }
    Deep = { a: { b: { … } } }[][]
    Long = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | …
    Tier = free=free, enterprise=ent
    Payment = by method: card: { number: string }, cash: Order
    lost = { why?: string }
    a.b = external Order -> 
    a.c = {} -> a.b
    find = { id: Sku } -> Order
    w = { t: duration(min: 1m) } fails ["late"]
    "#);
}

#[test]
fn long_chains_of_declarations_are_no_problem() {
    // In one file, each named by the next one, the first ones not finite before the last one is known.
    let mut text = String::new();
    for index in 0..20_000 {
        writeln!(text, "type T{index} {{ next: T{}, other: A{index}[] }}\ntype A{index} = A{} | null", index + 1, index + 1).unwrap();
    }
    text.push_str("type T20000 { v: int }\ntype A20000 = string\ntype Wrong { a: T20001 }\n");
    let fixture = Fixture::new(&text);
    let shown = fixture.show(fixture.declare().diagnostics);
    assert_snapshot!(shown, @r#"
    unknown-name @ T20001: there is no type `T20001`
      - not declared or imported
      help: did you mean `T2000`?
    "#);
}
