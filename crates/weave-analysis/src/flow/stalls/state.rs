//! Where a run stands, as far as it matters for whether it goes on.

use super::atoms::Decided;

/// Rounds of forks, four bits for each fork: which of its rounds something belongs to; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rounds(u64);

/// So many rounds of a fork may be under way at a time.
const MOST_ROUNDS: u64 = 3;

impl Rounds {
    /// The round of a fork.
    pub(super) fn of(self, fork: u32) -> u64 {
        self.0 >> (fork * 4) & 15
    }

    fn with(self, fork: u32, round: u64) -> Self {
        Self(self.0 & !(15 << (fork * 4)) | round << (fork * 4))
    }

    /// What both belong to; where they differ, the other's.
    pub(super) fn united(self, other: Self) -> Self {
        let mut united = self;
        for fork in (0..16).filter(|fork| other.of(*fork) != 0) {
            united = united.with(fork, other.of(fork));
        }
        united
    }
}

/// A step that is open, or a time that has not passed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Token {
    pub(super) node: u32,
    pub(super) rounds: Rounds,
    /// What has happened while it is open, as bits.
    pub(super) met: u32,
}

/// What a join has counted in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Counted {
    pub(super) join: u32,
    pub(super) round: u64,
    /// The members, as bits.
    pub(super) members: u64,
    /// Those of them that have answered, if guards look at that.
    pub(super) answered: u64,
    pub(super) rounds: Rounds,
    pub(super) is_satisfied: bool,
}

/// Where a run stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// In ascending order.
    pub(super) tokens: Vec<Token>,
    /// In ascending order.
    pub(super) counted: Vec<Counted>,
    /// How often the nodes with limits have fired.
    pub(super) fired: Vec<u8>,
    /// What guards have decided about values.
    pub(super) decided: Decided,
}

impl State {
    /// How much it is to make one, in parts; sixteen counts of firings are as large as one part of another kind.
    pub(super) fn size(&self) -> usize {
        1 + self.tokens.len() + self.counted.len() + self.fired.len() / 16
    }

    /// Opens a step, up to so many times in the same round.
    pub(super) fn open(&mut self, token: Token, most: usize) {
        let place = self.tokens.partition_point(|other| *other < token);
        if self.tokens.iter().skip(place).take_while(|other| **other == token).count() < most {
            self.tokens.insert(place, token);
        }
    }

    /// The rounds of something that begins a new round of a fork; none if too many are under way. `fork_of` is that of a join.
    pub(super) fn next_round(
        &self,
        fork: u32,
        rounds: Rounds,
        queued: impl Iterator<Item = Rounds> + Clone,
        fork_of: impl Fn(u32) -> Option<u32>,
    ) -> Option<Rounds> {
        let is_taken = |round: &u64| {
            let counts =
                |counted: &Counted| counted.rounds.of(fork) == *round || counted.round == *round && fork_of(counted.join) == Some(fork);
            self.tokens.iter().map(|token| token.rounds).chain(queued.clone()).any(|rounds| rounds.of(fork) == *round)
                || self.counted.iter().any(counts)
        };
        let round = (1..=MOST_ROUNDS).find(|round| !is_taken(round))?;
        Some(rounds.with(fork, round))
    }

    /// What a join has counted in a round.
    pub(super) fn counted(&mut self, join: u32, round: u64) -> Option<&mut Counted> {
        let place = self.counted.partition_point(|counted| (counted.join, counted.round) < (join, round));
        let is_there = self.counted.get(place).is_some_and(|counted| (counted.join, counted.round) == (join, round));
        if !is_there {
            self.counted.insert(place, Counted { join, round, members: 0, answered: 0, rounds: Rounds::default(), is_satisfied: false });
        }
        self.counted.get_mut(place)
    }

    /// Forgets what joins have counted in rounds to which nothing belongs any more. `fork` is that of a join.
    pub(super) fn forget(&mut self, fork: impl Fn(u32) -> Option<u32>) {
        let tokens = &self.tokens;
        self.counted
            .retain(|counted| fork(counted.join).is_none_or(|fork| tokens.iter().any(|token| token.rounds.of(fork) == counted.round)));
    }
}
