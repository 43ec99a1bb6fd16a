//! A failure that comes again each time.

use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::edit::without_item;
use crate::findings::Findings;
use crate::project::FileView;
use crate::retries::RetryView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "hopeless-retry",
    severity: Severity::Warning,
    summary: "A retry lists a failure that another attempt cannot fix.",
    explanation: "`invalid_input`, `denied`, `cancelled`, `unknown_tool` and `non_local_tool` occur again on every attempt: the arguments are the same, the person has refused, the tool does not exist. Without `on` they are not retried either. Handle the failure with `on failure(step)` instead.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { base 1s, on [unavailable, denied] }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { base 1s, on [unavailable] }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

/// What another attempt cannot mend.
const HOPELESS: [&str; 5] = ["invalid_input", "denied", "cancelled", "unknown_tool", "non_local_tool"];

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for view in file.retries() {
        let spans: Vec<Span> = view.on().iter().map(|item| item.value.span()).collect();
        for (index, span) in spans.iter().enumerate() {
            let name = span.text(view.context.text);
            // Nobody may declare an error of such a name.
            if !HOPELESS.contains(&name) {
                continue;
            }
            let finding = findings.at(view.place(*span), format!("`{name}` occurs again on every retry of `{}`", view.name));
            let finding = finding
                .label("another attempt cannot fix this")
                .help(format!("handle it with `on failure({})` in the workflow", step(view)));
            // A list of nothing would stand for all failures.
            findings.report(if spans.len() > 1 {
                let removed = view.place(without_item(view.context.text, &spans, index));
                finding.replace(Applicability::Unsafe, "remove it", removed, "")
            } else {
                finding
            });
        }
    }
}

/// The step whose failure can be handled.
const fn step<'a>(view: &RetryView<'a>) -> &'a str {
    if view.in_step { view.name } else { "step" }
}
