//! What can be wrong with a baseline. The examples are such files.

use weave_diagnostics::{Code, Severity};

/// A text that is no baseline.
pub(crate) static SYNTAX: Code = Code {
    id: "baseline-syntax",
    severity: Severity::Error,
    summary: "A baseline cannot be read.",
    explanation: "A baseline is a JSON file that `weave lint --write-baseline` writes: `version`, and `findings` with `file`, `rule`, `item`, `fingerprint`, `count` and `message` each. This file is damaged, perhaps by a merge, or it is not a baseline. To resolve a merge conflict, take either side and write the baseline again. The message comes from the JSON parser.",
    bad: "{\n  \"version\": 1,\n  \"findings\": [\n}\n",
    good: "{\n  \"version\": 1,\n  \"findings\": []\n}\n",
};

/// A baseline of another version.
pub(crate) static VERSION: Code = Code {
    id: "baseline-version",
    severity: Severity::Error,
    summary: "A baseline has an unknown version.",
    explanation: "Another version of weave wrote the file and identifies findings differently. Use that version, or remove the file and write it again with `weave lint --write-baseline`.",
    bad: "{\n  \"version\": 2,\n  \"findings\": []\n}\n",
    good: "{\n  \"version\": 1,\n  \"findings\": []\n}\n",
};

/// All of them.
pub static CODES: &[&Code] = &[&SYNTAX, &VERSION];
