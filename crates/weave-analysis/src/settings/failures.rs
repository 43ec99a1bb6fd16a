//! The failures that `fails` and `retry` name.

use std::sync::Arc;

use weave_diagnostics::closest;
use weave_syntax::ast::{Block, Expr, Setting, SettingValue};

use super::reader::{Host, Settings};
use super::values::{self, Count, Once, bare_name, wrong_value};
use crate::declare::{Context, similar_name, worth_a_suggestion};
use crate::messages::declarations;
use crate::messages::settings as message;
use crate::model::declarations::{Backoff, FAILURE_KINDS, FailureName, Retry};
use crate::model::{DeclarationKind, Lookup};

pub(super) const RETRY: Host = Host { noun: "`retry`", settings: &["backoff", "base", "max", "on"] };

/// More attempts than this are a loop that nobody meant.
const MOST_ATTEMPTS: u64 = 1000;

const EXPECTED: &str = "a list of declared errors and failure kinds, such as `[unavailable, timeout]`";

/// A list of declared errors and built-in kinds, each once.
pub(super) fn failure_names(context: &mut Context<'_>, setting: &Setting) -> Box<[FailureName]> {
    let Some(list) = values::list(context, setting, EXPECTED) else { return Box::default() };
    let mut found = Vec::with_capacity(list.items.len());
    let mut once = Once::default();
    for item in &list.items {
        let Some(name) = failure_name(context, setting, &item.value) else { continue };
        if once.is_new(context, name.clone(), item.value.span()) {
            found.push(name);
        }
    }
    found.into_boxed_slice()
}

fn failure_name(context: &mut Context<'_>, setting: &Setting, value: &Expr) -> Option<FailureName> {
    let Some(name) = bare_name(value) else {
        if !matches!(value, Expr::Missing(_)) {
            wrong_value(context, setting, value.span(), EXPECTED);
        }
        return None;
    };
    let text = context.text(name.span);
    let place = context.item.place(name.span);
    if FAILURE_KINDS.contains(&text) {
        return Some(FailureName::Kind(Arc::from(text)));
    }
    match context.scope.lookup(text, false) {
        Lookup::Found(id) => match context.model.get(id) {
            Some(found) if matches!(found.kind, DeclarationKind::Error(_)) => return Some(FailureName::Error(id)),
            Some(found) => context.report(declarations::wrong_kind(text, "an error", place, found)),
            None => {}
        },
        Lookup::Excused => {}
        Lookup::Unknown => {
            let similar = if worth_a_suggestion(context.diagnostics) { similar_failure(context, text) } else { None };
            context.report(message::unknown_failure(text, place, similar.as_deref()));
        }
    }
    None
}

fn similar_failure(context: &Context<'_>, text: &str) -> Option<Arc<str>> {
    let is_error = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Error(_));
    let declared = similar_name(context.model, context.item.file, text, false, is_error);
    closest(text, declared.as_deref().into_iter().chain(FAILURE_KINDS)).map(Arc::from)
}

/// `retry 3 { backoff exponential, base 200ms, max 2s, on [unavailable] }`. The errors in `fails` are those that may come, if that is
/// known; `who` is who has them.
pub(crate) fn retry(context: &mut Context<'_>, setting: &Setting, fails: Option<(&[FailureName], &str)>) -> Option<Retry> {
    let range = Count { least: 0, greatest: MOST_ATTEMPTS };
    let (value, block) = match &setting.value {
        SettingValue::Value { value, block } => (value, block.as_ref()),
        SettingValue::Block(block) => {
            wrong_value(context, setting, block.span, "the number of retries before the block, such as `retry 3 { … }`");
            return None;
        }
        _ => {
            let place = setting.span;
            wrong_value(context, setting, place, "the number of retries, such as `retry 3`");
            return None;
        }
    };
    let mut retry = retry_block(context, block, fails);
    retry.max = values::count(context, setting, value, range)?;
    Some(retry)
}

fn retry_block(context: &mut Context<'_>, block: Option<&Block>, fails: Option<(&[FailureName], &str)>) -> Retry {
    let mut retry = Retry { max: 0, backoff: None, base: None, cap: None, on: Box::default() };
    let settings = Settings::of_block(context, RETRY, block);
    for (name, setting) in settings.given {
        match name {
            "backoff" => {
                retry.backoff = values::word(context, setting, &["constant", "linear", "exponential"]).map(|word| match word {
                    "linear" => Backoff::Linear,
                    "exponential" => Backoff::Exponential,
                    _ => Backoff::Constant,
                });
            }
            "base" => retry.base = values::duration(context, setting),
            "max" => retry.cap = values::duration(context, setting),
            _ => {
                retry.on = failure_names(context, setting);
                check_possible(context, setting, &retry.on, fails);
            }
        }
    }
    retry
}

/// Reports declared errors that the tool does not fail with.
fn check_possible(context: &mut Context<'_>, setting: &Setting, on: &[FailureName], fails: Option<(&[FailureName], &str)>) {
    let Some((fails, who)) = fails else { return };
    let SettingValue::Value { value: Expr::List(list), .. } = &setting.value else { return };
    for item in &list.items {
        let Some(name) = bare_name(&item.value) else { continue };
        let text = context.text(name.span);
        let Lookup::Found(id) = context.scope.lookup(text, false) else { continue };
        let name_of_error = FailureName::Error(id);
        if on.contains(&name_of_error) && !fails.contains(&name_of_error) {
            context.report(message::retry_on(text, who, context.item.place(name.span)));
        }
    }
}
