//! Samples of the language are read without a fault.

use weave_syntax::{File, parse};

fn complaints(file: &File) -> Vec<String> {
    let inside = file.items.iter().flat_map(|slot| slot.parsed.errors.iter().map(|error| (error.span.start + slot.start, error)));
    let all = file.errors.iter().map(|error| (error.span.start, error)).chain(inside);
    all.map(|(at, error)| format!("{at}: {}: {}", error.code.id, error.message)).collect()
}

#[test]
fn samples_are_clean() {
    let text = include_str!("samples/support.weave");
    let file = parse(text.into());
    assert_eq!(complaints(&file), Vec::<String>::new());
    assert_eq!(file.items.len(), 21);
}
