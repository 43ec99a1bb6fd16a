//! Attributes that may stand where the cursor is, and what stands in their parentheses.

use weave_analysis::model::declarations::Category;
use weave_analysis::vocabulary;
use weave_syntax::TokenKind as K;
use weave_syntax::ast::ItemKind;

use super::{Completer, Completion, CompletionKind, plain};

/// Offers the attributes of what stands behind the cursor, as far as it is known.
pub(super) fn offer(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let kind = completer.item.map(|item| &item.slot.parsed.item.kind);
    let (head, brackets) = completer.before().map(|before| (before.head(), before.brackets())).unwrap_or_default();
    let fits = |name: &str| match (head, brackets.as_slice()) {
        (_, []) => match kind {
            Some(ItemKind::Error(_)) => !matches!(name, "secret" | "wire"),
            Some(ItemKind::Import(_)) => name == "allow",
            // What is declared is not there yet.
            Some(ItemKind::Broken) | None => !matches!(name, "secret" | "wire"),
            Some(_) => matches!(name, "deprecated" | "go" | "python" | "ts" | "allow"),
        },
        (Some(K::Workflow), [K::BraceOpen, ..]) => name == "allow",
        (Some(K::Enum), _) | (Some(K::Union), [_]) => matches!(name, "deprecated" | "go" | "python" | "ts" | "allow"),
        _ => !matches!(name, "category" | "status"),
    };
    let bare = completer.is_followed_by('(');
    items.extend(vocabulary::attributes().iter().filter(|name| fits(name)).map(|name| {
        let (about, arguments) = about(name);
        let snippet = (!bare && !arguments.is_empty()).then(|| format!("{name}{}", arguments.replace("CATEGORIES", &categories())));
        Completion { detail: about.to_owned(), snippet, ..plain(name, CompletionKind::Attribute) }
    }));
}

fn categories() -> String {
    Category::ALL.map(|(name, _)| name).join(",")
}

/// What an attribute says, and what has to stand behind its name.
fn about(name: &str) -> (&'static str, &'static str) {
    match name {
        "deprecated" => ("should no longer be used", "(\"$1\")$0"),
        "secret" => ("kept out of logs and never shown", ""),
        "wire" => ("its name in JSON", "(\"$1\")$0"),
        "category" => ("what kind of trouble it is", "(${1|CATEGORIES|})$0"),
        "status" => ("its status over HTTP", "(${1:404})$0"),
        "go" => ("its name in Go", "(name: \"$1\")$0"),
        "python" => ("its name in Python", "(name: \"$1\")$0"),
        "ts" => ("its name in TypeScript", "(name: \"$1\")$0"),
        "allow" => ("this advice is not wanted here", "(${1:rule}, \"${2:reason}\")$0"),
        _ => ("", ""),
    }
}

/// Offers what may be the next argument of an attribute.
pub(super) fn offer_arguments(attribute: &str, index: usize, items: &mut Vec<Completion>) {
    let named = |name: &str, about: &str| Completion {
        detail: about.to_owned(),
        snippet: Some(format!("{name}: \"$1\"")),
        ..plain(name, CompletionKind::Setting)
    };
    match (attribute, index) {
        ("category", 0) => items.extend(Category::ALL.map(|(name, _)| plain(name, CompletionKind::Setting))),
        ("go" | "python" | "ts", 0) => items.push(named("name", "its name in generated code")),
        ("allow", 2) => items.push(named("until", "the last day on which it holds")),
        _ => {}
    }
}
