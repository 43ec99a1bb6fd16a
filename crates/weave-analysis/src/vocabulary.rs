//! Words that have a meaning at certain places without being words of the grammar, for editors to offer.

use weave_syntax::ast::ItemKind;

use crate::declare;
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

/// The names of attributes.
#[must_use]
pub const fn attributes() -> &'static [&'static str] {
    &declare::NAMES
}
