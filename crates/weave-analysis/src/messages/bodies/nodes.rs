//! Nodes of workflows.

use std::sync::Arc;

use weave_diagnostics::{Applicability, Diagnostic, Place, Span};
use weave_syntax::ast::ToolKind;

use super::{all, code, one_of, quoted, suggest};
use crate::codes::bodies as codes;
use crate::codes::declarations;
use crate::expression::{Absence, Environment, Reading, Unreadable};
use crate::model::types::Type;
use crate::model::{Declaration, DeclarationKind};

// ---- Names of nodes ----------------------------------------------------------------------------------------------------

pub(crate) fn duplicate_node(name: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_NODE, place, format!("two nodes are named `{name}`"))
        .label("same name")
        .also(first, "first node with this name")
        .help("rename one of them")
}

pub(crate) fn reserved_step_name(name: &str, place: Place) -> Diagnostic {
    let meaning = match name {
        "start" => "as a trigger, `start` is the start of the run".to_owned(),
        "failure" => "as a trigger, `failure` is a failure that no other node handles, and `.failure` is its value".to_owned(),
        "input" => "`.input` is the input of the workflow".to_owned(),
        _ => format!("`.{name}` is the event that fires a node"),
    };
    Diagnostic::new(&codes::RESERVED_STEP_NAME, place, format!("a step cannot be named `{name}`"))
        .label("reserved")
        .note(meaning)
        .help("choose another name")
}

pub(crate) fn unknown_step(name: &str, names: Option<&[Arc<str>]>, place: Place) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_STEP, place, format!("there is no step `{name}`")).label("not a step of this workflow");
    suggest(unknown, name, names, place, "this workflow has no steps")
}

pub(crate) fn not_a_step(name: &str, noun: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::NOT_A_STEP, place, format!("`{name}` is {noun}, not a step"))
        .label("a step is required here")
        .also(declared, format!("{noun}, which finishes the run"))
        .help("name the step that comes before it")
}

/// The name of a declaration where a trigger should stand.
pub(crate) fn declaration_as_trigger(name: &str, place: Place, found: &Declaration) -> Diagnostic {
    let noun = found.kind.noun();
    let wrong = Diagnostic::new(&codes::UNKNOWN_STEP, place, format!("there is no step `{name}`, but {noun}"))
        .label("not a step of this workflow")
        .also(found.place, format!("{noun} with this name"));
    match found.kind {
        DeclarationKind::Tool(_) => wrong.help(format!(
            "`on {name} from STEP` fires when the agent of that step calls the tool; to fire on a step that calls the tool, name the step"
        )),
        DeclarationKind::Agent(_) => wrong.help("name the step that asks the agent"),
        DeclarationKind::Workflow(_) => wrong.help("name the step that runs the workflow"),
        _ => wrong.help("a trigger names a step, or a topic with its dots"),
    }
}

// ---- Actions -----------------------------------------------------------------------------------------------------------

/// An action that is aimed at something of another kind.
pub(crate) fn wrong_target(name: &str, expected: &str, place: Place, keyword: Place, found: &Declaration) -> Diagnostic {
    let noun = found.kind.noun();
    let verb = match found.kind {
        DeclarationKind::Agent(_) => Some("ask"),
        DeclarationKind::Tool(_) => Some("call"),
        DeclarationKind::Workflow(_) => Some("run"),
        _ => None,
    };
    let message = match verb {
        Some(verb) => format!("`{name}` is {noun}; use `{verb}`"),
        None => format!("`{name}` is {noun}, not {expected}"),
    };
    let wrong = Diagnostic::new(&declarations::WRONG_KIND, place, message)
        .label(format!("expected {expected}"))
        .also(found.place, format!("{noun} with this name"));
    match verb {
        Some(verb) => wrong.replace(Applicability::Safe, format!("replace it with `{verb}`"), keyword, verb),
        None => wrong,
    }
}

