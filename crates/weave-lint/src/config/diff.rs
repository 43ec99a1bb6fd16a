//! `[diff]`: what was agreed to.

use weave_diff::{Accepted, change_codes, kind};

use super::codes;
use super::read::{Reader, Value};
use crate::Day;

/// The keys of `[diff]`.
pub(super) const DIFF_KEYS: &[&str] = &["accept"];

/// The keys of an entry of `accept`.
pub(super) const ACCEPT_KEYS: &[&str] = &["id", "item", "reason", "until"];

impl Reader {
    pub(super) fn diff(&mut self, value: &Value<'_>, accepted: &mut Vec<Accepted>) {
        let Some(table) = value.get_ref().as_table() else { return self.expect("a table", value) };
        self.table(table, DIFF_KEYS, |reader, _, value| {
            let Some(entries) = value.get_ref().as_array() else {
                return reader.expect("a list of tables, `[[diff.accept]]`", value);
            };
            for entry in entries.iter() {
                accepted.extend(reader.accepted(entry));
            }
        });
    }

    /// An entry; one without a kind of change accepts nothing, and is left out.
    fn accepted(&mut self, entry: &Value<'_>) -> Option<Accepted> {
        let Some(table) = entry.get_ref().as_table() else {
            self.expect("a table", entry);
            return None;
        };
        let (mut id, mut has_id) = (None, false);
        let (mut item, mut reason, mut until) = (String::new(), String::new(), None);
        self.table(table, ACCEPT_KEYS, |reader, name, value| {
            has_id |= name == "id";
            let Some(text) = value.get_ref().as_str() else { return reader.expect("a quoted string", value) };
            match name {
                "id" => match kind(text) {
                    Some(kind) => id = Some(kind.code.id.to_owned()),
                    None => {
                        let known = change_codes();
                        reader.unknown(&codes::UNKNOWN_CHANGE, "change", text, value.span(), known.iter().map(|code| code.id));
                    }
                },
                "item" => item = text.to_owned(),
                "reason" => reason = text.to_owned(),
                _ => match Day::new(text) {
                    Some(_) => until = Some(text.to_owned()),
                    None => reader.expect("a date, such as \"2027-06-30\"", value),
                },
            }
        });
        if !has_id {
            let help = "name the kind of change, as `weave diff` prints it: `id = \"field-removed\"`".to_owned();
            self.report(&codes::VALUE, entry.span(), "an accepted change has no `id`".to_owned(), "accepts nothing", help);
        }
        let place = self.place(entry.span());
        id.map(|id| Accepted { id, item, reason, until, place })
    }
}
