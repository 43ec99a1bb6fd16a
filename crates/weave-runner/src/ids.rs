//! The ids of the external events that hosts append themselves (rule 4).
//!
//! They contain the attempt, so that what happens in a further attempt is never taken for a repetition of the first.

/// The id of the answer to an attempt of a request.
#[must_use]
pub fn result(request: &str, attempt: u32) -> String {
    format!("{request}/{attempt}@result")
}

/// The id of `timer.fired` for an attempt of a timer.
#[must_use]
pub fn fired(timer: &str, attempt: u32) -> String {
    format!("{timer}/{attempt}@fired")
}

/// The id of `ai.turn`: a turn, counted from 1, in the loop of an attempt of a request.
#[must_use]
pub fn turn(request: &str, attempt: u32, turn: u32) -> String {
    format!("{request}/{attempt}@turn{turn}")
}

/// The id of `tool.dispatch`: a call, counted from 1, of a turn in the loop of an attempt of a request.
#[must_use]
pub fn call(request: &str, attempt: u32, turn: u32, call: u32) -> String {
    format!("{request}/{attempt}@turn{turn}.{call}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_those_of_the_definition() {
        let ids = [
            super::result("r1/pay#1", 1),
            super::fired("r1/pay#1@PT20S", 2),
            super::turn("r1/triage#1", 2, 3),
            super::call("r1/triage#1", 2, 3, 1),
        ];
        let documented = include_str!("../../../docs/definition.md");
        for id in ids {
            assert!(documented.contains(&format!("`{id}`")), "{id}");
        }
    }
}
