//! What replaying reports, each kind declared once.

use weave_diagnostics::{Code, Severity};

/// The kinds of differences between a recorded run and the run of today. The examples are programs: the scroll is that of the test in
/// the good one, and it is replayed through the bad one.
pub static RUN_CODES: &[&Code] = &[&ANSWER_MISFIT, &RUN_DIVERGES, &RUN_ENDS_OTHERWISE];

/// What can be wrong with a scroll. The examples are scrolls of [`SCROLL_PROGRAM`].
pub static SCROLL_CODES: &[&Code] =
    &[&SCROLL_ALTERED, &SCROLL_CUT_OFF, &SCROLL_DIGEST, &SCROLL_FORM, &SCROLL_GAP, &SCROLL_REPEAT, &SCROLL_WORKFLOW];

/// The program that recorded the scrolls in the examples of [`SCROLL_CODES`].
pub const SCROLL_PROGRAM: &str = "workflow greet(name: string) -> string {\n  end greeted = \"Hello, {{.input.name}}!\"\n}\n";

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident { $id:literal, $summary:literal, $explanation:literal, bad: $bad:expr, good: $good:expr $(,)? })*) => {
        $($(#[$doc])* pub static $name: Code = Code {
            id: $id,
            severity: Severity::Error,
            summary: $summary,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*
    };
}

macro_rules! shop {
    ($order:literal, $limit:literal, $output:literal) => {
        concat!(
            "type Order { total: int",
            $order,
            " }\n\ntool find(id: string) -> Order\ntool pay(amount: int) -> { receipt: string }\n\nworkflow shop(id: string) -> { paid: int } {\n  step lookup {\n    call find { id: .input.id }\n  }\n  step settle on lookup when .lookup.total < ",
            $limit,
            " {\n    call pay { amount: .lookup.total }\n  }\n  end done on settle = { paid: .lookup.total }\n  end too_much on lookup else = { paid: ",
            $output,
            " }\n}\n\ntest recorded of shop {\n  start { id: \"A-17\" }\n  answer lookup = { total: 250, ... }\n  expect too_much\n}\n"
        )
    };
}

/// The events of a run of [`SCROLL_PROGRAM`] with this digest and name of the workflow.
macro_rules! start {
    ($workflow:literal, $digest:literal) => {
        concat!(
            "{\"seq\":0,\"id\":\"r1\",\"topic\":\"workflow.start\",\"kind\":\"external\",\"data\":{\"workflow\":\"",
            $workflow,
            "\",\"digest\":\"",
            $digest,
            "\",\"input\":{\"name\":\"Ada\"}}}\n"
        )
    };
}

macro_rules! step {
    ($seq:literal) => {
        concat!("{\"seq\":", $seq, ",\"id\":\"r1/greeted#1@step\",\"topic\":\"workflow.step\",\"kind\":\"derived\",\"data\":{\"id\":\"greeted\",\"n\":1,\"cause\":\"r1\"}}\n")
    };
}

macro_rules! done {
    ($seq:literal, $name:literal) => {
        concat!(
            "{\"seq\":",
            $seq,
            ",\"id\":\"r1@done\",\"topic\":\"workflow.done\",\"kind\":\"derived\",\"data\":{\"outcome\":\"succeeded\",\"output\":\"Hello, ",
            $name,
            "!\"}}\n"
        )
    };
}

/// What stands for the digest of [`SCROLL_PROGRAM`] in the examples.
const OWN_DIGEST: &str = "DIGEST";

const GOOD: &str = concat!(start!("greet", "DIGEST"), step!("1"), done!("2", "Ada"));

codes! {
    /// A recorded run goes another way.
    RUN_DIVERGES {
        "run-diverges",
        "A recorded run goes another way through the workflow of today.",
        "The external events of the run were played through the workflow, and after one of them something else follows: a node fires that did not fire, or the other way round, or a request says something else. \
         The first difference is reported, with the guard that decided; later ones are counted. If the change is intended, the recorded run is out of date as a test: record it again, or write it as a test with `weave replay --to-test`.",
        bad: shop!("", "500", "0"),
        good: shop!("", "100", "0"),
    }
    /// A recorded run ends otherwise.
    RUN_ENDS_OTHERWISE {
        "run-ends-otherwise",
        "A recorded run goes the same way and ends with another output or failure.",
        "All nodes fire as they did then, and the output of the run, or its failure, is another. The caller of the run sees the difference.",
        bad: shop!("", "100", "1"),
        good: shop!("", "100", "0"),
    }
    /// A recorded answer no longer fits.
    ANSWER_MISFIT {
        "answer-no-longer-fits",
        "An answer that was taken then does not fit its type now.",
        "A model, a tool or a person answered this, and today's type refuses it. Runs in flight have such answers on their scrolls, and tools that are not deployed anew go on giving them. Make new fields optional, or change the caller first.",
        bad: shop!(", currency: string(min: 10)", "100", "0"),
        good: shop!("", "100", "0"),
    }
    /// A line of a scroll is not an event.
    SCROLL_FORM {
        "scroll-form",
        "A line of a scroll is not an event.",
        "A scroll has one event a line, as JSON. `weave run --format jsonl` and `weave test --scrolls` write scrolls.",
        bad: concat!(start!("greet", "DIGEST"), "and then it greeted\n"),
        good: GOOD,
    }
    /// A scroll is cut off.
    SCROLL_CUT_OFF {
        "scroll-cut-off",
        "A scroll is cut off.",
        "Its last line is not complete, or events are missing after the last external one although the definition that recorded the run is the same. The file may have been copied while it was written.",
        bad: concat!(start!("greet", "DIGEST"), "{\"seq\":1,\"id\":\"r1/gree"),
        good: GOOD,
    }
    /// Events of a scroll are missing.
    SCROLL_GAP {
        "scroll-gap",
        "Events of a scroll are missing.",
        "A scroll begins with `workflow.start` and has every event once, in order, counted from 0.",
        bad: concat!(start!("greet", "DIGEST"), done!("2", "Ada")),
        good: GOOD,
    }
    /// An event is on a scroll twice.
    SCROLL_REPEAT {
        "scroll-repeat",
        "An event is on a scroll twice.",
        "Each event that the runner adds has an id of its own, and each event has a number of its own.",
        bad: concat!(start!("greet", "DIGEST"), step!("1"), step!("2"), done!("3", "Ada")),
        good: GOOD,
    }
    /// The digest is not that of the definition that is said to have recorded the run.
    SCROLL_DIGEST {
        "scroll-digest",
        "The digest on a scroll is not that of the definition that is said to have recorded it.",
        "The first event says the digest of the definition that the run was started with. It must be a digest, and with `--against REV` it must be that of the workflow in that revision: otherwise what that revision does says nothing about the run. Name the revision that recorded the run, or leave `--against` out.",
        bad: concat!(start!("greet", "v2"), step!("1"), done!("2", "Ada")),
        good: GOOD,
    }
    /// The workflow of a scroll is not here.
    SCROLL_WORKFLOW {
        "scroll-workflow",
        "There is no workflow to replay a scroll through.",
        "The first event says which workflow the run is of. It must be among the files that are replayed through, under the same name.",
        bad: concat!(start!("greeting", "DIGEST"), step!("1"), done!("2", "Ada")),
        good: GOOD,
    }
    /// A scroll was changed.
    SCROLL_ALTERED {
        "scroll-altered",
        "A scroll was changed after it was recorded.",
        "The digest on the scroll is that of the workflow that it is replayed through, so the same events must follow. Something else follows: a line was edited, or lines are missing between two external events.",
        bad: concat!(start!("greet", "DIGEST"), step!("1"), done!("2", "Bob")),
        good: GOOD,
    }
}

/// The text of an example of [`SCROLL_CODES`], with the digest of [`SCROLL_PROGRAM`] in it.
#[must_use]
pub fn scroll_example(text: &str, digest: &str) -> String {
    text.replace(OWN_DIGEST, digest)
}
