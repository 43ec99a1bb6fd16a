//! From what is wrong with a test to a diagnostic.

use weave_diagnostics::{Applicability, Diagnostic, FileId, Place, Span};
use weave_scenario::{Finding, FixPlace};

use crate::codes::code;

/// The diagnostic of a finding about a test in a file with this text.
pub(crate) fn diagnostic(finding: &Finding, file: FileId, text: &str) -> Diagnostic {
    let place = |span: weave_scenario::Span| Place::new(file, Span::new(span.start, span.end));
    let mut diagnostic = Diagnostic::new(code(finding.id), place(finding.span), &*finding.message);
    if let Some(label) = &finding.label {
        diagnostic = diagnostic.label(&**label);
    }
    diagnostic.notes.clone_from(&finding.notes);
    if let Some(fix) = &finding.fix {
        let (at, inserted) = match fix.place {
            FixPlace::After(span) => {
                let indent = indentation(text, span.start);
                (Span::at(span.end), format!("\n{indent}{}", fix.text))
            }
            FixPlace::Before(span) => (Span::at(span.start), fix.text.clone()),
            FixPlace::Replace(span) => (Span::new(span.start, span.end), fix.text.clone()),
        };
        diagnostic = diagnostic.replace(Applicability::Unsafe, &*fix.title, Place::new(file, at), inserted);
    }
    diagnostic
}

/// The blanks before the line of an offset.
fn indentation(text: &str, offset: u32) -> &str {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let rest = text.get(line..).unwrap_or_default();
    rest.get(..rest.len() - rest.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}
