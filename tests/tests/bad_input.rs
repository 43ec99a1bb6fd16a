//! Input that no person writes: a clear diagnostic, soon, and never a crash. What happens to files that cannot be read is tested with the
//! command line.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use weave_tests::program::{Checked, Program};

/// The stack that the compiler gets along with, also in a build without optimisation.
const STACK: usize = 2 << 20;

/// How long any of it may take, on a slow machine and in a build without optimisation.
const PATIENCE: Duration = Duration::from_secs(30);

/// Checks a program on a small stack and in bounded time.
fn check(program: Program) -> Checked {
    soon(move || program.check())
}

/// Does something on a small stack and in bounded time.
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    let work = move || {
        let _ = sender.send(work());
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    match receiver.recv_timeout(PATIENCE) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("it takes longer than {PATIENCE:?}"),
        Err(RecvTimeoutError::Disconnected) => panic!("the compiler fell over: {:?}", thread.join().err()),
    }
}

fn one(text: &str) -> Checked {
    check(Program::one(text))
}

#[test]
fn nothing_and_only_comments_are_clean() {
    for text in ["", "\n", "// only\n/* comments */\n", "//! What it is for.\n", "\u{feff}", " \t\r\n"] {
        let checked = one(text);
        assert!(checked.diagnostics.is_empty() && checked.compiled.is_empty(), "{text:?}:\n{}", checked.drawing());
    }
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    let text = "workflow w(a: string) -> { text: string } {\n  end done = { text: \"hello {{.input.a}}\" }\n}\n";
    let plain = one(text).definitions();
    assert_eq!(plain.len(), 1);
    for other in [format!("\u{feff}{text}"), text.replace('\n', "\r\n"), format!("\u{feff}{}", text.replace('\n', "\r\n"))] {
        assert_eq!(one(&other).definitions(), plain);
    }
}

#[test]
fn nul_and_other_controls_are_one_diagnostic() {
    for text in ["type A { a: int }\0\0\0\n", "type A { a: \u{1}int }\n", "\0"] {
        let checked = one(text);
        assert_eq!(checked.diagnostics.len(), 1, "{text:?}:\n{}", checked.drawing());
        assert!(!checked.drawing().contains('\0'));
    }
}

#[test]
fn a_million_open_brackets_are_few_diagnostics() {
    for bracket in ["(", "[", "{", "{{", "<"] {
        let checked = one(&format!("type A = {}", bracket.repeat(1_000_000)));
        let count = checked.diagnostics.len();
        assert!((1..=3).contains(&count), "{bracket}: {count} diagnostics");
        assert!(checked.compiled.is_empty());
    }
}

#[test]
fn a_million_braces_that_nothing_closes_are_read_once() {
    let line = |braces: &str| braces.repeat(1_000_000 / braces.len());
    for braces in ["{{", "{{ ", "{{ \"}}\" ", "{{ \" \\\" }} ", "{{\\\" "] {
        let checked = one(&format!("prompt p() \"\"\"\n  {}\n  \"\"\"\n", line(braces)));
        let count = checked.diagnostics.len();
        assert!((1..=100).contains(&count), "{braces}: {count} diagnostics");
    }
}

#[test]
fn deep_nesting_is_refused_where_it_gets_too_deep() {
    let depth = 100_000;
    let guard = format!("workflow w(a: bool) {{ end x on start when {}.input.a{} }}\n", "(".repeat(depth), ")".repeat(depth));
    let list = format!("workflow w(a: bool) {{ end x = {{ a: {}1{} }} }}\n", "[".repeat(depth), "]".repeat(depth));
    let object = format!("workflow w(a: bool) {{ end x = {}1{} }}\n", "{ a: ".repeat(depth), " }".repeat(depth));
    let ty = format!("type A = {}int{}\n", "map<".repeat(depth), ">".repeat(depth));
    let lists = format!("type A = int{}\n", "[]".repeat(depth));
    let records = format!("type A = {}int{}\n", "{ a: ".repeat(depth), " }".repeat(depth));
    for (what, text) in [("guard", guard), ("list", list), ("object", object), ("map", ty), ("lists", lists), ("records", records)] {
        let checked = one(&text);
        assert_eq!(checked.diagnostics.len(), 1, "{what}: {:?}", checked.ids());
    }
}

#[test]
fn long_chains_are_no_nesting() {
    let guard = vec![".input.a"; 20_000].join(" && ");
    let checked = one(&format!("workflow w(a: bool) {{\n  end x on start when {guard}\n  end y on start else\n}}\n"));
    assert!(checked.diagnostics.is_empty(), "{}", checked.drawing());
    let checked =
        one(&format!("workflow w(a: bool) {{\n  end x on start when {}.input.a\n  end y on start else\n}}\n", "!".repeat(100_000)));
    assert!(checked.diagnostics.is_empty(), "{}", checked.drawing());
    let union = (0..20_000).map(|n| format!("\"v{n}\"")).collect::<Vec<_>>().join(" | ");
    let checked = one(&format!("type A = {union}\n"));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.ids().len());
}

