//! `weave explain`: the page of a diagnostic.

use std::path::{Path, PathBuf};

use weave_diagnostics::{Charset, Code, Registry, Severity, closest};

use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::terminal::Terminal;
use crate::write::put;

const WIDTH: usize = 88;

pub(crate) fn run(id: Option<&str>, terminal: Terminal) -> Result<Exit, Failures> {
    let registry = registry();
    let ink = Ink { color: terminal.colors_output() };
    let text = match id {
        None => list(&registry, ink),
        Some(id) => {
            let id = bare(id);
            page(registry.get(id).ok_or_else(|| unknown(id, &registry))?, ink)
        }
    };
    terminal.print(&Printed::drawn(&text))?;
    Ok(Exit::Clean)
}

/// The file in a folder that has the page of a diagnostic; it is written if it isn't there or says something else. Nothing if it can't be.
pub(crate) fn file(folder: &Path, code: &'static Code) -> Option<PathBuf> {
    let path = folder.join(format!("{}.txt", code.id));
    let text = page(code, Ink { color: false });
    if std::fs::read_to_string(&path).is_ok_and(|before| before == text) {
        return Some(path);
    }
    put(&path, &text).ok().map(|()| path)
}

/// Everything that has a page.
fn registry() -> Registry {
    let pages: Vec<&'static Code> = weave_compiler::pages().iter().collect();
    Registry::new(&[
        &pages,
        &weave_diff::change_codes(),
        weave_diff::ACCEPT_CODES,
        weave_testing::CODES,
        weave_testing::EXPLORE_CODES,
        &replay_codes(),
    ])
}

/// What `weave replay` reports, where it is built in.
fn replay_codes() -> Vec<&'static Code> {
    #[cfg(feature = "run")]
    return weave_replay::codes::RUN_CODES.iter().chain(weave_replay::codes::SCROLL_CODES).copied().collect();
    #[cfg(not(feature = "run"))]
    Vec::new()
}

/// The id of what may have been copied with its surroundings: `error[unknown-name]:`.
fn bare(id: &str) -> &str {
    let inside = id.split_once('[').map_or(id, |(_, rest)| rest);
    inside.split_once(']').map_or(inside, |(id, _)| id).trim()
}

fn unknown(id: &str, registry: &Registry) -> Failure {
    let failure = Failure::new(format!("there is no diagnostic `{id}`"));
    match closest(id, registry.iter().map(|code| code.id)) {
        Some(near) => failure.help(format!("did you mean `{near}`? `weave explain` lists all of them")),
        None => failure.help("`weave explain` lists all of them"),
    }
}

/// Headings in bold, where there is colour.
#[derive(Clone, Copy)]
struct Ink {
    color: bool,
}

