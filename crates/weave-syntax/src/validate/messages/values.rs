//! Values and guards.

use weave_diagnostics::{Applicability, Span};

use super::quoted;
use crate::SyntaxError;
use crate::codes_validate as codes;

/// `is_decision` says whether the operator compares or decides rather than computes; `concatenation` is the string that a sum of strings was meant to be.
pub(crate) fn computed_value(span: Span, operator: Span, sign: &str, is_decision: bool, concatenation: Option<String>) -> SyntaxError {
    if let Some(string) = concatenation {
        return SyntaxError::new(&codes::COMPUTED_VALUE, span, "strings cannot be added")
            .label("use one string with placeholders")
            .help(format!("write {}", quoted(&string)))
            .replace(Applicability::Safe, "write one string with placeholders", span, string);
    }
    let error = SyntaxError::new(&codes::COMPUTED_VALUE, operator, format!("a value has no operator `{sign}`")).also(span, "this value");
    if is_decision {
        error.label("comparisons are not allowed here").help("decide with a guard, `when …`, on two nodes, or compute it in a tool")
    } else {
        error.label("arithmetic is not allowed here").help("compute it in a tool, and read its answer")
    }
}

/// `.a || "none"`.
pub(crate) fn default_operator(operator: Span, sign: &str) -> SyntaxError {
    SyntaxError::new(&codes::COMPUTED_VALUE, operator, "a default follows `??`")
        .label(format!("{} combines conditions", quoted(sign)))
        .help("`.path ?? \"none\"` is `\"none\"` when the value is absent or null, and the value itself otherwise")
        .replace(Applicability::Unsafe, "write `??`", operator, "??")
}

pub(crate) fn call_in_value(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::COMPUTED_VALUE, span, "a value cannot contain calls")
        .label("functions are not allowed here")
        .help("compute it in a tool, and read its answer; functions are for guards")
}

pub(crate) fn path_behind_parentheses(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::COMPUTED_VALUE, span, "a path does not start with parentheses")
        .label("not a path")
        .help("start the path with a dot, as in `.lookup.id`, and add a default at its end, as in `.lookup.id ?? \"none\"`")
}

pub(crate) fn nothing_to_default(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::BAD_DEFAULT, span, "`??` must follow a path")
        .label("this always has a value")
        .help("`??` sets the value for a path without one: `.input.name ?? \"you\"`")
}

pub(crate) fn default_not_a_literal(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::BAD_DEFAULT, span, "`??` must be followed by a literal")
        .label("not a literal")
        .help("write a literal, or a list or an object of literals; to choose between two paths, use two nodes with guards")
}

pub(crate) fn bad_index(span: Span, raw: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_INDEX, span, format!("{} is not an index", quoted(raw)))
        .label("an integer from 0")
        .help("lists are indexed by integers, as in `.plan.steps[0]`")
}

/// `written` is what stands in the gap when it has no blanks.
pub(crate) fn blank_in_path(path: Span, gap: Span, written: Option<&str>) -> SyntaxError {
    let error = SyntaxError::new(&codes::BLANK_IN_PATH, gap, "a path is written without spaces").label("a space");
    let error = if path == gap { error } else { error.also(path, "in this path") };
    let error = error.help("remove the space; a dot after a space starts a new path");
    match written {
        Some(written) => error.replace(Applicability::Safe, "remove the space", gap, written),
        None => error,
    }
}

pub(crate) fn comparison_chain(first: Span, second: Span, copy: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::COMPARISON_CHAIN, second, "comparisons cannot be chained")
        .label("compares the result of the first one")
        .also(first, "the first comparison")
        .help("write two comparisons joined by `&&`, as in `0 < .a && .a < 10`");
    match copy {
        Some(copy) => error.replace(Applicability::Unsafe, "write two comparisons", second, copy),
        None => error,
    }
}

pub(crate) fn coalesce_in_guard(span: Span, operator: Span) -> SyntaxError {
    SyntaxError::new(&codes::COALESCE_IN_GUARD, operator, "a guard cannot contain `??`")
        .label("not needed")
        .also(span, "in a guard, an absent value equals null")
        .help("check it: `.a == null || .a > 3`, or `has(.a) && .a > 3`")
}

pub(crate) fn object_in_guard(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::OBJECT_IN_GUARD, span, "a guard cannot contain objects")
        .label("cannot be compared")
        .help("compare its fields separately: `.a.x == 1 && .a.y == 2`")
}

pub(crate) fn placeholder_in_guard(span: Span, path: Option<&str>) -> SyntaxError {
    let error = SyntaxError::new(&codes::PLACEHOLDER_IN_GUARD, span, "strings in a guard cannot contain placeholders")
        .label("compared as written, including the braces")
        .help("compare with the path itself, `.a == .b`; write `\\{{` for literal braces");
    match path {
        Some(path) => error.replace(Applicability::Unsafe, format!("write `{path}`"), span, path),
        None => error,
    }
}
