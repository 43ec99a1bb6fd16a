//! Lineages: which firings lie on the way to a firing.
//!
//! A lineage is a set of firings, kept per node as a chain from the newest to the oldest. Lineages share what they have in common:
//! adding a firing costs a few small copies, and uniting two costs what they differ in. So a run of n firings costs O(n), however
//! long its ways are. All parts lie in two growing tables and are named by their place; place 0 is nothing.

/// How many children a branch has, as a power of two.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

/// A set of firings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lineage(u32);

/// The place of a firing among all firings of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FiringId(pub(crate) u32);

#[derive(Clone, Copy, Default)]
struct Branch([u32; WIDTH]);

#[derive(Clone, Copy)]
struct Cell {
    firing: FiringId,
    older: u32,
}

/// All lineages of a run.
#[derive(Clone)]
pub(crate) struct Lineages {
    branches: Vec<Branch>,
    cells: Vec<Cell>,
    /// How many levels of branches stand above the chains.
    height: u32,
}

impl Lineages {
    /// For a workflow of this many nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        let mut height = 1;
        while WIDTH.checked_pow(height).is_some_and(|width| width < nodes) {
            height += 1;
        }
        Self { branches: vec![Branch::default()], cells: vec![Cell { firing: FiringId(0), older: 0 }], height }
    }

    /// The firings of a node in a lineage, the newest first.
    pub(crate) fn of(&self, lineage: Lineage, node: usize) -> Chain<'_> {
        let mut place = lineage.0;
        for level in (0..self.height).rev() {
            place = self.child(place, slot(node, level));
        }
        Chain { cells: &self.cells, place }
    }

    /// The lineage with one more firing, which is newer than all in it.
    pub(crate) fn push(&mut self, lineage: Lineage, node: usize, firing: FiringId) -> Lineage {
        Lineage(self.insert(lineage.0, self.height, node, firing))
    }

    fn insert(&mut self, place: u32, height: u32, node: usize, firing: FiringId) -> u32 {
        if height == 0 {
            return self.cell(firing, place);
        }
        let slot = slot(node, height - 1);
        let below = self.insert(self.child(place, slot), height - 1, node, firing);
        let mut branch = self.branch(place);
        if let Some(child) = branch.0.get_mut(slot) {
            *child = below;
        }
        self.add(branch)
    }

    /// All firings of both.
    pub(crate) fn unite(&mut self, one: Lineage, other: Lineage) -> Lineage {
        Lineage(self.unite_branches(one.0, other.0, self.height))
    }

    fn unite_branches(&mut self, one: u32, other: u32, height: u32) -> u32 {
        if one == other || other == 0 {
            return one;
        }
        if one == 0 {
            return other;
        }
        if height == 0 {
            return self.unite_chains(one, other);
        }
        let (ones, others) = (self.branch(one), self.branch(other));
        let mut united = Branch::default();
        for (child, (one, other)) in united.0.iter_mut().zip(ones.0.into_iter().zip(others.0)) {
            *child = self.unite_branches(one, other, height - 1);
        }
        self.add(united)
    }

    /// Both chains are sorted, so they are merged until they are the same from there on.
    fn unite_chains(&mut self, one: u32, other: u32) -> u32 {
        let mut newest = Vec::new();
        let (mut left, mut right) = (one, other);
        let (mut all_left, mut all_right) = (true, true);
        while left != right && left != 0 && right != 0 {
            let (ours, theirs) = (self.read(left), self.read(right));
            newest.push(ours.firing.max(theirs.firing));
            if ours.firing >= theirs.firing {
                left = ours.older;
            } else {
                all_left = false;
            }
            if theirs.firing >= ours.firing {
                right = theirs.older;
            } else {
                all_right = false;
            }
        }
        let rest = left.max(right);
        // Where one has all of the other, nothing new is made.
        if all_left && left == rest {
            return one;
        }
        if all_right && right == rest {
            return other;
        }
        newest.into_iter().rev().fold(rest, |older, firing| self.cell(firing, older))
    }

    fn cell(&mut self, firing: FiringId, older: u32) -> u32 {
        self.cells.push(Cell { firing, older });
        place(self.cells.len())
    }

    fn add(&mut self, branch: Branch) -> u32 {
        self.branches.push(branch);
        place(self.branches.len())
    }

    fn read(&self, place: u32) -> Cell {
        self.cells.get(place as usize).copied().unwrap_or(Cell { firing: FiringId(0), older: 0 })
    }

    fn branch(&self, place: u32) -> Branch {
        self.branches.get(place as usize).copied().unwrap_or_default()
    }

    fn child(&self, place: u32, slot: usize) -> u32 {
        self.branches.get(place as usize).and_then(|branch| branch.0.get(slot)).copied().unwrap_or_default()
    }
}

/// The place of the last entry of a table of this length.
fn place(length: usize) -> u32 {
    u32::try_from(length - 1).unwrap_or_default()
}

const fn slot(node: usize, level: u32) -> usize {
    (node >> (BITS * level)) % WIDTH
}

/// Firings of one node from the newest to the oldest.
pub(crate) struct Chain<'l> {
    cells: &'l [Cell],
    place: u32,
}

impl Iterator for Chain<'_> {
    type Item = FiringId;

    fn next(&mut self) -> Option<FiringId> {
        if self.place == 0 {
            return None;
        }
        let cell = self.cells.get(self.place as usize)?;
        self.place = cell.older;
        Some(cell.firing)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        // Each step makes a firing of some node from one or two earlier ones, as runs do.
        #[test]
        fn lineages_are_sets(nodes in 1usize..600, ways in prop::collection::vec((any::<u16>(), any::<u16>(), any::<u16>()), 1..80)) {
            let mut lineages = Lineages::new(nodes);
            let mut made = vec![(Lineage::default(), BTreeSet::new())];
            for (number, (node, one, other)) in ways.into_iter().enumerate() {
                let node = usize::from(node) % nodes;
                let firing = FiringId(u32::try_from(number).unwrap());
                let (one, other) = (made[usize::from(one) % made.len()].clone(), made[usize::from(other) % made.len()].clone());
                let lineage = lineages.unite(one.0, other.0);
                let lineage = lineages.push(lineage, node, firing);
                let mut set: BTreeSet<(usize, FiringId)> = one.1.union(&other.1).copied().collect();
                set.insert((node, firing));
                made.push((lineage, set));
            }
            for (lineage, set) in made {
                for node in 0..nodes {
                    let expected: Vec<_> = set.iter().rev().filter(|entry| entry.0 == node).map(|entry| entry.1).collect();
                    prop_assert_eq!(lineages.of(lineage, node).collect::<Vec<_>>(), expected);
                }
            }
        }
    }

    #[test]
    fn what_is_shared_costs_nothing() {
        let mut lineages = Lineages::new(100);
        let mut lineage = Lineage::default();
        for number in 0..3_000u32 {
            let left = lineages.push(lineage, 1, FiringId(number * 3));
            let right = lineages.push(lineage, 90, FiringId(number * 3 + 1));
            lineage = lineages.unite(left, right);
        }
        assert!(lineages.cells.len() <= 3_000 * 2 + 1, "{}", lineages.cells.len());
        assert!(lineages.branches.len() <= 3_000 * 7, "{}", lineages.branches.len());
    }
}
