//! `textDocument/completion` and `completionItem/resolve`.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionItemTag, CompletionList, CompletionParams,
    CompletionTextEdit, Documentation, InsertTextFormat, InsertTextMode, MarkupContent, MarkupKind, Range, TextEdit, Uri,
};
use weave_diagnostics::FileId;
use weave_ide::{Completion, CompletionKind, completion, described};

use super::{Open, settings};
use crate::capabilities::Client;
use crate::convert::Places;
use crate::owner::State;

pub(crate) fn complete(state: &mut State, params: CompletionParams) -> Option<CompletionList> {
    let at = &params.text_document_position;
    if let Some(open) = state.open_settings(&at.text_document.uri) {
        return settings::complete(state, &open, at.position);
    }
    let (open, offset) = state.open_at(at)?;
    let found = completion(&open.project.analysis, open.file, offset)?;
    let places = state.places(&open.project);
    let range = places.range(found.place);
    let list = List { range, indent: indent(&open, range), known_in: known(&places, found.known_in), places: Some(places) };
    Some(list.of(&state.client, found.items, found.more))
}

/// The list of what can stand in a text that is no program.
pub(crate) fn list_of(client: &Client, range: Range, items: Vec<Completion>) -> CompletionList {
    List { range, indent: String::new(), known_in: None, places: None }.of(client, items, false)
}

/// What the items of a list have in common.
struct List<'a> {
    /// What is replaced.
    range: Range,
    /// The blanks that its line begins with.
    indent: String,
    known_in: Option<Json>,
    /// None, where nothing is imported.
    places: Option<Places<'a>>,
}

impl List<'_> {
    fn of(&self, client: &Client, items: Vec<Completion>, more: bool) -> CompletionList {
        let items = items.into_iter().enumerate().map(|(index, item)| {
            // The order is ours: what is most likely comes first.
            CompletionItem { sort_text: Some(format!("{index:05}")), ..said(client, self, item) }
        });
        CompletionList { is_incomplete: more, items: items.collect() }
    }
}

/// What is needed to say more about an item than its list does. It holds whatever is edited in between.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    /// The document in which the label has its meaning.
    known_in: Uri,
}

fn known(places: &Places<'_>, file: FileId) -> Option<Json> {
    places.uri(file).and_then(|known_in| serde_json::to_value(Known { known_in }).ok())
}

pub(crate) fn resolve(state: &mut State, item: CompletionItem) -> CompletionItem {
    let known = item.data.clone().and_then(|data| serde_json::from_value::<Known>(data).ok());
    let docs = known.and_then(|known| {
        let open = state.open(&known.known_in)?;
        described(&open.project.analysis, open.file, &item.label)
    });
    CompletionItem { documentation: docs.map(markdown).or_else(|| item.documentation.clone()), ..item }
}

/// Whether what is offered may be the name of a declaration, or a rule.
const fn is_described(kind: CompletionKind) -> bool {
    use CompletionKind::{Callable, Failure, Rule, Topic, Type};
    matches!(kind, Type | Callable | Topic | Failure | Rule)
}

const fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}

fn indent(open: &Open, range: Range) -> String {
    let line = open.source.text().lines().nth(range.start.line as usize).unwrap_or_default();
    line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect()
}

fn said(client: &Client, list: &List<'_>, mut item: Completion) -> CompletionItem {
    let snippet = item.snippet.take_if(|_| client.snippets);
    let is_snippet = snippet.is_some();
    // An editor that indents what it inserts does it for snippets; for plain text only some do, and those are told not to.
    let new_text = snippet.unwrap_or_else(|| item.plain_text().replace('\n', &format!("\n{}", list.indent)));
    let mode = if is_snippet { InsertTextMode::ADJUST_INDENTATION } else { InsertTextMode::AS_IS };
    let mut data = list.known_in.clone();
    let (mut label_details, mut additional_text_edits) = (None, None);
    if let (Some(import), Some(places)) = (item.import.take(), &list.places) {
        data = known(places, import.file);
        additional_text_edits = Some(vec![TextEdit { range: places.range(import.edit.place), new_text: import.edit.text }]);
        if client.label_details {
            label_details = Some(CompletionItemLabelDetails { detail: None, description: Some(import.path) });
        } else {
            item.detail.push_str(&format!(" from {}", import.path));
        }
    }
    CompletionItem {
        insert_text_format: Some(InsertTextFormat::SNIPPET).filter(|_| is_snippet),
        insert_text_mode: Some(mode).filter(|_| client.insert_modes && new_text.contains('\n')),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: list.range, new_text })),
        filter_text: item.filter.take(),
        data: data.filter(|_| is_described(item.kind)),
        label_details,
        additional_text_edits,
        ..plain(item)
    }
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
        CompletionKind::Function => CompletionItemKind::METHOD,
        CompletionKind::Setting => CompletionItemKind::PROPERTY,
        CompletionKind::Attribute | CompletionKind::Rule => CompletionItemKind::CONSTANT,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Folder => CompletionItemKind::FOLDER,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}
