//! What is said about settings.

use weave_diagnostics::{Applicability, Diagnostic, Place, Span};
use weave_syntax::DUPLICATE_ENTRY;
use weave_syntax::ast::ToolKind;

use super::declarations::{listed, suggest};
use crate::codes::declarations as codes;
use crate::model::types::FieldType;
use crate::model::{DeclarationId, Model};

/// "one of `a`, `b` and `c`" of what a setting takes.
pub(crate) fn one_of(words: &[&str]) -> String {
    listed(words.iter().copied(), "or")
}

pub(crate) fn unknown_setting(name: &str, noun: &str, settings: &[&str], place: Place, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_SETTING, place, format!("{noun} has no setting `{name}`"))
        .label("not a setting")
        .note(format!("{noun} has the settings {}", listed(settings.iter().copied(), "and")));
    if matches!(name, "description" | "doc" | "docs") {
        return diagnostic.help("write a `///` comment before the declaration; models read it");
    }
    if settings.contains(&"system") && matches!(name, "role" | "goal" | "backstory" | "persona" | "behavior" | "task") {
        return diagnostic.help("put it in `system \"…\"`, which holds all instructions of an agent");
    }
    if settings.contains(&"system") && matches!(name, "output_type" | "response_format" | "output_schema" | "output" | "schema") {
        return diagnostic.help("the output of an agent is in its header: `agent name(…) -> Output { … }`");
    }
    if settings.contains(&"system") && matches!(name, "handoffs" | "handoff" | "sub_agents" | "delegates") {
        return diagnostic.help(
            "an agent hands over with a signal tool: declare `signal tool escalate(reason: string)`, list it in `tools`, and write a node `on escalate from STEP`",
        );
    }
    if settings.contains(&"retry") && matches!(name, "retryPolicy" | "retry_policy" | "retryOptions" | "retries") {
        return diagnostic.help("write `retry 2 { backoff exponential, base 1s }`; the number counts the attempts after the first one");
    }
    if settings.contains(&"backoff") && matches!(name, "delay" | "interval" | "IntervalSeconds" | "initialInterval" | "initial_interval") {
        return diagnostic.help("`base` is the time before the second attempt: `base 1s`").replace(
            Applicability::Unsafe,
            "write `base`",
            place,
            "base",
        );
    }
    if settings.contains(&"timeout") && matches!(name, "heartbeatTimeout" | "heartbeat" | "heartbeat_timeout") {
        return diagnostic.help("there are no heartbeats; `timeout` limits how long an answer may take");
    }
    if noun == "a workflow" && matches!(name, "input" | "inputs" | "output" | "outputs" | "parameters" | "params") {
        return diagnostic
            .help("the parameters and the result of a workflow are in its header: `workflow name(ticket: Ticket) -> Answer { … }`");
    }
    if noun == "a workflow" && matches!(name, "on" | "trigger" | "triggers" | "schedule" | "cron") {
        return diagnostic.help("a workflow does not say what starts a run; a run begins with the steps that have no `on`");
    }
    if similar.is_none() && settings.contains(&"options") {
        return diagnostic.help(format!("if it is an option of the model, write `options {{ {name}: … }}`"));
    }
    suggest(diagnostic, place, similar)
}

pub(crate) fn duplicate_setting(name: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_SETTING, place, format!("`{name}` is repeated"))
        .label("repeated here")
        .also(first, "first here")
        .help("remove one of them")
}

pub(crate) fn missing_setting(names: &[&str], noun: &str, declaration: &str, at: Place) -> Diagnostic {
    let what = noun.split_once(' ').map_or(noun, |(_, what)| what);
    let how = match names {
        ["model"] => "name the model, such as `model mini`",
        ["via"] => "name the provider, such as `via openai`",
        ["tools"] => "list its tools, such as `tools [find_order]`",
        _ => "add instructions for the model: `prompt name` or `system \"…\"`",
    };
    Diagnostic::new(&codes::MISSING_SETTING, at, format!("the {what} `{declaration}` has no {}", listed(names.iter().copied(), "or")))
        .label(format!("needs {}", listed(names.iter().copied(), "or")))
        .help(how)
}

pub(crate) fn setting_value(name: &str, expected: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::SETTING_VALUE, place, format!("`{name}` has an invalid value")).label(format!("expected {expected}"))
}

/// `prompt "…"` in an agent.
pub(crate) fn text_as_prompt(name: Place) -> Diagnostic {
    Diagnostic::new(&codes::SETTING_VALUE, name, "`prompt` takes the name of a prompt; a text goes in `system`")
        .label("write `system`")
        .help("declare a text that several agents share as a prompt, `prompt name(…) \"…\"`, and name it in each agent")
        .replace(Applicability::Unsafe, "write `system`", name, "system")
}

pub(crate) fn unknown_word(name: &str, word: &str, words: &[&str], place: Place, similar: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&codes::SETTING_VALUE, place, format!("`{name}` cannot be `{word}`")).label(format!("expected {}", one_of(words)));
    suggest(diagnostic, place, similar)
}

pub(crate) fn listed_twice(word: &str, place: Place, earlier: Place) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_ENTRY, place, format!("`{word}` is listed twice"))
        .label("listed again")
        .also(earlier, "first here")
        .help("remove one of them")
}

