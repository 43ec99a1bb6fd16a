//! One text is a value of a scalar to everybody: to the check, to guards, to the schemas of definitions as runs read them, and to `weave-scalars`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use weave_expr::{EvalError, evaluate};
use weave_ir::{Expr, Operator, ValueType};
use weave_scalars::Form;
use weave_syntax::text::quoted_string;
use weave_tests::expectation::report;
use weave_tests::program::Program;
use weave_tests::random::Random;

/// Texts of each form in each of three seeds.
const TEXTS: usize = 150;

/// A form, its type in the language, its type in guards, texts from which others are made, and the characters that are put into them.
type Kind = (Form, &'static str, Option<ValueType>, &'static [&'static str], &'static str);

const KINDS: [Kind; 9] = [
    (
        Form::Int64,
        "int64",
        Some(ValueType::Int64),
        &["0", "-7", "9223372036854775807", "-9223372036854775808", "00000000000000000012"],
        "0123456789-+. ",
    ),
    (Form::Decimal, "decimal", Some(ValueType::Decimal), &["0", "12.50", "-0.001", "123456789012345678901234567890.5"], "0123456789-+.e"),
    (Form::Bytes, "bytes", Some(ValueType::Bytes), &["", "aGVsbG8=", "QUI=", "+/8=", "QQ=="], "AZaz09+/=-_ "),
    (
        Form::Timestamp,
        "timestamp",
        Some(ValueType::Timestamp),
        &[
            "2027-01-31T12:00:00Z",
            "2024-02-29T23:59:60.5+01:00",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.9Z",
            "1999-12-31t00:30:00-23:59",
        ],
        "0123456789-+:.TtZz ",
    ),
    (Form::Date, "date", Some(ValueType::Date), &["2024-02-29", "0000-01-01", "9999-12-31", "1900-02-28"], "0123456789-"),
    (
        Form::Duration,
        "duration",
        Some(ValueType::Duration),
        &["PT24H", "P1DT1M", "PT0.5S", "P2W", "PT315576000000S", "PT1H2M3S", "P3652500D"],
        "0123456789PTWDHMSY.-",
    ),
    (Form::Uuid, "uuid", None, &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"], "0123456789abfABFg-"),
    (
        Form::Uri,
        "uri",
        None,
        &["https://ada@example.com:8080/a/b?c=d#e", "urn:isbn:1", "http://[::1]/", "mailto:ada@example.com", "a:%20"],
        "ab0:/?#[]@%.é <",
    ),
    (Form::Email, "email", None, &["ada@example.com", "a.b+c@x-y.z", "a@b"], "ab0.@-+_\"( "),
];

/// A text that is a value of a form, or nearly so.
fn text(random: &mut Random, bases: &[&str], letters: &str) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let mut text: Vec<char> = random.pick(bases).chars().collect();
    for _ in 0..random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(5) {
            0 => text.insert(at, *random.pick(&letters)),
            1 if at < text.len() => drop(text.remove(at)),
            // A digit for a digit most often leaves a form as it is, and a value beyond a bound.
            2 | 3 if at < text.len() && text[at].is_ascii_digit() => text[at] = char::from(b'0' + random.below(10) as u8),
            _ if at < text.len() => text[at] = *random.pick(&letters),
            _ => text.push(*random.pick(&letters)),
        }
    }
    text.into_iter().collect()
}

/// The texts of a list that the check accepts where a declaration is made from each, a line for each.
fn accepted(texts: &[String], line: impl Fn(usize, &str) -> String) -> Vec<bool> {
    let lines: Vec<String> = texts.iter().enumerate().map(|(index, text)| line(index, &quoted_string(text))).collect();
    let program = lines.join("\n");
    let checked = Program::one(&program).check();
    let starts: Vec<usize> = lines.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len() + 1))).collect();
    let errors = checked.diagnostics.iter().filter(|it| it.code.severity == weave_diagnostics::Severity::Error);
    let wrong: BTreeSet<usize> =
        errors.map(|it| starts.partition_point(|start| *start <= it.primary.place.span.start as usize) - 1).collect();
    (0..texts.len()).map(|index| !wrong.contains(&index)).collect()
}

