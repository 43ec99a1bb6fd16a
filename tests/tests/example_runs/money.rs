//! Refunds and invoices.

use serde_json::{Value, json};

use super::{Answers, run};
use crate::runner_programs::{Run, customer};

fn order() -> Value {
    json!({ "id": "A-17", "customer": customer(), "total": "250.00", "placed_at": "2027-01-31T12:00:00Z",
        "lines": [{ "sku": "AB-1", "title": "Lamp", "quantity": 1, "price": "250.00" }] })
}

fn refund(amount: &str, script: impl FnOnce(&mut Run), result: Value) {
    let input = json!({ "request": { "order_id": "A-17", "amount": amount, "reason": "It is broken." } });
    run("refund.weave", "refund", input, script, "succeeded", result);
}

fn refunded(amount: &str) -> Value {
    json!({ "status": "refunded", "amount": amount, "detail": "r_1" })
}

fn rejected(detail: &str) -> Value {
    json!({ "status": "rejected", "amount": null, "detail": detail })
}

#[test]
fn a_small_refund_is_paid_at_once() {
    let script = |run: &mut Run| {
        run.tool("order#1", order()).gives(&["pay#1"]).tool("pay#1", json!({ "refund_id": "r_1" }));
    };
    refund("20.00", script, refunded("20.00"));
}

#[test]
fn a_large_refund_is_approved_edited_or_rejected() {
    let approved = |run: &mut Run| {
        run.tool("order#1", order()).gives(&["review#1", "review#1@PT4H", "review#1@PT24H"]);
        run.answer("review#1", "refund.approved", json!({ "by": "max@example.org" })).gives(&["pay#1"]);
        run.tool("pay#1", json!({ "refund_id": "r_1" }));
    };
    refund("200.00", approved, refunded("200.00"));

    let edited = |run: &mut Run| {
        run.tool("order#1", order());
        run.answer("review#1", "refund.edited", json!({ "by": "max@example.org", "amount": "80.00" })).gives(&["pay#1"]);
        run.tool("pay#1", json!({ "refund_id": "r_1" }));
    };
    refund("200.00", edited, refunded("80.00"));

    let edited_too_high = |run: &mut Run| {
        run.tool("order#1", order());
        run.answer("review#1", "refund.edited", json!({ "by": "max@example.org", "amount": "800.00" }));
    };
    refund("200.00", edited_too_high, rejected("max@example.org wanted to pay 800.00 of 250.00"));

    let turned_down = |run: &mut Run| {
        run.tool("order#1", order());
        run.answer("review#1", "refund.rejected", json!({ "by": "max@example.org", "reason": "too old" }));
    };
    refund("200.00", turned_down, rejected("too old"));
}

#[test]
fn a_review_is_reminded_of_and_expires() {
    let late = |run: &mut Run| {
        run.tool("order#1", order());
        run.fired("review#1@PT4H").gives(&["remind#1"]);
        run.answer("review#1", "refund.approved", json!({ "by": "max@example.org" })).gives(&["pay#1"]);
        run.tool("pay#1", json!({ "refund_id": "r_1" }));
    };
    refund("200.00", late, refunded("200.00"));

    let expired = |run: &mut Run| {
        run.tool("order#1", order()).fired("review#1@PT4H").fired("review#1@PT24H").gives(&["review#1@cancel", "@done"]);
    };
    refund("200.00", expired, json!({ "status": "expired", "amount": null, "detail": "nobody answered within a day" }));
}

#[test]
fn what_cannot_be_refunded_is_said() {
    refund(
        "251.00",
        |run| {
            run.tool("order#1", order());
        },
        rejected("only 250.00 were paid"),
    );
    let unknown = |run: &mut Run| {
        run.tool_fails("order#1", "order_not_found", Some(json!({ "order_id": "A-17" })));
    };
    refund("20.00", unknown, rejected("there is no order A-17"));
    let declined = |run: &mut Run| {
        run.tool("order#1", order()).tool_fails("pay#1", "card_declined", Some(json!({ "reason": "limit" })));
    };
    refund("20.00", declined, rejected("the card was declined: limit"));
}

