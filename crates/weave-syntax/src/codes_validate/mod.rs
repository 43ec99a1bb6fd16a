//! What the second pass over an item reports, with the page of each.

mod lists;
mod literals;
mod nodes;
mod scripts;
mod types;
mod values;

pub use lists::DUPLICATE_ENTRY;
pub(crate) use lists::*;
pub(crate) use literals::*;
pub(crate) use nodes::*;
pub use scripts::DUPLICATE_TEST;
pub(crate) use scripts::*;
pub(crate) use types::*;
pub(crate) use values::*;

use weave_diagnostics::Code;

/// The codes of the second pass.
pub(crate) static CODES: &[&Code] = &[
    &ASSIGNMENT_IN_GUARD,
    &BAD_COUNT,
    &BAD_DEFAULT,
    &BAD_DURATION,
    &BAD_ESCAPE,
    &BAD_FIRING_NUMBER,
    &BAD_INDEX,
    &BAD_PLACEHOLDER,
    &BAD_TOPIC,
    &BARE_CONSTRAINT,
    &BLANK_BEFORE_ELEMENT,
    &BLANK_IN_PATH,
    &BLOCK_ON_END,
    &COALESCE_IN_GUARD,
    &COMPARISON_CHAIN,
    &COMPUTED_VALUE,
    &DATA_WITHOUT_COLON,
    &DUPLICATE_CLAUSE,
    &DUPLICATE_CONSTRAINT,
    &DUPLICATE_ENTRY,
    &DUPLICATE_ENUM_VALUE,
    &DUPLICATE_FIELD,
    &DUPLICATE_KEY,
    &DUPLICATE_TEST,
    &DUPLICATE_VARIANT,
    &EACH_IN,
    &EACH_WITHOUT_PATH,
    &EMPTY_ENUM,
    &EMPTY_IMPORT,
    &EMPTY_JOIN,
    &EMPTY_PLACEHOLDER,
    &ENUM_VALUE_NOT_A_STRING,
    &ESCAPED_QUOTE,
    &FAIL_MESSAGE,
    &IMPORT_PATH,
    &LINE_AFTER_INNER_TEST,
    &MISPLACED_EACH,
    &MISPLACED_START,
    &MISSING_ACTION,
    &MISSING_COMMA,
    &NOT_A_LITERAL,
    &NUMBER_TOO_LARGE,
    &OBJECT_IN_GUARD,
    &OPTIONAL_TYPE,
    &OPTIONAL_WITH_DEFAULT,
    &PLACEHOLDER_IN_GUARD,
    &SETTING_BEHIND_NODE,
    &SETTING_WITH_COLON,
    &SEVERAL_ACTIONS,
    &TEST_VALUE,
    &TEST_VALUE_SIGN,
    &TEST_WORKFLOW,
    &TEXT_IN_MARGIN,
    &UNCLOSED_PLACEHOLDER,
    &UNKNOWN_GENERIC,
];

#[cfg(test)]
mod tests;
