//! The rules, a file each.

mod destructive_without_approval;
mod expired_allow;
mod missing_description;
mod reasonless_allow;
mod unknown_rule;
mod unused_allow;
mod unused_import;

pub(crate) use expired_allow::RULE as EXPIRED_ALLOW;
pub(crate) use reasonless_allow::RULE as REASONLESS_ALLOW;
pub(crate) use unknown_rule::RULE as UNKNOWN_RULE;
pub(crate) use unused_allow::RULE as UNUSED_ALLOW;

use crate::rule::Rule;

/// All rules, by id.
pub(crate) static ALL: &[&Rule] = &[
    &destructive_without_approval::RULE,
    &EXPIRED_ALLOW,
    &missing_description::RULE,
    &REASONLESS_ALLOW,
    &UNKNOWN_RULE,
    &UNUSED_ALLOW,
    &unused_import::RULE,
];
