//! What a text leaves unsaid, shown within it: the types of what steps answer, of variables, and of the events that guards look at.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::types::Type;
use weave_analysis::model::workflow::{Condition, Trigger, WorkflowBody};
use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::{ItemKind, NodeKind, Source, Workflow};

use crate::analysis::ItemView;
use crate::{Analysis, Symbol};

/// The most characters of a type that are shown within a text.
const MOST_CHARACTERS: usize = 40;

/// Something that a text leaves unsaid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Behind what it is shown.
    pub place: Place,
    /// What is shown.
    pub label: String,
    /// All of it, if that is longer.
    pub whole: Option<String>,
}

/// What the workflows in a range leave unsaid, in the order of the text.
#[must_use]
pub fn hints(analysis: &Analysis, file: FileId, within: Span) -> Vec<Hint> {
    let mut found = Vec::new();
    for item in analysis.items(file).filter(|item| item.slot.start <= within.end && within.start <= item.slot.end) {
        if let ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind
            && let Some((id, _)) = analysis.declared_by(&item)
        {
            if let Some(body) = analysis.body(id) {
                answers(analysis, body, &mut found);
                events(analysis, &item, workflow, body, &mut found);
            }
            variables(analysis, &item, &mut found);
        }
    }
    found.retain(|hint| within.touches(hint.place.span.end));
    found.sort_by_key(|hint| hint.place);
    found
}

/// What each step answers, behind its name. What a literal is can be seen.
fn answers(analysis: &Analysis, body: &WorkflowBody, found: &mut Vec<Hint>) {
    for node in body.nodes.iter().filter(|node| node.kind == NodeKind::Step) {
        found.extend(node.answer.as_ref().and_then(|ty| typed(analysis, analysis.in_text(node.name_place), ": ", ty)));
    }
}

/// What `.event` is in the guard of a trigger, behind what it fires on.
fn events(analysis: &Analysis, item: &ItemView<'_>, workflow: &Workflow, body: &WorkflowBody, found: &mut Vec<Hint>) {
    let is_read = |trigger: &&Trigger| matches!(trigger.condition, Some(Condition::When(_) | Condition::AlsoWhen(_)));
    let triggers = body.nodes.iter().flat_map(|node| &node.triggers).filter(is_read);
    let known = triggers.filter_map(|trigger| Some((analysis.in_text(trigger.place), trigger.event.as_ref()?)));
    let events: FxHashMap<Place, &Type> = known.collect();
    for trigger in workflow.nodes.iter().filter_map(|node| node.on()).flat_map(|on| &on.items) {
        let end = match &trigger.source {
            Source::Name(name) => name.span,
            Source::From { step, .. } => step.span,
            _ => continue,
        };
        let event = events.get(&item.place(trigger.span));
        found.extend(event.and_then(|ty| typed(analysis, item.place(end), ": ", ty)));
    }
}

/// What the variables of `each`, `exists` and `all` are, where they are bound.
fn variables(analysis: &Analysis, item: &ItemView<'_>, found: &mut Vec<Hint>) {
    let mut known = FxHashSet::default();
    for mention in analysis.mentions_in(item) {
        if let (Symbol::Variable(bound), Some(ty)) = (&mention.symbol, &mention.ty)
            && known.insert(*bound)
        {
            found.extend(typed(analysis, *bound, ": ", ty));
        }
    }
}

fn typed(analysis: &Analysis, place: Place, before: &str, ty: &Type) -> Option<Hint> {
    if matches!(ty, Type::Unknown | Type::Null | Type::Literal(_)) || place.span.is_empty() {
        return None;
    }
    let whole = format!("{before}{}", analysis.model().display(ty));
    let short: String = whole.chars().take(MOST_CHARACTERS).collect();
    Some(if short.len() < whole.len() {
        Hint { place, label: format!("{}…", short.trim_end()), whole: Some(whole.trim_start_matches(": ").to_owned()) }
    } else {
        Hint { place, label: whole, whole: None }
    })
}
