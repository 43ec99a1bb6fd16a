//! The formats `json` and `jsonl`.

use std::io;

use schemars::JsonSchema;
use serde::Serialize;
use weave_diagnostics::{self as diagnostics, Applicability, Diagnostic, Severity};

use crate::position::{Position, Positions};
use crate::{FORMAT_VERSION, Report, statistics};

/// Everything that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Document<'a> {
    /// The version of this format.
    version: &'a str,
    tool: Tool<'a>,
    /// What was found, in the order of the files and of the places in them.
    diagnostics: Vec<Finding<'a>>,
    summary: Summary<'a>,
}

/// One line of `jsonl`: a diagnostic, or at the end the counts.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Line<'a> {
    /// A diagnostic.
    Diagnostic {
        /// The version of this format.
        version: &'a str,
        #[serde(flatten)]
        finding: Finding<'a>,
    },
    /// The counts; this is the last line.
    Summary {
        /// The version of this format.
        version: &'a str,
        tool: Tool<'a>,
        #[serde(flatten)]
        summary: Summary<'a>,
    },
}

/// The program that found it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Tool<'a> {
    name: &'a str,
    version: &'a str,
}

/// A diagnostic.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Finding<'a> {
    /// The id of the rule or of the diagnostic, as `weave explain` knows it.
    id: &'a str,
    severity: Level,
    /// What is wrong, on one line.
    message: &'a str,
    /// What is at its place; may be empty.
    label: &'a str,
    place: Place<'a>,
    /// Other places that one needs to see.
    labels: Vec<Label<'a>>,
    /// Facts that help to understand it.
    notes: Vec<&'a str>,
    /// What to do.
    help: Option<&'a str>,
    /// Changes that mend it. Each is complete by itself.
    fixes: Vec<Fix<'a>>,
    /// Where the page of the id is: an address, or a path in the repository of weave.
    url: String,
    /// What it is known by wherever its code moves: 32 hexadecimal digits, a colon, and a number that tells equal ones apart. Empty where nothing is known.
    fingerprint: &'a str,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    /// The program has no definition, or a rule of this level was broken.
    Error,
    /// Most likely a mistake.
    Warning,
    /// Advice.
    Note,
}

/// A range of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Place<'a> {
    /// Its path from where the program ran, with `/`; `<stdin>` for standard input.
    file: &'a str,
    start: Point,
    /// Behind the last character.
    end: Point,
}

/// A position in a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Point {
    /// The bytes before it, in UTF-8.
    offset: u32,
    /// The line, counted from 1.
    line: u32,
    /// The column in bytes of UTF-8, counted from 1.
    column: u32,
    /// The column in code units of UTF-16, counted from 1.
    utf16_column: u32,
}

/// A place with a remark.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Label<'a> {
    place: Place<'a>,
    message: &'a str,
}

/// A change that mends a diagnostic.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Fix<'a> {
    /// What it does, as an order.
    message: &'a str,
    applicability: Use,
    /// The replacements, which do not overlap; all places are those of the text before them.
    edits: Vec<Edit<'a>>,
}

/// Whether a fix may be applied unseen.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Use {
    /// The result means what was meant.
    Safe,
    /// The result is legal, but may mean something else than was meant.
    Unsafe,
}

/// One replacement.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Edit<'a> {
    place: Place<'a>,
    /// What stands there afterwards.
    text: &'a str,
}

/// The counts.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Summary<'a> {
    errors: usize,
    warnings: usize,
    notes: usize,
    /// How many files were looked at.
    files: usize,
    /// How often each id was found, the most frequent first.
    rules: Vec<Count<'a>>,
}

/// How often an id was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Count<'a> {
    id: &'a str,
    count: usize,
    /// How many of them have a fix.
    fixable: usize,
}

/// The whole document, for people to look at too.
pub(crate) fn document(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    let findings = report.findings().map(|(diagnostic, fingerprint)| finding(report, &positions, diagnostic, fingerprint));
    let document = Document { version: FORMAT_VERSION, tool: tool(report), diagnostics: findings.collect(), summary: summary(report) };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

/// A document on each line.
pub(crate) fn lines(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    for (diagnostic, fingerprint) in report.findings() {
        let finding = finding(report, &positions, diagnostic, fingerprint);
        line(&Line::Diagnostic { version: FORMAT_VERSION, finding }, out)?;
    }
    line(&Line::Summary { version: FORMAT_VERSION, tool: tool(report), summary: summary(report) }, out)
}

fn line(line: &Line<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

const fn tool<'a>(report: &Report<'a>) -> Tool<'a> {
    Tool { name: "weave", version: report.version }
}

fn summary<'a>(report: &Report<'a>) -> Summary<'a> {
    let count = |severity| report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let rules = statistics(report.diagnostics).into_iter();
    Summary {
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        notes: count(Severity::Note),
        files: report.by_file().len(),
        rules: rules.map(|rule| Count { id: rule.id, count: rule.count, fixable: rule.fixable }).collect(),
    }
}

fn finding<'a>(report: &Report<'a>, positions: &Positions<'_>, diagnostic: &'a Diagnostic, fingerprint: &'a str) -> Finding<'a> {
    let place = |at: diagnostics::Place| place(report, positions, at);
    let labels = diagnostic.secondary.iter().map(|label| Label { place: place(label.place), message: &label.message });
    let fixes = diagnostic.fixes.iter().map(|fix| Fix {
        message: &fix.message,
        applicability: match fix.applicability {
            Applicability::Safe => Use::Safe,
            Applicability::Unsafe => Use::Unsafe,
        },
        edits: fix.edits.iter().map(|edit| Edit { place: place(edit.place), text: &edit.text }).collect(),
    });
    Finding {
        id: diagnostic.code.id,
        severity: match diagnostic.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Note,
        },
        message: &diagnostic.message,
        label: &diagnostic.primary.message,
        place: place(diagnostic.primary.place),
        labels: labels.collect(),
        notes: diagnostic.notes.iter().map(String::as_str).collect(),
        help: diagnostic.help.as_deref(),
        fixes: fixes.collect(),
        url: (report.page)(diagnostic.code),
        fingerprint,
    }
}

fn place<'a>(report: &Report<'a>, positions: &Positions<'_>, at: diagnostics::Place) -> Place<'a> {
    let (start, end) = positions.range(at);
    Place { file: report.path(at.file), start: point(start), end: point(end) }
}

const fn point(at: Position) -> Point {
    Point { offset: at.offset, line: at.line + 1, column: at.bytes + 1, utf16_column: at.utf16 + 1 }
}
