//! A checked program, as rules look at it.

use std::sync::Arc;

use weave_analysis::Bodies;
use weave_analysis::model::declarations::WorkflowSignature;
use weave_analysis::model::guard::Guard;
use weave_analysis::model::workflow::{Node, WorkflowBody};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, ItemContext, Model, Unit};
use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ItemSlot;
use weave_syntax::ast::{self, ItemKind};

use crate::edit::whole_lines;
use crate::facts::Facts;
use crate::parts::Parts;
use crate::retries::RetryView;

/// A checked program without errors.
#[derive(Clone, Copy, Debug)]
pub struct Project<'a> {
    /// What its files declare.
    pub model: &'a Model,
    /// Its files, the prelude first; their index is that of their [`FileId`].
    pub units: &'a [Unit],
    /// The workflows of each file, in the order of the files.
    pub bodies: &'a [Arc<Bodies>],
    /// How many of the first files are the prelude and the roots. What the roots import is known, but not linted.
    pub roots: usize,
    /// What several rules want to know.
    pub facts: &'a Facts<'a>,
}

impl<'a> Project<'a> {
    /// The files that are linted.
    pub fn files(&self) -> impl Iterator<Item = FileView<'a>> + use<'a> {
        let project = *self;
        let units = self.units.get(1..self.roots).unwrap_or_default();
        units.iter().map(move |unit| FileView { project, unit })
    }

    /// Whether findings about a file are wanted.
    #[must_use]
    pub const fn is_linted(&self, file: FileId) -> bool {
        file.0 > 0 && (file.0 as usize) < self.roots
    }

    /// Where a place of the model stands in the text of its file. A place in a text stays what it is.
    #[must_use]
    pub fn in_text(&self, place: Place) -> Place {
        self.units.get(place.file.0 as usize).map_or(place, |unit| unit.in_text(place))
    }

    /// The declarations of the files that are linted, in the order of the files and their texts.
    pub fn declarations(&self) -> impl Iterator<Item = DeclarationView<'a>> + use<'a> {
        self.files().flat_map(|file| file.declarations())
    }

    /// All workflows of the program, those of imported files included.
    pub fn all_workflows(&self) -> impl Iterator<Item = &'a WorkflowBody> + use<'a> {
        self.bodies.iter().flat_map(|bodies| bodies.workflows.iter().map(|body| &**body))
    }
}

/// The declarations of a file, which stand side by side in the model, in the order of the text.
fn declarations<'a>(model: &'a Model, unit: &Unit) -> impl Iterator<Item = (DeclarationId, &'a Declaration)> + use<'a> {
    let file = unit.file;
    let first = model.declarations.partition_point(|declaration| declaration.file < file);
    let behind = model.declarations.iter().enumerate().skip(first).take_while(move |(_, declaration)| declaration.file == file);
    behind.map(|(index, declaration)| (DeclarationId(index as u32), &**declaration))
}

/// The tree of a declaration of a file, and what turns its spans into places.
pub(crate) fn item<'a>(unit: &'a Unit, declaration: &Declaration) -> Option<(&'a ast::Item, ItemContext<'a>)> {
    let slot = unit.syntax.items.get(declaration.item as usize)?;
    let context = ItemContext { file: unit.file, start: slot.start, text: unit.syntax.item_text(slot) };
    Some((&slot.parsed.item, context))
}

/// The declarations of a file, each with its tree and what turns the spans of that into places.
pub(crate) fn items<'a>(
    model: &'a Model,
    unit: &'a Unit,
) -> impl Iterator<Item = (&'a Declaration, &'a ast::Item, ItemContext<'a>)> + use<'a> {
    declarations(model, unit).filter_map(|(_, declaration)| {
        let (item, context) = item(unit, declaration)?;
        Some((declaration, item, context))
    })
}

/// The block with the settings of a declaration.
pub(crate) const fn block(item: &ast::Item) -> Option<&ast::Block> {
    match &item.kind {
        ItemKind::Tool(tool) => tool.settings.as_ref(),
        ItemKind::Toolkit(toolkit) => toolkit.settings.as_ref(),
        ItemKind::Agent(agent) => agent.settings.as_ref(),
        _ => None,
    }
}

/// A file that is linted.
#[derive(Clone, Copy, Debug)]
pub struct FileView<'a> {
    /// Its program.
    pub project: Project<'a>,
    /// The file.
    pub unit: &'a Unit,
}

impl<'a> FileView<'a> {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> FileId {
        self.unit.file
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        &self.unit.syntax.text
    }

    fn parts(&self) -> Option<&'a Parts<'a>> {
        self.project.facts.parts(self.unit.file)
    }

