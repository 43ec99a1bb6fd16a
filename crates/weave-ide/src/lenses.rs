//! What an editor offers above declarations.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::{ItemKind, Test};

use crate::analysis::ItemView;
use crate::{Analysis, Mention, Role, references};

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensKind {
    /// To draw the workflow.
    Graph,
    /// To show what the workflow is compiled to.
    Definition,
    /// To list the steps that emit the event.
    Emitters,
    /// To list the nodes that fire on the event or wait for it.
    Consumers,
    /// To list where the declaration is mentioned.
    References,
    /// To run the test, or the inner tests of it.
    RunTest,
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
        if let ItemKind::Test(test) = &item.slot.parsed.item.kind {
            tests(&item, test, &mut found);
        }
        let Some((_, declaration)) = analysis.declared_by(&item) else { continue };
        let place = analysis.in_text(declaration.place);
        if place.span.is_empty() {
            continue;
        }
        if matches!(declaration.kind, DeclarationKind::Workflow(_)) {
            found.extend([LensKind::Graph, LensKind::Definition].map(|kind| Lens { place, kind }));
        }
        if let DeclarationKind::Event(event) = &declaration.kind {
            // What comes from outside no workflow emits.
            found.extend((!event.external).then_some(Lens { place, kind: LensKind::Emitters }));
            found.push(Lens { place, kind: LensKind::Consumers });
        }
        found.push(Lens { place, kind: LensKind::References });
    }
    found
}

/// Each test and inner test can be run. They nest no deeper than brackets may.
fn tests(item: &ItemView<'_>, test: &Test, found: &mut Vec<Lens>) {
    if !test.name.is_missing() {
        found.push(Lens { place: item.place(test.name.span), kind: LensKind::RunTest });
    }
    test.branches().for_each(|branch| tests(item, &branch.test, found));
}

/// The path of the test whose name is at an offset: its name behind those of the tests around it, with `/` between them.
#[must_use]
pub fn test_path(analysis: &Analysis, file: FileId, offset: u32) -> Option<String> {
    let item = analysis.item_at(file, offset)?;
    let ItemKind::Test(test) = &item.slot.parsed.item.kind else { return None };
    let at = offset.checked_sub(item.slot.start)?;
    let mut path = test.name.text(item.context.text).to_owned();
    let mut test = &**test;
    while let Some(branch) = test.branches().find(|branch| branch.span.contains(Span::at(at))) {
        test = &branch.test;
        path.push('/');
        path.push_str(test.name.text(item.context.text));
    }
    Some(path)
}

/// Where the declaration at an offset is used as a lens says, imports aside, in the order of the files and their texts; nothing if none is
/// declared there.
#[must_use]
pub fn uses(analysis: &Analysis, file: FileId, offset: u32, kind: LensKind) -> Option<Vec<Mention>> {
    let declares = |mention: &Mention| mention.role == Role::Declares;
    analysis.mentions_at(file, offset).iter().any(declares).then(|| {
        let mut found = references(analysis, file, offset, false);
        found.retain(|mention| match kind {
            LensKind::Emitters => mention.role == Role::Writes,
            LensKind::Consumers => mention.role == Role::Uses && is_in_workflow(analysis, mention),
            _ => mention.role != Role::Imports,
        });
        found
    })
}

/// A workflow names a topic that it does not emit where it listens to it.
fn is_in_workflow(analysis: &Analysis, mention: &Mention) -> bool {
    let item = analysis.item_at(mention.place.file, mention.place.span.start);
    item.is_some_and(|item| matches!(item.slot.parsed.item.kind, ItemKind::Workflow(_)))
}
