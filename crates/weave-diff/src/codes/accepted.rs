//! What is said about changes that were agreed to.

use weave_diagnostics::{Code, Severity};

/// An entry that is about nothing.
pub(crate) static UNUSED_ACCEPT: Code = Code {
    id: "unused-accept",
    severity: Severity::Warning,
    summary: "An accepted change does not occur.",
    explanation: "An entry of `accept` in `weave.toml` describes a change that the comparison does not contain: it was reverted, the old version already includes it, or its id or item is misspelled. An entry that remains would hide the next such change.",
    bad: "[diff]\naccept = [{ id = \"tool-removed\", item = \"refund\", reason = \"it is not used\" }]\n",
    good: "[diff]\naccept = []\n",
};

/// An entry without a reason.
pub(crate) static REASONLESS_ACCEPT: Code = Code {
    id: "reasonless-accept",
    severity: Severity::Warning,
    summary: "An accepted change has no reason.",
    explanation: "A later reader of `accept` in `weave.toml` needs to know why the change is safe: for example, that all producers of the event were updated first, or that there are none yet.",
    bad: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\" }]\n",
    good: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\", reason = \"it was never sent\" }]\n",
};

/// An entry whose day is over.
pub(crate) static EXPIRED_ACCEPT: Code = Code {
    id: "expired-accept",
    severity: Severity::Warning,
    summary: "The date of an accepted change has passed.",
    explanation: "After the date in `until`, an entry of `accept` no longer applies, and the change is reported again. Extend the date, or revert the change.",
    bad: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\", reason = \"until all have moved\", until = \"2025-06-30\" }]\n",
    good: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\", reason = \"until all have moved\", until = \"2199-06-30\" }]\n",
};
