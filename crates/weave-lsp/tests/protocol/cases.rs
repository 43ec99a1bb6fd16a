//! Cases as files: `tests/suite/lsp/FEATURE/CASE/` has source files in which `‸` marks cursors, and what the server answers at each of them, drawn,
//! in `expected.txt`. `BLESS=1` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use similar::{ChangeTag, TextDiff};

use crate::client::{Client, Memory, uri};

const CURSOR: char = '\u{2038}';

/// A case: its files without their marks, and where these were, as positions in bytes.
pub(crate) struct Case {
    pub(crate) folder: PathBuf,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) cursors: Vec<(String, Json)>,
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn read_case(folder: &Path) -> Case {
    let mut case = Case { folder: folder.to_owned(), files: BTreeMap::new(), cursors: Vec::new() };
    read_files(folder, "", &mut case);
    case
}

/// Reads the sources and settings in a folder and below; their names begin with what the folder is called.
fn read_files(folder: &Path, before: &str, case: &mut Case) {
    for path in entries(folder) {
        let name = format!("{before}{}", name(&path));
        if path.is_dir() {
            read_files(&path, &format!("{name}/"), case);
            continue;
        }
        if !name.ends_with(".weave") && !name.ends_with("weave.toml") {
            continue;
        }
        let marked = std::fs::read_to_string(&path).unwrap();
        let mut text = String::new();
        for (index, part) in marked.split(CURSOR).enumerate() {
            if index > 0 {
                let line = text.matches('\n').count();
                let column = text.rsplit('\n').next().unwrap_or_default().len();
                case.cursors.push((name.clone(), json!({ "line": line, "character": column })));
            }
            text.push_str(part);
        }
        case.files.insert(name, text);
    }
}

impl Case {
    fn path(&self, file: &str) -> String {
        format!("/case/{file}")
    }

    fn text_of(&self, uri: &Json) -> (&str, &str) {
        let uri = uri.as_str().unwrap();
        let file = uri.strip_prefix("file:///case/").unwrap();
        let (name, text) = self.files.get_key_value(file).expect("the file is one of the case");
        (name, text)
    }

    /// The line of a range, and marks under it; of a range of several lines the first one.
    pub(crate) fn draw(&self, uri: &Json, range: &Json) -> String {
        let (file, text) = self.text_of(uri);
        let number = |json: &Json| usize::try_from(json.as_u64().unwrap()).unwrap();
        let (line, start) = (number(&range["start"]["line"]), number(&range["start"]["character"]));
        let shown = text.split('\n').nth(line).unwrap_or_default();
        let several = number(&range["end"]["line"]) > line;
        let end = if several { shown.len() } else { number(&range["end"]["character"]) };
        let count = |part: &str| part.chars().count();
        let marks = "^".repeat(count(&shown[start..end]).max(1));
        let more = if several { format!(" to line {}", number(&range["end"]["line"]) + 1) } else { String::new() };
        format!("{file}:{}\n  {shown}\n  {}{marks}{more}\n", line + 1, " ".repeat(count(&shown[..start])))
    }

    /// The files after the edits of a workspace edit; only the lines that differ.
    fn applied(&self, edit: &Json) -> String {
        let mut drawn = String::new();
        let changes: BTreeMap<String, Json> = serde_json::from_value(edit["changes"].clone()).unwrap();
        for (uri, edits) in changes {
            let (file, text) = self.text_of(&json!(uri));
            let changed = apply(text, edits.as_array().unwrap());
            let _ = writeln!(drawn, "{file}");
            for change in TextDiff::from_lines(text, &changed).iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal) {
                let _ = writeln!(drawn, "{} {}", change.tag(), change.value().trim_end_matches('\n'));
            }
        }
        drawn
    }
}

/// A text after edits, which do not overlap.
pub(crate) fn apply(text: &str, edits: &[Json]) -> String {
    let offset = |position: &Json| {
        let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + usize::try_from(position["character"].as_u64().unwrap()).unwrap()
    };
    let mut parts: Vec<_> =
        edits.iter().map(|edit| (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), &edit["newText"])).collect();
    parts.sort_by_key(|(start, end, _)| (*start, *end));
    let mut changed = text.to_owned();
    for (start, end, new) in parts.into_iter().rev() {
        changed.replace_range(start..end, new.as_str().unwrap());
    }
    changed
}

