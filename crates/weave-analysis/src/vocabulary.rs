//! Words that have a meaning at certain places without being words of the grammar, for editors to offer.

use weave_syntax::ast::ItemKind;

use crate::declare;
use crate::model::types::Scalar;
use crate::settings::vocabulary as settings;

/// The settings that an item may have.
#[must_use]
pub fn settings_of(item: &ItemKind) -> &'static [&'static str] {
    match item {
        ItemKind::Tool(_) => settings::TOOL,
        ItemKind::Toolkit(_) => settings::TOOLKIT,
        ItemKind::Agent(_) => settings::AGENT,
        ItemKind::Workflow(_) => settings::WORKFLOW,
        _ => &[],
    }
}

/// The settings that a step may have.
#[must_use]
pub const fn settings_of_steps() -> &'static [&'static str] {
    settings::STEP
}

/// The settings in a block behind a setting.
#[must_use]
pub fn settings_in(setting: &str) -> &'static [&'static str] {
    match setting {
        "retry" => settings::RETRY,
        "deferred" => settings::DEFERRED,
        _ => &[],
    }
}

/// The words that a setting takes, if it takes only some.
#[must_use]
pub fn values_of(setting: &str) -> &'static [&'static str] {
    match setting {
        "mode" => &["feedback", "silent"],
        "activation" => &["always", "deferred", "internal"],
        "strict" => &["true", "false"],
        "hints" => &["read_only", "destructive", "idempotent", "open_world"],
        "backoff" => &["constant", "linear", "exponential"],
        "on_timeout" => &["fail", "error"],
        "on_cancel" => &["cancel", "ignore"],
        "approval" => &["always", "never", "when"],
        _ => &[],
    }
}

/// The settings that take a name, a text, a number or a duration which no list of words says.
pub const PLAIN: &[&str] =
    &["id", "title", "version", "action", "model", "system", "max_turns", "timeout", "max_output", "at", "from", "via", "namespace"];

/// What limits values of a scalar type; nothing for one that has no limits.
#[must_use]
pub const fn limits_of(scalar: Scalar) -> &'static [&'static str] {
    match scalar {
        Scalar::String | Scalar::Bytes => &["min", "max", "pattern"],
        Scalar::Int | Scalar::Int64 | Scalar::Float | Scalar::Decimal | Scalar::Timestamp | Scalar::Date | Scalar::Duration => {
            &["min", "max"]
        }
        Scalar::Bool | Scalar::Uuid | Scalar::Uri | Scalar::Email => &[],
    }
}

/// What limits lists.
pub const LIST_LIMITS: &[&str] = &["min", "max", "unique"];

/// What limits maps.
pub const MAP_LIMITS: &[&str] = &["min", "max"];

/// A function or a method of guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is written, without what it is called on: `contains(text: string) -> bool`.
    pub signature: &'static str,
    /// What it says.
    pub about: &'static str,
}

const fn function(name: &'static str, signature: &'static str, about: &'static str) -> Function {
    Function { name, signature, about }
}

/// What can be called on a text.
pub const TEXT_METHODS: &[Function] = &[
    function("contains", "contains(part: string) -> bool", "Whether the string contains this part."),
    function("startsWith", "startsWith(start: string) -> bool", "Whether the string starts with this."),
    function("endsWith", "endsWith(end: string) -> bool", "Whether the string ends with this."),
    function("matches", "matches(pattern: string) -> bool", "Whether the regular expression matches anywhere in the string."),
    SIZE_METHOD,
];

/// What can be called on a list.
pub const LIST_METHODS: &[Function] = &[
    function(
        "exists",
        "exists(name, condition) -> bool",
        "Whether the condition is true for at least one element, which is bound to the name.",
    ),
    function("all", "all(name, condition) -> bool", "Whether the condition is true for every element, which is bound to the name."),
    SIZE_METHOD,
];

/// What can be called on bytes and maps.
pub const SIZED_METHODS: &[Function] = &[SIZE_METHOD];

const SIZE_METHOD: Function = function("size", "size() -> int", "The number of characters, bytes, elements or entries.");

/// What can be called by itself.
pub const FUNCTIONS: &[Function] = &[
    function("has", "has(path) -> bool", "Whether the path leads to a value."),
    function("size", "size(value) -> int", "The number of characters, bytes, elements or entries of a value."),
];

/// The names of attributes.
#[must_use]
pub const fn attributes() -> &'static [&'static str] {
    &declare::NAMES
}
