//! What may be written at a place of a `weave.toml`.

use std::collections::BTreeSet;

use serde_json::Value;
use weave_diagnostics::Span;

use super::place::{Document, Node, NodeKind, Position, Step};
use super::schema::{Schema, values};
use crate::{Completion, CompletionKind};

/// The file that `weave lint --write-baseline` writes where nothing else is said.
const BASELINE: &str = ".weave-baseline.json";

/// What may be written at an offset in the text of a `weave.toml`, and what it takes the place of. The source files are those of the project, as they are called from its folder.
#[must_use]
pub fn completion(text: &str, offset: u32, files: &[String]) -> Option<(Span, Vec<Completion>)> {
    let (before, behind) = text.split_at_checked(offset as usize)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    let within = end_of(line);
    if let Within::String(start, quote) = within {
        let start = (before.len() - line.len() + start) as u32;
        // To the other quote, or to the end of the line if it is missing.
        let end = behind.find([quote, '\n']).map_or(text.len(), |end| before.len() + end) as u32;
        let at = Document::read(text.get(..start as usize - 1)?);
        if at.position != Position::Value {
            return None;
        }
        let items = in_quotes(&Schema::new(), &at.path, files).into_iter().map(|value| plain(&value, CompletionKind::Literal));
        return Some((Span::new(start, end), items.collect()));
    }
    if matches!(within, Within::Comment) {
        return None;
    }
    let whole = Document::read(text);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let word = word(text, offset, is_part);
    let at = Document::read(text.get(..word.start as usize)?);
    let schema = Schema::new();
    match at.position {
        Position::Header { list } => {
            // Names of tables are replaced as a whole.
            let word = self::word(text, offset, |letter| is_part(letter) || letter == '.');
            Some((
                word,
                headers(&schema, &whole, word, list).into_iter().map(|(name, about)| item(&name, CompletionKind::Setting, about)).collect(),
            ))
        }
        Position::Key => {
            let mut items = keys(&schema, &at.path, &whole, word, text);
            if !at.is_inline && stands_alone(text, word) && line.trim_start().len() == offset as usize - word.start as usize {
                for list in [false, true] {
                    let brackets = |name: &str| if list { format!("[[{name}]]") } else { format!("[{name}]") };
                    items.extend(
                        headers(&schema, &whole, word, list)
                            .into_iter()
                            .map(|(name, about)| item(&brackets(&name), CompletionKind::Keyword, about)),
                    );
                }
            }
            Some((word, items))
        }
        Position::Value => {
            let quoted = in_quotes(&schema, &at.path, files)
                .into_iter()
                .map(|value| plain(&serde_json::Value::from(value).to_string(), CompletionKind::Literal));
            let mut items: Vec<Completion> = quoted.collect();
            if schema.at(&at.path).iter().any(|schema| schema.pointer("/properties/level").is_some()) {
                items.push(Completion {
                    snippet: Some("{ level = \"$1\" }".to_owned()),
                    ..item("{ level = … }", CompletionKind::Setting, "a level and options")
                });
            }
            Some((word, items))
        }
        Position::Nothing => None,
    }
}

/// What the end of a line is in.
enum Within {
    Code,
    /// A string: where it starts, behind its quote, and that quote.
    String(usize, char),
    Comment,
}

fn end_of(line: &str) -> Within {
    let mut within = Within::Code;
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match within {
            Within::Code if matches!(letter, '"' | '\'') => within = Within::String(at + 1, letter),
            Within::Code if letter == '#' => return Within::Comment,
            Within::String(_, '"') if letter == '\\' => _ = letters.next(),
            Within::String(_, quote) if letter == quote => within = Within::Code,
            _ => {}
        }
    }
    within
}

fn word(text: &str, offset: u32, is_part: impl Fn(char) -> bool + Copy) -> Span {
    let (before, behind) = text.split_at_checked(offset as usize).unwrap_or((text, ""));
    let start = before.trim_end_matches(is_part).len();
    let end = text.len() - behind.trim_start_matches(is_part).len();
    Span::new(start as u32, end as u32)
}

