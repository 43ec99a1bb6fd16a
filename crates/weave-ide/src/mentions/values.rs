//! The words of values, guards and placeholders.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::FieldType;
use weave_analysis::model::value::PathRoot;
use weave_analysis::trace::{ReadFrom, Reading, Trace, fields_of, unions_of};
use weave_diagnostics::{Place, Span};
use weave_syntax::TokenKind as K;
use weave_syntax::ast::{Clause, ItemKind, Node};
use weave_syntax::text::string_value;

use super::{Mention, Role, Walk, literals};
use crate::Symbol;

/// The words of paths and the keys of objects, as the compiler has read them.
pub(super) fn readings(walk: &mut Walk<'_>, trace: &Trace) {
    let analysis = walk.analysis;
    for reading in trace.readings.iter().filter(|reading| !reading.place.span.is_empty()) {
        let place = analysis.in_text(reading.place);
        for symbol in symbols(walk, reading) {
            let (ty, absent) = (Some(reading.ty.clone()), reading.absent);
            walk.found.push(Mention { place, symbol, role: Role::Uses, ty, absent });
        }
    }
    for key in &trace.keys {
        let declares = key.field.place == key.place;
        let role = if declares { Role::Declares } else { Role::Writes };
        let named = analysis.in_text(key.field.place);
        let tag = if literals::is_tag(analysis, &key.field, key.place) { literals::tag_of(analysis, named) } else { None };
        let symbol = tag.unwrap_or(Symbol::Member(named));
        walk.found.push(Mention { place: analysis.in_text(key.place), symbol, role, ty: Some(key.field.ty.clone()), absent: false });
    }
}

fn symbols(walk: &Walk<'_>, reading: &Reading) -> Vec<Symbol> {
    let root = match &reading.from {
        ReadFrom::Value(owner) => {
            let written = walk.analysis.text_of(reading.place);
            let name = if written.starts_with('"') { string_value(written) } else { written.into() };
            let fields = fields_of(walk.analysis.model(), owner).into_iter().filter(|field| *field.name == *name);
            let unions = unions_of(walk.analysis.model(), owner).into_iter().filter(|union| *union.tag == *name);
            let tags = unions.filter_map(|union| literals::tag_of(walk.analysis, walk.analysis.in_text(union.variants.first()?.place)));
            // The field that tells the variants apart has a name of its own, if the union says one.
            let own = fields.filter(|field| !literals::is_tag(walk.analysis, field, reading.place));
            return own.map(|field| field_symbol(walk, field)).chain(tags).collect();
        }
        ReadFrom::Root(root) => root,
    };
    let symbol = match root {
        PathRoot::Input => Some(Symbol::BuiltIn("input")),
        PathRoot::Event => Some(Symbol::BuiltIn("event")),
        PathRoot::Response => Some(Symbol::BuiltIn("response")),
        PathRoot::Result => Some(Symbol::BuiltIn("result")),
        PathRoot::Failure => Some(Symbol::BuiltIn("failure")),
        PathRoot::Step { node, .. } => walk.own.map(|own| Symbol::Node(own, *node)),
        PathRoot::Parameter(_) => {
            let field = parameter(walk, walk.analysis.text_of(reading.place));
            field.map(|field| Symbol::Member(walk.analysis.in_text(field.place)))
        }
        PathRoot::Variable(name) => walk.binding(walk.analysis.in_text(reading.place), name).map(Symbol::Variable),
    };
    symbol.into_iter().collect()
}

/// Whether a field is one of those that failures have, which are built in: they have the place of the workflow itself.
pub(super) fn is_of_failure(walk: &Walk<'_>, field: &FieldType) -> bool {
    walk.own.and_then(|own| walk.analysis.model().get(own)).is_some_and(|own| own.place == field.place)
}

