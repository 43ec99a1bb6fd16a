//! A tool that is called again although each call counts.

use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "retry-not-idempotent",
    severity: Severity::Warning,
    summary: "What is not safe to repeat is tried again after a failure that may come too late.",
    explanation: "The `hints` of the tool do not say `idempotent`, so calling it twice does something twice. After `timeout`, \
                  `execution_error` or `invalid_output` nobody knows whether the first call has done its work; a retry then books, pays \
                  or sends again. Try again only after failures that say that nothing has happened, such as `unavailable` or an error of \
                  the tool, or make the tool safe to repeat and say so.",
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
        let message = format!("`{}` is tried again, but is not said to be safe to repeat", view.name);
        let finding = findings.at(view.place(place), message);
        let finding = if view.inner("on").is_none() {
            let (place, text) = view.add("on [unavailable]");
            let label = "after any failure, even one that comes when the work is done";
            finding.label(label).replace(Applicability::Unsafe, "try again only if nothing has happened", place, text)
        } else {
            let certain: Vec<&str> = spans.iter().filter(|span| !is_uncertain(span)).map(|span| span.text(view.context.text)).collect();
            let certain = if certain.is_empty() { "unavailable".to_owned() } else { certain.join(", ") };
            let whole = spans.first().zip(spans.last()).map_or(place, |(first, last)| first.join(*last));
            let finding = finding.label("then the first call may have done its work");
            finding.replace(Applicability::Unsafe, "try again only if nothing has happened", view.place(whole), certain)
        };
        findings
            .report(finding.help("try again only after failures that say that nothing has happened, or say `idempotent` in its `hints`"));
    }
}
