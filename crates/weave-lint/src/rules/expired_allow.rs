//! An allowance whose day has passed.

use weave_diagnostics::{Code, Severity};

use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "expired-allow",
    severity: Severity::Error,
    summary: "The date of an `@allow` has passed.",
    explanation: "`@allow(rule, \"reason\", until: \"2027-06-30\")` promises a fix by that date. The date has passed. Fix the finding, or set a later date with a reason.",
    bad: "@allow(destructive-without-approval, \"the approval service is being built\", until: \"2020-01-31\")\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Handles requests of customers.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
    good: "@allow(destructive-without-approval, \"the approval service is being built\", until: \"9999-12-31\")\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Handles requests of customers.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Correctness, fixable: Fixable::No, check: Check::Suppressions, options: &[] };
