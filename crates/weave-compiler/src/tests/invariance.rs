//! The same meaning has the same bytes; another meaning has another digest.

use super::{compiled, snapshot};

const SUPPORT: &str =
    concat!(include_str!("../../../../examples/support.weave"), "\n// file: shop.weave\n", include_str!("../../../../examples/shop.weave"));
const RESEARCH: &str = include_str!("../../../../examples/research.weave");
const EXPENSE: &str = include_str!("../../../../examples/expense.weave");

fn texts(program: &str) -> Vec<String> {
    compiled(program).iter().map(|one| one.definition.to_json_pretty().unwrap()).collect()
}

/// The text of the root file, cut into its items with what stands before each, and everything behind it.
fn items(program: &str) -> (Vec<String>, String) {
    let (root, rest) = program.split_once("// file: ").map_or((program, String::new()), |(root, rest)| (root, format!("// file: {rest}")));
    let file = weave_syntax::parse(root.into());
    let mut from = 0;
    let mut items = Vec::new();
    for (index, slot) in file.items.iter().enumerate() {
        let end = if index + 1 == file.items.len() { root.len() as u32 } else { slot.end };
        items.push(root[from as usize..end as usize].to_owned());
        from = end;
    }
    (items, rest)
}

/// A fixed sequence of numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn the_order_of_declarations_changes_nothing() {
    for program in [SUPPORT, RESEARCH, EXPENSE] {
        let expected = texts(program);
        let (items, rest) = items(program);
        let mut chance = Chance(7);
        for _ in 0..20 {
            let mut turned = items.clone();
            for index in (1..turned.len()).rev() {
                turned.swap(index, chance.below(index + 1));
            }
            // A comment at the top of the file stays there.
            let top = turned.iter().position(|item| item.starts_with("//!")).unwrap_or_default();
            let first = turned.remove(top);
            turned.insert(0, first);
            let program = format!("{}\n{rest}", turned.join("\n"));
            assert_eq!(texts(&program), expected, "{program}");
        }
    }
}

#[test]
fn comments_and_blanks_change_nothing() {
    for program in [SUPPORT, RESEARCH, EXPENSE] {
        let expected = texts(program);
        let mut chance = Chance(3);
        let mut in_block = false;
        let changed: Vec<String> = program
            .lines()
            .map(|line| {
                let was_in_block = in_block;
                in_block ^= line.matches("\"\"\"").count() % 2 == 1;
                let plain = !was_in_block && !line.contains("\"\"\"") && !line.trim_start().starts_with("//");
                match chance.below(5) {
                    _ if !plain => line.to_owned(),
                    0 => format!("// before\n{line}"),
                    1 => format!("{line} // behind"),
                    2 if !line.trim().is_empty() => format!("{}{line}  ", " ".repeat(chance.below(6))),
                    3 => format!("{line} /* a /* nested */ one */"),
                    _ if line.contains('"') => line.to_owned(),
                    _ => line.replace(", ", " ,   "),
                }
            })
            .collect();
        assert_eq!(texts(&changed.join("\r\n")), expected);
    }
}

#[test]
fn settings_may_stand_in_any_order() {
    let one = "error e
tool t(x: string) -> string { timeout 1s, hints [read_only, idempotent], fails [e, timeout], retry 1 { base 1s, max 2s }, requires [A, B], meta { a: 1, b: 2 } }
agent a(x: string) { model mini, system \"Write.\", max_turns 3, tools [t] }
workflow w(x: string) { title \"T\", version \"1\" step s { ask a { x: .input.x }, timeout 1m, retry 1 } end done on s }
";
    let other = "agent a(x: string) { tools [t], system \"Write.\", max_turns 3, model mini }
workflow w(x: string) { version \"1\", title \"T\" step s { retry 1, timeout 60s, ask a { x: (.input.x) } } end done on s }
tool t(x: string) -> string { meta { b: 2, a: 1 }, requires [B, A], retry 1 { max 2s, base 1000ms }, fails [timeout, e], hints [idempotent, read_only], timeout 1s }
error e
";
    assert_eq!(texts(one), texts(other));
}

#[test]
fn other_names_of_imports_change_nothing() {
    let (root, shop) = SUPPORT.split_once("// file: ").unwrap();
    let renamed = root
        .replace("import { Customer, Order } from", "import { Order as Purchase, Customer as Buyer } from")
        .replace("customer: Customer", "customer: Buyer")
        .replace("order: Order,", "order: Purchase,")
        .replace("-> Order {", "-> Purchase {");
    assert_eq!(texts(&format!("{renamed}// file: {shop}")), texts(SUPPORT));
}

#[test]
fn every_change_of_meaning_changes_the_digest() {
    let digest = |program: &str| compiled(program)[0].source_map.digest.clone();
    let expected = digest(SUPPORT);
    for (from, to) in [
        (".lookup.total > 100", ".lookup.total > 101"),
        ("detail: \"nobody answered\"", "detail: \"nobody said anything\""),
        ("timeout(approve, 24h)", "timeout(approve, 25h)"),
        ("/// What the customer wants.", "/// What the customer may want."),
        ("string(min: 1, max: 8000)", "string(min: 1, max: 8001)"),
        ("tools [desk, web_search]", "tools [web_search, desk]"),
        ("Classify this ticket from", "Classify the ticket from"),
        ("max_turns 6", "max_turns 7"),
        ("namespace \"desk\" ", "namespace \"office\" "),
        ("enterprise = \"ent\"", "enterprise = \"enterprise\""),
    ] {
        let changed = SUPPORT.replace(from, to);
        assert_ne!(changed, SUPPORT, "{from}");
        assert_ne!(digest(&changed), expected, "{from} -> {to}");
    }
}

#[test]
fn the_order_of_nodes_is_meaning() {
    let one = "workflow w(x: int) { end a on start when .input.x > 1 end b on start when .input.x in [0, 2] end c on start else }\n";
    let other = "workflow w(x: int) { end b on start when .input.x in [0, 2] end a on start when .input.x > 1 end c on start else }\n";
    assert_ne!(texts(one), texts(other));
}

#[test]
fn the_order_of_roots_changes_nothing() {
    use crate::{Example, Input, check};
    let files = [
        ("a.weave", "import { T } from \"./b.weave\"\nworkflow a(t: T) { end done }\n"),
        ("b.weave", "import { U } from \"./a.weave\"\ntype T { u: string }\nworkflow b(t: T) { end done }\n"),
    ];
    let files = files.map(|(path, text)| (path, text.replace("import { U } from \"./a.weave\"\n", "")));
    let of = |order: [usize; 2]| {
        let inputs = order.map(|index| Input { path: files[index].0.to_owned(), text: files[index].1.as_str().into() });
        let mut compiled = check(inputs.into(), &Example::new("")).compile().unwrap();
        compiled.sort_by(|one, other| one.name.cmp(&other.name));
        compiled.into_iter().map(|one| (one.definition, one.source_map)).collect::<Vec<_>>()
    };
    assert_eq!(of([0, 1]), of([1, 0]));
    assert_eq!(of([0, 1]).len(), 2);
    assert!(!snapshot("").has_errors());
}
