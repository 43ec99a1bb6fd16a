//! Where on its layer each item stands, and where each layer stands.

use super::chains::Chains;

/// The space between two boxes.
const BETWEEN_BOXES: f64 = 36.0;
/// The space beside an edge or a label.
const BETWEEN_EDGES: f64 = 16.0;

/// The centre of each item from left to right.
///
/// Each round wants every item to stand below, above or between those that it is joined to, and finds for each layer the places
/// nearest to that which keep the order and the distances.
pub(super) fn horizontal(chains: &Chains) -> Vec<f64> {
    let mut x = vec![0.0; chains.items.len()];
    for layer in &chains.layers {
        let mut right = 0.0;
        for (index, &item) in layer.iter().enumerate() {
            if index > 0 {
                right += distance(chains, layer[index - 1], item);
            }
            x[item] = right;
        }
    }
    let rounds = if chains.items.len() > 2_000 { 6 } else { 40 };
    for round in 0..rounds {
        let last = round + 8 >= rounds;
        let depth = chains.layers.len();
        for step in 0..depth {
            let layer = if round % 2 == 0 { step } else { depth - 1 - step };
            settle(chains, layer, last || round % 2 == 0, last || round % 2 == 1, &mut x);
        }
    }
    x
}

/// The distance of the centres of two neighbours on a layer.
fn distance(chains: &Chains, left: usize, right: usize) -> f64 {
    let (left, right) = (&chains.items[left], &chains.items[right]);
    let between = if left.stand_in || right.stand_in { BETWEEN_EDGES } else { BETWEEN_BOXES };
    (left.size.width + right.size.width) / 2.0 + between
}

/// How much an edge wants to be upright: the middle of a long one more than its ends.
fn stiffness(chains: &Chains, a: usize, b: usize) -> f64 {
    match (chains.items[a].stand_in, chains.items[b].stand_in) {
        (true, true) => 8.0,
        (false, false) => 1.0,
        _ => 2.0,
    }
}

/// A run of neighbours that stand as close as they may.
struct Block {
    /// The sum of the places that its items want, each seen from the start of the layer, times their weights.
    wanted: f64,
    weight: f64,
    items: usize,
}

impl Block {
    fn place(&self) -> f64 {
        self.wanted / self.weight
    }
}

/// Moves the items of a layer as near as possible, by least squares, to where their neighbours above or below want them.
fn settle(chains: &Chains, layer: usize, by_above: bool, by_below: bool, x: &mut [f64]) {
    let layer = &chains.layers[layer];
    let mut blocks: Vec<Block> = Vec::with_capacity(layer.len());
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (index, &item) in layer.iter().enumerate() {
        if index > 0 {
            offset += distance(chains, layer[index - 1], item);
        }
        offsets.push(offset);
        let above = chains.above[item].iter().filter(|_| by_above);
        let neighbours = above.chain(chains.below[item].iter().filter(|_| by_below));
        // What nothing pulls stays where it is, unless somebody needs the place.
        let (mut wanted, mut weight) = (x[item] * 0.01, 0.01);
        for &other in neighbours {
            let pull = stiffness(chains, item, other);
            wanted += x[other] * pull;
            weight += pull;
        }
        blocks.push(Block { wanted: wanted - offset * weight, weight, items: 1 });
        while let [.., before, last] = blocks.as_slice() {
            if before.place() <= last.place() {
                break;
            }
            let merged =
                Block { wanted: before.wanted + last.wanted, weight: before.weight + last.weight, items: before.items + last.items };
            blocks.truncate(blocks.len() - 2);
            blocks.push(merged);
        }
    }
    let places = blocks.iter().flat_map(|block| std::iter::repeat_n(block.place(), block.items));
    for ((&item, offset), place) in layer.iter().zip(offsets).zip(places) {
        x[item] = place + offset;
    }
}

/// Where a layer stands from top to bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Band {
    pub(super) fn middle(&self) -> f64 {
        self.top.midpoint(self.bottom)
    }
}

/// The layers from top to bottom. Where edges go far to the side there is more space, so that they do not lie flat.
pub(super) fn vertical(chains: &Chains, x: &[f64], top: f64) -> Vec<Band> {
    let mut bands = Vec::with_capacity(chains.layers.len());
    let mut y = top;
    for (index, layer) in chains.layers.iter().enumerate() {
        let height = layer.iter().map(|item| chains.items[*item].size.height).fold(0.0, f64::max);
        bands.push(Band { top: y, bottom: y + height });
        let below = layer.iter().flat_map(|item| chains.below[*item].iter().map(|lower| (x[*item] - x[*lower]).abs()));
        let farthest = below.fold(0.0, f64::max);
        let empty = height == 0.0 && index % 2 == 1;
        let gap = if empty { 10.0 } else { 20.0 };
        y += height + gap + (farthest * 0.06).min(34.0);
    }
    bands
}
