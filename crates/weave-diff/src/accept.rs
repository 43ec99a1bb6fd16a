//! Changes that were agreed to.

use weave_diagnostics::{Diagnostic, Place};

use crate::Change;
use crate::codes::accepted as codes;

/// An entry of `accept` in a `weave.toml`: a change that was agreed to, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The id of the change.
    pub id: String,
    /// What it is about: all of that name, and what is below it. Empty: everything.
    pub item: String,
    /// Why it was agreed to.
    pub reason: String,
    /// The last day on which it holds, as `2027-06-30`.
    pub until: Option<String>,
    /// Where the entry stands.
    pub place: Place,
}

impl Accepted {
    /// Whether it is about this change.
    fn is_about(&self, change: &Change) -> bool {
        let below = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[', '{']);
        self.id == change.id() && (self.item.is_empty() || change.item.strip_prefix(&self.item).is_some_and(below))
    }
}

/// What is left of some changes when those that were agreed to are taken out.
#[derive(Clone, Debug, Default)]
pub struct ReadAccepted {
    /// The changes that nobody agreed to.
    pub left: Vec<Change>,
    /// How many were agreed to.
    pub count: usize,
    /// What is wrong with the entries: those that are about nothing, give no reason or have expired.
    pub findings: Vec<Diagnostic>,
}

/// Takes out the changes that were agreed to. An entry without a reason counts, one whose day is over does not; `today` is a day as `2027-06-30`.
#[must_use]
pub fn accept(changes: Vec<Change>, accepted: &[Accepted], today: &str) -> ReadAccepted {
    let mut used = vec![false; accepted.len()];
    let is_over = |entry: &Accepted| entry.until.as_deref().is_some_and(|until| until < today);
    let mut read = ReadAccepted::default();
    for change in changes {
        let mut agreed = false;
        for (entry, used) in accepted.iter().zip(&mut used).filter(|(entry, _)| entry.is_about(&change)) {
            *used = true;
            agreed |= !is_over(entry);
        }
        if agreed {
            read.count += 1;
        } else {
            read.left.push(change);
        }
    }
    for (entry, used) in accepted.iter().zip(used) {
        let of = if entry.item.is_empty() { String::new() } else { format!(" of `{}`", entry.item) };
        let what = format!("`{}`{of}", entry.id);
        if !used {
            let diagnostic = Diagnostic::new(&codes::UNUSED_ACCEPT, entry.place, format!("unused `accept`: no change matches {what}"));
            read.findings.push(diagnostic.label("matches no change").help("remove it"));
        } else if is_over(entry) {
            let day = entry.until.as_deref().unwrap_or_default();
            let diagnostic = Diagnostic::new(&codes::EXPIRED_ACCEPT, entry.place, format!("the `accept` of {what} expired on {day}"));
            read.findings.push(diagnostic.label("has expired").help("extend the date, or revert the change"));
        }
        if entry.reason.trim().is_empty() {
            let diagnostic = Diagnostic::new(&codes::REASONLESS_ACCEPT, entry.place, format!("the `accept` of {what} has no reason"));
            read.findings.push(diagnostic.label("no reason").help("explain why this is safe: `reason = \"…\"`"));
        }
    }
    read
}