/// What a feature answers at a place, drawn.
fn ask(feature: &str, case: &Case, client: &mut Client, document: &Json, position: &Json) -> String {
    let at = json!({ "textDocument": document, "position": position });
    let none = || "nothing\n".to_owned();
    match feature {
        "hover" => {
            let found = client.request("textDocument/hover", at);
            if found.is_null() {
                return none();
            }
            format!("{}{}\n", case.draw(&document["uri"], &found["range"]), found["contents"]["value"].as_str().unwrap())
        }
        "definition" => {
            let mut drawn = String::new();
            for (method, title) in [("definition", ""), ("typeDefinition", "its type: ")] {
                let found = client.request(&format!("textDocument/{method}"), at.clone());
                for location in found.as_array().into_iter().flatten() {
                    let _ = write!(drawn, "{title}{}", case.draw(&location["uri"], &location["range"]));
                }
            }
            if drawn.is_empty() { none() } else { drawn }
        }
        "references" => {
            let mut params = at.clone();
            params["context"] = json!({ "includeDeclaration": true });
            let found = client.request("textDocument/references", params);
            let mut drawn: String =
                found.as_array().into_iter().flatten().map(|location| case.draw(&location["uri"], &location["range"])).collect();
            let here = client.request("textDocument/documentHighlight", at);
            let _ = writeln!(drawn, "{} of them in this file", here.as_array().map_or(0, Vec::len));
            drawn
        }
        "rename" => {
            let id = client.ask("textDocument/prepareRename", at.clone());
            let answer = client.answer(id);
            if let Some(error) = answer.get("error") {
                return format!("refused: {}\n", error["message"].as_str().unwrap());
            }
            let new =
                std::fs::read_to_string(case.folder.join("name.txt")).map_or_else(|_| "renamed".to_owned(), |name| name.trim().to_owned());
            let mut params = at;
            params["newName"] = json!(new);
            let id = client.ask("textDocument/rename", params);
            let changed = client.answer(id);
            match changed.get("error") {
                Some(error) => format!("refused: {}\n", error["message"].as_str().unwrap()),
                None => case.applied(&changed["result"]),
            }
        }
        "completion" => {
            let found = client.request("textDocument/completion", at);
            let Some(items) = found["items"].as_array().filter(|items| !items.is_empty()) else { return none() };
            let mut drawn = case.draw(&document["uri"], &items[0]["textEdit"]["range"]);
            drawn.extend(items.iter().map(completed));
            drawn
        }
        "format" => {
            let mut drawn = String::new();
            let options = json!({ "tabSize": 2, "insertSpaces": true });
            let range = json!({ "start": position, "end": position });
            let whole = json!({ "textDocument": document, "options": options });
            let part = json!({ "textDocument": document, "options": options, "range": range });
            for (method, params) in [("rangeFormatting", part), ("formatting", whole)] {
                let found = client.request(&format!("textDocument/{method}"), params);
                let Some(edits) = found.as_array() else { return none() };
                let _ = write!(drawn, "{method}\n{}", apply(case.text_of(&document["uri"]).1, edits));
            }
            drawn
        }
        "typing" => {
            let (_, text) = case.text_of(&document["uri"]);
            let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
            let before = &text.lines().nth(line).unwrap()[..usize::try_from(position["character"].as_u64().unwrap()).unwrap()];
            let key = if before.ends_with('}') { "}" } else { "\n" };
            let mut params = at;
            params["ch"] = json!(key);
            params["options"] = json!({ "tabSize": 8, "insertSpaces": false });
            let found = client.request("textDocument/onTypeFormatting", params);
            case.applied(&json!({ "changes": { document["uri"].as_str().unwrap(): found } }))
        }
        "linked" => {
            let found = client.request("textDocument/linkedEditingRange", at);
            if found.is_null() {
                return none();
            }
            found["ranges"].as_array().unwrap().iter().map(|range| case.draw(&document["uri"], range)).collect()
        }
        "actions" => offered(case, client, document, position, &[Json::Null, json!(["source.fixAll"])]),
        "refactor" => offered(case, client, document, position, &[Json::Null, json!(["source.organizeImports"])]),
        "folding" => {
            let found = client.request("textDocument/foldingRange", json!({ "textDocument": document }));
            let line = |fold: &Json| {
                let kind = fold["kind"].as_str().unwrap_or("region");
                format!("{}-{} {kind}\n", fold["startLine"].as_u64().unwrap() + 1, fold["endLine"].as_u64().unwrap() + 1)
            };
            found.as_array().into_iter().flatten().map(line).collect()
        }
        "selection" => {
            let found = client.request("textDocument/selectionRange", json!({ "textDocument": document, "positions": [position] }));
            let mut drawn = String::new();
            let mut range = &found[0];
            while !range.is_null() {
                drawn.push_str(&case.draw(&document["uri"], &range["range"]));
                range = &range["parent"];
            }
            drawn
        }
        "symbols" => {
            let found = client.request("textDocument/documentSymbol", json!({ "textDocument": document }));
            let mut drawn = String::new();
            outline(&found, 0, &mut drawn);
            drawn
        }
        "links" => {
            let found = client.request("textDocument/documentLink", json!({ "textDocument": document }));
            let line = |link: &Json| format!("{}to {}\n", case.draw(&document["uri"], &link["range"]), link["target"].as_str().unwrap());
            found.as_array().into_iter().flatten().map(line).collect()
        }
        "lenses" => {
            let found = client.request("textDocument/codeLens", json!({ "textDocument": document }));
            let mut drawn = String::new();
            for lens in found.as_array().into_iter().flatten() {
                let is_counted = lens.get("command").is_some();
                let lens = if is_counted { lens.clone() } else { client.request("codeLens/resolve", lens.clone()) };
                let command = &lens["command"];
                drawn.push_str(&case.draw(&document["uri"], &lens["range"]));
                let _ = writeln!(drawn, "{} [{}]", command["title"].as_str().unwrap(), command["command"].as_str().unwrap());
                match command["arguments"].as_array().unwrap().as_slice() {
                    [argument] => drop(writeln!(drawn, "{argument}")),
                    [_, _, places] => {
                        let places = places.as_array().unwrap().iter();
                        drawn.extend(places.map(|place| format!("- {}", case.draw(&place["uri"], &place["range"]))));
                    }
                    other => panic!("{other:?} says nothing to any command"),
                }
            }
            drawn
        }
        "hierarchy" => {
            let found = client.request("textDocument/prepareCallHierarchy", at);
            let Some(item) = found.get(0) else { return none() };
            let shown = |item: &Json| format!("{} [{}]", item["name"].as_str().unwrap(), item["detail"].as_str().unwrap());
            let mut drawn = format!("{}\n", shown(item));
            for (method, key, title) in [("incomingCalls", "from", "from"), ("outgoingCalls", "to", "to")] {
                let calls = client.request(&format!("callHierarchy/{method}"), json!({ "item": item }));
                for call in calls.as_array().into_iter().flatten() {
                    let caller = if key == "from" { &call["from"]["uri"] } else { &item["uri"] };
                    let _ = writeln!(drawn, "{title} {}", shown(&call[key]));
                    drawn.extend(call["fromRanges"].as_array().unwrap().iter().map(|range| case.draw(caller, range)));
                }
            }
            drawn
        }
        "tokens" => tokens(case, client, document),
        "hints" => {
            let (_, text) = case.text_of(&document["uri"]);
            let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": text.lines().count(), "character": 0 } });
            let found = client.request("textDocument/inlayHint", json!({ "textDocument": document, "range": range }));
            let hints = found.as_array().unwrap();
            let edit = |hint: &Json| json!({ "range": { "start": hint["position"], "end": hint["position"] }, "newText": format!("\u{ab}{}\u{bb}", hint["label"].as_str().unwrap()) });
            let shown = apply(text, &hints.iter().map(edit).collect::<Vec<_>>());
            let mut drawn: String = shown.lines().filter(|line| line.contains('\u{ab}')).map(|line| format!("{line}\n")).collect();
            for hint in hints.iter().filter(|hint| hint.get("tooltip").is_some()) {
                let _ = writeln!(drawn, "{}", hint["tooltip"]["value"].as_str().unwrap());
            }
            drawn
        }
        "signature" => {
            let found = client.request("textDocument/signatureHelp", at);
            let Some(signature) = found["signatures"].get(0) else { return none() };
            let label = signature["label"].as_str().unwrap();
            let mut drawn = format!("{label}\n");
            if let Some(active) = found["activeParameter"].as_u64() {
                let parameter = &signature["parameters"][usize::try_from(active).unwrap()];
                let at = |index: usize| usize::try_from(parameter["label"][index].as_u64().unwrap()).unwrap();
                let _ = writeln!(drawn, "{}{}", " ".repeat(at(0)), "^".repeat(at(1) - at(0)));
                let _ = parameter["documentation"]["value"].as_str().map(|docs| drawn.push_str(&format!("{docs}\n")));
            }
            let _ = signature["documentation"]["value"].as_str().map(|docs| drawn.push_str(&format!("{docs}\n")));
            drawn
        }
        other => panic!("there is no feature {other}"),
    }
}

