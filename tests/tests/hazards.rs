//! What the rules about whole workflows claim, seen in runs: the bad example of a rule does what its page says.

use serde_json::{Value, json};
use weave_compiler::Example;
use weave_compiler::lint::{Day, Options, Settings, find};
use weave_ir::Definition;
use weave_runner::Failure;
use weave_tests::program::{Checked, Program};
use weave_tests::root;

use crate::runner_programs::{Run, customer};

/// A workflow of the bad example of a rule.
fn bad(rule: &str, workflow: &str) -> Definition {
    let rule = find(rule).expect("there is such a rule");
    definition(&Checked::from(Example::new(rule.code.bad).check()), workflow)
}

/// A workflow of a program without errors.
fn definition(checked: &Checked, workflow: &str) -> Definition {
    let json = checked.definitions().remove(workflow).unwrap_or_else(|| panic!("{}", checked.drawing()));
    Definition::from_json(&json).expect("a compiled definition is valid")
}

/// The ids of the rules that find something in a program.
fn findings(checked: &Checked) -> Vec<&'static str> {
    let settings = |_| Settings::default();
    let found = checked.snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") });
    found.iter().map(|finding| finding.code.id).collect()
}

fn lost() -> Failure {
    Failure::coded("unavailable", "it is gone", None)
}

#[test]
fn both_branches_fire_next_to_a_choice() {
    let refund = bad("fork-beside-choice", "refund");
    let mut run = Run::start(&refund, json!({ "order": "A-1" }));
    run.answer("ask#1", "approval.decided", json!({ "granted": true }));
    let paid = run.last().iter().filter(|id| id.starts_with("r/pay#") && !id.contains('@')).count();
    assert_eq!(paid, 2, "it is paid as granted and as denied: {:?}", run.last());
}

#[test]
fn a_refund_without_its_else_is_paid_without_review() {
    let mut program = Program { roots: vec!["refund.weave".to_owned()], ..Program::in_folder(&root().join("examples")) };
    let text = program.files["refund.weave"].replace("step agreed on order else |", "step agreed on order |");
    program.files.insert("refund.weave".to_owned(), text);
    let checked = program.check();
    assert_eq!(findings(&checked), ["fork-beside-choice"]);

    let refund = definition(&checked, "refund");
    let request = json!({ "order_id": "A-1", "amount": "900.00", "reason": "It is broken." });
    let mut run = Run::start(&refund, json!({ "request": request }));
    let lines = json!([{ "sku": "AB-1", "title": "Lamp", "quantity": 1, "price": "900.00" }]);
    let order = json!({ "id": "A-1", "customer": customer(), "lines": lines, "total": "900.00", "placed_at": "2027-01-31T12:00:00Z" });
    run.answer("order#1", "tool.result", order);
    let last: Vec<&str> = run.last().iter().map(String::as_str).collect();
    assert!(last.contains(&"r/review#1") && last.contains(&"r/pay#1"), "the reviewer is asked, and it is paid: {last:?}");
}

#[test]
fn a_stale_read_returns_the_first_draft() {
    let write = bad("stale-read", "write");
    let mut run = Run::start(&write, json!({ "topic": "cats" }));
    run.answer("draft#1", "ai.response", json!("the first, which is bad"));
    run.answer("judge#1", "ai.response", json!({ "good": false, "text": "worse" }));
    run.answer("redraft#1", "ai.response", json!("the second, which is good"));
    run.answer("judge#2", "ai.response", json!({ "good": true, "text": "better" }));
    run.ends("succeeded", json!("the first, which is bad"));
}

#[test]
fn the_first_failure_loses_a_race() {
    let search = bad("unhandled-race-failure", "search");
    let mut run = Run::start(&search, json!({ "query": "cats" }));
    run.failed("here#1", "tool.result", lost());
    run.ends("failed", json!("unavailable"));
}

#[test]
fn a_second_success_loses_a_race_that_was_won() {
    let search = bad("settled-beside-race", "search");
    let mut run = Run::start(&search, json!({ "query": "cats" }));
    run.answer("here#1", "tool.result", json!("found"));
    run.answer("there#1", "tool.result", json!("found, too"));
    run.ends("failed", json!("lost"));
}

