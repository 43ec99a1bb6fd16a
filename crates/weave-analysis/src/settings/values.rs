//! The values that settings have.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json};
use weave_diagnostics::{Place, Span, closest};
use weave_syntax::ast::{Block, BlockEntry, Expr, List, Literal, LiteralKind, Name, Root, Segment, Setting, SettingValue};
use weave_syntax::text::{self, Number};

use crate::declare::Context;
use crate::expression::{Environment, Values, check_guard, check_template};
use crate::messages::settings as message;
use crate::model::guard::Guard;
use crate::model::types::Type;
use crate::model::value::Template;
use crate::types::constant;

/// A number that a setting takes.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub(super) least: u64,
    pub(super) greatest: u64,
}

/// Where the value of a setting stands.
pub(super) fn value_span(setting: &Setting) -> Span {
    match &setting.value {
        SettingValue::Value { value, block } => block.as_ref().map_or(value.span(), |block| value.span().join(block.span)),
        SettingValue::Block(block) => block.span,
        SettingValue::When { when, guard } => when.join(guard.span()),
        SettingValue::Type(ty) => ty.span(),
        SettingValue::Example { input, .. } => input.span(),
    }
}

/// Reports that a setting expects something else.
pub(super) fn wrong_value(context: &mut Context<'_>, setting: &Setting, at: Span, expected: &str) {
    let name = context.text(setting.name.span);
    context.report(message::setting_value(name, expected, context.item.place(at)));
}

/// The value of a setting that has no block; nothing if it is something else, which is reported, or missing.
pub(super) fn plain<'s>(context: &mut Context<'_>, setting: &'s Setting, expected: &str) -> Option<&'s Expr> {
    match &setting.value {
        SettingValue::Value { value: Expr::Missing(_), .. } => None,
        SettingValue::Value { value, block: None } => Some(value),
        SettingValue::Value { block: Some(block), .. } => {
            wrong_value(context, setting, block.span, expected);
            None
        }
        _ => {
            wrong_value(context, setting, value_span(setting), expected);
            None
        }
    }
}

/// A literal of one of these kinds.
fn literal(context: &mut Context<'_>, setting: &Setting, kinds: &[LiteralKind], expected: &str) -> Option<Literal> {
    match plain(context, setting, expected)? {
        Expr::Literal(literal) if kinds.contains(&literal.kind) => Some(*literal),
        other => {
            wrong_value(context, setting, other.span(), expected);
            None
        }
    }
}

/// A string.
pub(super) fn string(context: &mut Context<'_>, setting: &Setting, expected: &str) -> Option<Arc<str>> {
    let found = literal(context, setting, &[LiteralKind::String], expected)?;
    let value = text::literal_value(context.item.text, found);
    if value.trim().is_empty() {
        wrong_value(context, setting, found.span, expected);
        return None;
    }
    Some(Arc::from(value))
}

/// A string or a bare name.
pub(super) fn string_or_name(context: &mut Context<'_>, setting: &Setting, expected: &str) -> Option<Arc<str>> {
    if let SettingValue::Value { value, block: None } = &setting.value
        && let Some(name) = bare_name(value)
    {
        return Some(Arc::from(context.text(name.span)));
    }
    string(context, setting, expected)
}

/// A string with placeholders over what a leading dot names.
pub(super) fn template(context: &mut Context<'_>, setting: &Setting, values: &dyn Values, expected: &str) -> Option<Template> {
    let found = literal(context, setting, &[LiteralKind::String, LiteralKind::TextBlock], expected)?;
    Some(template_of(context, found, values))
}

/// The placeholders of a literal over what a leading dot names.
pub(super) fn template_of(context: &mut Context<'_>, literal: Literal, values: &dyn Values) -> Template {
    let sink = context.sink();
    let found = check_template(&Environment::new(context.model, context.item, values, &sink), literal);
    context.diagnostics.extend(sink.into_diagnostics());
    found
}

/// A guard over what a leading dot names.
pub(super) fn guard(context: &mut Context<'_>, guard: &Expr, values: &dyn Values) -> Guard {
    let sink = context.sink();
    let found = check_guard(&Environment::new(context.model, context.item, values, &sink), guard);
    context.diagnostics.extend(sink.into_diagnostics());
    found
}

