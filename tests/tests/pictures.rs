//! The pictures of all examples, measured: what is drawn is read back from the SVG.

use std::sync::LazyLock;

use regex::Regex;
use weave_graph::{Graph, Source};

use crate::examples::examples;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }
}

/// A rectangle by two corners.
#[derive(Clone, Copy, Debug)]
struct Area {
    low: Point,
    high: Point,
}

impl Area {
    fn of(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { low: Point { x, y }, high: Point { x: x + width, y: y + height } }
    }

    /// How deep the two overlap.
    fn overlap(&self, other: &Self) -> f64 {
        let x = self.high.x.min(other.high.x) - self.low.x.max(other.low.x);
        let y = self.high.y.min(other.high.y) - self.low.y.max(other.low.y);
        x.min(y)
    }

    fn holds(&self, point: Point, inset: f64) -> bool {
        point.x > self.low.x + inset && point.x < self.high.x - inset && point.y > self.low.y + inset && point.y < self.high.y - inset
    }
}

/// A piece of a line as it was drawn.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Straight(Point, Point),
    Bend([Point; 4]),
}

impl Piece {
    fn at(&self, part: f64) -> Point {
        let mix = |a: Point, b: Point| Point { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
        match *self {
            Self::Straight(a, b) => mix(a, b),
            Self::Bend([a, b, c, d]) => {
                let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
                mix(mix(ab, bc), mix(bc, cd))
            }
        }
    }
}

/// An edge as it was drawn.
#[derive(Debug)]
struct Line {
    from: String,
    to: String,
    pieces: Vec<Piece>,
    /// The three corners of the head; the second is its tip.
    head: [Point; 3],
    label: Option<Area>,
}

impl Line {
    /// The line in short straight steps.
    fn steps(&self) -> Vec<Point> {
        self.pieces.iter().flat_map(|piece| (0..=12).map(|step| piece.at(f64::from(step) / 12.0))).collect()
    }

    /// How far the bends go to the side.
    fn bends(&self) -> Vec<f64> {
        let bends = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Bend([a, .., d]) => Some((a.x - d.x).abs()),
            Piece::Straight(..) => None,
        });
        bends.collect()
    }
}

struct Picture {
    name: String,
    whole: Area,
    nodes: Vec<(String, Area)>,
    lines: Vec<Line>,
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"-?\d+(?:\.\d+)?").expect("a pattern"));
static COMMAND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"([MLHVC])([^MLHVC]*)").expect("a pattern"));

fn numbers(text: &str) -> Vec<f64> {
    NUMBER.find_iter(text).map(|found| found.as_str().parse().expect("a number")).collect()
}

fn attribute<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!(" {name}=\"")).expect("the attribute is there") + name.len() + 3;
    let rest = &text[start..];
    &rest[..rest.find('"').expect("it ends")]
}

fn area(text: &str) -> Area {
    let number = |name: &str| attribute(text, name).parse().expect("a number");
    Area::of(number("x"), number("y"), number("width"), number("height"))
}

fn pieces(path: &str) -> Vec<Piece> {
    let mut at = Point { x: 0.0, y: 0.0 };
    let mut pieces = Vec::new();
    for found in COMMAND.captures_iter(path) {
        let numbers = numbers(&found[2]);
        let to = match (&found[1], numbers.as_slice()) {
            ("M" | "L", &[x, y]) => Point { x, y },
            ("H", &[x]) => Point { x, y: at.y },
            ("V", &[y]) => Point { x: at.x, y },
            ("C", &[.., x, y]) => Point { x, y },
            (other, numbers) => panic!("{other} {numbers:?}"),
        };
        match &found[1] {
            "M" => {}
            "C" => {
                pieces.push(Piece::Bend([at, Point { x: numbers[0], y: numbers[1] }, Point { x: numbers[2], y: numbers[3] }, to]));
            }
            _ => pieces.push(Piece::Straight(at, to)),
        }
        at = to;
    }
    pieces
}

fn line(text: &str) -> Line {
    let title = &text[text.find("<title>").expect("an edge has a title") + 7..];
    let ends = title[..title.find(['<', '\n']).expect("it ends")].split(" → ").map(str::to_owned).collect::<Vec<_>>();
    let paths = text.split("<path ").skip(1).collect::<Vec<_>>();
    let head = numbers(attribute(&format!(" {}", paths[1]), "d"));
    let corner = |index: usize| Point { x: head[index], y: head[index + 1] };
    Line {
        from: ends[0].clone(),
        to: ends[1].clone(),
        pieces: pieces(attribute(&format!(" {}", paths[0]), "d")),
        head: [corner(0), corner(2), corner(4)],
        label: text.split("<rect ").nth(1).map(|rest| area(&format!(" {rest}"))),
    }
}

