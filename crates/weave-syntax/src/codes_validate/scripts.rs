//! Tests.

use weave_diagnostics::{Code, Severity};

/// A test without a workflow, or an inner test with one.
pub(crate) static TEST_WORKFLOW: Code = Code {
    id: "test-workflow",
    severity: Severity::Error,
    summary: "A test does not name its workflow, or an inner test names one.",
    explanation: "`test NAME of WORKFLOW { … }` names the workflow that it runs. A test inside it goes on from the lines above, in the same run, and names none: `test NAME { … }`.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps {\n  start\n  wait 1h\n  expect rested\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested\n}\n",
};

/// A line behind an inner test.
pub(crate) static LINE_AFTER_INNER_TEST: Code = Code {
    id: "line-after-inner-test",
    severity: Severity::Error,
    summary: "A line of a test comes after an inner test.",
    explanation: "Inner tests go on from the lines above them, each in a run of its own. A line after them would be in none of these runs, so all lines of a test come before its inner tests.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  test at_once {\n    expect !rested\n    open [rest]\n  }\n  wait 1h\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  test at_once {\n    expect !rested\n    open [rest]\n  }\n  test later {\n    wait 1h\n    expect rested\n  }\n}\n",
};

/// `start` that is not first, or another first line.
pub(crate) static MISPLACED_START: Code = Code {
    id: "misplaced-start",
    severity: Severity::Error,
    summary: "The first line of a test is not `start`, or another line is.",
    explanation: "A test begins with `start`, which starts the run with its input. `start` alone makes up an input that fits; `start { name: \"Ada\", ... }` says a part of it. A run starts once: another input is another test.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  wait 1h\n  expect rested\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  wait 1h\n  expect rested\n}\n",
};

/// Two tests of one name.
pub static DUPLICATE_TEST: Code = Code {
    id: "duplicate-test",
    severity: Severity::Error,
    summary: "Two tests next to each other have the same name.",
    explanation: "A test is known by its path: `refund/above_the_limit/manager_approves`. Reports and `weave test --filter` use it, so the tests of a file have different names, and so have the inner tests of a test.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  test a {\n    open [rest]\n  }\n  test a {\n    wait 1h\n    expect rested\n  }\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  test a {\n    open [rest]\n  }\n  test b {\n    wait 1h\n    expect rested\n  }\n}\n",
};

/// `rest#0`.
pub(crate) static BAD_FIRING_NUMBER: Code = Code {
    id: "bad-firing-number",
    severity: Severity::Error,
    summary: "The number of a firing is not a whole number from 1.",
    explanation: "A node that is part of a loop fires several times. `review#2` is its second firing; firings count from 1, and elements of a fan-out, `web[0]`, from 0.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  expect rest#0\n  wait 1h\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\ntest sleeps of nap {\n  start\n  expect rest#1\n  wait 1h\n}\n",
};

/// `web [0]`.
pub(crate) static BLANK_BEFORE_ELEMENT: Code = Code {
    id: "blank-before-element",
    severity: Severity::Error,
    summary: "There is a space between a step and the number of its element.",
    explanation: "`web[0]` is one element of the fan-out `web`, and `web[]` is each of them. The bracket directly follows the name, because a list on its own may be the value of a line.",
    bad: "tool look(at: string) -> string\nworkflow see(all: string[]) {\n  step web each .input.all as one { call look { at: .one } }\n  end seen on web\n}\ntest sees of see {\n  start { all: [\"a\"] }\n  answer web [0]\n  expect seen\n}\n",
    good: "tool look(at: string) -> string\nworkflow see(all: string[]) {\n  step web each .input.all as one { call look { at: .one } }\n  end seen on web\n}\ntest sees of see {\n  start { all: [\"a\"] }\n  answer web[0]\n  expect seen\n}\n",
};

/// `answer x { … }`, `start = { … }`.
pub(crate) static TEST_VALUE_SIGN: Code = Code {
    id: "test-value-sign",
    severity: Severity::Error,
    summary: "An `=` is missing in a line of a test, or is one too many.",
    explanation: "Write `=` before the answer of a step: `answer triage = { … }`, `expect refunded = { … }`. What goes into a run, a step or an event follows without it: `start { … }`, `expect pay { … }`, `send approval.granted from approve { … }`.",
    bad: "tool look(at: string) -> { seen: bool }\nworkflow see(at: string) {\n  step web { call look { at: .input.at } }\n  end seen on web\n}\ntest sees of see {\n  start\n  answer web { seen: true }\n  expect seen\n}\n",
    good: "tool look(at: string) -> { seen: bool }\nworkflow see(at: string) {\n  step web { call look { at: .input.at } }\n  end seen on web\n}\ntest sees of see {\n  start\n  answer web = { seen: true }\n  expect seen\n}\n",
};

/// A path or a placeholder as a value.
pub(crate) static TEST_VALUE: Code = Code {
    id: "test-value",
    severity: Severity::Error,
    summary: "A value in a test is not a literal.",
    explanation: "Values in tests are literals: strings, numbers, `true`, `false`, `null`, durations, lists and objects of these. There are no paths, placeholders or names, so that a test says what happens and does not compute it. `...` \
        stands for all other fields of an object and for further elements of a list.",
    bad: "tool look(at: string) -> { seen: \"yes\" | \"no\" }\nworkflow see(at: string) {\n  step web { call look { at: .input.at } }\n  end seen on web\n}\ntest sees of see {\n  start\n  answer web = { seen: .input.at }\n  expect seen\n}\n",
    good: "tool look(at: string) -> { seen: \"yes\" | \"no\" }\nworkflow see(at: string) {\n  step web { call look { at: .input.at } }\n  end seen on web\n}\ntest sees of see {\n  start\n  answer web = { seen: \"yes\" }\n  expect seen\n}\n",
};
