use super::*;

fn boxes(count: usize) -> Vec<Size> {
    vec![Size { width: 100.0, height: 40.0 }; count]
}

fn links(pairs: &[(usize, usize)]) -> Vec<Link> {
    pairs.iter().map(|&(from, to)| Link { from, to, label: Some(Size { width: 80.0, height: 16.0 }), main: true }).collect()
}

/// The same numbers on every machine.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    }
}

fn rectangles(drawing: &Drawing, sizes: &[Size], links: &[Link]) -> Vec<(Point, Size)> {
    let boxes = drawing.centers.iter().copied().zip(sizes.iter().copied());
    let labels = drawing.routes.iter().zip(links).filter_map(|(route, link)| Some((route.label?, link.label?)));
    boxes.chain(labels).collect()
}

#[test]
fn nothing_lies_on_anything_else_and_edges_pass_boxes() {
    let mut number = numbers(7);
    for round in 0..60 {
        let count = 3 + number(25);
        let pairs = (0..number(60)).map(|_| (number(count), number(count))).collect::<Vec<_>>();
        let (sizes, links) = (boxes(count), links(&pairs));
        let drawing = layout(&sizes, &links);
        let rectangles = rectangles(&drawing, &sizes, &links);
        for (index, (a, size_a)) in rectangles.iter().enumerate() {
            for (b, size_b) in &rectangles[index + 1..] {
                let apart_x = (a.x - b.x).abs() + 0.5 - f64::midpoint(size_a.width, size_b.width);
                let apart_y = (a.y - b.y).abs() + 0.5 - f64::midpoint(size_a.height, size_b.height);
                assert!(apart_x >= 0.0 || apart_y >= 0.0, "round {round}: {a:?} and {b:?}");
            }
            let inside = |at: f64, size: f64, whole: f64| at - size / 2.0 >= 0.0 && at + size / 2.0 <= whole;
            assert!(inside(a.x, size_a.width, drawing.size.width) && inside(a.y, size_a.height, drawing.size.height));
        }
        for (route, link) in drawing.routes.iter().zip(&links).filter(|(_, link)| link.from != link.to) {
            let (first, last) = (route.points.first().unwrap(), route.points.last().unwrap());
            for (point, vertex) in [(first, link.from), (last, link.to)] {
                assert!((point.y - drawing.centers[vertex].y).abs() - 20.0 < 0.01 && (point.x - drawing.centers[vertex].x).abs() <= 50.0);
            }
            for pair in route.points.windows(2).filter(|pair| pair[0].x == pair[1].x) {
                for (vertex, center) in drawing.centers.iter().enumerate() {
                    let crosses = (pair[0].x - center.x).abs() < 50.0
                        && pair[0].y.min(pair[1].y) < center.y + 19.0
                        && pair[0].y.max(pair[1].y) > center.y - 19.0;
                    assert!(!crosses, "round {round}: the edge from {} to {} goes through {vertex}", link.from, link.to);
                }
            }
        }
    }
}

#[test]
fn arrows_go_down_but_for_the_way_back() {
    let drawing = layout(&boxes(4), &links(&[(0, 1), (1, 2), (2, 1), (2, 3), (3, 3)]));
    let y = drawing.centers.iter().map(|center| center.y).collect::<Vec<_>>();
    assert!(y.is_sorted(), "{y:?}");
    let back = &drawing.routes[2].points;
    assert!(back.first().unwrap().y > back.last().unwrap().y);
    assert!(drawing.routes[4].points.is_empty(), "a loop is drawn beside its box");
}

#[test]
fn a_choice_stands_in_the_middle_of_what_it_decides() {
    let drawing = layout(&boxes(4), &links(&[(0, 1), (0, 2), (0, 3)]));
    let x = drawing.centers.iter().map(|center| center.x).collect::<Vec<_>>();
    assert!((x[0] - x[2]).abs() < 1.0 && x[1] < x[2] && x[2] < x[3], "{x:?}");
}

#[test]
fn crossings_that_can_be_undone_are_undone() {
    let drawing = layout(&boxes(5), &links(&[(0, 1), (0, 2), (1, 4), (2, 3)]));
    let x = drawing.centers.iter().map(|center| center.x).collect::<Vec<_>>();
    assert_eq!(x[1] < x[2], x[4] < x[3], "{x:?}");
}

#[test]
fn nothing_is_drawn_for_nothing() {
    let drawing = layout(&[], &[]);
    assert!(drawing.centers.is_empty() && drawing.size.width.is_finite());
}

#[test]
fn large_graphs_take_a_bounded_time() {
    let mut number = numbers(3);
    let pairs = (0..20_000).map(|_| (number(5_000), number(5_000))).collect::<Vec<_>>();
    let drawing = layout(&boxes(5_000), &links(&pairs));
    assert_eq!((drawing.centers.len(), drawing.routes.len()), (5_000, 20_000));
    assert!(drawing.centers.iter().all(|center| center.x.is_finite() && center.y.is_finite()));
}