pub(crate) fn data_without_colon(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::SETTING_VALUE, place, format!("`{name}` is an entry and needs a colon"))
        .label("a colon is missing after it")
        .help(format!("write `{name}: …`"))
        .replace(Applicability::Safe, "insert `:`", Place::new(place.file, Span::at(place.span.end)), ":")
}

pub(crate) fn misplaced_setting(name: &str, kind: ToolKind, place: Place) -> Diagnostic {
    let (noun, why) = match kind {
        ToolKind::Local => ("a tool of the application", "only a `provider tool` runs at a provider"),
        ToolKind::Signal => ("a signal tool", "a signal is decoded and never executed"),
        ToolKind::Interaction => ("an interaction tool", "an interaction is answered by a person, not executed"),
        ToolKind::Provider => ("a provider tool", "the model sees its description, and the provider executes it"),
    };
    Diagnostic::new(&codes::MISPLACED_SETTING, place, format!("`{name}` has no effect for {noun}")).label("no effect here").note(why).help(
        if kind == ToolKind::Local {
            "write `provider tool`, or remove the setting"
        } else {
            "remove the setting, or declare another kind of tool"
        },
    )
}

pub(crate) fn conflicting_settings(names: (&str, &str), place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::CONFLICTING_SETTINGS, place, format!("`{}` and `{}` are mutually exclusive", names.0, names.1))
        .label("sets the location of the tool")
        .also(first, "sets it too")
        .help("remove one of them")
}

pub(crate) fn duplicate_binding(host: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_SETTING, place, format!("`{host}` has two bindings"))
        .label("second binding")
        .help("merge both blocks")
}

pub(crate) fn unknown_failure(name: &str, place: Place, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_FAILURE, place, format!("there is no error or failure kind `{name}`"))
        .label("not declared or built in");
    let diagnostic =
        if similar.is_none() { diagnostic.help(format!("declare it with `error {name} {{ … }}`, or import it")) } else { diagnostic };
    suggest(diagnostic, place, similar)
}

pub(crate) fn retry_on(name: &str, who: &str, place: Place) -> Diagnostic {
    let help = if who == "the tool" { format!("add `{name}` to `fails`") } else { "remove it".to_owned() };
    Diagnostic::new(&codes::RETRY_ON, place, format!("{who} does not fail with `{name}`")).label("never occurs").help(help)
}

pub(crate) fn signal_output(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::SIGNAL_OUTPUT, place, format!("the signal tool `{name}` has an output"))
        .label("cannot return anything")
        .help("remove `->` and the type, or declare an `interaction tool`, which a person answers later")
}

pub(crate) fn example_output(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::SETTING_VALUE, place, "an example has an output, but the tool has none")
        .label("the tool has no output")
        .help("remove `->` and what follows, or give the tool an output")
}

pub(crate) fn toolkit_alias(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::TOOLKIT_ALIAS, place, format!("the toolkit `{name}` cannot be renamed here"))
        .label("a toolkit is a group of tools")
        .help("remove `as`; the `namespace` of the toolkit sets the names of its tools")
}

pub(crate) fn toolkit_cycle(model: &Model, cycle: &[DeclarationId]) -> Option<Diagnostic> {
    let mut toolkits = cycle.iter().filter_map(|id| model.get(*id));
    let first = toolkits.next()?;
    let mut diagnostic = Diagnostic::new(&codes::TOOLKIT_CYCLE, first.place, format!("the toolkit `{}` contains itself", first.name));
    diagnostic = diagnostic.label(if cycle.len() == 1 { "lists itself" } else { "leads back to itself" });
    for other in toolkits {
        diagnostic = diagnostic.also(other.place, "part of the cycle");
    }
    Some(diagnostic.help("remove it from one of the lists"))
}

// ---- Agents ------------------------------------------------------------------------------------------------------------

pub(crate) fn prompt_lacks(prompt: &str, parameter: &FieldType, place: Place) -> Diagnostic {
    let name = &parameter.name;
    Diagnostic::new(&codes::PROMPT_PARAMETERS, place, format!("the prompt `{prompt}` needs `{name}`, which the agent does not have"))
        .label(format!("needs `{name}`"))
        .also(parameter.place, "this parameter")
        .help(format!("add a parameter `{name}` to the agent; the prompt receives it under the same name"))
}

pub(crate) fn prompt_may_lack(prompt: &str, parameter: &FieldType, own: &FieldType, place: Place) -> Diagnostic {
    let name = &parameter.name;
    Diagnostic::new(&codes::PROMPT_PARAMETERS, place, format!("the prompt `{prompt}` needs `{name}`, which may be absent in the agent"))
        .label(format!("needs `{name}`"))
        .also(own.place, "may be absent")
        .also(parameter.place, "may not be absent")
        .help("make both optional, make both required, or give the parameter of the prompt a default")
}

pub(crate) fn prompt_mismatch(prompt: &str, parameter: &FieldType, own: &FieldType, types: (&str, &str), place: Place) -> Diagnostic {
    let name = &parameter.name;
    Diagnostic::new(&codes::PROMPT_PARAMETERS, place, format!("`{name}` of the agent does not fit the prompt `{prompt}`"))
        .label(format!("receives `{}` for `{name}`, requires `{}`", types.0, types.1))
        .also(own.place, format!("is `{}`", types.0))
        .also(parameter.place, format!("is `{}`", types.1))
        .help("give both the same type")
}
