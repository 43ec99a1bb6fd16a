//! Declarations that lead back to themselves.

use crate::model::DeclarationId;

/// How far the search has come with a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The cycles in a graph of declarations, of which `targets` gives those that one leads to. Each edge that closes a cycle is met once,
/// so taking out all edges from the last to the first declaration of each cycle leaves none.
pub(crate) fn cycles(count: usize, targets: impl Fn(DeclarationId) -> Vec<DeclarationId>) -> Vec<Vec<DeclarationId>> {
    let mut marks = vec![Mark::New; count];
    let mut found = Vec::new();
    // The way is a stack of its own, because nothing bounds how long it gets.
    let mut way: Vec<(DeclarationId, std::vec::IntoIter<DeclarationId>)> = Vec::new();
    for index in 0..count {
        let start = DeclarationId(index as u32);
        if marks.get(index) == Some(&Mark::New) {
            set(&mut marks, start, Mark::Open);
            way.push((start, targets(start).into_iter()));
        }
        while let Some((here, left)) = way.last_mut() {
            let Some(next) = left.next() else {
                set(&mut marks, *here, Mark::Done);
                way.pop();
                continue;
            };
            match marks.get(next.0 as usize) {
                Some(Mark::Open) => found.push(way.iter().map(|(id, _)| *id).skip_while(|id| *id != next).collect()),
                Some(Mark::New) => {
                    set(&mut marks, next, Mark::Open);
                    way.push((next, targets(next).into_iter()));
                }
                Some(Mark::Done) | None => {}
            }
        }
    }
    found
}

/// Whether a declaration leads back to itself.
pub(crate) fn leads_back(start: DeclarationId, targets: impl Fn(DeclarationId) -> Vec<DeclarationId>) -> bool {
    let mut met = rustc_hash::FxHashSet::default();
    let mut left = targets(start);
    while let Some(next) = left.pop() {
        if next == start {
            return true;
        }
        if met.insert(next) {
            left.extend(targets(next));
        }
    }
    false
}

fn set(marks: &mut [Mark], id: DeclarationId, mark: Mark) {
    if let Some(slot) = marks.get_mut(id.0 as usize) {
        *slot = mark;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(edges: &[&[u32]]) -> Vec<Vec<u32>> {
        let targets = |id: DeclarationId| edges[id.0 as usize].iter().map(|id| DeclarationId(*id)).collect();
        cycles(edges.len(), targets).into_iter().map(|cycle| cycle.into_iter().map(|id| id.0).collect()).collect()
    }

    #[test]
    fn cycles_are_found_wherever_the_search_starts() {
        assert_eq!(found(&[&[1, 2], &[2], &[]]), Vec::<Vec<u32>>::new());
        assert_eq!(found(&[&[0]]), [[0]]);
        assert_eq!(found(&[&[1], &[2], &[1]]), [[1, 2]]);
        assert_eq!(found(&[&[1], &[2, 0], &[1]]), [[1, 2], [0, 1]]);
    }

    #[test]
    fn a_way_back_is_found_whatever_other_circles_there_are() {
        let edges: [&[u32]; 5] = [&[1], &[2, 3], &[1], &[0], &[1]];
        let targets = |id: DeclarationId| edges[id.0 as usize].iter().map(|id| DeclarationId(*id)).collect::<Vec<_>>();
        assert_eq!((0..5).map(|id| leads_back(DeclarationId(id), targets)).collect::<Vec<_>>(), [true, true, true, true, false]);
    }

    #[test]
    fn long_ways_are_no_problem() {
        let count = 200_000;
        let next = |id: DeclarationId| vec![DeclarationId((id.0 + 1) % count)];
        assert_eq!(cycles(count as usize, next).len(), 1);
    }
}
