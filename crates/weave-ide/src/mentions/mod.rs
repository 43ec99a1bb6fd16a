//! What the words of an item mean.
//!
//! Names of declarations, steps and topics are looked up here; the parts of paths and the keys of objects are taken from the compiler's own
//! [`trace`](weave_analysis::trace), because their meaning depends on types.

mod items;
mod literals;
mod scripts;
mod values;
mod workflows;

use rustc_hash::FxHashMap;
use weave_analysis::model::types::Type;
use weave_analysis::model::{DeclarationId, Lookup, Scope};
use weave_analysis::trace::{Trace, trace, trace_test};
use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::{Dotted, ItemKind, Name};

use crate::analysis::ItemView;
use crate::{Analysis, Symbol};

/// A word, and what it means. A word may mean several things at once, such as the fields of several alternatives; then it is mentioned once for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where the word stands; of a quoted key with its quotes.
    pub place: Place,
    /// What it means.
    pub symbol: Symbol,
    /// What it is there for.
    pub role: Role,
    /// The type of what is read with it, if it is part of a path.
    pub ty: Option<Type>,
    /// Whether what is read with it may be absent.
    pub absent: bool,
}

/// What a word is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It declares what it means.
    Declares,
    /// It brings it into this file.
    Imports,
    /// It reads it, calls it, or names it in some other way.
    Uses,
    /// It gives it a value, or emits it.
    Writes,
    /// It is a string that stands for it in data, such as the value of an enum.
    Says,
}

impl Analysis {
    /// What the words of a file mean, in the order of the text.
    #[must_use]
    pub fn mentions(&self, file: FileId) -> Vec<Mention> {
        self.items(file).flat_map(|item| self.mentions_in(&item)).collect()
    }

    /// What the word at an offset means; of two words that touch it the one behind it.
    #[must_use]
    pub fn mentions_at(&self, file: FileId, offset: u32) -> Vec<Mention> {
        let Some(item) = self.item_at(file, offset) else { return Vec::new() };
        let mut found = self.mentions_in(&item);
        found.retain(|mention| mention.place.span.touches(offset));
        let Some(last) = found.iter().map(|mention| mention.place).max_by_key(|place| (place.span.start, place.span.end)) else {
            return found;
        };
        found.retain(|mention| mention.place == last);
        found
    }

    /// What the words of an item mean, in the order of the text.
    pub(crate) fn mentions_in(&self, item: &ItemView<'_>) -> Vec<Mention> {
        let (Some(unit), Some(scope)) = (self.unit(item.context.file), self.model().scope(item.context.file)) else { return Vec::new() };
        let trace = match item.slot.parsed.item.kind {
            ItemKind::Test(_) => trace_test(self.model(), unit, item.index, None, &|id| self.body(id)),
            _ => trace(self.model(), unit, item.index, None),
        };
        let own = self.declared_by(item).map(|(id, _)| id);
        let mut walk = Walk { analysis: self, item: *item, scope, own, nodes: FxHashMap::default(), found: Vec::new() };
        walk.item();
        walk.trace(&trace);
        walk.bindings();
        let mut found = walk.found;
        found.sort_by(|one, other| (one.place, &one.symbol).cmp(&(other.place, &other.symbol)));
        found.dedup_by(|one, other| one.place == other.place && one.symbol == other.symbol);
        found
    }
}

/// An item whose words are looked up.
struct Walk<'a> {
    analysis: &'a Analysis,
    item: ItemView<'a>,
    scope: &'a Scope,
    /// What the item declares.
    own: Option<DeclarationId>,
    /// The nodes of a workflow, by their names.
    nodes: FxHashMap<&'a str, u32>,
    found: Vec<Mention>,
}

impl<'a> Walk<'a> {
    fn text(&self, span: Span) -> &'a str {
        span.text(self.item.context.text)
    }

    fn place(&self, span: Span) -> Place {
        self.item.place(span)
    }

    fn note(&mut self, span: Span, symbol: Symbol, role: Role) {
        if !span.is_empty() {
            self.found.push(Mention { place: self.place(span), symbol, role, ty: None, absent: false });
        }
    }

    /// A name of a declaration.
    fn name(&mut self, name: Name, role: Role) {
        if let Lookup::Found(id) = self.scope.lookup(self.text(name.span), false) {
            self.note(name.span, Symbol::Declaration(id), role);
        }
    }

    /// A topic.
    fn topic(&mut self, topic: Dotted, role: Role) {
        if topic.is_topic
            && let Lookup::Found(id) = self.scope.lookup(topic.text(self.item.context.text), true)
        {
            self.note(topic.span, Symbol::Declaration(id), role);
        }
    }

    /// The name that the item declares.
    fn declares(&mut self, span: Span) {
        if let Some(own) = self.own {
            self.note(span, Symbol::Declaration(own), Role::Declares);
        }
    }

    fn trace(&mut self, trace: &Trace) {
        values::readings(self, trace);
        literals::literals(self, trace);
    }
}