pub(crate) fn uncallable_tool(name: &str, kind: ToolKind, place: Place) -> Diagnostic {
    let (noun, help) = match kind {
        ToolKind::Signal => {
            ("a signal", format!("an agent calls it: list it in the `tools` of the agent, and write `on {name} from STEP`"))
        }
        _ => ("runs at the provider of the model", "list it in the `tools` of an agent".to_owned()),
    };
    Diagnostic::new(&codes::UNCALLABLE_TOOL, place, format!("`{name}` is {noun}, so a step cannot call it"))
        .label("cannot be called")
        .help(help)
}

pub(crate) fn external_emit(topic: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::EXTERNAL_EMIT, place, format!("`{topic}` is external, so a step cannot emit it"))
        .label("an external event")
        .also(declared, "declared as `external`")
        .help("wait for it instead, or remove `external` from its declaration")
}

pub(crate) fn missing_payload(topic: &str, payload: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::MISSING_FIELD, place, format!("`{topic}` needs a payload"))
        .label("emitted without a payload")
        .also(declared, format!("its payload is `{payload}`"))
        .help(format!("write a payload: `emit {topic} …`"))
}

// ---- Triggers ----------------------------------------------------------------------------------------------------------

/// A topic that a step is never answered with; `by` is the event that it emits, if it emits one.
pub(crate) fn not_an_answer(
    topic: &str,
    step: &str,
    answers: &[Arc<str>],
    by: Option<&Declaration>,
    place: Place,
    declared: Place,
) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::NOT_AN_ANSWER, place, format!("`{topic}` never answers `{step}`"))
        .label("not an answer to this step")
        .also(
            declared,
            if answers.is_empty() { "has no event as its answer".to_owned() } else { format!("is answered with {}", one_of(answers)) },
        );
    let wrong = match by {
        Some(event) => wrong.also(event.place, "the declaration of the event lists its answers"),
        None => wrong,
    };
    suggest(wrong, topic, Some(answers), place, "name only the step, without a topic")
}

pub(crate) fn tool_from_no_agent(name: &str, step: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::NOT_AN_ANSWER, place, format!("`{step}` does not ask an agent, so no agent calls `{name}` there"))
        .label("only an agent calls tools")
        .also(declared, "this step")
        .help(format!("write `on {step}` for the answer of the step"))
}

pub(crate) fn internal_tool_from(name: &str, agent: &str, tool: &Declaration, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NOT_AN_ANSWER, place, format!("the agent `{agent}` does not have the tool `{name}`"))
        .label("no model can call it")
        .also(tool.place, "is `activation internal`")
        .help("remove `activation internal` from the tool, or let a step call it")
}

pub(crate) fn tool_not_offered(name: &str, agent: &str, offered: &[Arc<str>], place: Place) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::NOT_AN_ANSWER, place, format!("the agent `{agent}` has no tool `{name}`"))
        .label("not in the tools of this agent");
    suggest(wrong, name, Some(offered), place, "it has no tools")
}

pub(crate) fn else_without_choice(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::ELSE_WITHOUT_CHOICE, place, "this `else` does not belong to a choice")
        .label("no other node has this trigger with a `when`")
        .help("give another node the same trigger with a `when`, or remove the `else`")
}

pub(crate) fn second_else(place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::SECOND_ELSE, place, "a choice can have only one `else`")
        .label("never fires")
        .also(first, "this one fires if no other condition is true")
        .help("give one of them a `when`, or remove it")
}

// ---- Values of nodes ---------------------------------------------------------------------------------------------------

pub(crate) fn no_event(why: &str) -> Unreadable {
    Unreadable { message: "`.event` cannot be read in this node".to_owned(), help: why.to_owned() }
}

pub(crate) fn not_raw(name: &str, topic: &str) -> Unreadable {
    Unreadable {
        message: format!("`.{name}` exists only in nodes that fire on `{topic}`"),
        help: format!("write `on {topic}`, or read the answer by the name of its step"),
    }
}

