//! Values and guards.

use weave_diagnostics::{Applicability, Span};

use super::quoted;
use crate::SyntaxError;
use crate::codes_validate as codes;

/// `is_decision` says whether the operator compares or decides rather than computes; `concatenation` is the string that a sum of strings was meant to be.
pub(crate) fn computed_value(span: Span, operator: Span, sign: &str, is_decision: bool, concatenation: Option<String>) -> SyntaxError {
    if let Some(string) = concatenation {
        return SyntaxError::new(&codes::COMPUTED_VALUE, span, "strings are not added")
            .label("one string with placeholders says it")
            .help(format!("write {}", quoted(&string)))
            .replace(Applicability::Safe, "write one string with placeholders", span, string);
    }
    let error = SyntaxError::new(&codes::COMPUTED_VALUE, operator, format!("a value has no operator `{sign}`")).also(span, "this value");
    if is_decision {
        error.label("no comparing here").help("decide with a guard, `when …`, on two nodes, or let a tool compute it")
    } else {
        error.label("no arithmetic here").help("let a tool compute it, and read the tool's answer")
    }
}

pub(crate) fn call_in_value(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::COMPUTED_VALUE, span, "a value has no calls")
        .label("no functions here")
        .help("let a tool compute it, and read the tool's answer; functions are for guards")
}

pub(crate) fn path_behind_parentheses(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::COMPUTED_VALUE, span, "a path does not start with parentheses")
        .label("no path")
        .help("start the path with a dot, as in `.lookup.id`, and put a default at its end, as in `.lookup.id ?? \"none\"`")
}

pub(crate) fn nothing_to_default(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::BAD_DEFAULT, span, "`??` stands behind a path")
        .label("this is always there")
        .help("`??` says what to take where a path has no value: `.input.name ?? \"you\"`")
}

pub(crate) fn default_not_a_literal(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::BAD_DEFAULT, span, "behind `??` stands a literal")
        .label("not a literal")
        .help("give a literal, a list or an object of literals; to choose between two paths, use two nodes with guards")
}

pub(crate) fn bad_index(span: Span, raw: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_INDEX, span, format!("{} is no index", quoted(raw)))
        .label("a whole number from 0")
        .help("lists are indexed by whole numbers, as in `.plan.steps[0]`")
}

/// `written` is what stands in the gap when it has no blanks.
pub(crate) fn blank_in_path(path: Span, gap: Span, written: Option<&str>) -> SyntaxError {
    let error = SyntaxError::new(&codes::BLANK_IN_PATH, gap, "a path is written without blanks").label("a blank");
    let error = if path == gap { error } else { error.also(path, "in this path") };
    let error = error.help("write the path in one piece; a dot after a blank starts a new path");
    match written {
        Some(written) => error.replace(Applicability::Safe, "remove the blank", gap, written),
        None => error,
    }
}

pub(crate) fn comparison_chain(first: Span, second: Span, copy: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::COMPARISON_CHAIN, second, "comparisons cannot be chained")
        .label("compares the result of the first one")
        .also(first, "the first comparison")
        .help("write two comparisons with `&&` between them, as in `0 < .a && .a < 10`");
    match copy {
        Some(copy) => error.replace(Applicability::Unsafe, "write two comparisons", second, copy),
        None => error,
    }
}

pub(crate) fn coalesce_in_guard(span: Span, operator: Span) -> SyntaxError {
    SyntaxError::new(&codes::COALESCE_IN_GUARD, operator, "a guard has no `??`")
        .label("not needed")
        .also(span, "in a guard, what is absent equals null")
        .help("ask for it: `.a == null || .a > 3`, or `has(.a) && .a > 3`")
}

pub(crate) fn object_in_guard(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::OBJECT_IN_GUARD, span, "a guard has no objects")
        .label("not to be compared")
        .help("compare its fields one by one: `.a.x == 1 && .a.y == 2`")
}

pub(crate) fn placeholder_in_guard(span: Span, path: Option<&str>) -> SyntaxError {
    let error = SyntaxError::new(&codes::PLACEHOLDER_IN_GUARD, span, "strings in a guard have no placeholders")
        .label("compared as it is written, braces included")
        .help("compare with the path itself, `.a == .b`; write `\\{{` if the braces are meant");
    match path {
        Some(path) => error.replace(Applicability::Unsafe, format!("write `{path}`"), span, path),
        None => error,
    }
}
