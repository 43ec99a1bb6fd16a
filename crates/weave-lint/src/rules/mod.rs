//! The rules, a file each.

mod agent_without_instructions;
mod always_true_guard;
mod backoff_without_base;
mod bare_output;
mod base_above_max;
mod boolean_comparison;
mod crossing_guards;
mod default_setting;
mod deferred_without_deadline;
mod deprecated_use;
mod destructive_without_approval;
mod double_approval;
mod double_negation;
mod duplicate_example;
mod duplicate_import;
mod duplicate_operand;
mod duplicate_shape;
mod empty_list;
mod endless_interaction;
mod event_discriminator;
mod expired_allow;
mod fire_and_forget;
mod fires_twice;
mod fork_beside_choice;
mod heavy_model;
mod high_limit;
mod hopeless_retry;
mod impossible_min;
mod invisible_text;
mod large_workflow;
mod limit_of_run;
mod literal_placeholder;
mod long_backoff;
mod long_guard;
mod many_retries;
mod many_tools;
mod mega_output;
mod missing_description;
mod missing_docs;
mod missing_example;
mod missing_hints;
mod missing_timeout;
mod missing_version;
mod money_as_float;
mod name_case;
mod needless_pattern;
mod needless_placeholder;
mod negated_comparison;
mod number_as_id;
mod open_world_with_destructive;
mod optional_null;
mod paid_polling;
mod plain_http;
mod prompt_repeats_system;
mod read_only_approval;
mod read_only_destructive;
mod reasonless_allow;
mod redundant_alias;
mod redundant_parentheses;
mod redundant_start;
mod redundant_wire;
mod repeated_destruction;
mod retry_not_idempotent;
mod retry_without_pause;
mod retry_zero;
mod secret_from_model;
mod secret_in_literal;
mod secret_in_settings;
mod secret_in_text;
mod secret_to_model;
mod secret_with_default;
mod settled_beside_race;
mod shared_mailbox;
mod short_timeout;
mod silent_fail;
mod silent_not_idempotent;
mod silent_with_output;
mod single_join;
mod single_value_enum;
mod stale_read;
mod text_for_format;
mod timeout_beyond_workflow;
mod type_name_case;
mod unbounded_fan_out;
mod unbounded_wait;
mod undocumented_parameter;
mod unenforced_constraint;
mod unhandled_failure;
mod unhandled_race_failure;
mod unhandled_timeout;
mod unheard_answer;
mod unheard_event;
mod unheard_signal;
mod unknown_rule;
mod unlimited_turns;
mod unmarked_secret;
mod unread_answer;
mod unused_agent;
mod unused_agent_parameter;
mod unused_allow;
mod unused_error;
mod unused_event;
mod unused_hydration;
mod unused_import;
mod unused_parameter;
mod unused_prompt;
mod unused_prompt_parameter;
mod unused_tool;
mod unused_toolkit;
mod unused_type;
mod unused_value;
mod unused_variable;
mod useless_limit;
mod useless_parallel;
mod weak_description;

pub(crate) use expired_allow::RULE as EXPIRED_ALLOW;
pub(crate) use reasonless_allow::RULE as REASONLESS_ALLOW;
pub(crate) use unknown_rule::RULE as UNKNOWN_RULE;
pub(crate) use unused_allow::RULE as UNUSED_ALLOW;

use crate::rule::Rule;

/// All rules, by id.
pub(crate) static ALL: &[&Rule] = &[
    &agent_without_instructions::RULE,
    &always_true_guard::RULE,
    &backoff_without_base::RULE,
    &bare_output::RULE,
    &base_above_max::RULE,
    &boolean_comparison::RULE,
    &crossing_guards::RULE,
    &default_setting::RULE,
    &deferred_without_deadline::RULE,
    &deprecated_use::RULE,
    &destructive_without_approval::RULE,
    &double_approval::RULE,
    &double_negation::RULE,
    &duplicate_example::RULE,
    &duplicate_import::RULE,
    &duplicate_operand::RULE,
    &duplicate_shape::RULE,
    &empty_list::RULE,
    &endless_interaction::RULE,
    &event_discriminator::RULE,
    &EXPIRED_ALLOW,
    &fire_and_forget::RULE,
    &fires_twice::RULE,
    &fork_beside_choice::RULE,
    &heavy_model::RULE,
    &high_limit::RULE,
    &hopeless_retry::RULE,
    &impossible_min::RULE,
    &invisible_text::RULE,
    &large_workflow::RULE,
    &limit_of_run::RULE,
    &literal_placeholder::RULE,
    &long_backoff::RULE,
    &long_guard::RULE,
    &many_retries::RULE,
    &many_tools::RULE,
    &mega_output::RULE,
    &missing_description::RULE,
    &missing_docs::RULE,
    &missing_example::RULE,
    &missing_hints::RULE,
    &missing_timeout::RULE,
    &missing_version::RULE,
    &money_as_float::RULE,
    &name_case::RULE,
    &needless_pattern::RULE,
    &needless_placeholder::RULE,
    &negated_comparison::RULE,
    &number_as_id::RULE,
    &open_world_with_destructive::RULE,
    &optional_null::RULE,
    &paid_polling::RULE,
    &plain_http::RULE,
    &prompt_repeats_system::RULE,
    &read_only_approval::RULE,
    &read_only_destructive::RULE,
    &REASONLESS_ALLOW,
    &redundant_alias::RULE,
    &redundant_parentheses::RULE,
    &redundant_start::RULE,
    &redundant_wire::RULE,
    &repeated_destruction::RULE,
    &retry_not_idempotent::RULE,
    &retry_without_pause::RULE,
    &retry_zero::RULE,
    &secret_from_model::RULE,
    &secret_in_literal::RULE,
    &secret_in_settings::RULE,
    &secret_in_text::RULE,
    &secret_to_model::RULE,
    &secret_with_default::RULE,
    &settled_beside_race::RULE,
    &shared_mailbox::RULE,
    &short_timeout::RULE,
    &silent_fail::RULE,
    &silent_not_idempotent::RULE,
    &silent_with_output::RULE,
    &single_join::RULE,
    &single_value_enum::RULE,
    &stale_read::RULE,
    &text_for_format::RULE,
    &timeout_beyond_workflow::RULE,
    &type_name_case::RULE,
    &unbounded_fan_out::RULE,
    &unbounded_wait::RULE,
    &undocumented_parameter::RULE,
    &unenforced_constraint::RULE,
    &unhandled_failure::RULE,
    &unhandled_race_failure::RULE,
    &unhandled_timeout::RULE,
    &unheard_answer::RULE,
    &unheard_event::RULE,
    &unheard_signal::RULE,
    &UNKNOWN_RULE,
    &unlimited_turns::RULE,
    &unmarked_secret::RULE,
    &unread_answer::RULE,
    &unused_agent::RULE,
    &unused_agent_parameter::RULE,
    &UNUSED_ALLOW,
    &unused_error::RULE,
    &unused_event::RULE,
    &unused_hydration::RULE,
    &unused_import::RULE,
    &unused_parameter::RULE,
    &unused_prompt::RULE,
    &unused_prompt_parameter::RULE,
    &unused_tool::RULE,
    &unused_toolkit::RULE,
    &unused_type::RULE,
    &unused_value::RULE,
    &unused_variable::RULE,
    &useless_limit::RULE,
    &useless_parallel::RULE,
    &weak_description::RULE,
];
