//! Nodes of workflows.

use weave_diagnostics::{Applicability, Span, counted};

use super::quoted;
use crate::codes::UNEXPECTED_TOKEN;
use crate::codes_validate as codes;
use crate::{SyntaxError, SyntaxFix};

pub(crate) fn setting_behind_node(span: Span, name: &str, node: Span, moved: Option<Vec<(Span, String)>>) -> SyntaxError {
    let error = SyntaxError::new(&codes::SETTING_BEHIND_NODE, span, format!("the setting {} must come before the nodes", quoted(name)))
        .label("too late")
        .also(node, "the nodes start here")
        .help("the settings of a workflow come before its nodes");
    match moved {
        Some(edits) => error.fix(SyntaxFix { message: "move it before the nodes".to_owned(), edits, applicability: Applicability::Safe }),
        None => error,
    }
}

/// `step s = call t { … }`; `sign` is where the `=` stands.
pub(crate) fn action_as_value(action: Span, sign: Option<u32>, text: &str, name: &str) -> SyntaxError {
    let error = SyntaxError::new(&UNEXPECTED_TOKEN, action, format!("the action of the step {} goes in braces", quoted(name)))
        .label("an action, not a value")
        .help(format!("write `step {name} … {{ {} … }}`, without `=`", text.split_whitespace().next().unwrap_or_default()));
    match sign {
        Some(sign) => {
            let whole = Span::new(sign, action.end);
            error.replace(Applicability::Safe, "put it in braces", whole, format!("{{ {text} }}"))
        }
        None => error,
    }
}

/// `end e on s return .s`.
pub(crate) fn return_as_output(word: Span, name: &str) -> SyntaxError {
    SyntaxError::new(&UNEXPECTED_TOKEN, word, "a workflow has no `return`")
        .label("expected `=`")
        .help(format!("the output of the run follows `=`: `end {name} … = VALUE`"))
        .replace(Applicability::Safe, "write `=`", word, "=")
}

pub(crate) fn no_await(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_ACTION, span, "there is no action `await`")
        .label("no action")
        .help("every step waits for the answer of its action: write `ask` before an agent, `call` before a tool, `run` before a workflow; `wait` is for events and times")
}

pub(crate) fn misspelt_action(span: Span, word: &str, meant: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_ACTION, span, format!("{} is not an action", quoted(word)))
        .label("unknown action")
        .help(format!("did you mean `{meant}`?"))
        .replace(Applicability::Unsafe, format!("write `{meant}`"), span, meant)
}

pub(crate) fn missing_action(span: Span, name: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_ACTION, span, format!("the step {} has no action", quoted(name)))
        .label("neither an action nor a value")
        .help("add a block with one action (`ask`, `call`, `run`, `emit`, `wait` or `cancel`), or a value, `= .input`")
}

pub(crate) fn several_actions(span: Span, first: Span, name: &str) -> SyntaxError {
    SyntaxError::new(&codes::SEVERAL_ACTIONS, span, format!("the step {} has more than one action", quoted(name)))
        .label("another action")
        .also(first, "the first action")
        .help(format!("move it to its own step, `on {name}` if it comes after the first one"))
}

pub(crate) fn block_on_end(is_fail: bool, has_action: bool, node: Span, block: Span, is_value: bool) -> SyntaxError {
    let (message, form) = if is_fail {
        ("a `fail` has no block", "a message, `= \"text\"`")
    } else {
        ("an `end` has no block", "an output, `= { key: value }`")
    };
    let error = SyntaxError::new(&codes::BLOCK_ON_END, block, message).label("not allowed here").also(node, "the run ends with this node");
    if is_value {
        error.help("the output follows `=`").replace(Applicability::Safe, "insert `=`", Span::at(block.start), "= ")
    } else if has_action {
        error.help("put the action into a `step`, and let this node fire on that step")
    } else {
        error.help(format!("it may be followed only by {form}"))
    }
}

