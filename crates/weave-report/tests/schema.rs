//! The published schemas say what is written.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may fail, and may touch files")]

use serde_json::{Value, json};
use weave_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, Fix, Place, Severity, SourceFile, SourceMap, Span};
use weave_report::{Format, Report, json_schema_text, line_schema_text, write};

static CODE: Code = Code { id: "odd-name", severity: Severity::Warning, summary: "s", explanation: "e", bad: "", good: "" };

#[test]
fn the_checked_in_schemas_are_current() {
    for (file, current) in [("report.schema.json", json_schema_text()), ("report-line.schema.json", line_schema_text())] {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &current).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == current, "{file} is stale; run `BLESS=1 cargo test -p weave-report` and review the difference");
    }
}

/// What is written about one diagnostic with everything that one may have.
fn written(format: Format) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("shown.weave", "\u{1f600}\u{e4} name\n".into()).into());
    let place = Place::new(file, Span::new(7, 11));
    let edits = vec![Edit { place, text: "Name".to_owned() }];
    let fix = Fix { message: "write it large".to_owned(), edits, applicability: Applicability::Unsafe };
    let diagnostic =
        Diagnostic::new(&CODE, place, "`name` is odd").label("odd").also(place, "here too").note("a fact").help("do it").fix(fix);
    let plain = Diagnostic::new(&CODE, Place::new(file, Span::at(0)), "odd too");
    let report = Report {
        diagnostics: &[diagnostic, plain],
        sources: &sources,
        paths: &["a/b.weave".to_owned()],
        files: &[FileId(0), FileId(1)],
        fingerprints: &["00:1".to_owned()],
        page: &|code| format!("docs/{}.md", code.id),
        version: "1.2.3",
        color: false,
    };
    let mut out = Vec::new();
    write(format, &report, &mut out).unwrap();
    let mut again = Vec::new();
    write(format, &report, &mut again).unwrap();
    assert_eq!(out, again);
    String::from_utf8(out).unwrap()
}

#[test]
fn a_document_has_everything_and_fits_its_schema() {
    let document: Value = serde_json::from_str(&written(Format::Json)).unwrap();
    let schema: Value = serde_json::from_str(&json_schema_text()).unwrap();
    jsonschema::draft202012::new(&schema).unwrap().validate(&document).unwrap();
    let place = json!({
        "file": "a/b.weave",
        "start": {"offset": 7, "line": 1, "column": 8, "utf16_column": 5},
        "end": {"offset": 11, "line": 1, "column": 12, "utf16_column": 9},
    });
    assert_eq!(
        document["diagnostics"][0],
        json!({
            "id": "odd-name",
            "severity": "warning",
            "message": "`name` is odd",
            "label": "odd",
            "place": place,
            "labels": [{"place": place, "message": "here too"}],
            "notes": ["a fact"],
            "help": "do it",
            "fixes": [{"message": "write it large", "applicability": "unsafe", "edits": [{"place": place, "text": "Name"}]}],
            "url": "docs/odd-name.md",
            "fingerprint": "00:1",
        })
    );
    let rules = json!([{"id": "odd-name", "count": 2, "fixable": 1}]);
    assert_eq!(document["summary"], json!({"errors": 0, "warnings": 2, "notes": 0, "files": 2, "rules": rules}));
    assert_eq!((&document["version"], &document["tool"]), (&json!("1"), &json!({"name": "weave", "version": "1.2.3"})));
}

#[test]
fn each_line_fits_its_schema_and_says_what_the_document_says() {
    let text = written(Format::JsonLines);
    let schema: Value = serde_json::from_str(&line_schema_text()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.iter().for_each(|line| validator.validate(line).unwrap());
    assert_eq!(lines.iter().map(|line| line["type"].as_str().unwrap()).collect::<Vec<_>>(), ["diagnostic", "diagnostic", "summary"]);
    let document: Value = serde_json::from_str(&written(Format::Json)).unwrap();
    for (key, value) in document["diagnostics"][0].as_object().unwrap() {
        assert_eq!(&lines[0][key], value);
    }
    assert_eq!(lines[2]["warnings"], document["summary"]["warnings"]);
}

#[test]
fn the_schema_refuses_what_is_not_written() {
    let schema: Value = serde_json::from_str(&json_schema_text()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let document: Value = serde_json::from_str(&written(Format::Json)).unwrap();
    for (pointer, value) in [
        ("/version", json!("2")),
        ("/diagnostics/0/severity", json!("fatal")),
        ("/diagnostics/0/place/start/line", json!("1")),
        ("/diagnostics/0/fixes/0/applicability", json!("maybe")),
        ("/summary/errors", json!(-1)),
    ] {
        let mut broken = document.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        assert!(!validator.is_valid(&broken), "{pointer}");
    }
}

#[test]
fn a_line_for_models_has_place_id_message_and_edit() {
    assert_eq!(
        written(Format::Agent),
        "a/b.weave:1:4 odd-name `name` is odd | maybe 1:4-8 \"name\" -> \"Name\"\na/b.weave:1:1 odd-name odd too\n"
    );
}

#[test]
fn commands_for_github_stand_on_one_line() {
    assert_eq!(
        written(Format::GitHub),
        "::warning file=a/b.weave,line=1,endLine=1,col=4,endColumn=8,title=odd-name::`name` is odd%0Anote: a fact%0Ahelp: do it\n\
         ::warning file=a/b.weave,line=1,endLine=1,col=1,endColumn=1,title=odd-name::odd too\n"
    );
}
