//! Guards.

use weave_diagnostics::{Applicability, Diagnostic, Place, Span};
use weave_syntax::ast::{BinaryOperator, Literal};
use weave_syntax::text::quoted_string;

use super::values::{known_by_name, on_the_wire};
use super::{code, quoted, suggest};
use crate::codes::bodies as codes;
use crate::codes::declarations;
use crate::expression::shape::{Shape, members};
use crate::expression::{Environment, formats};
use crate::model::types::{Literal as LiteralType, Scalar, Type};

/// The methods of guards, for suggestions.
const METHODS: [&str; 7] = ["contains", "startsWith", "endsWith", "matches", "size", "exists", "all"];

pub(crate) fn wrong_operand(env: &Environment<'_>, span: Span, who: &str, wanted: &str, found: &Type) -> Diagnostic {
    let is = env.display(found);
    let message =
        if who == "a guard" { format!("a guard is a condition, not `{is}`") } else { format!("{who} requires {wanted}, not `{is}`") };
    let wrong = Diagnostic::new(&codes::GUARD_TYPE, env.place(span), message).label(format!("this is `{is}`"));
    let path = env.text(span);
    match found {
        _ if wanted == "`bool`" && path.starts_with('.') => {
            let wrong = wrong.help(format!("compare it with something: `{path} == …`, or `{path} != null`"));
            if is.contains("null") {
                let end = env.place(Span::at(span.end));
                return wrong.replace(Applicability::Unsafe, format!("write `{path} != null`"), end, " != null");
            }
            wrong
        }
        _ if who == "a guard" && path.starts_with('"') => {
            let inner = path.trim_matches('"').replace("\\\"", "\"");
            let wrong = wrong.help("a condition is written without quotes around it");
            if inner.contains('.') {
                let inner = inner.replace('\'', "\"");
                return wrong.replace(Applicability::Unsafe, format!("write `{inner}`"), env.place(span), inner);
            }
            wrong
        }
        Type::Json => wrong.help("the content of `json` is unknown; declare its type"),
        _ => wrong,
    }
}

pub(crate) fn bool_may_be_absent(env: &Environment<'_>, span: Span, who: &str) -> Diagnostic {
    let path = env.text(span);
    Diagnostic::new(&codes::MAY_BE_ABSENT, env.place(span), format!("{} may be absent or null, and {who} requires `bool`", quoted(path)))
        .label("neither true nor false when it is absent")
        .help(format!("write `{path} == true`"))
        .replace(Applicability::Safe, "compare it with `true`", env.place(Span::at(span.end)), " == true")
}

pub(crate) fn operand_may_be_absent(env: &Environment<'_>, span: Span, who: &str) -> Diagnostic {
    let path = env.text(span);
    Diagnostic::new(&codes::MAY_BE_ABSENT, env.place(span), format!("{} may be absent or null, and {who} requires a value", quoted(path)))
        .label("may be absent or null")
        .help(format!("check first: `{path} != null && …`"))
        .replace(Applicability::Unsafe, "add the check", env.place(Span::at(span.start)), format!("{path} != null && "))
}

/// Two operands of different types.
pub(crate) fn incomparable(
    env: &Environment<'_>,
    operator: BinaryOperator,
    sign: Span,
    one: (Span, &Type),
    other: (Span, &Type),
) -> Diagnostic {
    let (left, right) = (env.display(one.1), env.display(other.1));
    let message = if operator == BinaryOperator::In {
        format!("`{left}` cannot be an element of `{right}`")
    } else {
        format!("`{}` requires the same type on both sides, not `{left}` and `{right}`", operator.text())
    };
    let mut wrong = Diagnostic::new(&codes::GUARD_TYPE, env.place(sign), message).label("different types");
    for (span, ty) in [(one.0, left), (other.0, right)] {
        if span != sign {
            wrong = wrong.also(env.place(span), format!("`{ty}`"));
        }
    }
    let numbers = [one.1, other.1].map(|ty| matches!(ty, Type::Scalar(Scalar::Int | Scalar::Int64 | Scalar::Float | Scalar::Decimal, _)));
    if numbers == [true, true] {
        wrong.help("numeric types never mix; declare both with the same type")
    } else if [one.0, other.0].iter().any(|span| env.text(*span) == ".failure") {
        wrong.help("`.failure.code` identifies the failure")
    } else {
        wrong
    }
}

/// Arithmetic between two operands that do not go together.
pub(crate) fn no_operation(
    env: &Environment<'_>,
    operator: BinaryOperator,
    sign: Span,
    one: (Span, &Type),
    other: (Span, &Type),
) -> Diagnostic {
    let (left, right) = (env.display(one.1), env.display(other.1));
    Diagnostic::new(&codes::GUARD_TYPE, env.place(sign), format!("`{}` does not apply to `{left}` and `{right}`", operator.text()))
        .label("incompatible operands")
        .also(env.place(one.0), format!("`{left}`"))
        .also(env.place(other.0), format!("`{right}`"))
}

