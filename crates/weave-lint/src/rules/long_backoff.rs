//! Pauses that grow beyond all measure.

use weave_analysis::model::declarations::Backoff;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "long-backoff",
    severity: Severity::Warning,
    summary: "The pauses of a retry grow very long.",
    explanation: "With `backoff exponential` each pause is twice as long as the one before. Ten attempts that begin with ten seconds end with a pause of an hour and a half. Limit the pauses with `max`.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 12 { backoff exponential, base 10s }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 12 { backoff exponential, base 10s, max 5m }
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::Unsafe,
    check: Check::File(check),
    options: &[RuleOption { name: "minutes", summary: "How many minutes the last pause may take.", default: 60, least: 1, most: 100_000 }],
};

const MINUTE: u64 = 60_000;

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let most = findings.option("minutes").saturating_mul(MINUTE);
    for view in file.retries() {
        let retry = view.retry;
        let (Some(Backoff::Exponential), Some(base), None) = (retry.backoff, retry.base, retry.cap) else { continue };
        let doublings = u32::try_from(retry.max.saturating_sub(1)).unwrap_or(u32::MAX);
        let last = 2_u64.saturating_pow(doublings).saturating_mul(base);
        if last <= most {
            continue;
        }
        let (place, text) = view.add("max 5m");
        let finding = findings.at(view.place(view.count()), format!("the last pause of the retry of `{}` is {}", view.name, length(last)));
        findings.report(finding.label("each pause is twice as long as the one before").help("limit the pauses, such as `max 5m`").replace(
            Applicability::Unsafe,
            "wait at most five minutes",
            place,
            text,
        ));
    }
}

fn length(milliseconds: u64) -> String {
    let minutes = milliseconds / MINUTE;
    match minutes {
        0..=180 => format!("{minutes} minutes long"),
        181..=4320 => format!("{} hours long", minutes / 60),
        4321..=1_000_000 => format!("{} days long", minutes / 1440),
        _ => "longer than a year".to_owned(),
    }
}
