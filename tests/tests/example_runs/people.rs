//! The council, and the board of proposals.

use serde_json::{Value, json};
use weave_runner::{Failure, FailureKind};

use super::{Answers, run};
use crate::runner_programs::Run;

fn council(script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    run("council.weave", "council", json!({ "question": "Which lamp shall we buy?" }), script, outcome, result);
}

/// All members answer in a round, the third first.
fn answered(run: &mut Run, round: u32) {
    for member in ["third", "first", "second"] {
        run.model(&format!("{member}#{round}"), json!({ "answer": format!("{member} {round}"), "doubt": "none" }));
    }
    run.gives(&[&format!("first_vote#{round}"), &format!("second_vote#{round}"), &format!("third_vote#{round}")]);
}

fn voted(run: &mut Run, round: u32, tally: Value) {
    for (judge, best) in [("first", "a"), ("second", "b"), ("third", "c")] {
        run.model(&format!("{judge}_vote#{round}"), json!({ "best": best, "lacks": "" }));
    }
    run.gives(&[&format!("tally#{round}"), &format!("tally#{round}@PT1S")]).tool(&format!("tally#{round}"), tally);
}

fn advice() -> Value {
    json!({ "answer": "A green one.", "agreement": "majority", "dissent": [] })
}

#[test]
fn a_council_decides_in_one_round_or_two() {
    let one = |run: &mut Run| {
        answered(run, 1);
        voted(run, 1, json!({ "winner": "a", "split": false }));
        run.model("conclude#1", advice());
    };
    council(one, "succeeded", advice());
    let two = |run: &mut Run| {
        answered(run, 1);
        voted(run, 1, json!({ "winner": null, "split": true }));
        run.gives(&["first#2", "first#2@PT2M", "second#2", "second#2@PT2M", "third#2", "third#2@PT2M"]);
        answered(run, 2);
        voted(run, 2, json!({ "winner": null, "split": true }));
        run.gives(&["conclude#1", "conclude#1@PT2M"]).model("conclude#1", advice());
    };
    council(two, "succeeded", advice());
}

#[test]
fn a_council_of_two_is_none() {
    council(
        |run| {
            run.model_fails("second#1", FailureKind::Unavailable);
        },
        "failed",
        json!("not_assembled"),
    );
    council(
        |run| {
            run.fired("second#1@PT2M");
        },
        "failed",
        json!("not_assembled"),
    );
    let no_chair = |run: &mut Run| {
        answered(run, 1);
        voted(run, 1, json!({ "winner": "a", "split": false }));
        run.fired("conclude#1@PT2M");
    };
    council(no_chair, "failed", json!("not_decided"));
}

const ID: &str = "123e4567-e89b-12d3-a456-426614174002";

fn proposal() -> Value {
    json!({ "id": ID, "title": "Lamps", "body": "More lamps.", "author": "ada@example.org", "yearly_cost": "100" })
}

fn judge(budget: &str, script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    run("proposals.weave", "judge_proposal", json!({ "proposal": proposal(), "budget": budget }), script, outcome, result);
}

fn unsure() -> Value {
    json!({ "recommendation": "reject", "confidence": 0.5, "strengths": [], "weaknesses": ["dear"] })
}

fn rejected(reason: &str, advice: Value) -> Value {
    json!({ "decision": "rejected", "proposal": ID, "reason": reason, "advice": advice })
}

#[test]
fn models_judge_what_is_clear() {
    judge("50", |_| (), "succeeded", rejected("it costs more than the whole budget of 50", json!(["Ask for less."])));
    let sure = json!({ "recommendation": "reject", "confidence": 0.95, "strengths": [], "weaknesses": ["dear"] });
    judge(
        "500",
        |run| {
            run.model("assess#1", sure);
        },
        "succeeded",
        rejected("it is not worth a vote", json!(["dear"])),
    );
    let fails = |run: &mut Run| {
        run.model_fails("assess#1", FailureKind::InvalidOutput).gives(&["assess#1", "assess#1@PT3M"]);
        let again = weave_runner::Event::failed("f2", "ai.response", "r/assess#1", Failure::new(FailureKind::MaxTurns, "no"));
        run.take(again.with_attempt(2));
    };
    judge("500", fails, "failed", json!("not_assessed"));
}