/// A length of time that is not zero, in milliseconds.
pub(super) fn duration(context: &mut Context<'_>, setting: &Setting) -> Option<u64> {
    let expected = "a duration, such as `30s`";
    let found = literal(context, setting, &[LiteralKind::Duration], expected)?;
    // One that is too long has been reported.
    let length = text::duration_millis(context.text(found.span))?;
    if length == 0 {
        wrong_value(context, setting, found.span, expected);
        return None;
    }
    Some(length)
}

/// A whole number in a range.
pub(super) fn count(context: &mut Context<'_>, setting: &Setting, value: &Expr, range: Count) -> Option<u64> {
    let Expr::Literal(Literal { span, kind: LiteralKind::Number }) = value else {
        if !matches!(value, Expr::Missing(_)) {
            wrong_value(context, setting, value.span(), &count_words(range));
        }
        return None;
    };
    // A number that is too large to be carried has been reported.
    let number = text::number(context.text(*span)).ok()?;
    let found = if let Number::Integer(number) = number { u64::try_from(number).ok() } else { None };
    let found = found.filter(|number| (range.least..=range.greatest).contains(number));
    if found.is_none() {
        wrong_value(context, setting, *span, &count_words(range));
    }
    found
}

fn count_words(range: Count) -> String {
    format!("an integer from {} to {}", range.least, range.greatest)
}

/// `true` or `false`.
pub(super) fn flag(context: &mut Context<'_>, setting: &Setting) -> Option<bool> {
    let found = literal(context, setting, &[LiteralKind::True, LiteralKind::False], "`true` or `false`")?;
    Some(found.kind == LiteralKind::True)
}

/// A bare name.
pub(super) fn bare_name(value: &Expr) -> Option<Name> {
    match value {
        Expr::Path(path) if path.segments.is_empty() => match path.root {
            Root::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// One of these words.
pub(super) fn word(context: &mut Context<'_>, setting: &Setting, words: &[&'static str]) -> Option<&'static str> {
    let value = plain(context, setting, &message::one_of(words))?;
    word_of(context, setting, value, words)
}

/// One of these words, of which the value stands in a list.
fn word_of(context: &mut Context<'_>, setting: &Setting, value: &Expr, words: &[&'static str]) -> Option<&'static str> {
    let Some(name) = bare_name(value) else {
        if !matches!(value, Expr::Missing(_)) {
            wrong_value(context, setting, value.span(), &message::one_of(words));
        }
        return None;
    };
    let text = context.text(name.span);
    let found = words.iter().find(|word| **word == text).copied();
    if found.is_none() {
        let place = context.item.place(name.span);
        let similar = closest(text, words.iter().copied());
        context.report(message::unknown_word(context.text(setting.name.span), text, words, place, similar));
    }
    found
}

/// A list of these words, each once.
pub(super) fn words(context: &mut Context<'_>, setting: &Setting, words: &[&'static str]) -> Option<Vec<&'static str>> {
    let list = list(context, setting, "a list of words, such as `[read_only]`")?;
    let mut found: Vec<&'static str> = Vec::new();
    let mut once = Once::default();
    for item in &list.items {
        let Some(word) = word_of(context, setting, &item.value, words) else { continue };
        if once.is_new(context, word, item.value.span()) {
            found.push(word);
        }
    }
    Some(found)
}

/// A list of names that are declared nowhere, each once.
pub(super) fn free_names(context: &mut Context<'_>, setting: &Setting, expected: &str) -> Box<[Arc<str>]> {
    let Some(list) = list(context, setting, expected) else { return Box::default() };
    let mut found: Vec<Arc<str>> = Vec::with_capacity(list.items.len());
    let mut once = Once::default();
    for item in &list.items {
        match bare_name(&item.value) {
            Some(name) if item.alias.is_none() => {
                let text = context.text(name.span);
                if once.is_new(context, text, name.span) {
                    found.push(Arc::from(text));
                }
            }
            _ if matches!(item.value, Expr::Missing(_)) => {}
            _ => wrong_value(context, setting, item.value.span(), expected),
        }
    }
    found.into_boxed_slice()
}

/// The entries of a list that stands for a set, each with where it was named first.
pub(super) struct Once<K>(FxHashMap<K, Span>);

