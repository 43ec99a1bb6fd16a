//! What holds for every expression, template and value.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use weave_expr::{EvalError, Scope, evaluate, guard, render, render_payload, render_text};
use weave_ir::{Expr, Guard, Operator, Path, Placeholder, Quantifier, Segment, Template, ValueType};

const TYPES: [ValueType; 15] = [
    ValueType::Bool,
    ValueType::Int,
    ValueType::Int64,
    ValueType::Float,
    ValueType::Decimal,
    ValueType::String,
    ValueType::Bytes,
    ValueType::Timestamp,
    ValueType::Date,
    ValueType::Duration,
    ValueType::Null,
    ValueType::List,
    ValueType::Map,
    ValueType::Record,
    ValueType::Json,
];

const OPERATORS: [Operator; 22] = [
    Operator::And,
    Operator::Or,
    Operator::Not,
    Operator::Equal,
    Operator::NotEqual,
    Operator::Less,
    Operator::LessOrEqual,
    Operator::Greater,
    Operator::GreaterOrEqual,
    Operator::In,
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Remainder,
    Operator::Negate,
    Operator::Contains,
    Operator::StartsWith,
    Operator::EndsWith,
    Operator::Matches,
    Operator::Size,
    Operator::Has,
];

/// Values of every form, with those at the edges.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-3i64..4).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(|number| number.to_string().into()),
        "-?[0-9]{1,30}(\\.[0-9]{1,30})?".prop_map(Value::from),
        "[0-9]{4}-[01][0-9]-[0-3][0-9](T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\\.[0-9]{1,10})?(Z|[+-][01][0-9]:30))?".prop_map(Value::from),
        "-?P([0-9]{1,13}D)?T[0-9]{1,13}H?[0-9]{0,9}S?".prop_map(Value::from),
        "([A-Za-z0-9+/]{4}){0,3}".prop_map(Value::from),
        "[a-c(*\\\\dwB^$|\\[\\]{}0-9,]{0,8}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

fn any_type() -> impl Strategy<Value = ValueType> {
    prop::sample::select(&TYPES[..])
}

fn any_segments(root: bool) -> impl Strategy<Value = Vec<Segment>> {
    let segment = prop_oneof![
        4 => "[abc]".prop_map(Segment::Key),
        1 => (0u32..3).prop_map(Segment::Index),
        1 => Just(Segment::All),
    ];
    let rest = prop::collection::vec(segment, 0..3);
    ("[abc]", rest).prop_map(move |(key, rest)| if root { [vec![Segment::Key(key)], rest].concat() } else { rest })
}

/// Expressions that a definition could hold, and many that it could not.
fn any_expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (any_value(), any_type()).prop_map(|(value, value_type)| Expr::Const { value, value_type }),
        (any_segments(true), any_type()).prop_map(|(path, value_type)| Expr::Path { path, value_type }),
        ("[abc]", any_segments(false), any_type()).prop_map(|(var, path, value_type)| Expr::Var { var, path, value_type }),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(|items| Expr::List { items }),
            5 => (prop::sample::select(&OPERATORS[..]), prop::option::of(any_type()), prop::collection::vec(inner.clone(), 0..4))
                .prop_map(|(op, operand_type, args)| Expr::Apply { op, operand_type, args }),
            2 => (any::<bool>(), "[abc]", inner.clone(), inner).prop_map(|(exists, var, list, body)| Expr::Quantify {
                op: if exists { Quantifier::Exists } else { Quantifier::All },
                var,
                list: Box::new(list),
                body: Box::new(body),
            }),
        ]
    })
}

fn any_scope() -> impl Strategy<Value = Values> {
    prop::collection::btree_map("[abc]", any_value(), 0..3).prop_map(|roots| Values(roots.into_iter().collect()))
}

/// Roots that are lists are answers too.
#[derive(Debug)]
struct Values(Map<String, Value>);

