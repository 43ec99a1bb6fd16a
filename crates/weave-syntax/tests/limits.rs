//! Text that is large, deep or random is read in time that grows with its length, and never breaks anything.

#![allow(clippy::unwrap_used, clippy::disallowed_types, clippy::disallowed_methods, reason = "a test")]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use weave_diagnostics::FileId;
use weave_syntax::{File, TokenKind, lex, parse};

fn ids(file: &File) -> Vec<&'static str> {
    file.diagnostics(FileId(0)).into_iter().map(|it| it.code.id).collect()
}

/// How long this thread has been at work. Linux says how long it really ran, so that a machine that does much else makes no difference;
/// elsewhere it is the time on the clock.
fn worked(since: Instant) -> Duration {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split_whitespace().next()?.parse().ok());
    ran.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn quickly<T>(work: impl FnOnce() -> T) -> T {
    let since = Instant::now();
    let before = worked(since);
    let result = work();
    let took = worked(since).saturating_sub(before);
    // Generous: unoptimised, on a slow machine. What is quadratic takes longer by far.
    assert!(took < Duration::from_secs(20), "took {took:?}");
    result
}

/// On a stack as small as that of a thread.
fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap()
}

#[test]
fn nesting_is_capped() {
    for (open, close) in [("{", "}"), ("(", ")"), ("[", "]"), ("{ a: ", "}"), ("map<", ">"), ("{ a: [", "] }"), ("!(", ")")] {
        let deep = if open == "{" { 1_000_000 } else { 20_000 };
        for closed in [false, true] {
            for head in ["type X = ", "workflow w() {\n  end e = ", ""] {
                let text = format!(
                    "{head}{}{}\n\ntype After {{ a: int }}\n",
                    open.repeat(deep),
                    if closed { close.repeat(deep) } else { String::new() }
                );
                let (ids, last) = on_small_stack(move || {
                    let file = quickly(|| parse(text.into()));
                    (ids(&file), file.items.last().map(|slot| slot.parsed.errors.len()))
                });
                let many = ids.len() <= 2;
                assert!(many && (head.is_empty() || ids.contains(&"nesting-too-deep")), "{head}{open} {closed}: {ids:?}");
                assert_eq!(last, Some(0), "{head}{open} {closed}: {ids:?}");
            }
        }
    }
}

#[test]
fn depth_without_brackets_is_capped() {
    let many = 100_000;
    let flat = [
        format!("type X = string{}\n", "[]".repeat(many)),
        format!("type X = string{}\n", "[](max: 1)".repeat(many)),
        format!("type X = string{}\n", "?".repeat(many)),
        format!("type X = {}string\n", "map<int | ".repeat(many)),
        format!("type X = {}string\n", "other<".repeat(many)),
        format!("type X = int{}\n", " | int".repeat(many)),
        format!("workflow w() {{\n  end e on start when {}.a\n}}\n", "!".repeat(many)),
        format!("workflow w() {{\n  end e on start when .a{}\n}}\n", " + 1 * 2".repeat(many)),
        format!("workflow w() {{\n  end e = .a{}\n}}\n", ".b".repeat(many)),
        format!("workflow w() {{\n  step s on {}a {{ call x }}\n}}\n", (0..many).map(|number| format!("a{number} | ")).collect::<String>()),
    ];
    for text in flat {
        let start: String = text.chars().take(60).collect();
        let ids = on_small_stack(move || {
            let file = quickly(|| parse(text.into()));
            let copy = file.clone();
            assert_eq!(file.items.len(), copy.items.len());
            ids(&file)
        });
        assert!(ids.len() <= 2, "{start}: {ids:?}");
    }
}

#[test]
fn many_items_are_quick() {
    let text: String = (0..100_000).map(|number| format!("type T{number} {{ a: int }}\n")).collect();
    assert_eq!(quickly(|| parse(text.into())).items.len(), 100_000);
    // Each with a mistake.
    let text: String = (0..20_000).map(|number| format!("type T{number} {{ a int }}\n")).collect();
    let file = quickly(|| parse(text.into()));
    // All items are there; the diagnostics of a file have a bound, and the last one says so.
    assert_eq!((file.items.len(), ids(&file).len()), (20_000, 1_001));
}

#[test]
fn a_large_item_with_many_mistakes_is_quick() {
    for part in
        ["  step s on { call x }\n", "  ] ) } = = = ,\n", "  a b c d e f g h\n", "step step step\n", "\"a\" 1 2 3 : : : when when\n"]
    {
        let text = format!("workflow w() {{\n{}}}\n\ntype After {{ a: int }}\n", part.repeat(20_000));
        let file = quickly(|| parse(text.into()));
        assert!(file.has_errors());
        assert_eq!(file.items.last().map(|slot| slot.parsed.errors.len()), Some(0), "{part:?}: {:?}", file.items.len());
    }
}

#[test]
fn one_long_line_is_quick() {
    for part in ["type X { a: int } ", "a ", "\"", "{", "/// doc ", "/* ", "\"\"\" ", "\u{1f600}", "x.", "@a ", "1", "é"] {
        let text = part.repeat(50_000);
        let file = quickly(|| parse(text.clone().into()));
        let said = quickly(|| file.diagnostics(FileId(0)));
        drop((file, said));
    }
}

