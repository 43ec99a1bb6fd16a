//! Attempts that follow one another at once.

use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "retry-without-pause",
    severity: Severity::Warning,
    summary: "A retry tries again at once.",
    explanation: "What has just failed mostly fails again a millisecond later, and a server that is too busy gets busier. Say with \
                  `base` how long to wait, and with `backoff exponential` that later pauses are longer.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { backoff exponential, base 1s }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for view in file.retries() {
        let speaks_of_pauses = view.inner("backoff").is_some() || view.inner("max").is_some();
        if view.retry.max == 0 || view.retry.base.is_some() || speaks_of_pauses {
            continue;
        }
        let (place, text) = view.add("backoff exponential, base 1s");
        let finding = findings.at(view.place(view.count()), format!("`{}` is tried again at once", view.name));
        let help = format!("say how long to wait: `retry {} {{ backoff exponential, base 1s }}`", view.retry.max);
        findings.report(finding.label("without a pause").help(help).replace(
            Applicability::Unsafe,
            "wait, and longer each time",
            place,
            text,
        ));
    }
}