/// Whether a guard can read a text, which is asked whether it equals itself.
fn read(text: &str, ty: ValueType) -> bool {
    let constant = || Expr::constant(Value::from(text), ty);
    match evaluate(&Expr::typed(Operator::Equal, ty, vec![constant(), constant()]), &Map::new()) {
        Ok(equal) => {
            assert_eq!(equal, Value::Bool(true), "{text:?}");
            true
        }
        Err(EvalError::Form { .. } | EvalError::OutOfRange { .. }) => false,
        Err(error) => panic!("{text:?}: {error}"),
    }
}

/// The schema of an input of a type.
fn schema(name: &str) -> Value {
    let checked = Program::one(&format!("workflow w(x: {name}) {{ end done }}")).check();
    let definition = checked.compiled.first().unwrap_or_else(|| panic!("{}", checked.drawing())).definition.to_json_pretty().expect("JSON");
    let definition: Value = serde_json::from_str(&definition).expect("JSON");
    definition.pointer("/input/properties/x").unwrap_or_else(|| panic!("{definition:#}")).clone()
}

#[test]
fn all_readers_agree_on_the_text_of_scalars() {
    let mut complaints = Vec::new();
    for (form, name, guard, bases, letters) in KINDS {
        let schema = schema(name);
        let in_runs = weave_runner::validator(&schema).expect("it is a schema");
        let elsewhere = jsonschema::options().should_validate_formats(true).build(&json!({ "format": form.schema_format() }));
        let mut counts: BTreeMap<bool, usize> = BTreeMap::new();
        for seed in 0..3 {
            let random = &mut Random::new(seed);
            let texts: Vec<String> =
                bases.iter().map(|base| (*base).to_owned()).chain((0..TEXTS).map(|_| text(random, bases, letters))).collect();
            let defaults = accepted(&texts, |index, text| format!("type T{index} {{ f: {name} = {text} }}"));
            let guards = guard.map(|_| {
                let guarded = |index: usize, text: &str| {
                    format!("workflow w{index}(x: {name}) {{ end a on start when .input.x == {text} end b on start else }}")
                };
                accepted(&texts, guarded)
            });
            for (index, text) in texts.iter().enumerate() {
                let fits = form.fits(text);
                *counts.entry(fits).or_default() += 1;
                let mut say = |who: &str, other: bool| {
                    if other != fits {
                        complaints.push(format!("{name} {text:?} is {}a value, but {who} says {other}", if fits { "" } else { "not " }));
                    }
                };
                say("the check of defaults", defaults[index]);
                if let Some(guards) = &guards {
                    say("the check of guards", guards[index]);
                }
                say("the schema in a run", in_runs.is_valid(&json!(text)));
                if let Some(ty) = guard {
                    let reads = read(text, ty);
                    // Guards read more of two forms than there is in data: any number of zeros in front, and lengths below zero.
                    let more = (form == Form::Int64 && text.len() > 19) || (form == Form::Duration && text.starts_with('-'));
                    if !more || fits {
                        say("a guard", reads);
                    }
                }
                // What other validators of the standard formats refuse is no value here either.
                if matches!(form, Form::Uuid | Form::Uri | Form::Email | Form::Date) && fits {
                    say("another validator", elsewhere.as_ref().expect("it is a schema").is_valid(&json!(text)));
                }
            }
        }
        let counts = [true, false].map(|fits| counts.get(&fits).copied().unwrap_or_default());
        assert!(counts.iter().all(|count| *count > 40), "{name}: {counts:?} texts fit and do not");
    }
    report(&complaints);
}

#[test]
fn what_the_definition_says_of_a_length_guards_read() {
    let random = &mut Random::new(7);
    for _ in 0..2_000 {
        let text = text(random, &["PT24H", "PT1M30S", "PT0.25S", "PT87660000H", "PT1H59M59.999S"], "0123456789PTDHMS.-");
        let Ok(length) = text.parse::<weave_ir::Duration>() else { continue };
        assert_eq!(weave_expr::read_duration(&text), Some(length.milliseconds()), "{text}");
        assert_eq!(length.to_string(), text);
        assert_eq!(weave_syntax::text::duration_millis(&length.words()), Some(length.milliseconds()), "{text}");
    }
}
