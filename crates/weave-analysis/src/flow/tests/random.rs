//! Dominators and knots of random graphs, compared with what plain searching finds.

use crate::flow::components::Components;
use crate::flow::tree::Tree;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// A graph with up to twelve vertices: sparse, dense, and with edges to itself.
    fn graph(&mut self) -> Vec<Vec<u32>> {
        let count = 1 + self.below(12);
        let mut after = vec![Vec::new(); count];
        for _ in 0..self.below(count * 3) {
            let (from, to) = (self.below(count), self.below(count));
            after[from].push(to as u32);
        }
        after
    }
}

/// The vertices that a way leads to, without passing one of them.
fn reached(after: &[Vec<u32>], root: u32, without: Option<u32>) -> Vec<bool> {
    let mut seen = vec![false; after.len()];
    let mut open = if without == Some(root) { Vec::new() } else { vec![root] };
    while let Some(vertex) = open.pop() {
        if !std::mem::replace(&mut seen[vertex as usize], true) {
            open.extend(after[vertex as usize].iter().copied().filter(|target| without != Some(*target)));
        }
    }
    seen
}

#[test]
fn dominators_are_what_no_way_goes_around() {
    let mut random = Random(1);
    for round in 0..5_000 {
        let after = random.graph();
        let count = after.len() as u32;
        let tree = Tree::new(&after, 0);
        let all = reached(&after, 0, None);
        let around: Vec<_> = (0..count).map(|vertex| reached(&after, 0, Some(vertex))).collect();
        let is_above = |other: u32, vertex: u32| all[other as usize] && all[vertex as usize] && !around[other as usize][vertex as usize];
        let depth = |vertex: u32| (0..count).filter(|other| is_above(*other, vertex)).count();
        for vertex in 0..count {
            assert_eq!(tree.is_reached(vertex), all[vertex as usize], "{round}: {after:?}");
            for other in 0..count {
                assert_eq!(tree.is_above(other, vertex), is_above(other, vertex), "{round}: {other} above {vertex} in {after:?}");
                if !all[vertex as usize] || !all[other as usize] {
                    continue;
                }
                let both = (0..count).filter(|it| is_above(*it, vertex) && is_above(*it, other));
                let common = both.max_by_key(|it| depth(*it)).unwrap();
                assert_eq!(tree.common(vertex, other), common, "{round}: {vertex} and {other} in {after:?}");
                let below =
                    (0..count).filter(|it| *it != other && is_above(*it, vertex) && is_above(other, *it)).min_by_key(|it| depth(*it));
                assert_eq!(tree.arm(vertex, other), below.filter(|_| is_above(other, vertex)), "{round}: {other} to {vertex} in {after:?}");
            }
        }
    }
}

#[test]
fn dominators_of_deep_graphs_are_found_without_recursion() {
    // A chain with an edge back from each vertex to the one before, and one hub behind all of them.
    let count = 200_000_u32;
    let mut after: Vec<Vec<u32>> = (0..count).map(|vertex| vec![vertex + 1, vertex.saturating_sub(1), count + 1]).collect();
    after.extend([vec![], vec![]]);
    let tree = Tree::new(&after, 0);
    assert_eq!(tree.above(count + 1), 0);
    assert_eq!(tree.above(count), count - 1);
    assert!(tree.is_above(17, count - 5));
    assert_eq!(tree.common(count, 1_234), 1_234);
    assert_eq!(tree.arm(count, 1_234), Some(1_235));
}

#[test]
fn knots_are_what_leads_back_to_itself() {
    let mut random = Random(2);
    for round in 0..5_000 {
        let after = random.graph();
        let count = after.len() as u32;
        let components = Components::new(&after);
        let reach: Vec<_> = (0..count).map(|vertex| reached(&after, vertex, None)).collect();
        for one in 0..count {
            let back = |one: u32| after[one as usize].iter().any(|next| reach[*next as usize][one as usize]);
            assert_eq!(components.on_cycle(one), back(one), "{round}: {one} in {after:?}");
            for other in 0..count {
                let together = reach[one as usize][other as usize] && reach[other as usize][one as usize];
                assert_eq!(components.together(one, other), together, "{round}: {one} and {other} in {after:?}");
                if reach[one as usize][other as usize] && !together {
                    assert!(components.of[other as usize] < components.of[one as usize], "{round}: {after:?}");
                }
            }
            check_cycle(&components.cycle(one, &after), one, &after, back(one));
        }
    }
}

/// The shortest cycle starts with its vertex, follows the edges, and leads back; a breadth-first search knows its length.
fn check_cycle(cycle: &[u32], vertex: u32, after: &[Vec<u32>], exists: bool) {
    assert_eq!(!cycle.is_empty(), exists);
    if !exists {
        return;
    }
    assert_eq!(cycle[0], vertex);
    for (from, to) in cycle.iter().zip(cycle.iter().skip(1).chain([&vertex])) {
        assert!(after[*from as usize].contains(to), "{cycle:?} in {after:?}");
    }
    let mut layer = vec![vertex];
    let mut length = 0;
    loop {
        length += 1;
        layer = layer.iter().flat_map(|vertex| after[*vertex as usize].iter().copied()).collect();
        layer.sort_unstable();
        layer.dedup();
        if layer.contains(&vertex) {
            break;
        }
    }
    assert_eq!(cycle.len(), length, "{cycle:?} in {after:?}");
}
