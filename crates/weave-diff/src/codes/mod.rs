//! What can be said about changes: each kind once, with its page. The examples are the program before and the program after.

pub(crate) mod accepted;
pub(crate) mod behaviour;
pub(crate) mod flight;
pub(crate) mod schema;
pub(crate) mod texts;
pub(crate) mod wire;

use weave_diagnostics::Code;

use crate::Kind;

/// Declares kinds of one class, and a list of them.
macro_rules! kinds {
    ($class:ident; $($(#[$doc:meta])* $name:ident = $id:literal $severity:ident $summary:literal $explanation:literal $before:literal => $after:literal;)*) => {
        $($(#[$doc])*
        pub(crate) static $name: $crate::Kind = $crate::Kind {
            class: $crate::Class::$class,
            code: weave_diagnostics::Code {
                id: $id,
                severity: weave_diagnostics::Severity::$severity,
                summary: $summary,
                explanation: $explanation,
                good: $before,
                bad: $after,
            },
        };)*

        /// All of them.
        pub(super) static ALL: &[&$crate::Kind] = &[$(&$name),*];
    };
}
pub(crate) use kinds;

/// All kinds of changes, class by class.
pub static KINDS: &[&[&Kind]] = &[schema::ALL, wire::ALL, behaviour::ALL, flight::ALL, texts::ALL];

/// What can be wrong with `accept` in a `weave.toml`. The examples are such files, for the change in the example of `field-removed`.
pub static ACCEPT_CODES: &[&Code] = &[&accepted::EXPIRED_ACCEPT, &accepted::REASONLESS_ACCEPT, &accepted::UNUSED_ACCEPT];

/// The pages of all kinds of changes.
#[must_use]
pub fn change_codes() -> Vec<&'static Code> {
    KINDS.iter().flat_map(|kinds| kinds.iter()).map(|kind| &kind.code).collect()
}

/// The kind with this id.
#[must_use]
pub fn kind(id: &str) -> Option<&'static Kind> {
    KINDS.iter().flat_map(|kinds| kinds.iter()).find(|kind| kind.code.id == id).copied()
}
