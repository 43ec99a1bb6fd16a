use std::collections::BTreeSet;

use weave_diagnostics::FileId;

use super::CODES;

fn ids(text: &str) -> Vec<&'static str> {
    crate::parse(text.into()).diagnostics(FileId(0)).iter().map(|diagnostic| diagnostic.code.id).collect()
}

#[test]
fn each_bad_example_gets_its_diagnostic_and_no_other() {
    for code in CODES {
        assert_eq!(ids(code.bad), [code.id], "{}", code.bad);
    }
}

#[test]
fn each_good_example_gets_none() {
    for code in CODES {
        assert!(ids(code.good).is_empty(), "{}: {:?}\n{}", code.id, ids(code.good), code.good);
    }
}

#[test]
fn ids_are_kebab_case_and_the_list_is_in_their_order() {
    let ids = CODES.iter().map(|code| code.id).collect::<Vec<_>>();
    assert!(ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    assert_eq!(ids, ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
}

#[test]
fn applying_the_fix_of_a_bad_example_mends_it() {
    for code in CODES {
        let file = crate::parse(code.bad.into());
        let diagnostics = file.diagnostics(FileId(0));
        for fix in diagnostics.iter().flat_map(|diagnostic| &diagnostic.fixes) {
            let mut edits = fix.edits.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span));
            let mut text = code.bad.to_owned();
            for edit in edits {
                text.replace_range(edit.place.span.range(), &edit.text);
            }
            assert!(!ids(&text).contains(&code.id), "{}: {}\n{text}", code.id, fix.message);
        }
    }
}