    /// The fields that an item writes out: parameters, and those of records in types, however deep.
    pub(crate) fn fields(&self, item: u32) -> &'a [&'a ast::Field] {
        self.parts().map_or(&[], |parts| parts.fields(item))
    }

    /// Where something is tried again.
    pub(crate) fn retries(&self) -> &'a [RetryView<'a>] {
        self.parts().map_or(&[], |parts| &parts.retries)
    }

    /// The guards as they were written.
    pub(crate) fn written_guards(&self) -> &'a [(ItemContext<'a>, &'a ast::Expr)] {
        self.parts().map_or(&[], |parts| &parts.written)
    }

    /// The guards as they are meant.
    pub(crate) fn meant_guards(&self) -> &'a [&'a Guard] {
        self.parts().map_or(&[], |parts| &parts.meant)
    }

    /// Its items, each with what turns its spans into places.
    pub fn items(&self) -> impl Iterator<Item = (&'a ItemSlot, ItemContext<'a>)> + use<'a> {
        let unit = self.unit;
        unit.syntax.items.iter().map(|slot| {
            let context = ItemContext { file: unit.file, start: slot.start, text: unit.syntax.item_text(slot) };
            (slot, context)
        })
    }

    /// What it declares, in the order of the text.
    pub fn declarations(&self) -> impl Iterator<Item = DeclarationView<'a>> + use<'a> {
        let (project, unit) = (self.project, self.unit);
        declarations(project.model, unit).filter_map(move |(id, declaration)| {
            let (item, context) = item(unit, declaration)?;
            Some(DeclarationView { project, id, declaration, item, context })
        })
    }

    /// Its workflows, in the order of the text.
    pub fn workflows(&self) -> impl Iterator<Item = WorkflowView<'a>> + use<'a> {
        let bodies = self.project.bodies.get(self.unit.file.0 as usize);
        let bodies: &'a [Arc<WorkflowBody>] = bodies.map(|bodies| bodies.workflows.as_slice()).unwrap_or_default();
        self.declarations().filter_map(move |view| {
            let DeclarationKind::Workflow(signature) = &view.declaration.kind else { return None };
            let ItemKind::Workflow(syntax) = &view.item.kind else { return None };
            let body: &'a WorkflowBody = bodies.get(bodies.binary_search_by_key(&view.id, |body| body.declaration).ok()?)?;
            Some(WorkflowView { declaration: view, signature, body, syntax })
        })
    }
}

/// A declaration and its tree.
#[derive(Clone, Copy, Debug)]
pub struct DeclarationView<'a> {
    /// Its program.
    pub project: Project<'a>,
    /// Its id.
    pub id: DeclarationId,
    /// What it means.
    pub declaration: &'a Declaration,
    /// Its tree.
    pub item: &'a ast::Item,
    /// What turns the spans of its tree into places.
    pub context: ItemContext<'a>,
}

impl<'a> DeclarationView<'a> {
    /// The place of a span of its tree.
    #[must_use]
    pub const fn place(&self, span: Span) -> Place {
        self.context.place(span)
    }

    /// What goes away with the declaration: all of it, its docs, its attributes and its lines.
    #[must_use]
    pub fn whole(&self) -> Place {
        let start = self.context.start;
        let all = Span::new(start, start + self.context.text.len() as u32);
        let file = self.project.units.get(self.context.file.0 as usize);
        Place::new(self.context.file, file.map_or(all, |unit| whole_lines(&unit.syntax.text, all)))
    }

    /// Whether it is there for something: something names it, or its file only declares, for others to use.
    #[must_use]
    pub fn has_purpose(&self) -> bool {
        let of_file = self.project.bodies.get(self.declaration.file.0 as usize);
        self.project.facts.is_named(self.id) || of_file.is_none_or(|bodies| bodies.workflows.is_empty())
    }

    /// The text of a span of its tree.
    #[must_use]
    pub fn text(&self, span: Span) -> &'a str {
        span.text(self.context.text)
    }

    /// The fields that it writes out: parameters, and those of records in types, however deep.
    pub(crate) fn fields(&self) -> &'a [&'a ast::Field] {
        self.project.facts.parts(self.declaration.file).map_or(&[], |parts| parts.fields(self.declaration.item))
    }

    /// The block with its settings, if such a declaration has one that was written.
    #[must_use]
    pub const fn block(&self) -> Option<&'a ast::Block> {
        block(self.item)
    }

    /// A setting by its name.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&'a ast::Setting> {
        self.block()?.settings().find(|setting| setting.name.text(self.context.text) == name)
    }
}

/// A workflow, its nodes and its tree.
#[derive(Clone, Copy, Debug)]
pub struct WorkflowView<'a> {
    /// Its declaration.
    pub declaration: DeclarationView<'a>,
    /// Its signature.
    pub signature: &'a WorkflowSignature,
    /// Its nodes, typed.
    pub body: &'a WorkflowBody,
    /// Its tree.
    pub syntax: &'a ast::Workflow,
}

impl<'a> WorkflowView<'a> {
    /// Its nodes, each with its tree. In a program without errors there are as many of one as of the other.
    pub fn nodes(&self) -> impl Iterator<Item = NodeView<'a>> + use<'a> {
        self.body.nodes.iter().zip(&self.syntax.nodes).map(|(node, syntax)| NodeView { node, syntax })
    }

    /// The place of a span of its tree.
    #[must_use]
    pub const fn place(&self, span: Span) -> Place {
        self.declaration.place(span)
    }
}

/// A node and its tree.
#[derive(Clone, Copy, Debug)]
pub struct NodeView<'a> {
    /// What it means.
    pub node: &'a Node,
    /// Its tree.
    pub syntax: &'a ast::Node,
}
