//! What is said about tests.

use std::sync::Arc;

use weave_diagnostics::{Applicability, Diagnostic, Place};
use weave_syntax::ast::NodeKind;

use super::bodies::{all, one_of, suggest};
use crate::codes::bodies::{UNKNOWN_STEP, WRONG_FORMAT};
use crate::codes::declarations::WRONG_KIND;
use crate::codes::scripts as codes;
use crate::model::Declaration;

/// Where something starts, which is before its first character.
fn start(place: Place) -> Place {
    Place { file: place.file, span: weave_diagnostics::Span::at(place.span.start) }
}

/// Where something ends.
fn end(place: Place) -> Place {
    Place { file: place.file, span: weave_diagnostics::Span::at(place.span.end) }
}

// ---- Tests -------------------------------------------------------------------------------------------------------------

pub(crate) fn not_a_workflow(name: &str, place: Place, found: &Declaration) -> Diagnostic {
    let noun = found.kind.noun();
    Diagnostic::new(&WRONG_KIND, place, format!("`{name}` is {noun}, not a workflow"))
        .label("a test runs a workflow")
        .also(found.place, format!("{noun} of this name"))
        .help("name a workflow that uses it; its answers are lines of the test")
}

pub(crate) fn duplicate_test(name: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&weave_syntax::DUPLICATE_TEST, place, format!("there are two tests named `{name}` in this file"))
        .label("the second one")
        .also(first, "the first one")
        .help("a test is known by its path, such as `refund/above_the_limit`, so that the tests of a file have different names")
}

pub(crate) fn no_expectation(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NO_EXPECTATION, place, format!("the test `{name}` expects nothing"))
        .label("nothing is checked on the way to its end")
        .help("end it with what should have happened, such as `expect NODE`, or with `open [STEP]` if the run should wait")
}

pub(crate) fn line_after_end(verb: &str, place: Place, over: Place) -> Diagnostic {
    Diagnostic::new(&codes::LINE_AFTER_END, place, "the run is over, so nothing can happen in it")
        .label(format!("`{verb}` comes too late"))
        .also(over, "this line says that the run is over")
        .help("move the line up, or remove it")
}

// ---- Nodes -------------------------------------------------------------------------------------------------------------

pub(crate) fn unknown_node(name: &str, names: &[Arc<str>], place: Place) -> Diagnostic {
    let unknown = Diagnostic::new(&UNKNOWN_STEP, place, format!("there is no node `{name}`")).label("no node of the workflow");
    suggest(unknown, name, Some(names), place, "the workflow has no nodes")
}

pub(crate) fn node_takes_nothing(verb: &str, name: &str, kind: NodeKind, place: Place, node: Place) -> Diagnostic {
    let word = if kind == NodeKind::Fail { "fail" } else { "end" };
    Diagnostic::new(&codes::CANNOT_ANSWER, place, format!("`{name}` ends the run, so `{verb}` cannot name it"))
        .label("a step is expected here")
        .also(node, format!("declared as `{word}`"))
        .help(format!("`expect {name}` says that the run ends there"))
}

pub(crate) fn beyond_limit(name: &str, number: u32, limit: u64, place: Place, node: Place) -> Diagnostic {
    let times = if limit == 1 { "once".to_owned() } else { format!("{limit} times") };
    Diagnostic::new(&codes::FIRING_BEYOND_LIMIT, place, format!("`{name}` never fires {number} times"))
        .label(format!("it fires {times} at most"))
        .also(node, format!("has `limit {limit}`"))
        .help("firings count from 1")
}

pub(crate) fn no_elements(name: &str, place: Place, node: Place) -> Diagnostic {
    Diagnostic::new(&codes::TEST_ELEMENT, place, format!("`{name}` has no elements"))
        .label("not needed")
        .also(node, "has no `each`")
        .help(format!("`{name}#2` is its second firing"))
        .replace(Applicability::Safe, "remove the brackets", place, "")
}

