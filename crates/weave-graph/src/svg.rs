//! The graph as an SVG that needs nothing else: no font, no script, no other file.

use std::collections::BTreeMap;

use crate::layout::{LOOP, Link, Point, Route, Size, layout};
use crate::text::{width, wrapped, wrapped_condition};
use crate::{Edge, EdgeCondition, Graph, GraphNode, NodeKind, TriggerKind};

const NAME_FONT: f64 = 14.0;
const TEXT_FONT: f64 = 12.0;
const SMALL_FONT: f64 = 11.0;
/// The width at which the text of a box is broken.
const WIDEST_BOX: f64 = 210.0;
/// The width at which a label is broken.
const WIDEST_LABEL: f64 = 190.0;

const STYLE: &str = include_str!("svg.css");

/// The space between the pictures of two workflows.
const BETWEEN: f64 = 12.0;

/// Workflows as one picture, below each other. It follows whether the reader prefers light or dark.
#[must_use]
pub fn svg(graphs: &[Graph]) -> String {
    let pictures = graphs.iter().map(Graph::picture).collect::<Vec<_>>();
    let width = pictures.iter().map(|(size, _)| size.width.ceil()).fold(0.0, f64::max);
    let height = pictures.iter().map(|(size, _)| size.height.ceil() + BETWEEN).sum::<f64>() - BETWEEN;
    let mut text = head(graphs, width, height.max(0.0));
    let mut y = 0.0;
    for (graph, (size, picture)) in graphs.iter().zip(&pictures) {
        if graphs.len() == 1 {
            text.push_str(picture);
        } else {
            let name = escaped(&graph.workflow);
            text.push_str(&format!(
                "<g class=\"workflow\" transform=\"translate(0 {})\"><title>{name}</title>\n{picture}</g>\n",
                number(y)
            ));
        }
        y += size.height.ceil() + BETWEEN;
    }
    text.push_str("</svg>\n");
    text
}

impl Graph {
    /// The graph as a picture that follows whether the reader prefers light or dark.
    #[must_use]
    pub fn svg(&self) -> String {
        svg(std::slice::from_ref(self))
    }

    /// What is drawn of it, and how large that is.
    fn picture(&self) -> (Size, String) {
        let figures = self.nodes.iter().map(Figure::new).collect::<Vec<_>>();
        let index = self.nodes.iter().enumerate().map(|(index, node)| (node.id.as_str(), index)).collect::<BTreeMap<_, _>>();
        // A trigger over a step that is not there is left out; a definition without errors has none.
        let ends = |edge: &Edge| Some((*index.get(edge.from.as_str())?, *index.get(edge.to.as_str())?));
        let edges = self.edges.iter().filter_map(|edge| Some((edge, ends(edge)?, Label::new(edge)))).collect::<Vec<_>>();
        let links = edges.iter().map(|(edge, (from, to), label)| Link {
            from: *from,
            to: *to,
            label: label.as_ref().map(|label| label.size),
            main: !matches!(edge.trigger, TriggerKind::Failure | TriggerKind::Timeout(_)),
        });
        let sizes = figures.iter().map(|figure| figure.size).collect::<Vec<_>>();
        let drawing = layout(&sizes, &links.collect::<Vec<_>>());
        let mut text = String::new();
        for ((edge, (from, _), label), route) in edges.iter().zip(&drawing.routes) {
            let place = drawing.centers.get(*from).copied().unwrap_or_default();
            let around = sizes.get(*from).copied().unwrap_or_default();
            draw_edge(edge, label.as_ref(), route, place, around, &mut text);
        }
        for (figure, center) in figures.iter().zip(&drawing.centers) {
            figure.draw(*center, &mut text);
        }
        (drawing.size, text)
    }
}

