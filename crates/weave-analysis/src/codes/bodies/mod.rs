//! What can be wrong with expressions and with the nodes of workflows.

mod guards;
mod nodes;
mod values;

pub(crate) use guards::{GUARD_CALL, GUARD_TYPE, NEVER_EQUAL, UNKNOWN_FUNCTION, VARIABLE_TAKEN};
pub(crate) use nodes::{
    DUPLICATE_NODE, ELSE_WITHOUT_CHOICE, EXTERNAL_EMIT, HISTORY_STEP, MISSING_OUTPUT, NOT_A_LIST, NOT_A_STEP, NOT_AN_ANSWER,
    RESERVED_STEP_NAME, SECOND_ELSE, UNCALLABLE_TOOL, UNEXPECTED_OUTPUT, UNKNOWN_STEP, VALUE_CYCLE,
};
pub(crate) use values::{
    BARE_WORD, BROKEN_CONSTRAINT, MAY_BE_ABSENT, MISSING_DOT, MISSING_FIELD, NOT_READABLE, SUPERFLUOUS_DOT, TYPE_MISMATCH,
    UNAVAILABLE_VALUE, UNKNOWN_FIELD, UNKNOWN_VALUE, WRONG_FORMAT,
};

use weave_diagnostics::Code;

macro_rules! codes {
    ($($name:ident { $id:literal, $summary:literal, $explanation:literal, bad: $bad:literal, good: $good:literal $(,)? })*) => {
        $(pub(crate) static $name: Code = Code {
            id: $id,
            severity: weave_diagnostics::Severity::Error,
            summary: $summary,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*
    };
}
pub(super) use codes;

/// The codes of bodies.
pub(crate) const CODES: &[&Code] = &[
    &UNKNOWN_VALUE,
    &MISSING_DOT,
    &SUPERFLUOUS_DOT,
    &BARE_WORD,
    &UNKNOWN_FIELD,
    &MISSING_FIELD,
    &NOT_READABLE,
    &UNAVAILABLE_VALUE,
    &TYPE_MISMATCH,
    &WRONG_FORMAT,
    &BROKEN_CONSTRAINT,
    &MAY_BE_ABSENT,
    &GUARD_TYPE,
    &NEVER_EQUAL,
    &UNKNOWN_FUNCTION,
    &GUARD_CALL,
    &VARIABLE_TAKEN,
    &DUPLICATE_NODE,
    &RESERVED_STEP_NAME,
    &UNKNOWN_STEP,
    &NOT_A_STEP,
    &UNCALLABLE_TOOL,
    &EXTERNAL_EMIT,
    &NOT_AN_ANSWER,
    &MISSING_OUTPUT,
    &UNEXPECTED_OUTPUT,
    &ELSE_WITHOUT_CHOICE,
    &SECOND_ELSE,
    &VALUE_CYCLE,
    &NOT_A_LIST,
    &HISTORY_STEP,
];