pub(crate) fn misplaced_each(span: Span, what: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISPLACED_EACH, span, format!("{what} cannot have `each`"))
        .label("there is no action to repeat")
        .help("`each` goes on a step with an action, which it repeats for every element")
}

pub(crate) fn duplicate_clause(name: &str, span: Span, first: Span) -> SyntaxError {
    let error =
        SyntaxError::new(&codes::DUPLICATE_CLAUSE, span, format!("`{name}` is repeated")).label("repeated here").also(first, "first here");
    if name == "on" {
        error.help("write several triggers after one `on`, separated by `|`").replace(
            Applicability::Unsafe,
            "write `|`",
            Span::new(span.start, span.start + 2),
            "|",
        )
    } else {
        error.help("remove one of them")
    }
}

pub(crate) fn bad_count(span: Span, raw: &str, name: &str, least: i64) -> SyntaxError {
    SyntaxError::new(&codes::BAD_COUNT, span, format!("{} is not a valid number for `{name}`", quoted(raw)))
        .label(format!("an integer from {least}"))
        .help(match name {
            "limit" => "`limit` is the maximum number of firings in a run; remove a node that should never fire",
            "parallel" => "`parallel` is the number of elements that may be open at a time",
            "min" => "`min` is the number of elements that must succeed",
            _ => "the number of steps that must answer",
        })
}

pub(crate) fn more_than_members(span: Span, raw: &str, steps: usize) -> SyntaxError {
    SyntaxError::new(&codes::BAD_COUNT, span, format!("this join waits for {raw} of {}", counted(steps, "step")))
        .label("more than there are")
        .help("it cannot wait for more steps than it lists; `all(…)` waits for all of them")
}

pub(crate) fn empty_join(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_JOIN, span, "this join lists no steps").label("no steps").help("list the steps that it waits for")
}

pub(crate) fn each_in(span: Span, fixed: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::EACH_IN, span, "a fan-out names the list first and its element second").label("in reverse order");
    match fixed {
        Some(fixed) => error.help(format!("write `each {fixed}`")).replace(Applicability::Safe, format!("write `{fixed}`"), span, fixed),
        None => error.help("write `each .list as element`"),
    }
}

pub(crate) fn each_without_path(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EACH_WITHOUT_PATH, span, "a fan-out iterates over a path")
        .label("not a path")
        .help("write the path of the list, `each .plan.urls as url`; write a constant list as the value of a step")
}

pub(crate) fn fail_message(span: Span, fixed: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::FAIL_MESSAGE, span, "the message of a `fail` is a string").label("not a string");
    match fixed {
        Some(fixed) => error.help(format!("write `{fixed}`")).replace(Applicability::Safe, format!("write `{fixed}`"), span, fixed),
        None => error.help("write a string, which may contain placeholders: `= \"no order {{.input.id}}\"`"),
    }
}

pub(crate) fn assignment_in_guard(sign: Span, path: Span, path_text: &str, output: Span, output_text: &str) -> SyntaxError {
    SyntaxError::new(
        &codes::ASSIGNMENT_IN_GUARD,
        sign,
        format!("`=` starts the value of this node; it does not compare {}", quoted(path_text)),
    )
    .label("`==`?")
    .also(path, "the guard ends here")
    .also(output, "this is the value")
    .help(format!("write `{path_text} == {output_text}` to compare, or `({path_text}) = {output_text}` for a guard and a value"))
    .replace(Applicability::Unsafe, "write `==`", sign, "==")
}

pub(crate) fn emit_without_topic(span: Span, word: &str) -> SyntaxError {
    let error = SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is not a topic, so it cannot be emitted", quoted(word)))
        .label("a topic has at least two segments")
        .help("`emit` takes a topic such as `order.placed`; `call` starts a tool, `ask` an agent, `run` a workflow");
    super::declarations::as_topic(error, span, word)
}

pub(crate) fn wait_without_topic(span: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is not a topic, so it cannot be awaited", quoted(word)))
        .label("a topic has at least two segments")
        .help(format!("`wait` takes a topic such as `order.paid`, or a time; to fire on a step, write `on {word}`"))
}