pub(crate) fn no_failure() -> Unreadable {
    Unreadable {
        message: "`.failure` exists only in nodes that fire on a failure".to_owned(),
        help: "write `on failure(STEP)`, or `on failure` for failures that no other node handles".to_owned(),
    }
}

pub(crate) fn not_a_value(name: &str, noun: &str) -> Unreadable {
    Unreadable {
        message: format!("`{name}` is {noun}, which has no answer"),
        help: "it finishes the run; read the answer of a step".to_owned(),
    }
}

pub(crate) fn start_is_no_value() -> Unreadable {
    Unreadable { message: "`start` is a trigger, not a value".to_owned(), help: "the input of the run is `.input`".to_owned() }
}

pub(crate) fn value_cycle(steps: &[(Arc<str>, Place)]) -> Option<Diagnostic> {
    let ((name, place), rest) = steps.split_first()?;
    let message = if rest.is_empty() {
        format!("the value of `{name}` depends on itself")
    } else {
        format!("the values of {} depend on each other", all(&steps.iter().map(|(name, _)| name).collect::<Vec<_>>()))
    };
    let mut cycle = Diagnostic::new(&codes::VALUE_CYCLE, *place, message).label("has no type of its own");
    for (name, place) in rest.iter().take(super::SHOWN) {
        cycle = cycle.also(*place, format!("`{name}` depends on it"));
    }
    Some(cycle.help("use another value in one of them"))
}

// ---- Outputs -----------------------------------------------------------------------------------------------------------

pub(crate) fn missing_output(workflow: &str, output: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::MISSING_OUTPUT, place, format!("this `end` has no output, but `{workflow}` returns `{output}`"))
        .label("no output")
        .also(declared, "the declared output")
        .help("add the output after `=`")
}

pub(crate) fn unexpected_output(workflow: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::UNEXPECTED_OUTPUT, place, format!("this `end` has an output, but `{workflow}` declares none"))
        .label("not declared")
        .also(declared, "has no `->` in its signature")
        .help("declare the output after the parameters, `-> T`, or remove it here")
}

// ---- Fan-out and settings ----------------------------------------------------------------------------------------------

pub(crate) fn not_a_list(env: &Environment<'_>, span: Span, found: &Type) -> Diagnostic {
    let ty = env.display(found);
    Diagnostic::new(&codes::NOT_A_LIST, env.place(span), format!("{} is `{ty}`, not a list", code(env, span)))
        .label("`each` requires a list")
        .help("without `each` the step fires once")
}

pub(crate) fn list_may_be_absent(env: &Environment<'_>, span: Span, reading: &Reading) -> Diagnostic {
    let path = env.text(span);
    let absent = Diagnostic::new(
        &codes::MAY_BE_ABSENT,
        env.place(span),
        format!("{} may be absent or null, and `each` requires a list", quoted(path)),
    );
    let absent = absent.label("may be absent or null").help(format!("fire the node only `when {path} != null`"));
    match &reading.absence {
        Some(Absence::Optional(place)) => absent.also(*place, "declared with `?`"),
        _ => absent,
    }
}

pub(crate) fn history_without_ask(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::HISTORY_STEP, place, "only an `ask` continues an exchange")
        .label("this step does not ask an agent")
        .help("remove the setting")
}

pub(crate) fn history_of_no_ask(step: &str, place: Place, declared: Place) -> Diagnostic {
    Diagnostic::new(&codes::HISTORY_STEP, place, format!("`{step}` does not ask an agent, so it has no exchange to continue"))
        .label("not an `ask`")
        .also(declared, "this step")
        .help("name steps that ask an agent")
}

pub(crate) fn history_entry(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::HISTORY_STEP, place, "`history` is a list of steps")
        .label("not the name of a step")
        .help("write `history [triage, faq]`")
}
