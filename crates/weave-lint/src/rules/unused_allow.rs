//! An allowance that nothing needs.

use weave_diagnostics::{Code, Severity};

use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unused-allow",
    severity: Severity::Warning,
    summary: "An `@allow` suppresses nothing.",
    explanation: "The rule reports nothing here: the problem was fixed, or the code was moved. An `@allow` that remains would hide the next finding. Remove it.",
    bad: "@allow(destructive-without-approval, \"the host asks\")\n/// Finds an account.\ntool find(account: string) -> string {\n  hints [read_only]\n}\n",
    good: "/// Finds an account.\ntool find(account: string) -> string {\n  hints [read_only]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::Suppressions, options: &[] };
