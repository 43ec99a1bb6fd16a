//! Defects that are seeded into clean programs are reported, most of them with one diagnostic at the right place.
//!
//! This is a slice; `cargo run -p weave-tests --example defects -- 3 1 list` takes all programs and lists what is missed.

use weave_tests::defects::{KINDS, Table, clean_programs, seeded};

/// Of so many programs of the suite, one is taken; the examples are taken all.
const SLICE: usize = 6;

#[test]
fn seeded_defects_are_reported() {
    let mut table = Table::default();
    let programs = clean_programs();
    assert!(programs.len() > 100, "only {} clean programs", programs.len());
    let taken = programs.iter().enumerate().filter(|(index, (title, _))| title.ends_with(".weave") || index % SLICE == 0);
    for (_, (_, judge)) in taken {
        for defect in seeded(judge.text(), 1, 1) {
            table.add(defect.kind, &judge.judge(&defect));
        }
    }
    println!("{table}");
    let empty: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).filter(|kind| table.row(kind).seeded == 0).collect();
    assert!(empty.len() <= 2, "no defect of the kinds {empty:?}");
    let total = table.total(true);
    let share = |part: usize, whole: usize| part * 100 / whole.max(1);
    assert!(share(total.found, total.seeded) >= 88, "{} of {} are found\n{table}", total.found, total.seeded);
    assert!(share(total.single, total.found) >= 85, "{} of {} have one diagnostic\n{table}", total.single, total.found);
    assert!(share(total.right, total.placed) >= 95, "{} of {} are at the right place\n{table}", total.right, total.placed);
}
