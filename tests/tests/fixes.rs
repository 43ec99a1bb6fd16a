//! What a diagnostic offers to do, done by machine: no fix makes a text worse.

use weave_diagnostics::{Applicability, Diagnostic, Fix};
use weave_tests::program::{Checked, Program};
use weave_tests::suite::{file_name, programs};

/// The file of a program with a fix applied to it.
fn fixed(program: &Program, checked: &Checked, fix: &Fix) -> Program {
    let mut program = program.clone();
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| (edit.place.file, edit.place.span));
    for pair in edits.windows(2) {
        let same = pair[0].place.file == pair[1].place.file;
        assert!(!same || pair[0].place.span.end <= pair[1].place.span.start, "the edits of `{}` overlap", fix.message);
    }
    for edit in edits.iter().rev() {
        let name = checked.snapshot.sources().iter().find(|(id, _)| *id == edit.place.file).map(|(_, file)| file.name().to_owned());
        let text = name.and_then(|name| program.files.get_mut(&name)).expect("a fix changes a file of the program");
        let range = edit.place.span.start as usize..edit.place.span.end as usize;
        assert!(text.get(range.clone()).is_some(), "`{}` lies outside the text", fix.message);
        text.replace_range(range, &edit.text);
    }
    program
}

/// How many diagnostics say the same.
fn count(checked: &Checked, diagnostic: &Diagnostic) -> usize {
    checked.diagnostics.iter().filter(|other| other.code.id == diagnostic.code.id && other.message == diagnostic.message).count()
}

fn is_syntax(diagnostic: &Diagnostic) -> bool {
    weave_syntax::CODES.iter().any(|code| code.id == diagnostic.code.id)
}

/// All fixes of the suite, each applied alone, with what comes of it.
fn each_fix(mut look: impl FnMut(&str, &Diagnostic, &Fix, &Checked, &Checked)) -> usize {
    let mut fixes = 0;
    for case in programs() {
        let program = case.program();
        let checked = program.check();
        for diagnostic in &checked.diagnostics {
            for fix in &diagnostic.fixes {
                fixes += 1;
                let after = fixed(&program, &checked, fix).check();
                look(&format!("{}/{}", case.group, file_name(&case.folder)), diagnostic, fix, &checked, &after);
            }
        }
    }
    fixes
}

#[test]
fn each_fix_takes_its_mistake_away_and_breaks_no_syntax() {
    let mut complaints = Vec::new();
    let fixes = each_fix(|case, diagnostic, fix, before, after| {
        let id = diagnostic.code.id;
        let line = format!("{case}: {id}: {}: {}", diagnostic.message, fix.message);
        if count(after, diagnostic) >= count(before, diagnostic) {
            complaints.push(format!("{line}: it is still there"));
        }
        let broken = |checked: &Checked| checked.diagnostics.iter().filter(|diagnostic| is_syntax(diagnostic)).count();
        // Text that could not be read until now may hold a mistake of its own, which takes the place of this one.
        if broken(after) > broken(before) + usize::from(fix.applicability == Applicability::Unsafe) {
            complaints.push(format!("{line}: the syntax is worse\n{}", after.drawing()));
        }
    });
    assert!(complaints.is_empty(), "{} of {fixes} fixes:\n{}", complaints.len(), complaints.join("\n"));
    assert!(fixes > 100, "the suite shows only {fixes} fixes");
}
