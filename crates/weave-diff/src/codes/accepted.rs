//! What is said about changes that were agreed to.

use weave_diagnostics::{Code, Severity};

/// An entry that is about nothing.
pub(crate) static UNUSED_ACCEPT: Code = Code {
    id: "unused-accept",
    severity: Severity::Warning,
    summary: "An accepted change is not there.",
    explanation: "An entry of `accept` in `weave.toml` is about a change that the comparison does not have: it was taken back, it is in the old version by now, or the id or the \
                  item is misspelt. What stays there lets the next such change through unseen.",
    bad: "[diff]\naccept = [{ id = \"tool-removed\", item = \"refund\", reason = \"nobody calls it\" }]\n",
    good: "[diff]\naccept = []\n",
};

/// An entry without a reason.
pub(crate) static REASONLESS_ACCEPT: Code = Code {
    id: "reasonless-accept",
    severity: Severity::Warning,
    summary: "A change is accepted without a reason.",
    explanation: "Whoever reads `accept` in `weave.toml` later wants to know why nobody is broken by the change: that all who send the event were brought up to date first, or that \
                  there are none yet.",
    bad: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\" }]\n",
    good: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\", reason = \"nobody ever sent it\" }]\n",
};

/// An entry whose day is over.
pub(crate) static EXPIRED_ACCEPT: Code = Code {
    id: "expired-accept",
    severity: Severity::Warning,
    summary: "A change was accepted until a day that is over.",
    explanation: "Behind the day that `until` names, an entry of `accept` counts no more, and the change is reported again. Agree to it anew, or take it back.",
    bad: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\", reason = \"until all have moved\", until = \"2025-06-30\" }]\n",
    good: "[diff]\naccept = [{ id = \"field-removed\", item = \"order.paid.note\", reason = \"until all have moved\", until = \"2199-06-30\" }]\n",
};
