//! Makes tokens fit: plans what to insert and what to leave out, on the parser's states alone.
//!
//! Only items with a mistake come here. The plan is a new list of tokens, which then is parsed like any other, so nothing that is built has
//! to be undone, and the half-typed part stays in the tree: what is missing in it is a token without text.

use std::collections::VecDeque;

use crate::budget::Budget;
use crate::feed::Lexeme;
use crate::layout::Layout;
use crate::search::{Edit, Origin, Search};
use crate::tables::{START, State, Step, Terminal, goto, step, terminal};
use crate::token::TokenKind as K;

/// One repair: everything that was done at one place.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    /// The number of the token that did not fit; the count of all tokens at the end.
    pub at: usize,
    /// What was done, in the order of the text.
    pub edits: Vec<Edit>,
    /// The states before the token, for what could have stood there.
    pub states: Vec<State>,
    /// Whether everything up to the end was left out because there was too much to mend.
    pub gave_up: bool,
}

impl Repair {
    /// Whether closers are all that was missing.
    pub(crate) fn inserts_closer(&self) -> bool {
        self.edits.iter().all(|edit| matches!(edit, Edit::Keep(_)) || matches!(edit, Edit::Insert(kind) if kind.is_closer()))
    }
}

/// What makes the tokens of an item fit.
#[derive(Default)]
pub(crate) struct Plan {
    /// The tokens to parse.
    pub lexemes: Vec<Lexeme>,
    /// What was changed.
    pub repairs: Vec<Repair>,
    /// Docs that describe nothing, by their number.
    pub stray_docs: Vec<usize>,
    /// Whether there is nothing of an item in it.
    pub nothing: bool,
}

/// The parser's stack of states, advanced without building anything.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    states: Vec<State>,
    overlay: Vec<State>,
}

impl Stack {
    pub(crate) fn new(first: K) -> Self {
        let mut stack = Self::from_states(vec![START]);
        stack.advance(terminal(first));
        stack
    }

    pub(crate) const fn from_states(states: Vec<State>) -> Self {
        Self { states, overlay: Vec::new() }
    }

    pub(crate) fn states(&self) -> &[State] {
        &self.states
    }

    /// What the token would do: the length of the stack that stays, with the rest in the overlay.
    fn simulate(&mut self, token: Terminal) -> Option<(usize, bool)> {
        self.overlay.clear();
        let mut kept = self.states.len();
        loop {
            let top = self.overlay.last().or_else(|| self.states.get(kept.wrapping_sub(1))).copied()?;
            match step(top, token) {
                Step::Shift(state) => {
                    self.overlay.push(state);
                    return Some((kept, false));
                }
                Step::Accept => return Some((kept, true)),
                Step::Error => return None,
                Step::Reduce { states, nonterminal } => {
                    let from_overlay = states.min(self.overlay.len());
                    self.overlay.truncate(self.overlay.len() - from_overlay);
                    kept = kept.checked_sub(states - from_overlay)?;
                    let top = self.overlay.last().or_else(|| self.states.get(kept.wrapping_sub(1))).copied()?;
                    self.overlay.push(goto(top, nonterminal));
                }
            }
        }
    }

    /// Whether a word that is first on its line would be read as what the line before it lacks, so that what is behind it does not fit.
    fn lacks_part(&self, word: K, behind: K) -> bool {
        let fit = |kinds: &[K]| {
            let mut stack = self.clone();
            kinds.iter().all(|kind| terminal(*kind).is_some_and(|token| stack.advance(Some(token))))
        };
        !fit(&[word, behind]) && fit(&[K::Identifier, word, behind])
    }

    /// The state behind the token, if the token fits.
    pub(crate) fn peek(&mut self, token: Terminal) -> Option<State> {
        self.simulate(token).and_then(|(_, accepted)| if accepted { Some(START) } else { self.overlay.last().copied() })
    }

    /// Takes the token if it fits.
    pub(crate) fn advance(&mut self, token: Terminal) -> bool {
        match self.simulate(token) {
            Some((kept, false)) => {
                self.states.truncate(kept);
                self.states.extend_from_slice(&self.overlay);
                true
            }
            Some((_, true)) => true,
            None => false,
        }
    }
}

