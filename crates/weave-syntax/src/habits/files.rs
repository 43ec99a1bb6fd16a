//! Whole files of other languages.

use weave_diagnostics::{Applicability, Span};

use super::{fix, foreign, words};
use crate::error::SyntaxError;

/// What is said about a file that is not one of this language; nothing if it may be one.
pub(crate) fn foreign_file(text: &str) -> Option<SyntaxError> {
    let first = text.lines().find(|line| !line.trim_start_matches('\u{feff}').trim().is_empty())?;
    let start = first.as_ptr() as usize - text.as_ptr() as usize;
    let line = first.trim_start_matches('\u{feff}');
    let start = start + first.len() - line.len();
    let place = Span::new(start as u32, (start + line.trim_end().len()) as u32);
    fenced(text, line).or_else(|| {
        let (name, help) = language(text, line)?;
        let error = foreign(place, format!("this is {name}, not a `.weave` program")).label("its first line");
        Some(error.help(help))
    })
}

/// The language that a text is written in, and what to do about that.
fn language(text: &str, line: &str) -> Option<(&'static str, &'static str)> {
    const WRITE: &str =
        "a workflow starts like this: `workflow support(ticket: Ticket) -> Answer { step triage { … } end done on triage }`";
    let trimmed = line.trim();
    let whole = text.trim_start_matches('\u{feff}').trim_start();
    let json = |open: char, next: &[char]| whole.strip_prefix(open).is_some_and(|rest| rest.trim_start().starts_with(next));
    if json('{', &['"']) || json('[', &['"', '{']) {
        if text.contains("\"nodes\"") && text.contains("\"workflow\"") {
            return Some((
                "a definition in JSON",
                "it is already compiled: `weave graph` draws it, and `weave diff` compares it with another definition",
            ));
        }
        if text.contains("\"$schema\"") || text.contains("\"properties\"") {
            return Some(("a JSON Schema", "declare the types: `type Ticket { id: string, tags: string[], note?: string }`"));
        }
        if text.contains("\"StartAt\"") {
            return Some(("a state machine of Step Functions", WRITE));
        }
        return Some(("JSON", WRITE));
    }
    let key = trimmed.split_once(':').filter(|(key, rest)| {
        let key = key.trim_matches(['"', '\'']);
        !key.is_empty() && key.replace('-', "_").split('.').all(words::is_name) && (rest.is_empty() || rest.starts_with([' ', '\t']))
    });
    if trimmed == "---" || trimmed.starts_with("%YAML") || (key.is_some() && !line.starts_with([' ', '\t'])) {
        return Some(("YAML", WRITE));
    }
    let mut words = trimmed.split_whitespace();
    let (head, second, third) = (words.next().unwrap_or_default(), words.next(), words.next());
    let alone = second.is_none();
    let direction = matches!(second, Some("TD" | "LR" | "TB" | "RL" | "BT" | "TD;" | "LR;")) && third.is_none();
    let diagram =
        matches!(head, "stateDiagram" | "stateDiagram-v2" | "sequenceDiagram" | "classDiagram" | "erDiagram" | "journey") && alone;
    if diagram || (matches!(head, "graph" | "flowchart") && direction) {
        return Some(("a Mermaid diagram", "declare the steps; `weave graph` draws a workflow as such a diagram"));
    }
    if matches!(head, "digraph" | "strict") && text.contains("->") && text.contains('{') {
        return Some(("a graph of Graphviz", "declare the steps; `weave graph --format dot` draws a workflow as such a graph"));
    }
    if trimmed.replace(' ', "").starts_with("syntax=\"proto") {
        return Some((
            "Protobuf",
            "declare the messages as types, `type Ticket { id: string, tags: string[] }`, and its services as tools",
        ));
    }
    if trimmed.starts_with('<') {
        return Some(("XML", WRITE));
    }
    let table = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if table.is_some_and(|name| name.trim_matches(['[', ']']).split('.').all(words::is_name)) {
        return Some(("TOML", "the settings of a project are in `weave.toml`; workflows are in files that end in `.weave`"));
    }
    let python = |line: &str| {
        let word = line.split([' ', '(']).next().unwrap_or_default();
        matches!(word, "def" | "class" | "async" | "if" | "for" | "with" | "try:") && line.trim_end().ends_with(':')
    };
    if text.lines().any(python) && matches!(head, "import" | "from" | "def" | "class" | "async" | "@" | "#" | "\"\"\"") {
        return Some(("Python", WRITE));
    }
    None
}

/// A text in a fence of Markdown.
fn fenced(text: &str, first: &str) -> Option<SyntaxError> {
    const FENCE: &str = "```";
    let head = first.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_')).next().unwrap_or_default();
    let own = crate::split::INTRODUCERS.iter().any(|(word, _)| *word == head) || first.starts_with(['/', '@']);
    if own && !first.starts_with(FENCE) {
        return None;
    }
    let mut offset = 0;
    let mut fences = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with(FENCE) {
            fences.push((offset, line.len()));
        }
        offset += line.len();
    }
    let (open, length) = *fences.first()?;
    let at = |offset: usize, length: usize| Span::new(offset as u32, (offset + length) as u32);
    let mark = at(open, FENCE.len());
    let error = foreign(mark, "this is Markdown: the program is between its fences").label("a fence of Markdown");
    Some(match fences.as_slice() {
        [_] => error.fix(fix("keep the program only", vec![(at(0, open + length), String::new())], Applicability::Unsafe)),
        [_, (close, _)] => {
            let edits = vec![(at(0, open + length), String::new()), (at(*close, text.len() - close), String::new())];
            error.fix(fix("keep the program only", edits, Applicability::Unsafe))
        }
        _ => error.help("write each program to a file of its own"),
    })
}