#[test]
fn people_vote_on_the_rest() {
    let passed = |run: &mut Run| {
        run.model("assess#1", unsure()).gives(&["vote#1", "vote#1@PT168H"]);
        run.answer("vote#1", "vote.passed", json!({ "yes": 3, "no": 1 }));
    };
    judge("500", passed, "succeeded", json!({ "decision": "accepted", "proposal": ID, "reason": "3 to 1" }));
    let lost = |run: &mut Run| {
        run.model("assess#1", unsure()).answer("vote#1", "vote.rejected", json!({ "yes": 0, "no": 4, "reasons": ["dear"] }));
    };
    judge("500", lost, "succeeded", rejected("4 to 0", json!(["dear"])));
    let late = |run: &mut Run| {
        run.model("assess#1", unsure()).fired("vote#1@PT168H");
    };
    let postponed = json!({ "decision": "postponed", "proposal": ID, "reason": "too few members have voted within a week" });
    judge("500", late, "succeeded", postponed);
    let withdrawn = |run: &mut Run| {
        run.post("proposal.withdrawn", json!({ "proposal": "123e4567-e89b-12d3-a456-426614174009" })).gives(&[]);
        run.model("assess#1", unsure()).post("proposal.withdrawn", json!({ "proposal": ID }));
    };
    judge("500", withdrawn, "succeeded", rejected("taken back", json!([])));
}

#[test]
fn each_proposal_gets_a_verdict() {
    let input = json!({ "proposal": proposal(), "budget": "500" });
    let accepted = json!({ "decision": "accepted", "proposal": ID, "reason": "3 to 1" });
    let decided = |run: &mut Run| {
        run.child("judge#1", accepted.clone()).gives(&["announce#1", "@done"]);
    };
    run("proposals.weave", "decide_proposal", input.clone(), decided, "succeeded", accepted.clone());
    let undecided = |run: &mut Run| {
        run.failed("judge#1", "workflow.done", Failure::coded("not_assessed", "no model", None)).gives(&["announce#1", "@done"]);
    };
    let postponed = json!({ "decision": "postponed", "proposal": ID, "reason": "no verdict could be found: no model" });
    run("proposals.weave", "decide_proposal", input, undecided, "succeeded", postponed.clone());

    let board = json!({ "board": "May", "budget": "500", "proposals": [proposal(), proposal()] });
    let held = json!({ "board": "May", "verdicts": [&accepted, &postponed] });
    let published = |run: &mut Run| {
        run.gives(&["verdicts#1[0]", "verdicts#1[1]"]).child("verdicts#1[1]", postponed.clone()).gives(&[]);
        run.child("verdicts#1[0]", accepted.clone()).gives(&["publish#1", "publish#1@PT30S"]);
        run.tool("publish#1", json!({ "url": "https://example.org/" }));
    };
    run("proposals.weave", "hold_board", board.clone(), published, "succeeded", held.clone());
    let unpublished = |run: &mut Run| {
        run.child("verdicts#1[0]", accepted.clone()).child("verdicts#1[1]", postponed.clone());
        run.tool_fails("publish#1", "moved", None);
    };
    run("proposals.weave", "hold_board", board, unpublished, "succeeded", held);
    let empty = json!({ "board": "May", "budget": "500", "proposals": [] });
    let nothing = |run: &mut Run| {
        run.gives(&["publish#1", "publish#1@PT30S"]).tool("publish#1", json!({ "url": "https://example.org/" }));
    };
    run("proposals.weave", "hold_board", empty, nothing, "succeeded", json!({ "board": "May", "verdicts": [] }));
}