impl Scope for Values {
    fn value(&self, root: &str) -> Option<&Value> {
        self.0.get(root)
    }

    fn answers(&self, root: &str) -> Option<Vec<&Value>> {
        self.0.get(root)?.as_array().map(|answers| answers.iter().collect())
    }
}

fn negation(expr: Expr) -> Expr {
    Expr::apply(Operator::Not, vec![expr])
}

/// Whether it has no value, or which; the errors are not told apart.
fn outcome(expr: &Expr, scope: &dyn Scope) -> Option<Value> {
    evaluate(expr, scope).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn every_expression_has_a_value_or_an_error(expr in any_expr(), scope in any_scope()) {
        let found = evaluate(&expr, &scope);
        if let Err(error) = &found {
            prop_assert!(!error.to_string().is_empty());
        }
        let is_true = found == Ok(json!(true));
        prop_assert_eq!(evaluate(&expr, &scope), found, "twice the same");
        prop_assert_eq!(guard(&Guard::new(expr), &scope), is_true);
    }

    #[test]
    fn and_and_or_do_not_heed_the_order(one in any_expr(), other in any_expr(), scope in any_scope()) {
        for op in [Operator::And, Operator::Or] {
            let forth = Expr::apply(op, vec![one.clone(), other.clone()]);
            let back = Expr::apply(op, vec![other.clone(), one.clone()]);
            prop_assert_eq!(outcome(&forth, &scope), outcome(&back, &scope));
        }
    }

    #[test]
    fn the_law_of_de_morgan_holds(one in any_expr(), other in any_expr(), scope in any_scope()) {
        let and = negation(Expr::apply(Operator::And, vec![one.clone(), other.clone()]));
        let or = Expr::apply(Operator::Or, vec![negation(one), negation(other)]);
        prop_assert_eq!(outcome(&and, &scope), outcome(&or, &scope));
    }

    #[test]
    fn all_is_not_exists_not(list in any_value(), body in any_expr(), scope in any_scope()) {
        let quantify = |op, body| Expr::Quantify {
            op,
            var: "a".to_owned(),
            list: Box::new(Expr::constant(list.clone(), ValueType::Json)),
            body: Box::new(body),
        };
        let all = quantify(Quantifier::All, body.clone());
        let exists = negation(quantify(Quantifier::Exists, negation(body)));
        prop_assert_eq!(outcome(&all, &scope), outcome(&exists, &scope));
    }

    #[test]
    fn equality_and_order_agree(one in any_value(), other in any_value(), value_type in any_type()) {
        let compare = |op| outcome(&Expr::typed(op, value_type, vec![
            Expr::constant(one.clone(), value_type),
            Expr::constant(other.clone(), value_type),
        ]), &Map::new());
        let (equal, unequal) = (compare(Operator::Equal), compare(Operator::NotEqual));
        prop_assert_eq!(equal.clone().and_then(|it| it.as_bool()).map(|it| !it), unequal.and_then(|it| it.as_bool()));
        if let (Some(less), Some(greater)) = (compare(Operator::Less), compare(Operator::Greater)) {
            let one_of_three = [equal, Some(less), Some(greater)].into_iter().filter(|it| *it == Some(json!(true))).count();
            prop_assert_eq!(one_of_three, 1);
        }
    }

    #[test]
    fn decimals_are_exact(one in -1_000_000_000_000i128..1_000_000_000_000, other in -1_000_000_000_000i128..1_000_000_000_000, scale in 0usize..9) {
        let text = |number: i128, scale: usize| {
            let digits = format!("{:0width$}", number.abs(), width = scale + 1);
            let (whole, fraction) = digits.split_at(digits.len() - scale);
            let sign = if number < 0 { "-" } else { "" };
            if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
        };
        for (op, result, result_scale) in [
            (Operator::Add, one + other, scale),
            (Operator::Subtract, one - other, scale),
            (Operator::Multiply, one * other, 2 * scale),
        ] {
            let operands = vec![Expr::constant(text(one, scale), ValueType::Decimal), Expr::constant(text(other, scale), ValueType::Decimal)];
            let sum = Expr::typed(op, ValueType::Decimal, operands);
            let equal = Expr::typed(Operator::Equal, ValueType::Decimal, vec![sum, Expr::constant(text(result, result_scale), ValueType::Decimal)]);
            prop_assert_eq!(evaluate(&equal, &Map::new()), Ok(json!(true)));
        }
    }

    #[test]
    fn what_is_made_has_the_form_of_its_type(
        op in prop::sample::select(&OPERATORS[..]),
        value_type in any_type(),
        args in prop::collection::vec(any_value(), 1..4),
    ) {
        let made = Expr::typed(op, value_type, args.into_iter().map(|arg| Expr::constant(arg, value_type)).collect());
        if let Ok(value) = evaluate(&made, &Map::new()) {
            let kinds = [value_type, ValueType::Bool, ValueType::Duration, ValueType::Json];
            prop_assert!(kinds.into_iter().any(|kind| evaluate(&Expr::constant(value.clone(), kind), &Map::new()).is_ok()));
        }
    }

    #[test]
    fn every_template_is_filled_in(
        parts in prop::collection::vec((any_segments(true), prop::option::of(any_value()), "[a{}]{0,3}"), 0..4),
        scope in any_scope(),
    ) {
        let mut template = Template::default();
        for (segments, default, text) in parts {
            template.push_value(Placeholder { path: Path { steps: segments.into_iter().map(Into::into).collect() }, default });
            template.push_text(&text);
        }
        let rendered = render(&template, &scope);
        if template.whole().is_none() {
            prop_assert_eq!(rendered, Some(Value::String(render_text(&template, &scope))));
        }
    }

    #[test]
    fn every_payload_is_filled_in_or_refused(payload in any_value(), scope in any_scope()) {
        if let Ok(rendered) = render_payload(&payload, &scope) {
            prop_assert_eq!(rendered.is_object(), payload.is_object());
        }
    }

    #[test]
    fn escaped_payloads_say_themselves(text in "([{}\".a?]|\\PC){0,12}") {
        let payload = json!({ "a": [Template::escape(&text)] });
        prop_assert_eq!(render_payload(&payload, &Map::new()), Ok(json!({ "a": [text] })));
    }
}

