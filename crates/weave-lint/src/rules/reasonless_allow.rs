//! A comment that allows a rule in a file and does not say why.

use weave_diagnostics::{Code, Severity};

use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "reasonless-allow",
    severity: Severity::Warning,
    summary: "A rule is allowed in a file without a reason.",
    explanation: "Whoever reads the file next cannot tell whether the finding was looked at. Write the reason behind the closing \
                  parenthesis: `// weave: allow-file(rule) the reason`.",
    bad: "// weave: allow-file(destructive-without-approval)\n\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Does what it is told.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
    good: "// weave: allow-file(destructive-without-approval) the host asks by itself\n\n/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Does what it is told.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Suppressions, options: &[] };
