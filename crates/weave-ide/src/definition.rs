//! Where something is declared.

use weave_analysis::model::types::Type;
use weave_analysis::model::{DeclarationId, DeclarationKind};
use weave_diagnostics::{FileId, Place, Span};

use crate::{Analysis, Mention, Symbol, Target};

/// A word, and where what it means is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The word.
    pub place: Place,
    /// Where that is; several places for what is declared in several alternatives of a type.
    pub targets: Vec<Target>,
}

/// Where what the word at an offset means is declared.
#[must_use]
pub fn definition(analysis: &Analysis, file: FileId, offset: u32) -> Option<Definition> {
    let mentions = analysis.mentions_at(file, offset);
    let targets = mentions.iter().filter_map(|mention| target(analysis, &mention.symbol));
    found(&mentions, targets.collect())
}

/// Where the type of what the word at an offset means is declared.
#[must_use]
pub fn type_definition(analysis: &Analysis, file: FileId, offset: u32) -> Option<Definition> {
    let mentions = analysis.mentions_at(file, offset);
    let mut targets = Vec::new();
    for mention in &mentions {
        let mut types = Vec::new();
        type_of(analysis, mention, &mut types);
        targets.extend(types.iter().filter_map(|id| Some(analysis.target_of(analysis.model().get(*id)?))));
    }
    found(&mentions, targets)
}

fn found(mentions: &[Mention], mut targets: Vec<Target>) -> Option<Definition> {
    targets.sort();
    targets.dedup();
    let place = mentions.first()?.place;
    (!targets.is_empty()).then_some(Definition { place, targets })
}

/// Where a symbol is declared.
pub(crate) fn target(analysis: &Analysis, symbol: &Symbol) -> Option<Target> {
    match symbol {
        Symbol::Declaration(id) => Some(analysis.target_of(analysis.model().get(*id)?)),
        Symbol::Node(workflow, node) => {
            let node = analysis.body(*workflow)?.nodes.get(*node as usize)?;
            Some(Target { name: analysis.in_text(node.name_place), whole: analysis.in_text(node.place) })
        }
        Symbol::Member(place) | Symbol::Variable(place) => Some(Target { name: *place, whole: *place }),
        Symbol::File(file) => {
            let start = Place::new(*file, Span::at(0));
            Some(Target { name: start, whole: start })
        }
        Symbol::BuiltIn(_) | Symbol::Type(_) | Symbol::Rule(_) => None,
    }
}

/// The declared types in the type of what a word means.
fn type_of(analysis: &Analysis, mention: &Mention, found: &mut Vec<DeclarationId>) {
    if let Some(ty) = &mention.ty {
        return named(ty, found);
    }
    match &mention.symbol {
        Symbol::Declaration(id) => match analysis.model().get(*id).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Tool(tool)) => tool.output.iter().for_each(|ty| named(ty, found)),
            Some(DeclarationKind::Agent(agent)) => agent.output.iter().for_each(|ty| named(ty, found)),
            Some(DeclarationKind::Workflow(workflow)) => workflow.output.iter().for_each(|ty| named(ty, found)),
            Some(DeclarationKind::Event(event)) => named(&event.payload, found),
            Some(DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_)) => {
                found.push(*id);
            }
            _ => {}
        },
        Symbol::Node(workflow, node) => {
            let node = analysis.body(*workflow).and_then(|body| body.nodes.get(*node as usize));
            node.and_then(|node| node.answer.as_ref()).into_iter().for_each(|ty| named(ty, found));
        }
        _ => {}
    }
}

/// The declared types that a type is made of, its fields aside.
fn named(ty: &Type, found: &mut Vec<DeclarationId>) {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty {
            Type::Named(id) => found.push(*id),
            Type::List(list) => open.push(&list.item),
            Type::Map(map) => open.push(&map.value),
            Type::Union(alternatives) => open.extend(alternatives.iter()),
            _ => {}
        }
    }
}
