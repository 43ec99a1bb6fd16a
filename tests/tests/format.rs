//! The one layout: nothing but blanks, line breaks and optional commas changes, and nothing changes twice.

use std::ops::RangeInclusive;
use std::sync::Arc;

use weave_diagnostics::{Diagnostic, FileId, Span};
use weave_format::{NotFormatted, TextNotFormatted, format, format_range, format_text};
use weave_syntax::{File, TokenKind, lex, parse};
use weave_tests::expectation::{compare, report};
use weave_tests::programs::generate;
use weave_tests::random::Random;
use weave_tests::suite::{Case, group};
use weave_tests::{files_below, read, root};

/// The programs of the project that have no syntax error, with their names.
fn programs() -> Vec<(String, String)> {
    let folders = ["examples", "grammar", "tests/suite"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| files_below(folder, "weave"));
    let texts = files.filter_map(|path| Some((path.display().to_string(), std::fs::read_to_string(path).ok()?)));
    texts.filter(|(_, text)| is_right(text)).collect()
}

fn is_right(text: &str) -> bool {
    right(text).is_some()
}

/// The text as it is read, if it has no syntax error.
fn right(text: &str) -> Option<File> {
    Some(parse(Arc::from(text))).filter(|file| !file.has_errors())
}

/// The comments and tokens but for commas, without blanks at their ends; which line ends are in them is up to the file.
fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    let kept = |kind| !matches!(kind, TokenKind::Whitespace | TokenKind::Comma | TokenKind::ByteOrderMark);
    let found = lex(text);
    let tokens = found.iter().filter(|token| kept(token.kind));
    tokens.map(|token| (token.kind, token.span.text(text).trim_end().replace("\r\n", "\n"))).collect()
}

/// What is wrong with the layout of a text, in words; nothing is, if it has syntax errors.
pub(crate) fn complaint_about(name: &str, text: &str) -> Option<String> {
    complaint_of(name, &right(text)?)
}

/// What is wrong with the layout of a text, in words.
fn complaint(name: &str, text: &str) -> Option<String> {
    complaint_of(name, &parse(Arc::from(text)))
}

/// The same of a text that has been read.
fn complaint_of(name: &str, file: &File) -> Option<String> {
    let text = &*file.text;
    let once = match format(file) {
        Ok(once) => once,
        Err(error) => return Some(format!("{name}: {error:?}\n{text}")),
    };
    if tokens(&once) != tokens(text) {
        return Some(format!("{name}: other tokens\n{text}\n=====\n{once}"));
    }
    match format(&parse(Arc::from(once.as_str()))) {
        Ok(twice) if twice == once => {}
        Ok(twice) => return Some(format!("{name}: formatting it again changes it\n{text}\n=====\n{once}\n=====\n{twice}")),
        Err(error) => return Some(format!("{name}: {error:?} the second time\n{text}\n=====\n{once}")),
    }
    let is_ragged = |line: &&str| line.trim_end() != *line;
    let ragged = once.lines().find(is_ragged).filter(|line| !text.contains(line));
    ragged.map(|line| format!("{name}: blanks at the end of {line:?}"))
}

#[test]
fn suite_layouts() {
    let complaints = group("format").into_iter().flat_map(|case| {
        let text = read(&case.file("input.weave"));
        let formatted = format_text(&Arc::from(text.as_str()), lines_of(&case), FileId(0));
        let is_whole = formatted.is_ok() && !case.file("lines").exists();
        let (layout, errors) = match formatted {
            Ok(layout) => (Some(layout), None),
            Err(TextNotFormatted::SyntaxErrors(errors)) => (None, Some(ids(&errors))),
            Err(TextNotFormatted::Changed) => return Some(format!("{}: other tokens", case.title())),
        };
        let compared = compare(&case.file("expected.weave"), layout.as_deref());
        let compared = compared.and_then(|()| compare(&case.file("errors.txt"), errors.as_deref()));
        compared.err().or_else(|| complaint(&case.title(), &text).filter(|_| is_whole))
    });
    report(&complaints.collect::<Vec<_>>());
}

/// The lines that a case wants to be formatted, the first one being 0: `lines` has them as `--lines` takes them.
fn lines_of(case: &Case) -> Option<RangeInclusive<usize>> {
    let text = std::fs::read_to_string(case.file("lines")).ok()?;
    let (first, last) = text.trim().split_once(':').expect("two numbers");
    let number = |text: &str| text.parse::<usize>().expect("a number") - 1;
    Some(number(first)..=number(last))
}

/// The ids of the errors for which a text was left alone, a line each.
fn ids(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| format!("{}\n", error.code.id)).collect()
}

