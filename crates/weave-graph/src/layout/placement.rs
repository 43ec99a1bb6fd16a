//! Where on its layer each item is, after Brandes and Köpf: "Fast and Simple Horizontal Coordinate Assignment" (2001).
//!
//! Items that should be above each other are aligned into blocks, four times: from the top or the bottom, and leaning left or right. Each
//! alignment is packed as tightly as the order of the layers allows, and each item gets the middle of its four places. An edge that
//! crosses several layers is straight in all four, and so is a chain of boxes; a fork is centred over its branches.

use std::collections::{HashSet, VecDeque};

use super::chains::Chains;

/// The space between two boxes.
const BETWEEN_BOXES: f64 = 36.0;
/// The space beside an edge or a label.
const BETWEEN_EDGES: f64 = 16.0;

/// The distance between the centres of two neighbours on a layer.
pub(super) fn distance(chains: &Chains, left: usize, right: usize) -> f64 {
    let (left, right) = (&chains.items[left], &chains.items[right]);
    let between = if left.stand_in || right.stand_in { BETWEEN_EDGES } else { BETWEEN_BOXES };
    (left.size.width + right.size.width) / 2.0 + between
}

/// The centre of each item from left to right.
pub(super) fn horizontal(chains: &Chains) -> Vec<f64> {
    let crossed = crossed(chains);
    let mut candidates = Vec::with_capacity(4);
    for from_top in [true, false] {
        for leaning_left in [true, false] {
            let view = View::new(chains, from_top, leaning_left);
            let roots = view.align(chains, &crossed);
            candidates.push((leaning_left, view.pack(chains, &roots)));
        }
    }
    fit(chains, &mut candidates);
    let middle = |item: usize| {
        let mut places = [0.0; 4];
        for (place, (_, x)) in places.iter_mut().zip(&candidates) {
            *place = x[item];
        }
        places.sort_by(f64::total_cmp);
        f64::midpoint(places[1], places[2])
    };
    (0..chains.items.len()).map(middle).collect()
}

/// The edges that cross the inside of a long edge: the long edge stays straight, and these bend.
fn crossed(chains: &Chains) -> HashSet<(usize, usize)> {
    let mut crossed = HashSet::new();
    let mut positions = vec![0; chains.items.len()];
    for layer in &chains.layers {
        layer.iter().enumerate().for_each(|(position, item)| positions[*item] = position);
    }
    let inner = |item: usize| chains.above[item].iter().copied().find(|upper| chains.items[*upper].stand_in && chains.items[item].stand_in);
    for pair in chains.layers.windows(2) {
        let [upper, lower] = pair else { continue };
        let (mut from, mut scanned) = (0, 0);
        for (index, &item) in lower.iter().enumerate() {
            let straight = inner(item);
            if straight.is_none() && index + 1 < lower.len() {
                continue;
            }
            let to = straight.map_or(upper.len(), |other| positions[other]);
            for &other in lower.get(scanned..=index).unwrap_or_default() {
                for &end in chains.above[other].iter().filter(|end| positions[**end] < from || positions[**end] > to) {
                    if !(chains.items[end].stand_in && chains.items[other].stand_in) {
                        crossed.insert((end, other));
                    }
                }
            }
            (from, scanned) = (if straight.is_some() { to } else { from }, index + 1);
        }
    }
    crossed
}

/// The layers as one of the four alignments sees them.
struct View {
    layers: Vec<Vec<usize>>,
    /// The position of each item on its layer.
    positions: Vec<usize>,
    from_top: bool,
    leaning_left: bool,
}

impl View {
    fn new(chains: &Chains, from_top: bool, leaning_left: bool) -> Self {
        let mut layers = chains.layers.clone();
        if !from_top {
            layers.reverse();
        }
        if !leaning_left {
            layers.iter_mut().for_each(|layer| layer.reverse());
        }
        let mut positions = vec![0; chains.items.len()];
        for layer in &layers {
            layer.iter().enumerate().for_each(|(position, item)| positions[*item] = position);
        }
        Self { layers, positions, from_top, leaning_left }
    }

    /// The block of each item, by the first item of the block.
    fn align(&self, chains: &Chains, crossed: &HashSet<(usize, usize)>) -> Vec<usize> {
        let mut roots = (0..chains.items.len()).collect::<Vec<_>>();
        // Whether something on the next layer continues the block of an item.
        let mut continued = vec![false; chains.items.len()];
        for layer in &self.layers {
            let mut free = 0;
            for &item in layer {
                let mut ends = chains.aligned(item, self.from_top);
                ends.sort_unstable_by_key(|end| self.positions[*end]);
                let last = ends.len().saturating_sub(1);
                for &end in ends.get(last / 2..=last.div_ceil(2)).unwrap_or_default() {
                    let edge = if self.from_top { (end, item) } else { (item, end) };
                    if roots[item] == item && self.positions[end] >= free && !continued[end] && !crossed.contains(&edge) {
                        roots[item] = roots[end];
                        continued[end] = true;
                        free = self.positions[end] + 1;
                    }
                }
            }
        }
        roots
    }

    /// The place of each item if each block is as far to the side of this view as the distances allow, and then as near to its right
    /// neighbours as it can be without moving any.
    fn pack(&self, chains: &Chains, roots: &[usize]) -> Vec<f64> {
        let count = chains.items.len();
        let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
        let mut waiting = vec![0_usize; count];
        for layer in &self.layers {
            for pair in layer.windows(2) {
                let &[left, right] = pair else { continue };
                after[roots[left]].push((roots[right], distance(chains, left, right)));
                waiting[roots[right]] += 1;
            }
        }
        let mut places = vec![0.0_f64; count];
        let mut open = (0..count).filter(|item| roots[*item] == *item && waiting[*item] == 0).collect::<VecDeque<_>>();
        let mut order = Vec::new();
        while let Some(block) = open.pop_front() {
            order.push(block);
            for &(next, apart) in &after[block] {
                places[next] = places[next].max(places[block] + apart);
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    open.push_back(next);
                }
            }
        }
        for &block in order.iter().rev() {
            let nearest = after[block].iter().map(|(next, apart)| places[*next] - apart).fold(f64::INFINITY, f64::min);
            if nearest.is_finite() {
                places[block] = places[block].max(nearest);
            }
        }
        let turned = if self.leaning_left { 1.0 } else { -1.0 };
        (0..count).map(|item| turned * places[roots[item]]).collect()
    }
}

/// Moves each candidate to the narrowest: those that lean left by their left ends, the others by their right ends.
fn fit(chains: &Chains, candidates: &mut [(bool, Vec<f64>)]) {
    let ends = |x: &[f64]| {
        let sides = chains.items.iter().zip(x).map(|(item, x)| (x - item.size.width / 2.0, x + item.size.width / 2.0));
        sides.fold((f64::INFINITY, f64::NEG_INFINITY), |(left, right), (a, b)| (left.min(a), right.max(b)))
    };
    let all = candidates.iter().map(|(_, x)| ends(x)).collect::<Vec<_>>();
    let Some(&(left, right)) = all.iter().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0))) else { return };
    for ((leaning_left, x), (own_left, own_right)) in candidates.iter_mut().zip(all) {
        let shift = if *leaning_left { left - own_left } else { right - own_right };
        if shift.is_finite() {
            x.iter_mut().for_each(|x| *x += shift);
        }
    }
}
