use weave_diagnostics::FileId;

use super::{Baseline, CODES, Entry};

fn entry(file: &str, rule: &str, item: &str) -> Entry {
    let fingerprint = format!("{rule}-{item}");
    Entry {
        file: file.to_owned(),
        rule: rule.to_owned(),
        item: item.to_owned(),
        fingerprint,
        count: 1,
        message: format!("`{item}` is odd"),
    }
}

/// How many of the findings are known, and what is gone, with all files seen.
fn compared(known: &[Entry], found: &[Entry]) -> (usize, Vec<(String, u32)>) {
    let comparison = Baseline::of(known.to_vec()).compare(found, &|_| true);
    let gone = comparison.gone.into_iter().map(|entry| (format!("{}:{}", entry.file, entry.item), entry.count)).collect();
    (comparison.is_known.iter().filter(|known| **known).count(), gone)
}

#[test]
fn what_moves_is_known_and_what_is_more_is_new() {
    let (one, two) = (entry("a", "odd", "A"), entry("b", "odd", "B"));
    assert_eq!(compared(&[one.clone(), two.clone()], &[two.clone(), one.clone()]), (2, vec![]));
    assert_eq!(compared(&[one.clone(), two.clone()], &[entry("z/b", "odd", "B"), entry("y", "odd", "A")]), (2, vec![]));
    assert_eq!(compared(std::slice::from_ref(&one), &[one.clone(), one.clone()]), (1, vec![]));
    assert_eq!(compared(&[one.clone(), one.clone(), two], &[one]), (1, vec![("a:A".to_owned(), 1), ("b:B".to_owned(), 1)]));
}

#[test]
fn of_equal_findings_the_copy_in_another_file_is_the_new_one() {
    let known = Baseline::of([entry("b", "odd", "A")]);
    assert_eq!(known.compare(&[entry("a", "odd", "A"), entry("b", "odd", "A")], &|_| true).is_known, [false, true]);
}

#[test]
fn one_of_two_equal_findings_that_moves_leaves_the_other_gone() {
    let known = [entry("a", "odd", "A"), entry("b", "odd", "A")];
    assert_eq!(compared(&known, &[entry("c", "odd", "A")]), (1, vec![("a:A".to_owned(), 1)]));
    assert_eq!(compared(&known, &[entry("b", "odd", "A")]), (1, vec![("a:A".to_owned(), 1)]));
}

#[test]
fn files_that_were_not_seen_lose_nothing_and_lend_nothing() {
    let known = Baseline::of([entry("a", "odd", "A"), entry("b", "odd", "B")]);
    let is_seen = |file: &str| file == "b";
    let comparison = known.compare(&[entry("b", "odd", "A")], &is_seen);
    assert_eq!(comparison.is_known, [false], "that of the other file still stands there");
    assert_eq!(comparison.gone, [entry("b", "odd", "B")]);
    let renewed = known.renewed([entry("b", "odd", "C")], &is_seen);
    assert_eq!(renewed, Baseline::of([entry("a", "odd", "A"), entry("b", "odd", "C")]));
}

#[test]
fn the_text_is_sorted_and_comes_back_as_it_was() {
    let same = Entry { message: "`A` is even".to_owned(), ..entry("b", "odd", "A") };
    let entries = [entry("b", "odd", "A"), entry("a", "odd", "C"), same, entry("b", "even", "\"Z\"")];
    let baseline = Baseline::of(entries.clone());
    let text = baseline.to_json();
    assert_eq!(
        text,
        r#"{
  "version": 1,
  "findings": [
    {"file":"a","rule":"odd","item":"C","fingerprint":"odd-C","count":1,"message":"`C` is odd"},
    {"file":"b","rule":"even","item":"\"Z\"","fingerprint":"even-\"Z\"","count":1,"message":"`\"Z\"` is odd"},
    {"file":"b","rule":"odd","item":"A","fingerprint":"odd-A","count":2,"message":"`A` is even"}
  ]
}
"#
    );
    assert_eq!(Baseline::read(&text, FileId(0)).unwrap(), baseline);
    assert_eq!(Baseline::of(entries.into_iter().rev()).to_json(), text);
    assert_eq!((baseline.len(), baseline.is_empty()), (4, false));
    let empty = Baseline::default();
    assert_eq!(Baseline::read(&empty.to_json(), FileId(0)).unwrap(), empty);
}

#[test]
fn every_bad_example_gets_its_diagnostic_and_every_good_one_is_read() {
    for code in CODES {
        assert_eq!(Baseline::read(code.bad, FileId(0)).unwrap_err().code.id, code.id);
        let read = Baseline::read(code.good, FileId(0)).unwrap();
        assert_eq!(Baseline::read(&read.to_json(), FileId(0)).unwrap().to_json(), read.to_json());
    }
}

#[test]
fn what_is_wrong_has_its_place() {
    let said = |text: &str| {
        let diagnostic = Baseline::read(text, FileId(0)).unwrap_err();
        (diagnostic.primary.place.span.text(text).to_owned(), diagnostic.message)
    };
    let cases = [
        ("", "", "this is not a baseline: the text ends too early"),
        ("{ \"version\": 12 }", "12", "baseline version 12 is unknown"),
        ("{ \"version\": \"1\" }", "\"", "this is not a baseline: its JSON has another form"),
        ("{\n  \"version\": 1\n}", "}", "this is not a baseline: its JSON has another form"),
        ("{\n<<<<<<< ours\n", "<", "this is not a baseline: the text is not JSON"),
        ("{ \"version\": 1, \"findings\": [], \"ä\": truly }", "truly", "this is not a baseline: the text is not JSON"),
        ("[]", "]", "this is not a baseline: its JSON has another form"),
    ];
    for (text, place, message) in cases {
        assert_eq!(said(text), (place.to_owned(), message.to_owned()), "{text}");
    }
}
