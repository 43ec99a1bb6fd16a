//! Attempts that follow one another at once.

use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "retry-without-pause",
    severity: Severity::Warning,
    summary: "A retry has no pause between attempts.",
    explanation: "A call that has just failed will probably fail again a millisecond later, and an overloaded server gets even busier. Set the first pause with `base`, and let later pauses grow with `backoff exponential`.",
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
        let finding = findings.at(view.place(view.count()), format!("`{}` is retried without a pause", view.name));
        let help = format!("set a pause: `retry {} {{ backoff exponential, base 1s }}`", view.retry.max);
        findings.report(finding.label("no pause").help(help).replace(
            Applicability::Unsafe,
            "wait between attempts, longer each time",
            place,
            text,
        ));
    }
}
