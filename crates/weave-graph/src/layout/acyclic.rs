//! Which way edges are drawn, and which vertex is on which layer.

use super::Link;

/// Which way an edge is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From above to below.
    Down,
    /// From below to above: it closes a cycle.
    Up,
    /// From a vertex to itself, beside it.
    Aside,
}

impl Direction {
    /// The upper and the lower end.
    pub(super) fn ends(self, link: &Link) -> Option<(usize, usize)> {
        match self {
            Self::Down => Some((link.from, link.to)),
            Self::Up => Some((link.to, link.from)),
            Self::Aside => None,
        }
    }
}

/// Turns around what leads back to where a search in depth came from.
///
/// The search begins where nothing leads to and takes links in their order, so in a loop it is the way back that is turned.
pub(super) fn directions(vertices: usize, links: &[Link]) -> Vec<Direction> {
    let mut out = vec![Vec::new(); vertices];
    let mut entered = vec![false; vertices];
    for (index, link) in links.iter().enumerate() {
        out[link.from].push(index);
        entered[link.to] |= link.from != link.to;
    }
    let mut directions = vec![Direction::Down; links.len()];
    let mut state = vec![State::New; vertices];
    let roots = (0..vertices).filter(|vertex| !entered[*vertex]).chain(0..vertices);
    for root in roots {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        let mut way = vec![(root, 0)];
        while let Some((vertex, next)) = way.last_mut() {
            let Some(&link) = out[*vertex].get(*next) else {
                state[*vertex] = State::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let to = links[link].to;
            if to == *vertex {
                directions[link] = Direction::Aside;
            } else if state[to] == State::Open {
                directions[link] = Direction::Up;
            } else if state[to] == State::New {
                state[to] = State::Open;
                way.push((to, 0));
            }
        }
    }
    directions
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// The layer of each vertex: below all that leads to it, and where that shortens more edges than it lengthens, right above what follows.
pub(super) fn layers(vertices: usize, links: &[Link], directions: &[Direction]) -> Vec<usize> {
    let mut below = vec![Vec::new(); vertices];
    let mut waiting = vec![0_usize; vertices];
    for (link, direction) in links.iter().zip(directions) {
        if let Some((upper, lower)) = direction.ends(link) {
            below[upper].push(lower);
            waiting[lower] += 1;
        }
    }
    let entering = waiting.clone();
    let mut sorted = (0..vertices).filter(|vertex| waiting[*vertex] == 0).collect::<Vec<_>>();
    let mut layers = vec![0; vertices];
    let mut next = 0;
    while let Some(&vertex) = sorted.get(next) {
        next += 1;
        for &lower in &below[vertex] {
            layers[lower] = layers[lower].max(layers[vertex] + 1);
            waiting[lower] -= 1;
            if waiting[lower] == 0 {
                sorted.push(lower);
            }
        }
    }
    for &vertex in sorted.iter().rev().filter(|vertex| **vertex != 0) {
        if let Some(lowest) = below[vertex].iter().map(|lower| layers[*lower] - 1).min()
            && below[vertex].len() > entering[vertex]
        {
            layers[vertex] = lowest;
        }
    }
    layers
}