pub(crate) fn which_element(name: &str, place: Place, node: Place) -> Diagnostic {
    Diagnostic::new(&codes::TEST_ELEMENT, place, format!("`{name}` has elements, and this line does not say which"))
        .label("the number of an element is missing")
        .also(node, "has `each`")
        .help(format!("write `{name}[0]` for the first element, or `{name}[]` for each of them"))
        .replace(Applicability::Unsafe, format!("write `{name}[]`"), end(place), "[]")
}

// ---- Answers and failures ----------------------------------------------------------------------------------------------

/// `send` is an event that such a step waits for, and `answers` says whether it answers what the step emits.
pub(crate) fn cannot_answer(name: &str, why: &str, send: Option<&str>, answers: bool, place: Place, node: Place) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::CANNOT_ANSWER, place, format!("`{name}` takes no `answer`: it {why}"))
        .label("no model, tool or child run answers this")
        .also(node, "this step");
    match (send, why) {
        (Some(topic), _) if answers => wrong.help(format!("write `send {topic} from {name}`")),
        (Some(topic), _) => wrong.help(format!("write `send {topic}`")),
        (None, "waits for a time") => wrong.help("let time pass: `wait 1h`"),
        (None, _) => wrong.help("remove the line; the step goes on by itself"),
    }
}

pub(crate) fn cannot_fail(name: &str, why: &str, place: Place, node: Place) -> Diagnostic {
    Diagnostic::new(&codes::CANNOT_ANSWER, place, format!("`{name}` cannot fail: it {why}"))
        .label("only what is asked, called or run can fail")
        .also(node, "this step")
}

/// `who` is the step, if the failure is that of one; `declared` is where an error of this name is declared.
pub(crate) fn impossible_failure(kind: &str, who: Option<&str>, names: &[Arc<str>], place: Place, declared: Option<Place>) -> Diagnostic {
    let message = match who {
        Some(step) => format!("`{step}` cannot fail with `{kind}`"),
        None => format!("the run cannot fail with `{kind}`"),
    };
    let wrong = Diagnostic::new(&codes::IMPOSSIBLE_FAILURE, place, message);
    match declared {
        Some(declared) => wrong
            .label("an error that its tool does not declare")
            .also(declared, "declared here")
            .help(format!("add it to the tool: `fails [{kind}]`")),
        None => suggest(wrong.label("not one of its failures"), kind, Some(names), place, "it has no failures"),
    }
}

pub(crate) fn message_wanted(kind: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::FAILURE_DATA, place, format!("`{kind}` has no data, only a message"))
        .label("a string is expected here")
        .help(format!("write `{kind} \"what went wrong\"`, or `{kind}` alone"))
}

pub(crate) fn data_is_missing(kind: &str, fields: &[&str], place: Place) -> Diagnostic {
    Diagnostic::new(&codes::FAILURE_DATA, place, format!("the error `{kind}` has data, which is missing"))
        .label(format!("needs {}", all(fields)))
        .help(format!("write `{kind} {{ {}: … }}`, or `{kind} {{ ... }}` to have it made up", fields.first().unwrap_or(&"")))
        .replace(Applicability::Safe, "add `{ ... }`", end(place), " { ... }")
}

pub(crate) fn useless_once(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::USELESS_ONCE, place, "`once` changes nothing here")
        .label(format!("`{name}` does not try again after this failure"))
        .help("without `once`, all attempts that the retries allow fail")
        .replace(Applicability::Safe, "remove `once`", place, "")
}

// ---- Calls and approvals -----------------------------------------------------------------------------------------------

pub(crate) fn unheard_call(tool: &str, step: &str, asks: bool, heard: &[Arc<str>], place: Place, node: Place) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::UNHEARD_CALL, place, format!("no node fires when the agent of `{step}` calls `{tool}`"));
    if !asks {
        return wrong
            .label("only an agent calls tools")
            .also(node, "this step asks no agent")
            .help(format!("write `answer {step} = …` for the answer of the step"));
    }
    let wrong = wrong.label(format!("no node has the trigger `{tool} from {step}`")).also(node, "this step");
    suggest(wrong, tool, Some(heard), place, "calls that no node hears change nothing; write the answer of the step: `answer STEP = …`")
}