/// The actions at a place, each with what it changes, for each of these choices of kinds.
fn offered(case: &Case, client: &mut Client, document: &Json, position: &Json, kinds: &[Json]) -> String {
    let range = json!({ "start": position, "end": position });
    let mut drawn = String::new();
    for only in kinds {
        let context = if only.is_null() { json!({ "diagnostics": [] }) } else { json!({ "diagnostics": [], "only": only }) };
        let found = client.request("textDocument/codeAction", json!({ "textDocument": document, "range": range, "context": context }));
        for action in found.as_array().into_iter().flatten() {
            let preferred = if action["isPreferred"] == true { ", preferred" } else { "" };
            let _ = writeln!(drawn, "{} [{}{preferred}]", action["title"].as_str().unwrap(), action["kind"].as_str().unwrap());
            let action = if action.get("edit").is_some() { action.clone() } else { client.request("codeAction/resolve", action.clone()) };
            drawn.push_str(&case.applied(&action["edit"]));
        }
    }
    if drawn.is_empty() { "nothing\n".to_owned() } else { drawn }
}

/// An item of a completion, what it inserts if that is not what it is called, and what it changes elsewhere.
fn completed(item: &Json) -> String {
    let said = |json: &Json, before: &str, behind: &str| json.as_str().map(|text| format!("{before}{text}{behind}")).unwrap_or_default();
    let mut drawn =
        said(&item["label"], "", "") + &said(&item["detail"], " (", ")") + &said(&item["labelDetails"]["description"], " from ", "");
    let inserted = &item["textEdit"]["newText"];
    if *inserted != item["label"] {
        let _ = write!(drawn, "  {inserted}");
    }
    for edit in item["additionalTextEdits"].as_array().into_iter().flatten() {
        let at = &edit["range"]["start"];
        let _ = write!(drawn, "  {}:{} {}", at["line"].as_u64().unwrap() + 1, at["character"].as_u64().unwrap() + 1, edit["newText"]);
    }
    drawn + "\n"
}

