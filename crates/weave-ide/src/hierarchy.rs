//! What leads to what: steps to steps and to what they call, topics to those who listen, agents and toolkits to what they may use.

use std::collections::{BTreeMap, BTreeSet};

use weave_analysis::model::{DeclarationId, DeclarationKind};
use weave_diagnostics::{FileId, Place};
use weave_syntax::ast::{ItemKind, Source, Trigger, Workflow};

use crate::analysis::ItemView;
use crate::definition::target;
use crate::references::items_with;
use crate::symbols::kind;
use crate::{Analysis, Mention, Role, Symbol, SymbolKind, Target};

/// Something that leads somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyItem {
    /// Its name.
    pub name: String,
    /// Of a node its workflow, else the file.
    pub container: String,
    /// What kind of thing it is.
    pub kind: SymbolKind,
    /// Where it stands.
    pub target: Target,
}

/// A way from one thing to another, seen from one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyCall {
    /// The other one.
    pub item: HierarchyItem,
    /// Where the one that leads does so; its name, if the other one says it.
    pub places: Vec<Place>,
}

/// What stands at an offset, if it is a thing that leads somewhere or that something leads to.
#[must_use]
pub fn hierarchy_item(analysis: &Analysis, file: FileId, offset: u32) -> Option<HierarchyItem> {
    described(analysis, &symbol_at(analysis, file, offset)?)
}

/// What leads to what stands at an offset, in the order of the files and their texts.
#[must_use]
pub fn incoming(analysis: &Analysis, file: FileId, offset: u32) -> Vec<HierarchyCall> {
    let Some(symbol) = symbol_at(analysis, file, offset) else { return Vec::new() };
    let ways = ways_of(analysis, &symbol);
    calls(analysis, ways.into_iter().filter(|way| way.to == symbol).map(|way| (way.from, way.place)))
}

/// Where what stands at an offset leads to, in the order of the files and their texts.
#[must_use]
pub fn outgoing(analysis: &Analysis, file: FileId, offset: u32) -> Vec<HierarchyCall> {
    let Some(symbol) = symbol_at(analysis, file, offset) else { return Vec::new() };
    let ways = ways_of(analysis, &symbol);
    calls(analysis, ways.into_iter().filter(|way| way.from == symbol).map(|way| (way.to, way.place)))
}

fn symbol_at(analysis: &Analysis, file: FileId, offset: u32) -> Option<Symbol> {
    let mut symbols = analysis.mentions_at(file, offset).into_iter().map(|mention| mention.symbol);
    symbols.find(|symbol| match symbol {
        Symbol::Declaration(id) => leads(analysis, *id),
        other => matches!(other, Symbol::Node(..)),
    })
}

/// Whether a declaration leads somewhere, or something to it: types and errors do not.
fn leads(analysis: &Analysis, id: DeclarationId) -> bool {
    let kind = analysis.model().get(id).map(|declaration| &declaration.kind);
    kind.is_some_and(|kind| {
        !matches!(kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_))
    })
}

fn calls(analysis: &Analysis, ways: impl Iterator<Item = (Symbol, Place)>) -> Vec<HierarchyCall> {
    let mut places: BTreeMap<Symbol, BTreeSet<Place>> = BTreeMap::new();
    for (other, place) in ways {
        places.entry(other).or_default().insert(place);
    }
    let call = |(symbol, places): (Symbol, BTreeSet<Place>)| {
        Some(HierarchyCall { item: described(analysis, &symbol)?, places: places.into_iter().collect() })
    };
    let mut found: Vec<_> = places.into_iter().filter_map(call).collect();
    found.sort_by_key(|call| call.item.target);
    found
}

fn described(analysis: &Analysis, symbol: &Symbol) -> Option<HierarchyItem> {
    let target = target(analysis, symbol)?;
    let (name, container, kind) = match symbol {
        Symbol::Node(workflow, node) => {
            let node = analysis.body(*workflow)?.nodes.get(*node as usize)?;
            (node.name.to_string(), analysis.model().get(*workflow)?.name.to_string(), SymbolKind::Node)
        }
        Symbol::Declaration(id) => {
            let declaration = analysis.model().get(*id)?;
            let kind = kind(&analysis.item_of(declaration)?.slot.parsed.item.kind)?;
            (declaration.name.to_string(), analysis.source(declaration.file)?.name().to_owned(), kind)
        }
        _ => return None,
    };
    Some(HierarchyItem { name, container, kind, target })
}

