//! Code review and deployment.

use serde_json::{Value, json};
use weave_runner::{Event, Failure, FailureKind};

use super::{Answers, run};
use crate::runner_programs::Run;

fn review(script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    run("code_review.weave", "review_change", json!({ "repository": "weave", "number": 17 }), script, outcome, result);
}

/// A run up to the reviewers.
fn opened(run: &mut Run) -> &mut Run {
    run.tool("change#1", json!({ "title": "Lamps", "author": "ada", "diff": "+lamp", "files": ["lamp.rs"] }))
}

fn opinion(summary: &str) -> Value {
    json!({ "summary": summary, "remarks": [] })
}

/// A reviewer crashes, and crashes again where it is asked again.
fn crashed(run: &mut Run, step: &str, attempts: u32) {
    for attempt in 1..=attempts {
        let failure = Failure::new(FailureKind::ExecutionError, "out of memory");
        let event = Event::failed(format!("{step}{attempt}"), "ai.response", format!("r/{step}#1"), failure);
        run.take(event.with_attempt(attempt));
    }
}

fn posted(decision: &str, reviews: Value) -> Value {
    json!({ "decision": decision, "reviews": reviews, "posted_at": "https://example.org/17" })
}

fn post(run: &mut Run) {
    run.gives(&["post#1", "post#1@PT30S"]).tool("post#1", json!({ "url": "https://example.org/17" }));
}

#[test]
fn a_change_is_reviewed() {
    let approved = |run: &mut Run| {
        opened(run).tool("tests#1", json!({ "passed": true, "failures": [] })).model("style#1", opinion("nice"));
        run.model("security#1", opinion("safe")).gives(&[]).model("correctness#1", opinion("right")).gives(&["verdict#1"]);
        run.model("verdict#1", json!({ "decision": "approve", "text": "Fine." }));
        post(run);
    };
    let all = json!({ "correctness": opinion("right"), "security": opinion("safe"), "style": opinion("nice") });
    review(approved, "succeeded", posted("approve", all.clone()));

    let red = |run: &mut Run| {
        opened(run).tool("tests#1", json!({ "passed": false, "failures": ["lamp"] })).model("style#1", opinion("nice"));
        run.model("security#1", opinion("safe")).model("correctness#1", opinion("right"));
        run.model("verdict#1", json!({ "decision": "approve", "text": "Fine." }));
        post(run);
    };
    review(red, "succeeded", posted("comment", all));

    let empty = |run: &mut Run| {
        run.tool("change#1", json!({ "title": "Lamps", "author": "ada", "diff": "", "files": [] }));
    };
    review(empty, "succeeded", json!({ "decision": "skipped", "reviews": {}, "posted_at": null }));
}

#[test]
fn a_reviewer_may_crash() {
    let one = |run: &mut Run| {
        opened(run).tool("tests#1", json!({ "passed": true, "failures": [] })).model("style#1", opinion("nice"));
        run.model("correctness#1", opinion("right"));
        crashed(run, "security", 2);
        run.gives(&["verdict#1"]).model("verdict#1", json!({ "decision": "request_changes", "text": "Hm." }));
        post(run);
    };
    review(one, "succeeded", posted("request_changes", json!({ "correctness": opinion("right"), "style": opinion("nice") })));

    let all = |run: &mut Run| {
        opened(run).fired("tests#1@PT20M");
        crashed(run, "correctness", 2);
        crashed(run, "security", 2);
        crashed(run, "style", 1);
    };
    review(all, "failed", json!("no_reviewer"));
    review(
        |run| {
            run.expires("PT1H");
        },
        "failed",
        Value::Null,
    );
}

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const ID: &str = "123e4567-e89b-12d3-a456-426614174003";

fn deploy(environment: &str, script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    let release = json!({ "service": "lamps", "version": "1.2.3", "commit": COMMIT });
    let input = json!({ "release": release, "environment": environment });
    run("deploy.weave", "deploy_release", input, script, outcome, result);
}

fn shipped(run: &mut Run) -> &mut Run {
    run.tool("ship#1", json!({ "deployment_id": ID, "url": "https://example.org/", "took": "PT3H" })).gives(&["shipped#1", "watch#1"])
}

fn measured(healthy: bool) -> Value {
    json!({ "healthy": healthy, "error_rate": 0.25, "report": "https://example.org/r" })
}

#[test]
fn a_release_goes_live_hours_later() {
    let live = json!({ "status": "live", "url": "https://example.org/", "note": "live after PT3H" });
    let slow = |run: &mut Run| {
        run.fired("ship#1@PT2H").gives(&["still_shipping#1"]);
        shipped(run).fired("watch#1").tool("health#1", measured(true));
    };
    deploy("staging", slow, "succeeded", live.clone());
    let approved = |run: &mut Run| {
        run.gives(&["@PT24H", "ship#1@approval", "ship#1@PT2H"]);
        run.answer("ship#1@approval", "tool.approval.decided", json!({ "decision": "approve", "by": "Max" }));
        shipped(run).fired("watch#1").tool("health#1", measured(true));
    };
    deploy("production", approved, "succeeded", live);
    let refused = |run: &mut Run| {
        run.answer("ship#1@approval", "tool.approval.decided", json!({ "decision": "reject", "reason": "freeze" }));
    };
    deploy("production", refused, "succeeded", json!({ "status": "aborted", "note": "freeze" }));
}

#[test]
fn a_bad_release_is_taken_back() {
    let back = json!({ "status": "rolled_back", "note": "back to 1.2.2" });
    let bad = |run: &mut Run| {
        shipped(run).fired("watch#1").tool("health#1", measured(false)).gives(&["retreat#1", "retreat#1@PT10M"]);
        run.tool("retreat#1", json!({ "version": "1.2.2" }));
    };
    deploy("staging", bad, "succeeded", back);
    let aborted = |run: &mut Run| {
        run.post("deployment.aborted", json!({ "service": "other", "by": "ada@example.org", "reason": "no" })).gives(&[]);
        run.post("deployment.aborted", json!({ "service": "lamps", "by": "ada@example.org", "reason": "no" }));
        run.gives(&["ship#1@cancel", "clear_away#1", "clear_away#1@PT10M"]).tool("clear_away#1", json!({ "version": "1.2.2" }));
    };
    deploy("staging", aborted, "succeeded", json!({ "status": "aborted", "note": "ada@example.org: no" }));
}

#[test]
fn a_release_may_not_get_through() {
    let broken = Some(json!({ "stage": "link", "log": "https://example.org/log" }));
    deploy(
        "staging",
        |run| {
            run.tool_fails("ship#1", "build_broken", broken);
        },
        "failed",
        json!("broken"),
    );
    let full = Some(json!({ "missing_nodes": 3 }));
    deploy(
        "staging",
        |run| {
            run.tool_fails("ship#1", "no_capacity", full);
        },
        "failed",
        json!("no_room"),
    );
    let late = |run: &mut Run| {
        run.failed("ship#1", "tool.result", Failure::new(FailureKind::Timeout, "deadline"));
    };
    deploy("staging", late, "failed", json!("too_slow"));
    let stuck = |run: &mut Run| {
        shipped(run).fired("watch#1").tool("health#1", measured(false)).tool_fails("retreat#1", "locked", None);
    };
    deploy("staging", stuck, "failed", json!("stuck"));
}