/// A constant that a value never has.
pub(crate) fn never_equal(env: &Environment<'_>, constant: Span, declared: &Type, value: Span) -> Diagnostic {
    let (raw, ty) = (env.text(constant), env.display(declared));
    let never = Diagnostic::new(&codes::NEVER_EQUAL, env.place(constant), format!("{} is not a value of `{ty}`", quoted(raw)))
        .label("never equal")
        .also(env.place(value), format!("this is `{ty}`"));
    let mut known = Vec::new();
    for member in members(env.model, declared) {
        match member.shape {
            Shape::Literal(LiteralType::String(text)) => known.push(quoted_string(text)),
            Shape::Literal(LiteralType::Number(number)) => known.push(number.to_string()),
            Shape::Literal(LiteralType::Bool(value)) => known.push(value.to_string()),
            Shape::Enum(values) => known.extend(values.values.iter().map(|value| quoted_string(&value.wire))),
            _ => {}
        }
    }
    match known_by_name(env, declared, raw.trim_matches('"')) {
        Some(wire) => on_the_wire(never, &wire, env.place(constant)),
        None => suggest(never, raw, env.sink.worth_a_suggestion().then_some(&*known), env.place(constant), "always null"),
    }
}

pub(crate) fn wrong_constant(env: &Environment<'_>, literal: Literal, scalar: Scalar) -> Diagnostic {
    Diagnostic::new(
        &codes::GUARD_TYPE,
        env.place(literal.span),
        format!("{} cannot be compared with `{}`", code(env, literal.span), scalar.name()),
    )
    .label(format!("not `{}`", scalar.name()))
    .help(match scalar {
        Scalar::Int | Scalar::Int64 => "compare an `int` with a whole number, for example `> 2` instead of `> 2.5`".to_owned(),
        _ => format!("write it like `{}`", formats::example(scalar)),
    })
}

pub(crate) fn mixed_prefixes(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::GUARD_TYPE, place, "`!` and `-` cannot be combined")
        .label("a number is not a condition, and a condition is not a number")
}

pub(crate) fn path_behind_parentheses(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::GUARD_CALL, place, "a path cannot start with parentheses")
        .label("a path starts with a dot")
        .help("write the path without parentheses")
}

// ---- Functions and methods ---------------------------------------------------------------------------------------------

pub(crate) fn unknown_function(word: &str, is_method: bool, place: Place) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_FUNCTION, place, format!("`{word}` is not a function")).label("not a guard function");
    if word == "not" {
        return unknown.help("`!` negates a condition").replace(Applicability::Safe, "write `!`", place, "!");
    }
    if is_method {
        return unknown.help(format!("`{word}` is a method: `.path.{word}(…)`"));
    }
    match word {
        "now" | "today" => unknown.help("guards have no clock; use the trigger `timeout(STEP, 1h)` for elapsed time"),
        "int" | "uint" | "double" | "string" | "bytes" | "bool" | "type" | "dyn" => {
            unknown.help("there are no implicit conversions; a literal takes the required type")
        }
        "timestamp" | "duration" => unknown.help("write only the literal: `\"2027-01-31T12:00:00Z\"`, `24h`"),
        "len" | "length" | "count" => size(unknown, place),
        _ => suggest(unknown, word, Some(&["size", "has"]), place, ""),
    }
}

pub(crate) fn unknown_method(word: &str, place: Place) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_FUNCTION, place, format!("`{word}` is not a method")).label("not a guard method");
    if word == "has" {
        return unknown.help("`has` is a function: `has(.path)`");
    }
    match word {
        "equals" | "eq" | "equal" | "isEqual" | "compareTo" => unknown.help("values are compared with `==`: `.path == \"value\"`"),
        "get" | "at" | "getOrDefault" => unknown.help("a field is read with a dot: `.path.name`; the element of a list with an index: `.path[0]`"),
        "filter" | "map" | "exists_one" => unknown.help("use `exists` and `all` on lists; use a tool for other computations"),
        "len" | "length" | "count" => size(unknown, place),
        "toLowerCase" | "toUpperCase" | "lower" | "upper" | "lowercase" | "toLower" | "toUpper" | "strip" | "trim" | "replace" | "split" => {
            unknown.help("a guard cannot change text: `.path.matches(\"^[Vv][Ii][Pp]$\")` ignores the case; or have a tool or an agent answer in the form that you need")
        }
        _ => match own_method(word) {
            Some(own) => unknown.help(format!("did you mean `{own}`?")).replace(Applicability::Unsafe, format!("write `{own}`"), place, own),
            None => suggest(unknown, word, Some(&METHODS), place, ""),
        },
    }
}

/// What a method of other languages is called here.
fn own_method(word: &str) -> Option<&'static str> {
    Some(match word {
        "includes" | "include" | "indexOf" | "find" | "has_substring" | "Contains" | "like" => "contains",
        "starts_with" | "startswith" | "hasPrefix" | "HasPrefix" | "StartsWith" | "beginsWith" => "startsWith",
        "ends_with" | "endswith" | "hasSuffix" | "HasSuffix" | "EndsWith" => "endsWith",
        "match" | "test" | "regex" | "search" | "Matches" => "matches",
        "some" | "any" | "Any" => "exists",
        "every" | "All" => "all",
        _ => return None,
    })
}

