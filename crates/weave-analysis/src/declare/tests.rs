use insta::assert_snapshot;
use weave_diagnostics::FileId;

use crate::codes::declarations::CODES;
use crate::fixture::{Fixture, declared};
use crate::model::{DeclarationKind, Model};

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
    assert_snapshot!(declared("type Order { id: string }\ntool Order()\nevent a.b { }\nevent a.b = string\nerror timeout { }\ntype json = string\nevent ai.request { }\n"), @"");
}

#[test]
fn tools_may_be_called_like_scalars() {
    assert_eq!(declared("tool email(to: email) -> date\ntool date() -> date\n"), "");
}

#[test]
fn unknown_names_are_said_with_what_was_meant() {
    assert_snapshot!(declared(
        "type Order { customer: Custmer, total: number, paid: boolean, at: Foo, by: find, extra: map, x: strng }\ntype Customer { name: string }\ntool find(id: string)\n"
    ), @"");
}

#[test]
fn topics_are_looked_up_too() {
    assert_snapshot!(declared("event a.asked { } -> a.granted | a.deniedd | tool.result | nothing.like_it\nevent a.granted { }\nevent a.denied { }\n"), @"");
}

#[test]
fn imports_take_what_the_other_file_declares() {
    let program = "import { Customer, Tier as Level, order.placed } from \"./shop.weave\"\n\
                   type Ticket { customer: Customer, level: Level }\nevent a.b { } -> order.placed\n\
                   //- shop.weave\ntype Customer { name: string }\nenum Tier { free, pro }\nevent order.placed { id: string }\n";
    assert_eq!(declared(program), "");
}

#[test]
fn imports_may_go_round_in_a_circle() {
    let program = "import { B } from \"./b.weave\"\ntype A { b?: B }\n//- b.weave\nimport { A } from \"./input.weave\"\ntype B { a?: A }\n";
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
         //- shop.weave\nimport { Address } from \"./address.weave\"\ntype Customer { at: Address }\ntype Order { id: string }\n\
         type Item { id: string }\nevent order.placed { }\n\
         //- address.weave\ntype Address { city: string }\n"
    ), @"");
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
    assert_snapshot!(program.show(program.declare().diagnostics), @"");
}

#[test]
fn nothing_follows_from_what_the_parser_had_to_guess() {
    let program = Fixture::new("type Ticket { by: Nothing, at: }\ntype A { a: A b: ( }\nagent x( { }\nunion U { a: string, : }\n");
    assert!(!program.syntax_diagnostics().is_empty());
    assert_eq!(program.show(program.declare().diagnostics), "");
}

#[test]
fn constraints_fit_their_types() {
    assert_snapshot!(declared(
        "type A {\n  a: bool(min: 1)\n  b: int(min: 1.5)\n  c: string(min: -1)\n  d: string(minLength: 1)\n  e: A[](pattern: \"x\")\n  f: map<int>(unique: true)\n  \
         g: int(5..1)\n  h: decimal(\"1.50\"..\"1.5\")\n  i: timestamp(\"x\"..)\n  j: duration(30s..1m)\n  k: A(min: 1)\n  l: int[](min: 3, max: 2)\n  m: json(max: 3)\n  \
         n: duration(1h..1m)\n  o: string[](unique: 1)\n  p: int64(0..\"9223372036854775808\")\n}\n"
    ), @"");
}

#[test]
fn patterns_are_understood_everywhere() {
    assert_snapshot!(declared("type A { a: string(pattern: \"^(?=x)\"), b: string(pattern: \"[a-\"), c: string(pattern: \"^[A-Z]{3}$\"), d: string(pattern: 3) }\n"), @"");
}

#[test]
fn types_come_to_an_end() {
    assert_snapshot!(declared(
        "type A { b: B }\ntype B { c: C[](min: 1) }\ntype C { a: A | D }\ntype D { c: C }\n\
         type Tree { children: Tree[], parent?: Tree, other: Tree | null, by_name: map<Tree> }\n\
         union U { leaf: { value: int }, node: { left: U, right: U } }\nunion V { a: { v: V }, b: { v: V } }\n\
         type Outside { a: A }\nerror loop { again: loop }\ntype Late { x: Never | Soon }\ntype Never { n: Late }\ntype Soon { v: int }\n"
    ), @"");
}

#[test]
fn aliases_come_to_an_end() {
    assert_snapshot!(declared("type A = B\ntype B = C | null\ntype C = A\ntype D = D\ntype E = A\ntype F = F[]\ntype G { f: A }\n"), @"");
}

