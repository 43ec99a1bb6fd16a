//! What an editor offers above declarations.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{FileId, Place};

use crate::{Analysis, Mention, Role, references};

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensKind {
    /// To draw the workflow.
    Graph,
    /// To show what the workflow is compiled to.
    Definition,
    /// To list where the declaration is mentioned.
    References,
}

/// Something that is offered above a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the declaration.
    pub place: Place,
    /// What is offered.
    pub kind: LensKind,
}

/// What is offered in a file, in the order of the text.
#[must_use]
pub fn lenses(analysis: &Analysis, file: FileId) -> Vec<Lens> {
    let mut found = Vec::new();
    for item in analysis.items(file) {
        let Some((_, declaration)) = analysis.declared_by(&item) else { continue };
        let place = analysis.in_text(declaration.place);
        if place.span.is_empty() {
            continue;
        }
        if matches!(declaration.kind, DeclarationKind::Workflow(_)) {
            found.extend([LensKind::Graph, LensKind::Definition].map(|kind| Lens { place, kind }));
        }
        found.push(Lens { place, kind: LensKind::References });
    }
    found
}

/// Where the declaration at an offset is used, imports aside, in the order of the files and their texts; nothing if none is declared there.
#[must_use]
pub fn uses(analysis: &Analysis, file: FileId, offset: u32) -> Option<Vec<Mention>> {
    let declares = |mention: &Mention| mention.role == Role::Declares;
    analysis.mentions_at(file, offset).iter().any(declares).then(|| {
        let mut found = references(analysis, file, offset, false);
        found.retain(|mention| mention.role != Role::Imports);
        found
    })
}
