//! Where everything stands: a layered drawing from top to bottom, after Sugiyama.
//!
//! The steps are the usual ones: turn edges around until there is no cycle, put each vertex on a layer, put a stand-in on each layer
//! that an edge crosses, order the layers so that few edges cross, and give all of it coordinates. Between two layers of vertices lies
//! one for labels: a label is the stand-in of its edge there, with a size, so that nothing is ever drawn over it. Edges pass through a
//! layer upright and bend only between layers, so they never touch a box.
//!
//! All loops have fixed numbers of rounds and all orders come from the source, so the same graph is always the same picture.
#![allow(clippy::indexing_slicing, reason = "every index is one of a vertex, item or layer that the same tables were made for")]

mod acyclic;
mod chains;
mod coordinates;
mod order;

use acyclic::Direction;
use chains::Chains;

/// A size in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A place in pixels, from the upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// An edge to be drawn, between two vertices by their index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: Option<Size>,
}

/// Where everything stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) size: Size,
    /// The centre of each vertex.
    pub(crate) centers: Vec<Point>,
    /// The way of each link, in the direction of its arrow. A link from a vertex to itself has none: it is drawn beside the vertex.
    pub(crate) routes: Vec<Route>,
}

/// The way of an edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    /// Through which points it goes; between two of them that are not above each other it bends.
    pub(crate) points: Vec<Point>,
    /// The centre of its label.
    pub(crate) label: Option<Point>,
}

/// What lies between the outermost boxes and the edge of the drawing.
const MARGIN: f64 = 24.0;

/// How far the arrow of a link from a vertex to itself stands out from it.
pub(crate) const LOOP: f64 = 30.0;

/// Lays out vertices of these sizes; the first one is put on top.
pub(crate) fn layout(sizes: &[Size], links: &[Link]) -> Drawing {
    let directions = acyclic::directions(sizes.len(), links);
    let layers = acyclic::layers(sizes.len(), links, &directions);
    let mut chains = Chains::new(sizes, links, &directions, &layers);
    order::arrange(&mut chains, sizes.len());
    let mut x = coordinates::horizontal(&chains);
    let left = chains.items.iter().zip(&x).map(|(item, x)| x - item.size.width / 2.0).fold(f64::INFINITY, f64::min);
    for x in &mut x {
        *x += MARGIN - left;
    }
    let bands = coordinates::vertical(&chains, &x, MARGIN);
    let right = chains.items.iter().zip(&x).map(|(item, x)| x + item.size.width / 2.0).fold(0.0, f64::max);
    let bottom = bands.last().map_or(0.0, |band| band.bottom);
    let centers = (0..sizes.len()).map(|vertex| Point { x: x[vertex], y: bands[chains.items[vertex].layer].middle() }).collect::<Vec<_>>();
    let ports = Ports::new(sizes, links, &directions, &chains, &x);
    let routes = (0..links.len()).map(|link| route(link, links, &directions, &chains, &x, &bands, &ports, sizes, &centers)).collect();
    Drawing { size: Size { width: right + MARGIN, height: bottom + MARGIN }, centers, routes }
}

/// The way of one link through its stand-ins.
#[allow(clippy::too_many_arguments, reason = "these are the tables of one layout, and this is their only common reader")]
fn route(
    link: usize,
    links: &[Link],
    directions: &[Direction],
    chains: &Chains,
    x: &[f64],
    bands: &[coordinates::Band],
    ports: &Ports,
    sizes: &[Size],
    centers: &[Point],
) -> Route {
    let Some((upper, lower)) = directions[link].ends(&links[link]) else { return Route::default() };
    let mut points = Vec::new();
    let mut push = |x: f64, y: f64| {
        let point = Point { x, y };
        if points.last() != Some(&point) {
            points.push(point);
        }
    };
    push(ports.out[link], centers[upper].y + sizes[upper].height / 2.0);
    push(ports.out[link], bands[chains.items[upper].layer].bottom);
    for &item in &chains.chains[link] {
        let band = &bands[chains.items[item].layer];
        push(x[item], band.top);
        push(x[item], band.bottom);
    }
    push(ports.into[link], bands[chains.items[lower].layer].top);
    push(ports.into[link], centers[lower].y - sizes[lower].height / 2.0);
    if directions[link] == Direction::Up {
        points.reverse();
    }
    let label = chains.labels[link].map(|item| Point { x: x[item], y: bands[chains.items[item].layer].middle() });
    Route { points, label }
}

/// Where on the lower side of its upper vertex, and on the upper side of its lower vertex, each link is attached.
struct Ports {
    out: Vec<f64>,
    into: Vec<f64>,
}

impl Ports {
    const APART: f64 = 26.0;

    fn new(sizes: &[Size], links: &[Link], directions: &[Direction], chains: &Chains, x: &[f64]) -> Self {
        let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); sizes.len()];
        let mut above = below.clone();
        for (link, direction) in directions.iter().enumerate() {
            if let Some((upper, lower)) = direction.ends(&links[link]) {
                let chain = &chains.chains[link];
                below[upper].push((x[chain.first().copied().unwrap_or(lower)], link));
                above[lower].push((x[chain.last().copied().unwrap_or(upper)], link));
            }
        }
        let mut ports = Self { out: vec![0.0; links.len()], into: vec![0.0; links.len()] };
        for vertex in 0..sizes.len() {
            Self::spread(&mut below[vertex], x[vertex], sizes[vertex].width, &mut ports.out);
            Self::spread(&mut above[vertex], x[vertex], sizes[vertex].width, &mut ports.into);
        }
        ports
    }

    /// Side by side in the order in which the links go on, so that they do not cross at once.
    fn spread(attached: &mut [(f64, usize)], center: f64, width: f64, ports: &mut [f64]) {
        attached.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let gaps = attached.len().saturating_sub(1) as f64;
        let apart = if gaps > 0.0 { Self::APART.min((width - 36.0).max(0.0) / gaps) } else { 0.0 };
        for (index, (_, link)) in attached.iter().enumerate() {
            ports[*link] = center + (index as f64 - gaps / 2.0) * apart;
        }
    }
}

#[cfg(test)]
mod tests;
