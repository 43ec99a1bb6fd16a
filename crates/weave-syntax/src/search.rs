//! The cheapest way to go on where a token does not fit: a search over insertions and deletions, on the parser's states alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::costs::{CONFUSED, INSERTABLE, OPERATORS, REPLACEABLE};
use crate::feed::Lexeme;
use crate::layout::{Layout, is_name_reading};
use crate::tables::{START, State, Step, Terminal, goto, step, terminal};
use crate::token::TokenKind as K;

/// One part of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// A token of this kind is assumed.
    Insert(K),
    /// The token with this number is left out.
    Delete(usize),
    /// The token with this number is read as this kind.
    Replace(usize, K),
    /// The token with this number is read as it is.
    Keep(usize),
}

/// A place where a repair may start.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The number of the token there.
    pub position: usize,
    /// How many tokens are planned before it.
    pub planned: usize,
    /// The states before it.
    pub states: Vec<State>,
}

/// What a search has found.
pub(crate) struct Found {
    /// The number of the token before which it starts.
    pub from: usize,
    /// What is to be done from there on.
    pub edits: Vec<Edit>,
}

/// How many tokens must fit from the one on that did not.
const CONFIRMED: usize = 4;

/// What it costs when something is still missing at the end.
const UNFINISHED: u32 = 3;

/// How far the fallback looks for a line to go on with.
const LINES: usize = 48;

/// Stacks of states that share their lower parts; equal stacks have equal numbers.
struct Stacks {
    nodes: Vec<(u32, State)>,
    known: FxHashMap<(u32, State), u32>,
}

type StackId = u32;

/// Below all stacks.
const GROUND: StackId = u32::MAX;

enum Outcome {
    Shift(StackId),
    Accept,
    Error,
}

impl Stacks {
    fn new() -> Self {
        Self { nodes: Vec::with_capacity(512), known: FxHashMap::default() }
    }

    fn load(&mut self, states: &[State]) -> StackId {
        states.iter().fold(GROUND, |below, state| self.push(below, *state))
    }

    fn push(&mut self, below: StackId, state: State) -> StackId {
        let next = self.nodes.len() as u32;
        let id = *self.known.entry((below, state)).or_insert(next);
        if id == next {
            self.nodes.push((below, state));
        }
        id
    }

    fn get(&self, id: StackId) -> (StackId, State) {
        self.nodes.get(id as usize).copied().unwrap_or((GROUND, START))
    }

