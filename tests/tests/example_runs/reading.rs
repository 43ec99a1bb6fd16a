//! Grounded answers and research.

use serde_json::{Value, json};
use weave_runner::FailureKind;

use super::{Answers, run};
use crate::runner_programs::Run;

fn answer(text: &str) -> Value {
    json!({ "text": text, "citations": [{ "passage": "p1", "quote": "a lamp" }] })
}

fn findings() -> Value {
    json!([{ "passage": "p1", "problem": "not in the passage", "quote": "a lamp" }])
}

fn grounded(script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    run("grounded.weave", "grounded_answer", json!({ "question": "What is it?" }), script, outcome, result);
}

/// A run up to the first draft.
fn drafted(run: &mut Run) -> &mut Run {
    run.tool("passages#1", json!([{ "id": "p1", "title": "Lamps", "text": "This is a lamp." }]));
    run.hydrated("draft#1", json!({ "rules": [] })).gives(&["draft#1"]).model("draft#1", answer("one"))
}

#[test]
fn an_answer_is_rewritten_twice_at_most() {
    let at_once = |run: &mut Run| {
        drafted(run).gives(&["check#1", "check#1@PT2S"]).tool("check#1", json!({ "findings": [] }));
    };
    let citations = answer("one")["citations"].clone();
    let first = json!({ "status": "grounded", "text": "one", "citations": citations, "attempts": [answer("one")] });
    grounded(at_once, "succeeded", first);

    let mended = |run: &mut Run| {
        drafted(run).tool("check#1", json!({ "findings": findings() })).gives(&["rewrite#1"]);
        run.model("rewrite#1", answer("two")).tool("check#2", json!({ "findings": [] }));
    };
    let second = json!({ "status": "grounded", "text": "two", "citations": citations, "attempts": [answer("one"), answer("two")] });
    grounded(mended, "succeeded", second);

    let given_up = |run: &mut Run| {
        drafted(run).tool("check#1", json!({ "findings": findings() }));
        run.model("rewrite#1", answer("two")).tool("check#2", json!({ "findings": findings() })).gives(&["rewrite#2"]);
        run.model("rewrite#2", answer("three")).tool("check#3", json!({ "findings": findings() })).gives(&["@done"]);
    };
    grounded(given_up, "succeeded", json!({ "status": "unsupported", "text": "three", "findings": findings() }));
}

#[test]
fn what_the_documents_do_not_say_is_not_answered() {
    let empty = json!({ "status": "unanswerable", "reason": "nothing in handbook is about this" });
    grounded(
        |run| {
            run.tool("passages#1", json!([]));
        },
        "succeeded",
        empty,
    );
    let signalled = |run: &mut Run| {
        run.tool("passages#1", json!([{ "id": "p1", "title": "Lamps", "text": "This is a lamp." }]));
        run.hydrated("draft#1", json!({ "rules": [] }));
        run.called("draft#1", "cannot_answer", json!({ "reason": "only lamps" })).gives(&["draft#1@cancel", "@done"]);
    };
    grounded(signalled, "succeeded", json!({ "status": "unanswerable", "reason": "only lamps" }));
    let slow = |run: &mut Run| {
        run.tool("passages#1", json!([{ "id": "p1", "title": "Lamps", "text": "This is a lamp." }]));
        run.hydrated("draft#1", json!({ "rules": [] })).fired("draft#1@PT1M");
    };
    grounded(slow, "failed", json!("no_answer"));
}

fn research(script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    run("research.weave", "research", json!({ "topic": "lamps" }), script, outcome, result);
}

/// A run up to the searches, which have one query.
fn planned(run: &mut Run) -> &mut Run {
    run.model("plan#1", json!({ "questions": ["What?"], "queries": ["lamp"] })).gives(&[
        "web#1[0]",
        "web#1[0]@PT20S",
        "papers#1[0]",
        "papers#1[0]@PT30S",
        "archive#1[0]",
        "archive#1[0]@PT10S",
    ])
}

fn draft(title: &str) -> Value {
    json!({ "title": title, "body": "Lamps.", "cited": ["https://example.org/"] })
}

fn report(title: &str, accepted: bool) -> Value {
    json!({ "title": title, "body": "Lamps.", "cited": ["https://example.org/"], "accepted": accepted })
}

#[test]
fn two_kinds_of_sources_are_a_quorum() {
    let script = |run: &mut Run| {
        planned(run).tool("archive#1[0]", json!([])).gives(&[]);
        run.tool_fails("papers#1[0]", "unavailable", None).gives(&[]);
        run.tool("web#1[0]", json!([])).gives(&["write#1"]);
        run.model("write#1", draft("Lamps")).gives(&["review#1"]).model("review#1", json!({ "verdict": "accept", "remarks": [] }));
    };
    research(script, "succeeded", report("Lamps", true));
    let too_few = |run: &mut Run| {
        planned(run).tool_fails("archive#1[0]", "denied", None).gives(&[]);
        run.tool_fails("papers#1[0]", "unavailable", None).tool("web#1[0]", json!([]));
    };
    research(too_few, "failed", json!("too_few_sources"));
}

#[test]
fn a_draft_goes_back_twice_at_most() {
    let remarks = || json!({ "verdict": "revise", "remarks": ["Say more."] });
    let script = |run: &mut Run| {
        planned(run).tool("archive#1[0]", json!([])).tool("web#1[0]", json!([])).model("write#1", draft("One"));
        run.model("review#1", remarks()).gives(&["revise#1"]).model("revise#1", draft("Two"));
        run.model("review#2", remarks()).gives(&["revise#2"]).model("revise#2", draft("Three")).model("review#3", remarks());
    };
    research(script, "succeeded", report("Three", false));
    research(
        |run| {
            run.fired("plan#1@PT2M");
        },
        "failed",
        json!("no_plan"),
    );
    research(
        |run| {
            run.model_fails("plan#1", FailureKind::MaxTurns);
        },
        "failed",
        json!("no_plan"),
    );
}