/// A field of a value.
fn field_symbol(walk: &Walk<'_>, field: &FieldType) -> Symbol {
    let is_built_in = is_of_failure(walk, field);
    let built_in = ["kind", "code", "message", "data"].into_iter().find(|name| is_built_in && **name == *field.name);
    built_in.map_or_else(|| Symbol::Member(walk.analysis.in_text(field.place)), Symbol::BuiltIn)
}

/// The parameter of this name, of what the item declares.
fn parameter<'a>(walk: &Walk<'a>, name: &str) -> Option<&'a FieldType> {
    match &walk.analysis.model().get(walk.own?)?.kind {
        DeclarationKind::Tool(tool) => tool.input.field(name),
        DeclarationKind::Agent(agent) => agent.input.field(name),
        DeclarationKind::Prompt(prompt) => prompt.input.field(name).or_else(|| prompt.hydrates.as_ref()?.field(name)),
        DeclarationKind::Workflow(workflow) => workflow.input.field(name),
        _ => None,
    }
}

impl Walk<'_> {
    /// Where `exists` and `all` bind their variables.
    pub(super) fn bindings(&mut self) {
        if !matches!(self.item.slot.parsed.item.kind, ItemKind::Workflow(_) | ItemKind::Tool(_)) {
            return;
        }
        let Some(unit) = self.analysis.unit(self.item.context.file) else { return };
        let (start, end) = (self.item.slot.start, self.item.slot.end);
        let tokens = &unit.syntax.tokens;
        for index in tokens.at(start)..tokens.at(end) {
            if tokens.kind(index) == K::ParenOpen
                && let Some(span) = self.bound_at(index)
            {
                let place = Place::new(self.item.context.file, span);
                self.note(Span::new(span.start - start, span.end - start), Symbol::Variable(place), Role::Declares);
            }
        }
    }

    /// The variable that a quantifier binds whose parenthesis is this token.
    fn bound_at(&self, open: usize) -> Option<Span> {
        let unit = self.analysis.unit(self.item.context.file)?;
        let tokens = &unit.syntax.tokens;
        let quantifier = open.checked_sub(1)?;
        let is_quantifier = matches!(tokens.span(quantifier).text(&unit.syntax.text), "exists" | "all");
        if !is_quantifier || !matches!(tokens.kind(quantifier.checked_sub(1)?), K::Dot) {
            return None;
        }
        let code = |from: usize| (from..tokens.len()).find(|index| !tokens.kind(*index).is_trivia());
        let name = code(open + 1)?;
        let comma = code(name + 1)?;
        (tokens.kind(name).is_word() && tokens.kind(comma) == K::Comma).then(|| tokens.span(name))
    }

    /// Where the variable is bound that a word names: by the innermost quantifier around it, or by `each` of its node.
    pub(super) fn binding(&self, place: Place, name: &str) -> Option<Place> {
        let unit = self.analysis.unit(place.file)?;
        let tokens = &unit.syntax.tokens;
        let mut depth = 0_usize;
        let node = match &self.item.slot.parsed.item.kind {
            ItemKind::Workflow(workflow) => {
                let behind = workflow.nodes.partition_point(|node| self.place(node.span).span.start <= place.span.start);
                behind.checked_sub(1).and_then(|index| workflow.nodes.get(index))
            }
            _ => None,
        };
        let first = tokens.at(self.item.slot.start + node.map_or(0, |node| node.span.start));
        for index in (first..tokens.at(place.span.start)).rev() {
            let kind = tokens.kind(index);
            if kind.is_closer() {
                depth += 1;
            } else if kind.is_opener() {
                if depth == 0
                    && let Some(bound) = self.bound_at(index)
                    && bound.text(&unit.syntax.text) == name
                {
                    return Some(Place::new(place.file, bound));
                }
                depth = depth.saturating_sub(1);
            }
        }
        each_variable(node?).map(|span| self.place(span)).filter(|place| self.analysis.text_of(*place) == name)
    }
}

fn each_variable(node: &Node) -> Option<Span> {
    node.clauses.iter().find_map(|clause| if let Clause::Each(each) = clause { Some(each.variable.span) } else { None })
}
