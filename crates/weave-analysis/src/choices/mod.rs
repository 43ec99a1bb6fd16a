//! Guard reasoning: what the guards of a choice say about each other.
//!
//! A choice is the nodes that hold one trigger. Whatever fires it is a *case*: the values that its guards look at. The values are cut
//! into cells between which the guards can tell a difference (`domain`), so that the cases are finitely many and are counted in
//! whole regions (`region`), exactly. What guards ask beyond that, such as how two paths compare, is taken as something that may be
//! either way (`space`). From that follows what is proven, what is refuted by a case that can be shown, and what is not known
//! (`solve`).

mod cells;
mod domain;
mod facts;
mod formula;
mod line;
mod region;
mod solve;
mod space;
mod witness;

pub use facts::{Choice, Coverage, Gap, Member, Overlap, Role, Verdict, Witness, WitnessValue};
pub(crate) use formula::{Roots, may_run_out};
pub(crate) use solve::{Asked, decide};
pub(crate) use space::{RootKey, RootValue};
