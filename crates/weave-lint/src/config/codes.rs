//! What can be wrong with a `weave.toml`. The examples are such files.

use weave_diagnostics::{Code, Severity};

/// A text that is no TOML.
pub(crate) static SYNTAX: Code = Code {
    id: "config-syntax",
    severity: Severity::Error,
    summary: "A `weave.toml` is not valid TOML.",
    explanation: "The file cannot be parsed as TOML, so all of it is ignored. The message comes from the TOML parser.",
    bad: "[lint.rules\nmissing-description = \"off\"\n",
    good: "[lint.rules]\nmissing-description = \"off\"\n",
};

/// A key that means nothing.
pub(crate) static UNKNOWN_KEY: Code = Code {
    id: "unknown-config-key",
    severity: Severity::Error,
    summary: "A key in a `weave.toml` is unknown.",
    explanation: "An unknown key is probably misspelled, and its setting is ignored. Levels of rules go under `[lint.rules]`, levels of groups under `[lint.groups]`, and settings for some files only under `[[lint.overrides]]`; accepted changes go in `accept` under `[diff]`, the settings of generated code under `[gen]`, and what carries out the calls of tools under `[tools]`.",
    bad: "[lint.rule]\nmissing-description = \"off\"\n",
    good: "[lint.rules]\nmissing-description = \"off\"\n",
};

/// A rule or a group that does not exist.
pub(crate) static UNKNOWN_RULE: Code = Code {
    id: "unknown-config-rule",
    severity: Severity::Error,
    summary: "A rule or a group in a `weave.toml` does not exist.",
    explanation: "There is no rule with this name, or no group. `weave explain` lists all rules; the groups are `correctness`, `suspicious`, `security`, \
                  `style` and `pedantic`. Errors of the language have ids too, but no level.",
    bad: "[lint.rules]\nmissing-descriptions = \"off\"\n",
    good: "[lint.rules]\nmissing-description = \"off\"\n",
};

/// A kind of change that does not exist.
pub(crate) static UNKNOWN_CHANGE: Code = Code {
    id: "unknown-config-change",
    severity: Severity::Error,
    summary: "A kind of change in a `weave.toml` does not exist.",
    explanation: "`accept` under `[diff]` refers to kinds of changes by the ids that `weave diff` prints. No kind has this id, so the entry accepts nothing. `weave explain` lists all ids.",
    bad: "[[diff.accept]]\nid = \"field-remove\"\nitem = \"order.paid.note\"\nreason = \"it was never sent\"\n",
    good: "[[diff.accept]]\nid = \"field-removed\"\nitem = \"order.paid.note\"\nreason = \"it was never sent\"\n",
};

/// A value of another kind than the key takes.
pub(crate) static VALUE: Code = Code {
    id: "config-value",
    severity: Severity::Error,
    summary: "A value in a `weave.toml` does not fit its key.",
    explanation: "A level is `\"off\"`, `\"note\"`, `\"warn\"` or `\"error\"`. A rule may also have a table: `{ level = \"warn\", … }` with its options. `paths` is a list of \
                  patterns: `*` stays within a folder, `**` does not.",
    bad: "[lint.rules]\nmissing-description = \"of\"\n",
    good: "[lint.rules]\nmissing-description = \"off\"\n",
};

/// All of them.
pub static CODES: &[&Code] = &[&SYNTAX, &UNKNOWN_CHANGE, &UNKNOWN_KEY, &UNKNOWN_RULE, &VALUE];