fn node(text: &str) -> (String, Area) {
    let title = &text[text.find("<title>").expect("a node has a title") + 7..];
    let id = title[title.find(": ").expect("its kind") + 2..].split(['<', '\n']).next().expect("its id").to_owned();
    let area = match text.find("<polygon") {
        Some(start) => {
            let numbers = numbers(attribute(&text[start..], "points"));
            let (x, y) = (numbers.iter().step_by(2), numbers.iter().skip(1).step_by(2));
            let ends = |values: &mut dyn Iterator<Item = &f64>| {
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
            };
            let ((left, right), (top, bottom)) = (ends(&mut x.into_iter()), ends(&mut y.into_iter()));
            Area { low: Point { x: left, y: top }, high: Point { x: right, y: bottom } }
        }
        None => area(&format!(" {}", text.split("<rect ").nth(1).expect("a box"))),
    };
    (id, area)
}

impl Picture {
    fn read(name: &str, svg: &str) -> Self {
        let groups = svg.split("<g class=\"").skip(1).map(|group| &group[..group.find("</g>").expect("it ends")]);
        let (edges, nodes): (Vec<&str>, Vec<&str>) = groups.partition(|group| group.starts_with("edge "));
        let size = |name: &str| attribute(svg, name).parse().expect("a number");
        Self {
            name: name.to_owned(),
            whole: Area::of(0.0, 0.0, size("width"), size("height")),
            nodes: nodes.into_iter().map(node).collect(),
            lines: edges.into_iter().map(line).collect(),
        }
    }

    fn area(&self, id: &str) -> Area {
        self.nodes.iter().find(|(found, _)| found == id).unwrap_or_else(|| panic!("{}: no {id}", self.name)).1
    }

    /// How often two edges cross.
    fn crossings(&self) -> usize {
        let steps = self.lines.iter().map(Line::steps).collect::<Vec<_>>();
        let crosses = |a: &[Point], b: &[Point]| {
            let apart = |a: f64, b: f64, c: f64, d: f64| a.max(b) < c.min(d) || c.max(d) < a.min(b);
            if apart(a[0].y, a[1].y, b[0].y, b[1].y) || apart(a[0].x, a[1].x, b[0].x, b[1].x) {
                return false;
            }
            let (along, across) = (a[1].minus(a[0]), b[1].minus(b[0]));
            let sides = (
                along.cross(b[0].minus(a[0])) * along.cross(b[1].minus(a[0])),
                across.cross(a[0].minus(b[0])) * across.cross(a[1].minus(b[0])),
            );
            sides.0 < 0.0 && sides.1 < 0.0
        };
        let mut count = 0;
        for (index, one) in steps.iter().enumerate() {
            for other in &steps[index + 1..] {
                count += one.windows(2).map(|a| other.windows(2).filter(|b| crosses(a, b)).count()).sum::<usize>();
            }
        }
        count
    }
}

/// The pictures of the workflows of all examples.
static PICTURES: LazyLock<Vec<Picture>> = LazyLock::new(|| {
    let mut pictures = Vec::new();
    for (name, program) in examples().into_iter().filter(|(name, _)| !name.ends_with("_test.weave")) {
        let checked = program.check();
        for compiled in &checked.compiled {
            let text = checked.snapshot.sources().get(compiled.file).expect("its file").text();
            let graph = Graph::written(&compiled.definition, Source { map: &compiled.source_map, text });
            let picture = Picture::read(&format!("{name}: {}", compiled.name), &graph.svg());
            assert_eq!((picture.nodes.len(), picture.lines.len()), (graph.nodes.len(), graph.edges.len()), "{}", picture.name);
            pictures.push(picture);
        }
    }
    assert!(pictures.len() >= 17, "there are {} pictures", pictures.len());
    pictures
});

#[test]
fn arrows_point_along_their_edges_into_their_boxes() {
    let mut heads = 0;
    for picture in &*PICTURES {
        for line in &picture.lines {
            let place = format!("{}: {} → {}", picture.name, line.from, line.to);
            let [left, tip, right] = line.head;
            let base = Point { x: f64::midpoint(left.x, right.x), y: f64::midpoint(left.y, right.y) };
            let points = tip.minus(base);
            let last = line.pieces.last().expect("a line");
            let (before, end) = match *last {
                Piece::Straight(a, b) => (a, b),
                Piece::Bend(_) => panic!("{place}: the line ends in a bend"),
            };
            let along = end.minus(before);
            assert!(along.length() > 0.5, "{place}: the last piece of the line is not seen");
            let turned = along.cross(points).abs() / (along.length() * points.length());
            assert!(turned < 0.02 && along.x * points.x + along.y * points.y > 0.0, "{place}: {along:?} and {points:?}");
            assert!(end.minus(tip).length() < points.length(), "{place}: the line does not reach its head");
            let into = picture.area(&line.to);
            let beyond = Point { x: tip.x + points.x * 0.2, y: tip.y + points.y * 0.2 };
            assert!(into.holds(beyond, 0.0) && !into.holds(tip, 0.2), "{place}: the tip {tip:?} does not touch {into:?}");
            heads += 1;
        }
    }
    assert!(heads > 200, "there are {heads} heads");
}

