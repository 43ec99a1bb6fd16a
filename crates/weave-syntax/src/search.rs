//! The cheapest way to go on where a token does not fit: a search over insertions and deletions, on the parser's states alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::feed::Lexeme;
use crate::layout::Layout;
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
    pub edits: Vec<Edit>,
    pub states: Vec<State>,
}

/// How many tokens must fit behind a repair.
const CONFIRMED: usize = 3;

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

    fn states(&self, mut stack: StackId) -> Vec<State> {
        let mut states = Vec::new();
        while stack != GROUND {
            let (below, state) = self.get(stack);
            states.push(state);
            stack = below;
        }
        states.reverse();
        states
    }
}

#[derive(Clone, Copy)]
struct Node {
    stack: StackId,
    position: usize,
    cost: u32,
    edit: Option<Edit>,
    before: usize,
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
            search.nodes.push(Node { stack, position: origin.position, cost, edit: None, before: number });
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
            if self.best.get(&(node.position, node.stack)).is_some_and(|best| *best < cost) {
                continue;
            }
            looked_at += 1;
            if node.edit.is_some() && self.goes_on(node) {
                found = Some(number);
                break;
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
        let states = self.nodes.get(number).map(|node| self.stacks.states(node.stack)).unwrap_or_default();
        let mut edits = Vec::new();
        while let Some(Node { edit: Some(edit), before, .. }) = self.nodes.get(number) {
            edits.push(*edit);
            number = *before;
        }
        edits.reverse();
        let from = self.nodes.get(number).map_or(self.at, |origin| origin.position);
        Found { from, edits, states }
    }

    /// Whether the next tokens fit.
    fn goes_on(&mut self, node: Node) -> bool {
        let mut stack = node.stack;
        for position in node.position..node.position.max(self.at) + CONFIRMED {
            let Some(lexeme) = self.lexemes.get(position) else { return true };
            match self.shift(stack, position, lexeme.kind) {
                Some(next) => stack = next,
                None => return false,
            }
        }
        true
    }

    /// The stack behind a token of the text, if the token fits and the layout allows it.
    fn shift(&mut self, stack: StackId, position: usize, kind: K) -> Option<StackId> {
        match self.stacks.feed(stack, Some(terminal(kind)?)) {
            Outcome::Shift(next) if !self.layout.is_refused(position, self.stacks.get(next).1) => Some(next),
            _ => None,
        }
    }

    fn expand(&mut self, number: usize, node: Node) {
        let here = self.lexemes.get(node.position).copied();
        if let Some(lexeme) = here {
            if node.edit.is_some()
                && let Some(stack) = self.shift(node.stack, node.position, lexeme.kind)
            {
                self.add(number, node, stack, 1, Edit::Keep(node.position));
            }
            self.add(number, node, node.stack, self.deletion(node.position, lexeme.kind), Edit::Delete(node.position));
            if lexeme.kind == K::Identifier {
                self.replace(number, node);
            }
        }
        // Behind a deletion an insertion is the same as before it.
        if matches!(node.edit, Some(Edit::Delete(_))) && node.cost > 0 && self.inserted_before(number) {
            return;
        }
        for (kind, cost) in INSERTABLE {
            if let Outcome::Shift(stack) = self.stacks.feed(node.stack, terminal(kind)) {
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

    /// A word that is most likely a keyword misspelt.
    fn replace(&mut self, number: usize, node: Node) {
        let word = self.layout.text(node.position);
        let mut fitting = Vec::new();
        for (kind, text) in REPLACEABLE {
            if let Outcome::Shift(stack) = self.stacks.feed(node.stack, terminal(kind)) {
                fitting.push((kind, text, stack));
            }
        }
        let Some(meant) = weave_diagnostics::closest(word, fitting.iter().map(|(_, text, _)| *text)) else { return };
        if let Some((kind, _, stack)) = fitting.into_iter().find(|(_, text, _)| *text == meant) {
            self.add_at(number, node.position + 1, stack, node.cost + 2, Edit::Replace(node.position, kind));
        }
    }

    fn add(&mut self, before: usize, node: Node, stack: StackId, cost: u32, edit: Edit) {
        let position = node.position + usize::from(!matches!(edit, Edit::Insert(_)));
        self.add_at(before, position, stack, node.cost + cost, edit);
    }

    fn add_at(&mut self, before: usize, position: usize, stack: StackId, cost: u32, edit: Edit) {
        let best = self.best.entry((position, stack)).or_insert(u32::MAX);
        if *best <= cost {
            return;
        }
        *best = cost;
        self.queue.push(Reverse((cost, self.nodes.len())));
        self.nodes.push(Node { stack, position, cost, edit: Some(edit), before });
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
            K::BraceOpen => 6,
            _ if starts_line => 6,
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
            // The name of a setting is not what is missing within a line.
            K::Identifier if !starts_line && matches!(self.stacks.feed(stack, terminal(K::Number)), Outcome::Shift(_)) => 4,
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
                if let Some((closers, stack)) = self.close(start.stack, position) {
                    let edits = deleted.iter().copied().chain(closers).collect();
                    return Some(Found { from: start.position, edits, states: self.stacks.states(stack) });
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
    fn close(&mut self, stack: StackId, position: usize) -> Option<(Vec<Edit>, StackId)> {
        let mut stack = stack;
        let mut edits = Vec::new();
        if position >= self.lexemes.len() {
            return Some((edits, stack));
        }
        for _ in 0..12 {
            if self.goes_on(Node { stack, position, cost: 0, edit: None, before: 0 }) {
                return Some((edits, stack));
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

/// What may be inserted, and what it costs.
const INSERTABLE: [(K, u32); 35] = [
    (K::BraceClose, 2),
    (K::ParenClose, 2),
    (K::BracketClose, 2),
    (K::Identifier, 3),
    (K::Comma, 3),
    (K::Colon, 3),
    (K::Assign, 4),
    (K::BraceOpen, 4),
    (K::ParenOpen, 5),
    (K::Arrow, 3),
    (K::Pipe, 4),
    (K::When, 4),
    (K::From, 4),
    (K::As, 4),
    (K::On, 3),
    (K::Of, 5),
    (K::In, 5),
    (K::Greater, 4),
    (K::String, 4),
    (K::Number, 4),
    (K::Duration, 5),
    (K::TextBlock, 5),
    (K::Tool, 4),
    (K::Event, 4),
    (K::BracketOpen, 5),
    (K::Dot, 5),
    (K::LeadingDot, 5),
    (K::Step, 3),
    (K::All, 5),
    (K::Range, 5),
    (K::Ask, 6),
    (K::Type, 6),
    (K::At, 6),
    (K::And, 6),
    (K::Equal, 6),
];

/// Keywords that a misspelt word may have meant.
const REPLACEABLE: [(K, &str); 26] = [
    (K::Step, "step"),
    (K::End, "end"),
    (K::Fail, "fail"),
    (K::On, "on"),
    (K::When, "when"),
    (K::Also, "also"),
    (K::Else, "else"),
    (K::Limit, "limit"),
    (K::Each, "each"),
    (K::In, "in"),
    (K::As, "as"),
    (K::From, "from"),
    (K::Parallel, "parallel"),
    (K::Min, "min"),
    (K::Ask, "ask"),
    (K::Call, "call"),
    (K::Run, "run"),
    (K::Emit, "emit"),
    (K::Wait, "wait"),
    (K::Until, "until"),
    (K::Cancel, "cancel"),
    (K::Hydrates, "hydrates"),
    (K::Tool, "tool"),
    (K::Event, "event"),
    (K::Of, "of"),
    (K::By, "by"),
];
