//! The JSON Schema of a `weave.toml`, for editors that complete and check such files.

use serde_json::{Map, Value, json};

use super::diff::{ACCEPT_KEYS, DIFF_KEYS};
use super::read::{HEADER, LANGUAGES, LINT_KEYS, Language, OVERRIDE_KEYS, TOP_KEYS};
use super::tools::{ENV, EVERY_TOOL, TOOL_KEYS, UNKNOWN, VARIABLE};
use crate::levels::Level;
use crate::registry::RULES;
use crate::rule::{Group, Rule};

/// What the schema is called, wherever it lies.
pub const SCHEMA_ID: &str = "urn:weave:config:1";

/// The schema, made from the registry of rules. It is of draft 7, which is what the editors for TOML know best.
#[must_use]
pub fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": SCHEMA_ID,
        "title": "weave.toml",
        "description": "The settings of a project with .weave files. A file uses the nearest weave.toml in its folder or a parent folder.",
        "type": "object",
        "additionalProperties": false,
        "properties": table(TOP_KEYS, top),
        "definitions": {
            "tool": closed("What carries out the calls of a tool: a `command`, or the `url` of an HTTP service.", table(TOOL_KEYS, tool)),
            "level": {
                "description": "The severity of findings: `error` fails a run, `warn` fails it only if warnings are counted, `note` is advice, `off` disables the rule.",
                "enum": Level::NAMES.map(|(name, _)| name),
            },
            "groups": {
                "description": "Levels by group of rules.",
                "type": "object",
                "additionalProperties": false,
                "properties": Value::Object(Group::ALL.iter().map(|group| (group.name().to_owned(), of_group(*group))).collect()),
            },
            "rules": {
                "description": "Levels and options by rule. The level of a rule overrides the level of its group.",
                "type": "object",
                "additionalProperties": false,
                "properties": Value::Object(RULES.iter().map(|rule| (rule.id().to_owned(), of_rule(rule))).collect()),
            },
        },
    })
}

/// The schema as a file holds it: two spaces a level and a newline at the end.
#[must_use]
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}

/// The schemas of some keys.
fn table(keys: &[&str], of_key: impl Fn(&str) -> Value) -> Value {
    Value::Object(keys.iter().map(|key| ((*key).to_owned(), of_key(key))).collect::<Map<_, _>>())
}

fn top(key: &str) -> Value {
    match key {
        "diff" => closed("What `weave diff` reports.", table(DIFF_KEYS, diff)),
        "gen" => closed(
            "What `weave gen` generates, by language.",
            Value::Object(LANGUAGES.iter().map(language).chain([(HEADER.to_owned(), header())]).collect()),
        ),
        "tools" => {
            let entry = || json!({ "$ref": "#/definitions/tool" });
            json!({
                "description": "What carries out the calls of tools in `weave run`: a table for a tool, for all tools of a toolkit, or for all others, which is called `\"*\"`.",
                "type": "object",
                "properties": { EVERY_TOOL: entry() },
                "additionalProperties": entry(),
            })
        }
        _ => closed("The settings of `weave lint`.", table(LINT_KEYS, lint)),
    }
}

fn tool(key: &str) -> Value {
    let variable = |description: &str| json!({ "description": description, "type": "string", "pattern": VARIABLE });
    let reference = |description: &str| {
        let properties = json!({ ENV: variable("The name of the environment variable.") });
        json!({ "description": description, "type": "object", "additionalProperties": false, "required": [ENV], "properties": properties })
    };
    match key {
        "command" => json!({
            "description": "A program and its arguments. It reads the call as JSON on standard input and writes the result as JSON to standard output. It runs in the folder of this file.",
            "type": "array",
            "minItems": 1,
            "items": { "type": "string", "pattern": "^[^\\u0000]*$" },
        }),
        "url" => json!({
            "description": "The address of an HTTP service, as the generated services speak it: `\"http://localhost:8080\"`, or `{ env = \"NAME\" }`. It overrides `at` of the tool.",
            "anyOf": [
                { "type": "string", "pattern": "^https?://[^/?:@#\"<>\\\\\\s][^@#\"<>\\\\\\s]*$" },
                reference("The environment variable with the address."),
            ],
        }),
        ENV => json!({
            "description": "The environment variables that the command receives, besides `PATH` and `HOME`.",
            "type": "array",
            "items": variable("The name of an environment variable."),
        }),
        "headers" => json!({
            "description": "Headers of each request. Their values come from environment variables, so that no secret is written here.",
            "type": "object",
            "additionalProperties": reference("The environment variable with the value of the header."),
        }),
        "lines" => json!({
            "description": "Whether the command writes a JSON object on each line, with one of `progress`, `artifacts`, `result`, `failure` and `pending`.",
            "type": "boolean",
            "default": false,
        }),
        "timeout" => json!({
            "description": "How long a call may be silent before it is given up, such as `\"30s\"`. The timeout of the tool or step applies too.",
            "type": "string",
            "minLength": 1,
            "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$",
            "default": "1h",
        }),
        _ => json!({
            "description": "What happens when a call was sent, no answer came, and it may not be repeated: `ask` a person, or `fail` with `unknown_outcome`.",
            "enum": UNKNOWN,
            "default": "ask",
        }),
    }
}

