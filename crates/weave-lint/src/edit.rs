//! Edits that several rules offer: a setting more, a setting less.

use weave_diagnostics::{Place, Span};
use weave_syntax::ast::{BlockEntry, Setting};

use crate::project::DeclarationView;

/// Where and how a setting is put behind another entry of its block.
pub(crate) fn behind(view: &DeclarationView<'_>, entry: Span, setting: &str) -> (Place, String) {
    (view.place(Span::at(entry.end)), separator(view.context.text, entry) + setting)
}

/// What stands between an entry and one that is put behind it: it goes onto a line of its own where the entry has one.
pub(crate) fn separator(item: &str, entry: Span) -> String {
    let before = item.get(..entry.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim().is_empty() { format!("\n{line}") } else { ", ".to_owned() }
}

/// What is taken away with a setting of a declaration.
pub(crate) fn without_setting(view: &DeclarationView<'_>, setting: &Setting) -> Place {
    let entries: Vec<Span> = view.block().into_iter().flat_map(|block| &block.entries).map(entry_span).collect();
    view.place(without_entry(view.context.text, &entries, setting.span))
}

/// Where an entry of a block stands.
pub(crate) const fn entry_span(entry: &BlockEntry) -> Span {
    match entry {
        BlockEntry::Setting(setting) => setting.span,
        BlockEntry::Data(entry) => entry.span,
    }
}

/// What is taken away with an entry of a block: its lines if nothing else stands on them.
pub(crate) fn without_entry(item: &str, entries: &[Span], entry: Span) -> Span {
    let before = item.get(..entry.start as usize).unwrap_or_default();
    let after = item.get(entry.end as usize..).unwrap_or_default();
    let indentation = before.rsplit('\n').next().unwrap_or_default();
    let rest = after.split_inclusive('\n').next().unwrap_or_default();
    let is_alone = indentation.trim().is_empty() && matches!(rest.trim(), "" | ",") && rest.ends_with('\n');
    if is_alone {
        return Span::new(entry.start - indentation.len() as u32, entry.end + rest.len() as u32);
    }
    let Some(index) = entries.iter().position(|other| *other == entry) else { return entry };
    without_item(item, entries, index)
}

/// What is taken away with an item of a list, or with an entry beside others: the comma goes with it.
pub(crate) fn without_item(item: &str, items: &[Span], index: usize) -> Span {
    let Some(span) = items.get(index).copied() else { return Span::at(0) };
    let next = items.get(index + 1).filter(|next| !Span::new(span.end, next.start).text(item).contains('\n'));
    let previous = index.checked_sub(1).and_then(|index| items.get(index));
    match (next, previous) {
        (Some(next), _) => Span::new(span.start, next.start),
        (None, Some(previous)) => Span::new(previous.end, span.end),
        (None, None) => items.get(index + 1).map_or(span, |next| Span::new(span.start, next.start)),
    }
}

/// A span, and the blanks before it: what goes away together with it.
pub(crate) fn with_blanks_before(text: &str, span: Span) -> Span {
    let before = text.get(..span.start as usize).unwrap_or_default();
    Span::new(before.trim_end().len() as u32, span.end)
}

/// A length of time as it is written in the language.
pub(crate) fn duration(millis: u64) -> String {
    const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];
    let mut left = millis;
    let mut text = String::new();
    for (unit, length) in UNITS {
        if left >= length {
            text.push_str(&format!("{}{unit}", left / length));
            left %= length;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}
