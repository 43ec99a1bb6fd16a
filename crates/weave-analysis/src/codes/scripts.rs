//! Tests.

use weave_diagnostics::{Code, Severity};

/// The codes of tests.
pub(crate) const CODES: &[&Code] = &[
    &CANNOT_ANSWER,
    &IMPOSSIBLE_FAILURE,
    &FAILURE_DATA,
    &USELESS_ONCE,
    &UNHEARD_CALL,
    &NO_APPROVAL,
    &MISDIRECTED_EVENT,
    &TEST_ELEMENT,
    &FIRING_BEYOND_LIMIT,
    &NOTHING_TO_EXPECT,
    &LINE_AFTER_END,
    &NO_EXPECTATION,
];

macro_rules! codes {
    ($($name:ident $severity:ident { $id:literal, $summary:literal, $explanation:literal, bad: $bad:literal, good: $good:literal $(,)? })*) => {
        $(pub(crate) static $name: Code = Code {
            id: $id,
            severity: Severity::$severity,
            summary: $summary,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*
    };
}

codes! {
    CANNOT_ANSWER Error {
        "cannot-answer",
        "A line of a test answers a node that takes no answer.",
        "`answer` and `fail` name a step that asks a model, calls a tool or runs a workflow. A step that waits for an event gets it with `send`, a step that waits for a time with `wait`, and a step with a value goes on by itself. \
         An `end` or a `fail` is expected: `expect done`.",
        bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  answer rest\n  expect rested\n}\n",
        good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested\n}\n",
    }
    IMPOSSIBLE_FAILURE Error {
        "impossible-failure",
        "A test lets a step fail in a way in which it cannot fail.",
        "A step can fail with the errors that its tool declares in `fails`, with the `fail` nodes of the workflow that it runs, and with the built-in kinds, such as `unavailable` and `timeout`, that fit what it does.",
        bad: "tool ring(bell: string)\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n  fail overslept on failure(wake)\n}\ntest sleeps of nap {\n  start\n  fail wake max_turns\n  expect overslept\n}\n",
        good: "tool ring(bell: string)\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n  fail overslept on failure(wake)\n}\ntest sleeps of nap {\n  start\n  fail wake unavailable\n  expect overslept\n}\n",
    }
    FAILURE_DATA Error {
        "failure-data",
        "A failure in a test lacks its data, or has data where it has only a message.",
        "A declared error carries its data: `fail pay card_declined { reason: \"limit\" }`, or `{ ... }` to have it made up. A built-in kind has only a message: `fail pay unavailable \"connection refused\"`.",
        bad: "error broken { part: string }\ntool ring(bell: string) { fails [broken] }\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n  fail overslept on failure(wake)\n}\ntest sleeps of nap {\n  start\n  fail wake broken\n  expect overslept\n}\n",
        good: "error broken { part: string }\ntool ring(bell: string) { fails [broken] }\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n  fail overslept on failure(wake)\n}\ntest sleeps of nap {\n  start\n  fail wake broken { part: \"clapper\" }\n  expect overslept\n}\n",
    }
    USELESS_ONCE Warning {
        "useless-once",
        "`once` changes nothing, because the step does not try again.",
        "`fail STEP KIND` lets all attempts fail that the retries of the step allow, and `once` lets only this one fail. A step without retries, or whose retries do not cover this failure, has one attempt.",
        bad: "tool ring(bell: string)\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n  fail overslept on failure(wake)\n}\ntest sleeps of nap {\n  start\n  fail wake unavailable once\n  expect overslept\n}\n",
        good: "tool ring(bell: string) { retry 2 }\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n  fail overslept on failure(wake)\n}\ntest sleeps of nap {\n  start\n  fail wake unavailable once\n  answer wake\n  expect awake\n}\n",
    }
    UNHEARD_CALL Error {
        "unheard-call",
        "A test lets an agent call a tool, and no node fires on that.",
        "`call TOOL from STEP` is for triggers of the form `on TOOL from STEP`. What else an agent does in its loop is not part of a test: its answer is.",
        bad: "signal tool escalate(reason: string)\nsignal tool shout(text: string)\nagent writer(about: string) -> { text: string } {\n  model mini\n  system \"Write.\"\n  tools [escalate, shout]\n}\nworkflow help(about: string) {\n  step draft { ask writer { about: .input.about } }\n  end done on draft\n  end up on escalate from draft\n}\ntest gives_up of help {\n  start\n  call shout from draft { text: \"hey\" }\n  expect up\n}\n",
        good: "signal tool escalate(reason: string)\nsignal tool shout(text: string)\nagent writer(about: string) -> { text: string } {\n  model mini\n  system \"Write.\"\n  tools [escalate, shout]\n}\nworkflow help(about: string) {\n  step draft { ask writer { about: .input.about } }\n  end done on draft\n  end up on escalate from draft\n}\ntest gives_up of help {\n  start\n  call escalate from draft { reason: \"angry\" }\n  expect up\n}\n",
    }
    NO_APPROVAL Error {
        "no-approval",
        "A test approves or rejects a step that asks for no approval.",
        "`approve` and `reject` decide about the call of a tool with `approval`. An event that a workflow emits is answered with `send TOPIC from STEP`, even if it is called an approval.",
        bad: "tool ring(bell: string)\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n}\ntest sleeps of nap {\n  start\n  approve wake\n  answer wake\n  expect awake\n}\n",
        good: "tool ring(bell: string) { approval always }\nworkflow nap(bell: string) {\n  step wake { call ring { bell: .input.bell } }\n  end awake on wake\n}\ntest sleeps of nap {\n  start\n  approve wake\n  answer wake\n  expect awake\n}\n",
    }
    MISDIRECTED_EVENT Error {
        "misdirected-event",
        "A test sends an event that nothing takes.",
        "`send TOPIC` brings an event from outside that a node fires on or waits for. An event that answers what a step has emitted names that step: `send approval.granted from approve`.",
        bad: "event review.asked { id: string } -> review.done\nexternal event review.done { ok: bool }\nworkflow review(id: string) {\n  step ask { emit review.asked { id: .input.id } }\n  end done on review.done from ask\n}\ntest reviewed of review {\n  start\n  send review.done { ok: true }\n  expect done\n}\n",
        good: "event review.asked { id: string } -> review.done\nexternal event review.done { ok: bool }\nworkflow review(id: string) {\n  step ask { emit review.asked { id: .input.id } }\n  end done on review.done from ask\n}\ntest reviewed of review {\n  start\n  send review.done from ask { ok: true }\n  expect done\n}\n",
    }
    TEST_ELEMENT Error {
        "test-element",
        "A test names an element of a step without elements, or does not say which element it means.",
        "A step with `each` does its action for every element of a list. A line of a test names one of them, `web[0]`, or each, `web[]`. A step without `each` has no elements; its firings are `review#1`, `review#2`.",
        bad: "tool look(at: string) -> string\nworkflow see(all: string[]) {\n  step web each .input.all as one { call look { at: .one } }\n  end seen on web\n}\ntest sees of see {\n  start { all: [\"a\"] }\n  answer web\n  expect seen\n}\n",
        good: "tool look(at: string) -> string\nworkflow see(all: string[]) {\n  step web each .input.all as one { call look { at: .one } }\n  end seen on web\n}\ntest sees of see {\n  start { all: [\"a\"] }\n  answer web[]\n  expect seen\n}\n",
    }
    FIRING_BEYOND_LIMIT Error {
        "firing-beyond-limit",
        "A test names a firing that the limit of its node does not allow.",
        "A node with `limit 3` fires three times at most, so that `review#4` never happens. `expect !review#4` may say so.",
        bad: "workflow nap() {\n  step rest limit 1 { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rest#2\n  expect rested\n}\n",
        good: "workflow nap() {\n  step rest limit 1 { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rest#1\n  expect rested\n}\n",
    }
    NOTHING_TO_EXPECT Error {
        "nothing-to-expect",
        "A test expects something of a node that asks or gives nothing.",
        "`expect STEP { … }` is what a step asks, calls, runs or emits. `expect NODE = …` is what a node gives: the answer of a step, the output of an `end`, the message of a `fail`.",
        bad: "workflow nap() -> { slept: bool } {\n  step rest { wait 1h }\n  end rested on rest = { slept: true }\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested { slept: true }\n}\n",
        good: "workflow nap() -> { slept: bool } {\n  step rest { wait 1h }\n  end rested on rest = { slept: true }\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested = { slept: true }\n}\n",
    }
    LINE_AFTER_END Error {
        "line-after-end",
        "Something happens in a test after the run is over.",
        "Each line happens at the moment where it stands. After `expect` has named an `end` or a `fail`, or a failure, the run is over: further lines can only check it.",
        bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  expect rested\n  wait 1h\n}\n",
        good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested\n}\n",
    }
    NO_EXPECTATION Warning {
        "no-expectation",
        "A test expects nothing.",
        "A test without `expect` and `open` passes whatever the workflow does on the way, as long as the run ends. Say at least where it ends: `expect done`.",
        bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n}\n",
        good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested\n}\n",
    }
}
