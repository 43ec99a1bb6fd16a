//! Why tests fail, each kind declared once.

use weave_diagnostics::{Code, Severity};
use weave_scenario::{DefectKind, FindingId};

/// The kinds of failures of tests, by id.
pub static CODES: &[&Code] =
    &[&FIRED, &MADE_UP, &NO_VALUE, &NOT_FIRED, &NOT_OPEN, &NOT_OVER, &OTHER_FAILURE, &OTHER_OPEN, &OTHER_ORDER, &OTHER_VALUE, &RUNAWAY];

/// What must not happen in any run of a workflow, found by exploring. The examples are programs.
pub static EXPLORE_CODES: &[&Code] = &[&EXPLORED_INVALID_INPUT, &EXPLORED_INVALID_OUTPUT, &EXPLORED_NO_END];

/// The code of a kind of defect; none: it is a defect of weave, not of the workflow.
pub(crate) const fn explore_code(kind: DefectKind) -> Option<&'static Code> {
    match kind {
        DefectKind::Stalled | DefectKind::Runaway | DefectKind::Endless => Some(&EXPLORED_NO_END),
        DefectKind::InvalidInput => Some(&EXPLORED_INVALID_INPUT),
        DefectKind::InvalidOutput => Some(&EXPLORED_INVALID_OUTPUT),
        DefectKind::Inconsistent => None,
    }
}

/// The code of a kind of failure.
pub(crate) const fn code(id: FindingId) -> &'static Code {
    match id {
        FindingId::NotOver => &NOT_OVER,
        FindingId::NotOpen => &NOT_OPEN,
        FindingId::NotFired => &NOT_FIRED,
        FindingId::Fired => &FIRED,
        FindingId::OtherValue => &OTHER_VALUE,
        FindingId::OtherFailure => &OTHER_FAILURE,
        FindingId::OtherOrder => &OTHER_ORDER,
        FindingId::OtherOpen => &OTHER_OPEN,
        FindingId::MadeUp => &MADE_UP,
        FindingId::NoValue => &NO_VALUE,
        FindingId::Runaway => &RUNAWAY,
    }
}

