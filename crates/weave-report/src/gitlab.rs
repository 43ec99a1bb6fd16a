//! A report of GitLab's Code Quality.

use std::io;

use serde::Serialize;
use weave_diagnostics::Severity;

use crate::position::{Position, Positions};
use crate::{Report, text};

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: &'a str,
    severity: &'a str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    positions: Range,
}

#[derive(Serialize)]
struct Range {
    begin: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
}

pub(crate) fn write(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    let issues = report.findings().map(|(diagnostic, fingerprint)| {
        let (begin, end) = positions.range(diagnostic.primary.place);
        Issue {
            description: text::one_line(&diagnostic.message),
            check_name: diagnostic.code.id,
            fingerprint,
            severity: match diagnostic.severity {
                Severity::Error => "critical",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Location {
                path: report.path(diagnostic.primary.place.file),
                positions: Range { begin: point(begin), end: point(end) },
            },
        }
    });
    serde_json::to_writer_pretty(&mut *out, &issues.collect::<Vec<_>>())?;
    out.write_all(b"\n")
}

const fn point(at: Position) -> Point {
    Point { line: at.line + 1, column: at.characters + 1 }
}
