//! A first pause that is longer than the longest one.

use weave_diagnostics::{Applicability, Code, Edit, Fix, Severity, Span};
use weave_syntax::ast::{Setting, SettingValue};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "base-above-max",
    severity: Severity::Warning,
    summary: "The base pause of a retry is longer than its maximum pause.",
    explanation: "`base` is the first pause and `max` is the longest one. A `base` above `max` is cut to `max` and never grows. The two values are probably swapped.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { backoff exponential, base 30s, max 1s }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 3 { backoff exponential, base 1s, max 30s }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for view in file.retries() {
        if view.retry.base.zip(view.retry.cap).is_none_or(|(base, cap)| base <= cap) {
            continue;
        }
        let (Some(base), Some(max)) = (view.inner("base").and_then(value), view.inner("max").and_then(value)) else { continue };
        let text = |span: Span| span.text(view.context.text).to_owned();
        let edits = vec![Edit { place: view.place(base), text: text(max) }, Edit { place: view.place(max), text: text(base) }];
        let message = format!("the first pause of the retry of `{}` is longer than its longest pause", view.name);
        findings.report(
            findings
                .at(view.place(base), message)
                .label("the first pause")
                .also(view.place(max), "the longest pause")
                .help("make `base` shorter than `max`")
                .fix(Fix { message: "swap them".to_owned(), edits, applicability: Applicability::Unsafe }),
        );
    }
}

fn value(setting: &Setting) -> Option<Span> {
    match &setting.value {
        SettingValue::Value { value, .. } => Some(value.span()),
        _ => None,
    }
}