#[test]
fn a_hundred_thousand_declarations_are_read() {
    let types = (0..100_000).map(|n| format!("type T{n} {{ a: int, b: T{} }}\n", (n + 1) % 100_000 / 2)).collect::<String>();
    let checked = one(&types);
    assert!(checked.ids().len() <= 100_000);
    let types = (0..100_000).map(|n| format!("type T{n} {{ a: int, b?: T{} }}\n", n / 2)).collect::<String>();
    let checked = one(&types);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.ids().len());
}

#[test]
fn a_chain_of_thousands_of_aliases_is_followed() {
    let types = (0..5_000).map(|n| format!("type T{n} = T{}\n", n + 1)).collect::<String>();
    let checked = one(&format!(
        "{types}type T5000 = int\ntool t(a: T0)\nworkflow w(a: int) {{ step s {{ call t {{ a: .input.a }} }} end e on s }}\n"
    ));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.ids().len());
    assert_eq!(checked.compiled.len(), 1);
}

#[test]
fn a_long_cycle_of_aliases_is_one_diagnostic_that_can_be_read() {
    let count = 20_000;
    let aliases: String = (0..count).map(|index| format!("type A{index} = A{}\n", (index + 1) % count)).collect();
    let checked = one(&aliases);
    assert_eq!(checked.ids(), ["alias-cycle"]);
    let drawing = checked.drawing();
    assert!(drawing.lines().count() < 100 && drawing.contains("19988 others"), "{drawing}");
}

#[test]
fn thousands_of_misspelt_fields_are_told() {
    let names = 0..3_000;
    let fields: String = names.clone().map(|index| format!("field{index}: int\n")).collect();
    let reads: String = names.map(|index| format!(".input.t.feild{index}, ")).collect();
    let checked = one(&format!("type T {{ {fields} }}\nworkflow w(t: T) -> json {{ end e = [{reads}] }}\n"));
    // The first thousand are reported, and that there are more.
    let ids = checked.ids();
    assert_eq!((ids.len(), ids.iter().filter(|id| **id == "unknown-field").count()), (1_001, 1_000));
}

#[test]
fn long_lists_of_alternatives_are_compared() {
    let literals = |name: &str| (0..10_000).fold(format!("type {name} = 0"), |text, index| text + &format!(" | \"m{index}\"")) + "\n";
    let workflow = "workflow w(a: A) -> B { end e = .input.a }\n";
    let checked = one(&[&literals("A"), &literals("B"), workflow].concat());
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.ids());
    // Two that do not fit.
    let less = literals("B").replace(" | \"m77\"", "");
    assert_eq!(one(&[&literals("A"), &less, workflow].concat()).ids(), ["type-mismatch"]);
}

#[test]
fn a_long_union_is_told_apart() {
    let count = 2_000;
    let variants: String = (0..count).map(|index| format!("v{index}: {{ a{index}: int, b: int }}\n")).collect();
    let others: Vec<String> = (1..count).map(|index| format!(".input.u.kind != \"v{index}\"")).collect();
    let guard = others.join(" && ");
    let nodes = "end one on start when .input.u.kind == \"v7\" && .input.u.a7 > 1 = .input.u.a7\n";
    let checked = one(&format!(
        "union U {{ {variants} }}\nworkflow w(u: U) -> int {{\n{nodes}end two on start when {guard} = .input.u.b\nend e on start else = 0\n}}\n"
    ));
    // The fields of the variants are told apart; whether the guards cover every case is too much to check, which is reported.
    assert_eq!(checked.ids(), ["unchecked-choice"], "{}", checked.drawing());
}

#[test]
fn thousands_of_nodes_that_end_on_the_same_trigger_are_one_choice() {
    let ends: String = (0..5_000).map(|index| format!("end e{index} on start when .input.x == {index} = {index}\n")).collect();
    let checked = one(&format!("workflow w(x: int) -> int {{\n{ends}end z on start else = 0\n}}\n"));
    assert_eq!(checked.ids(), ["unchecked-choice"], "the choice is too large to be checked, and that is reported");
    // All others stand beside one that has no condition.
    let checked = one(&format!("workflow w(x: int) -> int {{\nend z = 0\n{ends}}}\n"));
    let ids = checked.ids();
    assert_eq!((ids.len(), ids.iter().filter(|id| **id == "beside-end").count()), (1_001, 999), "one of the thousand is the choice");
}

