//! `textDocument/completion` and `completionItem/resolve`.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, CompletionParams, CompletionTextEdit, Documentation,
    MarkupContent, MarkupKind, TextEdit, Uri,
};
use weave_ide::{Completion, CompletionKind, completion, described};

use crate::owner::State;

pub(crate) fn complete(state: &mut State, params: CompletionParams) -> Option<CompletionList> {
    let (open, offset) = state.open_at(&params.text_document_position)?;
    let found = completion(&open.project.analysis, open.file, offset)?;
    let places = state.places(&open.project);
    let range = places.range(found.place);
    let known_in = places.uri(found.known_in).and_then(|known_in| serde_json::to_value(Known { known_in }).ok());
    let items = found.items.into_iter().enumerate().map(|(index, item)| {
        let text_edit = Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.label.clone() }));
        let data = known_in.clone().filter(|_| is_declared(item.kind));
        // The order is ours: what is most likely comes first.
        CompletionItem { sort_text: Some(format!("{index:05}")), text_edit, data, ..plain(item) }
    });
    Some(CompletionList { is_incomplete: found.more, items: items.collect() })
}

/// What is needed to say more about an item than its list does. It holds whatever is edited in between.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    /// The document in which the label has its meaning.
    known_in: Uri,
}

pub(crate) fn resolve(state: &mut State, item: CompletionItem) -> CompletionItem {
    let known = item.data.clone().and_then(|data| serde_json::from_value::<Known>(data).ok());
    let docs = known.and_then(|known| {
        let open = state.open(&known.known_in)?;
        described(&open.project.analysis, open.file, &item.label)
    });
    CompletionItem { documentation: docs.map(markdown).or_else(|| item.documentation.clone()), ..item }
}

/// Whether what is offered may be the name of a declaration.
const fn is_declared(kind: CompletionKind) -> bool {
    matches!(kind, CompletionKind::Type | CompletionKind::Callable | CompletionKind::Topic | CompletionKind::Failure)
}

const fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}

fn plain(item: Completion) -> CompletionItem {
    CompletionItem {
        kind: Some(kind(item.kind)),
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        documentation: item.docs.map(markdown),
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
