use insta::assert_snapshot;

use crate::fixture::{Fixture, declared};

#[test]
fn the_prelude_is_legal() {
    assert_eq!(declared(""), "");
}
