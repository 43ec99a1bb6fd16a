//! What the rules about declarations and imports that nothing uses have in common.

use rustc_hash::FxHashSet;
use weave_analysis::model::Unit;
use weave_diagnostics::{Applicability, Span};
use weave_syntax::TokenKind;
use weave_syntax::ast::ItemKind;

use crate::findings::Findings;
use crate::project::DeclarationView;

/// Reports a declaration that nothing uses; `noun` says what it is.
pub(crate) fn check(view: &DeclarationView<'_>, noun: &str, findings: &mut Findings<'_>) {
    if view.has_purpose() {
        return;
    }
    let finding = findings.at(view.declaration.place, format!("the {noun} `{}` is never used", view.declaration.name));
    findings.report(finding.label("never referenced").help("remove it, or use it").replace(
        Applicability::Unsafe,
        "remove it",
        view.whole(),
        "",
    ));
}

/// The words of a file outside of its imports, and the topics. A field that is called like an import hides that the import is not used.
#[must_use]
pub fn used_names(unit: &Unit) -> FxHashSet<&str> {
    let (text, tokens) = (&*unit.syntax.text, &unit.syntax.tokens);
    let mut used = FxHashSet::default();
    let items = unit.syntax.items.iter().filter(|slot| !matches!(slot.parsed.item.kind, ItemKind::Import(_)));
    for slot in items {
        let mut topic: Option<Span> = None;
        for index in tokens.at(slot.start)..tokens.at(slot.end) {
            let (kind, span) = (tokens.kind(index), tokens.span(index));
            if kind.is_word() {
                let start = topic.filter(|topic| topic.end == span.start).map_or(span.start, |topic| topic.start);
                topic = Some(Span::new(start, span.end));
                used.insert(span.text(text));
                used.insert(Span::new(start, span.end).text(text));
            } else {
                topic = topic.filter(|_| kind == TokenKind::Dot).map(|topic| Span::new(topic.start, span.end));
            }
        }
    }
    used
}