fn closed(description: &str, properties: Value) -> Value {
    json!({ "description": description, "type": "object", "additionalProperties": false, "properties": properties })
}

fn language(language: &Language) -> (String, Value) {
    let description = format!("Types, validation and tool services in {}.", language.name);
    (language.key.to_owned(), closed(&description, table(language.keys, |key| generated(language.key, key))))
}

fn header() -> Value {
    json!({
        "description": "Lines that become a comment at the top of each generated file, such as a license header. The setting of a language overrides the general one.",
        "type": "string",
        // As in the reader: a comment of one line ends at any of these.
        "pattern": "^([^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029]|\\r\\n)*$",
    })
}

fn generated(language: &str, key: &str) -> Value {
    let folder = |description: &str| json!({ "description": description, "type": "string", "minLength": 1 });
    match (key, language) {
        ("mcp", _) => json!({
            "description": "Whether to generate code that serves the tools over the Model Context Protocol. `--mcp` sets it to true.",
            "type": "boolean",
        }),
        ("builders", _) => json!({
            "description": "Whether to generate builders: programs that construct the definitions of the workflows. `--builders` sets it to true.",
            "type": "boolean",
        }),
        (HEADER, _) => header(),
        ("module", "python") => json!({
            "description": "The package of the output folder, such as `app.gen`. The default follows the `__init__.py` files above the folder.",
            "type": "string",
            "pattern": "^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)*$",
        }),
        ("module", _) => json!({
            "description": "The import path of the output folder, such as `example.com/app/gen`. The default follows the go.mod above the folder.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$",
        }),
        ("scaffold", _) => folder(
            "The folder that `--scaffold` writes service skeletons to, relative to this file. The default is `service` next to the output folder.",
        ),
        ("templates", _) => folder(
            "The folder with templates that `--scaffold` uses instead of its own, relative to this file. `--templates` overrides it.",
        ),
        _ => folder("The folder of the generated files, relative to this file. `-o` overrides it."),
    }
}

fn diff(_: &str) -> Value {
    json!({
        "description": "Accepted changes, with their reasons.",
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "reason"],
            "properties": table(ACCEPT_KEYS, accepted),
        },
    })
}

fn accepted(key: &str) -> Value {
    match key {
        "id" => json!({
            "description": "The kind of change.",
            "enum": weave_diff::change_codes().iter().map(|code| code.id).collect::<Vec<_>>(),
        }),
        "item" => json!({
            "description": "What changed, as `weave diff --format json` or the message names it, such as `order.paid.note`; parts of it are included. The default is everything.",
            "type": "string",
        }),
        "reason" => json!({ "description": "Why the change is safe.", "type": "string", "minLength": 1 }),
        _ => json!({
            "description": "The last day on which the entry applies.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        }),
    }
}

fn lint(key: &str) -> Value {
    match key {
        "baseline" => json!({
            "description": "The baseline: a file with known findings that are not reported, relative to this file. `weave lint --write-baseline` writes it.",
            "type": "string",
            "minLength": 1,
        }),
        "overrides" => json!({
            "description": "Settings for some files only; later entries override earlier ones.",
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["paths"],
                "properties": table(OVERRIDE_KEYS, in_override),
            },
        }),
        _ => shared(key),
    }
}

fn in_override(key: &str) -> Value {
    match key {
        "paths" => json!({
            "description": "The files: `*` matches within a folder, `**` matches across folders, a pattern without `/` matches in every folder.",
            "type": "array",
            "items": { "type": "string" },
        }),
        _ => shared(key),
    }
}

/// The tables that are the same for all files and for some.
fn shared(key: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{key}") })
}

fn of_group(group: Group) -> Value {
    let level = name(group.level());
    json!({ "description": format!("The default is `{level}`."), "allOf": [shared("level")], "default": level })
}

fn of_rule(rule: &Rule) -> Value {
    let options = rule.options.iter().map(|option| {
        let schema = json!({
            "description": option.summary,
            "type": "integer",
            "minimum": option.least,
            "maximum": option.most,
            "default": option.default,
        });
        (option.name.to_owned(), schema)
    });
    let properties: Map<String, Value> = std::iter::once(("level".to_owned(), shared("level"))).chain(options).collect();
    json!({
        "description": format!("{} (group `{}`)", rule.code.summary, rule.group.name()),
        "anyOf": [shared("level"), { "type": "object", "additionalProperties": false, "properties": properties }],
        "default": name(rule.group.level()),
    })
}

fn name(level: Level) -> &'static str {
    Level::NAMES.iter().find(|(_, known)| *known == level).map_or("", |(name, _)| name)
}
