//! Checkstyle's XML.

use std::io;

use weave_diagnostics::Severity;

use crate::position::Positions;
use crate::xml::Escaped;
use crate::{Report, text};

/// The version of Checkstyle whose form this is; readers want one.
const VERSION: &str = "10.0";

pub(crate) fn write(report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let positions = Positions::new(report.sources);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"{VERSION}\">")?;
    for (file, found) in report.by_file() {
        writeln!(out, "  <file name=\"{}\">", Escaped(report.path(file)))?;
        for diagnostic in found {
            let at = positions.at(file, diagnostic.primary.place.span.start);
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "info",
            };
            writeln!(
                out,
                "    <error line=\"{}\" column=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"weave.{}\"/>",
                at.line + 1,
                at.characters + 1,
                Escaped(&text::one_line(&diagnostic.message)),
                Escaped(diagnostic.code.id),
            )?;
        }
        writeln!(out, "  </file>")?;
    }
    writeln!(out, "</checkstyle>")
}