/// Plans how to read tokens that do not fit.
pub(crate) fn plan(first: K, lexemes: &[Lexeme], layout: &Layout<'_>, budget: &mut Budget) -> Plan {
    let mut planner = Planner::new(first, lexemes, layout);
    planner.run(budget);
    planner.complete();
    planner.plan
}

/// Where the parser stands behind tokens, which may have mistakes.
pub(crate) fn stack_behind(first: K, lexemes: &[Lexeme], layout: &Layout<'_>, budget: &mut Budget) -> Stack {
    let mut planner = Planner::new(first, lexemes, layout);
    planner.run(budget);
    planner.stack
}

struct Planner<'a> {
    lexemes: &'a [Lexeme],
    layout: &'a Layout<'a>,
    stack: Stack,
    plan: Plan,
    position: usize,
    /// Where a repair may start as well: before the last few tokens.
    history: VecDeque<Origin>,
}

/// How many tokens a repair may start before the one that does not fit.
const BACK: usize = 3;

impl<'a> Planner<'a> {
    fn new(first: K, lexemes: &'a [Lexeme], layout: &'a Layout<'a>) -> Self {
        Self { lexemes, layout, stack: Stack::new(first), plan: Plan::default(), position: 0, history: VecDeque::new() }
    }

    fn run(&mut self, budget: &mut Budget) {
        budget.start_item();
        while self.position < self.lexemes.len() {
            if !self.shift() && !self.stray_doc() {
                self.repair(budget);
            }
        }
    }

    fn shift(&mut self) -> bool {
        let Some(&lexeme) = self.lexemes.get(self.position) else { return false };
        let token = terminal(lexeme.kind);
        let Some(next) = token.and(self.stack.peek(token)) else { return false };
        if self.layout.is_refused(self.position, next)
            || (lexeme.kind == K::Doc && self.is_stray())
            || self.layout.behind_first_word(self.position).is_some_and(|behind| self.stack.lacks_part(lexeme.kind, behind))
        {
            return false;
        }
        self.remember();
        self.stack.advance(token);
        self.plan.lexemes.push(lexeme);
        self.position += 1;
        true
    }

    fn remember(&mut self) {
        if self.history.len() == BACK {
            self.history.pop_front();
        }
        self.history.push_back(Origin { position: self.position, planned: self.plan.lexemes.len(), states: self.stack.states().to_vec() });
    }

    /// What follows the docs at this position.
    fn behind_docs(&self) -> Option<K> {
        let rest = self.lexemes.get(self.position..).unwrap_or_default();
        rest.iter().map(|lexeme| lexeme.kind).find(|kind| *kind != K::Doc)
    }

    /// Whether what follows the docs at this position would fit without them, but does not with them.
    fn is_stray(&mut self) -> bool {
        let Some(next) = self.behind_docs() else { return true };
        let Some(next) = terminal(next) else { return false };
        let mut with = self.stack.clone();
        let fits_with = with.advance(terminal(K::Doc)) && with.peek(Some(next)).is_some();
        !fits_with && self.stack.peek(Some(next)).is_some()
    }

    /// Leaves out a doc comment that describes nothing.
    fn stray_doc(&mut self) -> bool {
        if self.lexemes.get(self.position).is_none_or(|lexeme| lexeme.kind != K::Doc) {
            return false;
        }
        // Behind something unfinished it describes what follows, which is not where the mistake is.
        if self.behind_docs().is_some_and(|next| self.stack.lacks_part(K::Doc, next)) {
            return false;
        }
        self.plan.stray_docs.push(self.position);
        self.history.clear();
        self.position += 1;
        true
    }