/// A way from one thing to another.
struct Way {
    from: Symbol,
    to: Symbol,
    place: Place,
}

/// The ways from and to something.
fn ways_of(analysis: &Analysis, symbol: &Symbol) -> Vec<Way> {
    let items: Vec<ItemView<'_>> = match symbol {
        // Nodes are known in their own workflow only.
        Symbol::Node(workflow, _) => analysis.model().get(*workflow).and_then(|it| analysis.item_of(it)).into_iter().collect(),
        other => items_with(analysis, &BTreeSet::from([other.clone()]), None),
    };
    items.iter().flat_map(|item| ways_in(analysis, item)).collect()
}

/// The ways that an item makes.
fn ways_in(analysis: &Analysis, item: &ItemView<'_>) -> Vec<Way> {
    let Some((own, declaration)) = analysis.declared_by(item) else { return Vec::new() };
    let mentions = analysis.mentions_in(item);
    let used = mentions.iter().filter(|mention| matches!(mention.role, Role::Uses | Role::Writes));
    match (&item.slot.parsed.item.kind, &declaration.kind) {
        (ItemKind::Workflow(workflow), _) => ways_in_workflow(analysis, item, workflow, own, &mentions),
        (_, DeclarationKind::Agent(_) | DeclarationKind::Toolkit(_)) => {
            let is_used = |mention: &&Mention| matches!(mention.symbol, Symbol::Declaration(id) if id != own && leads(analysis, id));
            let from = || Symbol::Declaration(own);
            used.filter(is_used).map(|mention| Way { from: from(), to: mention.symbol.clone(), place: mention.place }).collect()
        }
        _ => Vec::new(),
    }
}

fn ways_in_workflow(analysis: &Analysis, item: &ItemView<'_>, workflow: &Workflow, own: DeclarationId, mentions: &[Mention]) -> Vec<Way> {
    let named = |symbol: &Symbol| target(analysis, symbol).map(|target| target.name);
    let mut found = Vec::new();
    let mut mentions = mentions.iter().peekable();
    for node in &workflow.nodes {
        let place = item.place(node.span);
        let triggers = node.on().map(|on| item.place(on.span));
        while mentions.next_if(|mention| mention.place.span.start < place.span.start).is_some() {}
        let mut inside = Vec::new();
        while let Some(mention) = mentions.next_if(|mention| mention.place.span.start < place.span.end) {
            inside.push(mention);
        }
        let declares = |mention: &&&Mention| mention.role == Role::Declares && matches!(mention.symbol, Symbol::Node(..));
        // A second node of the same name is none.
        let Some(this) = inside.iter().find(declares).map(|mention| mention.symbol.clone()) else { continue };
        for mention in inside.into_iter().filter(|mention| matches!(mention.role, Role::Uses | Role::Writes)) {
            let fires = triggers.is_some_and(|triggers| triggers.span.contains(mention.place.span));
            let other = mention.symbol.clone();
            let is_path = mention.ty.is_some();
            let way = match &other {
                Symbol::Node(..) if fires && !is_path => named(&other).map(|place| Way { from: other, to: this.clone(), place }),
                Symbol::Declaration(id) if leads(analysis, *id) => {
                    let is_event = matches!(analysis.model().get(*id).map(|it| &it.kind), Some(DeclarationKind::Event(_)));
                    if fires || is_event && mention.role == Role::Uses {
                        named(&other).map(|place| Way { from: other, to: this.clone(), place })
                    } else {
                        Some(Way { from: this.clone(), to: other, place: mention.place })
                    }
                }
                _ => None,
            };
            found.extend(way);
        }
        let starts = node.on().is_none_or(|on| on.items.iter().any(|trigger| is_start(item, trigger)));
        if starts && let Some(place) = named(&Symbol::Declaration(own)) {
            found.push(Way { from: Symbol::Declaration(own), to: this, place });
        }
    }
    found
}

fn is_start(item: &ItemView<'_>, trigger: &Trigger) -> bool {
    matches!(&trigger.source, Source::Name(name) if name.text(item.context.text) == "start")
}
