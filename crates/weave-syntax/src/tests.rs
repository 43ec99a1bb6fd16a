//! The driver against the parser that LALRPOP makes, and what may stand where.

use std::fmt::Write as _;

use crate::build::Top;
use crate::feed::{Feed, Lexeme};
use crate::grammar::TopParser;
use crate::split::split;
use crate::tables::Runner;
use crate::{TokenKind as K, lex, parse};

const SAMPLES: [&str; 4] = [
    include_str!("../tests/samples/support.weave"),
    include_str!("../tests/samples/types.weave"),
    include_str!("../tests/samples/tools.weave"),
    include_str!("../tests/samples/workflows.weave"),
];

/// The lexemes of each item.
fn pieces(text: &str) -> Vec<Vec<Lexeme>> {
    let tokens = lex(text);
    let mut feed = Feed::default();
    let read = |chunk: crate::split::Chunk| {
        feed.read(text, &tokens, chunk.first..chunk.end, crate::parse::is_test(&tokens, &chunk));
        feed.lexemes.clone()
    };
    split(text, &tokens).into_iter().map(read).collect()
}

fn stock(lexemes: &[Lexeme]) -> Option<Top> {
    let start = Lexeme::made_up(K::StartItem, 0);
    TopParser::new().parse(std::iter::once(&start).chain(lexemes).map(|it| (it.start, it.kind, it.end))).ok()
}

#[test]
fn the_driver_agrees_with_the_stock_parser() {
    let mut runner = Runner::default();
    for text in SAMPLES {
        for lexemes in pieces(text) {
            let (ours, stock) = (runner.run(K::StartItem, &lexemes).ok(), stock(&lexemes));
            let (Some(Top::Item(ours)), Some(Top::Item(stock))) = (ours, stock) else { panic!("{lexemes:?}") };
            assert_eq!(ours, stock);
            // And what one refuses, the other refuses.
            for left_out in 0..lexemes.len().min(40) {
                let mut fewer = lexemes.clone();
                fewer.remove(left_out);
                assert_eq!(runner.run(K::StartItem, &fewer).is_ok(), self::stock(&fewer).is_some());
            }
        }
    }
}

/// What may stand at the `|` in a text.
fn expected(text: &str) -> String {
    let offset = text.find('|').unwrap();
    let file = parse(text.replacen('|', "", 1).into());
    let expected = file.expected_at(offset as u32);
    let mut words = String::new();
    for kind in &expected.kinds {
        write!(words, "{} ", kind.text().map_or_else(|| format!("{kind:?}"), str::to_owned)).unwrap();
    }
    if expected.name { words + "NAME" } else { words.trim_end().to_owned() }
}

#[test]
fn what_may_stand_at_a_place_is_known() {
    let items = "Doc @ import enum type union error event external tool signal interaction provider toolkit prompt agent workflow test";
    assert_eq!(expected("|"), items);
    assert_eq!(expected("type X { a: int }\n|"), items);
    assert_eq!(expected("type X { a: int }\nwor|\n\ntype Y { a: int }"), items);
    assert_eq!(expected("type X |"), "{ =");
    assert_eq!(expected("type X { a|"), "Doc String } ... @ NAME");
    assert_eq!(expected("type X { a |"), ": ?");
    assert_eq!(expected("type X { a |\n}"), ": ?");
    assert_eq!(expected("external |"), "event");
    assert_eq!(expected("import { A } |"), "from");
    assert_eq!(expected("prompt p() |"), "String TextBlock hydrates");
    assert_eq!(expected("workflow w() { |"), "Doc Identifier } @ step end fail timeout");
    assert_eq!(expected("workflow w() {\n  step a |\n  end b on a\n}"), "Doc Identifier { } = @ step end fail on limit each timeout");
    assert_eq!(expected("workflow w() {\n  step a on |\n  end b on a\n}"), "Number all settled failure timeout NAME");
    assert_eq!(
        expected("workflow w() {\n  step a on b whe|\n  end b on a\n}"),
        "Doc Identifier { } . | = @ from step end fail on when also else limit each timeout"
    );
    assert_eq!(
        expected("workflow w() {\n  step a { |\n  end b on a\n}"),
        "} ask call run emit wait cancel example progress artifacts NAME"
    );
    assert_eq!(expected("workflow w() {\n  step a { wait |\n  end b on a\n}"), "Duration . until NAME");
    // Mistakes before the place are mended first.
    assert_eq!(expected("type X { a: { b string, c: | } }"), expected("type X { a: { b: string, c: | } }"));
    // Every keyword is a name where a name may stand.
    let file = parse("type ".into());
    let at = file.expected_at(5);
    assert!(at.name && at.kinds.is_empty() && at.has(K::Workflow) && at.has(K::Identifier) && !at.has(K::BraceOpen));
}

