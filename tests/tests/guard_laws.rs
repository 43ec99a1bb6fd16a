//! Guards that differ only by the laws of the normal form have the same bytes, and mean what they mean without it.
//!
//! A random formula is written in two of the ways in which it can be written. Both must become the same guard, and that guard must have the
//! value of the formula as a tree that no normal form has touched: here by `weave-expr`, and by the evaluators of generated code, because
//! `evaluators.rs` asks them such trees.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use weave_ir::{Expr, Operator, Quantifier, Segment, ValueType};
use weave_tests::program::Program;
use weave_tests::random::Random;
use weave_tests::{expectation, guards};

use crate::cel_oracle::{program, refused};

const BATCHES: usize = 6;
const PAIRS: usize = 300;
const SCOPES: usize = 8;

/// What a guard asks, without how it is written.
enum Formula {
    /// A comparison of two operands: as they are written, and as trees.
    Compared {
        op: Operator,
        ty: ValueType,
        operands: [(String, Expr); 2],
    },
    /// Whether a path is null.
    Null {
        path: String,
        ty: ValueType,
        is_null: bool,
    },
    /// A path that is a bool.
    Flag(String),
    /// Something without laws of its own.
    Other(String, Expr),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// About each element of `ns`, which is called `it` in the body.
    Each {
        quantifier: Quantifier,
        body: Box<Formula>,
    },
}

fn path(name: &str, ty: ValueType) -> Expr {
    Expr::path(vec![Segment::Key(name.to_owned())], ty)
}

fn operand(random: &mut Random, ty: ValueType, names: &[&str], constants: &[(&str, Value)]) -> (String, Expr) {
    if random.chance(40) {
        let (text, value) = &constants[random.below(constants.len())];
        return ((*text).to_owned(), Expr::constant(value.clone(), ty));
    }
    let name = names[random.below(names.len())];
    (format!(".{name}"), path(name, ty))
}

/// Two operands of one type, of which one is read.
fn operands(random: &mut Random) -> (ValueType, [(String, Expr); 2]) {
    let (ty, names, constants): (ValueType, &[&str], &[(&str, Value)]) = match random.below(6) {
        0 => (ValueType::Int, &["n", "m"], &[("1", json!(1)), ("3", json!(3)), ("0", json!(0))]),
        1 => (ValueType::Float, &["x", "y"], &[("0.5", json!(0.5)), ("2.5", json!(2.5))]),
        2 => (ValueType::String, &["s", "t"], &[("\"a\"", json!("a")), ("\"\"", json!(""))]),
        3 => (ValueType::Timestamp, &["at", "due"], &[("\"2027-01-01T00:00:00Z\"", json!("2027-01-01T00:00:00Z"))]),
        4 => (ValueType::Duration, &["wait", "pause"], &[("1h", json!("PT1H")), ("1s", json!("PT1S"))]),
        _ => (ValueType::Int64, &["big", "wide"], &[("\"5\"", json!("5"))]),
    };
    let read = names[random.below(names.len())];
    let first = (format!(".{read}"), path(read, ty));
    let second = operand(random, ty, names, constants);
    (ty, if random.chance(50) { [first, second] } else { [second, first] })
}

const COMPARISONS: [Operator; 6] =
    [Operator::Equal, Operator::NotEqual, Operator::Less, Operator::LessOrEqual, Operator::Greater, Operator::GreaterOrEqual];

