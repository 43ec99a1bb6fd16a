//! Ordered values, cut at some points: the points, and the open pieces between them.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Number, Value as Json};
use weave_syntax::ast::BinaryOperator;
use weave_syntax::text::MAX_SAFE_INTEGER;

use crate::expression::formats;
use crate::model::types::{Bound, Scalar};

/// What lies on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// `int` and `float`.
    Number,
    /// `int64`.
    Int64,
    /// `decimal`.
    Decimal,
    /// Text by its code points, where it is asked for its order.
    Text,
    /// `timestamp`.
    Timestamp,
    /// `date`.
    Date,
    /// `duration`.
    Duration,
    /// How long something is.
    Size,
}

/// A value on a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Point {
    /// A number.
    Number(f64),
    /// An `int64` or a size.
    Whole(i64),
    /// Anything else, as on the wire.
    Text(Arc<str>),
}

/// Whether a value lies in a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existence {
    /// None does.
    No,
    /// Perhaps.
    Unsure,
    /// One does.
    Yes,
}

impl Sort {
    /// The line on which the values of a scalar lie.
    pub(super) const fn of(scalar: Scalar) -> Option<Self> {
        Some(match scalar {
            Scalar::Int | Scalar::Float => Self::Number,
            Scalar::Int64 => Self::Int64,
            Scalar::Decimal => Self::Decimal,
            Scalar::Timestamp => Self::Timestamp,
            Scalar::Date => Self::Date,
            Scalar::Duration => Self::Duration,
            Scalar::String | Scalar::Uuid | Scalar::Uri | Scalar::Email => Self::Text,
            Scalar::Bool | Scalar::Bytes => return None,
        })
    }

    const fn scalar(self) -> Scalar {
        match self {
            Self::Number | Self::Size => Scalar::Float,
            Self::Int64 => Scalar::Int64,
            Self::Decimal => Scalar::Decimal,
            Self::Text => Scalar::String,
            Self::Timestamp => Scalar::Timestamp,
            Self::Date => Scalar::Date,
            Self::Duration => Scalar::Duration,
        }
    }

    /// The point of a constant, if it is one of this sort.
    pub(super) fn point(self, constant: &Json) -> Option<Point> {
        match (self, constant) {
            (Self::Number, Json::Number(number)) => number.as_f64().map(|number| Point::Number(number + 0.0)),
            (Self::Int64, Json::String(text)) => text.parse().ok().map(Point::Whole),
            (Self::Int64 | Self::Size, Json::Number(number)) => number.as_i64().map(Point::Whole),
            (Self::Decimal, Json::Number(number)) => weave_scalars::plain_decimal(&number.to_string()).map(|text| Point::Text(text.into())),
            (Self::Text, Json::String(text)) => Some(Point::Text(text.as_str().into())),
            (Self::Number | Self::Size, _) => None,
            (_, Json::String(text)) => formats::is_valid(self.scalar(), text).then(|| Point::Text(text.as_str().into())),
            _ => None,
        }
    }

    /// The point of a constraint.
    pub(super) fn bound(self, bound: &Bound) -> Option<Point> {
        self.point(&match bound {
            Bound::Number(number) => Json::Number(number.clone()),
            Bound::Text(text) => Json::String(text.to_string()),
        })
    }

    fn compare(self, one: &Point, other: &Point) -> Ordering {
        match (one, other) {
            (Point::Number(one), Point::Number(other)) => one.total_cmp(other),
            (Point::Whole(one), Point::Whole(other)) => one.cmp(other),
            (Point::Text(one), Point::Text(other)) => formats::compare(self.scalar(), one, other).unwrap_or(Ordering::Equal),
            _ => Ordering::Equal,
        }
    }
}

/// A line with its points, as a row of cells: the piece below the first point, that point, the piece up to the second one, and so on.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) sort: Sort,
    /// The first cell.
    pub(super) start: u32,
    points: Vec<Point>,
}

/// One cell of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Point(&'a Point),
    Between(Option<&'a Point>, Option<&'a Point>),
}

impl Line {
    pub(super) fn new(sort: Sort, start: u32, mut points: Vec<Point>) -> Self {
        points.sort_by(|one, other| sort.compare(one, other));
        points.dedup_by(|one, other| sort.compare(one, other).is_eq());
        Self { sort, start, points }
    }

    /// All its cells.
    pub(super) fn cells(&self) -> Range<u32> {
        self.start..self.start + 2 * self.points.len() as u32 + 1
    }

    /// The cell of a point.
    pub(super) fn cell(&self, point: &Point) -> Option<u32> {
        let at = self.points.binary_search_by(|known| self.sort.compare(known, point)).ok()?;
        Some(self.start + 2 * at as u32 + 1)
    }

