//! Scripts of tests that are played against the examples. The scripts are made by hand here; the suite plays the ones that are
//! written in the language.

use std::sync::Arc;

use serde_json::Value;
use weave_ir::Definition;
use weave_runner::Prepared;
use weave_scenario::{
    Branch, Coverage, Element, Entry, Expected, FailureName, FindingId, Goal, Line, LineKind, Literal, LiteralKind, OrderItem, Played,
    Script, Sources, Span, StepRef, Subject, play,
};
use weave_tests::program::Program;
use weave_tests::root;

/// Makes lines whose spans are their numbers, so that messages name them.
struct Lines(u32);

impl Lines {
    fn line(&mut self, kind: LineKind) -> Line {
        self.0 += 1;
        Line { span: span(self.0), kind }
    }
}

const fn span(line: u32) -> Span {
    Span { start: line, end: line, line }
}

/// A value as a test says it. A key `...` leaves the other fields open.
fn literal(value: &Value) -> Literal {
    let kind = match value {
        Value::Null => LiteralKind::Null,
        Value::Bool(value) => LiteralKind::Bool(*value),
        Value::Number(number) => LiteralKind::Number(number.clone()),
        Value::String(text) => LiteralKind::String(text.clone()),
        Value::Array(items) => LiteralKind::List { items: items.iter().map(literal).collect(), rest: None },
        Value::Object(entries) => LiteralKind::Object {
            rest: entries.contains_key("...").then(Span::default),
            entries: entries
                .iter()
                .filter(|(key, _)| *key != "...")
                .map(|(key, value)| Entry { key: key.clone(), span: Span::default(), value: literal(value) })
                .collect(),
        },
    };
    Literal { span: Span::default(), kind }
}

/// `review#2`, `web[0]`, `web[]`.
fn step(text: &str) -> StepRef {
    let (text, element) = match text.split_once('[') {
        Some((text, "]")) => (text, Element::All),
        Some((text, index)) => (text, Element::At(index.trim_end_matches(']').parse().unwrap())),
        None => (text, Element::None),
    };
    let (node, number) = text.split_once('#').map_or((text, None), |(node, number)| (node, Some(number.parse().unwrap())));
    StepRef { span: Span::default(), node: node.to_owned(), number, element }
}

/// Reads a line as the language has it, with values in JSON: enough for the tests below.
fn read(text: &str) -> LineKind {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (rest, value) = match rest.find([' ', '{', '"']).map(|place| rest.split_at(place)) {
        Some((name, value)) => (name, value.trim().trim_start_matches("= ")),
        None => (rest, ""),
    };
    let given = |text: &str| if text.is_empty() { None } else { Some(literal(&serde_json::from_str(text).expect(text))) };
    match verb {
        "start" => LineKind::Start { input: given(&(rest.to_owned() + value)) },
        "answer" => LineKind::Answer { step: step(rest), value: given(value) },
        "fail" => {
            let (kind, payload) = value.split_once(' ').unwrap_or((value, ""));
            let (payload, once) = if payload == "once" { ("", true) } else { (payload, false) };
            let built_in = weave_ir::FAILURE_KINDS.contains(&kind);
            let failure = if built_in { FailureName::Kind(kind.to_owned()) } else { FailureName::Code(kind.to_owned()) };
            LineKind::Fail { step: step(rest), failure, payload: given(payload), once }
        }
        "send" => {
            let value = value.trim_start_matches("from ");
            let (from, payload) = value.split_once(' ').unwrap_or((value, ""));
            LineKind::Send { topic: rest.to_owned(), from: (!from.is_empty()).then(|| step(from)), payload: given(payload) }
        }
        "call" => {
            let value = value.trim_start_matches("from ");
            let (from, args) = value.split_once(' ').unwrap_or((value, ""));
            LineKind::Call { tool: rest.to_owned(), step: step(from), args: given(args) }
        }
        "wait" => LineKind::Wait { milliseconds: rest.parse::<u64>().unwrap() * 1000 },
        "open" => LineKind::Open { steps: rest.split(',').filter(|name| !name.is_empty()).map(step).collect() },
        "order" => LineKind::ExpectOrder {
            items: rest
                .split(',')
                .map(|name| match name {
                    "..." => OrderItem::Gap,
                    name => OrderItem::Node { node: name.to_owned(), span: Span::default() },
                })
                .collect(),
        },
        "failure" => LineKind::ExpectFailure { failure: FailureName::Kind(rest.to_owned()), payload: None },
        "gave" => LineKind::Expect { firing: step(rest), expected: Expected::Gave(given(value).unwrap()) },
        "approve" => LineKind::Approve { step: step(rest), args: given(value) },
        "expect" => match rest.strip_prefix('!') {
            Some(node) => LineKind::ExpectNot { firing: step(node) },
            None => LineKind::Expect { firing: step(rest), expected: given(value).map_or(Expected::Fired, Expected::Asked) },
        },
        other => panic!("no verb {other}"),
    }
}

