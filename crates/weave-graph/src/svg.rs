//! The graph as an SVG that needs nothing else: no font, no script, no other file.

use std::collections::BTreeMap;

use crate::layout::{Drawing, LOOP, Link, Point, Route, Size, layout};
use crate::text::{width, wrapped};
use crate::{Edge, EdgeCondition, Graph, GraphNode, NodeKind, TriggerKind};

const NAME_FONT: f64 = 14.0;
const TEXT_FONT: f64 = 12.0;
const SMALL_FONT: f64 = 11.0;
/// The width at which the text of a box is broken.
const WIDEST_BOX: f64 = 230.0;
/// The width at which a label is broken.
const WIDEST_LABEL: f64 = 190.0;

const STYLE: &str = include_str!("svg.css");

impl Graph {
    /// The graph as a picture that follows whether the reader prefers light or dark.
    #[must_use]
    pub fn svg(&self) -> String {
        let figures = self.nodes.iter().map(Figure::new).collect::<Vec<_>>();
        let index = self.nodes.iter().enumerate().map(|(index, node)| (node.id.as_str(), index)).collect::<BTreeMap<_, _>>();
        // A trigger over a step that is not there is left out; a definition without errors has none.
        let ends = |edge: &Edge| Some((*index.get(edge.from.as_str())?, *index.get(edge.to.as_str())?));
        let edges = self.edges.iter().filter_map(|edge| Some((edge, ends(edge)?, Label::new(edge)))).collect::<Vec<_>>();
        let links = edges.iter().map(|(_, (from, to), label)| Link { from: *from, to: *to, label: label.as_ref().map(|label| label.size) });
        let sizes = figures.iter().map(|figure| figure.size).collect::<Vec<_>>();
        let drawing = layout(&sizes, &links.collect::<Vec<_>>());
        let mut text = head(self, &drawing);
        for ((edge, (from, _), label), route) in edges.iter().zip(&drawing.routes) {
            let place = drawing.centers.get(*from).copied().unwrap_or_default();
            let around = sizes.get(*from).copied().unwrap_or_default();
            draw_edge(edge, label.as_ref(), route, place, around, &mut text);
        }
        for (figure, center) in figures.iter().zip(&drawing.centers) {
            figure.draw(*center, &mut text);
        }
        text.push_str("</svg>\n");
        text
    }
}

fn head(graph: &Graph, drawing: &Drawing) -> String {
    let (width, height) = (number(drawing.size.width.ceil()), number(drawing.size.height.ceil()));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>The workflow {}</title>\n<style>\n{STYLE}</style>\n<defs>\n",
        escaped(&graph.workflow)
    );
    for look in ["", "-failure", "-timeout"] {
        text.push_str(&format!(
            "<marker id=\"arrow{look}\" class=\"arrow{look}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L10 5L0 9z\"/></marker>\n"
        ));
    }
    text.push_str("</defs>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
    text
}

/// A line of text with the class that gives its font.
struct Line {
    text: String,
    class: &'static str,
    size: f64,
}

impl Line {
    fn height(&self) -> f64 {
        self.size * 1.36
    }
}

/// A node, measured.
struct Figure<'a> {
    node: &'a GraphNode,
    lines: Vec<Line>,
    size: Size,
}

impl<'a> Figure<'a> {
    fn new(node: &'a GraphNode) -> Self {
        let mut lines = Vec::new();
        let mut add = |text: &str, class, size, most| {
            lines.extend(wrapped(text, size, WIDEST_BOX, most).into_iter().map(|text| Line { text, class, size }));
        };
        if node.is_own() {
            add(&node.id, "name", NAME_FONT, 3);
            add(&node.title, "what", TEXT_FONT, 3);
        } else if node.kind == NodeKind::Start {
            add(&node.title, "name", NAME_FONT, 3);
        } else {
            add(&node.title, "what", TEXT_FONT, 3);
        }
        node.notes.iter().for_each(|note| add(note, "note", SMALL_FONT, 2));
        node.problems.iter().for_each(|problem| add(&format!("⚠ {problem}"), "wrong", SMALL_FONT, 4));
        let widest = lines.iter().map(|line| width(&line.text, line.size)).fold(0.0, f64::max);
        let height = lines.iter().map(Line::height).sum::<f64>();
        let size = match node.kind {
            NodeKind::Join => Size { width: widest + 36.0, height: height + 10.0 },
            _ => Size { width: (widest + 32.0).max(84.0), height: height + 16.0 },
        };
        Self { node, lines, size }
    }

    fn draw(&self, center: Point, text: &mut String) {
        let kind = self.node.kind.name();
        let wrong = if self.node.problems.is_empty() { "" } else { " problem" };
        text.push_str(&format!("<g class=\"node {kind}{wrong}\"><title>{}</title>", escaped(&self.description())));
        text.push_str(&self.outline(center));
        let mut y = center.y - self.lines.iter().map(Line::height).sum::<f64>() / 2.0;
        for line in &self.lines {
            // The base of a line of text lies about this far below its top.
            text.push_str(&written(line, center.x, y + line.size * 1.02));
            y += line.height();
        }
        text.push_str("</g>\n");
    }

    /// What is shown to those who point at it or have it read to them: everything in full.
    fn description(&self) -> String {
        let kind = format!("{}: {}", self.node.kind.name(), self.node.id);
        let rest = self.node.lines().into_iter().filter(|line| *line != self.node.id);
        let more = self.node.description.iter().chain(&self.node.problems).cloned();
        [kind].into_iter().chain(rest).chain(more).collect::<Vec<_>>().join("\n")
    }

