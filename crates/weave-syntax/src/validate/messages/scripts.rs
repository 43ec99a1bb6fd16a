//! Tests.

use weave_diagnostics::{Applicability, Span};

use super::quoted;
use crate::SyntaxError;
use crate::codes_validate as codes;

pub(crate) fn test_without_workflow(name: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::TEST_WORKFLOW, name, format!("the test {} does not say which workflow it runs", quoted(word)))
        .label("`of` and the name of a workflow are missing after this")
        .help(format!("import the workflow and write `test {word} of WORKFLOW {{ … }}`"))
}

/// `of` reaches from the end of the test's name to the end of the workflow's.
pub(crate) fn inner_test_of(workflow: Span, of: Span) -> SyntaxError {
    SyntaxError::new(&codes::TEST_WORKFLOW, workflow, "an inner test runs the workflow of the test around it")
        .label("cannot be another one")
        .help("a test of another workflow is an item of its own, outside all braces")
        .replace(Applicability::Safe, "remove the workflow", of, "")
}

pub(crate) fn line_behind_inner_test(line: Span, test: Span, name: &str) -> SyntaxError {
    SyntaxError::new(&codes::LINE_AFTER_INNER_TEST, line, "a line comes after an inner test")
        .label("runs in no test")
        .also(test, "this inner test goes on from the lines above it")
        .help(format!("move the line above {}, or put it into an inner test of its own", quoted(name)))
}

pub(crate) fn late_start(line: Span) -> SyntaxError {
    SyntaxError::new(&codes::MISPLACED_START, line, "the run has already started")
        .label("only the first line of a test starts the run")
        .help("remove this line; a run with another input is a test of its own")
}

/// `place` is where the line starts, and `indent` the blanks before it.
pub(crate) fn missing_start(line: Span, place: Span, indent: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISPLACED_START, line, "the first line of a test is `start`")
        .label("the run has not started yet")
        .help("`start` alone makes the input up; `start { name: \"Ada\", ... }` says a part of it")
        .replace(Applicability::Safe, "add `start`", place, format!("start\n{indent}"))
}

pub(crate) fn duplicate_test(word: &str, span: Span, first: Span) -> SyntaxError {
    SyntaxError::new(&codes::DUPLICATE_TEST, span, format!("there are two tests named {} here", quoted(word)))
        .label("the second one")
        .also(first, "the first one")
        .help("a test is known by its path, such as `refund/above_the_limit`, so sibling tests need different names")
}

pub(crate) fn bad_ordinal(span: Span, raw: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_FIRING_NUMBER, span, format!("{} is not the number of a firing", quoted(raw)))
        .label("a whole number from 1")
        .help("`review#1` is the first time that `review` fires, `review#2` the second")
}

pub(crate) fn blank_before_element(element: Span, gap: Span, only_blanks: bool) -> SyntaxError {
    let error = SyntaxError::new(&codes::BLANK_BEFORE_ELEMENT, element, "the number of an element directly follows the name of its step")
        .label("a space precedes this")
        .help("write `web[0]`");
    if only_blanks { error.replace(Applicability::Safe, "remove the blank", gap, "") } else { error }
}

pub(crate) fn sign_is_missing(place: Span, verb: &str) -> SyntaxError {
    SyntaxError::new(&codes::TEST_VALUE_SIGN, place, format!("`{verb}` gives a value, which stands after `=`"))
        .label("`=` is missing before this")
        .help("`=` is what a step gives, and `{ … }` without it what a step is asked with")
        .replace(Applicability::Safe, "add `=`", place, "= ")
}

/// `gap` reaches from the sign to the value.
pub(crate) fn needless_sign(equals: Span, gap: Span, verb: &str) -> SyntaxError {
    SyntaxError::new(&codes::TEST_VALUE_SIGN, equals, format!("no `=` follows `{verb}`"))
        .label("not needed")
        .help("`=` is what a step gives; what goes into a step, a run or an event follows without it")
        .replace(Applicability::Safe, "remove the `=`", gap, "")
}

pub(crate) fn path_in_test(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::TEST_VALUE, span, "a test has no paths")
        .label("reads a value")
        .help("write the value itself, or leave the field to `...`")
}

pub(crate) fn placeholder_in_test(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::TEST_VALUE, span, "a test has no placeholders")
        .label("stays as it is written, braces included")
        .help("write the whole text")
}
