//! Which types hold a `@secret` field.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::types::{FieldType, RecordType, Type};
use weave_analysis::model::value::{PathSegment, ResolvedPath};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};

/// The declared types with a secret in them, however deep.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    types: FxHashSet<DeclarationId>,
    /// Whether there is a secret at all.
    any: bool,
}

impl Secrets {
    /// Finds them.
    pub(crate) fn new(model: &Model) -> Self {
        let mut secrets = Self::default();
        let mut used_by: FxHashMap<DeclarationId, Vec<DeclarationId>> = FxHashMap::default();
        let mut waiting = Vec::new();
        for (index, declaration) in model.declarations.iter().enumerate() {
            let id = DeclarationId(index as u32);
            let mut look = Look::default();
            match &declaration.kind {
                DeclarationKind::Type(ty) => look.types.push(ty),
                DeclarationKind::Union(union) => look.types.extend(union.variants.iter().map(|variant| &variant.ty)),
                DeclarationKind::Error(record) => look.record(record),
                DeclarationKind::Event(event) => look.types.push(&event.payload),
                DeclarationKind::Tool(tool) => {
                    look.record(&tool.input);
                    look.types.extend(&tool.output);
                }
                DeclarationKind::Agent(agent) => look.record(&agent.input),
                DeclarationKind::Prompt(prompt) => look.record(&prompt.input),
                DeclarationKind::Workflow(workflow) => look.record(&workflow.input),
                DeclarationKind::Enum(_) | DeclarationKind::Toolkit(_) => {}
            }
            look.run(|named| used_by.entry(named).or_default().push(id));
            if look.found {
                waiting.push(id);
            }
        }
        while let Some(id) = waiting.pop() {
            secrets.any = true;
            if secrets.types.insert(id) {
                waiting.extend(used_by.get(&id).into_iter().flatten());
            }
        }
        secrets
    }

    /// Whether the program has none.
    #[must_use]
    pub(crate) const fn is_empty(&self) -> bool {
        !self.any
    }

    /// Whether there is one in a type.
    #[must_use]
    pub(crate) fn is_in(&self, ty: &Type) -> bool {
        if !self.any {
            return false;
        }
        let mut look = Look { types: vec![ty], found: false };
        let mut named = false;
        look.run(|id| named |= self.types.contains(&id));
        look.found || named
    }

    /// Whether a path that starts from a value of this type leads through a secret, or to something with one in it.
    #[must_use]
    pub(crate) fn is_read(&self, model: &Model, root: Option<&Type>, path: &ResolvedPath) -> bool {
        self.any && (self.is_in(&path.ty) || root.is_some_and(|root| leads_through(model, root, &path.segments)))
    }
}

/// Whether one of the fields on a way is a secret.
fn leads_through(model: &Model, root: &Type, segments: &[PathSegment]) -> bool {
    let mut here: Vec<&Type> = vec![root];
    for segment in segments {
        let mut next = Vec::new();
        for ty in alternatives(model, &here) {
            match (segment, ty) {
                (PathSegment::Optional, ty) => next.push(ty),
                (PathSegment::Index(_) | PathSegment::All, Type::List(list)) => next.push(&list.item),
                // The list of a step's answers, each of which is of its type.
                (PathSegment::All, ty) => next.push(ty),
                (PathSegment::Entry(_), Type::Map(map)) => next.push(&map.value),
                (PathSegment::Field(name), ty) => {
                    let fields = records(model, ty).into_iter().filter_map(|record| record.field_on_wire(name));
                    let fields: Vec<&FieldType> = fields.collect();
                    if fields.iter().any(|field| field.secret) {
                        return true;
                    }
                    next.extend(fields.into_iter().map(|field| &field.ty));
                }
                _ => {}
            }
        }
        here = next;
    }
    false
}

/// Types with aliases followed and unions taken apart.
fn alternatives<'a>(model: &'a Model, types: &[&'a Type]) -> Vec<&'a Type> {
    let mut found = Vec::new();
    let mut waiting: Vec<&Type> = types.to_vec();
    while let Some(ty) = waiting.pop() {
        match model.resolve(ty) {
            Type::Union(alternatives) => waiting.extend(alternatives.iter()),
            ty => found.push(ty),
        }
    }
    found
}

/// The records that a value of a type may be.
fn records<'a>(model: &'a Model, ty: &'a Type) -> Vec<&'a RecordType> {
    if let Type::Named(id) = ty
        && let Some(DeclarationKind::Union(union)) = model.get(*id).map(|it| &it.kind)
    {
        return union.variants.iter().filter_map(|variant| model.record(&variant.ty)).map(|record| &**record).collect();
    }
    model.record(ty).map(|record| &**record).into_iter().collect()
}

/// A look into a type, which stops where a declared one is named.
#[derive(Default)]
struct Look<'a> {
    types: Vec<&'a Type>,
    found: bool,
}

impl<'a> Look<'a> {
    fn record(&mut self, record: &'a RecordType) {
        self.found |= record.fields.iter().any(|field| field.secret);
        self.types.extend(record.fields.iter().map(|field| &field.ty));
    }

    fn run(&mut self, mut name: impl FnMut(DeclarationId)) {
        while let Some(ty) = self.types.pop() {
            match ty {
                Type::List(list) => self.types.push(&list.item),
                Type::Map(map) => self.types.push(&map.value),
                Type::Record(record) => self.record(record),
                Type::Union(alternatives) => self.types.extend(alternatives.iter()),
                Type::Named(id) => name(*id),
                Type::Unknown | Type::Json | Type::Null | Type::Scalar(..) | Type::Literal(_) => {}
            }
        }
    }
}
