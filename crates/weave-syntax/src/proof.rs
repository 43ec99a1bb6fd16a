//! Safe fixes are tried before they are offered as such: with them, the file must have fewer errors.

use std::sync::Arc;

use weave_diagnostics::bounds::FILE_DIAGNOSTICS;
use weave_diagnostics::{Applicability, Diagnostic, Edit, FileId, Fix};

use crate::parse::{File, parse_again};

/// At most this many fixes of a file are tried one by one. Each costs a parse of what it changes; the others are not called safe.
const MOST_TRIED: usize = 40;

/// Makes fixes unsafe that do not reduce the errors of their file.
///
/// They are tried together first, which is enough as a rule: if the errors go down by as many as there are fixes, each has taken its own
/// away.
pub(crate) fn keep_safe_what_is_proven(syntax: &File, file: FileId, diagnostics: &mut [Diagnostic]) {
    if diagnostics.len() > FILE_DIAGNOSTICS.most {
        // Not all errors of such a file are known, so whether there are fewer cannot be told.
        diagnostics.iter_mut().flat_map(|diagnostic| &mut diagnostic.fixes).for_each(|fix| fix.applicability = Applicability::Unsafe);
        return;
    }
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let safe = |diagnostic: &&mut Diagnostic| diagnostic.is_error() && diagnostic.fixes.iter().any(is_safe);
    let chosen: Vec<&mut Diagnostic> = diagnostics.iter_mut().filter(safe).collect();
    let together: Vec<&Fix> = chosen.iter().filter_map(|diagnostic| diagnostic.fixes.iter().find(|fix| is_safe(fix))).collect();
    let all_alone = chosen.iter().all(|diagnostic| diagnostic.fixes.iter().filter(|fix| is_safe(fix)).count() == 1);
    if together.is_empty() || all_alone && errors_with(syntax, file, &together).is_some_and(|left| left + together.len() <= errors) {
        return;
    }
    let mut tried = 0;
    for fix in chosen.into_iter().flat_map(|diagnostic| &mut diagnostic.fixes).filter(|fix| is_safe(fix)) {
        tried += 1;
        if tried > MOST_TRIED || errors_with(syntax, file, &[fix]).is_none_or(|left| left >= errors) {
            fix.applicability = Applicability::Unsafe;
        }
    }
}

fn is_safe(fix: &Fix) -> bool {
    fix.applicability == Applicability::Safe
}

/// How many errors the file has with these fixes; nothing if they overlap.
fn errors_with(syntax: &File, file: FileId, fixes: &[&Fix]) -> Option<usize> {
    let mut edits: Vec<&Edit> = fixes.iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.place.span);
    let mut text = String::with_capacity(syntax.text.len());
    let mut end = 0;
    for edit in edits {
        text.push_str(syntax.text.get(end..edit.place.span.start as usize)?);
        text.push_str(&edit.text);
        end = edit.place.span.end as usize;
    }
    text.push_str(syntax.text.get(end..)?);
    let fixed = parse_again(syntax, Arc::from(text));
    Some(fixed.unproven(file).iter().filter(|diagnostic| diagnostic.is_error()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the first fix of a text is safe.
    fn first(text: &str) -> Option<Applicability> {
        let diagnostics = crate::parse(text.into()).diagnostics(FileId(0));
        diagnostics.iter().find_map(|diagnostic| diagnostic.fixes.first()).map(|fix| fix.applicability)
    }

    #[test]
    fn a_fix_that_reduces_the_errors_is_safe() {
        assert_eq!(first("# a comment\ntype A { a: int }\n"), Some(Applicability::Safe));
        assert_eq!(first("# one\n# two\n# three\ntype A { a: int }\n"), Some(Applicability::Safe));
    }

    #[test]
    fn every_safe_fix_of_a_broken_text_reduces_its_errors() {
        let texts = [
            "workflow w() -> string {\n  step s { ask a { x: \"ca } }\n  end e on s when .s.a == \"ca\\\"fe\\\"\" = \"x\"\n}\n",
            "workflow write(a: int) {\ntool settle(a: int) -> { ok: bool }\n",
            "workflow w() {\n  step b { act {{{[[[1]]]}}} }\n  end e on b = 1\n}\n",
            "workflow w() {\n  end e on start when .a = 1 = 2 = 3\n}\n",
        ];
        for text in texts {
            let parsed = crate::parse(text.into());
            let diagnostics = parsed.diagnostics(FileId(0));
            let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
            for fix in diagnostics.iter().flat_map(|diagnostic| &diagnostic.fixes).filter(|fix| is_safe(fix)) {
                assert!(errors_with(&parsed, FileId(0), &[fix]).is_some_and(|left| left < errors), "{text}: {}", fix.message);
            }
        }
    }
}