#[test]
fn depth_is_no_danger() {
    let mut expr = Expr::constant(true, ValueType::Bool);
    for _ in 0..1_500 {
        expr = negation(Expr::apply(Operator::And, vec![expr, Expr::constant(true, ValueType::Bool)]));
    }
    assert_eq!(evaluate(&expr, &Map::new()), Ok(json!(true)));
    let payload = (0..1_500).fold(json!("{{.a}}"), |inner, _| Value::Array(vec![inner]));
    let nothing = (0..1_500).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    assert_eq!(render_payload(&payload, &Map::new()), Ok(nothing));
}

#[test]
fn breadth_is_no_danger() {
    let wide = Expr::typed(Operator::Add, ValueType::Int, vec![Expr::constant(1, ValueType::Int); 200_000]);
    assert_eq!(evaluate(&wide, &Map::new()), Ok(json!(200_000)));
}

#[test]
fn errors_say_what_is_wrong() {
    let zero = || Expr::constant(0, ValueType::Int);
    let error = evaluate(&Expr::typed(Operator::Divide, ValueType::Int, vec![zero(), zero()]), &Map::new()).unwrap_err();
    assert_eq!(error, EvalError::DivisionByZero);
    assert_eq!(error.to_string(), "an integer is divided by zero");
    let form = evaluate(&Expr::constant("x", ValueType::Int64), &Map::new()).unwrap_err();
    assert_eq!(form.to_string(), "a value does not have the form of its type, which is `int64`");
}
