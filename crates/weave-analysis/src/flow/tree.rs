//! The tree of dominators of a graph: above each vertex the last one that every way to it passes.
//!
//! The dominators are found as Lengauer and Tarjan do it, with path compression, in time that is all but linear even where a vertex has
//! tens of thousands of others before it or loops nest hundreds deep. Ancestors are then found by jumps that double in length.

/// No vertex.
const NONE: u32 = u32::MAX;

/// A tree of dominators.
#[derive(Debug)]
pub(super) struct Tree {
    /// The parent of each vertex; the root is its own, and what no way leads to has none.
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// Some ancestor further up, from which one goes on in jumps.
    jump: Vec<u32>,
}

impl Tree {
    /// The dominators in a graph, given by the vertices that follow each vertex, of all ways from `root`.
    pub(super) fn new(after: &[Vec<u32>], root: u32) -> Self {
        let search = Search::new(after, root);
        let parents = search.dominators(after);
        let mut tree = Self { parent: vec![NONE; after.len()], depth: vec![0; after.len()], jump: vec![NONE; after.len()] };
        set(&mut tree.parent, root, root);
        set(&mut tree.jump, root, root);
        // Each vertex comes behind its dominators.
        for (number, vertex) in search.vertices.iter().enumerate().skip(1) {
            let parent = get(&search.vertices, get(&parents, number as u32));
            set(&mut tree.parent, *vertex, parent);
            let depth = get(&tree.depth, parent).saturating_add(1);
            set(&mut tree.depth, *vertex, depth);
            let jump = get(&tree.jump, parent);
            let further = get(&tree.jump, jump);
            let is_even = get(&tree.depth, parent).wrapping_sub(get(&tree.depth, jump))
                == get(&tree.depth, jump).wrapping_sub(get(&tree.depth, further));
            set(&mut tree.jump, *vertex, if is_even { further } else { parent });
        }
        tree
    }

    /// Whether a way leads to a vertex.
    pub(super) fn is_reached(&self, vertex: u32) -> bool {
        get(&self.parent, vertex) != NONE
    }

    /// The vertex above another; the root is above itself.
    pub(super) fn above(&self, vertex: u32) -> u32 {
        get(&self.parent, vertex)
    }

    /// Whether each way to `vertex` passes `other`, or the two are one.
    pub(super) fn is_above(&self, other: u32, vertex: u32) -> bool {
        self.is_reached(other) && self.is_reached(vertex) && self.at_depth(vertex, get(&self.depth, other)) == other
    }

    /// The last vertex that all ways to both pass, or that is one of the two.
    pub(super) fn common(&self, one: u32, other: u32) -> u32 {
        let depth = get(&self.depth, one).min(get(&self.depth, other));
        let (mut one, mut other) = (self.at_depth(one, depth), self.at_depth(other, depth));
        while one != other {
            // Vertices of one depth have jumps of one length.
            if get(&self.jump, one) == get(&self.jump, other) {
                (one, other) = (self.above(one), self.above(other));
            } else {
                (one, other) = (get(&self.jump, one), get(&self.jump, other));
            }
        }
        one
    }

    /// The vertex directly below `above` on the way to `vertex`; none if `vertex` is not below it.
    pub(super) fn arm(&self, vertex: u32, above: u32) -> Option<u32> {
        let depth = get(&self.depth, above).checked_add(1)?;
        (vertex != above && self.is_above(above, vertex)).then(|| self.at_depth(vertex, depth))
    }

    /// The ancestor of a vertex at a depth; itself if it lies no deeper.
    fn at_depth(&self, mut vertex: u32, depth: u32) -> u32 {
        while get(&self.depth, vertex) > depth && vertex != NONE {
            let jump = get(&self.jump, vertex);
            vertex = if get(&self.depth, jump) >= depth { jump } else { self.above(vertex) };
        }
        vertex
    }
}

/// A search in depth; its numbers say in which order the vertices were met.
struct Search {
    /// The vertices in the order in which they were met.
    vertices: Vec<u32>,
    /// The number of each vertex; none where no way leads.
    numbers: Vec<u32>,
    /// For each number that of the vertex from which it was met.
    from: Vec<u32>,
}

