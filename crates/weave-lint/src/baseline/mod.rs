//! Findings that a team knows of and has not mended yet: only what is new fails.
//!
//! A finding is matched by its [`Identity`](crate::Identity): its rule, the declaration that it is in, and its text. Equal ones are counted. The file that an entry
//! names is where the finding stood when the baseline was written; it decides only which of several equal findings is the new one, and whether a run
//! has looked at the place at all.

mod codes;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use weave_diagnostics::{Diagnostic, FileId};

pub use codes::CODES;

use crate::fingerprint::Identity;

/// The version of the format.
const VERSION: u64 = 1;

/// Some equal findings in one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `file`, `rule`, `item`, `fingerprint`, `count` and `message`")]
pub struct Entry {
    /// The path of the file from the folder of the baseline, with `/`.
    pub file: String,
    /// The id of the rule.
    pub rule: String,
    /// The declaration around them.
    pub item: String,
    /// What they are known by: a digest, so that no text of the program is repeated, which may be a secret.
    pub fingerprint: String,
    /// How many there are.
    pub count: u32,
    /// What one of them says; for people only.
    pub message: String,
}

impl Entry {
    /// One finding in a file.
    #[must_use]
    pub fn new(file: String, finding: &Diagnostic, identity: Identity) -> Self {
        let fingerprint = identity.fingerprint();
        Self { file, rule: identity.rule.to_owned(), item: identity.item, fingerprint, count: 1, message: finding.message.clone() }
    }

    fn key(&self) -> Key {
        (self.file.clone(), self.rule.clone(), self.item.clone(), self.fingerprint.clone())
    }
}

/// By what the entries of a baseline are told apart, and their order.
type Key = (String, String, String, String);

/// Findings that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<Key, Entry>,
}

/// What a baseline says about the findings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Whether each finding is known, in their order.
    pub is_known: Vec<bool>,
    /// What was not found any more.
    pub gone: Vec<Entry>,
}

impl Baseline {
    /// Reads the text of a baseline.
    ///
    /// # Errors
    ///
    /// With what is wrong with it, at its place.
    pub fn read(text: &str, file: FileId) -> Result<Self, Box<Diagnostic>> {
        read::read(text, file)
    }

    /// The baseline with all these findings.
    #[must_use]
    pub fn of(found: impl IntoIterator<Item = Entry>) -> Self {
        let mut baseline = Self::default();
        for entry in found {
            baseline.add(entry);
        }
        baseline
    }

    /// How many findings it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.values().map(|entry| entry.count as usize).sum()
    }

    /// Whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The files that it names, as it calls them; one may come several times.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.entries.values().map(|entry| entry.file.as_str())
    }

    /// Compares it with the findings of a run. `is_seen` says whether the run looked at a file, or would have if it still existed: of other files nothing is gone, and
    /// what is known of them says nothing about others.
    #[must_use]
    pub fn compare(&self, found: &[Entry], is_seen: &dyn Fn(&str) -> bool) -> Comparison {
        let mut left: BTreeMap<Key, u32> = self.entries.iter().map(|(key, entry)| (key.clone(), entry.count)).collect();
        // Those that stand where they stood come first, so that of equal ones the copy in another file is the new one.
        let mut is_known: Vec<bool> = found.iter().map(|entry| left.get_mut(&entry.key()).is_some_and(take)).collect();
        let mut moved: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
        for ((_, rule, item, fingerprint), count) in left.iter().filter(|(key, count)| **count > 0 && is_seen(&key.0)) {
            *moved.entry((rule, item, fingerprint)).or_default() += count;
        }
        for (entry, is_known) in found.iter().zip(&mut is_known).filter(|(_, is_known)| !**is_known) {
            *is_known = moved.get_mut(&(entry.rule.as_str(), entry.item.as_str(), entry.fingerprint.as_str())).is_some_and(take);
        }
        let mut gone = Vec::new();
        for (key, entry) in self.entries.iter().filter(|(key, _)| is_seen(&key.0)) {
            // What moved is no longer where it stood, and not gone: the rest of equal ones is.
            let rest = moved.get_mut(&(key.1.as_str(), key.2.as_str(), key.3.as_str()));
            let Some(rest) = rest.filter(|rest| **rest > 0) else { continue };
            let count = (*rest).min(left.get(key).copied().unwrap_or_default());
            *rest -= count;
            if count > 0 {
                gone.push(Entry { count, ..entry.clone() });
            }
        }
        Comparison { is_known, gone }
    }

    /// The baseline with the findings of a run, and with what this one knows of files that the run did not see.
    #[must_use]
    pub fn renewed(&self, found: impl IntoIterator<Item = Entry>, is_seen: &dyn Fn(&str) -> bool) -> Self {
        let mut renewed = Self::of(found);
        for (key, entry) in self.entries.iter().filter(|(key, _)| !is_seen(&key.0)) {
            renewed.entries.entry(key.clone()).or_insert_with(|| entry.clone());
        }
        renewed
    }

    /// The text: an entry a line, in the order of files and rules, so that differences are small and merge well.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Texts and numbers are JSON without fail.
        let entry = |entry: &Entry| format!("    {}", serde_json::to_string(entry).unwrap_or_default());
        let entries: Vec<String> = self.entries.values().map(entry).collect();
        let entries = if entries.is_empty() { "[]".to_owned() } else { format!("[\n{}\n  ]", entries.join(",\n")) };
        format!("{{\n  \"version\": {VERSION},\n  \"findings\": {entries}\n}}\n")
    }

    fn add(&mut self, entry: Entry) {
        match self.entries.entry(entry.key()) {
            std::collections::btree_map::Entry::Vacant(place) => _ = place.insert(entry),
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let known = place.get_mut();
                known.count = known.count.saturating_add(entry.count);
                // Equal findings may say different things; the order in which they come must not show.
                if entry.message < known.message {
                    known.message = entry.message;
                }
            }
        }
    }
}

/// Takes one away, if there is one.
fn take(count: &mut u32) -> bool {
    let is_there = *count > 0;
    *count -= u32::from(is_there);
    is_there
}
