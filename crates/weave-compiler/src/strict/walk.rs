//! The types of a strict tool, field by field.

use rustc_hash::FxHashSet;
use weave_analysis::model::declarations::Tool;
use weave_analysis::model::types::{RecordType, Type};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, Model};
use weave_diagnostics::{Diagnostic, Place};
use weave_providers::OPENAI;

use super::alternatives;
use crate::messages::strict::{self as message, Refused};

/// Walks the types of tools, each named one once.
pub(super) struct Walk<'m> {
    model: &'m Model,
    seen: FxHashSet<DeclarationId>,
}

/// A type on the way from a tool.
struct Step<'m> {
    ty: &'m Type,
    /// What leads to it, as a path from the parameters.
    path: String,
    /// Where the type of the innermost field on the way was written.
    place: Place,
    /// The declared type whose body this is, if no field stands between.
    alias: Option<&'m Declaration>,
    /// How many records it stands in since the last named type.
    depth: usize,
}

impl<'m> Walk<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model, seen: FxHashSet::default() }
    }

    /// What is refused of what this tool takes, and was not seen in another one.
    pub(super) fn tool(&mut self, declaration: &'m Declaration, tool: &'m Tool, offered: Place) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut open = Vec::new();
        fields(&tool.input, "", 1, &mut open);
        open.reverse();
        while let Some(step) = open.pop() {
            let from = open.len();
            if let Some(refused) = self.step(&step, &mut open) {
                diagnostics.push(message::refused(refused, &step.path, step.place, step.alias, declaration, offered));
            }
            // What was found first stands first.
            open.get_mut(from..).unwrap_or_default().reverse();
        }
        diagnostics
    }

    /// What is refused of this type itself; what is inside of it is added to what is left to do.
    fn step(&mut self, step: &Step<'m>, open: &mut Vec<Step<'m>>) -> Option<Refused> {
        let inside = |ty: &'m Type, path: String| Step { ty, path, place: step.place, alias: step.alias, depth: step.depth };
        match step.ty {
            Type::Json if !OPENAI.anything => return Some(Refused::Json),
            Type::Map(map) => {
                if !OPENAI.open_objects {
                    return Some(Refused::Map(self.model.display(&map.value)));
                }
                open.push(inside(&map.value, format!("{}[]", step.path)));
            }
            Type::List(list) => open.push(inside(&list.item, format!("{}[]", step.path))),
            Type::Record(record) => return self.record(record, step, open),
            Type::Union(members) => {
                if OPENAI.distinct_first_keys
                    && let Some(key) = alternatives::shared_first_key(self.model, members)
                {
                    return Some(Refused::SameFirstKey(key));
                }
                open.extend(members.iter().map(|member| inside(member, step.path.clone())));
            }
            Type::Named(id) => return self.named(*id, step, open),
            Type::Unknown | Type::Json | Type::Null | Type::Scalar(..) | Type::Literal(_) => {}
        }
        None
    }

    fn record(&self, record: &'m RecordType, step: &Step<'m>, open: &mut Vec<Step<'m>>) -> Option<Refused> {
        if record.open && !OPENAI.open_objects {
            return Some(Refused::Open);
        }
        if OPENAI.deepest.is_some_and(|deepest| step.depth + 1 > deepest) {
            return Some(Refused::TooDeep);
        }
        fields(record, &step.path, step.depth + 1, open);
        None
    }

    fn named(&mut self, id: DeclarationId, step: &Step<'m>, open: &mut Vec<Step<'m>>) -> Option<Refused> {
        if !self.seen.insert(id) {
            return None;
        }
        let declaration = self.model.get(id)?;
        match &declaration.kind {
            DeclarationKind::Type(ty) => {
                open.push(Step { ty, path: step.path.clone(), place: step.place, alias: Some(declaration), depth: 0 });
                None
            }
            DeclarationKind::Union(union) => {
                let records = union.variants.iter().filter_map(|variant| self.model.record(&variant.ty));
                let mut is_open = false;
                for record in records {
                    is_open |= record.open;
                    fields(record, &step.path, 1, open);
                }
                (is_open && !OPENAI.open_objects).then_some(Refused::Open)
            }
            DeclarationKind::Error(record) => {
                fields(record, &step.path, 1, open);
                None
            }
            _ => None,
        }
    }
}

/// The fields of a record that stands in `depth − 1` others.
fn fields<'m>(record: &'m RecordType, path: &str, depth: usize, open: &mut Vec<Step<'m>>) {
    let steps = record.fields.iter().map(|field| {
        let path = if path.is_empty() { field.name.to_string() } else { format!("{path}.{}", field.name) };
        Step { ty: &field.ty, path, place: field.ty_place, alias: None, depth }
    });
    open.extend(steps);
}
