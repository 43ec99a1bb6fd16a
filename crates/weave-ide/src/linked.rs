//! Places that are edited together.

use weave_diagnostics::{FileId, Place};

use crate::references::highlights;
use crate::{Analysis, Mention, Role, Symbol};

/// The places that are edited together with the name at an offset, which is one of them: those of a step, or of a variable, in its workflow.
///
/// Only where the name is declared. Whoever changes it where it is used wants to use another one; and what other files may name is renamed.
#[must_use]
pub fn linked(analysis: &Analysis, file: FileId, offset: u32) -> Option<Vec<Place>> {
    let is_here = |mention: &&Mention| mention.role == Role::Declares && matches!(mention.symbol, Symbol::Node(..) | Symbol::Variable(_));
    let mentions = analysis.mentions_at(file, offset);
    let declared = mentions.iter().find(is_here)?;
    let name = analysis.text_of(declared.place);
    let places: Vec<Place> = highlights(analysis, file, offset).into_iter().map(|mention| mention.place).collect();
    // What is written in another way, such as in quotes, could not be edited alike.
    (places.len() > 1 && places.iter().all(|place| analysis.text_of(*place) == name)).then_some(places)
}
