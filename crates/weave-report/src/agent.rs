//! For models, which pay for each word: place, id, message, and the fix as an edit.

use std::io;

use weave_diagnostics::{Applicability, Diagnostic, Edit, FileId, Fix};

use crate::position::{Position, Positions};
use crate::{Report, text};

/// A replaced text up to this many characters is shown: a model finds it again more surely than a column.
const SHORT: usize = 60;

/// A line for each diagnostic: `PATH:LINE:COLUMN ID MESSAGE`, and behind it ` | fix EDIT` for a safe fix and ` | maybe EDIT` for another, where several edits are separated
/// by `;`. A diagnostic without a fix ends with ` | help TEXT` where it has a help.
///
/// Lines and columns are counted from 1, columns in characters, and the end of a range is behind its last character. An edit is `RANGE "old" -> "new"`, with
/// JSON's quotes; without the old text where that is long. An insertion has one position and no old text. The file of an edit is that of its diagnostic unless it says another.
pub(crate) fn write(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    report.diagnostics.iter().try_for_each(|diagnostic| writeln!(out, "{}", line(report, &positions, diagnostic)))
}

fn line(report: &Report<'_>, positions: &Positions<'_>, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.primary.place;
    let at = positions.at(place.file, place.span.start);
    let path = text::one_line(report.path(place.file));
    let mut line = format!("{path}:{} {} {}", point(at), diagnostic.code.id, text::one_line(&diagnostic.message));
    for fix in &diagnostic.fixes {
        line.push_str(" | ");
        line.push_str(&edits(report, positions, fix, place.file));
    }
    if let (true, Some(help)) = (diagnostic.fixes.is_empty(), &diagnostic.help) {
        line.push_str(" | help ");
        line.push_str(&text::one_line(help));
    }
    line
}

fn edits(report: &Report<'_>, positions: &Positions<'_>, fix: &Fix, home: FileId) -> String {
    let word = match fix.applicability {
        Applicability::Safe => "fix",
        Applicability::Unsafe => "maybe",
    };
    let edits = fix.edits.iter().map(|edit| one(report, positions, edit, home));
    format!("{word} {}", edits.collect::<Vec<_>>().join("; "))
}

fn one(report: &Report<'_>, positions: &Positions<'_>, edit: &Edit, home: FileId) -> String {
    let (start, end) = positions.range(edit.place);
    let file = if edit.place.file == home { String::new() } else { format!("{}:", text::one_line(report.path(edit.place.file))) };
    let old = report.sources.text(edit.place);
    let new = quoted(&edit.text);
    if old.is_empty() {
        return format!("{file}{} {new}", point(start));
    }
    let to = if end.line == start.line { (end.characters + 1).to_string() } else { point(end) };
    let old = if old.chars().nth(SHORT).is_some() { String::new() } else { format!("{} ", quoted(old)) };
    format!("{file}{}-{to} {old}-> {new}", point(start))
}

fn point(at: Position) -> String {
    format!("{}:{}", at.line + 1, at.characters + 1)
}

/// A text with JSON's quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
