//! Attempts without end.

use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "many-retries",
    severity: Severity::Warning,
    summary: "A retry makes very many attempts.",
    explanation: "One more attempt rarely fixes what has already failed many times. It only delays the failure for the run and everything that waits for it. Retry a few times, then handle the failure in the workflow.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 100 { base 1s }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 5 { base 1s }
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::No,
    check: Check::File(check),
    options: &[RuleOption { name: "most", summary: "How many further attempts are fine.", default: 20, least: 1, most: 1000 }],
};

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let most = findings.option("most");
    for view in file.retries().iter().filter(|view| view.retry.max > most) {
        let finding = findings.at(view.place(view.count()), format!("`{}` is retried {} times", view.name, view.retry.max));
        findings.report(finding.label(format!("more than {most}")).help("retry a few times, and handle the failure in the workflow"));
    }
}
