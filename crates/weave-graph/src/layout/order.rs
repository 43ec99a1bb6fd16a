//! The order of items on each layer, so that few edges cross.

use super::chains::Chains;

/// Beyond so many items, the fine work on single pairs takes too long.
const MOST_FOR_PAIRS: usize = 2_000;

/// Puts all items on their layers, and these in order.
pub(super) fn arrange(chains: &mut Chains, vertices: usize) {
    place(chains, vertices);
    let small = chains.items.len() <= MOST_FOR_PAIRS;
    let rounds = if small { 24 } else { 6 };
    let mut positions = vec![0; chains.items.len()];
    chains.layers.iter().for_each(|layer| number(layer, &mut positions));
    let mut best = chains.layers.clone();
    let mut fewest = crossings(chains, &positions);
    for round in 0..rounds {
        if fewest == 0 {
            break;
        }
        sweep(chains, &mut positions, round % 2 == 0);
        if small {
            swap_pairs(chains, &mut positions);
        }
        let crossings = crossings(chains, &positions);
        if crossings < fewest {
            fewest = crossings;
            best.clone_from(&chains.layers);
        }
    }
    chains.layers = best;
}

/// The first order: a search in depth from above meets the items, so that what follows from each other is close together.
fn place(chains: &mut Chains, vertices: usize) {
    let mut met = vec![false; chains.items.len()];
    let tops = (0..vertices).filter(|vertex| chains.above[*vertex].is_empty());
    let mut roots = tops.collect::<Vec<_>>();
    roots.extend((0..chains.items.len()).filter(|item| chains.above[*item].is_empty()));
    for root in roots {
        let mut open = vec![root];
        while let Some(item) = open.pop() {
            if !std::mem::replace(&mut met[item], true) {
                chains.layers[chains.items[item].layer].push(item);
                open.extend(chains.below[item].iter().rev());
            }
        }
    }
}

fn number(layer: &[usize], positions: &mut [usize]) {
    layer.iter().enumerate().for_each(|(position, item)| positions[*item] = position);
}

/// Sorts each layer by where the neighbours on the layer before stand; what has none there keeps its place.
fn sweep(chains: &mut Chains, positions: &mut [usize], down: bool) {
    let depth = chains.layers.len();
    for step in 1..depth {
        let (layer, neighbours) = if down { (step, &chains.above) } else { (depth - 1 - step, &chains.below) };
        let middle = |item: usize| match neighbours[item].as_slice() {
            [] => positions[item] as f64,
            several => several.iter().map(|other| positions[*other] as f64).sum::<f64>() / several.len() as f64,
        };
        let mut keyed = chains.layers[layer].iter().map(|item| (middle(*item), *item)).collect::<Vec<_>>();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        chains.layers[layer] = keyed.into_iter().map(|(_, item)| item).collect();
        number(&chains.layers[layer], positions);
    }
}

/// Swaps neighbours on a layer where that undoes crossings.
fn swap_pairs(chains: &mut Chains, positions: &mut [usize]) {
    for _ in 0..4 {
        let mut better = false;
        for layer in 0..chains.layers.len() {
            for right in 1..chains.layers[layer].len() {
                let (a, b) = (chains.layers[layer][right - 1], chains.layers[layer][right]);
                let between = |a: usize, b: usize| {
                    pair(&chains.above[a], &chains.above[b], positions) + pair(&chains.below[a], &chains.below[b], positions)
                };
                if between(b, a) < between(a, b) {
                    chains.layers[layer].swap(right - 1, right);
                    positions.swap(a, b);
                    better = true;
                }
            }
        }
        if !better {
            return;
        }
    }
}

/// How often the edges of two neighbours cross if the first stands left.
fn pair(left: &[usize], right: &[usize], positions: &[usize]) -> usize {
    left.iter().map(|a| right.iter().filter(|b| positions[**b] < positions[*a]).count()).sum()
}

/// How many edges cross, counted with a tree of sums for each pair of layers.
fn crossings(chains: &Chains, positions: &[usize]) -> usize {
    let mut total = 0;
    let mut sums = Vec::new();
    for (index, layer) in chains.layers.iter().enumerate() {
        let width = chains.layers.get(index + 1).map_or(0, Vec::len);
        sums.clear();
        sums.resize(width + 1, 0_usize);
        let mut seen = 0;
        let mut ends = Vec::new();
        for item in layer {
            ends.clear();
            ends.extend(chains.below[*item].iter().map(|lower| positions[*lower] + 1));
            // Edges of one item do not cross each other: all are counted before any is added.
            for &end in &ends {
                let mut at = end;
                let mut up_to = 0;
                while at > 0 {
                    up_to += sums[at];
                    at &= at - 1;
                }
                total += seen - up_to;
            }
            for &end in &ends {
                let mut at = end;
                while at <= width {
                    sums[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    total
}
