//! Random trees of guards, and values of which some are not what the trees take them for.
//!
//! The guards of [`crate::guards`] are written in the language and so never wrong; these are not, and ask more of evaluators: decimals, answers,
//! variables of results, nulls everywhere.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use weave_ir::{Expr, Operator, Quantifier, Segment, ValueType};

use crate::random::Random;
use crate::{read, root};

use ValueType::{Bool, Bytes, Date, Decimal, Duration, Float, Int, Int64, Json, List, Null, Record, String as Text, Timestamp};

/// The types that most expressions have.
const TYPES: [ValueType; 11] = [Bool, Int, Int64, Float, Decimal, Text, Bytes, Timestamp, Duration, Date, List];

/// What values of each type look like: `tests/fixtures/evaluators/samples.json`. The last one of a type looks like it and is none.
fn samples(of: ValueType) -> &'static [Value] {
    static SAMPLES: OnceLock<Value> = OnceLock::new();
    let parsed = || serde_json::from_str(&read(&root().join("tests/fixtures/evaluators/samples.json"))).expect("the samples are JSON");
    SAMPLES.get_or_init(parsed)[name(of)].as_array().expect("each type has samples")
}

/// The roots of the values: a letter that says which of them, and the type.
const ROOTS: [&str; 2] = ["x", "y"];

fn name(of: ValueType) -> String {
    serde_json::to_value(of).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

fn sample(random: &mut Random, of: ValueType) -> Value {
    let choices = samples(of);
    // Most are what they should be.
    let bound = if random.chance(85) { choices.len().saturating_sub(1).max(1) } else { choices.len() };
    choices[random.below(bound)].clone()
}

/// A value for most roots.
#[must_use]
pub fn values(random: &mut Random) -> Map<String, Value> {
    let mut values = Map::new();
    for of in TYPES.into_iter().chain([ValueType::Map, Record, Json]) {
        for root in ROOTS {
            match random.below(12) {
                0 => drop(values.insert(format!("{root}_{}", name(of)), Value::Null)),
                1 => {}
                _ => drop(values.insert(format!("{root}_{}", name(of)), sample(random, of))),
            }
        }
    }
    values
}

/// All answers of a node.
#[must_use]
pub fn answers(random: &mut Random) -> Map<String, Value> {
    let all: Vec<Value> =
        (0..random.below(4)).map(|_| if random.chance(70) { json!({ "a": sample(random, Int) }) } else { Value::Null }).collect();
    Map::from_iter([("draft".to_owned(), Value::Array(all))])
}

/// A random tree. Its operators have operands of their types, most of the time.
#[must_use]
pub fn tree(random: &mut Random) -> Expr {
    let of = if random.chance(70) { Bool } else { TYPES[random.below(TYPES.len())] };
    let depth = 1 + random.below(4);
    Writer { random, variables: Vec::new() }.expression(of, depth)
}

struct Writer<'r> {
    random: &'r mut Random,
    variables: Vec<String>,
}

