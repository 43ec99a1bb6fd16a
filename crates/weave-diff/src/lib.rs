//! What changed between two versions of definitions, and for whom that matters.
//!
//! [`diff`] compares two sets of definitions and returns the [`Change`]s as data: what each is ([`Kind`]), how bad it is, for whom it breaks something
//! ([`Party`]), what it is about, and where that stands in the old and in the new definitions. [`Change::diagnostic`] says it like any other
//! diagnostic, once somebody knows where the parts of a definition were written ([`Places`]). [`accept`] takes out what a team has agreed to.
//!
//! Schemas are compared by what they admit. What becomes narrower breaks those who send such values, what becomes wider those who read them; who sends
//! and who reads depends on where the schema stands (`docs/diff.md` has the table). The crate knows definitions and nothing of the language, of files or
//! of Git.

mod accept;
mod change;
mod codes;
mod collect;
mod declarations;
mod documents;
mod flight;
mod json_places;
mod nodes;
mod parts;
mod places;
mod renames;
mod roles;
mod schema;
mod triggers;
mod wire;

pub use accept::{Accepted, ReadAccepted, accept};
pub use change::{Change, Class, Kind, Party, Spot};
pub use codes::{ACCEPT_CODES, KINDS, change_codes, kind};
pub use collect::diff;
pub use json_places::JsonPlaces;
pub use places::{Places, SourcePlaces};
