//! The desk with handovers, and what `support` does besides refunds.

use serde_json::{Value, json};
use weave_runner::FailureKind;

use super::{Answers, run};
use crate::runner_programs::{Run, customer, ticket};

#[test]
fn support_escalates_what_it_does_not_understand() {
    let script = |run: &mut Run| {
        run.model("triage#1", json!({ "intent": "bug", "confidence": 0.4, "order_id": null }));
    };
    run("support.weave", "support", ticket(), script, "succeeded", json!({ "status": "escalated", "detail": "no automatic answer" }));
    let answered = |run: &mut Run| {
        run.model("triage#1", json!({ "intent": "question", "confidence": 0.9, "order_id": null }));
        run.hydrated("answer#1", json!({ "docs": [] })).model("answer#1", json!({ "text": "Turn it on." }));
    };
    run("support.weave", "support", ticket(), answered, "succeeded", json!({ "status": "answered", "detail": "Turn it on." }));
}

fn serve(script: impl FnOnce(&mut Run), result: Value) {
    let input = json!({ "customer": customer(), "conversation": [{ "from": "customer", "text": "My lamp is dark." }] });
    run("service_desk.weave", "serve", input, script, "succeeded", result);
}

fn reply(text: &str) -> Value {
    json!({ "text": text, "references": [] })
}

fn answered(by: &str) -> Value {
    json!({ "status": "answered", "by": by, "text": "Done." })
}

#[test]
fn each_colleague_can_have_the_last_word() {
    serve(
        |run| {
            run.model("reception#1", reply("Done."));
        },
        answered("reception"),
    );
    let repaired = |run: &mut Run| {
        run.called("reception#1", "to_technology", json!({ "summary": "dark" }));
        run.gives(&["reception#1@cancel", "technology#1", "technology#1@PT10M"]).model("technology#1", reply("Done."));
    };
    serve(repaired, answered("technology"));
    let handed_on = |run: &mut Run| {
        run.called("reception#1", "to_technology", json!({ "summary": "dark" }));
        run.called("technology#1", "search", json!({ "query": "dark" })).gives(&[]);
        run.called("technology#1", "to_billing", json!({ "summary": "not paid" })).model("billing#1", reply("Done."));
    };
    serve(handed_on, answered("billing"));
}

#[test]
fn a_person_takes_over() {
    let person = |text: &str| json!({ "status": "handed_to_a_person", "by": "person", "text": text });
    let done = || json!({ "by": "max@example.org", "text": "Hello." });
    let asked_for = |run: &mut Run| {
        run.called("reception#1", "to_person", json!({ "reason": "angry" })).gives(&["reception#1@cancel", "person#1", "person#1@PT48H"]);
        run.answer("person#1", "desk.takeover.done", done());
    };
    serve(asked_for, person("Hello."));
    let broken = |run: &mut Run| {
        run.model_fails("reception#1", FailureKind::MaxTurns).gives(&["person#1", "person#1@PT48H"]);
        run.answer("person#1", "desk.takeover.done", done());
    };
    serve(broken, person("Hello."));
    let nobody = |run: &mut Run| {
        run.fired("reception#1@PT2M").gives(&["person#1", "person#1@PT48H"]).fired("person#1@PT48H");
    };
    serve(nobody, json!({ "status": "left_open", "by": "person", "text": "nobody has taken over within two days" }));
}

#[test]
fn colleagues_do_not_hand_a_customer_to_and_fro_for_ever() {
    let script = |run: &mut Run| {
        run.called("reception#1", "to_billing", json!({ "summary": "1" }));
        run.called("billing#1", "to_technology", json!({ "summary": "2" }));
        run.called("technology#1", "to_billing", json!({ "summary": "3" }));
        run.called("billing#2", "to_technology", json!({ "summary": "4" }));
        run.called("technology#2", "to_billing", json!({ "summary": "5" }));
        run.gives(&["technology#2@cancel", "person#1", "person#1@PT48H"]);
        run.answer("person#1", "desk.takeover.done", json!({ "by": "max@example.org", "text": "Hello." }));
    };
    serve(script, json!({ "status": "handed_to_a_person", "by": "person", "text": "Hello." }));
}
