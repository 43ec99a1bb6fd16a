//! The settings of steps.

use weave_diagnostics::Span;
use weave_syntax::ast::{Expr, Setting};

use super::failures::retry;
use super::reader::{Host, Settings};
use super::values;
use crate::declare::Context;
use crate::model::declarations::{FailureName, Retry};

pub(super) const STEP: Host = Host { noun: "a step", settings: &["timeout", "retry", "history"] };

/// Whether a step has a setting of this name.
pub(crate) fn is_step_setting(name: &str) -> bool {
    STEP.settings.contains(&name)
}

/// What the settings of a step say.
pub(crate) struct Step<'s> {
    /// `timeout`, in milliseconds.
    pub(crate) timeout: Option<u64>,
    /// `retry`.
    pub(crate) retry: Option<Retry>,
    /// `history`.
    pub(crate) history: Option<History<'s>>,
}

/// `history [triage, faq]`.
pub(crate) struct History<'s> {
    /// The name of the setting.
    pub(crate) name: Span,
    /// The entries.
    pub(crate) steps: Vec<&'s Expr>,
}

/// Reads the settings of a step. The errors in `fails` are those with which what it calls may fail, if that is known.
pub(crate) fn step<'s>(
    context: &mut Context<'_>,
    settings: impl Iterator<Item = &'s Setting>,
    fails: Option<(&[FailureName], &str)>,
) -> Step<'s> {
    let mut step = Step { timeout: None, retry: None, history: None };
    for (name, setting) in Settings::of(context, STEP, settings).given {
        match name {
            "timeout" => step.timeout = values::duration(context, setting),
            "retry" => step.retry = retry(context, setting, fails),
            _ => {
                let list = values::list(context, setting, "a list of steps, such as `[triage, faq]`");
                step.history =
                    list.map(|list| History { name: setting.name.span, steps: list.items.iter().map(|item| &item.value).collect() });
            }
        }
    }
    step
}