macro_rules! codes {
    ($($name:ident { $id:literal, $summary:literal, $explanation:literal, bad: $bad:literal, good: $good:literal $(,)? })*) => {
        $(static $name: Code = Code {
            id: $id,
            severity: Severity::Error,
            summary: $summary,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*
    };
}

codes! {
    NOT_OVER {
        "not-over",
        "A test ends while its run goes on.",
        "Each test plays a run to its end, so that nothing is forgotten. Answer what is open, let time pass, or say as the last line which steps the run is waiting for: `open [pay]`.",
        bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\n\ntest sleeps of nap {\n  start\n  expect rest\n}\n",
        good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\n\ntest sleeps of nap {\n  start\n  expect rest\n  wait 1h\n  expect rested\n}\n",
    }
    NOT_OPEN {
        "not-open",
        "A line answers a step that does not wait for an answer.",
        "A line happens at the moment where it stands. The step that it names has not fired yet, has been answered already, or was cancelled. The notes say which guard decided, and what waits instead.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  step second on first when .first { call look { at: .input.at } }\n  end seen on second\n  end unseen on first else\n}\n\ntest sees of see {\n  start\n  answer first = false\n  answer second = true\n  expect seen\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  step second on first when .first { call look { at: .input.at } }\n  end seen on second\n  end unseen on first else\n}\n\ntest sees of see {\n  start\n  answer first = true\n  answer second = true\n  expect seen\n}\n",
    }
    NOT_FIRED {
        "not-fired",
        "A node was expected to fire, and has not.",
        "`expect NODE` says that the node has fired by then. The notes say where the run went instead, and which guard or failure decided that.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  end seen on first when .first\n  end unseen on first else\n}\n\ntest sees of see {\n  start\n  answer first = false\n  expect seen\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  end seen on first when .first\n  end unseen on first else\n}\n\ntest sees of see {\n  start\n  answer first = false\n  expect unseen\n}\n",
    }
    FIRED {
        "fired",
        "A node has fired that was expected not to.",
        "`expect !NODE` says that the node has not fired by then; with a number, that it has not fired so often.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  step again on first when .first { call look { at: .input.at } }\n  end seen on again\n  end unseen on first else\n}\n\ntest sees of see {\n  start\n  answer first = true\n  expect !again\n  open [again]\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  step again on first when .first { call look { at: .input.at } }\n  end seen on again\n  end unseen on first else\n}\n\ntest sees of see {\n  start\n  answer first = false\n  expect !again\n  expect unseen\n}\n",
    }
    OTHER_VALUE {
        "other-value",
        "A node asked or gave something else than was expected.",
        "`expect NODE { … }` is what a node asks or emits, `expect NODE = …` what it gives. Each value that is written must be equal; `...` stands for any other fields.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: \"at {{.input.at}}\" } }\n  end seen on first\n}\n\ntest sees of see {\n  start { at: \"home\" }\n  expect first { at: \"home\" }\n  answer first\n  expect seen\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: \"at {{.input.at}}\" } }\n  end seen on first\n}\n\ntest sees of see {\n  start { at: \"home\" }\n  expect first { at: \"at home\" }\n  answer first\n  expect seen\n}\n",
    }
    OTHER_FAILURE {
        "other-failure",
        "The run was expected to fail, and has not, or it failed in another way.",
        "`expect failure KIND` says that the run has failed because no node took a failure. A `fail` node that fires is expected like any other node: `expect declined`.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  end seen on first\n}\n\ntest sees of see {\n  start\n  fail first unavailable\n  expect failure timeout\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  end seen on first\n}\n\ntest sees of see {\n  start\n  fail first unavailable\n  expect failure unavailable\n}\n",
    }
    OTHER_ORDER {
        "other-order",
        "The nodes fired in another order than was expected.",
        "`expect [a, b, ..., c]` says which nodes have fired so far, in this order. `...` stands for any nodes.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  step second on first { call look { at: .input.at } }\n  end seen on second\n}\n\ntest sees of see {\n  start\n  answer first\n  answer second\n  expect [second, first, seen]\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  step second on first { call look { at: .input.at } }\n  end seen on second\n}\n\ntest sees of see {\n  start\n  answer first\n  answer second\n  expect [first, second, seen]\n}\n",
    }
    OTHER_OPEN {
        "other-open",
        "Other steps are open than was expected.",
        "`open [a, b]` names all steps that wait for something, and no others.",
        bad: "workflow nap() {\n  step rest { wait 1h }\n  step dream { wait 2h }\n  end rested on all(rest, dream)\n}\n\ntest sleeps of nap {\n  start\n  open [rest]\n}\n",
        good: "workflow nap() {\n  step rest { wait 1h }\n  step dream { wait 2h }\n  end rested on all(rest, dream)\n}\n\ntest sleeps of nap {\n  start\n  open [rest, dream]\n}\n",
    }
    MADE_UP {
        "made-up",
        "A test depends on a value that it does not say.",
        "What `...` leaves out is made up, and what is made up must not matter. So each test is played twice, with values from both sides of the constants in guards. Here the two plays differ: say the value on which they part.",
        bad: "tool look(at: string) -> { far: int }\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  end near on first when .first.far < 10\n  end far on first else\n}\n\ntest sees of see {\n  start\n  answer first\n  expect near\n}\n",
        good: "tool look(at: string) -> { far: int }\n\nworkflow see(at: string) {\n  step first { call look { at: .input.at } }\n  end near on first when .first.far < 10\n  end far on first else\n}\n\ntest sees of see {\n  start\n  answer first = { far: 9 }\n  expect near\n}\n",
    }
    NO_VALUE {
        "no-value",
        "No value could be made up.",
        "What `...` leaves out is made up from the schema. For some patterns and formats no value is found; then the test has to say it.",
        bad: "tool look(at: string) -> bool\n\nworkflow see(at: string(pattern: \"^a$\", min: 2)) {\n  step first { call look { at: .input.at } }\n  end seen on first\n}\n\ntest sees of see {\n  start\n  answer first\n  expect seen\n}\n",
        good: "tool look(at: string) -> bool\n\nworkflow see(at: string(pattern: \"^a$\")) {\n  step first { call look { at: .input.at } }\n  end seen on first\n}\n\ntest sees of see {\n  start { at: \"a\" }\n  answer first\n  expect seen\n}\n",
    }
    RUNAWAY {
        "runaway",
        "A line of a test goes on for ever.",
        "`fail STEP KIND` lets all attempts fail that the retries of a step allow, and `fail STEP[] KIND` those of each element. Where these are more than ten thousand, the test stops. Lower the retries, or let one attempt fail with \
         `once`.",
        bad: "tool look(line: string) -> bool { retry 1000 }\n\nworkflow see(lines: string[]) {\n  step web each .input.lines as line parallel 1 min 0 { call look { line: .line } }\n  end seen on web\n}\n\ntest sees of see {\n  start { lines: [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\"] }\n  fail web[] unavailable\n  expect seen\n}\n",
        good: "tool look(line: string) -> bool { retry 3 }\n\nworkflow see(lines: string[]) {\n  step web each .input.lines as line parallel 1 min 0 { call look { line: .line } }\n  end seen on web\n}\n\ntest sees of see {\n  start { lines: [\"a\", \"b\"] }\n  fail web[] unavailable\n  expect seen\n}\n",
    }
    EXPLORED_NO_END {
        "explored-no-end",
        "A run can go on without end, or get to where nothing goes on.",
        "`weave test --explore` found a run that cannot end: it fires ten thousand times (`runaway`), a node without a limit that matters goes round and round whatever is answered, or no step is open and nothing is waited for (`stalled`). Give the loop a `limit` that a run reaches, or a guard that becomes false; give the missing case a node.",
        bad: "tool measure(at: string) -> { high: int }\n\nworkflow see(at: string) {\n  step size { call measure { at: .input.at } }\n  step left on size | right limit 20000 = \"left\"\n  step right on left when .size.high > 4 limit 20000 = \"right\"\n  end done on left else\n  end tired on right else\n}\n",
        good: "tool measure(at: string) -> { high: int }\n\nworkflow see(at: string) {\n  step size { call measure { at: .input.at } }\n  step left on size | right limit 3 = \"left\"\n  step right on left when .size.high > 4 limit 3 = \"right\"\n  end done on left else\n  end tired on right else\n}\n",
    }
    EXPLORED_INVALID_INPUT {
        "explored-invalid-input",
        "A step can ask for something with arguments that do not fit.",
        "`weave test --explore` found a run in which the arguments of a step break a constraint of what it calls, so that the step fails with `invalid_input` before anything is called. Check the value with a guard first, or widen the parameter.",
        bad: "tool measure(at: string) -> { high: int }\ntool paint(area: int(0..100))\n\nworkflow see(at: string) {\n  step size { call measure { at: .input.at } }\n  step colour on size { call paint { area: .size.high } }\n  end done on colour\n}\n",
        good: "tool measure(at: string) -> { high: int }\ntool paint(area: int(0..100))\n\nworkflow see(at: string) {\n  step size { call measure { at: .input.at } }\n  step colour on size when .size.high >= 0 && .size.high <= 100 { call paint { area: .size.high } }\n  end too_large on size else\n  end done on colour\n}\n",
    }
    EXPLORED_INVALID_OUTPUT {
        "explored-invalid-output",
        "A run can give an output that does not fit.",
        "`weave test --explore` found a run whose output breaks a constraint of the workflow's own output, so that the run fails with `invalid_output`. Check the value with a guard first, or widen the output.",
        bad: "tool measure(at: string) -> { name: string }\n\nworkflow see(at: string) -> { title: string(max: 12) } {\n  step size { call measure { at: .input.at } }\n  end done on size = { title: .size.name }\n}\n",
        good: "tool measure(at: string) -> { name: string(max: 12) }\n\nworkflow see(at: string) -> { title: string(max: 12) } {\n  step size { call measure { at: .input.at } }\n  end done on size = { title: .size.name }\n}\n",
    }
}
