//! The first pass: what all files declare, and what each file can name.
//!
//! It goes from what needs nothing to what needs everything: names, imports, types and signatures, the shape of types as a whole
//! (cycles, variants), and last the constants and settings, which are checked against the finished types.

mod again;
mod attributes;
mod blank;
pub(crate) mod clashes;
mod collect;
mod cycles;
mod imports;
mod scan;
mod signatures;
mod suggest;

use weave_diagnostics::Diagnostic;
use weave_syntax::ast::Item;

use crate::expression::Sink;
use crate::model::{DeclarationId, DeclarationKind, ItemContext, Model, Scope, Unit};
use crate::trace::Recorder;
use crate::{settings, types};

pub use again::{excused_by, still_holds};
pub(crate) use attributes::{NAMES, Target, attributes};
pub(crate) use blank::blank_tool;
pub(crate) use cycles::cycles;
pub(crate) use signatures::trace_defaults;
pub(crate) use suggest::{similar_name, worth_a_suggestion};

/// What [`declare`] finds out.
#[derive(Debug)]
pub struct Declared {
    /// What all files declare.
    pub model: Model,
    /// What is wrong with it, in no particular order.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether something about several declarations is not said because the parser had to guess parts of one.
    pub hidden: bool,
}

/// Gives every declaration of all files its signature.
///
/// The units stand in the order of their files, the prelude first. Nodes of workflows are left to
/// [`check_bodies`](crate::check_bodies), their attributes apart.
#[must_use]
pub fn declare(units: &[Unit]) -> Declared {
    let mut diagnostics = Vec::new();
    let mut model = collect::collect(units, &mut diagnostics);
    imports::link(units, &mut model, &mut diagnostics);
    let defaults = signatures::declare(units, &mut model, &mut diagnostics);
    let mut hidden = types::check_shapes(units, &mut model, &mut diagnostics);
    signatures::check_defaults(defaults, &mut model, &mut diagnostics);
    hidden |= settings::declare(units, &mut model, &mut diagnostics);
    clashes::declarations(&declaring(units, &model), &model, &mut diagnostics);
    Declared { model, diagnostics, hidden }
}

/// One declaration while it is looked at.
pub(crate) struct Context<'a> {
    /// What is known of all declarations so far.
    pub(crate) model: &'a Model,
    /// What the file can name.
    pub(crate) scope: &'a Scope,
    /// The item.
    pub(crate) item: ItemContext<'a>,
    /// Where to put what is wrong.
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    /// Who writes down what is read, if somebody does.
    pub(crate) recorder: Option<&'a Recorder>,
}

impl<'a> Context<'a> {
    /// A sink for the expressions of the item.
    pub(crate) fn sink(&self) -> Sink {
        self.recorder.map(Sink::recording).unwrap_or_default()
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The text of a span of the item.
    pub(crate) fn text(&self, span: weave_diagnostics::Span) -> &'a str {
        span.text(self.item.text)
    }
}

/// An item that declares something, as the phases go through them.
#[derive(Clone, Copy)]
pub(crate) struct Declaring<'a> {
    pub(crate) id: DeclarationId,
    pub(crate) item: &'a Item,
    pub(crate) context: ItemContext<'a>,
    /// The parser had to guess: what follows from its guess is not reported.
    pub(crate) repaired: bool,
}

/// The items that declare something, in the order of their declarations.
pub(crate) fn declaring<'a>(units: &'a [Unit], model: &Model) -> Vec<Declaring<'a>> {
    let mut found = Vec::with_capacity(model.declarations.len());
    for (index, declaration) in model.declarations.iter().enumerate() {
        let Some(unit) = units.get(declaration.file.0 as usize) else { continue };
        let Some(slot) = unit.syntax.items.get(declaration.item as usize) else { continue };
        let context = unit.context(declaration.item as usize, slot);
        found.push(Declaring { id: DeclarationId(index as u32), item: &slot.parsed.item, context, repaired: slot.parsed.repaired });
    }
    found
}

/// Looks at each declaring item, with what is known of all declarations before it, and puts what is found in the place of what was known.
pub(crate) fn replace_each<'u>(
    items: &[Declaring<'u>],
    model: &mut Model,
    diagnostics: &mut Vec<Diagnostic>,
    mut find: impl FnMut(&mut Context<'_>, &Declaring<'u>) -> Option<DeclarationKind>,
) {
    // Diagnostics of repaired items are thrown away.
    let mut ignored = Vec::new();
    for declaring in items {
        let Some(scope) = model.scope(declaring.context.file) else { continue };
        let diagnostics = if declaring.repaired { &mut ignored } else { &mut *diagnostics };
        let mut context = Context { model, scope, item: declaring.context, diagnostics, recorder: None };
        let found = find(&mut context, declaring);
        if let (Some(kind), Some(declaration)) = (found, model.declarations.get_mut(declaring.id.0 as usize)) {
            declaration.kind = kind;
        }
    }
}

#[cfg(test)]
mod tests;