#[test]
fn many_joins_that_one_step_completes_are_not_multiplied_out() {
    // Each of them is decided in two ways, by guards that have nothing to do with each other.
    let each = |node: &dyn Fn(usize) -> String| (0..24).map(node).collect::<String>();
    let steps = each(&|index| format!("step b{index} {{ call t {{ x: \"b\" }} }}\n"));
    let joins = each(&|index| {
        let then = format!("step p{index} on all(a, b{index}) when .b{index}.ok {{ call t {{ x: \"p\" }} }}\n");
        format!("{then}step q{index} on all(a, b{index}) else {{ call t {{ x: \"q\" }} }}\n")
    });
    let members = each(&|index| format!(", b{index}"));
    let nodes = format!("step a {{ call t {{ x: \"a\" }} }}\n{steps}{joins}end done on all(a{members})\n");
    let checked = one(&format!("tool t(x: string) -> {{ ok: bool }}\nworkflow w() {{\n{nodes}}}\n"));
    assert!(checked.diagnostics.is_empty(), "{}", checked.drawing());
}

#[test]
fn thousands_of_records_in_one_place_get_names() {
    let members = (0..5_000).map(|index| format!("{{ kind: \"k{index}\", a{index}: int }}")).collect::<Vec<_>>().join(" | ");
    let program = Program::one(&format!("type A = {members}\n"));
    let packages = soon(move || program.check().snapshot.packages().expect("what is right can be written"));
    let names = packages.iter().flat_map(|package| &package.types).map(|ty| ty.name.as_str()).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(names.len(), 5_001);
    assert!(names.contains("A_value") && names.contains("A_value5000"), "{:?}", names.iter().take(5).collect::<Vec<_>>());
}

#[test]
fn thousands_of_variants_in_another_order_are_found_again() {
    let program = |variants: &mut dyn Iterator<Item = usize>| {
        let variants = variants.map(|index| format!("v{index}: {{ a{index}: int }}")).collect::<Vec<_>>().join(", ");
        Program::one(&format!("union U by kind {{ {variants} }}\nworkflow w(u: U) -> string {{ end done = \"x\" }}\n"))
    };
    let (old, new) = (program(&mut (0..10_000)), program(&mut (0..10_000).rev()));
    let kinds = soon(move || {
        let [old, new] = [old, new].map(|program| program.check().compiled);
        let [old, new] = [&old, &new].map(|compiled| compiled.iter().map(|it| &it.definition).collect::<Vec<_>>());
        weave_diff::diff(&old, &new).iter().map(weave_diff::Change::id).collect::<Vec<_>>()
    });
    assert_eq!(kinds, ["definition-changed"]);
}

#[test]
fn a_renamed_step_among_thousands_is_found() {
    let workflow = |last: &str| {
        let steps: String =
            (1..2_000).map(|index| format!("step s{index} on s{} {{ call t {{ x: .s{} }} }}\n", index - 1, index - 1)).collect();
        format!(
            "tool t(x: string) -> string\nworkflow w() -> string {{\nstep s0 {{ call t {{ x: \"\" }} }}\n{steps}step {last} on s1999 {{ call t {{ x: .s0 }} }}\nend done on {last} = .{last}\n}}\n"
        )
    };
    let (old, new) = (workflow("last"), workflow("latest"));
    let kinds = soon(move || {
        let [old, new] = [old, new].map(|text| Program::one(&text).check().compiled);
        let [old, new] = [&old, &new].map(|compiled| compiled.iter().map(|it| &it.definition).collect::<Vec<_>>());
        weave_diff::diff(&old, &new).iter().map(weave_diff::Change::id).collect::<Vec<_>>()
    });
    assert_eq!(kinds, ["node-renamed", "wait-lost"]);
}

#[test]
fn an_import_of_itself_is_one_diagnostic() {
    let checked = one("import { A } from \"./input.weave\"\ntype A { a: int }\n");
    assert_eq!(checked.diagnostics.len(), 1, "{}", checked.drawing());
}

#[test]
fn imports_in_a_cycle_are_read_once() {
    let program = Program::default()
        .with("a.weave", "import { B } from \"./b.weave\"\ntype A { b?: B }\n")
        .beside("b.weave", "import { A } from \"./a.weave\"\ntype B { a?: A }\n");
    let checked = check(program);
    assert!(checked.diagnostics.is_empty(), "{}", checked.drawing());
}

#[test]
fn an_endless_line_is_read() {
    let checked = one(&format!("type A {{ a: string = \"{}\" }}\n", "x".repeat(10_000_000)));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.ids());
    let checked = one(&"x".repeat(10_000_000));
    assert_eq!(checked.diagnostics.len(), 1, "{:?}", checked.ids().len());
    assert!(checked.drawing().len() < 10_000, "the line is cut where it is shown");
}

#[test]
fn large_workflows_that_are_measured_are_clean() {
    for (name, _, make) in weave_tests::shapes::SHAPES {
        for size in [1, 2, 7, 70] {
            let checked = Program::one(&make(size)).check();
            assert!(checked.ids().is_empty(), "{name}, {size}:\n{}", checked.drawing());
        }
    }
}