#[test]
fn long_tokens_take_no_stack() {
    for piece in ["{{.a}}", "\\n", "x", "{{.a ?? \"b\"}}", "{{"] {
        let text = format!("type A {{ a: string = \"{}\" }}\n", piece.repeat(2_000_000 / piece.len()));
        on_small_stack(move || assert_tiles(&text));
    }
    for text in ["/".repeat(2_000_000), "1h".repeat(1_000_000), "1_".repeat(1_000_000), "a_1".repeat(500_000), " \t".repeat(1_000_000)] {
        on_small_stack(move || assert_tiles(&text));
    }
}

#[test]
fn what_lies_far_ahead_is_looked_at_once() {
    // Strings and text blocks that may end here, or only far behind.
    for (piece, last) in
        [("{{.x ?? \"", ""), ("{{.x ?? \"", "\n\""), ("x \"\"\"\n a \"\"\"\n", ""), ("x \"\"\"\n a \"\"\"\n", "type A {\n b \"\"\"\n")]
    {
        let text = format!("\"{}{last}", piece.repeat(200_000));
        let tokens = quickly(|| lex(&text));
        assert!(tokens.len() > 200_000, "{piece:?}: {}", tokens.len());
    }
}

#[test]
fn what_does_not_close_a_text_block_closes_none_before_it_either() {
    // The second block of each text is read with what is known from the first.
    let block = "x \"\"\"\n a \"\"\"\n";
    for (behind, expected) in [("", 2), ("\"\"\"\n", 1), ("type A {\n b \"\"\"\n", 2), ("\"\"\"\"\"\"\n", 1)] {
        let text = format!("{block}{block}{behind}");
        let blocks = lex(&text).iter().filter(|token| token.kind == TokenKind::TextBlock).count();
        assert_eq!(blocks, expected, "{text:?}");
    }
}

#[test]
fn odd_files_are_read() {
    assert_eq!(parse("".into()).items.len(), 0);
    assert_eq!(ids(&parse("\u{feff}".into())), Vec::<&str>::new());
    assert_eq!(ids(&parse("// only\n/* comments */\n//! here".into())), Vec::<&str>::new());
    let file = parse("\u{feff}//! Docs\r\n//! of the file.\r\n\r\ntype X {\r\n  a: int\r\n}\r\n".into());
    assert_eq!((ids(&file), file.module_docs().as_deref()), (vec![], Some("Docs\nof the file.")));
    assert_eq!(ids(&parse("type X {\n  a\0: int\0\0\n}\n".into())), ["unknown-character", "unknown-character"]);
    assert_eq!(ids(&parse("@(type{{".into())), ["missing-token"]);
    for text in ["tool \"\"\"{\n\"\"\"(\nA \"", "[,\"a\"=,ask\\type.\ntype="] {
        assert!(parse(text.into()).diagnostics(FileId(0)).iter().all(|diagnostic| !diagnostic.message.contains('\n')));
    }
}

fn assert_tiles(text: &str) {
    let tokens = lex(text);
    let mut behind = 0;
    for token in tokens.iter() {
        assert_eq!(token.span.start, behind);
        assert!(token.span.end > token.span.start);
        assert!(text.is_char_boundary(token.span.end as usize));
        behind = token.span.end;
    }
    assert_eq!(behind as usize, text.len());
}

/// Pieces of text that mean something, and some that do not.
fn piece() -> impl Strategy<Value = String> {
    let words = "{ } ( ) [ ] , : ; . .. ... ? ?? | || && ! = == -> @ < > \" \"\"\" \"a\" \"{{.a}}\" \"{{ \\ ' # // /// //! /* */ 1 0.5 12abc 30s 1h30m type tool \
                 workflow agent prompt step end fail on when also else limit each as in ask call run emit wait cancel all of failure timeout name x.y \u{e9} \u{0} \
                 example event external import from enum union by error";
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    prop_oneof![8 => prop::sample::select(words), 1 => Just("\n".to_owned()), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_tile_any_text(text in any::<String>()) {
        assert_tiles(&text);
    }

    #[test]
    fn any_pieces_are_read(pieces in prop::collection::vec((piece(), prop::sample::select(vec!["", " ", "\n", "\n  "])), 0..60)) {
        let text: String = pieces.into_iter().map(|(piece, blank)| piece + blank).collect();
        assert_tiles(&text);
        let file = parse(text.as_str().into());
        let mut behind = 0;
        for slot in &file.items {
            prop_assert!(behind <= slot.start && slot.start < slot.end);
            behind = slot.end;
            for error in &slot.parsed.errors {
                prop_assert!(error.span.end <= slot.end - slot.start);
            }
        }
        for diagnostic in file.diagnostics(FileId(0)) {
            let span = diagnostic.primary.place.span;
            prop_assert!(text.get(span.range()).is_some(), "{span:?}");
            prop_assert!(!diagnostic.message.is_empty() && !diagnostic.message.contains('\n'));
        }
        let unknown = lex(&text).kinds().contains(&TokenKind::Unknown);
        prop_assert!(!unknown || file.has_errors());
    }
}
