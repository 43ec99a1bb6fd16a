//! The ways of the edges: where they touch their boxes, how they pass the layers, and where they bend.

use super::acyclic::Direction;
use super::chains::Chains;
use super::placement::distance;
use super::{Link, Point, Route, STUB, Size};

/// What an edge is on its way from above to below.
pub(super) struct Way {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// Where it leaves the upper and enters the lower vertex.
    pub(super) out: f64,
    pub(super) into: f64,
}

/// The way of each link, and none for a link from a vertex to itself. Stand-ins move where that makes a way straighter.
pub(super) fn ways(sizes: &[Size], links: &[Link], directions: &[Direction], chains: &Chains, x: &mut [f64]) -> Vec<Option<Way>> {
    let ends = |(link, direction): (&Link, &Direction)| direction.ends(link);
    let mut ways = links.iter().zip(directions).map(|pair| {
        let (upper, lower) = ends(pair)?;
        Some(Way { upper, lower, out: x[upper], into: x[lower] })
    });
    let mut ways = ways.by_ref().collect::<Vec<_>>();
    let mut positions = vec![0; chains.items.len()];
    for layer in &chains.layers {
        layer.iter().enumerate().for_each(|(position, item)| positions[*item] = position);
    }
    // What the first round straightens moves the ports of the second.
    for _ in 0..2 {
        attach(sizes, chains, x, &mut ways, false);
        for (link, way) in ways.iter().enumerate() {
            if let Some(way) = way {
                straighten(&chains.chains[link], way, chains, &positions, x);
            }
        }
    }
    attach(sizes, chains, x, &mut ways, true);
    ways
}

/// Attaches the links to their vertices, side by side in the order in which they go on, so that they do not cross at once. With
/// `only_better`, the links at one side of a vertex move only if fewer of them bend then.
fn attach(sizes: &[Size], chains: &Chains, x: &[f64], ways: &mut [Option<Way>], only_better: bool) {
    let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); sizes.len()];
    let mut above = below.clone();
    for (link, way) in ways.iter().enumerate() {
        if let Some(Way { upper, lower, .. }) = way {
            let chain = &chains.chains[link];
            below[*upper].push((x[chain.first().copied().unwrap_or(*lower)], link));
            above[*lower].push((x[chain.last().copied().unwrap_or(*upper)], link));
        }
    }
    for vertex in 0..sizes.len() {
        let mut side = |attached: &mut Vec<(f64, usize)>, end: fn(&mut Way) -> &mut f64| {
            let new = ports(attached, x[vertex], sizes[vertex].width);
            let bends = |place: f64, towards: f64| usize::from((place - towards).abs() > STRAIGHT);
            let after = new.iter().zip(attached.iter()).map(|((_, place), (towards, _))| bends(*place, *towards)).sum::<usize>();
            let before = attached.iter().map(|(towards, link)| ways[*link].as_mut().map_or(0, |way| bends(*end(way), *towards)));
            if !only_better || after < before.sum::<usize>() {
                for (link, place) in new {
                    ways[link].iter_mut().for_each(|way| *end(way) = place);
                }
            }
        };
        side(&mut below[vertex], |way| &mut way.out);
        side(&mut above[vertex], |way| &mut way.into);
    }
}

/// How far apart edges are that touch the same side of a box, if there is space.
const APART: f64 = 24.0;
/// What stays free at the corners of a box.
const CORNER: f64 = 14.0;

/// The least distance of edges at a box, for which one of them may be straight.
const CLOSE: f64 = 7.0;

