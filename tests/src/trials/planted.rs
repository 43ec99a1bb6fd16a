//! Workflows with a defect each, which exploring must find.
//!
//! Some are programs that the compiler takes. Where it refuses the mistake in a program, it is planted in the definition: other
//! tools make definitions too.

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_runner::Prepared;
use weave_scenario::{DefectKind, Exploring, Subject, explore};

use crate::program::Program;

/// A defect.
pub struct Planted {
    /// What is wrong, in a few words.
    pub what: &'static str,
    /// The program.
    pub text: &'static str,
    /// What is changed in its definition: JSON pointers with what is put there; nothing: it is taken away.
    pub edits: &'static [(&'static str, &'static str)],
    /// What exploring must find.
    pub kind: DefectKind,
}

macro_rules! with_sizes {
    ($text:literal) => {
        concat!(
            "tool measure(at: string) -> { high: int, wide: int, name: string, note?: string, names: string[] }\n",
            "tool paint(area: int(0..100), text: string(max: 60), names: string[](max: 3)) -> { ok: bool }\n",
            "tool label(text: string(min: 1)) -> { ok: bool }\n",
            "tool check(code: string(pattern: \"^[A-Z]+$\")) -> { ok: bool }\n",
            "event review.asked { at: string } -> review.granted | review.denied\n",
            "external event review.granted { by: string }\n",
            "external event review.denied { reason: string }\n",
            $text
        )
    };
}

const CHOICE: &str = with_sizes!(
    "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  end large on size when .size.high * .size.wide > 100
  end small on size else
}
"
);

const DRAFTS: &str = with_sizes!(
    "
workflow see(at: string) {
  step first { call measure { at: .input.at } }
  step draft on first | again = .event
  step again on draft when .draft.high > 4 limit 3 { call measure { at: .input.at } }
  end done on draft else
}
"
);

const APPROVAL: &str = with_sizes!(
    "
workflow see(at: string) {
  step approve { emit review.asked { at: .input.at } }
  step pay on review.granted from approve { call measure { at: .input.at } }
  end paid on pay
  end denied on review.denied from approve
  end late on timeout(approve, 24h)
}
"
);

const JOIN: &str = with_sizes!(
    "
workflow see(at: string) {
  step one { call measure { at: .input.at } }
  step two { call measure { at: .input.at } }
  step three { call measure { at: .input.at } }
  end done on all(one, two, three)
}
"
);