#[test]
fn what_may_stand_at_a_place_is_what_the_tables_say() {
    use crate::grammar::__parse__Top::__StateMachine;
    use lalrpop_util::state_machine::ParserDefinition;
    let machine = __StateMachine { __phantom: std::marker::PhantomData };
    for text in SAMPLES {
        for lexemes in pieces(text) {
            let mut stack = crate::plan::Stack::new(K::StartItem);
            for lexeme in &lexemes {
                let ours = crate::expected::Expected::after(stack.states());
                let stock = machine.expected_tokens_from_states(stack.states()).len();
                let words = if ours.name { K::words().filter(|kind| !ours.kinds.contains(kind)).count() } else { 0 };
                // A place for a name takes every word, but for some values, where those that open nodes are left out.
                assert!(ours.kinds.len() <= stock && stock <= ours.kinds.len() + words, "{ours:?}");
                stack.advance(crate::tables::terminal(lexeme.kind));
            }
        }
    }
}

/// The heads of the items that a text is cut into.
fn heads(text: &str) -> Vec<String> {
    let tokens = lex(text);
    let line = |chunk: crate::split::Chunk| {
        let end = tokens.start(chunk.end) as usize;
        let piece = &text[tokens.start(chunk.first) as usize..end];
        piece.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
    };
    split(text, &tokens).into_iter().map(line).collect()
}

#[test]
fn items_are_found_whatever_is_missing_in_them() {
    let all = ["type A {", "/// Docs. @deprecated(\"x\")", "agent c() {"];
    let text = "type A {\n  x: { y: int }\n}\n\n/// Docs.\n@deprecated(\"x\")\ntool b(x: int) {\n  timeout 3s\n}\nagent c() {\n  prompt p\n  error: 1\n}\n";
    assert_eq!(heads(text), all);
    for (missing, with) in [
        ("}\n\n", "\n\n"),
        ("(x: int) {", "x: int) {"),
        ("3s\n}", "3s\n"),
        ("{ y: int }", "{ y: int "),
        ("int) {", "int {"),
        ("3s", "3s }"),
    ] {
        assert_eq!(heads(&text.replace(missing, with)), all, "{missing:?}");
    }
    assert_eq!(heads("type A {}\nworfklow w() {}\n"), ["type A {}", "worfklow w() {}"]);
    assert_eq!(heads("type A {}\ntrigger nightly { }\ntype B {}"), ["type A {}", "trigger nightly {", "type B {}"]);
    assert_eq!(heads("type A {} type B {}"), ["type A {}", "type B {}"]);
    assert_eq!(heads("junk here\ntype B {}"), ["junk here", "type B {}"]);
    assert_eq!(heads("external event a.b\nevent c.d = X\n  -> e.f\ntype\n  X = int"), ["external event a.b", "event c.d =", "type X ="]);
    assert_eq!(heads("enum E {\n  type\n  tool\n  prompt\n  event\n}\ntype X = int"), ["enum E {", "type X ="]);
    assert_eq!(heads("agent a() {\n  prompt classify\n  tools [x]\n"), ["agent a() {"]);
    assert_eq!(heads("agent a()\n  model nano\n  prompt classify\n}\ntype X = int"), ["agent a() model", "type X ="]);
}

#[test]
fn examples_of_codes_show_what_they_say() {
    for code in crate::codes::ALL {
        let ids = |text: &str| -> Vec<&str> {
            parse(text.into()).diagnostics(weave_diagnostics::FileId(0)).into_iter().map(|it| it.code.id).collect()
        };
        assert_eq!(ids(code.bad), [code.id], "bad example of {}", code.id);
        assert_eq!(ids(code.good), Vec::<&str>::new(), "good example of {}", code.id);
        assert!(code.summary.ends_with('.') && code.explanation.ends_with('.'), "{}", code.id);
    }
}