    /// The cells of the values that compare so with a point.
    pub(super) fn compared(&self, operator: BinaryOperator, point: &Point) -> Option<Range<u32>> {
        let (all, cell) = (self.cells(), self.cell(point)?);
        Some(match operator {
            BinaryOperator::Less => all.start..cell,
            BinaryOperator::LessEqual => all.start..cell + 1,
            BinaryOperator::Greater => cell + 1..all.end,
            BinaryOperator::GreaterEqual => cell..all.end,
            BinaryOperator::Equal => cell..cell + 1,
            _ => return None,
        })
    }

    /// The cells from a bound to another, both included.
    pub(super) fn within(&self, min: Option<&Point>, max: Option<&Point>) -> Range<u32> {
        let all = self.cells();
        let from = min.and_then(|min| self.cell(min)).unwrap_or(all.start);
        let to = max.and_then(|max| self.cell(max)).map_or(all.end, |cell| cell + 1);
        from..to
    }

    pub(super) fn piece(&self, cell: u32) -> Option<Piece<'_>> {
        let at = cell.checked_sub(self.start)? as usize;
        if at.is_multiple_of(2) {
            let below = (at / 2).checked_sub(1).and_then(|before| self.points.get(before));
            (at / 2 <= self.points.len()).then(|| Piece::Between(below, self.points.get(at / 2)))
        } else {
            self.points.get(at / 2).map(Piece::Point)
        }
    }

    /// Whether a value lies in a cell. `whole` says that of the numbers only whole ones are meant.
    pub(super) fn exists(&self, cell: u32, whole: bool) -> Existence {
        let (below, above) = match self.piece(cell) {
            Some(Piece::Between(below, above)) => (below, above),
            Some(Piece::Point(Point::Number(number))) if whole && number.fract() != 0.0 => return Existence::No,
            Some(Piece::Point(Point::Whole(size))) if self.sort == Sort::Size && *size < 0 => return Existence::No,
            Some(Piece::Point(_)) => return Existence::Yes,
            None => return Existence::No,
        };
        let exists = match self.sort {
            Sort::Number if whole => self.whole_number(below, above).is_some(),
            Sort::Number => {
                let (low, high) = (number(below).unwrap_or(f64::MIN), number(above).unwrap_or(f64::MAX));
                // An end that is no point belongs to the piece.
                let least = if below.is_some() { low.next_up() } else { low };
                if above.is_some() { least < high } else { least <= high }
            }
            Sort::Int64 | Sort::Size => self.whole(below, above).is_some(),
            Sort::Decimal => true,
            Sort::Text => match (below, above) {
                (_, None) => true,
                (None, Some(Point::Text(above))) => !above.is_empty(),
                // The least text behind another is that text and a NUL.
                (Some(Point::Text(below)), Some(Point::Text(above))) => above.strip_prefix(&**below) != Some("\0"),
                _ => return Existence::Unsure,
            },
            // Between two of them there may be no room, and before the first length of time there is none.
            Sort::Timestamp | Sort::Date => above.is_none() || below.is_none(),
            Sort::Duration => above.is_none(),
        };
        match (exists, self.sort) {
            (true, _) => Existence::Yes,
            (false, Sort::Timestamp | Sort::Date | Sort::Duration) => Existence::Unsure,
            (false, _) => Existence::No,
        }
    }

    /// A whole number between two.
    fn whole_number(&self, below: Option<&Point>, above: Option<&Point>) -> Option<f64> {
        let most = MAX_SAFE_INTEGER as f64;
        match (number(below), number(above)) {
            (Some(below), above) => Some(below.floor() + 1.0).filter(|it| above.is_none_or(|above| *it < above) && *it <= most),
            (None, Some(above)) => Some(above.ceil() - 1.0).filter(|it| *it >= -most),
            (None, None) => Some(0.0),
        }
    }

    fn whole(&self, below: Option<&Point>, above: Option<&Point>) -> Option<i64> {
        let least = if self.sort == Sort::Size { 0 } else { i64::MIN };
        match (below, above) {
            (Some(Point::Whole(below)), Some(Point::Whole(above))) => below.checked_add(1).map(|it| it.max(least)).filter(|it| it < above),
            (Some(Point::Whole(below)), None) => below.checked_add(1).map(|it| it.max(least)),
            (None, Some(Point::Whole(above))) => above.checked_sub(1).filter(|it| *it >= least),
            _ => Some(0),
        }
    }

    /// The least and the greatest size in a cell.
    pub(super) fn sizes(&self, cell: u32) -> (i64, i64) {
        let whole = |point: Option<&Point>| if let Some(Point::Whole(size)) = point { Some(*size) } else { None };
        match self.piece(cell) {
            Some(Piece::Point(point)) => (whole(Some(point)).unwrap_or(0), whole(Some(point)).unwrap_or(0)),
            Some(Piece::Between(below, above)) => {
                (whole(below).map_or(0, |below| below.saturating_add(1)), whole(above).map_or(i64::MAX, |above| above.saturating_sub(1)))
            }
            None => (0, i64::MAX),
        }
    }

    /// A value in a cell, as on the wire; none where it is not easily found.
    pub(super) fn example(&self, cell: u32, whole: bool) -> Option<Json> {
        let json = |number: f64| if whole { Some(Json::from(number as i64)) } else { plain(number) };
        match self.piece(cell)? {
            Piece::Point(Point::Number(number)) => plain(*number),
            Piece::Point(Point::Whole(number)) => Some(self.whole_json(*number)),
            Piece::Point(Point::Text(text)) => Some(Json::String(text.to_string())),
            Piece::Between(below, above) => match self.sort {
                Sort::Number if whole => json(self.whole_number(below, above)?),
                Sort::Number => match (number(below), number(above)) {
                    (Some(below), Some(above)) => json(below + (above - below) / 2.0),
                    (Some(below), None) => json((below + 1.0).max(below.next_up())),
                    (None, Some(above)) => json((above - 1.0).min(above.next_down())),
                    (None, None) => json(0.0),
                },
                Sort::Int64 | Sort::Size => self.whole(below, above).map(|number| self.whole_json(number)),
                Sort::Text => match below {
                    Some(Point::Text(below)) => Some(Json::String(format!("{below}\0"))),
                    _ => Some(Json::String(String::new())),
                },
                _ => None,
            },
        }
    }

    fn whole_json(&self, number: i64) -> Json {
        if self.sort == Sort::Int64 { Json::String(number.to_string()) } else { Json::from(number) }
    }
}