#[test]
fn a_fail_before_the_end_loses_a_race_in_the_same_moment() {
    let text = "tool look(q: string) -> string\n\nworkflow race(q: string) -> string {\n  step one { call look { q: .input.q } }\n  \
                step two { call look { q: .input.q } }\n  FAIL\n  end done on 1 of (one, two) = .event\n  LATER\n}\n";
    let fail = "fail none on settled(one, two)";
    for (text, is_lost) in
        [(text.replace("FAIL", fail).replace("LATER", ""), true), (text.replace("LATER", fail).replace("FAIL", ""), false)]
    {
        let checked = Program::one(&text).check();
        assert_eq!(findings(&checked).contains(&"settled-beside-race"), is_lost, "{text}");
        let race = definition(&checked, "race");
        let mut run = Run::start(&race, json!({ "q": "cats" }));
        run.failed("one#1", "tool.result", lost());
        run.answer("two#1", "tool.result", json!("found"));
        if is_lost {
            run.ends("failed", json!("none"));
        } else {
            run.ends("succeeded", json!("found"));
        }
    }
}

#[test]
fn two_mailboxes_take_the_same_event() {
    let pair = bad("shared-mailbox", "pair");
    let mut run = Run::start(&pair, json!({}));
    run.post("order.placed", json!({ "order": "A" }));
    let ships = run.last().iter().any(|id| id == "r/shipped#1");
    assert!(ships, "one order is shipped as two: {:?}", run.last());
}

#[test]
fn a_node_fires_for_each_of_two_answers() {
    let digest = bad("fires-twice", "digest");
    let mut run = Run::start(&digest, json!({ "source": "u" }));
    run.answer("page#1", "tool.result", json!("page")).gives(&["published#1"]);
    run.answer("archive#1", "tool.result", json!("archive")).gives(&["published#2"]);
}

#[test]
fn a_destructive_tool_is_called_again_with_the_same_arguments() {
    let buy = bad("repeated-destruction", "buy");
    let mut run = Run::start(&buy, json!({ "card": "1234" }));
    run.gives(&["pay#1"]).answer("pay#1", "tool.result", json!({ "settled": false })).gives(&["pay#2"]);
}

#[test]
fn a_limit_in_an_inner_loop_is_used_up_in_the_first_round() {
    let chat = bad("limit-of-run", "chat");
    let mut run = Run::start(&chat, json!({}));
    let answer = |good: bool| json!({ "text": "hm", "good": good });
    run.post("chat.message", json!({ "text": "one" })).answer("draft#1", "ai.response", answer(false));
    for round in ["revise#1", "revise#2", "revise#3"] {
        assert_eq!(run.last().first().map(String::as_str), Some(&*format!("r/{round}")));
        run.answer(round, "ai.response", answer(false));
    }
    run.gives(&["sent#1"]).answer("sent#1", "tool.result", Value::Null);
    run.post("chat.message", json!({ "text": "two" })).answer("draft#2", "ai.response", answer(false));
    run.gives(&["sent#2"]);
}

#[test]
fn a_signal_that_no_node_listens_to_changes_nothing() {
    let help = bad("unheard-signal", "help");
    let mut run = Run::start(&help, json!({ "question": "why?" }));
    run.gives(&["answer#1"]).called("answer#1", "hand_over", json!({ "reason": "hard" })).gives(&[]);
    run.answer("answer#1", "ai.response", json!("because")).ends("succeeded", json!("because"));
}

#[test]
fn a_failure_is_a_way_out_of_a_loop() {
    let text = root().join("tests/suite/flow/failure-as-way-out/input.weave");
    let checked = Program::one(&weave_tests::read(&text)).check();
    let chat = definition(&checked, "chat");
    let mut run = Run::start(&chat, json!({}));
    run.post("chat.message", json!({ "text": "hello" })).answer("reply#1", "ai.response", json!("hello"));
    run.answer("message#2@PT1H", "timer.fired", Value::Null);
    run.ends("succeeded", json!("bye"));

    let jobs = definition(&checked, "jobs");
    let mut run = Run::start(&jobs, json!({}));
    run.answer("next#1", "tool.result", json!({ "id": "a" })).answer("work#1", "tool.result", Value::Null);
    run.answer("pause#1", "timer.fired", Value::Null);
    run.failed("next#2", "tool.result", Failure::coded("empty", "", None));
    run.ends("succeeded", json!("all done"));
}

/// A mistake that is put into an example: the file, what is written there, what is written instead, and the rule that finds it.
type Seed = (&'static str, &'static str, &'static str, &'static str);