impl Search {
    /// Without recursion, for a graph may be deep.
    fn new(after: &[Vec<u32>], root: u32) -> Self {
        let mut search = Self { vertices: Vec::new(), numbers: vec![NONE; after.len()], from: Vec::new() };
        let mut open = Vec::new();
        search.meet(root, 0, &mut open);
        while let Some((number, next)) = open.pop() {
            let vertex = get(&search.vertices, number);
            if let Some(target) = after.get(vertex as usize).and_then(|targets| targets.get(next)) {
                open.push((number, next + 1));
                if get(&search.numbers, *target) == NONE {
                    search.meet(*target, number, &mut open);
                }
            }
        }
        search
    }

    fn meet(&mut self, vertex: u32, from: u32, open: &mut Vec<(u32, usize)>) {
        let number = self.vertices.len() as u32;
        set(&mut self.numbers, vertex, number);
        self.vertices.push(vertex);
        self.from.push(from);
        open.push((number, 0));
    }

    /// For each number that of the dominator above it.
    fn dominators(&self, after: &[Vec<u32>]) -> Vec<u32> {
        let count = self.vertices.len();
        let before = Before::new(self, after);
        let mut forest = Forest { above: vec![NONE; count], label: (0..count as u32).collect(), semi: (0..count as u32).collect() };
        let mut dominator = vec![0; count];
        // The vertices by their semidominator, as lists that are linked.
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        for number in (1..count as u32).rev() {
            for other in before.of(number) {
                let best = forest.evaluate(*other);
                let semi = get(&forest.semi, best).min(get(&forest.semi, number));
                set(&mut forest.semi, number, semi);
            }
            let semi = get(&forest.semi, number);
            let rest = get(&first, semi);
            set(&mut next, number, rest);
            set(&mut first, semi, number);
            let parent = get(&self.from, number);
            set(&mut forest.above, number, parent);
            let mut waiting = get(&first, parent);
            set(&mut first, parent, NONE);
            while waiting != NONE {
                let best = forest.evaluate(waiting);
                let is_below = get(&forest.semi, best) < get(&forest.semi, waiting);
                set(&mut dominator, waiting, if is_below { best } else { parent });
                waiting = get(&next, waiting);
            }
        }
        for number in 1..count as u32 {
            if get(&dominator, number) != get(&forest.semi, number) {
                let above = get(&dominator, get(&dominator, number));
                set(&mut dominator, number, above);
            }
        }
        dominator
    }
}

/// The numbers from which an edge leads to each number, one list behind the other.
struct Before {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Before {
    fn new(search: &Search, after: &[Vec<u32>]) -> Self {
        let targets = |vertex: u32| after.get(vertex as usize).into_iter().flatten().map(|target| get(&search.numbers, *target));
        let mut starts = vec![0_u32; search.vertices.len() + 1];
        for target in search.vertices.iter().flat_map(|vertex| targets(*vertex)) {
            if let Some(start) = starts.get_mut(target as usize + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut edges = vec![0; sum as usize];
        let mut filled = starts.clone();
        for (number, vertex) in search.vertices.iter().enumerate() {
            for target in targets(*vertex) {
                if let Some(place) = filled.get_mut(target as usize) {
                    set(&mut edges, *place, number as u32);
                    *place += 1;
                }
            }
        }
        Self { starts, edges }
    }

    fn of(&self, number: u32) -> &[u32] {
        let range = get(&self.starts, number) as usize..get(&self.starts, number + 1) as usize;
        self.edges.get(range).unwrap_or_default()
    }
}

/// What has been looked at so far, with the vertex of the smallest semidominator on each way up.
struct Forest {
    above: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
}

impl Forest {
    fn evaluate(&mut self, number: u32) -> u32 {
        if get(&self.above, number) == NONE {
            return number;
        }
        // The way up is shortened from its top down.
        let mut way = Vec::new();
        let mut at = number;
        while get(&self.above, get(&self.above, at)) != NONE {
            way.push(at);
            at = get(&self.above, at);
        }
        while let Some(at) = way.pop() {
            let above = get(&self.above, at);
            let (own, upper) = (get(&self.label, at), get(&self.label, above));
            if get(&self.semi, upper) < get(&self.semi, own) {
                set(&mut self.label, at, upper);
            }
            let top = get(&self.above, above);
            set(&mut self.above, at, top);
        }
        get(&self.label, number)
    }
}

fn get(values: &[u32], index: u32) -> u32 {
    debug_assert!(index == NONE || (index as usize) < values.len(), "the list has {} elements, and none at {index}", values.len());
    values.get(index as usize).copied().unwrap_or(NONE)
}

fn set(values: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = values.get_mut(index as usize) {
        *slot = value;
    }
}
