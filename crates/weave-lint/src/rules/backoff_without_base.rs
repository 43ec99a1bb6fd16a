//! Pauses of no length.

use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "backoff-without-base",
    severity: Severity::Warning,
    summary: "A retry configures backoff but has no base pause.",
    explanation: "`base` is the first pause; `backoff` and `max` control how it grows. Without `base` there is no pause at all: the attempts follow one another immediately, and an overloaded server receives all of them at once. Set `base`.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { backoff exponential, on [unavailable] }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { backoff exponential, base 500ms, on [unavailable] }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for view in file.retries() {
        if view.retry.base.is_some() || view.retry.max == 0 {
            continue;
        }
        let Some(setting) = view.inner("backoff").or_else(|| view.inner("max")) else { continue };
        let (place, text) = view.add("base 1s");
        let finding = findings.at(view.place(setting.span), format!("the retry of `{}` has no pause that could grow", view.name));
        findings.report(finding.label("has no effect without `base`").help("set the first pause, such as `base 1s`").replace(
            Applicability::Unsafe,
            "wait one second before the first retry",
            place,
            text,
        ));
    }
}
