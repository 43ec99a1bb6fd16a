//! A comment that allows a rule in a file and does not say why.

use weave_diagnostics::{Code, Severity};

use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "reasonless-allow",
    severity: Severity::Warning,
    summary: "A file allows a rule without a reason.",
    explanation: "The next reader cannot tell whether the finding was considered. Write the reason after the closing parenthesis: `// weave: allow-file(rule) the reason`.",
    bad: "// weave: allow-file(destructive-without-approval)\n\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Handles requests of customers.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
    good: "// weave: allow-file(destructive-without-approval) the host asks by itself\n\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Handles requests of customers.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Suppressions, options: &[] };