/// Where each link touches a side of a box: straight above or below where it goes on, if that is within the box; the others side by side.
fn ports(attached: &mut [(f64, usize)], center: f64, width: f64) -> Vec<(usize, f64)> {
    attached.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let gaps = attached.len().saturating_sub(1) as f64;
    let space = (width - 2.0 * CORNER).max(0.0);
    let (left, right) = (center - space / 2.0, center + space / 2.0);
    let mut apart = if gaps > 0.0 { APART.min(space / gaps) } else { 0.0 };
    // How far apart all may be if this one is straight: what is beside it needs space before the corner.
    let room = |index: usize, towards: f64| {
        let (before, after) = (index as f64, gaps - index as f64);
        ((towards - left) / before.max(1e-9)).min((right - towards) / after.max(1e-9))
    };
    let within = |towards: f64| (left - 0.1..=right + 0.1).contains(&towards);
    let least = CLOSE.min(apart);
    let straight =
        attached.iter().enumerate().map(|(index, (towards, _))| within(*towards) && room(index, *towards) >= least).collect::<Vec<_>>();
    for (index, (towards, _)) in attached.iter().enumerate().filter(|(index, _)| straight[*index]) {
        apart = apart.min(room(index, *towards).max(least));
    }
    let mut offsets = Vec::with_capacity(attached.len());
    let mut offset = 0.0;
    for (index, (towards, _)) in attached.iter().enumerate() {
        if let Some(before) = index.checked_sub(1) {
            let both = straight[before] && straight[index];
            offset += if both { (towards - attached[before].0).clamp(least.min(apart), apart) } else { apart };
        }
        offsets.push(offset);
    }
    // Runs of ports that are as close as they may be: the sum of the places that they want, seen from the first, times their weights.
    let mut runs: Vec<(f64, f64, usize)> = Vec::new();
    for (index, ((towards, _), offset)) in attached.iter().zip(&offsets).enumerate() {
        let (wanted, weight) = if straight[index] { (*towards, 1e4) } else { (center + (index as f64 - gaps / 2.0) * apart, 1.0) };
        runs.push(((wanted - offset) * weight, weight, 1));
        while let &[.., (sum, weight, count), (last_sum, last_weight, last_count)] = runs.as_slice()
            && sum / weight > last_sum / last_weight
        {
            runs.truncate(runs.len() - 2);
            runs.push((sum + last_sum, weight + last_weight, count + last_count));
        }
    }
    let places = runs.iter().flat_map(|(sum, weight, count)| std::iter::repeat_n(sum / weight, *count));
    let places = places.map(|place| place.clamp(left, (right - offset).max(left)));
    attached.iter().zip(places).zip(offsets).map(|(((_, link), place), offset)| (*link, place + offset)).collect()
}

/// Moves the stand-ins of one link, between their neighbours, so that it has as few bends as possible.
///
/// From the lower end upwards, as many stand-ins as possible are put above each other, and so on with the rest: no other way has fewer
/// bends. So a label is above what it leads to, and bends are near the box that the edges fan out from.
fn straighten(chain: &[usize], way: &Way, chains: &Chains, positions: &[usize], x: &mut [f64]) {
    /// Less than this is no bend.
    const NOTHING: f64 = 0.01;
    let mut run: Vec<usize> = Vec::new();
    let (mut low, mut high) = (way.into, way.into);
    let put = |run: &mut Vec<usize>, low: f64, high: f64, last: bool, x: &mut [f64]| {
        if run.is_empty() {
            return;
        }
        let before = run.iter().map(|item| x[*item]).sum::<f64>() / run.len() as f64;
        let wanted = if last { way.out } else { before };
        let place = if low < high { wanted.clamp(low, high) } else { low };
        run.drain(..).for_each(|item| x[item] = place);
    };
    for &item in chain.iter().rev() {
        let layer = &chains.layers[chains.items[item].layer];
        let position = positions[item];
        let left = position.checked_sub(1).map_or(f64::NEG_INFINITY, |before| x[layer[before]] + distance(chains, layer[before], item));
        let right = layer.get(position + 1).map_or(f64::INFINITY, |next| x[*next] - distance(chains, item, *next));
        // Where there is no space at all, for rounding, it stays.
        let (left, right) = if left <= right { (left, right) } else { (x[item], x[item]) };
        let (both_low, both_high) = (low.max(left - NOTHING), high.min(right + NOTHING));
        if both_low <= both_high {
            (low, high) = (both_low, both_high);
        } else {
            put(&mut run, low, high, false, x);
            (low, high) = (left, right);
        }
        run.push(item);
    }
    put(&mut run, low, high, true, x);
}

