//! Values made up from examples and schemas.

use serde_json::Value;
use weave_ir::{Definition, Schema};
use weave_sample::{Choice, Sampler};

/// Makes values that fit the schemas of a definition, the same ones each time.
pub(crate) struct Maker<'d> {
    sampler: Sampler<'d>,
    filling: u32,
}

impl<'d> Maker<'d> {
    pub(crate) fn new(definition: &'d Definition) -> Self {
        Self { sampler: Sampler::new(definition), filling: 0 }
    }

    /// Other values, for the further firings of a node: what is asked again is answered otherwise, so that loops end.
    pub(crate) fn varied(self, filling: u32) -> Self {
        Self { filling, ..self }
    }

    /// A value for a schema; `null` for one that nothing was found for.
    pub(crate) fn value(&self, schema: &Schema) -> Value {
        self.sampler.value(schema, &mut Choice::Filling(self.filling)).unwrap_or_default()
    }
}
