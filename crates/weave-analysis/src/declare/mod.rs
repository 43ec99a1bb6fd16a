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
mod log;
mod scan;
mod signatures;
mod suggest;

use std::sync::Arc;

use weave_diagnostics::Diagnostic;
use weave_syntax::ast::Item;

use crate::expression::Sink;
use crate::model::{DeclarationId, DeclarationKind, ItemContext, Model, Scope, Unit};
use crate::trace::Recorder;
use crate::{settings, types};

pub use again::{Again, declare_again, excused_by};
pub(crate) use attributes::{NAMES, Target, attributes};
pub(crate) use blank::blank_tool;
pub(crate) use cycles::{cycles, leads_back};
pub(crate) use log::Log;
pub(crate) use signatures::trace_defaults;
pub(crate) use suggest::{similar_name, worth_a_suggestion};

/// What [`declare`] finds out.
#[derive(Debug)]
pub struct Declared {
    /// What all files declare.
    pub model: Model,
    /// What is wrong with it, in no particular order.
    pub diagnostics: Vec<Diagnostic>,
}

/// What [`declare_again`] goes on from: what is wrong, by what it is about. A clone shares what is in it.
#[derive(Clone, Debug)]
pub struct Known {
    /// What is about one declaration by itself, and what that depends on.
    own: Arc<Vec<Arc<log::Own>>>,
    /// What is about names, imports and several declarations together.
    others: Arc<[Diagnostic]>,
    /// How many diagnostics there are.
    count: usize,
    /// Whether nothing is wrong with types and toolkits as a whole, even where it is not said because the parser had to guess.
    sound: bool,
}

impl Known {
    /// What is wrong, in no particular order.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        // Where nothing is wrong there are many declarations to find that out of.
        let own: &[Arc<log::Own>] = if self.count > 0 { &self.own } else { &[] };
        self.others.iter().chain(own.iter().flat_map(|own| &own.diagnostics))
    }
}

/// Gives every declaration of all files its signature.
///
/// The units stand in the order of their files, the prelude first. Nodes of workflows are left to
/// [`check_bodies`](crate::check_bodies), their attributes apart.
#[must_use]
pub fn declare(units: &[Unit]) -> Declared {
    let (model, diagnostics, _) = declare_with(units, &mut Log::off());
    Declared { model, diagnostics }
}

/// The same for somebody who goes on with [`declare_again`].
#[must_use]
pub fn declare_to_edit(units: &[Unit]) -> (Model, Known) {
    let mut log = Log::on();
    let (model, diagnostics, sound) = declare_with(units, &mut log);
    let count = diagnostics.len();
    let (mut own, others) = log.divide(diagnostics);
    let own: Vec<_> = (0..model.declarations.len() as u32).map(|id| Arc::new(own.remove(&DeclarationId(id)).unwrap_or_default())).collect();
    (model, Known { own: Arc::new(own), others: others.into(), count, sound })
}

fn declare_with(units: &[Unit], log: &mut Log) -> (Model, Vec<Diagnostic>, bool) {
    let mut diagnostics = Vec::new();
    let mut model = collect::collect(units, &mut diagnostics);
    imports::link(units, &mut model, &mut diagnostics);
    let defaults = signatures::declare(units, &mut model, &mut diagnostics, log);
    let mut sound = types::check_shapes(units, &mut model, &mut diagnostics);
    signatures::check_defaults(defaults, &mut model, &mut diagnostics, log);
    sound &= settings::declare(units, &mut model, &mut diagnostics, log);
    clashes::declarations(&declaring(units, &model), &model, &mut diagnostics);
    (model, diagnostics, sound)
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
    (0..model.declarations.len() as u32).filter_map(|index| declaring_of(units, model, DeclarationId(index))).collect()
}

/// The item of a declaration.
fn declaring_of<'a>(units: &'a [Unit], model: &Model, id: DeclarationId) -> Option<Declaring<'a>> {
    let declaration = model.declarations.get(id.0 as usize)?;
    let unit = units.get(declaration.file.0 as usize)?;
    let slot = unit.syntax.items.get(declaration.item as usize)?;
    let context = unit.context(declaration.item as usize, slot);
    Some(Declaring { id, item: &slot.parsed.item, context, repaired: slot.parsed.repaired })
}

/// Looks at each declaring item, with what is known of all declarations before it, and puts what is found in the place of what was known.
pub(crate) fn replace_each<'u>(
    items: &[Declaring<'u>],
    model: &mut Model,
    diagnostics: &mut Vec<Diagnostic>,
    log: &mut Log,
    mut find: impl FnMut(&mut Context<'_>, &Declaring<'u>) -> Option<DeclarationKind>,
) {
    for declaring in items {
        let Some(scope) = model.scope(declaring.context.file) else { continue };
        let found = log.of(declaring, diagnostics, |diagnostics| {
            find(&mut Context { model, scope, item: declaring.context, diagnostics, recorder: None }, declaring)
        });
        if let (Some(kind), Some(declaration)) = (found, model.get_mut(declaring.id)) {
            declaration.kind = kind;
        }
    }
}

#[cfg(test)]
mod tests;
