//! Whole programs, and what is said about them.

use crate::codes::bodies::CODES;
use crate::fixture::checked;

mod guards;
mod nodes;
mod paths;
mod values;

const SUPPORT: &str = include_str!("programs/support.weave");
const SHOP: &str = include_str!("programs/shop.weave");
const GREET: &str = include_str!("programs/greet.weave");

#[test]
fn the_programs_of_the_charter_are_clean() {
    assert_eq!(checked(&format!("{SUPPORT}//- shop.weave\n{SHOP}")), "");
    assert_eq!(checked(GREET), "");
}

#[test]
fn every_bad_example_gets_its_diagnostic_and_no_other_and_every_good_one_gets_none() {
    let mut wrong = String::new();
    for code in CODES {
        let (bad, good) = (checked(code.bad), checked(code.good));
        let ids = bad.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>();
        if ids != [code.id] {
            wrong += &format!("---- {}, bad\n{}\n{bad}\n", code.id, code.bad);
        }
        if !good.is_empty() {
            wrong += &format!("---- {}, good\n{}\n{good}\n", code.id, code.good);
        }
    }
    assert_eq!(wrong, "");
}
