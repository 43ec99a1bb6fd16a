//! JUnit's XML: a suite for each file, a case for each diagnostic, and one that passed for a file without any.

use std::io;

use weave_diagnostics::{Charset, Diagnostic, FileId, Renderer, Severity, Style};

use crate::position::Positions;
use crate::xml::{Body, Escaped};
use crate::{Report, text};

/// The case of a file without diagnostics.
const CLEAN: &str = "no findings";

pub(crate) fn write(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    let files = report.by_file();
    let tests: usize = files.iter().map(|(_, found)| cases(found)).sum();
    let failures: usize = files.iter().map(|(_, found)| failed(found)).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"weave\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    for (file, found) in files {
        suite(report, &positions, file, &found, out)?;
    }
    writeln!(out, "</testsuites>")
}

fn suite(report: &Report<'_>, positions: &Positions<'_>, file: FileId, found: &[&Diagnostic], out: &mut dyn io::Write) -> io::Result<()> {
    let path = Escaped(report.path(file));
    let (tests, failures) = (cases(found), failed(found));
    writeln!(out, "  <testsuite name=\"{path}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">")?;
    if found.is_empty() {
        writeln!(out, "    <testcase name=\"{CLEAN}\" classname=\"{path}\"/>")?;
    }
    for diagnostic in found {
        let at = positions.at(file, diagnostic.primary.place.span.start);
        let (id, message) = (Escaped(diagnostic.code.id), text::one_line(&diagnostic.message));
        writeln!(out, "    <testcase name=\"{id} at {}:{}\" classname=\"{path}\">", at.line + 1, at.characters + 1)?;
        let drawing = Renderer { style: Style::Full, charset: Charset::Unicode, color: false }.render(diagnostic, report.sources);
        let drawing = Body(drawing.trim_end());
        // Advice is no reason for a test to fail.
        match diagnostic.severity {
            Severity::Note => writeln!(out, "      <system-out>{drawing}</system-out>")?,
            severity => {
                let severity = text::severity(severity);
                writeln!(out, "      <failure message=\"{}\" type=\"{severity}\">{drawing}</failure>", Escaped(&message))?;
            }
        }
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

/// How many cases a file has.
fn cases(found: &[&Diagnostic]) -> usize {
    found.len().max(1)
}

/// How many of them failed.
fn failed(found: &[&Diagnostic]) -> usize {
    found.iter().filter(|diagnostic| diagnostic.severity != Severity::Note).count()
}
