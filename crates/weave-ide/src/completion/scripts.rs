//! What can stand in a test.

use weave_analysis::model::workflow::WorkflowBody;
use weave_analysis::model::{DeclarationKind, Lookup};
use weave_analysis::offers::{self, Offers};
use weave_syntax::ast::{ItemKind, NodeKind};

use super::place::InTest;
use super::{Completer, Completion, CompletionKind, plain};

/// What begins a line, and what is said about it.
const VERBS: [(&str, &str); 10] = [
    ("start", "the input of the run"),
    ("answer", "a model, a tool or a child run gives this"),
    ("fail", "a step fails"),
    ("call", "an agent calls a tool in its loop"),
    ("send", "an event from outside"),
    ("approve", "a tool may run"),
    ("reject", "a tool may not run"),
    ("wait", "time passes"),
    ("expect", "what has happened"),
    ("open", "the steps that are open, and no others"),
];

impl Completer<'_> {
    /// What is offered in a test; nothing if the cursor is in no test, or in a value, whose fields are offered as everywhere.
    pub(super) fn in_test(&self) -> Option<Vec<Completion>> {
        let item = self.item?;
        let ItemKind::Test(test) = &item.slot.parsed.item.kind else { return None };
        let before = self.before()?;
        let place = before.in_test()?;
        let mut items = Vec::new();
        if place == InTest::Workflow {
            let workflows = self.named(&|kind| matches!(kind, DeclarationKind::Workflow(_)));
            items.extend(workflows.map(|(name, _)| plain(name, CompletionKind::Callable)));
            return Some(items);
        }
        let scope = self.analysis.model().scope(self.file)?;
        let name = test.workflow?.text(item.context.text);
        let Lookup::Found(workflow) = scope.lookup(name, false) else { return Some(items) };
        let (Some(offers), Some(body)) =
            (offers::of(self.analysis.model(), workflow, self.analysis.body(workflow)?), self.analysis.body(workflow))
        else {
            return Some(items);
        };
        let list = Names { offers, body };
        match place {
            InTest::Value => {
                self.fields(&mut items);
                return Some(items);
            }
            InTest::Line => {
                let started = test.entries.len() > usize::from(!self.word.is_empty());
                let verbs = VERBS.iter().filter(|(verb, _)| started == (*verb != "start"));
                items.extend(verbs.map(|(verb, about)| Completion { detail: (*about).to_owned(), ..plain(verb, CompletionKind::Keyword) }));
                items.push(plain("test", CompletionKind::Keyword));
            }
            InTest::List(verb) => list.nodes(|kind| verb != "open" || kind == NodeKind::Step, &mut items),
            InTest::Words(words) => list.behind(&words, &mut items),
            InTest::Header => items.push(plain("of", CompletionKind::Keyword)),
            InTest::Workflow => {}
        }
        Some(items)
    }

    /// The fields of the object around the cursor, the strings that are right there, and `...`.
    fn fields(&self, items: &mut Vec<Completion>) {
        let begins = self.before().is_some_and(|before| before.begins_entry());
        if begins {
            self.keys(items);
            items.push(Completion { detail: "all other fields".to_owned(), ..plain("...", CompletionKind::Keyword) });
        } else if let Some(ty) = &self.trace.at_cursor.wanted {
            let strings = weave_analysis::trace::strings_of(self.analysis.model(), ty);
            items.extend(strings.iter().map(|string| plain(&weave_syntax::text::quoted_string(string), CompletionKind::Literal)));
            items
                .extend(weave_analysis::trace::words_of(self.analysis.model(), ty).iter().map(|word| plain(word, CompletionKind::Keyword)));
        }
    }
}

/// The names that a test of a workflow can have.
struct Names<'a> {
    offers: Offers,
    body: &'a WorkflowBody,
}

impl Names<'_> {
    fn nodes(&self, accepts: impl Fn(NodeKind) -> bool, items: &mut Vec<Completion>) {
        let nodes = self.body.nodes.iter().filter(|node| accepts(node.kind));
        items.extend(nodes.map(|node| plain(&node.name, CompletionKind::Step)));
    }

    fn steps(&self, steps: &[u32], items: &mut Vec<Completion>) {
        for node in steps.iter().filter_map(|step| self.body.nodes.get(*step as usize)) {
            let elements = if node.each.is_some() { "[]" } else { "" };
            items.push(plain(&format!("{}{elements}", node.name), CompletionKind::Step));
        }
    }

    /// What follows these words of a line.
    fn behind(&self, words: &[&str], items: &mut Vec<Completion>) {
        let offers = &self.offers;
        match words {
            ["answer"] => self.steps(&offers.answerable, items),
            ["fail"] => {
                let steps: Vec<u32> = offers.failures.iter().map(|(step, _)| *step).collect();
                self.steps(&steps, items);
            }
            ["fail", step, ..] if !words.iter().skip(2).any(|word| is_name(word)) => {
                let step = step.split(['#', '[']).next().unwrap_or_default();
                let index = self.body.nodes.iter().position(|node| *node.name == *step);
                let found = offers.failures.iter().find(|(node, _)| Some(*node as usize) == index);
                let kinds = found.into_iter().flat_map(|(_, kinds)| kinds);
                items.extend(kinds.map(|kind| plain(kind, CompletionKind::Failure)));
            }
            ["fail", ..] => items.push(plain("once", CompletionKind::Keyword)),
            ["call"] => items.extend(offers.calls.iter().map(|(tool, _)| plain(tool, CompletionKind::Callable))),
            ["call", _] => items.push(plain("from", CompletionKind::Keyword)),
            ["call", tool, "from"] => {
                let steps: Vec<u32> = offers.calls.iter().filter(|(name, _)| **name == **tool).map(|(_, step)| *step).collect();
                self.steps(&steps, items);
            }
            ["send"] => items.extend(offers.topics.iter().map(|(topic, _)| plain(topic, CompletionKind::Topic))),
            ["send", topic @ .., "from"] => {
                let topic = topic.concat();
                let found = offers.topics.iter().find(|(name, _)| **name == *topic);
                found.into_iter().for_each(|(_, steps)| self.steps(steps, items));
            }
            ["send", ..] => items.push(plain("from", CompletionKind::Keyword)),
            ["approve" | "reject"] => self.steps(&offers.approvable, items),
            ["wait"] => items.push(plain("until", CompletionKind::Keyword)),
            ["expect"] => {
                self.nodes(|_| true, items);
                items.push(plain("failure", CompletionKind::Keyword));
            }
            ["expect", "!"] => self.nodes(|_| true, items),
            ["expect", "failure"] => items.extend(offers.failures_of_run.iter().map(|kind| plain(kind, CompletionKind::Failure))),
            _ => {}
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}
