//! What stands on the layers: the vertices, and stand-ins for the edges that cross a layer.

use super::{LOOP, Link, Size, acyclic::Direction};

/// What stands on a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) layer: usize,
    pub(super) size: Size,
    /// It stands for an edge, not for a vertex.
    pub(super) stand_in: bool,
}

/// The items, first the vertices, and how they hang together.
#[derive(Debug)]
pub(super) struct Chains {
    pub(super) items: Vec<Item>,
    /// The stand-ins of each link from above to below.
    pub(super) chains: Vec<Vec<usize>>,
    /// The stand-in of each link that holds its label.
    pub(super) labels: Vec<Option<usize>>,
    /// The items on the layer above that an item is joined to.
    pub(super) above: Vec<Vec<usize>>,
    /// The items on the layer below that an item is joined to.
    pub(super) below: Vec<Vec<usize>>,
    /// Those of the items above and below that this one should be aligned with: what the main path joins it to.
    main_above: Vec<Vec<usize>>,
    main_below: Vec<Vec<usize>>,
    /// The items of each layer from left to right.
    pub(super) layers: Vec<Vec<usize>>,
}

/// More stand-ins than this cost too much time, and nobody can follow so many edges. The longest edges then have stand-ins at their ends
/// only, and in between they are drawn straight, whatever is there.
const MOST_STAND_INS: usize = 60_000;

/// The space that an edge takes on a layer.
const LANE: f64 = 6.0;

impl Chains {
    pub(super) fn new(sizes: &[Size], links: &[Link], directions: &[Direction], layers: &[usize]) -> Self {
        let depth = layers.iter().max().map_or(0, |deepest| deepest * 2 + 1);
        let items = sizes.iter().zip(layers).map(|(size, layer)| Item { layer: layer * 2, size: *size, stand_in: false });
        let mut chains = Self {
            items: items.collect(),
            chains: vec![Vec::new(); links.len()],
            labels: vec![None; links.len()],
            above: vec![Vec::new(); sizes.len()],
            below: vec![Vec::new(); sizes.len()],
            main_above: vec![Vec::new(); sizes.len()],
            main_below: vec![Vec::new(); sizes.len()],
            layers: vec![Vec::new(); depth],
        };
        let cut = longest_whole(links, directions, layers);
        for (index, link) in links.iter().enumerate() {
            match directions[index].ends(link) {
                Some((upper, lower)) => chains.connect(index, link, upper, lower, directions[index], cut),
                // The arrow and its label stand on the right; the same on the left keeps the vertex in the middle of its place.
                None => chains.items[link.from].size.width += 2.0 * (LOOP + link.label.map_or(0.0, |label| label.width + 4.0)),
            }
        }
        chains
    }

    fn connect(&mut self, index: usize, link: &Link, upper: usize, lower: usize, direction: Direction, cut: usize) {
        let (top, bottom) = (self.items[upper].layer, self.items[lower].layer);
        // A label stands near the source of its edge: guards of a choice are read side by side.
        let label_layer = if direction == Direction::Up { bottom - 1 } else { top + 1 };
        let main = link.main && direction == Direction::Down;
        let mut before = upper;
        for layer in top + 1..bottom {
            if bottom - top > cut && layer != top + 1 && layer != bottom - 1 {
                continue;
            }
            let label = link.label.filter(|_| layer == label_layer);
            let size = label.unwrap_or(Size { width: LANE, height: 0.0 });
            let item = self.items.len();
            self.items.push(Item { layer, size, stand_in: true });
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            self.main_above.push(Vec::new());
            self.main_below.push(Vec::new());
            if label.is_some() {
                self.labels[index] = Some(item);
            }
            self.join(before, item, main);
            self.chains[index].push(item);
            before = item;
        }
        self.join(before, lower, main);
    }

    fn join(&mut self, upper: usize, lower: usize, main: bool) {
        if self.items[upper].layer + 1 == self.items[lower].layer {
            self.below[upper].push(lower);
            self.above[lower].push(upper);
            if main {
                self.main_below[upper].push(lower);
                self.main_above[lower].push(upper);
            }
        }
    }

    /// What an item may be aligned with on the layer above or below: the ends of the main path, or if there is none, all. What has a main
    /// path of its own is left to that.
    pub(super) fn aligned(&self, item: usize, above: bool) -> Vec<usize> {
        let (main, all, back) = match above {
            true => (&self.main_above[item], &self.above[item], &self.main_below),
            false => (&self.main_below[item], &self.below[item], &self.main_above),
        };
        if main.is_empty() { all.iter().copied().filter(|end| back[*end].is_empty()).collect() } else { main.clone() }
    }
}

/// How many layers an edge may cross to have a stand-in on each of them.
fn longest_whole(links: &[Link], directions: &[Direction], layers: &[usize]) -> usize {
    let spans = links.iter().zip(directions).filter_map(|(link, direction)| direction.ends(link));
    let mut spans = spans.map(|(upper, lower)| (layers[lower] - layers[upper]) * 2).collect::<Vec<_>>();
    spans.sort_unstable();
    let mut total = 0;
    let whole = spans.iter().take_while(|span| {
        total += **span;
        total <= MOST_STAND_INS
    });
    whole.last().copied().unwrap_or(2)
}
