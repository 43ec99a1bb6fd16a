//! A tool that is called again although each call counts.

use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "retry-not-idempotent",
    severity: Severity::Warning,
    summary: "A call that is not safe to repeat is retried after failures that leave its outcome unknown.",
    explanation: "The `hints` of the tool do not include `idempotent`, so two calls act twice. After `timeout`, `execution_error` or `invalid_output` the first call may have succeeded; a retry then books, pays or sends again. Retry only after failures which guarantee that nothing happened, such as `unavailable` or a declared error, or make the tool safe to repeat and declare it `idempotent`.",
    bad: "\
/// Sends a letter.
tool send(to: string, text: string) {
  hints [open_world]
  retry 3 { base 1s, on [unavailable, timeout] }
}
",
    good: "\
/// Sends a letter.
tool send(to: string, text: string) {
  hints [open_world]
  retry 3 { base 1s, on [unavailable] }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

/// The failures after which the work may have been done.
const UNCERTAIN: [&str; 3] = ["timeout", "execution_error", "invalid_output"];

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for view in file.retries() {
        let Some(hints) = view.tool.and_then(|tool| tool.hints) else { continue };
        if hints.idempotent || hints.read_only || view.retry.max == 0 {
            continue;
        }
        let spans: Vec<Span> = view.on().iter().map(|item| item.value.span()).collect();
        let is_uncertain = |span: &Span| UNCERTAIN.contains(&span.text(view.context.text));
        let Some(place) = (if spans.is_empty() { Some(view.setting.span) } else { spans.iter().copied().find(is_uncertain) }) else {
            continue;
        };
        let message = format!("`{}` is retried but not declared safe to repeat", view.name);
        let finding = findings.at(view.place(place), message);
        let finding = if view.inner("on").is_none() {
            let (place, text) = view.add("on [unavailable]");
            let label = "retries after any failure, even if the call may have succeeded";
            finding.label(label).replace(Applicability::Unsafe, "retry only if nothing has happened", place, text)
        } else {
            let certain: Vec<&str> = spans.iter().filter(|span| !is_uncertain(span)).map(|span| span.text(view.context.text)).collect();
            let certain = if certain.is_empty() { "unavailable".to_owned() } else { certain.join(", ") };
            let whole = spans.first().zip(spans.last()).map_or(place, |(first, last)| first.join(*last));
            let finding = finding.label("the first call may have succeeded");
            finding.replace(Applicability::Unsafe, "retry only if nothing has happened", view.place(whole), certain)
        };
        findings
            .report(finding.help("retry only after failures which guarantee that nothing happened, or add `idempotent` to its `hints`"));
    }
}
