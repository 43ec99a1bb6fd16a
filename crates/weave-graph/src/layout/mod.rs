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
mod order;
mod placement;
mod routes;

use acyclic::Direction;
use chains::Chains;
use routes::Way;

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
    /// It belongs to the main path: its ends should be above each other.
    pub(crate) main: bool,
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
    /// Through which points it goes; between two of them that are not above each other it bends. The last two are above each other.
    pub(crate) points: Vec<Point>,
    /// The centre of its label.
    pub(crate) label: Option<Point>,
}

/// What lies between the outermost boxes and the edge of the drawing.
const MARGIN: f64 = 24.0;

/// How far the arrow of a link from a vertex to itself stands out from it.
pub(crate) const LOOP: f64 = 30.0;

/// How long the upright stretch is at whose end an arrow is.
pub(crate) const STUB: f64 = 12.0;

/// Lays out vertices of these sizes; the first one is put on top.
pub(crate) fn layout(sizes: &[Size], links: &[Link]) -> Drawing {
    let directions = acyclic::directions(sizes.len(), links);
    let layers = acyclic::layers(sizes.len(), links, &directions);
    let mut chains = Chains::new(sizes, links, &directions, &layers);
    order::arrange(&mut chains, sizes.len());
    let mut x = placement::horizontal(&chains);
    let ways = routes::ways(sizes, links, &directions, &chains, &mut x);
    let left = chains.items.iter().zip(&x).map(|(item, x)| x - item.size.width / 2.0).fold(f64::INFINITY, f64::min);
    let moved = if left.is_finite() { MARGIN - left } else { 0.0 };
    x.iter_mut().for_each(|x| *x += moved);
    let ways = ways.into_iter().map(|way| way.map(|way| Way { out: way.out + moved, into: way.into + moved, ..way })).collect::<Vec<_>>();
    let bands = routes::bands(&chains, &ways, &directions, &x, MARGIN);
    let right = chains.items.iter().zip(&x).map(|(item, x)| x + item.size.width / 2.0).fold(0.0, f64::max);
    let bottom = bands.last().map_or(0.0, routes::Band::bottom);
    let centers = (0..sizes.len()).map(|vertex| Point { x: x[vertex], y: bands[chains.items[vertex].layer].middle() }).collect::<Vec<_>>();
    let routes = ways.iter().enumerate().map(|(link, way)| {
        way.as_ref().map_or_else(Route::default, |way| {
            let start = centers[way.upper].y + sizes[way.upper].height / 2.0;
            let end = centers[way.lower].y - sizes[way.lower].height / 2.0;
            routes::route(link, way, directions[link] == Direction::Up, (&chains, &x, &bands), (start, end))
        })
    });
    let routes = routes.collect();
    Drawing { size: Size { width: right + MARGIN, height: bottom + MARGIN }, centers, routes }
}

#[cfg(test)]
mod tests;
