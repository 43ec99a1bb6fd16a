//! How large the schema of a tool is.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::declarations::Tool;
use weave_analysis::model::types::{Literal, RecordType, Type};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};
use weave_providers::OPENAI;

/// What counts against the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    properties: usize,
    values: usize,
    text: usize,
    /// The length of the longest enum that is so large that its length counts.
    long_enum: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.properties = self.properties.saturating_add(other.properties);
        self.values = self.values.saturating_add(other.values);
        self.text = self.text.saturating_add(other.text);
        self.long_enum = self.long_enum.max(other.long_enum);
    }

    const MOST: Self = Self { properties: usize::MAX, values: usize::MAX, text: usize::MAX, long_enum: 0 };

    /// What is too much, in words.
    fn too_much(&self) -> Option<String> {
        let over = |most: Option<usize>, found: usize| most.filter(|most| found > *most);
        if let Some(most) = over(OPENAI.most_properties, self.properties) {
            return Some(format!("more than {most} fields"));
        }
        if let Some(most) = over(OPENAI.most_values, self.values) {
            return Some(format!("more than {most} enum values"));
        }
        if let Some(most) = over(OPENAI.most_text, self.text) {
            return Some(format!("more than {most} characters of names and values"));
        }
        let (from, most) = OPENAI.long_enum?;
        (self.long_enum > most).then(|| format!("an enum with more than {from} values and more than {most} characters"))
    }
}

/// The sizes of the types of a program.
pub(super) struct Sizes<'m> {
    model: &'m Model,
    own: FxHashMap<DeclarationId, Own>,
    /// No schema is larger than this.
    most: FxHashMap<DeclarationId, Count>,
}

/// A named type without what it refers to.
#[derive(Clone, Debug, Default)]
struct Own {
    count: Count,
    named: Vec<DeclarationId>,
}

impl<'m> Sizes<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model, own: FxHashMap::default(), most: FxHashMap::default() }
    }

    /// What is too much about the schema of this tool.
    pub(super) fn too_much(&mut self, tool: &Tool) -> Option<String> {
        let mut own = Own::default();
        record(&tool.input, &mut own);
        let mut bound = own.count;
        for id in &own.named {
            bound.add(self.bound(*id));
        }
        bound.too_much()?;
        let mut count = own.count;
        let mut seen: FxHashSet<DeclarationId> = FxHashSet::default();
        let mut open = own.named;
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let own = self.own(id);
            count.add(own.count);
            open.extend(&own.named);
            if let Some(why) = count.too_much() {
                return Some(why);
            }
        }
        count.too_much()
    }

    fn own(&mut self, id: DeclarationId) -> &Own {
        let model = self.model;
        self.own.entry(id).or_insert_with(|| own(model, id))
    }

    /// How large the type is at most: each reference counts for itself.
    fn bound(&mut self, id: DeclarationId) -> Count {
        let mut way = vec![(id, 0_usize)];
        // What is still on the way when it is met again is in a circle, of which only looking closer says how large it is.
        self.most.entry(id).or_insert(Count::MOST);
        if self.most.get(&id) != Some(&Count::MOST) {
            return self.most.get(&id).copied().unwrap_or_default();
        }
        while let Some((id, next)) = way.last_mut() {
            let (id, index) = (*id, *next);
            *next += 1;
            let named = self.own(id).named.get(index).copied();
            match named {
                Some(inner) if !self.most.contains_key(&inner) => {
                    self.most.insert(inner, Count::MOST);
                    way.push((inner, 0));
                }
                Some(_) => {}
                None => {
                    let own = self.own(id).clone();
                    let mut bound = own.count;
                    own.named.iter().for_each(|inner| bound.add(self.most.get(inner).copied().unwrap_or(Count::MOST)));
                    self.most.insert(id, bound);
                    way.pop();
                }
            }
        }
        self.most.get(&id).copied().unwrap_or(Count::MOST)
    }
}

fn own(model: &Model, id: DeclarationId) -> Own {
    let mut found = Own::default();
    let Some(declaration) = model.get(id) else { return found };
    found.count.text = declaration.name.len();
    match &declaration.kind {
        DeclarationKind::Type(of) => ty(of, &mut found),
        DeclarationKind::Enum(values) => {
            enumeration(values.values.iter().map(|value| value.wire.len()), &mut found.count);
        }
        DeclarationKind::Union(union) => {
            for variant in &union.variants {
                found.count.properties += 1;
                found.count.text += union.tag.len() + variant.name.len();
                if let Some(fields) = model.record(&variant.ty) {
                    record(fields, &mut found);
                }
            }
        }
        DeclarationKind::Error(fields) => record(fields, &mut found),
        _ => {}
    }
    found
}

fn record(record: &RecordType, own: &mut Own) {
    for field in &record.fields {
        own.count.properties += 1;
        own.count.text += field.wire_name().len();
        ty(&field.ty, own);
    }
}

/// Types nest as deep as the parser allows, and named ones are not followed.
fn ty(of: &Type, own: &mut Own) {
    match of {
        Type::List(list) => ty(&list.item, own),
        Type::Map(map) => ty(&map.value, own),
        Type::Record(fields) => record(fields, own),
        Type::Literal(literal) => own.count.text += length(literal),
        Type::Union(members) => {
            let literals = || members.iter().filter_map(|member| if let Type::Literal(literal) = member { Some(literal) } else { None });
            if literals().count() > 1 {
                enumeration(literals().map(length), &mut own.count);
            } else {
                literals().for_each(|literal| own.count.text += length(literal));
            }
            members.iter().filter(|member| !matches!(member, Type::Literal(_))).for_each(|member| ty(member, own));
        }
        Type::Named(id) => own.named.push(*id),
        Type::Unknown | Type::Json | Type::Null | Type::Scalar(..) => {}
    }
}

fn length(literal: &Literal) -> usize {
    if let Literal::String(text) = literal { text.len() } else { 0 }
}

fn enumeration(lengths: impl Iterator<Item = usize>, count: &mut Count) {
    let (mut values, mut text) = (0, 0);
    for length in lengths {
        values += 1;
        text += length;
    }
    count.values += values;
    count.text += text;
    if OPENAI.long_enum.is_some_and(|(from, _)| values > from) {
        count.long_enum = count.long_enum.max(text);
    }
}
