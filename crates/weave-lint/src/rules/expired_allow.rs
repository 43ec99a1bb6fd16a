//! An allowance whose day has passed.

use weave_diagnostics::{Code, Severity};

use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "expired-allow",
    severity: Severity::Error,
    summary: "What was allowed until a day is not allowed any more.",
    explanation: "`@allow(rule, \"reason\", until: \"2027-06-30\")` promises that something is mended by that day. The day has \
                  passed. Mend what it allows, or name a later day with a reason.",
    bad: "@allow(destructive-without-approval, \"the approval service is being built\", until: \"2020-01-31\")\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Does what it is told.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
    good: "@allow(destructive-without-approval, \"the approval service is being built\", until: \"9999-12-31\")\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Does what it is told.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Correctness, fixable: Fixable::No, check: Check::Suppressions, options: &[] };
