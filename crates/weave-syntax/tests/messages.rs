//! What is said about common slips, where, and what the fixes make of the text.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use weave_diagnostics::{Applicability, Diagnostic, FileId};
use weave_syntax::parse;

/// The line and column of an offset.
fn place(text: &str, offset: u32) -> String {
    let before = &text[..offset as usize];
    format!("{}:{}", before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
}

fn said(text: &str) -> Vec<Diagnostic> {
    parse(text.into()).diagnostics(FileId(0))
}

fn apply(text: &str, diagnostic: &Diagnostic) -> Option<String> {
    let mut edits = diagnostic.fixes.first()?.edits.clone();
    edits.sort();
    let mut text = text.to_owned();
    for edit in edits.into_iter().rev() {
        text.replace_range(edit.place.span.range(), &edit.text);
    }
    Some(text)
}

/// One diagnostic a text: its place, its message, and the line of the fixed text on which the fix is; `safe` fixes must mend all.
fn check(text: &str, expected: &str) {
    let all = said(text);
    let lines: Vec<String> = all
        .iter()
        .map(|it| {
            let also: String =
                it.secondary.iter().map(|label| format!(" ({} {})", place(text, label.place.span.start), label.message)).collect();
            format!("{} {}{also}", place(text, it.primary.place.span.start), it.message)
        })
        .collect();
    assert_eq!(lines.join("\n"), expected, "{text}");
    for diagnostic in &all {
        if let Some(fixed) = apply(text, diagnostic) {
            let left = said(&fixed).len();
            assert!(left < all.len(), "the fix leaves {left} of {}:\n{fixed}", all.len());
            assert!(diagnostic.fixes[0].applicability == Applicability::Unsafe || left + 1 == all.len(), "{fixed}");
        }
    }
}

#[test]
fn slips_in_types() {
    check("type A {\n  x int\n}\n", "2:4 expected `:` after `x`");
    check("type A {\n  x = int\n}\n", "2:5 expected `:`, found `=`");
    check("type A {\n  x: int;\n  y: int\n}\n", "2:9 the language has no `;`");
    check("type A {\n  x: 'a' | \"b\"\n}\n", "2:6 strings are written in double quotes");
    check("type A\n  x: int\n}\n", "1:7 expected `{` or `=` after `A`");
    check("type A {\n  x: int\n", "2:9 expected `}` to close the type `A` (1:8 opened here)");
    check("type A {\n  x: string(max: 3\n  y: int\n}\n", "2:19 expected `)` to close `string(` (2:12 opened here)");
    check("type A {\n  x: map<int\n  y: int\n}\n", "2:13 expected `>` after `int`");
    check("type A {\n  x: int int\n  y: int\n}\n", "2:10 unexpected `int`");
    check("type A = int | | string\n", "1:16 unexpected `|`");
    check("enum E { a, b: \"c\" }\n", "1:14 expected `=`, found `:`");
}

#[test]
fn slips_in_headers() {
    check("worfklow w() {}\n", "1:1 there is no declaration `worfklow`; did you mean `workflow`?");
    check("trigger nightly { at: 1 }\n", "1:1 `trigger` is reserved for a later version of the language");
    check("Ticket {\n  x: int\n}\n", "1:1 expected a declaration, found `Ticket`");
    check("type A { x: int } type B { x: int }\n", "1:19 an item starts on a line of its own");
    check("type\n  A { x: int }\n", "2:3 the name of an item must be on the line of its keyword");
    check("tool t(a: int): string\n", "1:15 the output follows `->`");
    check("tool t(a: int) => string\n", "1:16 the output follows `->`");
    check("import { A, B } \"./x.weave\"\n", "1:16 expected `from` after `}`");
    check("tool t(a: int {\n  timeout 3s\n}\n", "1:14 expected `)` to close the parameters of `t` (1:7 opened here)");
    check("import { A B } from \"./x.weave\"\n", "1:11 expected `,` after `A`");
}

#[test]
fn slips_in_settings() {
    check("tool t() {\n  timeout = 3s\n}\n", "2:11 unexpected `=`: a setting is a name and a value");
    check("tool t() {\n  hints [read_only idempotent]\n}\n", "2:19 expected `,` after `read_only`");
    check("tool t() {\n  hints [read_only\n  timeout 3s\n}\n", "2:19 expected `]` to close `[` (2:9 opened here)");
    check("agent a() {\n  model\n  system \"x\"\n}\n", "2:8 expected a value after `model`");
}

/// In a workflow whose first two lines are complete.
fn check_node(text: &str, expected: &str) {
    check(&format!("workflow w(a: int) {{\n  step x {{ call t }}\n{text}\n}}\n"), expected);
}

#[test]
fn slips_in_nodes() {
    check_node("  stpe y on x {\n    call t\n  }", "3:3 unexpected `stpe`; did you mean `step`?");
    check_node("  step y on x whn .x.a {\n    call t\n  }", "3:15 unexpected `whn`; did you mean `when`?");
    check_node("  step y on x when .x.a = 1 {\n    call t\n  }", "3:25 a guard compares with `==`");
    check_node("  step y on x when .x.a and .x.b {\n    call t\n  }", "3:25 expected `&&`, found `and`");
    check_node("  step y on x\n    call t\n  }", "3:14 expected `{` after `x`");
    check_node(
        "  step y on x {\n    call t { a: 1\n  }\n  end z on y",
        "4:18 expected `}` to close the payload of `call` (4:12 opened here)",
    );
    check_node("  step y on x {\n    call t { a: 1 }\n  end z on y", "4:20 expected `}` to close the step `y` (3:15 opened here)");
    check_node("  step y on x { call t { a = 1 } }", "3:28 expected `:`, found `=`");
    check_node("  step y on x { call t { a: [1 2] } }", "3:31 expected `,` after `1`");
    check_node("  step y x { call t }", "3:9 expected `on` after `y`");
    check_node("  step y on x || z { call t }", "3:15 alternatives are separated by `|`");
    check_node("  step y on x { call t }\n  }\n  end z on y", "4:3 unexpected `}`");
    check_node("  end z on x = { a: (1 }", "3:23 expected `)` to close `(` (3:21 opened here)");
}

#[test]
fn one_mistake_says_nothing_of_another() {
    let text = "type A {\n  x int\n}\n\nworkflow w() {\n  step a {\n    call t { x: }\n  }\n  step b on {\n    call t\n  }\n}\n\ntool t(x: int {}\n\n\
                enum E { a: \"b\" }\n\nprompt p() \"\"\"\n  Hello.\n\nerror e { a: int }\nfoo\n\nagent a() {\n  model nano\n";
    let lines: Vec<String> = said(text).iter().map(|it| format!("{} {}", place(text, it.primary.place.span.start), it.message)).collect();
    assert_eq!(
        lines,
        [
            "2:4 expected `:` after `x`",
            "7:16 expected a value after `:`",
            "9:12 expected a trigger after `on`",
            "14:14 expected `)` to close the parameters of `t`",
            "16:11 expected `=`, found `:`",
            "18:12 this text block is not closed",
            "22:1 expected a declaration, found `foo`",
            "25:13 expected `}` to close the agent `a`",
        ]
    );
}
