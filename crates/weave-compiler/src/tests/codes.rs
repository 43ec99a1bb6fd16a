//! The ids of all crates together.

use std::collections::BTreeSet;

#[test]
fn an_id_is_declared_once() {
    let mut seen = BTreeSet::new();
    let twice = [weave_syntax::CODES, weave_analysis::CODES, crate::codes::CODES]
        .into_iter()
        .flatten()
        .map(|code| code.id)
        .filter(|id| !seen.insert(*id))
        .collect::<Vec<_>>();
    assert_eq!(twice, Vec::<&str>::new());
}