/// `tool` is the tool that the step calls, and `answer` an event that answers what it emits.
pub(crate) fn no_approval(step: &str, tool: Option<(&str, Place)>, answer: Option<&str>, place: Place, node: Place) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::NO_APPROVAL, place, format!("`{step}` waits for no approval"));
    match (tool, answer) {
        (Some((name, declared)), _) => wrong
            .label(format!("`{name}` runs without one"))
            .also(declared, "has no `approval`")
            .help(format!("write `answer {step}`, or give the tool an `approval`")),
        (None, Some(topic)) => wrong.label("calls no tool").also(node, "this step").help(format!("write `send {topic} from {step}`")),
        (None, None) => wrong.label("calls no tool").also(node, "this step").help("`approve` and `reject` decide about the call of a tool"),
    }
}

// ---- Events ------------------------------------------------------------------------------------------------------------

pub(crate) fn no_topic(word: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::MISDIRECTED_EVENT, place, format!("`{word}` is not a topic"))
        .label("a topic has dots")
        .help("`send` brings an event from outside: `send order.paid { … }`; what a step gives is `answer STEP = …`")
}

pub(crate) fn answers_other_steps(topic: &str, step: &str, answers: &[Arc<str>], place: Place, node: Place) -> Diagnostic {
    let label = if answers.is_empty() { "no event answers it".to_owned() } else { format!("is answered with {}", one_of(answers)) };
    let wrong = Diagnostic::new(&codes::MISDIRECTED_EVENT, place, format!("`{topic}` does not answer `{step}`"))
        .label("not an answer to this step")
        .also(node, label);
    suggest(wrong, topic, Some(answers), place, "remove `from` and the step")
}

pub(crate) fn from_is_missing(topic: &str, steps: &[(&str, Place)], place: Place) -> Diagnostic {
    let mut wrong =
        Diagnostic::new(&codes::MISDIRECTED_EVENT, place, format!("`{topic}` answers a step, and this line does not say which"))
            .label("`from` is missing after this");
    for (name, node) in steps {
        wrong = wrong.also(*node, format!("`{name}` is answered with it"));
    }
    match steps {
        [(name, _)] => wrong.help(format!("write `send {topic} from {name}`")).replace(
            Applicability::Safe,
            format!("add `from {name}`"),
            end(place),
            format!(" from {name}"),
        ),
        _ => wrong.help(format!("write `send {topic} from STEP`")),
    }
}

pub(crate) fn nothing_waits(topic: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::MISDIRECTED_EVENT, place, format!("nothing in the workflow waits for `{topic}`"))
        .label("changes nothing")
        .also(declared, "declared here")
        .help("remove the line, or add a node with this trigger to the workflow")
}

// ---- Expectations ------------------------------------------------------------------------------------------------------

/// `gives` says whether the node gives something.
pub(crate) fn asks_nothing(name: &str, gives: bool, place: Place, node: Place) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::NOTHING_TO_EXPECT, place, format!("`{name}` asks and emits nothing"))
        .label("`{ … }` without `=` is what a node asks or emits")
        .also(node, "this node");
    if !gives {
        return wrong.help(format!("write `expect {name}` alone"));
    }
    wrong.help(format!("what a node gives follows `=`: `expect {name} = …`")).replace(Applicability::Safe, "add `=`", start(place), "= ")
}

pub(crate) fn gives_nothing(name: &str, place: Place, node: Place) -> Diagnostic {
    Diagnostic::new(&codes::NOTHING_TO_EXPECT, place, format!("`{name}` has no output"))
        .label("the workflow declares no output")
        .also(node, "this node")
        .help(format!("write `expect {name}` alone"))
}

/// `begins` is the moment at which a run begins.
pub(crate) fn bad_moment(moment: &str, begins: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&WRONG_FORMAT, place, format!("`{moment}` is not a moment of the run"))
        .label("not a `timestamp` from the start of the run on")
        .help(format!("a run begins at `\"{begins}\"`; write a later moment like this one"))
}
