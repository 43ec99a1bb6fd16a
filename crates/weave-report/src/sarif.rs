//! SARIF 2.1.0.

use std::collections::BTreeMap;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use weave_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, Fix, Label, Place, Severity};

use crate::Report;
use crate::position::Positions;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What paths count from. What that is on this machine is nobody's business.
const ROOT: &str = "%SRCROOT%";

/// The name of our fingerprints.
const FINGERPRINT: &str = "weave/v1";

/// The fingerprint by which GitHub follows a result; it has the form of ours.
const GITHUB_FINGERPRINT: &str = "primaryLocationLineHash";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    invocations: Value,
    original_uri_base_ids: Value,
    column_kind: &'a str,
    results: Results<'a>,
}

/// The results, made one after the other: all of them at once are many times the size of the file.
struct Results<'a>(Writer<'a>);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.report.findings().map(|(diagnostic, fingerprint)| self.0.result(diagnostic, fingerprint)))
    }
}

pub(crate) fn write(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let codes: BTreeMap<&str, &Code> = report.diagnostics.iter().map(|diagnostic| (diagnostic.code.id, diagnostic.code)).collect();
    let numbers: BTreeMap<&str, usize> = codes.keys().enumerate().map(|(index, id)| (*id, index)).collect();
    let rules: Vec<Value> = codes.values().map(|code| rule(report, code)).collect();
    let run = Run {
        tool: json!({"driver": {"name": "weave", "semanticVersion": report.version, "rules": rules}}),
        invocations: json!([{"executionSuccessful": true}]),
        original_uri_base_ids: json!({ROOT: {"description": {"text": "The folder in which weave ran."}}}),
        column_kind: "utf16CodeUnits",
        results: Results(Writer { report, positions: Positions::new(report.sources), numbers }),
    };
    serde_json::to_writer_pretty(&mut *out, &Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    out.write_all(b"\n")
}

/// The page of an id. Its address is given only where it is one.
fn rule(report: &Report<'_>, code: &Code) -> Value {
    let page = (report.page)(code);
    let (id, explanation) = (code.id, code.explanation.trim());
    let text = format!("{explanation}\n\n`weave explain {id}` shows examples.");
    let (bad, good) = (code.bad.trim_end(), code.good.trim_end());
    let markdown = format!("{explanation}\n\n## Example\n\n```\n{bad}\n```\n\n## Fixed\n\n```\n{good}\n```\n");
    let mut rule = json!({
        "id": id,
        "name": name(id),
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": explanation, "markdown": explanation},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": level(code.severity)},
    });
    if let Some(rule) = rule.as_object_mut().filter(|_| page.contains("://")) {
        rule.insert("helpUri".to_owned(), page.into());
    }
    rule
}

/// The name of a rule that tools show to people: `UnusedImport`.
fn name(id: &str) -> String {
    let words = id.split('-').map(|word| {
        let mut characters = word.chars();
        characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
    });
    words.collect()
}

struct Writer<'a> {
    report: &'a Report<'a>,
    positions: Positions<'a>,
    /// The index of each rule.
    numbers: BTreeMap<&'a str, usize>,
}

impl Writer<'_> {
    fn result(&self, diagnostic: &Diagnostic, fingerprint: &str) -> Value {
        let mut result = json!({
            "ruleId": diagnostic.code.id,
            "ruleIndex": self.numbers.get(diagnostic.code.id),
            "level": level(diagnostic.severity),
            "message": {"text": words(diagnostic)},
            "locations": [self.location(&diagnostic.primary)],
        });
        let Some(entries) = result.as_object_mut() else { return result };
        if !diagnostic.secondary.is_empty() {
            let related = diagnostic.secondary.iter().map(|label| self.location(label));
            entries.insert("relatedLocations".to_owned(), related.collect());
        }
        if !fingerprint.is_empty() {
            entries.insert("partialFingerprints".to_owned(), json!({FINGERPRINT: fingerprint, GITHUB_FINGERPRINT: fingerprint}));
        }
        if !diagnostic.fixes.is_empty() {
            entries.insert("fixes".to_owned(), diagnostic.fixes.iter().map(|fix| self.fix(fix)).collect());
        }
        result
    }

    fn location(&self, label: &Label) -> Value {
        let place = label.place;
        let mut location = json!({"physicalLocation": {"artifactLocation": self.artifact(place.file), "region": self.region(place)}});
        if let Some(entries) = location.as_object_mut().filter(|_| !label.message.is_empty()) {
            entries.insert("message".to_owned(), json!({"text": plain(&label.message)}));
        }
        location
    }

    fn artifact(&self, file: FileId) -> Value {
        json!({"uri": uri(self.report.path(file)), "uriBaseId": ROOT})
    }

    /// The end is behind the last character, here as there.
    fn region(&self, place: Place) -> Value {
        let (start, end) = self.positions.range(place);
        json!({"startLine": start.line + 1, "startColumn": start.utf16 + 1, "endLine": end.line + 1, "endColumn": end.utf16 + 1})
    }

    fn fix(&self, fix: &Fix) -> Value {
        let mut files: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
        for edit in &fix.edits {
            files.entry(edit.place.file).or_default().push(edit);
        }
        let replacement = |edit: &&Edit| json!({"deletedRegion": self.region(edit.place), "insertedContent": {"text": edit.text}});
        let changes = files.iter().map(|(file, edits)| {
            json!({"artifactLocation": self.artifact(*file), "replacements": edits.iter().map(replacement).collect::<Vec<_>>()})
        });
        let applicability = match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        };
        json!({
            "description": {"text": plain(&fix.message)},
            "artifactChanges": changes.collect::<Vec<_>>(),
            "properties": {"applicability": applicability},
        })
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The message with notes and help behind it.
fn words(diagnostic: &Diagnostic) -> String {
    let mut words = plain(&diagnostic.message);
    for text in diagnostic.notes.iter().chain(&diagnostic.help) {
        words.push('\n');
        words.push_str(&plain(text));
    }
    words
}

/// A text in which nothing is a link: `[a](1)` would lead to a related place.
fn plain(text: &str) -> String {
    if text.contains("](") { text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]") } else { text.to_owned() }
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut uri, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    use super::{plain, uri};

    #[test]
    fn paths_are_references_and_texts_hold_no_links() {
        assert_eq!(uri("a b/c%0A,:\"<\u{e4}>.weave"), "a%20b/c%250A%2C%3A%22%3C%C3%A4%3E.weave");
        assert_eq!(plain("`[int]` is a list"), "`[int]` is a list");
        assert_eq!(plain("[x](1)\\"), "\\[x\\](1)\\\\");
    }
}
