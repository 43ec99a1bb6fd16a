//! What holds for every list of entries: commas, and names that are given twice.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use weave_diagnostics::Span;

use super::{Pass, messages};
use crate::ast::{BlockEntry, Condition, Dotted, Entry, EnumValue, Expr, Field, LiteralKind, Meta, Name, StepEntry, Trigger, Variant};

/// Lists up to this length are compared pair by pair, which is faster than a table.
const SHORT: usize = 12;

/// An entry of braces.
pub(super) trait Listed {
    /// The entry, without its docs and attributes.
    fn span(&self) -> Span;

    /// Its docs and attributes, if it can have them.
    fn meta(&self) -> Option<&Meta> {
        None
    }
}

macro_rules! listed {
    ($($ty:ty),*) => { $(impl Listed for $ty {
        fn span(&self) -> Span { self.span }
        fn meta(&self) -> Option<&Meta> { Some(&self.meta) }
    })* };
}

listed!(Field, EnumValue, Variant);

impl Listed for Entry {
    fn span(&self) -> Span {
        self.span
    }
}

impl Listed for BlockEntry {
    fn span(&self) -> Span {
        match self {
            Self::Setting(setting) => setting.span,
            Self::Data(entry) => entry.span,
        }
    }
}

impl Listed for StepEntry {
    fn span(&self) -> Span {
        match self {
            Self::Action(action) => action.span(),
            Self::Setting(setting) => setting.span,
        }
    }
}

/// What stands between two entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// A comma or a line end.
    Separated,
    /// Blanks and comments only.
    Blank,
    /// Text that the parser has left out.
    Other,
}