/// Mistakes that compile, each of a kind that people make.
const SEEDS: &[Seed] = &[
    // A forgotten `else`.
    ("support", "step pay on lookup else |", "step pay on lookup |", "fork-beside-choice"),
    ("refund", "step agreed on order else |", "step agreed on order |", "fork-beside-choice"),
    ("code_review", "step begun on change else = true", "step begun on change = true", "fork-beside-choice"),
    ("code_review", "style) else {", "style) {", "fork-beside-choice"),
    ("code_review", "step as_judged on verdict else =", "step as_judged on verdict =", "fork-beside-choice"),
    ("council", "step conclude on tally else {", "step conclude on tally {", "fork-beside-choice"),
    ("deploy", "step retreat on health else |", "step retreat on health |", "fork-beside-choice"),
    ("invoice", "step post on check else {", "step post on check {", "fork-beside-choice"),
    ("proposals", "step vote on assess else {", "step vote on assess {", "fork-beside-choice"),
    ("grounded", "step draft on passages else {", "step draft on passages {", "fork-beside-choice"),
    // The first version instead of the newest one.
    (
        "research",
        "    title: .draft.title\n    body: .draft.body\n    cited: .draft.cited\n    accepted: false",
        "    title: .write.title\n    body: .draft.body\n    cited: .draft.cited\n    accepted: false",
        "stale-read",
    ),
    ("research", "ask critic { draft: .draft,", "ask critic { draft: .write,", "stale-read"),
    ("invoice", "call post_entry { invoice: .invoice }", "call post_entry { invoice: .read }", "stale-read"),
    ("invoice", "amount: .invoice.total", "amount: .read.total", "stale-read"),
    (
        "grounded",
        "    text: .answer.text\n    citations: .answer.citations\n    attempts",
        "    text: .draft.text\n    citations: .answer.citations\n    attempts",
        "stale-read",
    ),
    // Races and quorums.
    (
        "research",
        "      also when (!has(.web) && !has(.papers))\n        || (!has(.web) && !has(.archive))\n        || (!has(.papers) && !has(.archive))\n",
        "",
        "settled-beside-race",
    ),
    ("research", "on settled(web, papers, archive)\n", "on all(web, papers, archive)\n", "never-true"),
    ("expense", "  fail broken on failure = \"the expense could not be handled: {{.failure.message}}\"\n", "", "unhandled-race-failure"),
    // Waiting, and what nobody hears.
    ("support", "  end late on timeout(approve, 24h) = { status: \"denied\", detail: \"nobody answered\" }\n", "", "unbounded-wait"),
    ("service_desk", " | to_billing from technology limit 2 {", " limit 2 {", "may-not-have-happened"),
    ("service_desk", " | to_person from technology\n", "\n", "unheard-signal"),
    ("support", "  end handed on escalate from answer = { status: \"escalated\", detail: .event.reason }\n", "", "unheard-signal"),
    // The same event in two mailboxes, and the same answer twice.
    (
        "delivery",
        "wait order.cancelled when .event.order == .input.order.id",
        "wait parcel.lost | parcel.seen when .event.parcel == .announced.parcel",
        "shared-mailbox",
    ),
    ("onboarding", "step welcome on all(accounts, badge) {", "step welcome on accounts | badge {", "may-not-have-happened"),
    ("code_review", "step post on decision {", "step said on decision = true\n\n  step post on decision | said {", "fires-twice"),
    // Texts and secrets.
    ("code_review", "change to {{.repository}} make", "change to ${repository} make", "literal-placeholder"),
    ("refund", "{{.failure.message}}", "${failure.message}", "literal-placeholder"),
    ("council", "{{.question}}\n\n  What", "{question}\n\n  What", "literal-placeholder"),
    ("support", "tool remember(preferences: string[])", "tool remember(preferences: string[], access_token?: string)", "unmarked-secret"),
    (
        "onboarding",
        "workflow account(person: Person, system: System)",
        "workflow account(person: Person, system: System, password?: string)",
        "unmarked-secret",
    ),
];

#[test]
fn seeded_mistakes_in_the_examples_are_found() {
    let mut complaints = Vec::new();
    for (name, from, to, rule) in SEEDS {
        let name = format!("{name}.weave");
        let mut program = Program { roots: vec![name.clone()], ..Program::in_folder(&root().join("examples")) };
        let text = &program.files[&name];
        assert!(text.contains(from), "{name} does not say {from:?}");
        let text = text.replacen(from, to, 1);
        program.files.insert(name.clone(), text);
        let checked = program.check();
        let mut found = checked.ids();
        if !checked.diagnostics.iter().any(weave_diagnostics::Diagnostic::is_error) {
            found.extend(findings(&checked));
        }
        if !found.contains(rule) {
            complaints.push(format!("{name}: {to:?} instead of {from:?} gives {found:?}, and not {rule}\n{}", checked.drawing()));
        }
    }
    weave_tests::expectation::report(&complaints);
}
