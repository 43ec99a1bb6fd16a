//! What can be folded, and what is selected next.

use weave_diagnostics::{FileId, Span};
use weave_syntax::TokenKind as K;
use weave_syntax::ast::ItemKind;

use crate::Analysis;

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FoldKind {
    /// Comments or docs.
    Comment,
    /// Imports.
    Imports,
    /// Something in brackets, or a text.
    Region,
}

/// The ranges of a file that can be folded, each of several lines, in the order of the text.
#[must_use]
pub fn folding(analysis: &Analysis, file: FileId) -> Vec<(Span, FoldKind)> {
    let Some(unit) = analysis.unit(file) else { return Vec::new() };
    let (tokens, text) = (&unit.syntax.tokens, &*unit.syntax.text);
    let mut found = Vec::new();
    let mut open = Vec::new();
    // Comments one below the other are one.
    let mut comment: Option<(K, Span)> = None;
    for token in tokens.iter() {
        match token.kind {
            K::LineComment | K::Doc | K::ModuleDoc => {
                let span = Span::new(token.span.start, token.span.start + token.span.text(text).trim_end().len() as u32);
                comment = match comment {
                    Some((kind, before))
                        if kind == token.kind && Span::new(before.end, span.start).text(text).matches('\n').count() == 1 =>
                    {
                        Some((kind, before.join(span)))
                    }
                    other => {
                        found.extend(other.map(|(_, span)| (span, FoldKind::Comment)));
                        Some((token.kind, span))
                    }
                };
            }
            K::BlockComment => found.push((token.span, FoldKind::Comment)),
            K::TextBlock => found.push((token.span, FoldKind::Region)),
            kind if kind.is_opener() => open.push(token.span.start),
            kind if kind.is_closer() => {
                if let Some(start) = open.pop() {
                    found.push((Span::new(start, token.span.end), FoldKind::Region));
                }
            }
            _ => {}
        }
    }
    found.extend(comment.map(|(_, span)| (span, FoldKind::Comment)));
    let imports = unit.syntax.items.iter().take_while(|slot| matches!(slot.parsed.item.kind, ItemKind::Import(_)));
    let imports = imports.map(|slot| Span::new(slot.start, slot.end)).reduce(Span::join);
    found.extend(imports.map(|span| (span, FoldKind::Imports)));
    found.retain(|(span, _)| span.text(text).contains('\n'));
    found.sort_unstable();
    found.dedup_by_key(|(span, _)| *span);
    found
}

/// The ranges around an offset, each within the next: a word, a placeholder, what is in brackets, the item, the file.
#[must_use]
pub fn selection(analysis: &Analysis, file: FileId, offset: u32) -> Vec<Span> {
    let Some(unit) = analysis.unit(file) else { return Vec::new() };
    let (tokens, text) = (&unit.syntax.tokens, &*unit.syntax.text);
    let whole = Span::new(0, text.len() as u32);
    let mut found = vec![whole];
    let item = analysis.item_at(file, offset);
    if let Some(item) = item {
        found.push(Span::new(item.slot.start, item.slot.end));
        if let ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind {
            let node = workflow.nodes.iter().map(|node| node.span.shifted(item.slot.start)).find(|span| span.touches(offset));
            found.extend(node);
        }
    }
    found.extend(analysis.mentions_at(file, offset).first().map(|mention| mention.place.span));
    let range = item.map_or(whole, |item| Span::new(item.slot.start, item.slot.end));
    let mut open = Vec::new();
    for index in tokens.at(range.start)..tokens.at(range.end) {
        let (kind, span) = (tokens.kind(index), tokens.span(index));
        if kind.is_opener() {
            open.push(span.start);
        } else if kind.is_closer() {
            found.extend(open.pop().into_iter().flat_map(|start| [Span::new(start, span.end), Span::new(start + 1, span.start)]));
        } else if span.touches(offset) && (kind.is_word() || matches!(kind, K::String | K::TextBlock | K::Number | K::Duration)) {
            found.push(span);
            found.extend(placeholder(span, span.text(text), offset));
        }
    }
    found.retain(|span| span.touches(offset));
    found.sort_by_key(|span| (span.len(), span.start));
    let mut nested: Vec<Span> = Vec::new();
    for span in found {
        if nested.last().is_none_or(|last| span != *last && span.contains(*last)) {
            nested.push(span);
        }
    }
    nested
}

/// The placeholder of a string around an offset: what is in its braces, and all of it.
fn placeholder(string: Span, text: &str, offset: u32) -> Vec<Span> {
    let at = offset.saturating_sub(string.start) as usize;
    let start = text.get(..at).and_then(|before| before.rfind("{{"));
    let end = start.and_then(|start| text.get(start..)).and_then(|behind| behind.find("}}"));
    match (start, end) {
        (Some(start), Some(length)) if start + length + 2 >= at => {
            let span = Span::new((start) as u32, (start + length + 2) as u32).shifted(string.start);
            vec![Span::new(span.start + 2, span.end - 2), span]
        }
        _ => Vec::new(),
    }
}