    fn feed(&mut self, mut stack: StackId, token: Terminal) -> Outcome {
        loop {
            match step(self.get(stack).1, token) {
                Step::Shift(state) => return Outcome::Shift(self.push(stack, state)),
                Step::Accept => return Outcome::Accept,
                Step::Error => return Outcome::Error,
                Step::Reduce { states, nonterminal } => {
                    for _ in 0..states {
                        stack = self.get(stack).0;
                    }
                    stack = self.push(stack, goto(self.get(stack).1, nonterminal));
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Node {
    stack: StackId,
    position: usize,
    cost: u32,
    edit: Option<Edit>,
    before: usize,
    /// Whether the cost has that of what is missing at the end.
    settled: bool,
}

/// What follows a repair.
enum GoesOn {
    Yes,
    /// All that follows fits, but something is missing at the end.
    ToTheEnd,
    No,
}

/// One search.
pub(crate) struct Search<'a> {
    lexemes: &'a [Lexeme],
    layout: &'a Layout<'a>,
    budget: &'a mut Budget,
    /// The number of the token that does not fit.
    at: usize,
    stacks: Stacks,
    nodes: Vec<Node>,
    queue: BinaryHeap<Reverse<(u32, usize)>>,
    best: FxHashMap<(usize, StackId), u32>,
}

impl<'a> Search<'a> {
    /// A search for repairs that start at one of these places; the last of them is the token that does not fit.
    pub(crate) fn new(lexemes: &'a [Lexeme], layout: &'a Layout<'a>, origins: &[Origin], at: usize, budget: &'a mut Budget) -> Self {
        let mut search = Self {
            lexemes,
            layout,
            budget,
            at,
            stacks: Stacks::new(),
            nodes: Vec::new(),
            queue: BinaryHeap::new(),
            best: FxHashMap::default(),
        };
        for origin in origins.iter().rev() {
            let stack = search.stacks.load(&origin.states);
            let cost = (at - origin.position) as u32;
            let number = search.nodes.len();
            search.nodes.push(Node { stack, position: origin.position, cost, edit: None, before: number, settled: false });
            search.queue.push(Reverse((cost, number)));
        }
        search
    }

    /// The cheapest repair, a rough one if that would take too long, and none if too much was repaired already.
    pub(crate) fn run(mut self) -> Option<Found> {
        if self.budget.is_spent() {
            return None;
        }
        let most = self.budget.next();
        let mut looked_at = 0;
        let mut found = None;
        while let Some(Reverse((cost, number))) = self.queue.pop() {
            let Some(&node) = self.nodes.get(number) else { break };
            if !node.settled && self.best.get(&(node.position, node.stack)).is_some_and(|best| *best < cost) {
                continue;
            }
            looked_at += 1;
            if node.edit.is_some() {
                match self.goes_on(node) {
                    GoesOn::Yes => {
                        found = Some(number);
                        break;
                    }
                    // Something is still missing at the end; what needs nothing more is better, even if it costs a little more.
                    GoesOn::ToTheEnd if node.settled => {
                        found = Some(number);
                        break;
                    }
                    GoesOn::ToTheEnd => {
                        let cost = node.cost + UNFINISHED;
                        self.queue.push(Reverse((cost, self.nodes.len())));
                        self.nodes.push(Node { cost, settled: true, ..node });
                    }
                    GoesOn::No => {}
                }
            }
            if node.settled {
                continue;
            }
            if looked_at >= most {
                break;
            }
            self.expand(number, node);
        }
        self.budget.spend(looked_at);
        match found {
            Some(number) => Some(self.found(number)),
            None => self.fallback(),
        }
    }

    fn found(&self, mut number: usize) -> Found {
        let mut edits = Vec::new();
        while let Some(Node { edit: Some(edit), before, .. }) = self.nodes.get(number) {
            edits.push(*edit);
            number = *before;
        }
        edits.reverse();
        let from = self.nodes.get(number).map_or(self.at, |origin| origin.position);
        Found { from, edits }
    }

    /// Whether the next tokens fit.
    fn goes_on(&mut self, node: Node) -> GoesOn {
        let mut stack = node.stack;
        for position in node.position..(self.at + CONFIRMED).max(node.position + 2) {
            let Some(lexeme) = self.lexemes.get(position) else {
                let accepted = matches!(self.stacks.feed(stack, None), Outcome::Accept);
                return if accepted { GoesOn::Yes } else { GoesOn::ToTheEnd };
            };
            match self.shift(stack, position, lexeme.kind) {
                Some(next) => stack = next,
                None => return GoesOn::No,
            }
        }
        GoesOn::Yes
    }

    /// The stack behind a token of the text, if the token fits and the layout allows it.
    fn shift(&mut self, stack: StackId, position: usize, kind: K) -> Option<StackId> {
        match self.stacks.feed(stack, Some(terminal(kind)?)) {
            Outcome::Shift(next) if self.layout.is_refused(position, self.stacks.get(next).1) => None,
            Outcome::Shift(next) => {
                let behind = self.layout.behind_first_word(position);
                (!behind.is_some_and(|behind| self.lacks_part(stack, next, kind, behind))).then_some(next)
            }
            _ => None,
        }
    }

    /// Whether a word that is first on its line would be read as what the line before it lacks, so that what is behind it does not fit.
    fn lacks_part(&mut self, before: StackId, after: StackId, word: K, behind: K) -> bool {
        if self.fits(after, behind) {
            return false;
        }
        let Outcome::Shift(part) = self.stacks.feed(before, terminal(K::Identifier)) else { return false };
        let Outcome::Shift(word) = self.stacks.feed(part, terminal(word)) else { return false };
        self.fits(word, behind)
    }

    fn fits(&mut self, stack: StackId, kind: K) -> bool {
        terminal(kind).is_some_and(|token| matches!(self.stacks.feed(stack, Some(token)), Outcome::Shift(_)))
    }

    fn expand(&mut self, number: usize, node: Node) {
        self.insertions(number, node);
        let Some(lexeme) = self.lexemes.get(node.position).copied() else { return };
        self.replacements(number, node, lexeme.kind);
        if node.edit.is_some()
            && let Some(stack) = self.shift(node.stack, node.position, lexeme.kind)
        {
            self.add(number, node, stack, 1, Edit::Keep(node.position));
        }
        let mut cost = self.deletion(node.position, lexeme.kind);
        if matches!(lexeme.kind, K::Assign | K::Colon) && self.fits(node.stack, K::Number) {
            cost = 2;
        }
        self.add(number, node, node.stack, cost, Edit::Delete(node.position));
    }

    fn insertions(&mut self, number: usize, node: Node) {
        // Behind a deletion an insertion is the same as before it.
        if matches!(node.edit, Some(Edit::Delete(_))) && self.inserted_before(number) {
            return;
        }
        for (kind, cost) in INSERTABLE {
            if let Outcome::Shift(stack) = self.stacks.feed(node.stack, terminal(kind)) {
                // A keyword is never what a name was meant to be.
                if kind.is_keyword() && is_name_reading(self.stacks.get(stack).1) {
                    continue;
                }
                let cost = cost + self.surcharge(node.position, kind, stack);
                self.add(number, node, stack, cost, Edit::Insert(kind));
            }
        }
    }

    fn inserted_before(&self, number: usize) -> bool {
        let mut number = number;
        while let Some(Node { edit: Some(edit), before, .. }) = self.nodes.get(number) {
            match edit {
                Edit::Delete(_) => number = *before,
                Edit::Insert(_) => return true,
                _ => return false,
            }
        }
        false
    }

    /// What the token may have been meant to be.
    fn replacements(&mut self, number: usize, node: Node, kind: K) {
        for (_, meant, cost) in CONFUSED.into_iter().filter(|(found, ..)| *found == kind) {
            // Between the name and the value of a setting stands nothing.
            if meant == K::Colon && self.fits(node.stack, K::Number) {
                continue;
            }
            if let Outcome::Shift(stack) = self.stacks.feed(node.stack, terminal(meant)) {
                self.add(number, node, stack, cost, Edit::Replace(node.position, meant));
            }
        }
        if kind == K::Identifier {
            self.misspelt(number, node);
        }
    }

    /// A word that is most likely a keyword misspelt, or an operator of another language.
    fn misspelt(&mut self, number: usize, node: Node) {
        let word = self.layout.text(node.position);
        if let Some((_, meant)) = OPERATORS.into_iter().find(|(operator, _)| *operator == word) {
            if let Outcome::Shift(stack) = self.stacks.feed(node.stack, terminal(meant)) {
                self.add(number, node, stack, 2, Edit::Replace(node.position, meant));
            }
            return;
        }
        let mut fitting = Vec::new();
        for kind in REPLACEABLE {
            if let (Outcome::Shift(stack), Some(text)) = (self.stacks.feed(node.stack, terminal(kind)), kind.text())
                && !is_name_reading(self.stacks.get(stack).1)
            {
                fitting.push((kind, text, stack));
            }
        }
        let Some(meant) = weave_diagnostics::closest(word, fitting.iter().map(|(_, text, _)| *text)) else { return };
        if let Some((kind, _, stack)) = fitting.into_iter().find(|(_, text, _)| *text == meant) {
            self.add(number, node, stack, 2, Edit::Replace(node.position, kind));
        }
    }

    fn add(&mut self, before: usize, node: Node, stack: StackId, cost: u32, edit: Edit) {
        let position = node.position + usize::from(!matches!(edit, Edit::Insert(_)));
        let cost = node.cost + cost;
        let best = self.best.entry((position, stack)).or_insert(u32::MAX);
        if *best <= cost {
            return;
        }
        *best = cost;
        self.queue.push(Reverse((cost, self.nodes.len())));
        self.nodes.push(Node { stack, position, cost, edit: Some(edit), before, settled: false });
    }

    /// What it costs to leave a token out: the more it says about the structure, the more.
    fn deletion(&self, position: usize, kind: K) -> u32 {
        let starts_line = self.layout.is_line_start(position);
        match kind {
            kind if kind.starts_item() && starts_line && self.layout.column(position) == 0 => 30,
            kind if kind.starts_node() && starts_line => 10,
            K::BraceClose => 7,
            K::Doc => 1,
            kind if !kind.is_closer() && self.layout.is_repeated(position) => 2,
            kind if kind.is_opener() => 6,
            _ if starts_line => 6,
            // The start of an entry.
            kind if kind.is_word() && matches!(self.layout.before(position), Some(K::BraceOpen | K::Comma)) => 6,
            _ => 4,
        }
    }

    /// What an insertion costs more at this place.
    fn surcharge(&mut self, position: usize, kind: K, stack: StackId) -> u32 {
        let starts_line = self.layout.is_line_start(position);
        match kind {
            // A brace closes at the end of a line, and seldom within one.
            K::BraceClose if !starts_line && self.layout.kind(position).is_none_or(|kind| !kind.is_closer()) => 3,
            K::BraceOpen if !starts_line => 2,
            K::Step if starts_line => 0,
            K::Step => 3,
            // A word before a colon is a key, so it is not the key that is missing.
            K::Identifier if self.layout.kind(position) == Some(K::Colon) && self.layout.follows_word(position) => 2,
            // The name of a setting is seldom what is missing; a topic, which may go on, is no such name.
            K::Identifier if !self.layout.is_test() && self.fits(stack, K::Number) && !self.fits(stack, K::Dot) => {
                2 + 2 * u32::from(!starts_line)
            }
            _ => 0,
        }
    }

    /// A rough repair: leaves tokens out up to a line that can follow when brackets are closed before it.
    fn fallback(&mut self) -> Option<Found> {
        let start = *self.nodes.first()?;
        let mut deleted = Vec::new();
        let mut lines = 0;
        for position in start.position..=self.lexemes.len() {
            let at_end = position == self.lexemes.len();
            if at_end || (position > start.position && self.layout.is_line_start(position)) {
                lines += 1;
                if let Some(closers) = self.close(start.stack, position) {
                    let edits = deleted.iter().copied().chain(closers).collect();
                    return Some(Found { from: start.position, edits });
                }
                if lines > LINES {
                    return None;
                }
            }
            deleted.push(Edit::Delete(position));
        }
        None
    }

    /// Closers that make the token at a position fit.
    fn close(&mut self, stack: StackId, position: usize) -> Option<Vec<Edit>> {
        let mut stack = stack;
        let mut edits = Vec::new();
        if position >= self.lexemes.len() {
            return Some(edits);
        }
        for _ in 0..12 {
            if !matches!(self.goes_on(Node { stack, position, cost: 0, edit: None, before: 0, settled: false }), GoesOn::No) {
                return Some(edits);
            }
            let next = [K::BraceClose, K::ParenClose, K::BracketClose, K::Identifier].into_iter().find_map(|kind| {
                match self.stacks.feed(stack, terminal(kind)) {
                    Outcome::Shift(next) => Some((kind, next)),
                    _ => None,
                }
            });
            let (kind, next) = next?;
            edits.push(Edit::Insert(kind));
            stack = next;
        }
        None
    }
}
