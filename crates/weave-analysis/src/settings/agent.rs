//! Agents.

use std::sync::Arc;

use weave_syntax::ast::{Agent as Written, Expr, LiteralKind, Setting};

use super::failures::retry;
use super::reader::{Host, Settings};
use super::tools::{named, tools};
use super::values::{self, Count, bare_name, is_short_of, wrong_value};
use crate::declare::Context;
use crate::expression::{Parameters, fits};
use crate::messages::settings as message;
use crate::model::declarations::Agent;
use crate::model::types::RecordType;
use crate::model::{DeclarationId, DeclarationKind};

pub(super) const AGENT: Host = Host {
    noun: "an agent",
    settings: &["title", "version", "model", "system", "prompt", "tools", "max_turns", "timeout", "retry", "options", "meta"],
};

pub(super) fn read(context: &mut Context<'_>, it: &Written, known: &DeclarationKind) -> Option<DeclarationKind> {
    let DeclarationKind::Agent(known) = known else { return None };
    let before = context.diagnostics.len();
    let settings = Settings::of_block(context, AGENT, it.settings.as_ref());
    let name = context.text(it.name.span);
    settings.require(context, &["model"], name, it.name.span);
    settings.require(context, &["prompt", "system"], name, it.name.span);
    let mut agent = Agent { input: Arc::clone(&known.input), output: known.output.clone(), ..Agent::default() };
    for (name, setting) in &settings.given {
        read_setting(context, &mut agent, name, setting);
    }
    agent.doubtful |= context.diagnostics.len() > before;
    Some(DeclarationKind::Agent(Box::new(agent)))
}

fn read_setting(context: &mut Context<'_>, agent: &mut Agent, name: &str, setting: &Setting) {
    match name {
        "title" => agent.title = values::string(context, setting, "a string, such as `\"Ticket triage\"`"),
        "version" => agent.version = values::string(context, setting, "a string, such as `\"v2\"`"),
        "model" => agent.model = values::string_or_name(context, setting, "the name of a model, such as `mini` or `\"provider/model-1\"`"),
        "system" => {
            let input = Arc::clone(&agent.input);
            agent.system = values::template(context, setting, &Parameters(&[&input]), "a string or a text block");
        }
        "prompt" => agent.prompt = prompt(context, setting, &agent.input),
        "tools" => {
            agent.tools = tools(context, setting);
            agent.doubtful = is_short_of(setting, agent.tools.len());
        }
        "max_turns" => {
            let value = values::plain(context, setting, "an integer, such as `6`");
            agent.max_turns = value.and_then(|value| values::count(context, setting, value, Count { least: 1, greatest: 10_000 }));
        }
        "timeout" => agent.timeout = values::duration(context, setting),
        "retry" => agent.retry = retry(context, setting, Some((&[], "an agent"))),
        "options" => agent.options = values::data_block(context, setting, "a block of data, such as `options { temperature: 0.2 }`"),
        _ => agent.meta = values::data_block(context, setting, "a block of data, such as `meta { owner: \"support\" }`"),
    }
}

/// The prompt, whose parameters are those of the agent with the same names.
fn prompt(context: &mut Context<'_>, setting: &Setting, input: &RecordType) -> Option<DeclarationId> {
    let expected = "the name of a prompt";
    let value = values::plain(context, setting, expected)?;
    let Some(name) = bare_name(value) else {
        if matches!(value, Expr::Literal(literal) if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock)) {
            context.report(message::text_as_prompt(context.item.place(setting.name.span)));
        } else {
            wrong_value(context, setting, value.span(), expected);
        }
        return None;
    };
    let id = named(context, name.text(context.item.text), name.span, "a prompt", |kind| matches!(kind, DeclarationKind::Prompt(_)))?;
    let found = context.model.get(id)?;
    let DeclarationKind::Prompt(prompt) = &found.kind else { return None };
    let place = context.item.place(name.span);
    for parameter in &prompt.input.fields {
        match input.field(&parameter.name) {
            None if parameter.may_be_left_out() => {}
            None => context.report(message::prompt_lacks(&found.name, parameter, place)),
            Some(own) if own.optional && !parameter.may_be_left_out() => {
                context.report(message::prompt_may_lack(&found.name, parameter, own, place));
            }
            Some(own) => {
                if fits(context.model, &own.ty, &parameter.ty).is_err() {
                    let (own_type, wanted) = (context.model.display(&own.ty), context.model.display(&parameter.ty));
                    context.report(message::prompt_mismatch(&found.name, parameter, own, (&own_type, &wanted), place));
                }
            }
        }
    }
    Some(id)
}