impl Writer<'_> {
    fn any_type(&mut self) -> ValueType {
        TYPES[self.random.below(TYPES.len())]
    }

    fn expression(&mut self, of: ValueType, depth: usize) -> Expr {
        if depth == 0 || self.random.chance(15) {
            return self.leaf(of);
        }
        // Sometimes it is of another type than wanted.
        let of = if self.random.chance(2) { self.any_type() } else { of };
        let depth = depth - 1;
        match of {
            Bool => self.truth(depth),
            Int if self.random.chance(25) => {
                let of = *self.random.pick(&[Text, Bytes, List, ValueType::Map, Json]);
                Expr::typed(Operator::Size, of, vec![self.expression(of, depth)])
            }
            Duration if self.random.chance(40) => {
                let operands = self.operands(Timestamp, 2, depth);
                Expr::typed(Operator::Subtract, Timestamp, operands)
            }
            Timestamp => self.moment(depth),
            List if self.random.chance(60) => {
                let of = self.any_type();
                let count = 1 + self.random.below(3);
                Expr::List { items: self.operands(of, count, depth) }
            }
            Int | Int64 | Float | Decimal | Duration | Text | Bytes | List => self.arithmetic(of, depth),
            _ => self.leaf(of),
        }
    }

    fn operands(&mut self, of: ValueType, count: usize, depth: usize) -> Vec<Expr> {
        (0..count).map(|_| self.expression(of, depth)).collect()
    }

    fn leaf(&mut self, of: ValueType) -> Expr {
        if !self.variables.is_empty() && self.random.chance(40) {
            let var = self.random.pick(&self.variables).clone();
            let path = if self.random.chance(20) { vec![Segment::Key("a".to_owned())] } else { Vec::new() };
            return Expr::Var { var, path, value_type: of };
        }
        if self.random.chance(30) {
            return Expr::Const { value: sample(self.random, of), value_type: of };
        }
        let key = |text: &str| Segment::Key(text.to_owned());
        let root = *self.random.pick(&ROOTS);
        let path = match self.random.below(10) {
            0 => vec![key(&format!("{root}_record")), key("a")],
            1 => vec![key(&format!("{root}_list")), Segment::Index(self.random.below(3) as u32)],
            2 if of == List => vec![key("draft"), Segment::All, key("a")],
            _ => vec![key(&format!("{root}_{}", name(of)))],
        };
        Expr::Path { path, value_type: of }
    }

    fn arithmetic(&mut self, of: ValueType, depth: usize) -> Expr {
        let all = [Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Remainder, Operator::Negate];
        let fitting: Vec<Operator> = all.into_iter().filter(|operator| operator.accepts(of)).collect();
        let operator = *self.random.pick(&fitting);
        let count = if operator == Operator::Negate { 1 } else { 2 + self.random.below(2) };
        Expr::typed(operator, of, self.operands(of, count, depth))
    }

    fn moment(&mut self, depth: usize) -> Expr {
        let operator = *self.random.pick(&[Operator::Add, Operator::Subtract]);
        let mut operands = vec![self.expression(Timestamp, depth), self.expression(Duration, depth)];
        if operator == Operator::Add && self.random.chance(30) {
            operands.swap(0, 1);
        }
        if self.random.chance(30) {
            operands.push(self.expression(Duration, depth));
        }
        Expr::typed(operator, Timestamp, operands)
    }

    fn truth(&mut self, depth: usize) -> Expr {
        let two = |writer: &mut Self, of| vec![writer.expression(of, depth), writer.expression(of, depth)];
        match self.random.below(10) {
            0 | 1 => {
                let operator = *self.random.pick(&[Operator::And, Operator::Or]);
                let count = 2 + self.random.below(2);
                Expr::apply(operator, self.operands(Bool, count, depth))
            }
            2 => Expr::apply(Operator::Not, vec![self.expression(Bool, depth)]),
            3 | 4 => {
                let of = *self.random.pick(&[Bool, Int, Int64, Float, Decimal, Text, Bytes, Timestamp, Duration, Date]);
                let operator = *self.random.pick(&[Operator::Less, Operator::LessOrEqual, Operator::Greater, Operator::GreaterOrEqual]);
                Expr::typed(operator, of, two(self, of))
            }
            5 => {
                let of = *self.random.pick(&[
                    Bool,
                    Int,
                    Int64,
                    Float,
                    Decimal,
                    Text,
                    Timestamp,
                    Duration,
                    List,
                    ValueType::Map,
                    Record,
                    Json,
                    Null,
                ]);
                let operator = *self.random.pick(&[Operator::Equal, Operator::NotEqual]);
                let mut operands = two(self, of);
                if of == Null {
                    operands[0] = self.leaf(Text);
                }
                Expr::typed(operator, of, operands)
            }
            6 => {
                let of = self.any_type();
                let container = if self.random.chance(25) { ValueType::Map } else { List };
                Expr::typed(Operator::In, of, vec![self.expression(of, depth), self.expression(container, depth)])
            }
            7 => self.texts(depth),
            8 => Expr::apply(
                Operator::Has,
                vec![{
                    let of = self.any_type();
                    self.leaf(of)
                }],
            ),
            _ => self.question(depth),
        }
    }

    fn texts(&mut self, depth: usize) -> Expr {
        let patterns = [
            "a",
            "^$",
            "^[ab]+$",
            r"\d",
            r"^\W",
            r"\bb",
            r"\B",
            "^.$",
            r"(a|é){1,2}\s?",
            r"\n$",
            "[^a-z]",
            r"^\S*$",
            r"[\w\-.]+",
            "(?:a|b|)+?$",
            r"[]\x61-\x63^]",
            r"[\D]{2,}",
            "😀|\u{ffff}",
            "^(a*)*$",
            r"^[^\s]{0,3}$",
            "x{0}",
        ];
        let operator = *self.random.pick(&[Operator::Contains, Operator::StartsWith, Operator::EndsWith, Operator::Matches]);
        let text = self.expression(Text, depth);
        let other =
            if operator == Operator::Matches { Expr::constant(*self.random.pick(&patterns), Text) } else { self.expression(Text, depth) };
        Expr::apply(operator, vec![text, other])
    }

    fn question(&mut self, depth: usize) -> Expr {
        let container = if self.random.chance(20) { ValueType::Map } else { List };
        let list = Box::new(self.expression(container, depth));
        let var = (*self.random.pick(&["v", "w"])).to_owned();
        self.variables.push(var.clone());
        let body = Box::new(self.expression(Bool, depth));
        self.variables.pop();
        let op = *self.random.pick(&[Quantifier::Exists, Quantifier::All]);
        Expr::Quantify { op, var, list, body }
    }
}

/// A random template: most are right, some are only nearly so.
#[must_use]
pub fn template(random: &mut Random) -> String {
    let parts = [
        "{{.x_int}}",
        "{{.y_float}}",
        "{{.x_string}}",
        "{{.x_record.a}}",
        "{{.x_list[1]}}",
        "{{.y_json}}",
        "{{.x_map}}",
        "{{.draft[]}}",
        "{{.draft[].a}}",
        "{{.y_list?[0]?.a ?? \"none\"}}",
        "{{.x_int ?? 1.5}}",
        "{{.y_bool ?? null}}",
        "{{.z ?? {\"a\":[1,{}],\"b\":\"}}\"}}}",
        "{{.x_map[\"é\"]}}",
        "{{.[\"a b\"] ?? [true]}}",
        "{{\"{{\"}}",
        "{{\"{\"}}",
        "{",
        "}}",
        " ",
        "a",
        "é😀",
        "\"",
        "{{",
        "{{.x}",
        "{{.x_int??1}}",
        "{{.x_int ?? 1 }}",
        "{{.x_list[01]}}",
        "{{.x_map[\"a\"]}}",
        "{{.x_int ?? {\"a\":1,\"a\":2}}}",
        "{{.x_int ?? \"\\u0041\"}}",
        "{{.x_int ?? \"\\u001f\"}}",
    ];
    let count = 1 + random.below(4);
    let right = if random.chance(80) { 15 } else { parts.len() };
    (0..count).map(|_| parts[random.below(right)]).collect()
}
