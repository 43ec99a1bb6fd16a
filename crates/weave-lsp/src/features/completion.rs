//! `textDocument/completion`.

use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, CompletionParams, CompletionTextEdit, Documentation,
    MarkupContent, MarkupKind, TextEdit,
};
use weave_ide::{Completion, CompletionKind, completion};

use crate::owner::State;

pub(crate) fn complete(state: &mut State, params: CompletionParams) -> Option<CompletionList> {
    let (open, offset) = state.open_at(&params.text_document_position)?;
    let found = completion(&open.project.analysis, open.file, offset)?;
    let range = state.places(&open.project).range(found.place);
    let items = found.items.into_iter().enumerate().map(|(index, item)| {
        let text_edit = Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.label.clone() }));
        // The order is ours: what is most likely comes first.
        CompletionItem { sort_text: Some(format!("{index:05}")), text_edit, ..plain(item) }
    });
    Some(CompletionList { is_incomplete: false, items: items.collect() })
}

fn plain(item: Completion) -> CompletionItem {
    CompletionItem {
        kind: Some(kind(item.kind)),
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        documentation: item.docs.map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
        tags: item.deprecated.then(|| vec![CompletionItemTag::DEPRECATED]),
        label: item.label,
        ..CompletionItem::default()
    }
}

const fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Value => CompletionItemKind::VARIABLE,
        CompletionKind::Literal => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Step => CompletionItemKind::METHOD,
        CompletionKind::Type => CompletionItemKind::STRUCT,
        CompletionKind::Callable => CompletionItemKind::FUNCTION,
        CompletionKind::Topic | CompletionKind::Failure => CompletionItemKind::EVENT,
        CompletionKind::Setting => CompletionItemKind::PROPERTY,
        CompletionKind::Attribute | CompletionKind::Rule => CompletionItemKind::CONSTANT,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
    }
}
