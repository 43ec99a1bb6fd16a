//! What has happened when a node fires: for sure, or perhaps.
//!
//! The ancestors of a firing are those of its cause, and the cause. What all ways to a node share has happened for sure (the
//! greatest solution), what any of them has may have happened (the smallest one). Both are found by going through the vertices in
//! reverse postorder until nothing changes; a set is a row of bits, one for each node.

use rustc_hash::FxHashMap;

use super::graph::{Cause, Graph};

/// Steps whose answer the condition of a trigger proves, by node and place of the trigger.
pub(super) type Proofs = FxHashMap<(u32, u32), Vec<u32>>;

/// For each vertex a set of steps.
pub(super) struct Lineage {
    words: usize,
    bits: Vec<u64>,
    sure: bool,
}

impl Lineage {
    /// The steps that have answered for sure.
    pub(super) fn sure(graph: &Graph<'_>, proofs: &Proofs) -> Self {
        Self::solve(graph, proofs, true)
    }

    /// The steps that may have answered.
    pub(super) fn possible(graph: &Graph<'_>) -> Self {
        Self::solve(graph, &Proofs::default(), false)
    }

    fn solve(graph: &Graph<'_>, proofs: &Proofs, sure: bool) -> Self {
        let words = graph.nodes.len().div_ceil(64);
        let mut lineage = Self { words, bits: vec![if sure { u64::MAX } else { 0 }; words * graph.len()], sure };
        let (mut row, mut part) = (vec![0; words], vec![0; words]);
        let mut changed = true;
        while changed {
            changed = false;
            for vertex in graph.order.iter().copied().filter(|vertex| graph.fires(*vertex)) {
                row.fill(if sure { u64::MAX } else { 0 });
                for (index, cause) in graph.causes_of(vertex).iter().enumerate() {
                    if matches!(cause, Cause::Never(_)) {
                        continue;
                    }
                    lineage.read(cause, &mut part);
                    if !proofs.is_empty() {
                        for step in proofs.get(&(vertex, index as u32)).into_iter().flatten() {
                            insert(&mut part, *step);
                        }
                    }
                    if sure { meet(&mut row, &part) } else { join(&mut row, &part) }
                }
                if let Some(old) = lineage.bits.get_mut(vertex as usize * words..(vertex as usize + 1) * words)
                    && *old != *row
                {
                    old.copy_from_slice(&row);
                    changed = true;
                }
            }
        }
        lineage
    }

    fn row(&self, vertex: u32) -> &[u64] {
        self.bits.get(vertex as usize * self.words..(vertex as usize + 1) * self.words).unwrap_or_default()
    }

    /// Whether a step is in the set of a vertex.
    pub(super) fn has(&self, vertex: u32, step: u32) -> bool {
        self.row(vertex).get(step as usize / 64).is_some_and(|word| word >> (step % 64) & 1 == 1)
    }

    /// Whether a step is in the set of a vertex, or is the vertex.
    pub(super) fn includes(&self, vertex: u32, step: u32) -> bool {
        vertex == step || self.has(vertex, step)
    }

    /// Whether a step is in the set of what a cause makes fire.
    pub(super) fn holds(&self, cause: &Cause<'_>, step: u32) -> bool {
        match *cause {
            Cause::Start | Cause::Outside | Cause::Clock | Cause::Emitted(_) | Cause::Never(_) => false,
            Cause::Answer(source) => self.includes(source, step),
            Cause::Inner(source) | Cause::Failed(source) | Cause::Late(source) | Cause::Hub(source) => self.has(source, step),
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
            Cause::Start | Cause::Outside | Cause::Clock | Cause::Emitted(_) | Cause::Never(_) => {}
            Cause::Answer(source) => {
                into.copy_from_slice(self.row(source));
                insert(into, source);
            }
            Cause::Inner(source) | Cause::Failed(source) | Cause::Late(source) | Cause::Hub(source) => {
                into.copy_from_slice(self.row(source));
            }
            Cause::Count(count, members) if self.sure && count < members.len() as u64 => self.shared(count, members, into),
            Cause::All(members) | Cause::Count(_, members) | Cause::Settled(members) => {
                for member in members {
                    join(into, self.row(*member));
                    // A member that failed has not answered.
                    if !(self.sure && matches!(cause, Cause::Settled(_))) {
                        insert(into, *member);
                    }
                }
            }
        }
    }

    /// What is there whichever of the members are the first `count`: what fewer than `count` of them lack.
    fn shared(&self, count: u64, members: &[u32], into: &mut [u64]) {
        for (index, word) in into.iter_mut().enumerate() {
            // The bit i of `lacking[n]` says that more than n members lack step i.
            let mut lacking = vec![0_u64; usize::try_from(count).unwrap_or(usize::MAX).min(members.len())];
            for member in members {
                let mut has = self.row(*member).get(index).copied().unwrap_or_default();
                if *member as usize / 64 == index {
                    has |= 1 << (member % 64);
                }
                let mut carry = !has;
                for level in &mut lacking {
                    (*level, carry) = (*level | carry, *level & carry);
                }
            }
            *word = !lacking.last().copied().unwrap_or_default();
        }
    }
}

fn insert(row: &mut [u64], step: u32) {
    if let Some(word) = row.get_mut(step as usize / 64) {
        *word |= 1 << (step % 64);
    }
}

fn meet(row: &mut [u64], with: &[u64]) {
    row.iter_mut().zip(with).for_each(|(word, with)| *word &= with);
}

fn join(row: &mut [u64], with: &[u64]) {
    row.iter_mut().zip(with).for_each(|(word, with)| *word |= with);
}
