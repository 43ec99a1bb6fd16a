//! What can be wrong with a baseline. The examples are such files.

use weave_diagnostics::{Code, Severity};

/// A text that is no baseline.
pub(crate) static SYNTAX: Code = Code {
    id: "baseline-syntax",
    severity: Severity::Error,
    summary: "A baseline cannot be read.",
    explanation: "A baseline is a JSON file that `weave lint --write-baseline` writes: `version`, and `findings` with `file`, `rule`, `item`, `fingerprint`, `count` and \
                  `message` each. This one is broken, perhaps by a merge; or the file is something else. To resolve a merge, take either side and write it anew. \
                  The message is that of the reader of JSON.",
    bad: "{\n  \"version\": 1,\n  \"findings\": [\n}\n",
    good: "{\n  \"version\": 1,\n  \"findings\": []\n}\n",
};

/// A baseline of another version.
pub(crate) static VERSION: Code = Code {
    id: "baseline-version",
    severity: Severity::Error,
    summary: "A baseline has a version that this program does not know.",
    explanation: "The file was written by another version of weave, which knows findings by something else. Use that version, or remove the file and write it anew \
                  with `weave lint --write-baseline`.",
    bad: "{\n  \"version\": 2,\n  \"findings\": []\n}\n",
    good: "{\n  \"version\": 1,\n  \"findings\": []\n}\n",
};

/// All of them.
pub static CODES: &[&Code] = &[&SYNTAX, &VERSION];