/// The tables that may follow, by their whole names, with what they are for. One that is there already is not among them; lists of tables may have any number.
fn headers<'a>(schema: &'a Schema, document: &Document, word: Span, list: bool) -> Vec<(String, &'a str)> {
    let taken: BTreeSet<&[Step]> = document
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Header && !node.span.touches(word.start))
        .map(|node| &*node.path)
        .collect();
    let mut found = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let properties = schema.at(&path).into_iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten();
        let mut below = Vec::new();
        for (key, _) in properties {
            let path: Vec<Step> = path.iter().cloned().chain([Step::Key(key.clone())]).collect();
            let here = schema.at(&path);
            let is_list = here.iter().any(|schema| schema.pointer("/items/properties").is_some());
            // A value that may be a table or something else, such as a level, is written behind its key.
            let is_table =
                here.iter().any(|schema| schema.get("properties").is_some()) && !here.iter().any(|schema| schema.get("anyOf").is_some());
            if list == is_list && (is_list || (is_table && !taken.contains(&*path))) {
                let about = here.iter().find_map(|schema| schema.get("description")?.as_str()).unwrap_or_default();
                found.push((super::dotted(&path), about));
            }
            if is_table {
                below.push(path);
            }
        }
        open.extend(below.into_iter().rev());
    }
    found
}

/// Whether the key that is typed has no value yet.
fn stands_alone(text: &str, word: Span) -> bool {
    text.get(word.end as usize..).unwrap_or_default().split('\n').next().is_some_and(|rest| !rest.contains('='))
}

/// The keys that a table does not have yet.
fn keys(schema: &Schema, path: &[Step], document: &Document, word: Span, text: &str) -> Vec<Completion> {
    let is_given = |key: &str| {
        let is_this = |node: &Node| {
            matches!(node.path.split_last(), Some((Step::Key(last), rest)) if last == key && rest == path) && node.kind != NodeKind::Value
        };
        document.nodes.iter().any(|node| is_this(node) && !node.span.touches(word.start))
    };
    let stands_alone = stands_alone(text, word);
    let properties = schema.at(path).into_iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten();
    let mut known = BTreeSet::new();
    let new = properties.filter(|(key, _)| known.insert((*key).clone()) && !is_given(key));
    new.map(|(key, _)| {
        let inside: Vec<Step> = path.iter().cloned().chain([Step::Key(key.clone())]).collect();
        let here = schema.at(&inside);
        let about = here.iter().find_map(|schema| schema.get("description")?.as_str()).unwrap_or_default();
        Completion {
            snippet: stands_alone.then(|| format!("{key} = {}", value_of(&here))),
            docs: schema.described(&inside),
            ..item(key, CompletionKind::Setting, about)
        }
    })
    .collect()
}

/// A value to fill in.
fn value_of(schemas: &[&Value]) -> String {
    let words = values(schemas);
    let is = |name: &str| schemas.iter().any(|schema| schema.get("type").and_then(Value::as_str) == Some(name));
    if (1..=8).contains(&words.len()) {
        format!("\"${{1|{}|}}\"", words.join(","))
    } else if is("array") {
        "[$1]".to_owned()
    } else if is("object") {
        "{ $1 }".to_owned()
    } else if let Some(default) = schemas.iter().find_map(|schema| schema.get("default")).filter(|_| is("integer")) {
        format!("${{1:{default}}}")
    } else {
        "\"$1\"".to_owned()
    }
}

/// What may stand in the quotes of a value.
fn in_quotes(schema: &Schema, path: &[Step], files: &[String]) -> Vec<String> {
    match path {
        [.., Step::Key(key), Step::Item(_)] if key == "paths" => patterns(files),
        [.., Step::Key(key)] if key == "baseline" => vec![BASELINE.to_owned()],
        [Step::Key(table), Step::Key(language), Step::Key(key)] if table == "gen" && key == "output" => vec![format!("gen/{language}")],
        _ => values(&schema.at(path)).into_iter().map(str::to_owned).collect(),
    }
}

/// The folders, with everything in them, and the files.
fn patterns(files: &[String]) -> Vec<String> {
    let folders: BTreeSet<&str> = files.iter().flat_map(|file| file.match_indices('/').filter_map(|(at, _)| file.get(..at))).collect();
    folders.into_iter().map(|folder| format!("{folder}/**")).chain(files.iter().cloned()).collect()
}

fn plain(label: &str, kind: CompletionKind) -> Completion {
    crate::completion::plain(label, kind)
}

fn item(label: &str, kind: CompletionKind, about: &str) -> Completion {
    Completion { detail: about.to_owned(), ..plain(label, kind) }
}
