//! Which workflow runs which: children are lowered before their parents, which pin their digests.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::DeclarationId;

/// The digests of the workflows that have been lowered.
pub(super) type Digests = FxHashMap<DeclarationId, String>;

/// In which order workflows are lowered.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Each wave needs only those before it.
    pub(super) waves: Vec<Vec<DeclarationId>>,
    /// Workflows that run themselves, each with the way from it to itself.
    pub(super) cycles: Vec<Vec<DeclarationId>>,
}

/// Sorts workflows, each of which has its children in `children`.
pub(super) fn order(roots: &[DeclarationId], children: &FxHashMap<DeclarationId, Vec<DeclarationId>>) -> Order {
    let mut search = Search { children, height: FxHashMap::default(), on_cycle: FxHashSet::default(), cycles: Vec::new() };
    for root in roots {
        search.visit(*root);
    }
    let mut waves: Vec<Vec<DeclarationId>> = Vec::new();
    let mut heights: Vec<(usize, DeclarationId)> = search.height.into_iter().map(|(id, height)| (height, id)).collect();
    heights.sort_unstable();
    for (height, id) in heights {
        if waves.len() <= height {
            waves.resize_with(height + 1, Vec::new);
        }
        if let Some(wave) = waves.get_mut(height) {
            wave.push(id);
        }
    }
    Order { waves, cycles: search.cycles }
}

struct Search<'a> {
    children: &'a FxHashMap<DeclarationId, Vec<DeclarationId>>,
    /// The wave of each workflow that is done.
    height: FxHashMap<DeclarationId, usize>,
    /// The workflows of the cycles that have been found, so that each is reported once.
    on_cycle: FxHashSet<DeclarationId>,
    cycles: Vec<Vec<DeclarationId>>,
}

impl Search<'_> {
    fn children(&self, id: DeclarationId) -> &[DeclarationId] {
        self.children.get(&id).map_or(&[], Vec::as_slice)
    }

    /// A depth-first search with a stack of its own: a chain of workflows may be long.
    fn visit(&mut self, root: DeclarationId) {
        let mut stack: Vec<(DeclarationId, usize)> = Vec::new();
        let mut open: FxHashMap<DeclarationId, usize> = FxHashMap::default();
        if !self.height.contains_key(&root) {
            open.insert(root, 0);
            stack.push((root, 0));
        }
        while let Some((id, next)) = stack.pop() {
            let Some(child) = self.children(id).get(next).copied() else {
                let height = self.children(id).iter().filter_map(|child| self.height.get(child)).max().map_or(0, |height| height + 1);
                self.height.insert(id, height);
                open.remove(&id);
                continue;
            };
            stack.push((id, next + 1));
            if let Some(start) = open.get(&child) {
                let cycle: Vec<DeclarationId> = stack.iter().skip(*start).map(|(id, _)| *id).collect();
                if self.on_cycle.insert(child) {
                    self.cycles.push(cycle);
                }
            } else if !self.height.contains_key(&child) {
                open.insert(child, stack.len());
                stack.push((child, 0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> DeclarationId {
        DeclarationId(number)
    }

    fn graph(edges: &[(u32, u32)]) -> FxHashMap<DeclarationId, Vec<DeclarationId>> {
        let mut children: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (parent, child) in edges {
            children.entry(id(*parent)).or_default().push(id(*child));
        }
        children
    }

    #[test]
    fn children_come_before_their_parents() {
        let order = order(&[id(0), id(4)], &graph(&[(0, 1), (0, 2), (1, 3), (2, 3), (4, 0)]));
        assert_eq!(order.waves, [vec![id(3)], vec![id(1), id(2)], vec![id(0)], vec![id(4)]]);
        assert!(order.cycles.is_empty());
    }

    #[test]
    fn a_cycle_is_found_once_with_its_way() {
        let edges = graph(&[(0, 1), (1, 2), (2, 1), (3, 3)]);
        let order = order(&[id(0), id(2), id(3)], &edges);
        assert_eq!(order.cycles, [vec![id(1), id(2)], vec![id(3)]]);
    }
}
