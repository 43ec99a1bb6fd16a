//! The cycles of a graph: its strongly connected components, as Tarjan finds them, without recursion.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// A graph of some vertices.
pub(super) struct Components {
    /// The component of each vertex. Those that a component leads to have smaller numbers.
    pub(super) of: Vec<u32>,
    /// Whether a component has a cycle.
    pub(super) has_cycle: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Components {
    /// The components of the graph with these edges.
    pub(super) fn new(after: &[Vec<u32>]) -> Self {
        let count = after.len();
        let mut search = Search { index: vec![NONE; count], low: vec![NONE; count], stack: Vec::new(), next: 0 };
        let mut components = Self { of: vec![NONE; count], has_cycle: Vec::new() };
        for root in 0..count as u32 {
            if get(&search.index, root) == NONE {
                search.from(root, after, &mut components);
            }
        }
        for (vertex, targets) in after.iter().enumerate() {
            if targets.contains(&(vertex as u32)) {
                set(&mut components.has_cycle, get(&components.of, vertex as u32), true);
            }
        }
        components
    }

    /// Whether two vertices lie on a common cycle.
    pub(super) fn together(&self, one: u32, other: u32) -> bool {
        get(&self.of, one) == get(&self.of, other)
    }

    /// Whether a vertex lies on a cycle.
    pub(super) fn on_cycle(&self, vertex: u32) -> bool {
        self.has_cycle.get(get(&self.of, vertex) as usize).copied().unwrap_or(false)
    }

    /// The shortest cycle through a vertex, from it, without it at the end.
    pub(super) fn cycle(&self, vertex: u32, after: &[Vec<u32>]) -> Vec<u32> {
        let mut before: FxHashMap<u32, u32> = FxHashMap::default();
        let mut open = VecDeque::from([vertex]);
        while let Some(at) = open.pop_front() {
            for target in after.get(at as usize).into_iter().flatten().copied().filter(|target| self.together(vertex, *target)) {
                if target == vertex {
                    let mut cycle = vec![at];
                    let mut last = at;
                    while let Some(previous) = before.get(&last) {
                        cycle.push(*previous);
                        last = *previous;
                    }
                    cycle.reverse();
                    return cycle;
                }
                if let std::collections::hash_map::Entry::Vacant(slot) = before.entry(target) {
                    slot.insert(at);
                    open.push_back(target);
                }
            }
        }
        Vec::new()
    }
}

struct Search {
    index: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    next: u32,
}

impl Search {
    fn enter(&mut self, vertex: u32) {
        set(&mut self.index, vertex, self.next);
        set(&mut self.low, vertex, self.next);
        self.next += 1;
        self.stack.push(vertex);
    }

    fn from(&mut self, root: u32, after: &[Vec<u32>], components: &mut Components) {
        self.enter(root);
        let mut open = vec![(root, 0)];
        while let Some((vertex, next)) = open.pop() {
            if let Some(target) = after.get(vertex as usize).and_then(|targets| targets.get(next)).copied() {
                open.push((vertex, next + 1));
                if get(&self.index, target) == NONE {
                    self.enter(target);
                    open.push((target, 0));
                } else if get(&components.of, target) == NONE {
                    let low = get(&self.low, vertex).min(get(&self.index, target));
                    set(&mut self.low, vertex, low);
                }
                continue;
            }
            if let Some((before, _)) = open.last() {
                let low = get(&self.low, *before).min(get(&self.low, vertex));
                set(&mut self.low, *before, low);
            }
            if get(&self.low, vertex) == get(&self.index, vertex) {
                let component = components.has_cycle.len() as u32;
                let mut size = 0;
                while let Some(member) = self.stack.pop() {
                    set(&mut components.of, member, component);
                    size += 1;
                    if member == vertex {
                        break;
                    }
                }
                components.has_cycle.push(size > 1);
            }
        }
    }
}

fn get(values: &[u32], index: u32) -> u32 {
    debug_assert!(index == NONE || (index as usize) < values.len(), "the list has {} elements, and none at {index}", values.len());
    values.get(index as usize).copied().unwrap_or(NONE)
}

fn set<T>(values: &mut [T], index: u32, value: T) {
    if let Some(slot) = values.get_mut(index as usize) {
        *slot = value;
    }
}
