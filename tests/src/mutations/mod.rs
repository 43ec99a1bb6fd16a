//! Mutations of meaning: small changes that a person might make by mistake, each of them still well formed.
//!
//! They are made from the syntax tree, so that a change is what it says and nothing else; which of all of them are taken is decided by a
//! seed, so that the same program always gives the same ones.

mod declarations;
mod nodes;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use weave_diagnostics::Span;
use weave_syntax::ast::ItemKind;
use weave_syntax::parse;

use crate::random::Random;

/// A change to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// What is done, in a few words: `drop a guard`.
    pub kind: &'static str,
    /// What is written in place of what, in the order of the text.
    edits: Vec<(Span, String)>,
}

impl Mutation {
    /// The changed text.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let mut written = String::new();
        let mut behind = 0;
        for (span, new) in &self.edits {
            written.push_str(&text[behind..span.start as usize]);
            written.push_str(new);
            behind = span.end as usize;
        }
        written.push_str(&text[behind..]);
        written
    }
}

/// Kinds that change how something is done rather than what is done, so that most of them are no mistake: they are taken last.
const LESSER: [&str; 15] = [
    "change a constant",
    "drop a constraint",
    "drop a default",
    "drop a failure of a retry",
    "drop a hint",
    "drop a namespace",
    "drop a prompt",
    "drop a retry",
    "drop a step of a history",
    "drop a timeout",
    "drop a value of an enum",
    "drop an approval",
    "drop deferred",
    "drop min",
    "drop parallel",
];

/// `count` mutations of a program, as many kinds of them as there are, in the order of the text.
#[must_use]
pub fn chosen(text: &str, count: usize, seed: u64) -> Vec<Mutation> {
    let mut random = Random::new(seed);
    let mut by_kind: BTreeMap<&'static str, Vec<Mutation>> = BTreeMap::new();
    for mutation in all(text) {
        by_kind.entry(mutation.kind).or_default().push(mutation);
    }
    let mut kinds = by_kind.into_values().collect::<Vec<_>>();
    random.shuffle(&mut kinds);
    kinds.sort_by_key(|mutations| mutations.first().is_some_and(|mutation| LESSER.contains(&mutation.kind)));
    kinds.iter_mut().for_each(|mutations| random.shuffle(mutations));
    let mut taken = Vec::new();
    while taken.len() < count && kinds.iter().any(|mutations| !mutations.is_empty()) {
        for mutations in &mut kinds {
            taken.extend(mutations.pop());
        }
    }
    taken.truncate(count);
    taken.sort_by_key(|mutation| mutation.edits.first().map(|(span, _)| *span));
    taken
}

/// All mutations of a program.
#[must_use]
pub fn all(text: &str) -> Vec<Mutation> {
    let file = parse(Arc::from(text));
    let mut names = Names::default();
    for slot in &file.items {
        names.add(&slot.parsed.item.kind, file.item_text(slot));
    }
    let mut found = Vec::new();
    for slot in &file.items {
        let mut collector = Collector { text: file.item_text(slot), start: slot.start, names: &names, found: &mut found };
        match &slot.parsed.item.kind {
            ItemKind::Workflow(workflow) => collector.workflow(workflow),
            declaration => collector.declaration(declaration),
        }
    }
    found
}

/// The names that a program declares, for what is taken for something else.
#[derive(Default)]
struct Names {
    tools: Vec<String>,
    agents: Vec<String>,
    workflows: Vec<String>,
}

impl Names {
    fn add(&mut self, item: &ItemKind, text: &str) {
        let (names, name) = match item {
            ItemKind::Tool(tool) => (&mut self.tools, tool.name),
            ItemKind::Agent(agent) => (&mut self.agents, agent.name),
            ItemKind::Workflow(workflow) => (&mut self.workflows, workflow.name),
            _ => return,
        };
        names.push(name.text(text).to_owned());
    }
}

/// Finds mutations in an item.
struct Collector<'a> {
    /// The text of the item, in which spans count.
    text: &'a str,
    /// Where the item starts in the file.
    start: u32,
    names: &'a Names,
    found: &'a mut Vec<Mutation>,
}

impl Collector<'_> {
    /// Another text in place of a span of the item.
    fn replace(&mut self, kind: &'static str, span: Span, new: impl Into<String>) {
        self.replace_all(kind, vec![(span, new.into())]);
    }

    /// Other texts in place of several spans, which are in the order of the text.
    fn replace_all(&mut self, kind: &'static str, edits: Vec<(Span, String)>) {
        let edits = edits.into_iter().map(|(span, new)| (span.shifted(self.start), new)).collect();
        self.found.push(Mutation { kind, edits });
    }

    /// Nothing in place of a span, and of the blanks before it.
    fn drop(&mut self, kind: &'static str, span: Span) {
        let before = self.text[..span.start as usize].trim_end().len() as u32;
        self.replace(kind, Span::new(before, span.end), "");
    }

    /// One item less of a list with separators.
    fn drop_item(&mut self, kind: &'static str, items: &[Span], index: usize) {
        let item = items[index];
        let span = match (items.get(index + 1), index.checked_sub(1)) {
            (Some(next), _) => Span::new(item.start, next.start),
            (None, Some(before)) => Span::new(items[before].end, item.end),
            (None, None) => item,
        };
        self.replace(kind, span, "");
    }

    /// Each item of a list with separators once, if something is left then.
    fn drop_each(&mut self, kind: &'static str, items: &[Span]) {
        if items.len() > 1 {
            (0..items.len()).for_each(|index| self.drop_item(kind, items, index));
        }
    }

    /// The name behind this one in a list of names, the first behind the last.
    fn next_of(span: Span, text: &str, names: &[String]) -> Option<String> {
        let found = span.text(text);
        let index = names.iter().position(|name| name == found)?;
        let other = &names[(index + 1) % names.len()];
        (other != found).then(|| other.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "tool look(id: string) -> { n: int }\n\nworkflow w(id: string) -> int {\n  step a { call look { id: .input.id } }\n  \
                        end done on a when .a.n > 1 = .a.n\n  end other on a else = 0\n}\n";

    #[test]
    fn a_mutation_changes_what_it_says() {
        let all = all(TEXT);
        let guard = all.iter().find(|mutation| mutation.kind == "drop a guard").unwrap();
        assert_eq!(guard.apply(TEXT), TEXT.replace(" when .a.n > 1", ""));
        let otherwise = all.iter().find(|mutation| mutation.kind == "drop an else").unwrap();
        assert_eq!(otherwise.apply(TEXT), TEXT.replace(" else", ""));
        assert!(all.iter().all(|mutation| mutation.apply(TEXT) != TEXT), "{all:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_mutations() {
        assert_eq!(chosen(TEXT, 5, 1), chosen(TEXT, 5, 1));
        assert_ne!(chosen(TEXT, 5, 1), chosen(TEXT, 5, 2));
        assert_eq!(chosen(TEXT, 5, 1).len(), 5);
    }
}
