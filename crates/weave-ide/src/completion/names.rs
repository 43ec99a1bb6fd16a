//! The names that are offered at each kind of place.

use weave_analysis::model::declarations::{FAILURE_KINDS, Tool};
use weave_analysis::model::types::Scalar;
use weave_analysis::model::{Declaration, DeclarationKind};
use weave_analysis::vocabulary;
use weave_diagnostics::FileId;
use weave_syntax::ast::{ItemKind, NodeKind, ToolKind};

use super::place::Wanted;
use super::{Completer, Completion, CompletionKind, plain};
use crate::Analysis;

/// Offers the names that a place wants.
pub(super) fn offer(completer: &Completer<'_>, wanted: Wanted<'_>, items: &mut Vec<Completion>) {
    let words = |words: &[&str], kind| words.iter().map(|word| plain(word, kind)).collect::<Vec<_>>();
    match wanted {
        Wanted::Agent => declared(completer, items, CompletionKind::Callable, |kind| matches!(kind, DeclarationKind::Agent(_))),
        Wanted::Workflow => declared(completer, items, CompletionKind::Callable, |kind| matches!(kind, DeclarationKind::Workflow(_))),
        Wanted::Prompt => declared(completer, items, CompletionKind::Callable, |kind| matches!(kind, DeclarationKind::Prompt(_))),
        Wanted::Callable => declared(completer, items, CompletionKind::Callable, |kind| match kind {
            DeclarationKind::Tool(tool) => is_callable(tool),
            kind => matches!(kind, DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)),
        }),
        Wanted::Offered => declared(completer, items, CompletionKind::Callable, |kind| {
            matches!(
                kind,
                DeclarationKind::Tool(_) | DeclarationKind::Toolkit(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_)
            )
        }),
        Wanted::Emitted => {
            declared(completer, items, CompletionKind::Topic, |kind| matches!(kind, DeclarationKind::Event(event) if !event.external));
        }
        Wanted::Topic => declared(completer, items, CompletionKind::Topic, |kind| matches!(kind, DeclarationKind::Event(_))),
        Wanted::Trigger => {
            steps(completer, items);
            declared(completer, items, CompletionKind::Topic, |kind| matches!(kind, DeclarationKind::Event(_)));
        }
        Wanted::Step => steps(completer, items),
        Wanted::Type => types(completer, items),
        Wanted::Failure => {
            declared(completer, items, CompletionKind::Failure, |kind| matches!(kind, DeclarationKind::Error(_)));
            items.extend(words(&FAILURE_KINDS, CompletionKind::Failure));
        }
        Wanted::Imported => imported(completer, items),
        Wanted::Attribute => items.extend(words(vocabulary::attributes(), CompletionKind::Attribute)),
        Wanted::Rule => items.extend(
            weave_lint::RULES
                .iter()
                .map(|rule| Completion { detail: rule.code.summary.to_owned(), ..plain(rule.id(), CompletionKind::Rule) }),
        ),
        Wanted::ValueOf(setting) => items.extend(words(vocabulary::values_of(setting), CompletionKind::Setting)),
        Wanted::Setting(Some(around)) => items.extend(words(vocabulary::settings_in(around), CompletionKind::Setting)),
        Wanted::Setting(None) => settings(completer, items),
        Wanted::New | Wanted::Grammar => {}
    }
}

const fn is_callable(tool: &Tool) -> bool {
    matches!(tool.kind, ToolKind::Local | ToolKind::Interaction)
}

/// What the file can name, of some kinds: its own names first, then those of imports, then those that are built in.
fn declared(completer: &Completer<'_>, items: &mut Vec<Completion>, kind: CompletionKind, accepts: impl Fn(&DeclarationKind) -> bool) {
    let model = completer.analysis.model();
    let Some(scope) = model.scope(completer.file) else { return };
    let mut found: Vec<(bool, &str, &Declaration)> = Vec::new();
    for (name, id) in scope.names.iter().chain(&scope.topics) {
        if let Some(declaration) = model.get(*id).filter(|declaration| accepts(&declaration.kind)) {
            found.push((declaration.file.0 == 0, name, declaration));
        }
    }
    found.sort_by_key(|(built_in, name, _)| (*built_in, *name));
    items.extend(found.into_iter().map(|(_, name, declaration)| completion(name, kind, declaration)));
}

fn completion(name: &str, kind: CompletionKind, declaration: &Declaration) -> Completion {
    let noun = declaration.kind.noun();
    Completion {
        detail: noun.split_once(' ').map_or(noun, |(_, noun)| noun).to_owned(),
        deprecated: declaration.deprecated.is_some(),
        ..plain(name, kind)
    }
}

fn types(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    declared(completer, items, CompletionKind::Type, |kind| {
        matches!(kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_))
    });
    let scalars = Scalar::ALL.iter().map(|scalar| scalar.name()).chain(["json", "map"]);
    items.extend(scalars.map(|name| plain(name, CompletionKind::Type)));
}

/// The steps of the workflow, without the node that the cursor is in.
fn steps(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let Some((body, own)) = completer.node() else { return };
    for (index, node) in body.nodes.iter().enumerate() {
        if node.kind == NodeKind::Step && index as u32 != own {
            let detail = node.answer.as_ref().map(|ty| completer.analysis.model().display(ty)).unwrap_or_default();
            items.push(Completion { detail, ..plain(&node.name, CompletionKind::Step) });
        }
    }
}

/// What the other file declares and is not imported yet.
fn imported(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let Some(item) = completer.item else { return };
    let ItemKind::Import(import) = &item.slot.parsed.item.kind else { return };
    let Some(target) = completer.analysis.imported_file(&item) else { return };
    let at = completer.offset - item.slot.start;
    let others = import.names.iter().filter(|name| !name.name.span.touches(at));
    let taken: Vec<&str> = others.map(|name| name.name.text(item.context.text)).collect();
    for declaration in completer.analysis.model().declarations.iter().filter(|declaration| declaration.file == target) {
        if !taken.contains(&&*declaration.name) {
            let kind = if matches!(declaration.kind, DeclarationKind::Event(_)) { CompletionKind::Topic } else { CompletionKind::Callable };
            items.push(completion(&declaration.name, kind, declaration));
        }
    }
}

fn settings(completer: &Completer<'_>, items: &mut Vec<Completion>) {
    let Some(item) = completer.item else { return };
    let words = match &item.slot.parsed.item.kind {
        ItemKind::Workflow(workflow) => {
            let at = completer.word.start - item.slot.start;
            let in_node = workflow.nodes.iter().any(|node| node.span.start < at && at <= node.span.end);
            if in_node { vocabulary::settings_of_steps() } else { vocabulary::settings_of(&item.slot.parsed.item.kind) }
        }
        kind => vocabulary::settings_of(kind),
    };
    items.extend(words.iter().map(|word| plain(word, CompletionKind::Setting)));
}

/// The files of the project, as an import of this file names them.
pub(super) fn files(analysis: &Analysis, file: FileId) -> Vec<Completion> {
    let own = analysis.source(file).map(|source| source.name().to_owned()).unwrap_or_default();
    let folder = own.rfind('/').map_or("", |slash| own.get(..slash).unwrap_or_default());
    let others = analysis.snapshot().sources().iter().filter(|(other, _)| other.0 > 0 && *other != file);
    let mut names: Vec<String> = others
        .map(|(_, source)| weave_compiler::relative_path(&format!("/{}", source.name()), &format!("/{folder}")))
        .map(|name| if name.starts_with("../") { name } else { format!("./{name}") })
        .collect();
    names.sort();
    names.iter().map(|name| plain(name, CompletionKind::File)).collect()
}