fn number(point: Option<&Point>) -> Option<f64> {
    if let Some(Point::Number(number)) = point { Some(*number) } else { None }
}

/// A number as JSON: whole ones without a fraction.
fn plain(number: f64) -> Option<Json> {
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE_INTEGER as f64 {
        return Some(Json::from(number as i64));
    }
    Number::from_f64(number).map(Json::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(sort: Sort, points: &[Json]) -> Line {
        Line::new(sort, 0, points.iter().map(|point| sort.point(point).unwrap()).collect())
    }

    /// The cells in which a value lies for sure, as `0` and `1`.
    fn existing(line: &Line, whole: bool) -> String {
        line.cells().map(|cell| if line.exists(cell, whole) == Existence::Yes { '1' } else { '0' }).collect()
    }

    #[test]
    fn whole_numbers_have_neighbours() {
        let points = [json!(3), json!(2), json!(5)];
        assert_eq!(existing(&line(Sort::Number, &points), true), "1101111");
        assert_eq!(existing(&line(Sort::Number, &points), false), "1111111");
        assert_eq!(existing(&line(Sort::Number, &[json!(0.5)]), true), "101");
        assert_eq!(existing(&line(Sort::Number, &[json!(9007199254740991_i64)]), true), "110");
        assert_eq!(existing(&line(Sort::Int64, &[json!("9223372036854775807")]), true), "110");
        assert_eq!(existing(&line(Sort::Size, &[json!(0)]), true), "011");
        assert_eq!(existing(&line(Sort::Size, &[json!(-1)]), true), "001");
    }

    #[test]
    fn texts_have_neighbours() {
        assert_eq!(existing(&line(Sort::Text, &[json!(""), json!("\0"), json!("b")]), false), "0101111");
    }

    #[test]
    fn decimals_are_compared_by_value() {
        let line = line(Sort::Decimal, &[json!("1.50"), json!("1.5"), json!("10")]);
        assert_eq!(line.cells(), 0..5);
        let point = Sort::Decimal.point(&json!("1.500")).unwrap();
        assert_eq!(line.compared(BinaryOperator::LessEqual, &point), Some(0..2));
        assert_eq!(line.compared(BinaryOperator::Greater, &point), Some(2..5));
    }

    #[test]
    fn examples_lie_in_their_cells() {
        for points in [vec![], vec![json!(1)], vec![json!(1), json!(2.5), json!(4)]] {
            let line = line(Sort::Number, &points);
            for whole in [true, false] {
                for cell in line.cells().filter(|cell| line.exists(*cell, whole) == Existence::Yes) {
                    let example = line.example(cell, whole).unwrap();
                    let mut with = points.clone();
                    with.push(example.clone());
                    let point = Sort::Number.point(&example).unwrap();
                    let inside = match line.piece(cell).unwrap() {
                        Piece::Point(own) => *own == point,
                        Piece::Between(below, above) => {
                            number(below) < number(Some(&point)) && number(above).is_none_or(|above| number(Some(&point)).unwrap() < above)
                        }
                    };
                    assert!(inside, "{points:?} {cell} {example}");
                }
            }
        }
    }
}