/// The twenty and some more.
pub const PLANTED: &[Planted] = &[
    Planted { what: "a choice without its else", text: CHOICE, edits: &[("/nodes/2", "")], kind: DefectKind::Stalled },
    Planted {
        what: "a choice that leaves out the boundary",
        text: CHOICE,
        edits: &[
            ("/nodes/2/else", ""),
            (
                "/nodes/2/when",
                r#"{"expr":{"op":"<","type":"int","args":[{"op":"*","type":"int","args":[{"path":["size","high"],"type":"int"},{"path":["size","wide"],"type":"int"}]},{"const":100,"type":"int"}]}}"#,
            ),
        ],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "an end on a step that never fires",
        text: CHOICE,
        edits: &[("/nodes/2/on", "\"large\""), ("/nodes/2/else", "")],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "a loop of a model without a limit and without a way out",
        text: DRAFTS,
        edits: &[("/nodes/2/limit", ""), ("/nodes/2/when", ""), ("/nodes/3", "")],
        kind: DefectKind::Endless,
    },
    Planted {
        what: "a loop that exhausts its limit, with no node for that",
        text: DRAFTS,
        edits: &[("/nodes/3", "")],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "a loop of values without a limit",
        text: with_sizes!(
            "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  step left on size | right limit 3 = 1
  step right on left when .size.high > 4 limit 3 = 2
  end done on left else
  end tired on right else
}
"
        ),
        edits: &[("/nodes/1/limit", ""), ("/nodes/2/limit", ""), ("/nodes/4", "")],
        kind: DefectKind::Runaway,
    },
    Planted {
        what: "a limit that no run reaches",
        text: with_sizes!(
            "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  step left on size | right limit 20000 = 1
  step right on left when .size.high > 4 limit 20000 = 2
  end done on left else
  end tired on right else
}
"
        ),
        edits: &[],
        kind: DefectKind::Runaway,
    },
    Planted {
        what: "a guarded loop without an exit",
        text: with_sizes!(
            "
workflow see(at: string) {
  step first { call measure { at: .input.at } }
  step draft on first | again = .event
  step again on draft when .draft.high * .draft.high >= 0 limit 50000 { call measure { at: .input.at } }
  end done on draft else
}
"
        ),
        edits: &[],
        kind: DefectKind::Endless,
    },
    Planted { what: "a denial that nobody takes", text: APPROVAL, edits: &[("/nodes/3", "")], kind: DefectKind::Stalled },
    Planted {
        what: "a timeout that cancels and then goes nowhere",
        text: APPROVAL,
        edits: &[("/nodes/4/terminal", ""), ("/nodes/4/cancel", "[\"approve\"]")],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "an end that wants both an approval and its expiry",
        text: APPROVAL,
        edits: &[("/nodes/2/on", r#"{"all":["pay","late"]}"#), ("/nodes/4/terminal", ""), ("/nodes/4/output", "1")],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "a join over a branch that may not be taken",
        text: JOIN,
        edits: &[
            ("/nodes/2/on", "\"one\""),
            ("/nodes/2/when", r#"{"expr":{"op":">","type":"int","args":[{"path":["one","high"],"type":"int"},{"const":4,"type":"int"}]}}"#),
        ],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "two nodes that wait for each other",
        text: JOIN,
        edits: &[("/nodes/1/on", "\"three\""), ("/nodes/2/on", "\"two\"")],
        kind: DefectKind::Stalled,
    },
    Planted {
        what: "an area beyond its bounds",
        text: with_sizes!(
            "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  step colour on size { call paint { area: .size.high, text: \"all\", names: [] } }
  end done on colour
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidInput,
    },
    Planted {
        what: "a template that grows too long",
        text: with_sizes!(
            "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  step colour on size { call paint { area: 1, text: \"The size of {{.size.name}} at {{.input.at}}\", names: [] } }
  end done on colour
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidInput,
    },
    Planted {
        what: "more names than a tool takes",
        text: with_sizes!(
            "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  step colour on size { call paint { area: 1, text: \"all\", names: .size.names } }
  end done on colour
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidInput,
    },
    Planted {
        what: "a code of the wrong form",
        text: with_sizes!(
            "
workflow see(at: string) {
  step size { call measure { at: .input.at } }
  step code on size when .size.high > 10 { call check { code: .size.name } }
  end small on size else
  end done on code
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidInput,
    },
    Planted {
        what: "an empty text after three approvals",
        text: with_sizes!(
            "
workflow see(at: string) {
  step first { emit review.asked { at: .input.at } }
  step second on review.granted from first { emit review.asked { at: .input.at } }
  step third on review.granted from second { emit review.asked { at: .input.at } }
  step size on review.granted from third { call measure { at: .input.at } }
  step mark on size { call label { text: .size.note ?? .input.at } }
  end done on mark
  end denied on review.denied from first | review.denied from second | review.denied from third
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidInput,
    },
    Planted {
        what: "a text that is too short, only when two answers say the same",
        text: with_sizes!(
            "
workflow see(at: string) {
  step one { call measure { at: .input.at } }
  step two on one { call measure { at: .input.at } }
  step mark on two when .one.name == .two.name { call label { text: .input.at } }
  end done on two else
  end marked on mark
}
"
        ),
        edits: &[("/nodes/2/payload/args/text", "\"{{.one.note}}\"")],
        kind: DefectKind::InvalidInput,
    },
    Planted {
        what: "an output beyond its bounds",
        text: with_sizes!(
            "
workflow see(at: string) -> { area: int(0..100) } {
  step size { call measure { at: .input.at } }
  end done on size = { area: .size.high }
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidOutput,
    },
    Planted {
        what: "an output that is too long, only when it is late",
        text: with_sizes!(
            "
workflow see(at: string) -> { text: string(max: 12) } {
  step approve { emit review.asked { at: .input.at } }
  end granted on review.granted from approve = { text: \"granted\" }
  end denied on review.denied from approve = { text: \"denied\" }
  end late on timeout(approve, 24h) = { text: .input.at }
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidOutput,
    },
    Planted {
        what: "an output that is too long, only after a failure",
        text: with_sizes!(
            "
workflow see(at: string) -> { text: string(max: 12) } {
  step size { call measure { at: .input.at } }
  end done on size = { text: \"done\" }
  end failed on failure(size) when .failure.kind == \"denied\" = { text: .input.at }
  end other on failure(size) else = { text: \"failed\" }
}
"
        ),
        edits: &[],
        kind: DefectKind::InvalidOutput,
    },
];

impl Planted {
    /// The workflow with its defect.
    ///
    /// # Panics
    ///
    /// If the program has an error.
    #[must_use]
    pub fn subject(&self) -> Subject {
        let checked = Program::one(self.text).check();
        assert!(!checked.snapshot.has_errors(), "{}: {}", self.what, checked.drawing());
        let compiled = checked.snapshot.compile().expect("the program can be lowered");
        let mut document = serde_json::to_value(&compiled[0].definition).expect("a definition is JSON");
        for (pointer, value) in self.edits {
            edit(&mut document, pointer, value);
        }
        let definition = Definition::from_json(&document.to_string());
        Subject::new(Prepared::new(definition.unwrap_or_else(|error| panic!("{}: {error}", self.what))), None)
    }

    /// After how many runs exploring finds the defect, with the lines of the test that shows it; nothing if it does not.
    #[must_use]
    pub fn found(&self, seed: u64) -> Option<(u32, usize)> {
        let subject = self.subject();
        let explored = explore(&subject, Exploring { runs: 4000, seed, defects: 1 });
        let found = explored.defects.iter().find(|defect| defect.kind == self.kind)?;
        Some((explored.runs, found.script.root.lines.len()))
    }
}

fn edit(document: &mut Value, pointer: &str, value: &str) {
    let (above, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    let above = document.pointer_mut(above).expect("the part is there");
    let value: Option<Value> = (!value.is_empty()).then(|| serde_json::from_str(value).unwrap_or_else(|_| json!(value)));
    match (above, value) {
        (Value::Array(items), None) => {
            items.remove(key.parse().expect("a place"));
        }
        (Value::Array(items), Some(value)) => items[key.parse::<usize>().expect("a place")] = value,
        (Value::Object(entries), None) => {
            entries.remove(key);
        }
        (Value::Object(entries), Some(value)) => {
            entries.insert(key.to_owned(), value);
        }
        _ => {}
    }
}
