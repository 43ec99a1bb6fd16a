mod declarations;
mod nodes;
mod values;

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
    insta::assert_snapshot!(said(right), @r#"coalesce-in-guard @ "??": a guard cannot contain `??`"#);
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