/// A branch from indented lines; `test NAME` begins an inner one.
fn branch(name: &str, text: &[(usize, &str)], lines: &mut Lines) -> Branch {
    let mut made = Branch { name: name.to_owned(), span: span(lines.0), doc: None, lines: Vec::new(), branches: Vec::new() };
    let mut rest = text;
    while let Some(((indent, line), below)) = rest.split_first() {
        match line.strip_prefix("test ") {
            Some(inner) => {
                let length = below.iter().take_while(|(deeper, _)| deeper > indent).count();
                lines.0 += 1;
                made.branches.push(branch(inner, &below[..length], lines));
                rest = &below[length..];
            }
            None => {
                made.lines.push(lines.line(read(line)));
                rest = below;
            }
        }
    }
    made
}

fn script(workflow: &str, text: &str) -> Script {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let lines: Vec<_> = lines.iter().map(|line| (line.len() - line.trim_start().len(), line.trim())).collect();
    Script { workflow: workflow.to_owned(), root: branch("t", &lines, &mut Lines(0)) }
}

fn subject(example: &str, workflow: &str) -> Subject {
    let program = Program { roots: vec![format!("{example}.weave")], ..Program::in_folder(&root().join("examples")) };
    let checked = program.check();
    let compiled = checked.snapshot.compile().expect("the examples compile");
    let compiled = compiled.into_iter().find(|compiled| compiled.definition.workflow == workflow).expect("the workflow is there");
    let texts = compiled.source_map.sources.iter().map(|name| {
        let name = name.trim_start_matches("examples/");
        Arc::from(std::fs::read_to_string(root().join("examples").join(name)).unwrap_or_default())
    });
    let sources = Sources { texts: texts.collect(), map: compiled.source_map };
    Subject::new(Prepared::new(compiled.definition), Some(sources))
}

fn played(example: &str, text: &str) -> (Definition, Played) {
    let subject = subject(example, example);
    let played = play(&subject, &script(example, text));
    (subject.definition().clone(), played)
}

/// Asserts that each leaf passes, and gives what is reached.
#[track_caller]
fn passes(example: &str, text: &str) -> (Definition, Coverage) {
    let (definition, played) = played(example, text);
    for leaf in &played.leaves {
        assert!(leaf.finding.is_none(), "{}: {:#?}", leaf.path, leaf.finding);
        for length in 0..=leaf.scroll.len() {
            let prepared = Prepared::new(definition.clone());
            let missing = weave_runner::next(&prepared, &leaf.scroll[..length]).expect("a scroll");
            assert!(missing.len() <= leaf.scroll.len() - length);
            if length % 5 != 0 {
                break;
            }
        }
    }
    (definition, played.coverage)
}

/// The finding of a script with one leaf, drawn in plain text.
#[track_caller]
fn finding(example: &str, text: &str) -> (FindingId, String) {
    let (_, played) = played(example, text);
    let finding = played.leaves.iter().find_map(|leaf| leaf.finding.clone()).expect("a leaf fails");
    let label = finding.label.iter().map(|label| format!("\n  ^ {label}"));
    let notes = finding.notes.iter().map(|note| format!("\n  = {note}"));
    let fix = finding.fix.iter().map(|fix| format!("\n  fix: {} [{}]", fix.title, fix.text));
    (finding.id, format!("line {}: {}{}", finding.span.line, finding.message, label.chain(notes).chain(fix).collect::<String>()))
}

