//! Diagnostics in the formats that programs, CI systems and models read.
//!
//! This crate knows formats and nothing else: a [`Report`] holds the diagnostics, their texts and the names of the files, and [`write()`] puts it into
//! one [`Format`]. Where that goes, and what a drawing in a terminal looks like, is the business of others.
//!
//! The same report is the same bytes, and nothing of the machine is in them: no time, no host, no path but those that it is given.

mod agent;
mod checkstyle;
mod github;
mod gitlab;
mod json;
mod junit;
mod position;
mod sarif;
mod schema;
mod statistics;
mod text;
mod xml;

use std::io;

use weave_diagnostics::{Charset, Code, Diagnostic, FileId, Renderer, SourceMap, Style};

pub use schema::{LINE_SCHEMA_ID, SCHEMA_ID, json_schema_text, line_schema_text};
pub use statistics::{RuleCount, statistics, statistics_table};

/// The version of the formats `json` and `jsonl`. It changes when a program that reads them would have to change.
pub const FORMAT_VERSION: &str = "1";

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Drawn with the source, for people.
    Human,
    /// A line each: place, severity, id, message.
    Short,
    /// One document with everything; its schema is `report.schema.json`.
    Json,
    /// A document on each line, one for each diagnostic and one with the counts; its schema is `report-line.schema.json`.
    JsonLines,
    /// SARIF 2.1.0, the Static Analysis Results Interchange Format.
    Sarif,
    /// Commands of a GitHub Actions workflow, which become annotations.
    GitHub,
    /// A report of GitLab's Code Quality.
    GitLab,
    /// JUnit's XML: a suite for each file, a failed case for each diagnostic.
    JUnit,
    /// Checkstyle's XML.
    Checkstyle,
    /// A line each for models: place, id, message, and the fix as an edit.
    Agent,
}

/// What is reported.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// What was found, in its order.
    pub diagnostics: &'a [Diagnostic],
    /// The texts that it is about.
    pub sources: &'a SourceMap,
    /// What the files are called in the report, by their [`FileId`]: paths from where the program runs, with `/`.
    pub paths: &'a [String],
    /// The files that were looked at, with and without diagnostics.
    pub files: &'a [FileId],
    /// What each diagnostic is known by wherever its code moves, in their order.
    pub fingerprints: &'a [String],
    /// Where the page of an id is: an address, or the path in the repository of this program where that has none.
    pub page: &'a dyn Fn(&Code) -> String,
    /// The version of this program.
    pub version: &'a str,
    /// Whether what is drawn for people has colour.
    pub color: bool,
}

impl std::fmt::Debug for Report<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Report").field("diagnostics", &self.diagnostics).field("paths", &self.paths).finish_non_exhaustive()
    }
}

impl<'a> Report<'a> {
    /// What a file is called.
    fn path(&self, file: FileId) -> &'a str {
        self.paths.get(file.0 as usize).map_or_else(|| self.sources.name(file), String::as_str)
    }

    /// The diagnostics with their fingerprints.
    fn findings(&self) -> impl Iterator<Item = (&'a Diagnostic, &'a str)> + use<'a> {
        let fingerprints = self.fingerprints;
        let known = move |index: usize| fingerprints.get(index).map_or("", String::as_str);
        self.diagnostics.iter().enumerate().map(move |(index, diagnostic)| (diagnostic, known(index)))
    }

    /// The files that were looked at and those with diagnostics, each with its diagnostics, in the order of their ids.
    fn by_file(&self) -> Vec<(FileId, Vec<&'a Diagnostic>)> {
        let mut files: std::collections::BTreeMap<FileId, Vec<&Diagnostic>> = self.files.iter().map(|file| (*file, Vec::new())).collect();
        for diagnostic in self.diagnostics {
            files.entry(diagnostic.primary.place.file).or_default().push(diagnostic);
        }
        files.into_iter().collect()
    }
}

/// Writes a report.
///
/// # Errors
///
/// Those of the writer.
pub fn write(format: Format, report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    match format {
        Format::Human => drawn(Style::Full, report, out),
        Format::Short => drawn(Style::Short, report, out),
        Format::Json => json::document(report, out),
        Format::JsonLines => json::lines(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::GitHub => github::write(report, out),
        Format::GitLab => gitlab::write(report, out),
        Format::JUnit => junit::write(report, out),
        Format::Checkstyle => checkstyle::write(report, out),
        Format::Agent => agent::write(report, out),
    }
}

/// Drawn as in a terminal.
fn drawn(style: Style, report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let renderer = Renderer { style, charset: Charset::Unicode, color: report.color };
    report.diagnostics.iter().try_for_each(|diagnostic| out.write_all(renderer.render(diagnostic, report.sources).as_bytes()))
}
