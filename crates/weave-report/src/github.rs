//! Commands of a GitHub Actions workflow: a line each, which GitHub shows as an annotation.

use std::io;

use weave_diagnostics::{Diagnostic, Severity};

use crate::position::Positions;
use crate::{Report, text};

pub(crate) fn write(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    for diagnostic in report.diagnostics {
        let place = diagnostic.primary.place;
        let (start, end) = positions.range(place);
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let path = property(report.path(place.file));
        write!(out, "::{command} file={path},line={},endLine={}", start.line + 1, end.line + 1)?;
        if start.line == end.line {
            // An annotation of several lines must not have columns.
            write!(out, ",col={},endColumn={}", start.characters + 1, end.characters + 1)?;
        }
        writeln!(out, ",title={}::{}", property(diagnostic.code.id), data(&words(diagnostic)))?;
    }
    Ok(())
}

/// What is said, a line each; a fix says what it does only where no help has said that.
fn words(diagnostic: &Diagnostic) -> String {
    let mut words = diagnostic.message.clone();
    let notes = diagnostic.notes.iter().map(|note| ("note", note));
    let help = diagnostic.help.iter().map(|help| ("help", help));
    let fixes = diagnostic.fixes.iter().filter(|_| diagnostic.help.is_none()).map(|fix| ("fix", &fix.message));
    for (word, text) in notes.chain(help).chain(fixes) {
        words.push_str(&format!("\n{word}: {text}"));
    }
    words
}

/// The text behind `::`.
fn data(text: &str) -> String {
    text::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which also must not look like the end of one.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn each_part_is_escaped_as_it_must_be() {
        assert_eq!(data("100%, a:b\r\n::error::x%0A"), "100%25, a:b%0D%0A::error::x%250A");
        assert_eq!(property("a,b:c%\nd"), "a%2Cb%3Ac%25%0Ad");
        assert_eq!(data("\u{1b}[31mred"), "\u{241b}[31mred");
    }
}