const REFUND: &str = r#"
start
answer triage = { "intent": "refund", "order_id": "A-17", "...": 0 }
test above_the_limit
  answer lookup = { "id": "A-17", "total": "100.01", "...": 0 }
  expect approve { "amount": "100.01", "...": 0 }
  test manager_approves
    send approval.granted from approve
    fail pay unavailable once
    answer pay
    expect pay { "order_id": "A-17", "amount": "100.01" }
    gave refunded = { "status": "refunded", "detail": "order A-17" }
    order triage,lookup,approve,pay,refunded
    order ...,approve,...
  test manager_denies
    send approval.denied from approve { "reason": "too old", "...": 0 }
    expect !pay
    gave denied = { "status": "denied", "detail": "too old" }
  test nobody_answers
    wait 86340
    expect !late
    wait 60
    gave late = { "status": "denied", "detail": "nobody answered" }
test up_to_the_limit
  answer lookup = { "total": "100.00", "...": 0 }
  expect !approve
  test paid_at_once
    answer pay
    expect refunded
  test card_declined
    fail pay card_declined { "reason": "limit" }
    gave declined = { "status": "denied", "detail": "limit" }
  test no_way_to_pay
    fail pay unavailable
    failure unavailable
  test waits
    open pay
test order_not_found_in_time
  wait 10
  failure timeout
"#;

const QUESTION: &str = r#"
start {"ticket":{"body":"Where?","...":0}}
answer triage = { "intent": "question", "...": 0 }
expect answer { "question": "Where?" }
test answered
  answer answer = { "text": "At the cord." }
  gave answered = { "status": "answered", "detail": "At the cord." }
test angry
  call escalate from answer { "reason": "angry" }
  gave handed = { "status": "escalated", "detail": "angry" }
"#;

#[test]
fn the_tests_of_support_pass_and_reach_what_they_are_about() {
    let (definition, mut coverage) = passes("support", REFUND);
    let (_, question) = passes("support", QUESTION);
    coverage.merge(&question);
    let gaps: Vec<_> = coverage.gaps(&definition).into_iter().map(|gap| gap.line).collect();
    assert_eq!(gaps, ["expect !answer on triage", "expect unclear"], "what is left");
    assert!(coverage.reaches(&Goal::Guard { node: "approve".to_owned(), item: Some(0), result: false }));
}

#[test]
fn failures_say_what_happened_instead_and_why() {
    let refund = "start\nanswer triage = { \"intent\": \"refund\", \"order_id\": \"A-17\", \"...\": 0 }\n";
    let total = |total: &str| format!("{refund}answer lookup = {{ \"id\": \"A-17\", \"total\": \"{total}\", \"...\": 0 }}\n");
    let mut found = String::new();
    for text in [
        total("100.01") + "send approval.granted from approve\nexpect pay",
        "start\nanswer triage = { \"intent\": \"question\", \"...\": 0 }\nanswer lookup".to_owned(),
        total("100.01") + "send approval.granted from approve\nexpect pay { \"order_id\": \"A-17\", \"amount\": \"100.00\" }\nopen pay",
        total("100") + "fail pay card_declined { \"reason\": \"limit\" }\nexpect refunded",
        refund.to_owned() + "answer lookup = { \"id\": \"A-17\", \"...\": 0 }\nexpect !approve\nanswer pay\nexpect refunded",
        total("7") + "expect approve",
        total("700") + "expect !approve",
        total("7") + "answer pay\nfailure unavailable",
        total("7") + "fail pay unavailable\nfailure timeout",
        total("7") + "answer pay\nexpect refunded { \"status\": \"refunded\" }",
        total("7") + "answer pay\ngave refunded { \"status\": \"refunded\" }",
        total("7") + "open approve",
        total("7") + "open",
        total("7") + "answer pay\nopen pay",
        total("7") + "order triage,pay",
        total("7") + "answer triage",
        total("7") + "approve pay",
        total("7") + "answer pay\nanswer pay",
    ] {
        let (id, text) = finding("support", &text);
        found += &format!("{id}: {text}\n\n");
    }
    let expected = std::fs::read_to_string(root().join("tests/tests/scenarios.txt")).unwrap_or_default();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(root().join("tests/tests/scenarios.txt"), &found).expect("the expectation is written");
    } else {
        assert_eq!(found, expected, "BLESS=1 writes the expectation anew");
    }
}