fn invoice(total: &str) -> Value {
    json!({ "number": "2027-17", "supplier": "Lamps Ltd", "iban": "CH9300762011623852957", "issued": "2027-01-31", "due": "2027-02-28",
        "currency": "EUR", "total": total, "lines": [{ "text": "Lamp", "net": "100.00", "tax_rate": "0.19" }] })
}

fn intake(script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    let input = json!({ "document": "https://example.org/i.pdf", "received_by": "ada@example.org" });
    run("invoice.weave", "take_in_invoice", input, script, outcome, result);
}

fn problem() -> Value {
    json!({ "problems": [{ "field": "total", "message": "it is not the sum" }] })
}

#[test]
fn a_good_invoice_is_booked_and_paid() {
    let script = |run: &mut Run| {
        run.model("read#1", invoice("119.00")).gives(&["check#1", "check#1@PT5S"]);
        run.tool("check#1", json!({ "problems": [] })).gives(&["post#1", "post#1@PT20S"]);
        run.tool("post#1", json!({ "entry": "E-1" })).tool("pay#1", json!({ "pay_on": "2027-02-28" }));
    };
    intake(script, "succeeded", json!({ "status": "booked", "entry": "E-1", "pay_on": "2027-02-28" }));
}

#[test]
fn a_person_corrects_an_invoice_as_often_as_it_takes() {
    let script = |run: &mut Run| {
        run.model("read#1", invoice("1.00")).tool("check#1", problem()).gives(&["correct#1", "correct#1@PT120H"]);
        run.answer("correct#1", "invoice.corrected", invoice("191.00")).gives(&["check#2", "check#2@PT5S"]);
        run.tool("check#2", problem()).gives(&["correct#2", "correct#2@PT120H"]);
        run.answer("correct#2", "invoice.corrected", invoice("11900.00")).tool("check#3", json!({ "problems": [] }));
        run.tool("post#1", json!({ "entry": "E-1" })).gives(&["pay#1@approval"]);
        run.answer("pay#1@approval", "tool.approval.decided", json!({ "decision": "approve" })).gives(&["pay#1", "pay#1@approval@PT30S"]);
        run.tool("pay#1", json!({ "pay_on": "2027-02-28" }));
    };
    intake(script, "succeeded", json!({ "status": "booked", "entry": "E-1", "pay_on": "2027-02-28" }));

    let discarded = |run: &mut Run| {
        run.model("read#1", invoice("1.00")).tool("check#1", problem());
        run.answer("correct#1", "invoice.discarded", json!({ "by": "ada@example.org", "reason": "an offer" }));
    };
    intake(discarded, "succeeded", json!({ "status": "discarded", "entry": null, "pay_on": null }));

    let nobody = |run: &mut Run| {
        run.model("read#1", invoice("1.00")).tool("check#1", problem()).fired("correct#1@PT120H");
    };
    intake(nobody, "failed", json!("not_corrected"));
}

/// A run up to the order to the bank.
fn booked(run: &mut Run) -> &mut Run {
    run.model("read#1", invoice("119.00")).tool("check#1", json!({ "problems": [] })).tool("post#1", json!({ "entry": "E-1" }))
}

#[test]
fn what_was_booked_is_undone_when_it_cannot_be_paid() {
    let blocked = Some(json!({ "since": "2027-01-01", "reason": "fraud" }));
    let undone = |run: &mut Run| {
        booked(run).tool_fails("pay#1", "supplier_blocked", blocked.clone()).gives(&["undo#1", "undo#1@PT20S"]);
        run.tool("undo#1", Value::Null);
    };
    intake(undone, "failed", json!("not_paid"));
    let left_over = |run: &mut Run| {
        booked(run).tool_fails("pay#1", "supplier_blocked", blocked.clone());
        run.tool_fails("undo#1", "ledger_closed", None).gives(&["alert#1", "@done"]);
    };
    intake(left_over, "failed", json!("left_over"));
    let duplicate = |run: &mut Run| {
        run.model("read#1", invoice("119.00")).tool("check#1", json!({ "problems": [] }));
        run.tool_fails("post#1", "already_booked", Some(json!({ "entry": "E-0" })));
    };
    intake(duplicate, "succeeded", json!({ "status": "duplicate", "entry": "E-0", "pay_on": null }));
}