/// The tokens of a document as the legend calls them, one a line.
fn tokens(case: &Case, client: &mut Client, document: &Json) -> String {
    let (_, text) = case.text_of(&document["uri"]);
    let found = client.request("textDocument/semanticTokens/full", json!({ "textDocument": document }));
    let legend = client.server_capabilities["semanticTokensProvider"]["legend"].clone();
    let mut drawn = String::new();
    let (mut line, mut column) = (0, 0);
    for token in found["data"].as_array().unwrap().chunks(5) {
        let number = |index: usize| usize::try_from(token[index].as_u64().unwrap()).unwrap();
        column = if number(0) == 0 { column + number(1) } else { number(1) };
        line += number(0);
        let word = &text.split('\n').nth(line).unwrap()[column..column + number(2)];
        let modifiers = legend["tokenModifiers"].as_array().unwrap().iter().enumerate().filter(|(index, _)| number(4) >> index & 1 == 1);
        let modifiers: String = modifiers.map(|(_, name)| format!(".{}", name.as_str().unwrap())).collect();
        let _ = writeln!(
            drawn,
            "{}:{} {} {word}",
            line + 1,
            column + 1,
            legend["tokenTypes"][number(3)].as_str().unwrap().to_owned() + &modifiers
        );
    }
    drawn
}

fn outline(symbols: &Json, depth: usize, drawn: &mut String) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let detail = symbol["detail"].as_str().unwrap_or_default();
        let lines = (symbol["range"]["start"]["line"].as_u64().unwrap() + 1, symbol["range"]["end"]["line"].as_u64().unwrap() + 1);
        let _ = writeln!(drawn, "{}{} [{detail}] {}-{}", "  ".repeat(depth), symbol["name"].as_str().unwrap(), lines.0, lines.1);
        outline(&symbol["children"], depth + 1, drawn);
    }
}

fn answers(feature: &str, case: &Case) -> String {
    let disk = Memory::default();
    for (name, text) in &case.files {
        disk.write(&case.path(name), Some(text));
    }
    let mut client = Client::new(&disk, &["/case"]);
    for (name, text) in &case.files {
        client.open(&case.path(name), text);
    }
    let mut drawn = String::new();
    let whole = vec![("main.weave".to_owned(), json!({ "line": 0, "character": 0 }))];
    for (number, (file, position)) in if case.cursors.is_empty() { &whole } else { &case.cursors }.iter().enumerate() {
        let document = json!({ "uri": uri(&case.path(file)) });
        let _ = writeln!(
            drawn,
            "{}--- {file}:{}:{}",
            if number > 0 { "\n" } else { "" },
            position["line"].as_u64().unwrap() + 1,
            position["character"].as_u64().unwrap() + 1
        );
        drawn.push_str(&ask(feature, case, &mut client, &document, position));
    }
    assert_eq!(client.log.text(), "");
    assert!(client.end());
    drawn
}

#[test]
fn every_feature_answers_as_expected() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/lsp");
    let mut complaints = Vec::new();
    let mut count = 0;
    for feature in entries(&suite) {
        for folder in entries(&feature) {
            let case = read_case(&folder);
            let drawn = answers(&name(&feature), &case);
            count += 1;
            let path = folder.join("expected.txt");
            if std::fs::read_to_string(&path).ok().as_ref() == Some(&drawn) {
                continue;
            }
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&path, &drawn).unwrap();
            } else {
                complaints.push(format!("{}/{}:\n{drawn}", name(&feature), name(&folder)));
            }
        }
    }
    assert!(count > 0);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
