//! What a drawn diagnostic looks like.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::sync::Arc;

use weave_diagnostics::{
    Applicability, Charset, Code, Diagnostic, Edit, FileId, Fix, Place, Renderer, Severity, SourceFile, SourceMap, Span, Style, summary,
};

static UNKNOWN: Code = Code { id: "unknown-name", severity: Severity::Error, summary: "", explanation: "", bad: "", good: "" };
static UNUSED: Code = Code { id: "unused-import", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };

fn sources(texts: &[&str]) -> SourceMap {
    let mut sources = SourceMap::new();
    for (name, text) in ["a.weave", "lib/b.weave"].iter().zip(texts) {
        sources.add(Arc::new(SourceFile::new(*name, (*text).into())));
    }
    sources
}

/// The place of `word` in the file.
fn place(sources: &SourceMap, file: u32, word: &str) -> Place {
    let text = sources.get(FileId(file)).unwrap().text();
    let start = text.find(word).unwrap() as u32;
    Place::new(FileId(file), Span::new(start, start + word.len() as u32))
}

fn at(start: u32, end: u32) -> Place {
    Place::new(FileId(0), Span::new(start, end))
}

fn draw(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    Renderer::default().render(diagnostic, sources)
}

#[test]
fn everything_that_a_diagnostic_can_say() {
    let sources = sources(&[
        "import { Order } from \"./lib/b.weave\"\n\nworkflow w() {\n  step a { call find_ordr {} }\n",
        "type Order {\n  id: string\n}\n\ntool find_order(id: string) -> Order {}\n",
    ]);
    let unknown = place(&sources, 0, "find_ordr");
    let diagnostic = Diagnostic::new(&UNKNOWN, unknown, "no tool is called `find_ordr`")
        .label("not declared anywhere")
        .also(place(&sources, 0, "step a"), "in this step")
        .also(place(&sources, 1, "find_order"), "this one has a similar name")
        .note("tools, agents and workflows can be called")
        .help("write `find_order`, or declare the tool:\n\ntool find_ordr()")
        .replace(Applicability::Unsafe, "change the name", unknown, "find_order");
    insta::assert_snapshot!(draw(&diagnostic, &sources), @r"
    error[unknown-name]: no tool is called `find_ordr`
      ┌─ a.weave:4:17
      │
    4 │   step a { call find_ordr {} }
      │   ------        ^^^^^^^^^ not declared anywhere
      │   │
      │   in this step
      │
      ┌─ lib/b.weave:5:6
      │
    5 │ tool find_order(id: string) -> Order {}
      │      ---------- this one has a similar name
      │
      = note: tools, agents and workflows can be called
      = help: write `find_order`, or declare the tool:

              tool find_ordr()
      = possible fix: change the name: `find_order`
    ");

    let ascii = Renderer { charset: Charset::Ascii, ..Renderer::default() };
    insta::assert_snapshot!(ascii.render(&diagnostic, &sources), @r"
    error[unknown-name]: no tool is called `find_ordr`
      --> a.weave:4:17
      |
    4 |   step a { call find_ordr {} }
      |   ------        ^^^^^^^^^ not declared anywhere
      |   |
      |   in this step
      |
      --> lib/b.weave:5:6
      |
    5 | tool find_order(id: string) -> Order {}
      |      ---------- this one has a similar name
      |
      = note: tools, agents and workflows can be called
      = help: write `find_order`, or declare the tool:

              tool find_ordr()
      = possible fix: change the name: `find_order`
    ");
}

#[test]
fn short_style_is_one_line() {
    let sources = sources(&["\u{feff}type \u{e4}\u{1f600} T {}"]);
    let short = Renderer { style: Style::Short, ..Renderer::default() };
    let error = Diagnostic::new(&UNKNOWN, place(&sources, 0, "T"), "odd").note("not shown");
    let warning = Diagnostic::new(&UNUSED, at(99, 120), "two\nlines");
    insta::assert_snapshot!(short.render_all(&[error, warning], &sources), @r"
    a.weave:1:9: error[unknown-name]: odd
    a.weave:1:13: warning[unused-import]: two lines
    ");
}

#[test]
fn color_surrounds_text_and_is_always_reset() {
    let sources = sources(&["tool t()"]);
    let diagnostic = Diagnostic::new(&UNUSED, at(5, 6), "unused").label("here").also(at(0, 4), "there").help("remove it");
    let color = Renderer { color: true, ..Renderer::default() };
    let drawn = color.render(&diagnostic, &sources);
    insta::assert_snapshot!(drawn.replace('\u{1b}', "ESC"), @r"
    ESC[0;1;33mwarning[unused-import]ESC[0;1m: unusedESC[0m
      ESC[0;1;34m┌─ESC[0m a.weave:1:6
      ESC[0;1;34m│ESC[0m
    ESC[0;1;34m1ESC[0m ESC[0;1;34m│ESC[0m tool ESC[0;1;33mtESC[0m()
      ESC[0;1;34m│ESC[0m ESC[0;36m----ESC[0m ESC[0;1;33m^ESC[0m ESC[0;1;33mhereESC[0m
      ESC[0;1;34m│ESC[0m ESC[0;36m│ESC[0m
      ESC[0;1;34m│ESC[0m ESC[0;36mthereESC[0m
      ESC[0;1;34m│ESC[0m
      ESC[0;1;34m=ESC[0m ESC[1mhelp:ESC[0m remove it
    ");
    // Without its escape sequences it is the plain drawing.
    let mut plain = String::new();
    for (index, part) in drawn.split('\u{1b}').enumerate() {
        plain.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(plain, draw(&diagnostic, &sources));
    for line in drawn.lines().filter(|line| line.contains('\u{1b}')) {
        let last = line.rsplit('\u{1b}').next().unwrap();
        assert!(last.starts_with("[0m"), "colour runs over the end of {line:?}");
    }
}

#[test]
fn labels_of_several_lines_show_their_ends() {
    let text = "workflow w() {\n  one\n  two\n  three\n  four\n  five\n}\nend";
    let sources = sources(&[text]);
    let whole = Diagnostic::new(&UNKNOWN, at(0, text.find('}').unwrap() as u32 + 1), "no end").label("this workflow");
    insta::assert_snapshot!(draw(&whole, &sources), @r"
    error[unknown-name]: no end
      ┌─ a.weave:1:1
      │
    1 │ ╭ workflow w() {
    2 │ │   one
      · │
    6 │ │   five
    7 │ │ }
      │ ╰─^ this workflow
    ");
    let two = Diagnostic::new(&UNKNOWN, place(&sources, 0, "two\n  three"), "two lines").also(place(&sources, 0, "five"), "and this");
    insta::assert_snapshot!(draw(&two, &sources), @r"
    error[unknown-name]: two lines
      ┌─ a.weave:3:3
      │
    3 │ ╭   two
    4 │ │   three
      │ ╰───────^
    5 │     four
    6 │     five
      │     ---- and this
    ");
}

#[test]
fn a_label_of_a_million_lines_is_small() {
    let text = "x\n".repeat(1_000_000);
    let sources = sources(&[&text]);
    let diagnostic = Diagnostic::new(&UNKNOWN, at(0, text.len() as u32), "long").also(at(1_000_000, 1_000_001), "middle");
    insta::assert_snapshot!(draw(&diagnostic, &sources), @r"
    error[unknown-name]: long
            ┌─ a.weave:1:1
            │
          1 │ ╭ x
          2 │ │ x
            · │
     500001 │ │ x
            │ │ - middle
            · │
     999999 │ │ x
    1000000 │ │ x
            │ ╰─^
    ");
}

#[test]
fn a_line_end_in_a_span_is_not_another_line() {
    let sources = sources(&["one\r\ntwo\n"]);
    let with_line_end = Diagnostic::new(&UNKNOWN, at(0, 5), "with its line end");
    let only_line_end = Diagnostic::new(&UNKNOWN, at(3, 5), "only the line end");
    let line_feed = Diagnostic::new(&UNKNOWN, at(4, 5), "the line feed behind a carriage return");
    let drawn = Renderer::default().render_all(&[with_line_end, only_line_end, line_feed], &sources);
    insta::assert_snapshot!(drawn, @r"
    error[unknown-name]: with its line end
      ┌─ a.weave:1:1
      │
    1 │ one
      │ ^^^

    error[unknown-name]: only the line end
      ┌─ a.weave:1:4
      │
    1 │ one
      │    ^

    error[unknown-name]: the line feed behind a carriage return
      ┌─ a.weave:1:4
      │
    1 │ one
      │    ^
    ");
}

#[test]
fn the_end_of_a_file_can_be_shown() {
    let empty = sources(&[""]);
    insta::assert_snapshot!(draw(&Diagnostic::new(&UNKNOWN, at(0, 0), "empty"), &empty), @r"
    error[unknown-name]: empty
      ┌─ a.weave:1:1
      │
    1 │
      │ ^
    ");
    let no_line_end = sources(&["type T {"]);
    insta::assert_snapshot!(draw(&Diagnostic::new(&UNKNOWN, at(8, 8), "open").label("`}` is missing"), &no_line_end), @r"
    error[unknown-name]: open
      ┌─ a.weave:1:9
      │
    1 │ type T {
      │         ^ `}` is missing
    ");
    let line_end = sources(&["type T {\n"]);
    insta::assert_snapshot!(draw(&Diagnostic::new(&UNKNOWN, at(9, 9), "open").label("`}` is missing"), &line_end), @r"
    error[unknown-name]: open
      ┌─ a.weave:2:1
      │
    2 │
      │ ^ `}` is missing
    ");
}

#[test]
fn places_that_do_not_exist_do_no_harm() {
    let sources = sources(&["\u{1f600}"]);
    let behind = Diagnostic::new(&UNKNOWN, at(70, 90), "behind the end");
    let inside = Diagnostic::new(&UNKNOWN, at(1, 3), "inside of a character");
    let nowhere = Diagnostic::new(&UNKNOWN, Place::new(FileId(7), Span::new(0, 1)), "in no file").note("still said");
    let drawn = Renderer::default().render_all(&[behind, inside, nowhere], &sources);
    insta::assert_snapshot!(drawn, @r"
    error[unknown-name]: behind the end
      ┌─ a.weave:1:2
      │
    1 │ 😀
      │   ^

    error[unknown-name]: inside of a character
      ┌─ a.weave:1:1
      │
    1 │ 😀
      │ ^^

    error[unknown-name]: in no file
     = note: still said
    ");
}

#[test]
fn carets_stand_under_their_characters() {
    let sources = sources(&["\tid:\tint\n\u{1f600}\u{e4}\u{4e2d}x\ny"]);
    let tab = Diagnostic::new(&UNKNOWN, place(&sources, 0, "int"), "behind tabs").label("here");
    let wide = Diagnostic::new(&UNKNOWN, place(&sources, 0, "x"), "behind wide characters").also(place(&sources, 0, "\u{1f600}"), "");
    insta::assert_snapshot!(Renderer::default().render_all(&[tab, wide], &sources), @r"
    error[unknown-name]: behind tabs
      ┌─ a.weave:1:6
      │
    1 │     id: int
      │         ^^^ here

    error[unknown-name]: behind wide characters
      ┌─ a.weave:2:4
      │
    2 │ 😀ä中x
      │ --   ^
    ");
}

#[test]
fn what_a_terminal_would_obey_is_shown_instead() {
    let text = "\u{feff}type \u{1b}[31m\0T\u{202e}x\u{200b} \u{7f}";
    let sources = sources(&[text]);
    let diagnostic = Diagnostic::new(&UNKNOWN, place(&sources, 0, "\u{200b}"), "red \u{1b}[31m text\nsecond line").label("\u{200b}");
    insta::assert_snapshot!(draw(&diagnostic, &sources), @r"
    error[unknown-name]: red ␛[31m text second line
      ┌─ a.weave:1:15
      │
    1 │ type ␛[31m␀T�x� ␡
      │               ^ �
    ");
    let ascii = Renderer { charset: Charset::Ascii, ..Renderer::default() };
    insta::assert_snapshot!(ascii.render(&diagnostic, &sources), @r"
    error[unknown-name]: red ?[31m text second line
      --> a.weave:1:15
      |
    1 | type ?[31m?T?x? ?
      |               ^ ?
    ");
}

#[test]
fn long_lines_are_cut_around_their_labels() {
    let mut text = String::new();
    for number in 0..2_000_000 {
        write!(text, "{number} ").unwrap();
    }
    text.push_str("end");
    let sources = sources(&[&text]);
    let middle = place(&sources, 0, "1234567");
    let diagnostic = Diagnostic::new(&UNKNOWN, middle, "long").label("here").also(place(&sources, 0, "17 "), "and here");
    insta::assert_snapshot!(draw(&diagnostic, &sources), @r"
    error[unknown-name]: long
      ┌─ a.weave:1:8765427
      │
    1 │ 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 …1234562 1234563 1234564 1234565 1234566 1234567 1234568 1234569 1234570 1234571 1234572 1234573 1234574 123…
      │                                          ---                                                                                                     ^^^^^^^ here
      │                                          │
      │                                          and here
    ");
    let last = Diagnostic::new(&UNKNOWN, place(&sources, 0, "end"), "at the end");
    insta::assert_snapshot!(draw(&last, &sources), @r"
    error[unknown-name]: at the end
      ┌─ a.weave:1:14888891
      │
    1 │ …1999995 1999996 1999997 1999998 1999999 end
      │                                          ^^^
    ");
    let whole = Diagnostic::new(&UNKNOWN, at(0, text.len() as u32), "whole");
    insta::assert_snapshot!(draw(&whole, &sources), @r"
    error[unknown-name]: whole
      ┌─ a.weave:1:1
      │
    1 │ 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 2…9995 1999996 1999997 1999998 1999999 end
      │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
}

#[test]
fn long_messages_are_cut() {
    let sources = sources(&["x"]);
    let name = "n".repeat(1_000_000);
    let drawn = draw(&Diagnostic::new(&UNKNOWN, at(0, 1), format!("no `{name}`")).label(&name).note(&name).help(&name), &sources);
    assert!(drawn.len() < 4_000, "{} bytes", drawn.len());
}

#[test]
fn fixes_say_what_they_write() {
    let sources = sources(&["type T {"]);
    let insert = |text: &str, message: &str| Fix {
        message: message.to_owned(),
        edits: vec![Edit { place: at(8, 8), text: text.to_owned() }],
        applicability: Applicability::Safe,
    };
    let diagnostic = Diagnostic::new(&UNKNOWN, at(8, 8), "open")
        .fix(insert(" }", "insert `}`"))
        .fix(insert(" }", "close the type"))
        .fix(insert(&"long ".repeat(20), "insert a long text"))
        .fix(insert("a\nb", "insert two lines"))
        .fix(insert("", "remove it"));
    insta::assert_snapshot!(draw(&diagnostic, &sources), @r"
    error[unknown-name]: open
      ┌─ a.weave:1:9
      │
    1 │ type T {
      │         ^
      │
      = fix: insert `}`
      = fix: close the type: `}`
      = fix: insert a long text
      = fix: insert two lines
      = fix: remove it
    ");
}

#[test]
fn the_summary_counts() {
    let error = Diagnostic::new(&UNKNOWN, at(0, 1), "");
    let elsewhere = Diagnostic::new(&UNKNOWN, Place::new(FileId(1), Span::at(0)), "");
    let warning = Diagnostic::new(&UNUSED, at(0, 1), "");
    let mut note = warning.clone();
    note.severity = Severity::Note;
    assert_eq!(summary(&[]), None);
    assert_eq!(summary(std::slice::from_ref(&warning)).as_deref(), Some("1 warning in 1 file"));
    assert_eq!(summary(&[warning.clone(), error.clone(), elsewhere]).as_deref(), Some("2 errors and 1 warning in 2 files"));
    assert_eq!(summary(&[note, warning, error.clone()]).as_deref(), Some("1 error, 1 warning and 1 note in 1 file"));
    assert_eq!(summary(&vec![error; 12_345]).as_deref(), Some("12,345 errors in 1 file"));
}
