//! What has happened when a node fires: for sure, or perhaps.
//!
//! The ancestors of a firing are those of its cause, and the cause. What all ways to a node share has happened for sure (the
//! greatest solution), what any of them has may have happened (the smallest one). Both are found by going through the vertices in
//! reverse postorder until nothing changes; a set is a row of bits, one for each step that somebody asks for.

use rustc_hash::FxHashMap;

use super::graph::{Cause, Graph};

/// What the conditions of triggers prove, by node and place of the trigger.
pub(super) type Proofs = FxHashMap<(u32, u32), Proof>;

/// What a condition proves.
pub(super) enum Proof {
    /// These steps have answered.
    Steps(Vec<u32>),
    /// It is not known, because something is wrong with it: perhaps anything.
    Anything,
}

impl Proof {
    /// Whether a step has answered.
    pub(super) fn includes(&self, step: u32) -> bool {
        match self {
            Self::Steps(steps) => steps.contains(&step),
            Self::Anything => true,
        }
    }
}

/// For each vertex a set of steps, of those that are looked at.
pub(super) struct Lineage {
    /// The place of each step in a row; none for the steps that are not looked at.
    columns: Vec<u32>,
    words: usize,
    bits: Vec<u64>,
    sure: bool,
    /// Whether what a signal has closed counts as well.
    closed: bool,
}

const NONE: u32 = u32::MAX;

/// How many words the rows of all vertices have together at most, unless one word each is more.
const MOST_WORDS: usize = 1 << 22;

impl Lineage {
    /// How many steps are looked at together: so many that the memory stays bounded.
    pub(super) fn block(graph: &Graph<'_>) -> usize {
        (MOST_WORDS / graph.len().max(1)).clamp(1, 64) * 64
    }

    /// Which of these steps have answered for sure.
    pub(super) fn sure(graph: &Graph<'_>, proofs: &Proofs, steps: &[u32]) -> Self {
        Self::solve(graph, proofs, steps, (true, false))
    }

    /// Which of these steps may have answered.
    pub(super) fn possible(graph: &Graph<'_>, steps: &[u32]) -> Self {
        Self::solve(graph, &Proofs::default(), steps, (false, false))
    }

    /// Which of these steps may have answered, or been closed by a signal.
    pub(super) fn closed(graph: &Graph<'_>, steps: &[u32]) -> Self {
        Self::solve(graph, &Proofs::default(), steps, (false, true))
    }

    /// Whether one of these steps has answered for sure: they count as one, which is `steps[0]`.
    pub(super) fn any_sure(graph: &Graph<'_>, steps: &[u32]) -> Self {
        let mut columns = vec![NONE; graph.len()];
        steps.iter().for_each(|step| place(&mut columns, *step, 0));
        Self::fill(graph, &Proofs::default(), columns, 1, (true, false))
    }

    fn solve(graph: &Graph<'_>, proofs: &Proofs, steps: &[u32], mode: (bool, bool)) -> Self {
        let mut columns = vec![NONE; graph.len()];
        steps.iter().enumerate().for_each(|(column, step)| place(&mut columns, *step, column as u32));
        Self::fill(graph, proofs, columns, steps.len().div_ceil(64), mode)
    }

    fn fill(graph: &Graph<'_>, proofs: &Proofs, columns: Vec<u32>, words: usize, (sure, closed): (bool, bool)) -> Self {
        let first = if sure { u64::MAX } else { 0 };
        let mut lineage = Self { columns, words, bits: vec![first; words * graph.len()], sure, closed };
        let (mut row, mut part) = (vec![0; words], vec![0; words]);
        // Those of which something before them has changed are looked at again.
        let mut waiting = vec![true; graph.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for vertex in graph.order.iter().copied().filter(|vertex| graph.fires(*vertex)) {
                if !waiting.get_mut(vertex as usize).is_some_and(|waiting| std::mem::replace(waiting, false)) {
                    continue;
                }
                row.fill(first);
                // What another trigger was meant for may have been there.
                let causes = if sure && graph.doubts.is_unclear(vertex) { &[] } else { graph.causes_of(vertex) };
                for (index, cause) in causes.iter().enumerate() {
                    if matches!(cause, Cause::Never(_)) {
                        continue;
                    }
                    lineage.read(cause, &mut part);
                    match proofs.get(&(vertex, index as u32)) {
                        Some(Proof::Anything) => part.fill(u64::MAX),
                        Some(Proof::Steps(steps)) => steps.iter().for_each(|step| lineage.insert(&mut part, *step)),
                        None => {}
                    }
                    if sure { meet(&mut row, &part) } else { join(&mut row, &part) }
                }
                if let Some(old) = lineage.bits.get_mut(vertex as usize * words..(vertex as usize + 1) * words)
                    && *old != *row
                {
                    old.copy_from_slice(&row);
                    changed = true;
                    for target in graph.after_of(vertex) {
                        if let Some(waiting) = waiting.get_mut(*target as usize) {
                            *waiting = true;
                        }
                    }
                }
            }
        }
        lineage
    }