/// A layer of vertices or labels, from top to bottom.
///
/// All edges bend between where they may leave one layer and where they enter the next: with the same height, edges that are side by side
/// at both ends do not cross in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    /// Where edges from above are upright again.
    enter: f64,
    top: f64,
    bottom: f64,
    /// Until where edges to below are still upright.
    leave: f64,
}

impl Band {
    pub(super) fn middle(&self) -> f64 {
        self.top.midpoint(self.bottom)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.bottom
    }
}

/// The places of a way from above to below: the layer and where it passes it.
fn stations<'a>(link: usize, way: &'a Way, chains: &'a Chains, x: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
    let first = (chains.items[way.upper].layer, way.out);
    let last = (chains.items[way.lower].layer, way.into);
    let between = chains.chains[link].iter().map(|item| (chains.items[*item].layer, x[*item]));
    [first].into_iter().chain(between).chain([last])
}

/// The layers from top to bottom. Where edges bend there is more space, and the more the farther they go to the side.
pub(super) fn bands(chains: &Chains, ways: &[Option<Way>], directions: &[Direction], x: &[f64], top: f64) -> Vec<Band> {
    let mut farthest = vec![0.0_f64; chains.layers.len()];
    for (link, way) in ways.iter().enumerate() {
        let Some(way) = way else { continue };
        let mut before: Option<(usize, f64)> = None;
        for (layer, place) in stations(link, way, chains, x) {
            if let Some((upper, above)) = before {
                farthest[upper] = farthest[upper].max((place - above).abs());
            }
            before = Some((layer, place));
        }
    }
    // Arrows that lead up end below a layer of vertices.
    let mut turned = vec![false; chains.layers.len()];
    for (way, direction) in ways.iter().zip(directions) {
        if let (Some(way), Direction::Up) = (way, direction) {
            turned[chains.items[way.upper].layer] = true;
        }
    }
    let mut bands = Vec::with_capacity(chains.layers.len());
    let mut y = top - STUB;
    for (index, layer) in chains.layers.iter().enumerate() {
        let height = layer.iter().map(|item| chains.items[*item].size.height).fold(0.0, f64::max);
        let vertices = index % 2 == 0;
        let (above, below) = (if vertices { STUB } else { 0.0 }, if turned[index] { STUB } else { 0.0 });
        let band = Band { enter: y, top: y + above, bottom: y + above + height, leave: y + above + height + below };
        bands.push(band);
        let farthest = farthest[index];
        let bend = if farthest > STRAIGHT { 14.0 + (farthest * 0.07).min(40.0) } else { 0.0 };
        let label =
            height > 0.0 || chains.layers.get(index + 1).is_some_and(|next| next.iter().any(|item| chains.items[*item].size.height > 0.0));
        y = band.leave
            + if bend > 0.0 {
                bend + 2.0
            } else if label {
                8.0
            } else {
                2.0
            };
    }
    bands
}

/// Two places that are no farther apart are above each other.
const STRAIGHT: f64 = 0.05;

/// The way of a link through the layers, in the direction of its arrow.
pub(super) fn route(link: usize, way: &Way, up: bool, (chains, x, bands): (&Chains, &[f64], &[Band]), (start, end): (f64, f64)) -> Route {
    // Upright stretches: where, and from what height to what height.
    let mut stretches: Vec<(f64, f64, f64)> = Vec::new();
    for (layer, place) in stations(link, way, chains, x) {
        let band = &bands[layer];
        match stretches.last_mut() {
            Some((before, _, bottom)) if (*before - place).abs() <= STRAIGHT => *bottom = band.leave,
            _ => stretches.push((place, band.enter, band.leave)),
        }
    }
    if let Some((_, top, _)) = stretches.first_mut() {
        *top = start;
    }
    if let Some((_, _, bottom)) = stretches.last_mut() {
        *bottom = end;
    }
    let mut points = Vec::new();
    for (x, top, bottom) in stretches {
        points.push(Point { x, y: top });
        points.push(Point { x, y: bottom });
    }
    points.dedup();
    if up {
        points.reverse();
    }
    let label = chains.labels[link].map(|item| Point { x: x[item], y: bands[chains.items[item].layer].middle() });
    Route { points, label }
}
