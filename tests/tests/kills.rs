//! Commands that are killed while they write; `examples/kills.rs` does so at length.

use weave_tests::kills::campaign;

use crate::suite::weave;

#[test]
fn commands_that_are_killed_leave_no_half_file_and_the_next_run_succeeds() {
    let told = campaign(weave(), 8, 12);
    assert!(told.killed.values().sum::<usize>() >= 8, "{told}");
    assert!(told.is_well(), "{told}");
}
