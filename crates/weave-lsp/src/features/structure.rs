//! `textDocument/foldingRange`, `selectionRange` and `documentLink`.

use tower_lsp::ls_types::{
    DocumentLink, DocumentLinkParams, FoldingRange, FoldingRangeKind, FoldingRangeParams, SelectionRange, SelectionRangeParams,
};
use weave_diagnostics::Place;
use weave_ide::{FoldKind, folding, links, selection};

use crate::owner::State;

pub(crate) fn folds(state: &mut State, params: FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let open = state.open(&params.text_document.uri)?;
    let found = folding(&open.project.analysis, open.file);
    let places = state.places(&open.project);
    let fold = |(span, kind): &(weave_diagnostics::Span, FoldKind)| {
        let range = places.range(Place::new(open.file, *span));
        // The line with the closing bracket stays to be seen.
        let closes = *kind == FoldKind::Region;
        let end_line = if closes { range.end.line.saturating_sub(1).max(range.start.line) } else { range.end.line };
        FoldingRange {
            start_line: range.start.line,
            end_line,
            kind: match kind {
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Imports => Some(FoldingRangeKind::Imports),
                FoldKind::Region => None,
            },
            ..FoldingRange::default()
        }
    };
    let mut folds: Vec<FoldingRange> = found.iter().map(fold).filter(|fold| fold.end_line > fold.start_line).collect();
    // Of several that start on a line the longest is meant.
    folds.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    folds.dedup_by_key(|fold| fold.start_line);
    Some(folds)
}

pub(crate) fn selections(state: &mut State, params: SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let open = state.open(&params.text_document.uri)?;
    let mut answers = Vec::with_capacity(params.positions.len());
    for position in params.positions {
        let offset = state.offset(&open, position);
        let spans = selection(&open.project.analysis, open.file, offset);
        let places = state.places(&open.project);
        let chain = spans.iter().rev().fold(None, |parent, span| {
            let range = places.range(Place::new(open.file, *span));
            Some(SelectionRange { range, parent: parent.map(Box::new) })
        });
        answers.extend(chain);
    }
    Some(answers)
}

pub(crate) fn document_links(state: &mut State, params: DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let open = state.open(&params.text_document.uri)?;
    let places = state.places(&open.project);
    let link = |link: weave_ide::Link| {
        let target = Some(places.uri(link.target)?);
        Some(DocumentLink { range: places.range(link.place), target, tooltip: None, data: None })
    };
    Some(links(&open.project.analysis, open.file).into_iter().filter_map(link).collect())
}
