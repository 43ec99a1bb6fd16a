//! The parse tables, and the loop that runs them over tokens that are known to fit, or finds out that they do not.
//!
//! This is the only module that names what LALRPOP generates.

use lalrpop_util::state_machine::{ParserAction, ParserDefinition, SimulatedReduce, SymbolTriple};

use crate::build::Top;
use crate::feed::Lexeme;
use crate::grammar::__parse__Top::{__EOF_ACTION, __StateMachine as Machine};
use crate::token::TokenKind as K;

/// A state of the parser.
pub(crate) type State = i16;

/// The state that a parse starts in.
pub(crate) const START: State = 0;

/// The index of a kind in the tables; `None` for the end.
pub(crate) type Terminal = Option<usize>;

const fn machine() -> Machine {
    Machine { __phantom: std::marker::PhantomData }
}

/// The index of a kind in the tables, if the grammar knows the kind.
pub(crate) fn terminal(kind: K) -> Terminal {
    machine().token_to_index(&kind)
}

/// Everything that may stand behind a state: the kinds that the grammar knows, and the end.
pub(crate) fn terminals() -> impl Iterator<Item = Terminal> {
    (0..=terminal(K::Open).unwrap_or_default()).map(Some).chain(std::iter::once(None))
}

/// All states.
pub(crate) fn states() -> impl Iterator<Item = State> {
    (0..__EOF_ACTION.len()).map(|state| state as State)
}

/// What one more token does to the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Shift(State),
    Reduce { states: usize, nonterminal: usize },
    Accept,
    Error,
}

/// What the tables say about a token in a state.
pub(crate) fn step(state: State, token: Terminal) -> Step {
    let machine = machine();
    let action = match token {
        Some(index) => machine.action(state, index),
        None => machine.eof_action(state),
    };
    if let Some(next) = ParserAction::<Machine>::as_shift(action) {
        return Step::Shift(next);
    }
    match ParserAction::<Machine>::as_reduce(action).map(|rule| machine.simulate_reduce(rule)) {
        Some(SimulatedReduce::Reduce { states_to_pop, nonterminal_produced }) => {
            Step::Reduce { states: states_to_pop, nonterminal: nonterminal_produced }
        }
        Some(SimulatedReduce::Accept) => Step::Accept,
        None => Step::Error,
    }
}

/// Where a state goes behind a nonterminal.
pub(crate) fn goto(state: State, nonterminal: usize) -> State {
    machine().goto(state, nonterminal)
}

/// Makes trees, with buffers that serve all items of a file.
#[derive(Default)]
pub(crate) struct Runner {
    states: Vec<State>,
    symbols: Vec<SymbolTriple<Machine>>,
}

impl Runner {
    /// The tree of these tokens behind a made-up first one, or the number of the token that does not fit; at the end that is their count.
    pub(crate) fn run(&mut self, first: K, lexemes: &[Lexeme]) -> Result<Top, usize> {
        let mut machine = machine();
        self.states.clear();
        self.states.push(START);
        self.symbols.clear();
        let start = Lexeme::made_up(first, lexemes.first().map_or(0, |lexeme| lexeme.start));
        // The made-up token is number 0, so the others are one ahead of their index.
        for (number, lexeme) in std::iter::once(&start).chain(lexemes).enumerate() {
            let index = machine.token_to_index(&lexeme.kind).ok_or(number.saturating_sub(1))?;
            loop {
                let action = machine.action(self.states.last().copied().unwrap_or(START), index);
                if let Some(state) = ParserAction::<Machine>::as_shift(action) {
                    self.states.push(state);
                    self.symbols.push((lexeme.start, machine.token_to_symbol(index, lexeme.kind), lexeme.end));
                    break;
                }
                let Some(rule) = ParserAction::<Machine>::as_reduce(action) else { return Err(number.saturating_sub(1)) };
                if machine.reduce(rule, Some(&lexeme.start), &mut self.states, &mut self.symbols).is_some() {
                    return Err(number.saturating_sub(1));
                }
            }
        }
        self.finish(&mut machine).ok_or(lexemes.len())
    }

    fn finish(&mut self, machine: &mut Machine) -> Option<Top> {
        loop {
            let action = machine.eof_action(self.states.last().copied().unwrap_or(START));
            let rule = ParserAction::<Machine>::as_reduce(action)?;
            if let Some(result) = machine.reduce(rule, None, &mut self.states, &mut self.symbols) {
                return result.ok();
            }
        }
    }
}
