//! Tools.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_syntax::ast::{Expr, Setting, SettingValue, Tool as Written, ToolKind};

use super::failures::{failure_names, retry};
use super::reader::{Host, Settings};
use super::values::{self, Count, is_short_of, wrong_value};
use crate::declare::{Context, blank_tool};
use crate::expression::Parameters;
use crate::messages::settings as message;
use crate::model::DeclarationKind;
use crate::model::declarations::{Activation, Approval, Deferred, Example, Hints, McpSource, OnCancel, OnTimeout, Tool, Via};
use crate::model::types::Type;
use crate::types::{Types, constant};

pub(super) const TOOL: Host = Host {
    noun: "a tool",
    settings: &[
        "id",
        "title",
        "version",
        "action",
        "mode",
        "activation",
        "strict",
        "hints",
        "timeout",
        "retry",
        "approval",
        "deferred",
        "max_output",
        "progress",
        "artifacts",
        "fails",
        "example",
        "requires",
        "at",
        "from",
        "via",
        "meta",
        "binding",
        "on_cancel",
    ],
};

pub(super) const DEFERRED: Host = Host { noun: "`deferred`", settings: &["deadline", "on_timeout"] };

/// A longer identity identifies nothing better.
const LONGEST_ID: usize = 200;

/// Whether a setting has a meaning for the kind of tool.
fn fits_kind(kind: ToolKind, name: &str) -> bool {
    match kind {
        ToolKind::Local => name != "via",
        ToolKind::Signal => {
            matches!(name, "id" | "title" | "version" | "action" | "activation" | "strict" | "hints" | "example" | "meta" | "binding")
        }
        ToolKind::Interaction => {
            matches!(
                name,
                "id" | "title"
                    | "version"
                    | "action"
                    | "mode"
                    | "activation"
                    | "max_output"
                    | "strict"
                    | "hints"
                    | "timeout"
                    | "fails"
                    | "example"
                    | "meta"
                    | "binding"
                    | "on_cancel"
            )
        }
        ToolKind::Provider => {
            matches!(name, "id" | "title" | "version" | "action" | "activation" | "hints" | "via" | "meta" | "binding")
        }
    }
}

pub(super) fn read(context: &mut Context<'_>, it: &Written, known: &DeclarationKind) -> Option<DeclarationKind> {
    let DeclarationKind::Tool(known) = known else { return None };
    let mut tool = blank_tool(it.kind, Arc::clone(&known.input), known.output.clone());
    if let (ToolKind::Signal, Some(output)) = (it.kind, &it.output) {
        context.report(message::signal_output(context.text(it.name.span), context.item.place(output.span())));
        tool.output = None;
    }
    let before = context.diagnostics.len();
    let settings = Settings::of_block(context, TOOL, it.settings.as_ref());
    if it.kind == ToolKind::Provider {
        settings.require(context, &["via"], context.text(it.name.span), it.name.span);
    }
    if let (Some(at), Some(from)) = (settings.get("at"), settings.get("from")) {
        context.report(message::conflicting_settings(("at", "from"), values::name_place(context, from), values::name_place(context, at)));
    }
    // What it fails with decides what may be tried again.
    if let Some(fails) = settings.get("fails").filter(|_| fits_kind(it.kind, "fails")) {
        tool.fails = failure_names(context, fails);
        tool.doubtful = is_short_of(fails, tool.fails.len());
    }
    let (mut examples, mut bindings) = (Vec::new(), Vec::new());
    for (name, setting) in &settings.given {
        match *name {
            name if !fits_kind(it.kind, name) => {
                context.report(message::misplaced_setting(name, it.kind, values::name_place(context, setting)));
            }
            "example" => examples.extend(example(context, setting, &tool)),
            "binding" => bindings.extend(binding(context, setting, &bindings)),
            name => read_setting(context, &mut tool, name, setting),
        }
    }
    tool.doubtful |= context.diagnostics.len() > before;
    (tool.examples, tool.bindings) = (examples.into_boxed_slice(), bindings.into_boxed_slice());
    Some(DeclarationKind::Tool(Box::new(tool)))
}

fn read_setting(context: &mut Context<'_>, tool: &mut Tool, name: &str, setting: &Setting) {
    let input = Arc::clone(&tool.input);
    match name {
        "id" => {
            let place = context.item.place(values::value_span(setting));
            tool.id = identity(context, setting).map(|id| (id, place));
        }
        "activation" => tool.activation = activation(context, setting, tool.kind),
        "max_output" => {
            let value = values::plain(context, setting, "a number of bytes, such as `16384`");
            let range = Count { least: 1, greatest: u32::MAX.into() };
            tool.max_output = value.and_then(|value| values::count(context, setting, value, range));
        }
        "title" => tool.title = values::string(context, setting, "a string, such as `\"Refund an order\"`"),
        "version" => tool.version = values::string(context, setting, "a string, such as `\"v2\"`"),
        "action" => {
            tool.action = values::template(context, setting, &Parameters(&[&input]), "a string, such as `\"Refunding {{.amount}}\"`");
        }
        "mode" => tool.silent = values::word(context, setting, &["feedback", "silent"]) == Some("silent"),
        "strict" => tool.strict = values::flag(context, setting).unwrap_or(true),
        "hints" => tool.hints = hints(context, setting),
        "timeout" => tool.timeout = values::duration(context, setting),
        "retry" => tool.retry = retry(context, setting, Some((&tool.fails, "the tool"))),
        "approval" => tool.approval = approval(context, setting, tool),
        "deferred" => tool.deferred = deferred(context, setting),
        "progress" => tool.progress = ty(context, setting, "a type, such as `progress { percent: int }`"),
        "artifacts" => tool.artifacts = ty(context, setting, "a type, such as `artifacts { report: bytes }`"),
        "requires" => tool.requires = values::free_names(context, setting, "a list of names, such as `[database, clock]`"),
        "at" => tool.at = address(context, setting),
        "from" => {
            let found = values::call(context, setting, "mcp", "`mcp(\"server\", \"tool\")`");
            tool.from = found.map(|[server, tool]| McpSource { server, tool });
        }
        "via" => {
            let found = values::name_and_data(
                context,
                setting,
                "a provider and its options, such as `via openai { search_context_size: \"low\" }`",
            );
            tool.via = found.map(|(provider, options)| Via { provider, options });
        }
        "meta" => tool.meta = values::data_block(context, setting, "a block of data, such as `meta { owner: \"support\" }`"),
        "on_cancel" => {
            let found = values::word(context, setting, &["cancel", "ignore"]);
            tool.on_cancel = found.map(|word| if word == "cancel" { OnCancel::Cancel } else { OnCancel::Ignore });
        }
        // `fails` has been read.
        _ => {}
    }
}

