//! How many defects are found.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{KINDS, Verdict};

/// The counts of one kind, or of several.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// Defects that change the program.
    pub seeded: usize,
    /// Those that are reported.
    pub found: usize,
    /// Those that are reported with one diagnostic.
    pub single: usize,
    /// Those that are reported and whose place can be judged.
    pub placed: usize,
    /// Those of them that are reported at a right place.
    pub right: usize,
}

impl Row {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Same => {}
            Verdict::Missed => self.seeded += 1,
            Verdict::Found { ids, right } => {
                self.seeded += 1;
                self.found += 1;
                self.single += usize::from(ids.len() == 1);
                self.placed += usize::from(right.is_some());
                self.right += usize::from(*right == Some(true));
            }
        }
    }

    fn join(&mut self, other: Self) {
        self.seeded += other.seeded;
        self.found += other.found;
        self.single += other.single;
        self.placed += other.placed;
        self.right += other.right;
    }
}

/// The counts of all kinds.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: BTreeMap<&'static str, Row>,
}

impl Table {
    /// One more defect.
    pub fn add(&mut self, kind: &'static str, verdict: &Verdict) {
        self.rows.entry(kind).or_default().add(verdict);
    }

    /// The counts of a kind.
    #[must_use]
    pub fn row(&self, kind: &str) -> Row {
        self.rows.get(kind).copied().unwrap_or_default()
    }

    /// The counts of all kinds, or only of those that the text alone can show.
    #[must_use]
    pub fn total(&self, only_decidable: bool) -> Row {
        let mut total = Row::default();
        for (kind, decidable) in KINDS {
            if decidable || !only_decidable {
                total.join(self.row(kind));
            }
        }
        total
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::from("| defect | seeded | found | one diagnostic | right place |\n|---|---|---|---|---|\n");
        let mut line = |name: &str, row: Row| {
            let _ = writeln!(text, "| {name} | {} | {} | {} | {} of {} |", row.seeded, row.found, row.single, row.right, row.placed);
        };
        for (kind, decidable) in KINDS {
            let name = if decidable { kind.to_owned() } else { format!("{kind} (only its author knows)") };
            line(&name, self.row(kind));
        }
        line("**those that the text can show**", self.total(true));
        line("**all**", self.total(false));
        formatter.write_str(&text)
    }
}