#[test]
fn nothing_is_drawn_over_anything_else() {
    for picture in &*PICTURES {
        let labels = picture.lines.iter().filter_map(|line| Some((format!("the label of {} → {}", line.from, line.to), line.label?)));
        let areas = picture.nodes.iter().cloned().chain(labels).collect::<Vec<_>>();
        for (index, (name, area)) in areas.iter().enumerate() {
            assert!(
                picture.whole.overlap(area) >= (area.high.x - area.low.x).min(area.high.y - area.low.y) - 0.11,
                "{}: {name}",
                picture.name
            );
            for (other, second) in &areas[index + 1..] {
                assert!(area.overlap(second) < 0.2, "{}: {name} is over {other}", picture.name);
            }
        }
        for line in &picture.lines {
            let place = format!("{}: {} → {}", picture.name, line.from, line.to);
            for point in line.steps() {
                for (name, area) in &areas {
                    let own = *name == format!("the label of {} → {}", line.from, line.to);
                    assert!(own || !area.holds(point, 1.0), "{place} goes through {name}");
                }
            }
        }
    }
}

/// Which part of the pictures may bend or cross; what the layout reaches today, with little to spare.
#[test]
fn edges_are_straight_where_they_can_be() {
    let (mut edges, mut straight, mut bends, mut crossings) = (0, 0, 0, 0);
    let mut wobbles = Vec::new();
    for picture in &*PICTURES {
        for line in &picture.lines {
            let sides = line.bends();
            edges += 1;
            straight += usize::from(sides.is_empty());
            bends += sides.len();
            assert!(sides.len() <= 4, "{}: {} → {} has {} bends", picture.name, line.from, line.to, sides.len());
            if let Some(side) = sides.iter().find(|side| **side < 4.0) {
                wobbles.push(format!("{}: {} → {} by {side:.1}", picture.name, line.from, line.to));
            }
        }
        // A step that is the only one after another, and follows only that one, is below it.
        for line in &picture.lines {
            let alone = |end: fn(&Line) -> &str, id: &str| picture.lines.iter().filter(|line| end(line) == id).count() == 1;
            if alone(|line| &line.from, &line.from) && alone(|line| &line.to, &line.to) {
                assert_eq!(line.bends(), [0.0; 0], "{}: the chain {} → {} is not straight", picture.name, line.from, line.to);
            }
        }
        crossings += picture.crossings();
    }
    println!("{edges} edges, {straight} straight, {bends} bends, {crossings} crossings, wobbles {wobbles:#?}");
    assert!(wobbles.is_empty(), "{wobbles:#?}");
    assert!(straight * 100 >= edges * 36, "{straight} of {edges} edges are straight");
    assert!(bends * 100 <= edges * 70, "{edges} edges have {bends} bends");
    assert!(crossings * 100 <= edges * 9, "{edges} edges cross {crossings} times");
}

#[test]
fn labels_use_the_words_of_the_author() {
    let (_, program) = examples().into_iter().find(|(name, _)| name == "support.weave").expect("the example is there");
    let checked = program.check();
    let compiled = checked.compiled.first().expect("a workflow");
    let text = checked.snapshot.sources().get(compiled.file).expect("its file").text();
    let graph = Graph::written(&compiled.definition, Source { map: &compiled.source_map, text });
    let lookup = graph.edges.iter().find(|edge| edge.to == "lookup").expect("the edge");
    assert_eq!(lookup.caption(), [r#"when .triage.intent == "refund" && .triage.order_id != null"#]);
    let lines = |id: &str| graph.nodes.iter().find(|node| node.id == id).expect("the node").lines();
    assert_eq!(lines("answer"), ["answer", "ask writer", "model mini", "tools find_order, choose_account, escalate, web_search"]);
    assert_eq!(lines("denied"), ["denied", "end", r#"{ status: "denied", detail: .event.reason }"#]);
    assert_eq!(lines("declined"), ["declined", "end", r#"{ status: "denied", detail: .failure.data.reason }"#]);
}
