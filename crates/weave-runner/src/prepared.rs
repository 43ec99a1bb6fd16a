//! What all runs of one definition share.

use std::sync::{Arc, OnceLock};

use weave_ir::Definition;

use crate::error::ScrollError;
use crate::plan::Plan;
use crate::schemas::Schemas;

/// A definition, prepared once for all of its runs: its plan, and the validators of its schemas.
///
/// Preparing costs more than a run of a few events, so a host keeps one for each digest. Schemas are compiled when a run first
/// needs them.
pub struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) schemas: Schemas,
    digest: OnceLock<Result<String, String>>,
}

impl Prepared {
    /// Prepares a definition.
    #[must_use]
    pub fn new(definition: impl Into<Arc<Definition>>) -> Arc<Self> {
        let definition = definition.into();
        let schemas = Schemas::new(&definition);
        Arc::new(Self { plan: Plan::new(&definition, &schemas), schemas, digest: OnceLock::new() })
    }

    /// The definition.
    #[must_use]
    pub fn definition(&self) -> &Arc<Definition> {
        &self.plan.definition
    }

    /// The digest of the definition, which is computed once.
    ///
    /// # Errors
    ///
    /// If the definition cannot be written as JSON.
    pub fn digest(&self) -> Result<&str, ScrollError> {
        let digest = self.digest.get_or_init(|| self.plan.definition.digest().map_err(|error| error.to_string()));
        digest.as_deref().map_err(|error| ScrollError::Definition(error.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Runner;

    #[test]
    fn runs_move_between_threads() {
        fn shared<T: Send + Sync + 'static>() {}
        shared::<Prepared>();
        shared::<Runner>();
    }
}
