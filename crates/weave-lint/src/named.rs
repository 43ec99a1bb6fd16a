//! What a program names at all.

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use weave_analysis::model::{DeclarationId, Model, Unit};
use weave_diagnostics::Span;
use weave_syntax::TokenKind;

/// What the items of all files name, found out from their words.
pub(crate) fn named(model: &Model, units: &[Unit]) -> FxHashSet<DeclarationId> {
    let of_unit = |unit: &Unit| {
        let mut named = FxHashSet::default();
        let (Some(scope), tokens, text) = (model.scope(unit.file), &unit.syntax.tokens, &*unit.syntax.text) else { return named };
        for (index, slot) in unit.syntax.items.iter().enumerate() {
            let own = model.declared_by(unit.file, index as u32);
            let mut note = |id: Option<&DeclarationId>| named.extend(id.copied().filter(|id| Some(*id) != own));
            // Words with dots between them are a topic, or the end of one.
            let mut dotted: Option<Span> = None;
            for token in tokens.at(slot.start)..tokens.at(slot.end) {
                let (kind, span) = (tokens.kind(token), tokens.span(token));
                if kind.is_word() {
                    let start = dotted.filter(|dotted| dotted.end == span.start).map_or(span.start, |dotted| dotted.start);
                    dotted = Some(Span::new(start, span.end));
                    note(scope.names.get(span.text(text)));
                    if start != span.start {
                        note(scope.topics.get(Span::new(start, span.end).text(text)));
                    }
                } else {
                    dotted = dotted.filter(|_| kind == TokenKind::Dot).map(|dotted| Span::new(dotted.start, span.end));
                }
            }
        }
        named
    };
    units.par_iter().skip(1).map(of_unit).reduce(FxHashSet::default, |mut all, some| {
        all.extend(some);
        all
    })
}
