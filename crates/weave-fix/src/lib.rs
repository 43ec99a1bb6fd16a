//! Applies the fixes that diagnostics and findings carry, all together and until nothing is left to fix.
//!
//! [`fix`] takes texts and gives texts; it touches no file. One round applies the fixes that do not get into each other's way (see [`Edits`]),
//! then looks at the program again: no round may bring an error or a finding that was not there. A round that does is taken back
//! and tried again in halves, until the fix that does the harm stands alone; it is left out and named in [`Fixed::dropped`], because a fix
//! that does harm is a mistake of its rule.
//!
//! A fix may leave behind what another rule mends: the prompt of an agent that was removed is used by nobody any more. Such a finding is mended
//! in the same step, by fixes of the same kind, or the step is not taken. Only a fix that is not safe may leave a finding in the place of its own:
//! a person looks at it anyway.

mod choice;
mod edits;
mod mending;
mod outcome;
mod seen;

pub use edits::Edits;
pub use mending::fix;
pub use outcome::{Applied, Dropped, Fixed, Harm, Request, Wanted};
