//! Parsing a changed text with what is known of the text before: the result is that of parsing it for the first time.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "a test")]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use weave_syntax::{File, parse, parse_again};

fn samples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths.iter().filter(|path| path.extension().is_some_and(|it| it == "weave"));
    texts.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Parses both ways, and says how many items were taken over.
#[track_caller]
fn check(earlier: &File, text: &str) -> (File, usize) {
    let (again, anew) = (parse_again(earlier, text.into()), parse(text.into()));
    assert_eq!(again.tokens, anew.tokens);
    assert_eq!(format!("{:#?}", again.errors), format!("{:#?}", anew.errors), "{text}");
    assert_eq!(format!("{:#?}", again.items), format!("{:#?}", anew.items), "{text}");
    let taken = again.items.iter().filter(|slot| earlier.items.iter().any(|other| Arc::ptr_eq(&slot.parsed, &other.parsed)));
    let taken = taken.count();
    (again, taken)
}

#[test]
fn whatever_is_inserted_or_deleted_anywhere() {
    const INSERTED: [&str; 12] = ["x", " ", "\n", "\r\n", "{", "}", "\"", "\"\"\"", "/*", ";", "\u{1f600}", "\ntype X {\n  a: string\n}\n"];
    for text in samples() {
        let mut file = parse(text.as_str().into());
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).step_by(1 + text.len() / 20).collect();
        for (number, &place) in places.iter().enumerate() {
            let mut changed = text.clone();
            changed.insert_str(place, INSERTED[number % INSERTED.len()]);
            file = check(&file, &changed).0;
            changed = text.clone();
            let end = (place + 1 + number % 40..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
            changed.replace_range(place..end, "");
            // From one changed text to the next one, so two places have changed.
            file = check(&file, &changed).0;
        }
        check(&file, &text);
    }
}

#[test]
fn whatever_is_changed_in_a_long_text() {
    const INSERTED: [&str; 16] = [
        "x",
        " ",
        "\n",
        "\r\n",
        "{",
        "}",
        "\"",
        "\"\"\"",
        "\n  \"\"\"\n",
        "/*",
        "*/",
        "///",
        "@",
        "\u{1f600}",
        "\ntool x() -> int\n",
        "\n@deprecated(\"x\")\n",
    ];
    let mut random = 11_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let whole = samples().concat();
    let mut file = parse(whole.as_str().into());
    let mut same = 0;
    for round in 0..600 {
        // What has gone wrong heaps up for a while.
        let mut text = if round % 6 == 0 { whole.clone() } else { file.text.to_string() };
        let place = |at: usize, text: &str| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let start = place(next(text.len()), &text);
        let end = place((start + next(3) * next(30)).min(text.len()), &text);
        text.replace_range(start..end, INSERTED[next(INSERTED.len())]);
        let (again, anew) = (parse_again(&file, text.as_str().into()), parse(text.as_str().into()));
        assert_eq!(again.tokens, anew.tokens, "{:?}", &text[start..]);
        assert_eq!(format!("{:?}", again.errors), format!("{:?}", anew.errors));
        assert_eq!(again.items.len(), anew.items.len());
        for (again, anew) in again.items.iter().zip(&anew.items) {
            assert_eq!((again.start, again.end, &again.parsed), (anew.start, anew.end, &anew.parsed));
        }
        same += again.items.iter().filter(|slot| file.items.iter().any(|other| Arc::ptr_eq(&slot.parsed, &other.parsed))).count();
        file = again;
    }
    assert!(same > 600 * 10, "{same}");
}

#[test]
fn only_what_has_changed_is_parsed() {
    let mut text = String::new();
    for number in 0..100 {
        let comment = ["", " // Why.", "/* Why. */"][number % 3];
        writeln!(text, "/// Number {number}.\ntype T{number} {{\n  field: string\n}}{comment}\n").unwrap();
    }
    let file = parse(text.as_str().into());
    let replaced = text.replacen("T50 {", "T50 {\n  more: int", 1);
    let (file, taken) = check(&file, &replaced);
    assert_eq!(taken, 99);
    let (file, taken) = check(&file, &format!("type New = int\n\n{replaced}"));
    assert_eq!(taken, 100, "what is inserted moves everything");
    let (file, taken) = check(&file, &text);
    assert_eq!(taken, 99);
    let both = text.replacen("T10 {", "T10 {\n  more: int", 1).replacen("T90 {", "T90 {\n  more: int", 1);
    let (file, taken) = check(&file, &both);
    assert_eq!(taken, 98, "several cursors");
    let without = both.replacen("/// Number 30.\ntype T30 {\n  field: string\n}\n", "", 1);
    assert_eq!(check(&file, &without).1, 99);
}

#[test]
fn what_repairs_may_cost_is_shared_by_all_items() {
    // Enough to spend everything that a file may: what is broken later is repaired with less.
    let broken =
        "workflow w(a: int b) -> { x: int {\n  step s = call t { a: [1, 2, { b: .input.( } ] }\n  end done on s s = { } } ]\n}\n\n";
    let few = broken.repeat(3);
    let many = broken.repeat(400);
    let mut file = parse(many.as_str().into());
    for text in
        [format!("type T = int\n\n{many}"), few.clone(), many.clone(), many.replacen("a: int", "a: [", 1), few, format!("{many}{broken}")]
    {
        file = check(&file, &text).0;
    }
}

#[test]
fn what_stands_beside_an_item_on_its_lines_counts() {
    let item = "type A {\n  a: int;\n}";
    for (before, after) in [
        (format!("{item}\n"), format!("{item} type B = int\n")),
        (format!("/// Docs.\n{item}\n"), format!("type B = int /// Docs.\n{item}\n")),
        (format!("/// Docs.\n{item}\n"), format!("/* */ /// Docs.\n{item}\n")),
        (format!("type B = int;\n{item}\n"), format!("type B = int; {item}\n")),
        (format!("\u{feff}{item}\n"), format!("{item}\n")),
        (item.to_owned(), format!("{item}\n")),
        (format!("type A = int;\n{item}\n"), format!("type A = int; // Why.\n{item}\n")),
        (format!("type A = int; // Why.\n{item}\n"), format!("type A = int; /* */ {item}\n")),
    ] {
        let file = check(&parse(before.as_str().into()), &after).0;
        check(&file, &before);
    }
}
