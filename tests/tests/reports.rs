//! Reports are what other programs take them for, in the eyes of independent validators, whatever stands in files, names and messages.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use weave_compiler::Snapshot;
use weave_compiler::lint::{Day, Group, Level, Options, Settings};
use weave_diagnostics::{Applicability, Code, Diagnostic, Edit, FileId, Fix, Place, Severity, SourceFile, SourceMap, Span};
use weave_report::{Format, Report, write};
use weave_tests::suite::programs;
use weave_tests::{root, tools};

use crate::examples::examples;

/// The formats, with the names of their files.
const FORMATS: [(&str, Format); 10] = [
    ("human", Format::Human),
    ("short", Format::Short),
    ("json", Format::Json),
    ("jsonl", Format::JsonLines),
    ("sarif", Format::Sarif),
    ("github", Format::GitHub),
    ("gitlab", Format::GitLab),
    ("junit", Format::JUnit),
    ("checkstyle", Format::Checkstyle),
    ("agent", Format::Agent),
];

/// What is reported about one program.
struct Found {
    diagnostics: Vec<Diagnostic>,
    fingerprints: Vec<String>,
    sources: SourceMap,
    files: Vec<FileId>,
}

impl Found {
    fn report<'a>(&'a self, paths: &'a [String]) -> Report<'a> {
        Report {
            diagnostics: &self.diagnostics,
            sources: &self.sources,
            paths,
            files: &self.files,
            fingerprints: &self.fingerprints,
            page: &|code| format!("https://example.org/{}.md", code.id),
            version: "1.2.3",
            color: false,
        }
    }

    fn written(&self, format: Format) -> Vec<u8> {
        let paths = self.paths();
        let mut bytes = Vec::new();
        write(format, &self.report(&paths), &mut bytes).expect("memory can be written");
        bytes
    }

    fn paths(&self) -> Vec<String> {
        self.sources.iter().map(|(_, file)| file.name().to_owned()).collect()
    }

    /// What has to be found in each report.
    fn expected(&self) -> Value {
        let diagnostics = self.diagnostics.iter().map(|diagnostic| {
            let place = diagnostic.primary.place;
            json!({
                "id": diagnostic.code.id,
                "severity": format!("{:?}", diagnostic.severity).to_lowercase(),
                "message": diagnostic.message,
                "path": self.sources.name(place.file),
                "start": place.span.start,
                "end": place.span.end,
            })
        });
        let texts = self.sources.iter().map(|(_, file)| (file.name().to_owned(), json!(&**file.text())));
        json!({"diagnostics": diagnostics.collect::<Vec<_>>(), "texts": texts.collect::<serde_json::Map<_, _>>()})
    }

    fn save(&self, folder: &Path) {
        std::fs::create_dir_all(folder).expect("the temporary folder can be written");
        let save = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("the temporary folder can be written");
        FORMATS.iter().for_each(|(name, format)| save(name, &self.written(*format)));
        save("expected.json", self.expected().to_string().as_bytes());
    }
}