    fn outline(&self, center: Point) -> String {
        let Size { width, height } = self.size;
        let (left, top, right, bottom) = (center.x - width / 2.0, center.y - height / 2.0, center.x + width / 2.0, center.y + height / 2.0);
        let polygon = |points: &[(f64, f64)]| {
            let points = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y)));
            format!("<polygon points=\"{}\"/>", points.collect::<Vec<_>>().join(" "))
        };
        let rectangle = |inset: f64, radius: f64| {
            let (x, y, w, h) = (left + inset, top + inset, width - 2.0 * inset, height - 2.0 * inset);
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
                number(x),
                number(y),
                number(w),
                number(h),
                number(radius)
            )
        };
        match self.node.kind {
            NodeKind::Join => {
                let cut = 12.0;
                let middle = center.y;
                polygon(&[
                    (left, middle),
                    (left + cut, top),
                    (right - cut, top),
                    (right, middle),
                    (right - cut, bottom),
                    (left + cut, bottom),
                ])
            }
            NodeKind::Event => polygon(&[(left, top), (right - 10.0, top), (right, center.y), (right - 10.0, bottom), (left, bottom)]),
            NodeKind::Run => rectangle(0.0, 3.0) + &rectangle(3.5, 1.0),
            NodeKind::End | NodeKind::Fail | NodeKind::Start | NodeKind::Failure => rectangle(0.0, (height / 2.0).min(22.0)),
            NodeKind::Ask => rectangle(0.0, 12.0),
            _ => rectangle(0.0, 4.0),
        }
    }
}

/// What is written on an edge, measured.
struct Label {
    lines: Vec<Line>,
    size: Size,
}

impl Label {
    fn new(edge: &Edge) -> Option<Self> {
        let lines = edge.caption().into_iter().flat_map(|part| wrapped(&part, SMALL_FONT, WIDEST_LABEL, 4));
        let lines = lines.map(|text| Line { text, class: "label", size: SMALL_FONT }).collect::<Vec<_>>();
        let widest = lines.iter().map(|line| width(&line.text, line.size)).fold(0.0, f64::max);
        let height = lines.iter().map(Line::height).sum::<f64>();
        (!lines.is_empty()).then_some(Self { lines, size: Size { width: widest + 8.0, height: height + 4.0 } })
    }

    fn draw(&self, center: Point, text: &mut String) {
        let Size { width, height } = self.size;
        let (x, y) = (center.x - width / 2.0, center.y - height / 2.0);
        let size = format!("width=\"{}\" height=\"{}\"", number(width), number(height));
        text.push_str(&format!("<rect class=\"page\" x=\"{}\" y=\"{}\" {size} rx=\"3\"/>", number(x), number(y)));
        let mut y = y + 2.0;
        for line in &self.lines {
            text.push_str(&written(line, center.x, y + line.size * 1.02));
            y += line.height();
        }
    }
}

fn draw_edge(edge: &Edge, label: Option<&Label>, route: &Route, place: Point, around: Size, text: &mut String) {
    let (look, arrow) = match (&edge.trigger, &edge.condition) {
        (TriggerKind::Failure, _) => ("failure", "-failure"),
        (TriggerKind::Timeout(_), _) => ("timeout", "-timeout"),
        (_, EdgeCondition::Also(_)) => ("also", ""),
        _ => ("plain", ""),
    };
    let lines = [format!("{} → {}", edge.from, edge.to)].into_iter().chain(edge.caption()).collect::<Vec<_>>();
    text.push_str(&format!("<g class=\"edge {look}\"><title>{}</title>", escaped(&lines.join("\n"))));
    let (path, middle) = match route.points.is_empty() {
        true => beside(place, around, label),
        false => (curve(&route.points), route.label),
    };
    text.push_str(&format!("<path d=\"{path}\" marker-end=\"url(#arrow{arrow})\"/>"));
    if let (Some(label), Some(middle)) = (label, middle) {
        label.draw(middle, text);
    }
    text.push_str("</g>\n");
}

/// The edge of a node to itself, on its right side, and the middle of its label.
fn beside(center: Point, around: Size, label: Option<&Label>) -> (String, Option<Point>) {
    let (x, out) = (center.x + around.width / 2.0, center.x + around.width / 2.0 + LOOP - 2.0);
    let (top, bottom) = (center.y - 9.0, center.y + 9.0);
    let [x, far, top, bottom] = [x, out, top, bottom].map(number);
    let path = format!("M{x} {top}C{far} {top} {far} {bottom} {x} {bottom}");
    (path, label.map(|label| Point { x: out + label.size.width / 2.0, y: center.y }))
}

/// Straight where two points are above each other, else a bend that begins and ends upright.
fn curve(points: &[Point]) -> String {
    let mut text = String::new();
    let mut before: Option<Point> = None;
    for point in points {
        let [x, y] = [point.x, point.y].map(number);
        match before {
            None => text.push_str(&format!("M{x} {y}")),
            Some(before) if (before.x - point.x).abs() < 0.05 => text.push_str(&format!("L{x} {y}")),
            Some(before) => {
                let middle = number(before.y.midpoint(point.y));
                text.push_str(&format!("C{} {middle} {x} {middle} {x} {y}", number(before.x)));
            }
        }
        before = Some(*point);
    }
    text
}

fn written(line: &Line, x: f64, y: f64) -> String {
    format!("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", line.class, number(x), number(y), escaped(&line.text))
}

/// A number with one decimal at most.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text for XML, without the control characters that it cannot hold.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push('\n'),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
