//! What may stand at a place.

use crate::layout::is_name_reading;
use crate::parse::{File, states_before};
use crate::plan::Stack;
use crate::tables::{State, terminal};
use crate::token::TokenKind as K;
use crate::words::GRAMMATICAL;

/// What the grammar reads at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The kinds of tokens; a keyword is among them where it means what it says.
    pub kinds: Vec<K>,
    /// Whether a name may stand there; all keywords are names as well.
    pub name: bool,
}

impl Expected {
    /// What may follow these states.
    pub(crate) fn after(states: &[State]) -> Self {
        let mut stack = Stack::from_states(states.to_vec());
        let mut expected = Self::default();
        for kind in GRAMMATICAL {
            let Some(next) = stack.peek(terminal(kind)) else { continue };
            if kind.is_word() && is_name_reading(next) {
                expected.name = true;
            } else {
                expected.kinds.push(kind);
            }
        }
        // The tables do not tell a name apart that is no keyword; where keywords are names, it is one of them.
        if expected.name {
            expected.kinds.retain(|kind| *kind != K::Identifier);
        }
        expected
    }

    /// Whether this kind may stand there.
    #[must_use]
    pub fn has(&self, kind: K) -> bool {
        self.kinds.contains(&kind) || (self.name && kind.is_word())
    }

    /// The same in few words, for a message; nothing if there is no short way to say it.
    pub(crate) fn in_words(&self) -> Option<String> {
        const MOST: usize = 5;
        let mut words = Vec::new();
        let mut rest: Vec<K> = self.kinds.iter().copied().filter(|kind| !matches!(kind, K::Doc | K::At)).collect();
        if self.has_value() {
            words.push("a value".to_owned());
            rest.retain(|kind| !is_value_start(*kind) && *kind != K::BraceOpen);
        } else if self.has_type() {
            words.push("a type".to_owned());
            rest.retain(|kind| !is_value_start(*kind) && !matches!(kind, K::BraceOpen | K::Pipe));
        } else if self.name {
            words.push("a name".to_owned());
        }
        if self.has(K::And) || self.has(K::Plus) {
            words.push("an operator".to_owned());
            rest.retain(|kind| !is_operator(*kind) && !matches!(kind, K::Dot | K::BracketOpen | K::ParenOpen | K::Question | K::Coalesce));
        }
        // Both are written alike.
        if rest.contains(&K::BracketOpen) {
            rest.retain(|kind| *kind != K::Element);
        }
        words.extend(rest.into_iter().map(K::described));
        (1..=MOST).contains(&words.len()).then(|| listed(&words))
    }

    /// Whether any value may stand there.
    #[must_use]
    pub fn has_value(&self) -> bool {
        [K::LeadingDot, K::Number, K::String].into_iter().all(|kind| self.kinds.contains(&kind))
    }

    /// Whether any type may stand there.
    pub(crate) fn has_type(&self) -> bool {
        self.name && [K::String, K::Number, K::ParenOpen, K::BraceOpen].into_iter().all(|kind| self.kinds.contains(&kind))
    }
}

/// "`a`, `b` or `c`".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

const fn is_value_start(kind: K) -> bool {
    matches!(
        kind,
        K::LeadingDot
            | K::Number
            | K::String
            | K::TextBlock
            | K::Duration
            | K::True
            | K::False
            | K::Null
            | K::Not
            | K::Minus
            | K::BracketOpen
            | K::ParenOpen
            | K::Identifier
    )
}

const fn is_operator(kind: K) -> bool {
    matches!(
        kind,
        K::Or
            | K::And
            | K::Equal
            | K::NotEqual
            | K::Less
            | K::LessEqual
            | K::Greater
            | K::GreaterEqual
            | K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Percent
            | K::In
    )
}

impl File {
    /// What may stand at an offset: exactly what the grammar can read there, behind everything that stands before it.
    ///
    /// A word that the offset touches is being typed and counts as not there yet. Mistakes before the offset are repaired first.
    #[must_use]
    pub fn expected_at(&self, offset: u32) -> Expected {
        let start = Stack::new(K::StartItem);
        let Some(slot) = self.items.iter().rev().find(|slot| slot.start < offset) else { return Expected::after(start.states()) };
        let mut stack = states_before(self, slot, offset);
        // On a line behind a complete item the next one starts.
        let behind = self.text.get(slot.end as usize..offset as usize).is_some_and(|gap| gap.contains('\n'));
        if behind && stack.peek(None).is_some() {
            return Expected::after(start.states());
        }
        Expected::after(stack.states())
    }
}
