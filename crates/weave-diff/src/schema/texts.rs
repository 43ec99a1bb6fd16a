//! What a schema says beside what it admits: descriptions, secrets, what is on its way out.

use serde_json::Value;
use weave_diagnostics::Severity;

use super::{Comparison, Delta, Task};
use crate::codes::{schema as codes, texts as text_codes};

/// Keywords that only people read.
const TEXTS: [&str; 8] =
    ["title", "description", "examples", "deprecated", "x-weave-deprecated", "x-weave-name", "x-weave-names", "x-weave-tag"];

/// Whether a keyword says nothing about values.
pub(super) fn is_text(key: &str) -> bool {
    TEXTS.contains(&key)
}

impl<'d> Comparison<'d> {
    /// What stands beside the type.
    pub(super) fn annotations(&mut self, task: &Task<'d>) {
        let (old, new) = (&task.old, &task.new);
        let is = |value: Option<&Value>| value == Some(&Value::Bool(true));
        let (was, is_now) = (is(old.get("deprecated")), is(new.get("deprecated")));
        if is_now && !was {
            let reason = new.get("x-weave-deprecated").and_then(Value::as_str).map_or_else(String::new, |reason| format!(": {reason}"));
            let delta = Delta::new(&text_codes::NEWLY_DEPRECATED, &task.path, format!("is deprecated{reason}"));
            self.add(task.unit, delta.old(&old.pointer, "").new_place(&new.pointer, "deprecated"));
        }
        let others = TEXTS.iter().filter(|key| !(is_now && !was && key.ends_with("deprecated")));
        if others.into_iter().any(|key| old.get(key) != new.get(key)) {
            self.add_text(task.unit, &task.path, &task.new.pointer);
        }
        let (before, after) = (is(old.get("x-weave-secret")), is(new.get("x-weave-secret")));
        if before != after {
            let said = if after { "is now a secret" } else { "is no longer a secret" };
            let delta = Delta::new(&codes::SECRECY_CHANGED, &task.path, said).at_least(Severity::Warning);
            self.add(task.unit, delta.old(&old.pointer, "as before").new_place(&new.pointer, said));
        }
    }
}
