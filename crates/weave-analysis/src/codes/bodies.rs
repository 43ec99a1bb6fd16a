//! What can be wrong with the bodies of workflows.

use weave_diagnostics::Code;

/// The codes of bodies.
pub(crate) const CODES: &[&Code] = &[];