/// What is said about a program with all rules on, errors included.
fn of_snapshot(snapshot: &Snapshot) -> Found {
    let settings = |_| Settings { groups: [(Group::Pedantic, Level::Note)].into(), ..Settings::default() };
    let mut diagnostics = snapshot.diagnostics().to_vec();
    diagnostics.extend(snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") }));
    weave_diagnostics::sort_and_dedup(&mut diagnostics);
    let fingerprints = snapshot.fingerprints(&diagnostics);
    Found { diagnostics, fingerprints, sources: snapshot.sources().clone(), files: vec![FileId(1)] }
}

static ERROR: Code =
    Code { id: "hostile-error", severity: Severity::Error, summary: "`{0}` [x](1)", explanation: "<&>\"]]>", bad: "", good: "" };
static WARNING: Code = Code { id: "hostile-warning", severity: Severity::Warning, summary: "w", explanation: "e", bad: "", good: "" };
static NOTE: Code = Code { id: "hostile-note", severity: Severity::Note, summary: "n", explanation: "e", bad: "", good: "" };

/// Texts that mean something in some format.
const HOSTILE: [&str; 14] = [
    "quotes \" and ' and `",
    "</failure> ]]> <![CDATA[ <!-- --> &amp; &#0;",
    "100% %0A %0D %25 %3A %2C",
    "a:b, c::d, file=x,line=1",
    "two\nlines\r\nand ::error::a third",
    "\u{0}\u{1}\u{7}\u{8}\u{b}\u{1b}[31mred\u{1b}[0m\u{7f}\u{85}\u{9b}",
    "\u{1f600}\u{10ffff}\u{fffe}\u{ffff}\u{feff}",
    "\u{202e}\u{2066}right to left\u{2028}\u{200b}",
    "[link](1) and [a](http://b) and \\[",
    "{0} {{1}} {{.input.name}}",
    "tab\there, backslash \\ \\n \\u0000",
    "##[error]x ##vso[task]",
    "\u{e4}\u{0301}\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "- * # | <b>bold</b> $(id) ${HOME} `rm`",
];

/// Names of files that mean something in some format; all of them are names on some system.
const NAMES: [&str; 7] = [
    "a b,c:d%0A\"'<&>.weave",
    "]]>\u{1f600}\u{e4}/[x](1).weave",
    "<stdin>",
    "c::d\nline,2\u{1b}[2J.weave",
    "http://x/#frag?query.weave",
    "back\\slash;$(id).weave",
    "-o/../{0}.weave",
];

/// A report that nobody would write and everybody could cause.
fn hostile() -> Found {
    let mut sources = SourceMap::new();
    let text = "\u{feff}\u{1f600}\u{e4} one\r\n\ttwo \u{10ffff} ]]> & three\r\n\0\u{1b}[31m four\n\n";
    let files: Vec<FileId> = NAMES.iter().map(|name| sources.add(SourceFile::new(*name, text.into()).into())).collect();
    let mut diagnostics = Vec::new();
    let offsets: Vec<u32> = text.char_indices().map(|(offset, _)| offset as u32).chain([text.len() as u32]).collect();
    for (index, message) in HOSTILE.iter().enumerate() {
        for (number, code) in [&ERROR, &WARNING, &NOTE].into_iter().enumerate() {
            let file = files[(index + number) % files.len()];
            let start = offsets[(index * 5 + number) % offsets.len()];
            let end = offsets[offsets.len() - 1 - (index * 3) % 7].max(start);
            let place = Place::new(file, Span::new(start, if number == 1 { end } else { start }));
            let other = Place::new(files[index % files.len()], Span::new(offsets[1], offsets[9]));
            let edits = vec![Edit { place, text: (*message).to_owned() }, Edit { place: other, text: String::new() }];
            let fix = Fix { message: (*message).to_owned(), edits, applicability: Applicability::Unsafe };
            let diagnostic = Diagnostic::new(code, place, *message).label(*message).also(other, *message);
            diagnostics.push(diagnostic.note(*message).help(*message).fix(fix));
        }
    }
    weave_diagnostics::sort_and_dedup(&mut diagnostics);
    let fingerprints = weave_compiler::lint::fingerprints(&diagnostics, &[]);
    Found { diagnostics, fingerprints, sources, files }
}

#[test]
fn independent_validators_accept_every_report() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    hostile().save(&folder.path().join("hostile"));
    let nothing = Found { diagnostics: Vec::new(), fingerprints: Vec::new(), ..hostile() };
    nothing.save(&folder.path().join("nothing"));
    let mut count = 2;
    for (title, program) in programs().into_iter().map(|case| (case.title(), case.program())).chain(examples()) {
        of_snapshot(&program.check().snapshot).save(&folder.path().join(title.replace('/', ".")));
        count += 1;
    }
    let script = root().join("tests/tools/reports.py");
    let output =
        Command::new(tools::python_for_reports()).arg(script).arg(root()).arg(folder.path()).output().expect("Python can be started");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with(&format!("{count} programs")) && count > 100, "{said}");
}

#[test]
fn the_same_diagnostics_are_the_same_bytes() {
    for (name, format) in FORMATS {
        assert!(hostile().written(format) == hostile().written(format), "{name}");
    }
}

#[test]
fn no_report_for_a_terminal_or_a_log_has_characters_of_control() {
    for (name, format) in FORMATS {
        let text = String::from_utf8(hostile().written(format)).expect("reports are UTF-8");
        let odd = text.chars().find(|character| matches!(character, '\0'..='\u{1f}') && !matches!(character, '\t' | '\n'));
        assert_eq!(odd, None, "{name}");
    }
}