impl<K> Default for Once<K> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Eq + Hash> Once<K> {
    /// Whether an entry was not named before; if it was, that is reported.
    pub(super) fn is_new(&mut self, context: &mut Context<'_>, entry: K, at: Span) -> bool {
        match self.0.entry(entry) {
            Entry::Vacant(vacant) => {
                vacant.insert(at);
                true
            }
            Entry::Occupied(earlier) => {
                let earlier = context.item.place(*earlier.get());
                context.report(message::listed_twice(context.text(at), context.item.place(at), earlier));
                false
            }
        }
    }
}

/// A list.
pub(super) fn list<'s>(context: &mut Context<'_>, setting: &'s Setting, expected: &str) -> Option<&'s List> {
    match plain(context, setting, expected)? {
        Expr::List(list) => Some(list),
        other => {
            wrong_value(context, setting, other.span(), expected);
            None
        }
    }
}

/// `function("…", "…")` with so many strings that say something.
pub(super) fn call<const N: usize>(context: &mut Context<'_>, setting: &Setting, function: &str, expected: &str) -> Option<[Arc<str>; N]> {
    let value = plain(context, setting, expected)?;
    let found = call_of(context, value, function);
    if found.is_none() {
        wrong_value(context, setting, value.span(), expected);
    }
    found
}

fn call_of<const N: usize>(context: &Context<'_>, value: &Expr, function: &str) -> Option<[Arc<str>; N]> {
    let Expr::Path(path) = value else { return None };
    let (Root::Name(name), [Segment::Call { arguments, .. }]) = (&path.root, &*path.segments) else { return None };
    if name.text(context.item.text) != function {
        return None;
    }
    let strings = arguments.iter().map(|argument| match argument {
        Expr::Literal(literal) if literal.kind == LiteralKind::String => {
            Some(Arc::<str>::from(text::literal_value(context.item.text, *literal))).filter(|text| !text.is_empty())
        }
        _ => None,
    });
    strings.collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// A block of data, as an object.
pub(super) fn data_block(context: &mut Context<'_>, setting: &Setting, expected: &str) -> Option<Json> {
    match &setting.value {
        SettingValue::Block(block) => Some(data(context, setting, block)),
        SettingValue::Value { value: Expr::Missing(_), .. } => None,
        _ => {
            wrong_value(context, setting, value_span(setting), expected);
            None
        }
    }
}

/// A name and perhaps a block of data.
pub(super) fn name_and_data(context: &mut Context<'_>, setting: &Setting, expected: &str) -> Option<(Arc<str>, Json)> {
    let SettingValue::Value { value, block } = &setting.value else {
        wrong_value(context, setting, value_span(setting), expected);
        return None;
    };
    let Some(name) = bare_name(value) else {
        if !matches!(value, Expr::Missing(_)) {
            wrong_value(context, setting, value.span(), expected);
        }
        return None;
    };
    let data = block.as_ref().map_or_else(|| Json::Object(Map::new()), |block| data(context, setting, block));
    Some((Arc::from(context.text(name.span)), data))
}

fn data(context: &mut Context<'_>, setting: &Setting, block: &Block) -> Json {
    let mut found = Map::new();
    for entry in &block.entries {
        match entry {
            BlockEntry::Data(entry) if !entry.key.is_missing() => {
                let key = entry.key.text(context.item.text).into_owned();
                if let Some(value) = constant(context, &entry.value, &Type::Json) {
                    found.entry(key).or_insert(value);
                }
            }
            BlockEntry::Data(_) => {}
            // In most blocks of data the parser has said so.
            BlockEntry::Setting(inner) if matches!(context.text(setting.name.span), "binding" | "options") && !inner.name.is_missing() => {
                let name = context.text(inner.name.span);
                context.report(message::data_without_colon(name, context.item.place(inner.name.span)));
            }
            BlockEntry::Setting(_) => {}
        }
    }
    Json::Object(found)
}

/// The place of a setting's name.
pub(super) fn name_place(context: &Context<'_>, setting: &Setting) -> Place {
    context.item.place(setting.name.span)
}

/// Whether something in a list of names is left out, because it is wrong or follows from what is.
pub(super) fn is_short_of(setting: &Setting, found: usize) -> bool {
    matches!(&setting.value, SettingValue::Value { value: Expr::List(list), .. } if list.items.len() > found)
}
