//! The outline of a file, and the names of a project.

use weave_diagnostics::{FileId, Place, Span};
use weave_syntax::ast::{Field, ItemKind, NodeKind, Test, TypeBody};

use crate::analysis::{ItemView, keyword};
use crate::{Analysis, Target};

/// What kind of thing a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A type with fields, or another name of one.
    Type,
    /// An enum.
    Enum,
    /// A value of an enum or a variant of a union.
    Value,
    /// A tagged union.
    Union,
    /// An error.
    Error,
    /// An event.
    Event,
    /// A tool.
    Tool,
    /// A toolkit.
    Toolkit,
    /// A prompt.
    Prompt,
    /// An agent.
    Agent,
    /// A workflow.
    Workflow,
    /// A step, an end or a failure of a workflow.
    Node,
    /// A field or a parameter; in settings a key.
    Field,
    /// A test, or an inner test.
    Test,
    /// A table of settings.
    Table,
}

/// A thing of a file, with what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// Its name.
    pub name: String,
    /// What it is, in a word of the language: `signal tool`, `step`; of a field its type.
    pub detail: String,
    /// What kind of thing it is.
    pub kind: SymbolKind,
    /// Where it stands.
    pub target: Target,
    /// Whether nobody should use it any more.
    pub deprecated: bool,
    /// What is in it, in the order of the text.
    pub children: Vec<DocumentSymbol>,
}

/// The outline of a file, in the order of the text.
#[must_use]
pub fn document_symbols(analysis: &Analysis, file: FileId) -> Vec<DocumentSymbol> {
    analysis.items(file).filter_map(|item| symbol(analysis, &item)).collect()
}

/// A name of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// Its name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: SymbolKind,
    /// The name of the file.
    pub container: String,
    /// Where it stands.
    pub target: Target,
}

/// The declarations of the project's own files whose names have the letters of a query in their order, in the order of the files.
#[must_use]
pub fn workspace_symbols(analysis: &Analysis, query: &str) -> Vec<WorkspaceSymbol> {
    let mut found = Vec::new();
    for declaration in &analysis.model().declarations {
        if !analysis.snapshot().is_root(declaration.file) || !matches(&declaration.name, query) {
            continue;
        }
        let Some(item) = analysis.item_of(declaration) else { continue };
        let Some(kind) = kind(&item.slot.parsed.item.kind) else { continue };
        let container = analysis.source(declaration.file).map(|file| file.name().to_owned()).unwrap_or_default();
        found.push(WorkspaceSymbol { name: declaration.name.to_string(), kind, container, target: analysis.target_of(declaration) });
    }
    found
}

/// Whether the letters of a query stand in a name in their order, whatever their case.
pub(crate) fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    query.chars().filter(|letter| !letter.is_whitespace()).all(|wanted| letters.any(|letter| letter == wanted.to_ascii_lowercase()))
}

pub(crate) fn kind(kind: &ItemKind) -> Option<SymbolKind> {
    Some(match kind {
        ItemKind::Import(_) | ItemKind::Broken => return None,
        ItemKind::Type(_) => SymbolKind::Type,
        ItemKind::Enum(_) => SymbolKind::Enum,
        ItemKind::Union(_) => SymbolKind::Union,
        ItemKind::Error(_) => SymbolKind::Error,
        ItemKind::Event(_) => SymbolKind::Event,
        ItemKind::Tool(_) => SymbolKind::Tool,
        ItemKind::Toolkit(_) => SymbolKind::Toolkit,
        ItemKind::Prompt(_) => SymbolKind::Prompt,
        ItemKind::Agent(_) => SymbolKind::Agent,
        ItemKind::Workflow(_) => SymbolKind::Workflow,
        ItemKind::Test(_) => SymbolKind::Test,
    })
}

fn symbol(analysis: &Analysis, item: &ItemView<'_>) -> Option<DocumentSymbol> {
    let tree = &item.slot.parsed.item;
    let name = match &tree.kind {
        ItemKind::Event(event) => event.topic.span,
        ItemKind::Test(test) => test.name.span,
        other => other.name()?.span,
    };
    if name.is_empty() {
        return None;
    }
    let outline = Outline { item };
    let children = match &tree.kind {
        ItemKind::Type(it) => outline.body(&it.body),
        ItemKind::Error(it) => outline.body(&it.body),
        ItemKind::Event(it) => outline.body(&it.body),
        ItemKind::Enum(it) => it.values.iter().filter_map(|value| outline.value(value.name.span, value.span)).collect(),
        ItemKind::Union(it) => it.variants.iter().filter_map(|variant| outline.value(variant.name.span, variant.span)).collect(),
        ItemKind::Workflow(it) => it.nodes.iter().filter_map(|node| outline.node(node)).collect(),
        ItemKind::Test(it) => outline.branches(it),
        _ => Vec::new(),
    };
    let words = Span::new(tree.span.start, name.start).text(item.context.text);
    let detail = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(DocumentSymbol {
        name: name.text(item.context.text).to_owned(),
        detail: if detail.is_empty() { keyword(&tree.kind).to_owned() } else { detail },
        kind: kind(&tree.kind)?,
        target: Target { name: item.place(name), whole: item.place(Span::new(0, item.slot.end - item.slot.start)) },
        deprecated: analysis.declared_by(item).is_some_and(|(_, declaration)| declaration.deprecated.is_some()),
        children,
    })
}

struct Outline<'a> {
    item: &'a ItemView<'a>,
}

impl Outline<'_> {
    fn text(&self, span: Span) -> String {
        span.text(self.item.context.text).to_owned()
    }

    fn place(&self, span: Span) -> Place {
        self.item.place(span)
    }

    fn part(&self, name: Span, whole: Span, kind: SymbolKind, detail: String) -> Option<DocumentSymbol> {
        let target = Target { name: self.place(name), whole: self.place(whole.join(name)) };
        (!name.is_empty()).then(|| DocumentSymbol { name: self.text(name), detail, kind, target, deprecated: false, children: Vec::new() })
    }

    fn value(&self, name: Span, whole: Span) -> Option<DocumentSymbol> {
        self.part(name, whole, SymbolKind::Value, String::new())
    }

    /// The inner tests, which nest no deeper than brackets may.
    fn branches(&self, test: &Test) -> Vec<DocumentSymbol> {
        let branches = test.branches().filter_map(|branch| {
            let mut symbol = self.part(branch.test.name.span, branch.span, SymbolKind::Test, "test".to_owned())?;
            symbol.children = self.branches(&branch.test);
            Some(symbol)
        });
        branches.collect()
    }

    fn body(&self, body: &TypeBody) -> Vec<DocumentSymbol> {
        match body {
            TypeBody::Record(record) => record.fields.iter().filter_map(|field| self.field(field)).collect(),
            TypeBody::Alias(_) | TypeBody::None => Vec::new(),
        }
    }

    fn field(&self, field: &Field) -> Option<DocumentSymbol> {
        let ty = self.text(field.ty.span());
        self.part(field.name.span, field.span, SymbolKind::Field, ty.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn node(&self, node: &weave_syntax::ast::Node) -> Option<DocumentSymbol> {
        let word = match node.kind {
            NodeKind::Step => "step",
            NodeKind::End => "end",
            NodeKind::Fail => "fail",
        };
        self.part(node.name.span, node.span, SymbolKind::Node, word.to_owned())
    }
}