impl Ink {
    fn bold(self, text: &str) -> String {
        if self.color { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// A part of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Of(Severity),
    Rules,
    Changes,
}

impl Part {
    fn new(code: &Code) -> Self {
        match code.id {
            id if weave_compiler::lint::find(id).is_some() => Self::Rules,
            id if weave_diff::kind(id).is_some() => Self::Changes,
            _ => Self::Of(code.severity),
        }
    }
}

fn list(registry: &Registry, ink: Ink) -> String {
    let width = registry.iter().map(|code| code.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    let parts = [
        (Part::Of(Severity::Error), "Errors"),
        (Part::Of(Severity::Warning), "Warnings"),
        (Part::Of(Severity::Note), "Notes"),
        (Part::Rules, "Rules of `weave lint`"),
        (Part::Changes, "Changes of `weave diff`"),
    ];
    for (part, heading) in parts {
        let belongs = |code: &&Code| Part::new(code) == part;
        let codes = registry.iter().filter(belongs).collect::<Vec<_>>();
        if codes.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{}\n", ink.bold(heading)));
        for code in codes {
            text.push_str(&format!("  {:width$}  {}\n", code.id, code.summary));
        }
    }
    text.push_str("\n`weave explain ID` says more about one of them.\n");
    text
}

fn page(code: &Code, ink: Ink) -> String {
    let severity = match code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut text = format!("{} ({severity})\n\n{}\n", ink.bold(code.id), wrap(code.summary));
    if !code.explanation.trim().is_empty() {
        text.push_str(&format!("\n{}\n", reflow(code.explanation)));
    }
    let examples = match Part::new(code) {
        Part::Changes => [("Before:", code.good), ("After:", code.bad)],
        _ => [("This is reported:", code.bad), ("Use instead:", code.good)],
    };
    for (heading, example) in examples {
        if !example.trim().is_empty() {
            text.push_str(&format!("\n{}\n\n{}", ink.bold(heading), indented(example)));
        }
    }
    text
}

fn indented(example: &str) -> String {
    // What an example hides is not to act on the terminal of a reader.
    let example: String = example.chars().map(|it| if it == '\n' { it } else { Charset::Unicode.visible(it) }).collect();
    let lines = example.trim_matches('\n').lines();
    lines.map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}

/// Paragraphs in lines of a readable length; code and lists keep their lines.
fn reflow(markdown: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    let mut code = false;
    for line in markdown.trim().lines().chain([""]) {
        let fence = line.trim_start().starts_with("```");
        let kept = code || fence || line.starts_with([' ', '-', '*', '#', '|']);
        if (kept || line.is_empty()) && !paragraph.is_empty() {
            blocks.push(wrap(&std::mem::take(&mut paragraph)));
        }
        code ^= fence;
        if fence {
            continue;
        }
        if kept {
            blocks.push(if code { format!("    {line}") } else { line.to_owned() });
        } else if line.is_empty() {
            blocks.push(String::new());
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim());
        }
    }
    blocks.join("\n").trim_end().to_owned()
}

fn wrap(paragraph: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words(paragraph) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += length;
    }
    text
}

/// The words of a paragraph; what stands between backticks is one word, because code is read in one piece.
fn words(paragraph: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_code = false;
    for word in paragraph.split_whitespace() {
        match words.last_mut().filter(|_| in_code) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
        in_code ^= word.matches('`').count() % 2 == 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    static CODE: Code = Code {
        id: "unknown-name",
        severity: Severity::Error,
        summary: "A name is used that nobody declares.",
        explanation: "A long explanation that is written on one line in the source of the program and is therefore broken when it is shown.\n\n- a list\n- keeps its lines\n\n```weave\ntype A {}\n```\n",
        bad: "type A { b: B }\n\ntype C {}\n",
        good: "type A {}\n",
    };

    #[test]
    fn a_page_is_read_from_top_to_bottom() {
        let expected = "\
unknown-name (error)

A name is used that nobody declares.

A long explanation that is written on one line in the source of the program and is
therefore broken when it is shown.

- a list
- keeps its lines

    type A {}

This is reported:

    type A { b: B }

    type C {}

Use instead:

    type A {}
";
        assert_eq!(page(&CODE, Ink { color: false }), expected);
    }

    #[test]
    fn a_file_has_the_page_of_this_version() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("weave/1.0");
        let path = file(&place, &CODE).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), page(&CODE, Ink { color: false }));
        std::fs::write(&path, "what an earlier build said").unwrap();
        assert_eq!(file(&place, &CODE).as_ref(), Some(&path));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), page(&CODE, Ink { color: false }));
        // Where a folder would have to be, there is a file.
        assert_eq!(file(&path, &CODE), None);
    }

    #[test]
    fn code_is_not_broken() {
        let paragraph =
            "What another file declares is brought in with a line of its own, which is `import { Name } from \"./file.weave\"` here.";
        let expected =
            "What another file declares is brought in with a line of its own, which is\n`import { Name } from \"./file.weave\"` here.";
        assert_eq!(wrap(paragraph), expected);
    }

    #[test]
    fn an_id_may_come_with_its_brackets() {
        for given in ["unknown-name", "error[unknown-name]:", "[unknown-name]", " unknown-name "] {
            assert_eq!(bare(given), "unknown-name");
        }
    }
}
