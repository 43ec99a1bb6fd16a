//! The editor never says anything else than the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use weave_compiler::lint::{Day, Options, Settings};
use weave_compiler::{Input, LoadError, Loader, check};
use weave_diagnostics::{FileId, Severity, sort_and_dedup};

use crate::client::{Client, Memory, uri};

/// What is compared: severity, id, where it starts and ends, and the message.
type Said = (u64, String, [u64; 4], String);

struct Files<'a>(&'a BTreeMap<String, String>);

impl Loader for Files<'_> {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        self.0.get(path).map(|text| text.as_str().into()).ok_or(LoadError::NotFound)
    }
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite")
}

/// The folders below one that have source files, each with these by their names.
fn folders(folder: &Path, found: &mut Vec<BTreeMap<String, String>>) {
    let mut files = BTreeMap::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            folders(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "weave")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            files.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), text);
        }
    }
    if !files.is_empty() {
        found.push(files);
    }
}

/// What the command line says about each file.
fn by_command_line(files: &BTreeMap<String, String>) -> BTreeMap<String, Vec<Said>> {
    let inputs = files.iter().map(|(name, text)| Input { path: name.clone(), text: text.as_str().into() }).collect();
    let snapshot = check(inputs, &Files(files));
    let mut found = snapshot.diagnostics().to_vec();
    found.extend(snapshot.lint(&Options { settings: &|_: FileId| Settings::default(), today: Day::new("2026-11-22") }));
    sort_and_dedup(&mut found);
    let mut said: BTreeMap<String, Vec<Said>> = BTreeMap::new();
    for diagnostic in found {
        let place = diagnostic.primary.place;
        let source = snapshot.sources().get(place.file).unwrap();
        let (start, end) = (source.line_column(place.span.start), source.line_column(place.span.end));
        let severity = match diagnostic.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Note => 3,
        };
        let range = [start.line, start.column, end.line, end.column].map(u64::from);
        said.entry(source.name().to_owned()).or_default().push((severity, diagnostic.code.id.to_owned(), range, diagnostic.message));
    }
    said
}

fn said(diagnostic: &Json) -> Said {
    let (start, end) = (&diagnostic["range"]["start"], &diagnostic["range"]["end"]);
    let number = |json: &Json| json.as_u64().unwrap();
    let range = [number(&start["line"]), number(&start["character"]), number(&end["line"]), number(&end["character"])];
    let message = diagnostic["message"].as_str().unwrap().lines().next().unwrap_or_default().to_owned();
    (number(&diagnostic["severity"]), diagnostic["code"].as_str().unwrap().to_owned(), range, message)
}

#[test]
fn the_editor_says_what_the_command_line_says() {
    let mut all = Vec::new();
    folders(&suite(), &mut all);
    assert!(all.len() > 100, "the suite is there");
    let disk = Memory::default();
    let mut client = Client::new(&disk, &[]);
    for (number, files) in all.iter().enumerate() {
        let folder = format!("/case{number}");
        for (name, text) in files {
            disk.write(&format!("{folder}/{name}"), Some(text));
        }
        let event = |added: Json, removed: Json| json!({ "event": { "added": added, "removed": removed } });
        let this = json!([{ "uri": uri(&folder), "name": "case" }]);
        client.notify("workspace/didChangeWorkspaceFolders", event(this.clone(), json!([])));
        let expected = by_command_line(files);
        for (name, text) in files {
            let path = format!("{folder}/{name}");
            client.open(&path, text);
            let found: Vec<Said> = client.diagnostics(&path).iter().map(said).collect();
            assert_eq!(found, expected.get(name).cloned().unwrap_or_default(), "{name} of {files:#?}");
        }
        for name in files.keys() {
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&format!("{folder}/{name}")) } }));
        }
        client.notify("workspace/didChangeWorkspaceFolders", event(json!([]), this));
    }
    assert_eq!(client.log.text(), "");
    assert!(client.end());
}