/// A text without blanks, so that it can stand in a path, a header or a log line.
fn identity(context: &mut Context<'_>, setting: &Setting) -> Option<Arc<str>> {
    let expected = "a string without spaces, such as `\"tool:shop.refund\"`";
    let found = values::string(context, setting, expected)?;
    if found.len() > LONGEST_ID || !found.bytes().all(|byte| byte.is_ascii_graphic()) {
        wrong_value(context, setting, values::value_span(setting), expected);
        return None;
    }
    Some(found)
}

fn activation(context: &mut Context<'_>, setting: &Setting, kind: ToolKind) -> Activation {
    // Nobody but a model calls the others.
    let words: &[&str] = match kind {
        ToolKind::Local | ToolKind::Interaction => &["always", "deferred", "internal"],
        ToolKind::Signal | ToolKind::Provider => &["always", "deferred"],
    };
    match values::word(context, setting, words) {
        Some("deferred") => Activation::Deferred,
        Some("internal") => Activation::Internal,
        _ => Activation::Always,
    }
}

fn hints(context: &mut Context<'_>, setting: &Setting) -> Option<Hints> {
    let words = values::words(context, setting, &["read_only", "destructive", "idempotent", "open_world"])?;
    let has = |word| words.contains(&word);
    Some(Hints {
        read_only: has("read_only"),
        destructive: has("destructive"),
        idempotent: has("idempotent"),
        open_world: has("open_world"),
    })
}

fn approval(context: &mut Context<'_>, setting: &Setting, tool: &Tool) -> Option<Approval> {
    if let SettingValue::When { guard, .. } = &setting.value {
        return Some(Approval::When(values::guard(context, guard, &Parameters(&[&tool.input]))));
    }
    values::word(context, setting, &["always", "never"]).map(|word| if word == "always" { Approval::Always } else { Approval::Never })
}

fn deferred(context: &mut Context<'_>, setting: &Setting) -> Option<Deferred> {
    let SettingValue::Block(block) = &setting.value else {
        values::data_block(context, setting, "a block, such as `deferred { deadline 2d, on_timeout fail }`");
        return None;
    };
    let mut deferred = Deferred { deadline: None, on_timeout: None };
    for (name, setting) in Settings::of_block(context, DEFERRED, Some(block)).given {
        if name == "deadline" {
            deferred.deadline = values::duration(context, setting);
        } else {
            let found = values::word(context, setting, &["fail", "error"]);
            deferred.on_timeout = found.map(|word| if word == "fail" { OnTimeout::Fail } else { OnTimeout::Error });
        }
    }
    Some(deferred)
}

fn ty(context: &mut Context<'_>, setting: &Setting, expected: &str) -> Option<Type> {
    let SettingValue::Type(ty) = &setting.value else {
        wrong_value(context, setting, setting.span, expected);
        return None;
    };
    Some(Types::late(context).ty(ty))
}

fn example(context: &mut Context<'_>, setting: &Setting, tool: &Tool) -> Option<Example> {
    let SettingValue::Example { input, output } = &setting.value else {
        wrong_value(context, setting, setting.span, "an input and an output, such as `example { id: \"A-17\" } -> { total: 3 }`");
        return None;
    };
    let input = constant(context, input, &Type::Record(Arc::clone(&tool.input)));
    let output = match (output, &tool.output) {
        (Some(value), Some(ty)) => Some(constant(context, value, ty)?),
        (Some(value), None) => {
            if tool.kind != ToolKind::Signal || !matches!(value, Expr::Missing(_)) {
                context.report(message::example_output(context.item.place(value.span())));
            }
            None
        }
        (None, _) => None,
    };
    Some(Example { input: input?, output })
}

/// `env("REFUND_URL")`: only the name of an environment variable, because addresses differ from place to place.
fn address(context: &mut Context<'_>, setting: &Setting) -> Option<Arc<str>> {
    let expected = "the environment variable with the address, such as `env(\"REFUND_URL\")`";
    let [name] = values::call(context, setting, "env", expected)?;
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        wrong_value(context, setting, values::value_span(setting), expected);
        return None;
    }
    Some(name)
}

fn binding(context: &mut Context<'_>, setting: &Setting, others: &[(Arc<str>, Json)]) -> Option<(Arc<str>, Json)> {
    let (host, data) = values::name_and_data(context, setting, "a host and data for it, such as `binding worker { module: \"orders\" }`")?;
    if others.iter().any(|(other, _)| *other == host) {
        let place = values::name_place(context, setting);
        context.report(message::duplicate_binding(&host, place));
        return None;
    }
    Some((host, data))
}
