//! Everywhere that something is mentioned.

use std::collections::BTreeSet;

use weave_analysis::model::{Declaration, DeclarationKind};
use weave_diagnostics::{FileId, Place};
use weave_syntax::ast::ItemKind;
use weave_syntax::text::string_value;

use crate::analysis::ItemView;
use crate::members::member_at;
use crate::{Analysis, Mention, Symbol};

/// What the word at an offset means, mentioned everywhere in the program, in the order of the files and their texts.
#[must_use]
pub fn references(analysis: &Analysis, file: FileId, offset: u32, with_declaration: bool) -> Vec<Mention> {
    let symbols: BTreeSet<Symbol> = analysis.mentions_at(file, offset).into_iter().map(|mention| mention.symbol).collect();
    let mut found = mentions_of(analysis, &symbols, None);
    found.retain(|mention| with_declaration || mention.role != crate::Role::Declares);
    found.dedup_by_key(|mention| mention.place);
    found
}

/// The same in its own file only.
#[must_use]
pub fn highlights(analysis: &Analysis, file: FileId, offset: u32) -> Vec<Mention> {
    let symbols: BTreeSet<Symbol> = analysis.mentions_at(file, offset).into_iter().map(|mention| mention.symbol).collect();
    let mut found = mentions_of(analysis, &symbols, Some(file));
    found.dedup_by_key(|mention| mention.place);
    found
}

/// Where these are mentioned, in one file or in all.
pub(crate) fn mentions_of(analysis: &Analysis, symbols: &BTreeSet<Symbol>, only: Option<FileId>) -> Vec<Mention> {
    let items = items_with(analysis, symbols, only);
    items.iter().flat_map(|item| analysis.mentions_in(item)).filter(|mention| symbols.contains(&mention.symbol)).collect()
}

/// The items that may mention these, by their text.
pub(crate) fn items_with<'a>(analysis: &'a Analysis, symbols: &BTreeSet<Symbol>, only: Option<FileId>) -> Vec<ItemView<'a>> {
    let names: Vec<String> = symbols.iter().flat_map(|symbol| names(analysis, symbol)).collect();
    let mut found = Vec::new();
    for (file, source) in analysis.snapshot().sources().iter() {
        if only.is_some_and(|only| only != file) || !names.iter().any(|name| source.text().contains(name.as_str())) {
            continue;
        }
        // Most items do not even have the word in them.
        found.extend(analysis.items(file).filter(|item| names.iter().any(|name| item.context.text.contains(name.as_str()))));
    }
    found
}

/// What a symbol may be called where it is mentioned.
fn names(analysis: &Analysis, symbol: &Symbol) -> Vec<String> {
    match symbol {
        Symbol::Declaration(id) => match analysis.model().get(*id) {
            Some(declaration) => declared_names(analysis, *id, declaration),
            None => Vec::new(),
        },
        Symbol::Node(workflow, node) => {
            let node = analysis.body(*workflow).and_then(|body| body.nodes.get(*node as usize));
            node.into_iter().map(|node| node.name.to_string()).collect()
        }
        Symbol::Member(place) => {
            // The value of an enum may be another string in data.
            let wire = member_at(analysis, *place).filter(|member| member.ty.is_none()).and_then(|member| member.value);
            std::iter::once(word(analysis.text_of(*place))).chain(wire.map(|wire| word(&wire))).chain(tag(analysis, *place)).collect()
        }
        Symbol::Variable(place) => vec![word(analysis.text_of(*place))],
        Symbol::BuiltIn(name) => vec![(*name).to_owned()],
        Symbol::Type(name) | Symbol::Rule(name) => vec![name.clone()],
        Symbol::File(file) => {
            let name = analysis.source(*file).map(|source| source.name().rsplit('/').next().unwrap_or_default().to_owned());
            name.into_iter().collect()
        }
    }
}

/// The field that tells the variants of a union apart, at a place in the union: who reads it means each of them.
fn tag(analysis: &Analysis, place: Place) -> Option<String> {
    let (_, declaration) = analysis.declared_by(&analysis.item_at(place.file, place.span.start)?)?;
    let DeclarationKind::Union(union) = &declaration.kind else { return None };
    Some(union.tag.to_string())
}

/// A word without the quotes that it may have.
pub(crate) fn word(written: &str) -> String {
    if written.starts_with('"') { string_value(written).into_owned() } else { written.to_owned() }
}

/// The name of a declaration, and those that imports and lists of tools give it.
fn declared_names(analysis: &Analysis, id: weave_analysis::model::DeclarationId, declaration: &Declaration) -> Vec<String> {
    let mut names = vec![declaration.name.to_string()];
    for other in &analysis.model().declarations {
        let tools = match &other.kind {
            DeclarationKind::Agent(agent) => &agent.tools,
            DeclarationKind::Toolkit(toolkit) => &toolkit.tools,
            _ => continue,
        };
        let aliases = tools.iter().filter(|tool| tool.target == id).filter_map(|tool| tool.alias.as_deref());
        names.extend(aliases.map(str::to_owned));
    }
    for unit in analysis.snapshot().units() {
        for item in analysis.items(unit.file) {
            let ItemKind::Import(import) = &item.slot.parsed.item.kind else { continue };
            let is_this = |name: &str| name == &*declaration.name;
            let imported = import.names.iter().filter(|name| is_this(name.name.text(item.context.text)));
            names.extend(imported.filter_map(|name| name.alias).map(|alias| alias.text(item.context.text).to_owned()));
        }
    }
    names.sort();
    names.dedup();
    names.retain(|name| !name.is_empty());
    names
}
