//! All rules.

use crate::rule::Rule;
use crate::rules;

/// All rules, by id.
pub static RULES: &[&Rule] = rules::ALL;

/// The rule with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.id().cmp(id)).ok().and_then(|index| RULES.get(index)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stand_in_the_order_of_their_ids() {
        assert!(RULES.is_sorted_by(|a, b| a.id() < b.id()), "`find` looks for an id by halving");
        assert!(RULES.iter().all(|rule| find(rule.id()).is_some()));
    }
}