    fn repair(&mut self, budget: &mut Budget) {
        let at = self.position;
        let states = self.stack.states().to_vec();
        self.remember_error();
        let origins: Vec<Origin> = std::mem::take(&mut self.history).into();
        let Some(found) = Search::new(self.lexemes, self.layout, &origins, at, budget).run() else {
            // Too much to mend: the rest is left out.
            let edits = (at..self.lexemes.len()).map(Edit::Delete).collect();
            self.plan.repairs.push(Repair { at, edits, states, gave_up: true });
            self.position = self.lexemes.len();
            return;
        };
        if let Some(origin) = origins.into_iter().find(|origin| origin.position == found.from) {
            self.plan.lexemes.truncate(origin.planned);
            self.position = origin.position;
            self.stack = Stack::from_states(origin.states);
        }
        let mut told = None;
        for edit in found.edits {
            // What stands on different lines was mended for different reasons.
            if told.is_none() || (!matches!(edit, Edit::Keep(_)) && self.has_kept_a_line(told)) {
                told = Some(self.plan.repairs.len());
                self.plan.repairs.push(Repair {
                    at: self.position,
                    edits: Vec::new(),
                    states: self.stack.states().to_vec(),
                    gave_up: false,
                });
            }
            self.apply(edit);
            if let Some(repair) = self.plan.repairs.last_mut() {
                repair.edits.push(edit);
            }
        }
    }

    /// Whether the last thing that the open repair has kept is on a line before the position.
    fn has_kept_a_line(&self, told: Option<usize>) -> bool {
        let Some(repair) = told.and_then(|told| self.plan.repairs.get(told)) else { return false };
        let kept = repair.edits.iter().rev().take_while(|edit| matches!(edit, Edit::Keep(_))).count();
        kept > 0 && (self.position - kept + 1..=self.position).any(|number| self.layout.is_line_start(number))
    }

    fn apply(&mut self, edit: Edit) {
        let here = self.lexemes.get(self.position).copied();
        let lexeme = match edit {
            Edit::Insert(kind) => Some(Lexeme::made_up(kind, self.place())),
            Edit::Delete(_) => None,
            Edit::Replace(_, kind) => here.map(|here| Lexeme { kind, ..here }),
            Edit::Keep(_) => here,
        };
        if let Some(lexeme) = lexeme {
            self.stack.advance(terminal(lexeme.kind));
            self.plan.lexemes.push(lexeme);
        }
        self.position += usize::from(!matches!(edit, Edit::Insert(_)));
    }

    /// The place of the token that does not fit, as the last one where a repair may start.
    fn remember_error(&mut self) {
        self.history.push_back(Origin { position: self.position, planned: self.plan.lexemes.len(), states: self.stack.states().to_vec() });
    }

    /// Behind the last token of the text that is read before the position.
    fn place(&self) -> u32 {
        let before = self.position.checked_sub(1).and_then(|before| self.lexemes.get(before));
        before.map_or_else(|| self.lexemes.first().map_or(0, |first| first.start), |before| before.end)
    }

    /// Inserts what is missing at the end: closers before all, and else the cheapest token that fits.
    fn complete(&mut self) {
        if self.plan.lexemes.iter().all(|lexeme| lexeme.kind == K::Doc) {
            self.plan.nothing = true;
            return;
        }
        let at = self.lexemes.len();
        let states = self.stack.states().to_vec();
        let mut edits = Vec::new();
        // Each closer takes an opener off; between two of them a few tokens may be missing.
        let most = 8 * self.stack.states().len() + 64;
        let place = self.place();
        while self.stack.peek(None).is_none() {
            let fitting = COMPLETING.into_iter().find(|kind| self.stack.peek(terminal(*kind)).is_some());
            let Some(kind) = fitting.filter(|_| edits.len() < most) else {
                self.plan.nothing = true;
                break;
            };
            self.stack.advance(terminal(kind));
            self.plan.lexemes.push(Lexeme::made_up(kind, place));
            edits.push(Edit::Insert(kind));
        }
        if !edits.is_empty() {
            self.plan.repairs.push(Repair { at, edits, states, gave_up: false });
        }
    }
}

/// What completes an item at its end, the best first.
const COMPLETING: [K; 22] = [
    K::BraceClose,
    K::ParenClose,
    K::BracketClose,
    K::Greater,
    K::Identifier,
    K::String,
    K::TextBlock,
    K::Number,
    K::Duration,
    K::Colon,
    K::BraceOpen,
    K::ParenOpen,
    K::From,
    K::As,
    K::In,
    K::Of,
    K::Tool,
    K::Event,
    K::When,
    K::Assign,
    K::BracketOpen,
    K::LeadingDot,
];
