//! What is refused in the types is what is refused in the schemas.

use weave_analysis::model::DeclarationKind;
use weave_providers::{Provider, Role, project};

use super::{shown, snapshot};
use crate::schema::{Schemas, TypeNames};

/// Types of a parameter, with what they need.
const TYPES: [(&str, &str); 26] = [
    ("string", ""),
    ("json", ""),
    ("json[]", ""),
    ("map<int>", ""),
    ("map<int>[]", ""),
    ("{ a: string }", ""),
    ("{ a: string, ... }", ""),
    ("{ a: { b?: map<int> } }", ""),
    ("T", "type T = map<int>"),
    ("T", "type T = json | null"),
    ("T[]", "type T { a: string, next: T[] }"),
    ("T[]", "type T { a: string, next?: T, m?: map<T> }"),
    ("T | null", "type T { a: string, ... }"),
    ("A | B", "type A { x: string }\ntype B { x: int }"),
    ("A | B", "type A { x: string }\ntype B { y: int, x: string }"),
    ("A | B", "type A { x: \"a\", n: int }\ntype B { x: \"b\" }"),
    ("A | B", "type A { x: \"a\" }\ntype B { x: \"a\" }"),
    ("A | U", "type A { kind: \"a\" }\nunion U { b: { n: int } }"),
    ("A | U", "type A { kind: string }\nunion U { b: { n: int } }"),
    ("U", "union U { b: { n: map<int> }\n c: {} }"),
    ("U", "union U { b: { n: int, ... } }"),
    ("U", "type R { n: int, ... }\nunion U { b: R\n c: {} }"),
    ("T", "error T { m: map<int> }"),
    ("\"a\" | 1 | true | null", ""),
    ("{ b: { c: { d: { e: { f: { g: { h: { i: string } } } } } } } }", ""),
    ("{ a: { b: { c: { d: { e: { f: { g: { h: { i: { j: string } } } } } } } } } }", ""),
];

/// Whether the types of a tool, and its schema, are refused.
fn verdicts(ty: &str, declarations: &str) -> (bool, bool, String) {
    let text = format!("{declarations}\ntool t(x: {ty})\nagent a(q: string) {{ model mini, system \"x\", tools [t] }}\n");
    let snapshot = snapshot(&text);
    let model = snapshot.model();
    let names: TypeNames =
        model.declarations.iter().zip(0..).map(|(it, id)| (weave_analysis::model::DeclarationId(id), it.name.to_string())).collect();
    let schemas = Schemas { model, names: &names };
    let defs = model.declarations.iter().map(|it| (it.name.to_string(), schemas.declaration(it).into())).collect();
    let tool = model.declarations.iter().find(|it| &*it.name == "t").unwrap();
    let DeclarationKind::Tool(tool) = &tool.kind else { panic!("`t` is a tool") };
    let projection = project(&schemas.record(&tool.input).into(), &defs, Provider::OpenAi, Role::Arguments);
    (snapshot.has_errors(), !projection.refusals.is_empty(), format!("{text}{}\n{:?}", shown(&snapshot), projection.refusals))
}

#[test]
fn types_are_refused_as_their_schemas_are() {
    let mut refused = 0;
    for (ty, declarations) in TYPES {
        let (of_types, of_schemas, said) = verdicts(ty, declarations);
        assert_eq!(of_types, of_schemas, "{said}");
        refused += usize::from(of_types);
    }
    assert!((10..20).contains(&refused), "{refused}");
}

#[test]
fn sizes_are_refused_as_those_of_schemas_are() {
    let fields = |count: usize| (0..count).map(|it| format!("f{it}: string")).collect::<Vec<_>>().join(", ");
    let values = |count: usize, length: usize| (0..count).map(|it| format!("v{it:0length$}")).collect::<Vec<_>>().join("\n");
    let mut cases = vec![];
    for count in [4_999, 5_000] {
        cases.push(("T", format!("type T {{ {}, rest: E }}\nenum E {{ a }}", fields(count - 1))));
    }
    for count in [500, 501] {
        cases.push(("T", format!("type T {{ a: A, b: B, again: A }}\nenum A {{ {} }}\nenum B {{ {} }}", values(500, 4), values(count, 4))));
    }
    for length in [58, 59] {
        cases.push(("A", format!("enum A {{ {} }}", values(251, length))));
    }
    for length in [478, 479] {
        cases.push(("A | B", format!("enum A {{ {} }}\nenum B {{ {} }}", values(125, length), values(125, length).replace('v', "w"))));
    }
    let mut refused = 0;
    for (ty, declarations) in &cases {
        let (of_types, of_schemas, _) = verdicts(ty, declarations);
        assert_eq!(of_types, of_schemas, "{}", declarations.get(..200).unwrap_or(declarations));
        refused += usize::from(of_types);
    }
    assert_eq!(refused, 4, "one of each pair");
}