#[test]
fn programs_of_the_project_are_formatted_once() {
    let programs = programs();
    assert!(programs.len() > 100, "only {} programs", programs.len());
    let spread = |(name, text): &(String, String)| (format!("{name}, spread out"), text.replace('\n', "\n\n\n"));
    let complaints = programs.iter().cloned().chain(programs.iter().map(spread)).filter_map(|(name, text)| complaint(&name, &text));
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn the_examples_are_formatted() {
    let files = ["examples", "grammar"].into_iter().flat_map(|folder| files_below(&root().join(folder), "weave"));
    let complaints = files.filter_map(|path| {
        let text = read(&path);
        let formatted = format(&parse(Arc::from(text.as_str()))).unwrap_or_default();
        (formatted != text).then(|| format!("{}: `weave fmt` writes\n{formatted}", path.display()))
    });
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn generated_programs_are_formatted_once() {
    let complaints = (0..2_000).filter_map(|seed| complaint(&format!("seed {seed}"), &weave_tests::generator::program(30, seed)));
    report(&complaints.collect::<Vec<_>>());
}

#[test]
fn comments_may_stand_anywhere() {
    // All blanks at once would only show the comments' effect on one another, one by one would be quadratic: every seventh, each in turn.
    const STRIDE: usize = 7;
    let comments = [" /* c */ ", " // c\n", "\n// c\n", "\n\n/* c\n c */\n\n", "/* a *//* b */"];
    let mut complaints = Vec::new();
    let mut count = 0;
    for (name, text) in programs().into_iter().filter(|(_, text)| text.len() < 2_000) {
        let found = lex(&text);
        let places: Vec<u32> = found.iter().filter(|token| token.kind == TokenKind::Whitespace).map(|token| token.span.start).collect();
        for (comment, first) in comments.iter().flat_map(|comment| (0..STRIDE).map(move |first| (comment, first))) {
            let mut changed = text.clone();
            for place in places.iter().skip(first).step_by(STRIDE).rev() {
                changed.insert_str(*place as usize, comment);
            }
            // A line end may stand before no item's name.
            if let Some(file) = right(&changed) {
                count += 1;
                complaints.extend(complaint_of(&name, &file));
            }
        }
    }
    report(&complaints);
    assert!(count > 3_000, "only {count} texts with comments were legal");
}

/// Between any two tokens, where the blanks of a program do not show that something may stand: `tool/* c */t(`.
#[test]
fn comments_between_random_tokens() {
    let comments = ["/* c */", " // c\n", "\n// c\n", "/* c\n c */", "\n\n/* a *//* b */\n\n", " //\n\n //"];
    let random_programs = (0..300).map(|seed| (format!("seed {seed}"), generate(seed, 12)));
    let programs = programs().into_iter().filter(|(_, text)| text.len() < 2_000).chain(random_programs);
    let mut complaints = Vec::new();
    let mut count = 0;
    for (seed, (name, text)) in (0..).zip(programs) {
        let mut random = Random::new(seed);
        let places: Vec<u32> = lex(&text).iter().map(|token| token.span.start).collect();
        for _ in 0..4 {
            let mut chosen: Vec<u32> = (0..=random.below(5)).map(|_| *random.pick(&places)).collect();
            chosen.sort_unstable();
            let mut changed = text.clone();
            for place in chosen.into_iter().rev() {
                let comment: &&str = random.pick(&comments);
                changed.insert_str(place as usize, comment);
            }
            if let Some(file) = right(&changed) {
                count += 1;
                complaints.extend(complaint_of(&name, &file));
            }
        }
    }
    report(&complaints);
    assert!(count > 2_000, "only {count} texts with comments were legal");
}

#[test]
fn the_layout_changes_no_definition() {
    for case in group("lower") {
        let program = case.program();
        let before = program.check().digests();
        let mut formatted = program.clone();
        for text in formatted.files.values_mut() {
            if let Ok(other) = format(&parse(Arc::from(text.as_str()))) {
                *text = other;
            }
        }
        assert_eq!(formatted.check().digests(), before, "{}", case.title());
    }
}

#[test]
fn mistakes_are_left_alone() {
    for text in ["type A {", "step", "type A { a: int\n  b int }\n", "\u{0}"] {
        assert_eq!(format(&parse(text.into())), Err(NotFormatted::SyntaxErrors), "{text:?}");
    }
}

#[test]
fn nothing_stays_nothing() {
    for (text, expected) in [("", ""), ("\n\n", ""), ("  // a  \n\n\n\n//b", "// a\n\n//b\n"), ("\u{feff}//! a", "//! a\n")] {
        assert_eq!(format(&parse(text.into())).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn line_ends_are_those_of_the_first_line() {
    let text = "type A {  a: int }\r\n\r\n\r\n// x\r\nprompt p() \"\"\"\r\n  a\r\n  \"\"\"\r\n";
    let formatted = format(&parse(text.into())).expect("it has no mistake");
    assert_eq!(formatted, "type A { a: int }\r\n\r\n// x\r\nprompt p() \"\"\"\r\n  a\r\n  \"\"\"\r\n");
}

#[test]
fn a_range_is_formatted_by_items() {
    let text: Arc<str> = "type A {  a: int }\ntype B {  b: int }\ntype C {  c: in".into();
    let file = parse(Arc::clone(&text));
    let found = format_range(&file, Span::new(20, 25)).expect("what is touched has no mistake");
    assert_eq!(found.iter().map(|it| (it.span, it.text.as_str())).collect::<Vec<_>>(), [(Span::new(19, 37), "type B { b: int }")]);
    assert_eq!(format_range(&file, Span::new(40, 41)), Err(NotFormatted::SyntaxErrors));
    let lines = format_text(&text, Some(0..=0), FileId(0)).expect("what is touched has no mistake");
    assert_eq!(lines, "type A { a: int }\ntype B {  b: int }\ntype C {  c: in");
    let right: Arc<str> = "type A {  a: int }\n\n\n".into();
    assert_eq!(format_text(&right, Some(7..=9), FileId(0)).as_deref(), Ok(&*right), "behind the items there is nothing to format");
}