fn head(graphs: &[Graph], width: f64, height: f64) -> String {
    let title = match graphs {
        [only] => format!("The workflow {}", only.workflow),
        several => format!("The workflows {}", several.iter().map(|graph| graph.workflow.as_str()).collect::<Vec<_>>().join(", ")),
    };
    let (width, height) = (number(width), number(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        escaped(&title)
    )
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
            // Conditions among the notes are broken at their operators.
            let broken =
                if class == "note" { wrapped_condition(text, size, WIDEST_BOX, most) } else { wrapped(text, size, WIDEST_BOX, most) };
            lines.extend(broken.into_iter().map(|text| Line { text, class, size }));
        };
        if node.is_own() {
            add(&node.id, "name", NAME_FONT, 3);
            add(&node.title, "what", TEXT_FONT, 3);
        } else if node.kind == NodeKind::Start {
            add(&node.title, "name", NAME_FONT, 3);
        } else {
            add(&node.title, "what", TEXT_FONT, 3);
        }
        node.notes.iter().for_each(|note| add(note, "note", SMALL_FONT, 3));
        node.output.iter().for_each(|output| add(output, "output", SMALL_FONT, 4));
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
        let lines = edge.caption().into_iter().flat_map(|part| wrapped_condition(&part, SMALL_FONT, WIDEST_LABEL, 5));
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
    let look = match (&edge.trigger, &edge.condition) {
        (TriggerKind::Failure, _) => "failure",
        (TriggerKind::Timeout(_), _) => "timeout",
        (_, EdgeCondition::Also(_)) => "also",
        _ => "plain",
    };
    let lines = [format!("{} → {}", edge.from, edge.to)].into_iter().chain(edge.caption()).collect::<Vec<_>>();
    text.push_str(&format!("<g class=\"edge {look}\"><title>{}</title>", escaped(&lines.join("\n"))));
    let (path, middle) = match route.points.as_slice() {
        [] => beside(place, around, label),
        points => (along(points), route.label),
    };
    text.push_str(&path);
    if let (Some(label), Some(middle)) = (label, middle) {
        label.draw(middle, text);
    }
    text.push_str("</g>\n");
}

/// How long the head of an arrow is.
const HEAD: f64 = 8.0;

/// The line of an edge, and the head of its arrow, which is drawn where the line ends.
///
/// The head is a shape of its own: a marker at the end of a path turns with the path's last segment, which browsers see differently.
fn arrow(line: &str, tip: Point, direction: (f64, f64)) -> String {
    let (dx, dy) = direction;
    let corner = |side: f64| Point { x: tip.x - dx * HEAD + dy * side, y: tip.y - dy * HEAD - dx * side };
    let points = [corner(3.5), tip, corner(-3.5)].map(|point| format!("{} {}", number(point.x), number(point.y)));
    format!("<path class=\"line\" d=\"{line}\"/><path class=\"head\" d=\"M{}z\"/>", points.join("L"))
}

/// The edge of a node to itself, on its right side, and the middle of its label.
fn beside(center: Point, around: Size, label: Option<&Label>) -> (String, Option<Point>) {
    let (x, out) = (center.x + around.width / 2.0, center.x + around.width / 2.0 + LOOP - 2.0);
    let tip = Point { x, y: center.y + 9.0 };
    let [left, far, top, bottom, near, before] = [x, out + 4.0, center.y - 9.0, tip.y, x + HEAD - 1.0, x + HEAD + 3.0].map(number);
    let line = format!("M{left} {top}H{before}C{far} {top} {far} {bottom} {before} {bottom}H{near}");
    (arrow(&line, tip, (-1.0, 0.0)), label.map(|label| Point { x: out + label.size.width / 2.0, y: center.y }))
}

/// Straight where two points are above each other, else a bend that begins and ends upright. The last two points are above each other.
fn along(points: &[Point]) -> String {
    let Some((&tip, before)) = points.split_last() else { return String::new() };
    let down = if before.last().is_some_and(|before| before.y > tip.y) { -1.0 } else { 1.0 };
    let mut line = String::new();
    let mut last: Option<Point> = None;
    // The line ends inside the head, so that its end does not show beside the tip.
    let end = Point { x: tip.x, y: tip.y - down * (HEAD - 1.0) };
    for point in before.iter().chain([&end]) {
        let [x, y] = [point.x, point.y].map(number);
        match last {
            None => line.push_str(&format!("M{x} {y}")),
            Some(last) if (last.x - point.x).abs() < 0.05 => line.push_str(&format!("V{y}")),
            Some(last) => {
                let middle = number(last.y.midpoint(point.y));
                line.push_str(&format!("C{} {middle} {x} {middle} {x} {y}", number(last.x)));
            }
        }
        last = Some(*point);
    }
    arrow(&line, tip, (0.0, down))
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
