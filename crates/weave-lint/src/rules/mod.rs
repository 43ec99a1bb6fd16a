//! The rules, a file each.

mod agent_without_instructions;
mod backoff_without_base;
mod base_above_max;
mod boolean_comparison;
mod default_setting;
mod deferred_without_deadline;
mod deprecated_use;
mod destructive_without_approval;
mod double_negation;
mod duplicate_example;
mod duplicate_operand;
mod empty_list;
mod endless_interaction;
mod expired_allow;
mod heavy_model;
mod hopeless_retry;
mod long_backoff;
mod long_guard;
mod many_retries;
mod many_tools;
mod mega_output;
mod missing_description;
mod missing_example;
mod missing_hints;
mod missing_timeout;
mod missing_version;
mod needless_pattern;
mod negated_comparison;
mod open_world_with_destructive;
mod plain_http;
mod prompt_repeats_system;
mod read_only_approval;
mod read_only_destructive;
mod reasonless_allow;
mod redundant_parentheses;
mod retry_not_idempotent;
mod retry_without_pause;
mod retry_zero;
mod secret_from_model;
mod secret_in_literal;
mod secret_in_settings;
mod secret_in_text;
mod secret_to_model;
mod secret_with_default;
mod silent_not_idempotent;
mod silent_with_output;
mod timeout_beyond_workflow;
mod undocumented_parameter;
mod unknown_rule;
mod unlimited_turns;
mod unused_agent_parameter;
mod unused_allow;
mod unused_hydration;
mod unused_import;
mod unused_prompt_parameter;
mod weak_description;

pub(crate) use expired_allow::RULE as EXPIRED_ALLOW;
pub(crate) use reasonless_allow::RULE as REASONLESS_ALLOW;
pub(crate) use unknown_rule::RULE as UNKNOWN_RULE;
pub(crate) use unused_allow::RULE as UNUSED_ALLOW;

use crate::rule::Rule;

/// All rules, by id.
pub(crate) static ALL: &[&Rule] = &[
    &agent_without_instructions::RULE,
    &backoff_without_base::RULE,
    &base_above_max::RULE,
    &boolean_comparison::RULE,
    &default_setting::RULE,
    &deferred_without_deadline::RULE,
    &deprecated_use::RULE,
    &destructive_without_approval::RULE,
    &double_negation::RULE,
    &duplicate_example::RULE,
    &duplicate_operand::RULE,
    &empty_list::RULE,
    &endless_interaction::RULE,
    &EXPIRED_ALLOW,
    &heavy_model::RULE,
    &hopeless_retry::RULE,
    &long_backoff::RULE,
    &long_guard::RULE,
    &many_retries::RULE,
    &many_tools::RULE,
    &mega_output::RULE,
    &missing_description::RULE,
    &missing_example::RULE,
    &missing_hints::RULE,
    &missing_timeout::RULE,
    &missing_version::RULE,
    &needless_pattern::RULE,
    &negated_comparison::RULE,
    &open_world_with_destructive::RULE,
    &plain_http::RULE,
    &prompt_repeats_system::RULE,
    &read_only_approval::RULE,
    &read_only_destructive::RULE,
    &REASONLESS_ALLOW,
    &redundant_parentheses::RULE,
    &retry_not_idempotent::RULE,
    &retry_without_pause::RULE,
    &retry_zero::RULE,
    &secret_from_model::RULE,
    &secret_in_literal::RULE,
    &secret_in_settings::RULE,
    &secret_in_text::RULE,
    &secret_to_model::RULE,
    &secret_with_default::RULE,
    &silent_not_idempotent::RULE,
    &silent_with_output::RULE,
    &timeout_beyond_workflow::RULE,
    &undocumented_parameter::RULE,
    &UNKNOWN_RULE,
    &unlimited_turns::RULE,
    &unused_agent_parameter::RULE,
    &UNUSED_ALLOW,
    &unused_hydration::RULE,
    &unused_import::RULE,
    &unused_prompt_parameter::RULE,
    &weak_description::RULE,
];
