//! The rules, a file each.

mod backoff_without_base;
mod base_above_max;
mod boolean_comparison;
mod default_setting;
mod destructive_without_approval;
mod double_negation;
mod duplicate_example;
mod duplicate_operand;
mod empty_list;
mod expired_allow;
mod hopeless_retry;
mod long_backoff;
mod long_guard;
mod many_retries;
mod missing_description;
mod needless_pattern;
mod negated_comparison;
mod read_only_approval;
mod read_only_destructive;
mod reasonless_allow;
mod redundant_parentheses;
mod retry_not_idempotent;
mod retry_without_pause;
mod retry_zero;
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
    &backoff_without_base::RULE,
    &base_above_max::RULE,
    &boolean_comparison::RULE,
    &default_setting::RULE,
    &destructive_without_approval::RULE,
    &double_negation::RULE,
    &duplicate_example::RULE,
    &duplicate_operand::RULE,
    &empty_list::RULE,
    &EXPIRED_ALLOW,
    &hopeless_retry::RULE,
    &long_backoff::RULE,
    &long_guard::RULE,
    &many_retries::RULE,
    &missing_description::RULE,
    &needless_pattern::RULE,
    &negated_comparison::RULE,
    &read_only_approval::RULE,
    &read_only_destructive::RULE,
    &REASONLESS_ALLOW,
    &redundant_parentheses::RULE,
    &retry_not_idempotent::RULE,
    &retry_without_pause::RULE,
    &retry_zero::RULE,
    &UNKNOWN_RULE,
    &UNUSED_ALLOW,
    &unused_import::RULE,
];
