//! `@allow(rule, "reason", until: "2027-06-30")` and `// weave: allow-file(rule) reason`.

mod collect;

use weave_diagnostics::{Diagnostic, Place, Span, closest};

use crate::edit::whole_lines;
use crate::project::FileView;
use crate::registry::{RULES, find};
use crate::rule::Rule;
use crate::rules::{EXPIRED_ALLOW, REASONLESS_ALLOW, UNKNOWN_RULE, UNUSED_ALLOW};

/// A day, as `2027-06-30`; days compare as their texts do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(String);

impl Day {
    /// The day that a text names; nothing if it is no such text.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = text.split('-').collect();
        matches!(parts.as_slice(), [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
            .then(|| Self(text.to_owned()))
    }

    /// The day this many days after the first of January 1970.
    #[must_use]
    pub fn since_1970(days: u64) -> Self {
        // Years are counted from March, so that the leap day is the last of its year; an era is 400 years.
        let days = days + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Self(format!("{:04}-{month:02}-{day:02}", era * 400 + year + later))
    }

    /// The day as a text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One thing that is allowed.
#[derive(Clone, Debug)]
struct Allowance {
    /// The attribute or the comment.
    place: Place,
    /// The rule's name as it was written, and where.
    rule: String,
    rule_place: Place,
    /// Where it is allowed.
    scope: Span,
    /// Until when.
    until: Option<Day>,
    /// Whether it says why.
    has_reason: bool,
    is_used: bool,
}

/// Takes away the findings that are allowed. The answer is what is wrong with the allowances themselves.
pub(crate) fn apply(
    files: &[FileView<'_>],
    found: &mut Vec<Diagnostic>,
    today: Option<&Day>,
    is_off: &dyn Fn(weave_diagnostics::FileId, &Rule) -> bool,
) -> Vec<Diagnostic> {
    let mut allowances: Vec<Vec<Allowance>> = files.iter().map(collect::allowances).collect();
    if allowances.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let has_expired = |allowance: &Allowance| allowance.until.as_ref().zip(today).is_some_and(|(until, today)| until < today);
    found.retain(|finding| {
        let place = finding.primary.place;
        let in_file = (place.file.0 as usize).checked_sub(1).and_then(|index| allowances.get_mut(index));
        let mut is_allowed = false;
        for allowance in in_file.into_iter().flatten() {
            let covers =
                allowance.rule == finding.code.id && allowance.scope.start <= place.span.start && place.span.end <= allowance.scope.end;
            allowance.is_used |= covers;
            is_allowed |= covers;
        }
        !is_allowed
    });
    let with_text =
        files.iter().zip(&allowances).flat_map(|(file, allowances)| allowances.iter().map(|allowance| (file.text(), allowance)));
    with_text.flat_map(|(text, allowance)| about(allowance, text, has_expired(allowance), is_off)).collect()
}

/// What is wrong with an allowance.
fn about(
    allowance: &Allowance,
    text: &str,
    has_expired: bool,
    is_off: &dyn Fn(weave_diagnostics::FileId, &Rule) -> bool,
) -> Vec<Diagnostic> {
    let (rule, place) = (&allowance.rule, allowance.place);
    let Some(known) = find(rule) else { return vec![unknown(rule, allowance.rule_place)] };
    let mut said = Vec::new();
    if !allowance.has_reason {
        let finding = Diagnostic::new(REASONLESS_ALLOW.code, place, format!("`{rule}` is allowed without a reason"));
        said.push(finding.label("no reason").help("give the reason: `// weave: allow-file(rule) the reason`"));
    }
    if !allowance.is_used && !is_off(place.file, known) {
        let finding = Diagnostic::new(UNUSED_ALLOW.code, place, format!("`{rule}` reports nothing here"));
        said.push(finding.label("suppresses nothing").replace(
            weave_diagnostics::Applicability::Safe,
            "remove it",
            Place::new(place.file, whole_lines(text, place.span)),
            "",
        ));
    } else if has_expired {
        let until = allowance.until.as_ref().map(Day::as_str).unwrap_or_default();
        let finding = Diagnostic::new(EXPIRED_ALLOW.code, place, format!("`{rule}` was allowed until {until}"));
        said.push(finding.label("no longer allowed").help("fix the finding, or set a later date with a reason"));
    }
    said
}

fn unknown(rule: &str, place: Place) -> Diagnostic {
    let finding = Diagnostic::new(UNKNOWN_RULE.code, place, format!("`{rule}` is not a rule")).label("unknown rule");
    let known = |code: &&weave_diagnostics::Code| code.id == rule;
    if weave_analysis::CODES.iter().chain(weave_syntax::CODES).any(known) {
        return finding.help("this is an error of the language, which cannot be allowed");
    }
    match closest(rule, RULES.iter().map(|rule| rule.id())) {
        Some(near) => finding.help(format!("did you mean `{near}`?")).replace(
            weave_diagnostics::Applicability::Unsafe,
            format!("replace it with `{near}`"),
            place,
            near,
        ),
        None => finding.help("`weave explain` lists all rules"),
    }
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn days_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (20_778, "2026-11-21"),
        ];
        for (days, text) in cases {
            assert_eq!(Day::since_1970(days).as_str(), text);
            assert_eq!(Day::new(text), Some(Day::since_1970(days)));
        }
        assert!(["", "2026-1-1", "today", "2026-11-21 "].into_iter().all(|text| Day::new(text).is_none()));
    }
}