/// A function of other languages that asks whether a value is present: `defined(.a)`.
pub(crate) fn is_there(word: &str, path: &str, is_there: bool, whole: Place) -> Diagnostic {
    let written = format!("{path} {} null", if is_there { "!=" } else { "==" });
    Diagnostic::new(&codes::UNKNOWN_FUNCTION, whole, format!("there is no function `{word}`"))
        .label(format!("write `{written}`"))
        .help("an absent value equals `null`")
        .replace(Applicability::Safe, format!("write `{written}`"), whole, written)
}

/// A method that is called like a function: `contains(.a, "x")`.
pub(crate) fn method_as_function(word: &str, written: &str, whole: Place) -> Diagnostic {
    Diagnostic::new(&codes::UNKNOWN_FUNCTION, whole, format!("`{word}` is called on a value")).label(format!("write `{written}`")).replace(
        Applicability::Unsafe,
        format!("write `{written}`"),
        whole,
        written,
    )
}

/// `.a.isEmpty()`.
pub(crate) fn is_empty(word: &str, receiver: &str, whole: Place) -> Diagnostic {
    let written = format!("size({receiver}) == 0");
    Diagnostic::new(&codes::UNKNOWN_FUNCTION, whole, format!("there is no method `{word}`"))
        .label(format!("write `{written}`"))
        .help("use `size` for the length of a list, a map or a string")
        .replace(Applicability::Unsafe, format!("write `{written}`"), whole, written)
}

/// What other languages call length.
fn size(unknown: Diagnostic, place: Place) -> Diagnostic {
    unknown.help("use `size` for the length of a list, a map or a string").replace(Applicability::Safe, "use `size`", place, "size")
}

pub(crate) fn nothing_to_call(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::GUARD_CALL, place, "this cannot be called")
        .label("not the name of a function or a method")
        .help("the functions are `size(…)` and `has(…)`; a method follows a value: `.name.startsWith(\"A\")`")
}

pub(crate) fn behind_call(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::GUARD_CALL, place, "the result of a call has no fields")
        .label("follows a call")
        .help("end the path before this")
}

pub(crate) fn wrong_arity(word: &str, wanted: usize, found: usize, place: Place) -> Diagnostic {
    let number = |count: usize| match count {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        count => format!("{count} arguments"),
    };
    let wrong = Diagnostic::new(&codes::GUARD_CALL, place, format!("`{word}` takes {}, not {}", number(wanted), number(found)));
    let wrong = wrong.label(format!("has {}", number(found)));
    match word {
        "exists" | "all" => wrong.help(format!("name the element, then write a condition on it: `.lines.{word}(line, line.price > 10)`")),
        "size" | "has" => wrong.help(format!("write `{word}(.path)`")),
        _ => wrong.help(format!("write `.path.{word}(\"text\")`")),
    }
}

pub(crate) fn has_without_path(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::GUARD_CALL, place, "`has` requires a path").label("not a path").help("write `has(.path)`")
}

pub(crate) fn contains_on_list(env: &Environment<'_>, list: Span, item: Span, whole: Span) -> Diagnostic {
    let (list, item) = (env.text(list), env.text(item));
    Diagnostic::new(&codes::GUARD_TYPE, env.place(whole), "`contains` searches strings, not lists")
        .label(format!("{} is a list", quoted(list)))
        .help(format!("write `{item} in {list}`"))
        .replace(Applicability::Unsafe, "use `in`", env.place(whole), format!("{item} in {list}"))
}

pub(crate) fn pattern_not_constant(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::GUARD_CALL, place, "the pattern of `matches` must be a string literal")
        .label("not a string literal")
        .help("patterns are checked at compile time; to search for a value, use `contains`")
}

pub(crate) fn wrong_pattern(reason: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&declarations::INVALID_PATTERN, place, format!("this pattern is not supported: {reason}"))
        .label("here")
        .help("only syntax that ECMAScript, Go, Rust and Python interpret alike is supported")
}

pub(crate) fn variable_not_a_name(env: &Environment<'_>, span: Span) -> Diagnostic {
    let dotted = env.text(span).starts_with('.');
    let wrong = Diagnostic::new(&codes::GUARD_CALL, env.place(span), "the name of an element has no dot").label("not a name");
    if dotted {
        let dot = env.place(Span::new(span.start, span.start + 1));
        return wrong.help("remove the dot").replace(Applicability::Unsafe, "remove the dot", dot, "");
    }
    if matches!(env.text(span), "true" | "false" | "null") {
        return Diagnostic::new(&codes::GUARD_CALL, env.place(span), format!("an element cannot be named `{}`", env.text(span)))
            .label("a literal")
            .help("choose another name for the element");
    }
    wrong.help("name the element, then write a condition on it: `.lines.exists(line, line.price > 10)`")
}

pub(crate) fn variable_taken(word: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::VARIABLE_TAKEN, place, format!("the variable `{word}` is already in use"))
        .label("taken")
        .help("choose another name for the element")
}