fn gap(text: &str) -> Gap {
    let mut rest = text;
    let mut depth = 0_u32;
    let mut other = false;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        if rest.starts_with("/*") || (depth > 0 && rest.starts_with("*/")) {
            depth = if character == '/' { depth + 1 } else { depth - 1 };
            length = 2;
        } else if character == '\n' || (character == ',' && depth == 0) {
            return Gap::Separated;
        } else {
            other |= depth == 0 && !character.is_whitespace();
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    if other { Gap::Other } else { Gap::Blank }
}

/// Where an entry starts, docs and attributes included.
fn start(entry: &impl Listed) -> u32 {
    let own = entry.span().start;
    let Some(meta) = entry.meta() else { return own };
    let doc = meta.docs.first().map_or(own, |doc| doc.start);
    let attribute = meta.attributes.first().map_or(own, |attribute| attribute.span.start);
    own.min(doc).min(attribute)
}

impl<'a> Pass<'a> {
    /// Entries of braces on one line have a comma between them.
    pub(super) fn entries(&mut self, entries: &[impl Listed]) {
        for pair in entries.windows(2) {
            let [before, behind] = pair else { continue };
            self.separation(before.span(), start(behind));
        }
    }

    /// Two entries, or the last one and a `...`, have a comma or a line end between them.
    pub(super) fn separation(&mut self, before: Span, next: u32) {
        let between = self.between(before.end, next);
        // The usual case first: a comma directly behind the entry, or a line end there.
        if matches!(between.as_bytes().first(), Some(b',' | b'\n')) {
            return;
        }
        if gap(between) == Gap::Blank {
            self.report_shape(messages::missing_comma(before.end));
        }
    }

    /// A key is given once in an object, or among the data of a block.
    pub(super) fn keys(&mut self, entries: &[impl Named<'a>]) {
        self.duplicates(entries, |pass, word, place, earlier| pass.report(messages::duplicate_key(word, place, earlier)));
    }

    /// Calls `report` for each name that an earlier one of the list has too, with both.
    pub(super) fn duplicates(&mut self, names: &[impl Named<'a>], report: impl Fn(&mut Self, &str, Span, Span)) {
        let text = self.text;
        if names.len() <= SHORT {
            for (index, name) in names.iter().enumerate() {
                let Some(word) = name.word(text) else { continue };
                let earlier = names.iter().take(index).find(|other| other.word(text).as_ref() == Some(&word));
                if let Some(earlier) = earlier {
                    report(self, &word, name.place(), earlier.place());
                }
            }
            return;
        }
        let mut seen = FxHashMap::<Cow<'a, str>, Span>::default();
        for name in names {
            let Some(word) = name.word(text) else { continue };
            match seen.get(&word) {
                Some(earlier) => report(self, &word, name.place(), *earlier),
                None => {
                    seen.insert(word, name.place());
                }
            }
        }
    }

    /// The docs and attributes of something.
    pub(super) fn meta(&mut self, meta: &Meta) {
        for attribute in &meta.attributes {
            for argument in &attribute.arguments {
                // No attribute takes a number, which the analysis says.
                if !matches!(&argument.value, Expr::Literal(literal) if literal.kind == LiteralKind::Number) {
                    self.setting_value(&argument.value, super::values::Strings::Plain);
                }
            }
        }
    }

    /// Names that stand for a set.
    pub(super) fn set(&mut self, names: &[impl Named<'a>]) {
        self.duplicates(names, |pass, word, place, earlier| pass.report(messages::duplicate_entry(word, place, earlier)));
    }
}

/// Something with a name, which is compared with others.
pub(super) trait Named<'n> {
    /// What the name says; nothing if it is missing.
    fn word(&self, text: &'n str) -> Option<Cow<'n, str>>;

    /// Where it stands.
    fn place(&self) -> Span;
}

impl<'n> Named<'n> for Name {
    fn word(&self, text: &'n str) -> Option<Cow<'n, str>> {
        (!self.is_missing()).then(|| Cow::Borrowed(self.text(text)))
    }

    fn place(&self) -> Span {
        self.span
    }
}

impl<'n> Named<'n> for Dotted {
    fn word(&self, text: &'n str) -> Option<Cow<'n, str>> {
        (!self.is_missing(text)).then(|| Cow::Borrowed(self.text(text)))
    }

    fn place(&self) -> Span {
        self.span
    }
}

macro_rules! keyed {
    ($($ty:ty: $key:ident),*) => { $(impl<'n> Named<'n> for $ty {
        fn word(&self, text: &'n str) -> Option<Cow<'n, str>> {
            (!self.$key.is_missing()).then(|| self.$key.text(text))
        }

        fn place(&self) -> Span {
            self.$key.span
        }
    })* };
}

keyed!(Field: name, Variant: name, Entry: key);

/// A trigger without a guard, by all that it says; two guards on one source are two reasons to fire.
impl<'n> Named<'n> for Trigger {
    fn word(&self, text: &'n str) -> Option<Cow<'n, str>> {
        let written = self.span.text(text);
        let is_plain = !matches!(self.condition, Some(Condition::When { .. })) && !written.is_empty() && !written.contains('\n');
        is_plain.then_some(Cow::Borrowed(written))
    }

    fn place(&self) -> Span {
        self.span
    }
}

impl<'n, N: Named<'n>> Named<'n> for &N {
    fn word(&self, text: &'n str) -> Option<Cow<'n, str>> {
        (*self).word(text)
    }

    fn place(&self) -> Span {
        (*self).place()
    }
}

/// A value of an enum, by its string on the wire.
pub(super) struct Wire<'a>(pub(super) &'a EnumValue);

impl<'n> Named<'n> for Wire<'_> {
    fn word(&self, text: &'n str) -> Option<Cow<'n, str>> {
        match &self.0.wire {
            None => self.0.name.word(text),
            Some(Expr::Literal(literal)) if literal.kind == LiteralKind::String => Some(crate::text::literal_value(text, *literal)),
            Some(_) => None,
        }
    }

    fn place(&self) -> Span {
        self.0.wire.as_ref().map_or(self.0.name.span, Expr::span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_told_apart() {
        assert_eq!(gap(" "), Gap::Blank);
        assert_eq!(gap(""), Gap::Blank);
        assert_eq!(gap(" /* a, b /* c */ */ "), Gap::Blank);
        assert_eq!(gap(" /* a */, "), Gap::Separated);
        assert_eq!(gap(" // a\n"), Gap::Separated);
        assert_eq!(gap(" /* a \n */"), Gap::Separated);
        assert_eq!(gap(" x "), Gap::Other);
    }
}