#[test]
fn variants_are_records_without_the_tag() {
    assert_snapshot!(declared(
        "type Card { number: string }\ntype Alias = Card\ntype Tagged { kind: string }\nerror lost { }\n\
         union U { a: Card, b: Alias, c: lost, d: string, e: Tagged, f: Card | null, g: { @wire(\"kind\") x: int } }\n\
         union V by type { a: Tagged, b: { type: string } }\n"
    ), @"");
}

#[test]
fn alternatives_are_given_once() {
    assert_snapshot!(declared("type A { a: \"x\" | \"y\" | \"x\", b: int | (string | int), c: 1 | 2 | 1, d: A | A, e: null | A | null }\n"), @"");
}

#[test]
fn attributes_are_known() {
    assert_snapshot!(declared(
        "@deprecated(\"use B\") @allow(unused-type, \"kept for old runs\", until: \"2027-06-30\") @allow(naming, \"as in the shop\")\n\
         type A {\n  @secret @wire(\"tokenValue\") token: string\n  @wire() a: int\n  @secret(1) b: int\n  @secrt c: int\n  @wire(\"x\") @wire(\"y\") d: int\n  @wire(\"x\") e: int\n}\n\
         @secret\ntype B { }\n@deprecated\ntype C { }\n@allow(naming)\ntype D { }\n@allow(naming, \"why\", until: \"2027-02-30\")\ntype E { }\n\
         enum F { @deprecated(\"use b\") a, @wire(\"x\") b }\n\
         workflow w() { @deprecated(\"no\") end done }\n"
    ), @"");
}

#[test]
fn errors_have_fields() {
    assert_snapshot!(declared("type R { text: string }\nerror a = R\nerror b\nerror c { reason: string }\n"), @"");
}

/// Shows the types of a file's declarations.
fn types(program: &str) -> String {
    use std::fmt::Write;
    let fixture = Fixture::new(program);
    let syntax = fixture.syntax_diagnostics();
    assert!(syntax.is_empty(), "{}", fixture.show(syntax));
    let model = fixture.declare().model;
    let mut shown = String::new();
    for declaration in model.declarations.iter().filter(|declaration| declaration.file == FileId(1)) {
        writeln!(shown, "{} = {}", Model::title(&declaration.kind, &declaration.name), kind(&model, &declaration.kind)).unwrap();
    }
    shown
}

fn kind(model: &Model, kind: &DeclarationKind) -> String {
    use crate::model::types::Type;
    let record = |record: &std::sync::Arc<crate::model::types::RecordType>| model.display(&Type::Record(record.clone()));
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
        DeclarationKind::Tool(it) => format!("{} -> {}", record(&it.input), it.output.as_ref().map_or(String::new(), |ty| model.display(ty))),
        DeclarationKind::Agent(it) => format!("{} -> {}", record(&it.input), it.output.as_ref().map_or(String::new(), |ty| model.display(ty))),
        DeclarationKind::Workflow(it) => format!("{} fails {:?}", record(&it.input), it.failures),
        other => format!("{other:?}"),
    }
}

#[test]
fn types_are_shown_as_they_are_written() {
    assert_snapshot!(types(
        "type Sku = string(pattern: \"^A-\")\ntype Order {\n  id: Sku\n  n: int(1..100)\n  at: float(min: 0)\n  tags: (\"a\" | \"b\")[](max: 20, unique: true)\n  \
         by?: Order | null\n  extra: map<json>(max: 3)\n  price: decimal(0.50..10) = \"1.20\"\n  ...\n}\n\
         type Deep = { a: { b: { c: { d: { e: int } } } } }[][]\ntype Long = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n\
         enum Tier { free, enterprise = \"ent\" }\nunion Payment by method { card: { number: string }, cash: Order }\nerror lost { why?: string }\n\
         external event a.b = Order\nevent a.c { } -> a.b\ntool find(id: Sku) -> Order\nworkflow w(t: duration(1m..)) { fail late on timeout(1h)  end done }\n"
    ), @"");
}

#[test]
fn a_hundred_thousand_declarations_take_no_longer_than_they_should() {
    // In one file, each named by the next one, the first ones not finite before the last one is known.
    use std::fmt::Write;
    let mut text = String::new();
    for index in 0..20_000 {
        writeln!(text, "type T{index} {{ next: T{}, other: A{index}[] }}\ntype A{index} = A{} | null", index + 1, index + 1).unwrap();
    }
    text.push_str("type T20000 { v: int }\ntype A20000 = string\ntype Wrong { a: T20001 }\n");
    let fixture = Fixture::new(&text);
    let shown = fixture.show(fixture.declare().diagnostics);
    assert_snapshot!(shown, @"");
}