fn formula(random: &mut Random, depth: usize, in_body: bool) -> Formula {
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 | 1 => {
            let (ty, operands) = operands(random);
            Formula::Compared { op: COMPARISONS[random.below(6)], ty, operands }
        }
        2 => {
            let (name, ty) = [("maybe_n", ValueType::Int), ("maybe_s", ValueType::String)][random.below(2)];
            Formula::Null { path: format!(".{name}"), ty, is_null: random.chance(50) }
        }
        3 => Formula::Flag("flag".to_owned()),
        4 if in_body => {
            let it = Expr::Var { var: "it".to_owned(), path: Vec::new(), value_type: ValueType::Int };
            let operands = [("it".to_owned(), it), ("1".to_owned(), Expr::constant(1, ValueType::Int))];
            Formula::Compared { op: COMPARISONS[random.below(6)], ty: ValueType::Int, operands }
        }
        4 if random.chance(50) => {
            let sum = Expr::typed(Operator::Divide, ValueType::Float, vec![path("x", ValueType::Float), path("y", ValueType::Float)]);
            let op = [Operator::Less, Operator::GreaterOrEqual][random.below(2)];
            let text = if op == Operator::Less { "<" } else { ">=" };
            let tree = Expr::typed(op, ValueType::Float, vec![sum, Expr::constant(0.5, ValueType::Float)]);
            Formula::Other(format!(".x / .y {text} 0.5"), tree)
        }
        4 => {
            let tree = Expr::apply(Operator::StartsWith, vec![path("s", ValueType::String), Expr::constant("a", ValueType::String)]);
            Formula::Other(".s.startsWith(\"a\")".to_owned(), tree)
        }
        5 => Formula::Not(Box::new(formula(random, depth - 1, in_body))),
        6 => Formula::All((0..2 + random.below(2)).map(|_| formula(random, depth - 1, in_body)).collect()),
        7 => Formula::Any((0..2 + random.below(2)).map(|_| formula(random, depth - 1, in_body)).collect()),
        _ if in_body => formula(random, depth - 1, true),
        _ => {
            let quantifier = [Quantifier::Exists, Quantifier::All][random.below(2)];
            Formula::Each { quantifier, body: Box::new(formula(random, depth - 1, true)) }
        }
    }
}

impl Formula {
    /// The tree, with nothing done to it.
    fn tree(&self) -> Expr {
        let several = |parts: &[Self]| parts.iter().map(Self::tree).collect::<Vec<_>>();
        match self {
            Self::Compared { op, ty, operands: [first, second] } => Expr::typed(*op, *ty, vec![first.1.clone(), second.1.clone()]),
            Self::Null { path: name, ty, is_null } => {
                let has = Expr::apply(Operator::Has, vec![path(name.trim_start_matches('.'), *ty)]);
                if *is_null { Expr::apply(Operator::Not, vec![has]) } else { has }
            }
            Self::Flag(name) => path(name, ValueType::Bool),
            Self::Other(_, tree) => tree.clone(),
            Self::Not(operand) => Expr::apply(Operator::Not, vec![operand.tree()]),
            Self::All(parts) => Expr::apply(Operator::And, several(parts)),
            Self::Any(parts) => Expr::apply(Operator::Or, several(parts)),
            Self::Each { quantifier, body } => Expr::Quantify {
                op: *quantifier,
                var: "it".to_owned(),
                list: Box::new(path("ns", ValueType::List)),
                body: Box::new(body.tree()),
            },
        }
    }

    /// One of the texts of the formula, or of its negation, in parentheses.
    fn text(&self, random: &mut Random, is_negated: bool) -> String {
        if random.chance(20) {
            return format!("(!{})", self.text(random, !is_negated));
        }
        let text = match self {
            Self::Compared { op, ty, operands: [first, second] } => {
                // What is said of numbers holds for those of JSON, which all are numbers.
                let negated = is_negated && (*ty != ValueType::Float || random.chance(50));
                if is_negated && !negated {
                    return format!("(!{})", self.text(random, false));
                }
                let op = if negated { opposite(*op) } else { *op };
                match random.chance(50) {
                    true => format!("{} {} {}", first.0, sign(op), second.0),
                    false => format!("{} {} {}", second.0, sign(mirrored(op)), first.0),
                }
            }
            Self::Null { path, is_null, .. } => match (*is_null != is_negated, random.below(3)) {
                (true, 0) => format!("!has({path})"),
                (true, 1) => format!("null == {path}"),
                (true, _) => format!("{path} == null"),
                (false, 0) => format!("has({path})"),
                (false, 1) => format!("null != {path}"),
                (false, _) => format!("{path} != null"),
            },
            Self::Flag(name) => match (is_negated, random.below(4)) {
                (false, 0) => format!(".{name} == true"),
                (false, 1) => format!("false != .{name}"),
                (false, _) => format!(".{name}"),
                (true, 0) => format!(".{name} == false"),
                (true, 1) => format!("true != .{name}"),
                (true, _) => format!("!.{name}"),
            },
            Self::Other(text, _) if is_negated => format!("!({text})"),
            Self::Other(text, _) => text.clone(),
            Self::Not(operand) => return operand.text(random, !is_negated),
            Self::All(parts) => joined(parts, if is_negated { " || " } else { " && " }, random, is_negated),
            Self::Any(parts) => joined(parts, if is_negated { " && " } else { " || " }, random, is_negated),
            Self::Each { quantifier, body } => {
                let name = if (*quantifier == Quantifier::Exists) == is_negated { "all" } else { "exists" };
                format!(".ns.{name}(it, {})", body.text(random, is_negated))
            }
        };
        format!("({text})")
    }
}

