//! A rule that is allowed and does not exist.

use weave_diagnostics::{Code, Severity};

use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unknown-rule",
    severity: Severity::Warning,
    summary: "An allowed rule does not exist.",
    explanation: "The name in `@allow(` or `allow-file(` is not a rule, so nothing is allowed. Errors of the language have ids too but cannot be allowed. `weave explain` lists all rules.",
    bad: "@allow(destructive-without-aproval, \"the host asks\")\n/// Finds an account.\ntool find(account: string) -> string {\n  hints [read_only]\n}\n",
    good: "/// Finds an account.\ntool find(account: string) -> string {\n  hints [read_only]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Suppressions, options: &[] };
