//! Nodes of workflows.

use weave_diagnostics::{Applicability, Span, counted};

use super::quoted;
use crate::codes::UNEXPECTED_TOKEN;
use crate::codes_validate as codes;
use crate::{SyntaxError, SyntaxFix};

pub(crate) fn setting_behind_node(span: Span, name: &str, node: Span, moved: Option<Vec<(Span, String)>>) -> SyntaxError {
    let error = SyntaxError::new(&codes::SETTING_BEHIND_NODE, span, format!("the setting {} stands behind a node", quoted(name)))
        .label("too late")
        .also(node, "the nodes start here")
        .help("settings stand before the nodes of a workflow");
    match moved {
        Some(edits) => error.fix(SyntaxFix { message: "move it before the nodes".to_owned(), edits, applicability: Applicability::Safe }),
        None => error,
    }
}

/// `step s = call t { … }`; `sign` is where the `=` stands.
pub(crate) fn action_as_value(action: Span, sign: Option<u32>, text: &str, name: &str) -> SyntaxError {
    let error = SyntaxError::new(&UNEXPECTED_TOKEN, action, format!("the action of the step {} stands in braces", quoted(name)))
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
    SyntaxError::new(&UNEXPECTED_TOKEN, word, "there is no `return` in a workflow")
        .label("expected `=`")
        .help(format!("the output of the run stands behind `=`: `end {name} … = VALUE`"))
        .replace(Applicability::Safe, "write `=`", word, "=")
}

pub(crate) fn no_await(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_ACTION, span, "there is no action `await`")
        .label("no action")
        .help("every step waits for the answer of its action: write `ask` before an agent, `call` before a tool, `run` before a workflow; `wait` is for events and times")
}

pub(crate) fn misspelt_action(span: Span, word: &str, meant: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_ACTION, span, format!("there is no action {}", quoted(word)))
        .label("no action")
        .help(format!("did you mean `{meant}`?"))
        .replace(Applicability::Unsafe, format!("write `{meant}`"), span, meant)
}

pub(crate) fn missing_action(span: Span, name: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_ACTION, span, format!("the step {} does nothing", quoted(name)))
        .label("no action and no value")
        .help("give it a block with one action (`ask`, `call`, `run`, `emit`, `wait` or `cancel`), or a value, `= .input`")
}

pub(crate) fn several_actions(span: Span, first: Span, name: &str) -> SyntaxError {
    SyntaxError::new(&codes::SEVERAL_ACTIONS, span, format!("the step {} has more than one action", quoted(name)))
        .label("another action")
        .also(first, "the first action")
        .help(format!("put it into a step of its own, `on {name}` if it comes after the first one"))
}

pub(crate) fn block_on_end(is_fail: bool, has_action: bool, node: Span, block: Span, is_value: bool) -> SyntaxError {
    let (message, form) = if is_fail {
        ("a `fail` has no block", "a message, `= \"text\"`")
    } else {
        ("an `end` has no block", "an output, `= { key: value }`")
    };
    let error = SyntaxError::new(&codes::BLOCK_ON_END, block, message).label("not here").also(node, "the run is over with this node");
    if is_value {
        error.help("the output stands behind `=`").replace(Applicability::Safe, "insert `=`", Span::at(block.start), "= ")
    } else if has_action {
        error.help("put the action into a `step`, and let this node follow on that step")
    } else {
        error.help(format!("behind it stands at most {form}"))
    }
}

pub(crate) fn misplaced_each(span: Span, what: &str) -> SyntaxError {
    SyntaxError::new(&codes::MISPLACED_EACH, span, format!("{what} has no `each`"))
        .label("there is no action to repeat")
        .help("`each` stands on a step with an action, which it repeats for every element")
}

pub(crate) fn duplicate_clause(name: &str, span: Span, first: Span) -> SyntaxError {
    let error = SyntaxError::new(&codes::DUPLICATE_CLAUSE, span, format!("`{name}` is given twice"))
        .label("given again")
        .also(first, "given here first");
    if name == "on" {
        error.help("several triggers stand behind one `on`, with `|` between them").replace(
            Applicability::Unsafe,
            "write `|`",
            Span::new(span.start, span.start + 2),
            "|",
        )
    } else {
        error.help("remove one of the two")
    }
}

pub(crate) fn bad_count(span: Span, raw: &str, name: &str, least: i64) -> SyntaxError {
    SyntaxError::new(&codes::BAD_COUNT, span, format!("{} is no number for `{name}`", quoted(raw)))
        .label(format!("a whole number from {least}"))
        .help(match name {
            "limit" => "`limit` says how often the node fires in a run at most; a node that never fires can be removed",
            "parallel" => "`parallel` says how many elements are open at a time",
            "min" => "`min` says how many elements have to succeed",
            _ => "the number says how many of the steps have to answer",
        })
}

pub(crate) fn more_than_members(span: Span, raw: &str, steps: usize) -> SyntaxError {
    SyntaxError::new(&codes::BAD_COUNT, span, format!("this join waits for {raw} of {}", counted(steps, "step")))
        .label("more than there are")
        .help("it can wait for as many as there are in its list; `all(…)` waits for all of them")
}

pub(crate) fn empty_join(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_JOIN, span, "this join waits for no step")
        .label("no step in the list")
        .help("name the steps that it waits for")
}

pub(crate) fn each_in(span: Span, mended: Option<String>) -> SyntaxError {
    let error =
        SyntaxError::new(&codes::EACH_IN, span, "a fan-out names the list first and its element second").label("the other way round");
    match mended {
        Some(mended) => {
            error.help(format!("write `each {mended}`")).replace(Applicability::Safe, format!("write `{mended}`"), span, mended)
        }
        None => error.help("write `each .list as element`"),
    }
}

pub(crate) fn each_without_path(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EACH_WITHOUT_PATH, span, "a fan-out is over a path")
        .label("no path")
        .help("write the path of the list, `each .plan.urls as url`; a list of literals can be the value of a step")
}

pub(crate) fn fail_message(span: Span, mended: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::FAIL_MESSAGE, span, "the message of a `fail` is a string").label("not a string");
    match mended {
        Some(mended) => error.help(format!("write `{mended}`")).replace(Applicability::Safe, format!("write `{mended}`"), span, mended),
        None => error.help("write a string, which may have placeholders: `= \"no order {{.input.id}}\"`"),
    }
}

pub(crate) fn assignment_in_guard(sign: Span, path: Span, path_text: &str, output: Span, output_text: &str) -> SyntaxError {
    SyntaxError::new(
        &codes::ASSIGNMENT_IN_GUARD,
        sign,
        format!("`=` starts the value of this node, it does not compare {}", quoted(path_text)),
    )
    .label("`==`?")
    .also(path, "the whole guard ends here")
    .also(output, "this is the value")
    .help(format!("write `{path_text} == {output_text}` to compare, or `({path_text}) = {output_text}` if this is meant"))
    .replace(Applicability::Unsafe, "write `==`", sign, "==")
}

pub(crate) fn emit_without_topic(span: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is no topic, so it cannot be emitted", quoted(word)))
        .label("a topic has two segments or more")
        .help("`emit` takes a topic such as `order.placed`; `call` starts a tool, `ask` an agent, `run` a workflow")
}

pub(crate) fn wait_without_topic(span: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is no topic, so nothing can be waited for", quoted(word)))
        .label("a topic has two segments or more")
        .help(format!("`wait` takes a topic such as `order.paid`, or a time; a node that follows on a step is written `on {word}`"))
}