    fn row(&self, vertex: u32) -> &[u64] {
        debug_assert!((vertex as usize + 1) * self.words <= self.bits.len(), "the vertex {vertex} has no set");
        self.bits.get(vertex as usize * self.words..(vertex as usize + 1) * self.words).unwrap_or_default()
    }

    fn column(&self, step: u32) -> Option<u32> {
        self.columns.get(step as usize).copied().filter(|column| *column != NONE)
    }

    /// Adds a step to a row, if it is one of those that are looked at.
    fn insert(&self, row: &mut [u64], step: u32) {
        if let Some(column) = self.column(step)
            && let Some(word) = row.get_mut(column as usize / 64)
        {
            *word |= 1 << (column % 64);
        }
    }

    /// Whether a step is in the set of a vertex.
    pub(super) fn has(&self, vertex: u32, step: u32) -> bool {
        let column = self.column(step);
        column.is_some_and(|column| self.row(vertex).get(column as usize / 64).is_some_and(|word| word >> (column % 64) & 1 == 1))
    }

    /// Whether a step is in the set of a vertex, or is the vertex.
    pub(super) fn includes(&self, vertex: u32, step: u32) -> bool {
        vertex == step || self.has(vertex, step)
    }

    /// Whether a step is in the set of what a cause makes fire.
    pub(super) fn holds(&self, cause: &Cause<'_>, step: u32) -> bool {
        match *cause {
            Cause::Unknown => true,
            Cause::Start | Cause::Outside | Cause::Runtime | Cause::Clock | Cause::Emitted(_) | Cause::Never(_) => false,
            Cause::Answer(source) => self.includes(source, step),
            Cause::Closed(source) if self.closed => self.includes(source, step),
            Cause::Inner(source) | Cause::Closed(source) | Cause::Failed(source) | Cause::Late(source) | Cause::Hub(source) => {
                self.has(source, step)
            }
            Cause::All(members) => members.iter().any(|member| self.includes(*member, step)),
            Cause::Settled(members) if self.sure => members.iter().any(|member| self.has(*member, step)),
            Cause::Count(count, members) if self.sure => {
                (members.iter().filter(|member| !self.includes(**member, step)).count() as u64) < count
            }
            Cause::Settled(members) | Cause::Count(_, members) => members.iter().any(|member| self.includes(*member, step)),
        }
    }

    /// The set of what a cause makes fire.
    fn read(&self, cause: &Cause<'_>, into: &mut [u64]) {
        into.fill(0);
        match *cause {
            Cause::Unknown => into.fill(u64::MAX),
            Cause::Start | Cause::Outside | Cause::Runtime | Cause::Clock | Cause::Emitted(_) | Cause::Never(_) => {}
            Cause::Answer(source) => {
                into.copy_from_slice(self.row(source));
                self.insert(into, source);
            }
            Cause::Inner(source) | Cause::Closed(source) | Cause::Failed(source) | Cause::Late(source) | Cause::Hub(source) => {
                into.copy_from_slice(self.row(source));
                if self.closed && matches!(cause, Cause::Closed(_)) {
                    self.insert(into, source);
                }
            }
            Cause::Count(count, members) if self.sure && count < members.len() as u64 => self.shared(count, members, into),
            Cause::All(members) | Cause::Count(_, members) | Cause::Settled(members) => {
                for member in members {
                    join(into, self.row(*member));
                    // A member that failed has not answered.
                    if !(self.sure && matches!(cause, Cause::Settled(_))) {
                        self.insert(into, *member);
                    }
                }
            }
        }
    }

    /// What is there whichever of the members are the first `count`: what fewer than `count` of them lack.
    fn shared(&self, count: u64, members: &[u32], into: &mut [u64]) {
        let digits = u64::BITS - (members.len() as u64).leading_zeros();
        for (index, word) in into.iter_mut().enumerate() {
            // How many members lack each step, as numbers that stand upright: the bit i of `lacking[n]` is bit n of the number of step i.
            let mut lacking = vec![0_u64; digits as usize];
            for member in members {
                let mut has = self.row(*member).get(index).copied().unwrap_or_default();
                if let Some(column) = self.column(*member).filter(|column| *column as usize / 64 == index) {
                    has |= 1 << (column % 64);
                }
                let mut carry = !has;
                for digit in &mut lacking {
                    (*digit, carry) = (*digit ^ carry, *digit & carry);
                    if carry == 0 {
                        break;
                    }
                }
            }
            let (mut more, mut equal) = (0, u64::MAX);
            for (place, digit) in lacking.iter().enumerate().rev() {
                if count >> place & 1 == 0 {
                    more |= equal & digit;
                    equal &= !digit;
                } else {
                    equal &= digit;
                }
            }
            *word = !(more | equal);
        }
    }
}

fn place(columns: &mut [u32], step: u32, column: u32) {
    if let Some(slot) = columns.get_mut(step as usize) {
        *slot = column;
    }
}

fn meet(row: &mut [u64], with: &[u64]) {
    row.iter_mut().zip(with).for_each(|(word, with)| *word &= with);
}

fn join(row: &mut [u64], with: &[u64]) {
    row.iter_mut().zip(with).for_each(|(word, with)| *word |= with);
}