fn joined(parts: &[Formula], sign: &str, random: &mut Random, is_negated: bool) -> String {
    let mut texts: Vec<String> = parts.iter().map(|part| part.text(random, is_negated)).collect();
    random.shuffle(&mut texts);
    if texts.len() == 3 && random.chance(50) {
        return format!("{}{sign}({}{sign}{})", texts[0], texts[1], texts[2]);
    }
    texts.join(sign)
}

const fn opposite(op: Operator) -> Operator {
    match op {
        Operator::Equal => Operator::NotEqual,
        Operator::NotEqual => Operator::Equal,
        Operator::Less => Operator::GreaterOrEqual,
        Operator::LessOrEqual => Operator::Greater,
        Operator::Greater => Operator::LessOrEqual,
        _ => Operator::Less,
    }
}

const fn mirrored(op: Operator) -> Operator {
    match op {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        same => same,
    }
}

const fn sign(op: Operator) -> &'static str {
    match op {
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        _ => ">=",
    }
}

#[test]
fn guards_that_differ_by_the_laws_have_the_same_bytes_and_keep_their_value() {
    let mut random = Random::new(25);
    let (mut wrong, mut pairs, mut differing, mut outcomes) = (Vec::new(), 0, 0, BTreeMap::<&str, usize>::new());
    for _ in 0..BATCHES {
        let formulas: Vec<Formula> = (0..PAIRS).map(|_| formula(&mut random, 3, false)).collect();
        let texts: Vec<String> =
            formulas.iter().flat_map(|formula| [formula.text(&mut random, false), formula.text(&mut random, false)]).collect();
        let refused = refused(&Program::one(&program(&texts)).check());
        let is_accepted = |pair: &usize| !refused.contains(&(2 * pair)) && !refused.contains(&(2 * pair + 1));
        let accepted: Vec<usize> = (0..PAIRS).filter(is_accepted).collect();
        let texts: Vec<String> = accepted.iter().flat_map(|pair| texts[2 * pair..2 * pair + 2].to_vec()).collect();
        let checked = Program::one(&program(&texts)).check();
        assert!(!checked.snapshot.has_errors(), "{}", checked.drawing());
        let definition: Value = serde_json::from_str(&checked.definitions()["main"]).expect("a definition is JSON");
        let guard = |index: usize| &definition["tools"][format!("t{index}")]["approval"]["when"];
        for (place, pair) in accepted.iter().enumerate() {
            let (one, other) = (guard(2 * place), guard(2 * place + 1));
            pairs += 1;
            differing += usize::from(texts[2 * place] != texts[2 * place + 1]);
            if one != other {
                wrong.push(format!("{}\n{}\nbecome\n{one}\n{other}", texts[2 * place], texts[2 * place + 1]));
                continue;
            }
            let normal: weave_ir::Guard = serde_json::from_value(one.clone()).expect("a definition has guards");
            let raw = formulas[*pair].tree();
            for _ in 0..SCOPES {
                let values = guards::values(&mut random);
                let (wanted, found) = (weave_expr::evaluate(&raw, &values), weave_expr::evaluate(&normal.expr, &values));
                let name = match &wanted {
                    Ok(Value::Bool(true)) => "true",
                    Ok(_) => "false",
                    Err(_) => "error",
                };
                *outcomes.entry(name).or_default() += 1;
                if wanted.as_ref().ok() != found.as_ref().ok() {
                    wrong.push(format!("{}\nis {wanted:?}, and {one} is {found:?}, with {}", texts[2 * place], json!(values)));
                }
            }
        }
    }
    expectation::report(&wrong.into_iter().take(10).collect::<Vec<_>>());
    println!("{pairs} pairs, {differing} of them with two texts; {outcomes:?}");
    assert!(pairs > BATCHES * PAIRS / 3 && differing * 10 > pairs * 7, "{differing} of {pairs} pairs have two texts");
    assert!(outcomes["true"] > 500 && outcomes["false"] > 500, "{outcomes:?}");
}
