//! How often each rule was broken.

use std::collections::BTreeMap;

use weave_diagnostics::Diagnostic;

/// How often an id was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleCount {
    /// The id.
    pub id: &'static str,
    /// How often.
    pub count: usize,
    /// How many of them have a fix.
    pub fixable: usize,
}

/// How often each id was found: the most frequent first, equally frequent ones by their names.
#[must_use]
pub fn statistics(diagnostics: &[Diagnostic]) -> Vec<RuleCount> {
    let mut counts: BTreeMap<&'static str, RuleCount> = BTreeMap::new();
    for diagnostic in diagnostics {
        let id = diagnostic.code.id;
        let entry = counts.entry(id).or_insert(RuleCount { id, count: 0, fixable: 0 });
        entry.count += 1;
        entry.fixable += usize::from(!diagnostic.fixes.is_empty());
    }
    let mut counts: Vec<RuleCount> = counts.into_values().collect();
    // The sort is stable, so equal counts stay in the order of their names.
    counts.sort_by_key(|rule| std::cmp::Reverse(rule.count));
    counts
}

/// The counts as a table: a line each, and nothing where nothing was found.
#[must_use]
pub fn statistics_table(diagnostics: &[Diagnostic]) -> String {
    let counts = statistics(diagnostics);
    let digits = counts.first().map_or(0, |rule| rule.count.to_string().len());
    let longest = counts.iter().filter(|rule| rule.fixable > 0).map(|rule| rule.id.len()).max().unwrap_or(0);
    let lines = counts.iter().map(|RuleCount { id, count, fixable }| match fixable {
        0 => format!("{count:>digits$}  {id}\n"),
        _ => format!("{count:>digits$}  {id:<longest$}  {fixable} with a fix\n"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use weave_diagnostics::{Applicability, Code, FileId, Place, Severity, Span};

    use super::*;

    static A: Code = Code { id: "a-rule", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };
    static B: Code = Code { id: "b", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };
    static C: Code = Code { id: "c", severity: Severity::Warning, summary: "", explanation: "", bad: "", good: "" };

    #[test]
    fn the_most_frequent_comes_first_and_equals_by_name() {
        let place = Place::new(FileId(0), Span::at(0));
        let of = |code| Diagnostic::new(code, place, "");
        let fixed = of(&C).replace(Applicability::Safe, "mend it", place, "");
        let mut found = vec![fixed, of(&B), of(&A)];
        found.extend((0..9).map(|_| of(&C)));
        assert_eq!(statistics_table(&found), "10  c  1 with a fix\n 1  a-rule\n 1  b\n");
        assert_eq!(statistics_table(&[]), "");
    }
}
