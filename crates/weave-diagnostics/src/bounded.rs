//! Keeping the number of diagnostics within bounds.

use std::collections::BTreeMap;

use crate::bounds::{FILE_DIAGNOSTICS, RUN_DIAGNOSTICS, TEXT};
use crate::{Code, Diagnostic, FileId, Place, Severity, Span, counted, sort_and_dedup};

/// More is wrong than is reported.
pub static TOO_MANY: Code = Code {
    id: "too-many-diagnostics",
    severity: Severity::Error,
    summary: "More is wrong than is reported.",
    explanation: "\
A file has at most 1,000 diagnostics and a run at most 10,000: more are of no use, and a text of a megabyte could otherwise make a report of gigabytes. The first ones are
reported, in the order of the text; this diagnostic is at the first one that is not. It is as severe as the worst of what is left out, so that a command never
succeeds because of it.

Fix the first ones and run the command again. A file of this kind is often something else than a source.",
    bad: "// A file with a thousand and one mistakes, such as\n;;;;;;;;;;;;;;;;;;;;;;;;\n",
    good: "type Order { id: string }\n",
};

/// A text is longer than any source.
pub static TOO_LARGE: Code = Code {
    id: "file-too-large",
    severity: Severity::Error,
    summary: "A source is longer than 64 MiB, so it is not read.",
    explanation: "\
No source that a person writes has this size, and reading it would take many times its size in memory. An editor shows this at the start of the file, and everything else is as if the
file were empty. On the command line such a file is refused before it is read.

Split the file into several that import from each other.",
    bad: "// A file of more than 64 MiB\n",
    good: "type Order { id: string }\n",
};

/// What is said of a text that is too long, at its start.
#[must_use]
pub fn too_large(file: FileId, length: usize) -> Diagnostic {
    let words = format!("this file has {}, and at most {} are read", counted(length, "byte"), counted(TEXT.most, "byte"));
    Diagnostic::new(&TOO_LARGE, Place::new(file, Span::at(0)), words).help("split it into several files that import from each other")
}

/// The first diagnostics of each file and of the run, as far as the bounds go, and for what is left out one that says so. What is given and what comes back are in the
/// order of [`sort_and_dedup`]. Bounding again changes nothing.
#[must_use]
pub fn bounded(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if diagnostics.len() <= FILE_DIAGNOSTICS.most {
        return diagnostics;
    }
    let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut left_out: BTreeMap<FileId, Diagnostic> = BTreeMap::new();
    let mut rest: Option<Diagnostic> = None;
    let mut kept = Vec::new();
    for diagnostic in diagnostics {
        let file = diagnostic.primary.place.file;
        if diagnostic.code == &TOO_MANY {
            kept.push(diagnostic);
            continue;
        }
        let count = counts.entry(file).or_default();
        *count += 1;
        if *count > FILE_DIAGNOSTICS.most {
            let words = format!("this file has more than {}", counted(FILE_DIAGNOSTICS.most, "diagnostic"));
            worse(left_out.entry(file).or_insert_with(|| said(&diagnostic, words)), diagnostic.severity);
        } else if kept.len() >= RUN_DIAGNOSTICS.most {
            let words = format!("there are more than {}", counted(RUN_DIAGNOSTICS.most, "diagnostic"));
            worse(rest.get_or_insert_with(|| said(&diagnostic, words)), diagnostic.severity);
        } else {
            kept.push(diagnostic);
        }
    }
    kept.extend(left_out.into_values());
    kept.extend(rest);
    sort_and_dedup(&mut kept);
    kept
}

/// What is said in the place of the first diagnostic that is left out.
fn said(first: &Diagnostic, words: String) -> Diagnostic {
    let diagnostic = Diagnostic::new(&TOO_MANY, first.primary.place, words);
    let diagnostic = diagnostic.label("the first one that is not reported").help("fix those that are reported, and run the command again");
    Diagnostic { severity: Severity::Note, ..diagnostic }
}

fn worse(diagnostic: &mut Diagnostic, severity: Severity) {
    // The worst severity is the first one.
    diagnostic.severity = diagnostic.severity.min(severity);
}

#[cfg(test)]
mod tests {
    use super::*;

    static WARNING: Code = Code { id: "w", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };
    static ERROR: Code = Code { id: "e", severity: Severity::Error, summary: "", explanation: "", bad: "", good: "" };

    fn at(code: &'static Code, file: u32, start: u32) -> Diagnostic {
        Diagnostic::new(code, Place::new(FileId(file), Span::at(start)), "x")
    }

    #[test]
    fn a_file_and_a_run_have_bounds() {
        let few: Vec<Diagnostic> = (0..1_000).map(|start| at(&WARNING, 1, start)).collect();
        assert_eq!(bounded(few.clone()), few);
        let mut many: Vec<Diagnostic> = (0..1_500).map(|start| at(&WARNING, 1, start)).collect();
        many.push(at(&ERROR, 1, 1_500));
        many.push(at(&WARNING, 2, 0));
        let kept = bounded(many);
        assert_eq!(kept.len(), 1_002);
        assert_eq!(
            (kept[1_000].code.id, kept[1_000].severity, kept[1_000].primary.place.span.start),
            ("too-many-diagnostics", Severity::Error, 1_000)
        );
        assert_eq!(bounded(kept.clone()), kept);

        let run: Vec<Diagnostic> = (0..20).flat_map(|file| (0..900).map(move |start| at(&WARNING, file, start))).collect();
        let kept = bounded(run);
        assert_eq!((kept.len(), kept[10_000].severity), (10_001, Severity::Warning));
        assert_eq!(bounded(kept.clone()), kept);
    }
}
