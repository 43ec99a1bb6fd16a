use proptest::prelude::*;

use super::*;

#[test]
fn strings_have_the_escapes_of_json() {
    assert_eq!(string_value(r#""plain""#), "plain");
    assert!(matches!(string_value(r#""plain""#), Cow::Borrowed(_)));
    assert_eq!(string_value(r#""a\n\t\"\\\/\b\f\rz""#), "a\n\t\"\\/\u{8}\u{c}\rz");
    assert_eq!(string_value(r#""\u00e9\ud83d\ude00\u20AC""#), "\u{e9}\u{1f600}\u{20ac}");
    assert_eq!(string_value(r#""\{{.a}}""#), "{{.a}}");
    assert_eq!(string_value(r#""""#), "");
}

#[test]
fn a_quoted_text_says_the_text() {
    for (text, written) in [
        ("plain", r#""plain""#),
        ("say \"no\" \\ 'yes'", r#""say \"no\" \\ 'yes'""#),
        ("a\n\r\t\0\u{85}\u{7f}", r#""a\n\r\t\u0000\u0085\u007f""#),
        // Marks, blanks of all kinds and other planes stand as they are.
        ("cafe\u{301}\u{2028}\u{1f600}", "\"cafe\u{301}\u{2028}\u{1f600}\""),
        ("{ {{.a}} {{{ {{{{", r#""{ \{{.a}} \{{{ \{{\{{""#),
    ] {
        assert_eq!(quoted_string(text), written);
        assert_eq!(string_value(written), text);
        assert_eq!(escape_faults(written), []);
    }
}

#[test]
fn wrong_escapes_stand_for_themselves_and_are_listed() {
    let raw = r#""a\d \u12 \ud800x \{ é\é""#;
    assert_eq!(string_value(raw), r"a\d \u12 \ud800x \{ é\é");
    let faults = escape_faults(raw).into_iter().map(|(at, length, fault)| (&raw[at..at + length], fault)).collect::<Vec<_>>();
    let expected = [
        (r"\d", EscapeFault::Unknown('d')),
        (r"\u12", EscapeFault::ShortUnicode),
        (r"\ud800", EscapeFault::LoneSurrogate),
        (r"\{", EscapeFault::SingleBrace),
        (r"\é", EscapeFault::Unknown('é')),
    ];
    assert_eq!(faults, expected);
    assert_eq!(escape_faults(r#""\ud800\ud800""#).len(), 2, "two high halves make no pair");
    assert_eq!(escape_faults(r#""\ude00""#).len(), 1, "a low half alone");
    assert_eq!(escape_faults("\"\\").len(), 1, "a backslash at the end");
}

#[test]
fn text_blocks_lose_the_closing_lines_indentation() {
    assert_eq!(text_block_value("\"\"\"\n  a\n    b\n\n  c\n  \"\"\""), "a\n  b\n\nc");
    assert_eq!(text_block_value("\"\"\"\na\n\"\"\""), "a");
    assert_eq!(text_block_value("\"\"\"\n  a\n\n\"\"\""), "  a\n");
    assert_eq!(text_block_value("\"\"\"  \r\n\ta\r\n\t\tb\r\n\t\"\"\""), "a\n\tb");
    assert_eq!(text_block_value("\"\"\"\n  raw \\n \\{{ \\\" \u{e9}\n  \"\"\""), "raw \\n \\{{ \\\" \u{e9}");
}

#[test]
fn text_blocks_may_be_empty_or_blank() {
    assert_eq!(text_block_value("\"\"\"\n\"\"\""), "");
    assert_eq!(text_block_value("\"\"\"\n   \"\"\""), "");
    assert_eq!(text_block_value("\"\"\"\n\n\"\"\""), "");
    assert_eq!(text_block_value("\"\"\"\n\n\n\"\"\""), "\n");
    assert_eq!(text_block_value("\"\"\"\"\"\""), "");
}

#[test]
fn text_in_the_margin_is_kept_and_marked() {
    let raw = "\"\"\"\n    a\n  b\n \n\tc\n    \"\"\"";
    let lines = block_lines(raw).map(|line| (line.text, line.in_margin, &raw[line.start..])).collect::<Vec<_>>();
    assert_eq!(lines.iter().map(|line| (line.0, line.1)).collect::<Vec<_>>(), [("a", false), ("b", true), ("", false), ("\tc", true)]);
    assert!(lines[1].2.starts_with("b\n"));
}

#[test]
fn crooked_text_blocks_say_what_they_can() {
    assert_eq!(text_block_value("\"\"\"abc\"\"\""), "abc");
    assert_eq!(text_block_value("\"\"\"\n  abc"), "  abc");
    assert_eq!(text_block_value("\"\"\"\n  abc\n  d\"\"\""), "  abc\n  d");
    assert_eq!(text_block_value(""), "");
    assert_eq!(text_block_value("\"\""), "\"\"");
}

#[test]
fn docs_lose_their_markers() {
    let doc = |lines: &[&str]| doc_text(lines.iter().copied());
    assert_eq!(doc(&["/// One.", "///", "///   two\r"]).as_deref(), Some("One.\n\n  two"));
    assert_eq!(doc(&["///tight"]).as_deref(), Some("tight"));
    assert_eq!(doc(&[]), None);
    assert_eq!(doc(&["///", "///  "]), None);
}

#[test]
fn integers_are_exact_or_refused() {
    assert_eq!(number("9007199254740991"), Ok(Number::Integer(MAX_SAFE_INTEGER)));
    assert_eq!(number("-9007199254740991"), Ok(Number::Integer(-MAX_SAFE_INTEGER)));
    assert_eq!(number("9007199254740992"), Err(NumberFault::TooLarge));
    assert_eq!(number(&"9".repeat(400)), Err(NumberFault::TooLarge));
    assert_eq!(number("- 5"), Ok(Number::Integer(-5)));
    assert_eq!(number_text("-/* 3 */ 1.50"), "-1.50");
    assert_eq!(number_text("-1e-5"), "-1e-5");
}

#[test]
fn floats_are_finite_or_refused() {
    assert_eq!(number("1.5"), Ok(Number::Float(1.5)));
    assert_eq!(number("-1e-5"), Ok(Number::Float(-1e-5)));
    assert_eq!(number("9007199254740991.0"), Ok(Number::Float(9_007_199_254_740_991.0)));
    assert_eq!(number("9007199254740992.0"), Err(NumberFault::TooLarge));
    assert_eq!(number("-1e16"), Err(NumberFault::TooLarge));
    assert_eq!(number("1e400"), Err(NumberFault::TooLarge));
    assert_eq!(number("1e99999999999999999999"), Err(NumberFault::TooLarge));
    assert_eq!([number(""), number("-"), number("inf"), number("1e")], [Err(NumberFault::Malformed); 4]);
}

proptest! {
    #[test]
    fn any_text_has_a_value(raw in "\\PC*|[\"\\\\u{}dD8n\\n\\r\\t ]*") {
        let _ = string_value(&raw);
        let _ = text_block_value(&raw);
        let _ = (number(&raw), duration_millis(&raw), number_text(&raw));
        for (at, length, _) in escape_faults(&raw) {
            prop_assert!(raw.get(at..at + length).is_some_and(|text| text.starts_with('\\')));
        }
        for line in block_lines(&raw) {
            prop_assert!(raw.get(line.start..).is_some_and(|text| text.starts_with(line.text)));
        }
    }

    #[test]
    fn a_string_without_escapes_is_itself(text in "[^\"\\\\]*") {
        let raw = format!("\"{text}\"");
        prop_assert_eq!(string_value(&raw), text);
    }

    #[test]
    fn a_text_block_gives_its_text_back(lines in prop::collection::vec("[a-z{}\\\\\"]{0,4}[a-z]?", 1..5), margin in "[ \\t]{0,4}") {
        let text = lines.join("\n");
        let body = lines.iter().map(|line| format!("{margin}{line}\n")).collect::<String>();
        let raw = format!("\"\"\"\n{body}{margin}\"\"\"");
        prop_assert_eq!(text_block_value(&raw), text);
    }
}
