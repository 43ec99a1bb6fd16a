//! Pauses of no length.

use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "backoff-without-base",
    severity: Severity::Warning,
    summary: "A retry says how its pauses grow, but has none.",
    explanation: "`base` is the first pause; `backoff` and `max` say what becomes of it. Without `base` there is no pause at all: the \
                  attempts follow one another at once, and the server that was too busy gets them all. Say how long the first pause is.",
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
        let finding = findings.at(view.place(setting.span), format!("the retry of `{}` has no pauses that could grow", view.name));
        findings.report(finding.label("of no effect without `base`").help("say how long the first pause is, such as `base 1s`").replace(
            Applicability::Unsafe,
            "wait a second before the first further attempt",
            place,
            text,
        ));
    }
}
