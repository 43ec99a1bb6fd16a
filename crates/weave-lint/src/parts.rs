//! What several rules go through in a file, gathered once for all of them.

use std::sync::Arc;

use rayon::prelude::*;
use weave_analysis::Bodies;
use weave_analysis::model::guard::Guard;
use weave_analysis::model::{ItemContext, Model, Unit};
use weave_syntax::ast::{Expr, Field};

use crate::fields::fields;
use crate::guards::{meant, written};
use crate::retries::{RetryView, retries};

/// The parts of one file.
#[derive(Debug, Default)]
pub(crate) struct Parts<'a> {
    /// The fields of all items, in the order of the items.
    fields: Vec<&'a Field>,
    /// Behind the last field of each item.
    ends: Vec<usize>,
    /// Where something is tried again.
    pub(crate) retries: Vec<RetryView<'a>>,
    /// The guards as they were written.
    pub(crate) written: Vec<(ItemContext<'a>, &'a Expr)>,
    /// The guards as they are meant.
    pub(crate) meant: Vec<&'a Guard>,
}

impl<'a> Parts<'a> {
    /// The parts of each file.
    pub(crate) fn of_all(model: &'a Model, units: &'a [Unit], bodies: &'a [Arc<Bodies>]) -> Vec<Self> {
        units.par_iter().zip(bodies).map(|(unit, bodies)| Self::new(model, unit, bodies)).collect()
    }

    fn new(model: &'a Model, unit: &'a Unit, bodies: &'a Bodies) -> Self {
        let mut parts = Self::default();
        for slot in &unit.syntax.items {
            fields(&slot.parsed.item.kind, &mut parts.fields);
            parts.ends.push(parts.fields.len());
        }
        parts.retries = retries(model, unit, bodies);
        parts.written = written(unit);
        parts.meant = meant(model, unit, bodies);
        parts
    }

    /// The fields that an item writes out: parameters, and those of records in types, however deep.
    pub(crate) fn fields(&self, item: u32) -> &[&'a Field] {
        let item = item as usize;
        let end = self.ends.get(item).copied().unwrap_or_default();
        let start = item.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.fields.get(start..end).unwrap_or_default()
    }
}
