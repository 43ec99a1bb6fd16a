//! Types, payloads, parameters and outputs.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_diagnostics::Diagnostic;
use weave_syntax::ast::{self, ItemKind, TypeBody};

use super::blank::blank_tool;
use super::clashes;
use super::suggest::{similar_name, worth_a_suggestion};
use super::{Context, Declaring, Log, Target, attributes, declaring, replace_each};
use crate::messages::declarations as message;
use crate::model::declarations::{Agent, EnumType, EnumValue, Event, Prompt, PromptTier, UnionType, Variant, WorkflowSignature};
use crate::model::types::{RecordType, Type};
use crate::model::value::Template;
use crate::model::{DeclarationId, DeclarationKind, Lookup, Model, Unit};
use crate::types::{Pending, Types, constant, fill_defaults};

/// A declaration and its defaults that cannot be checked before all types are known.
pub(super) type Unchecked<'u> = (Declaring<'u>, Vec<Pending<'u>>);

/// Gives every declaration its types.
pub(super) fn declare<'u>(units: &'u [Unit], model: &mut Model, diagnostics: &mut Vec<Diagnostic>, log: &mut Log) -> Vec<Unchecked<'u>> {
    let items = declaring(units, model);
    let unchecked = declare_items(&items, model, diagnostics, log);
    import_attributes(units, model, diagnostics);
    unchecked
}

/// Gives these declarations their types.
pub(super) fn declare_items<'u>(
    items: &[Declaring<'u>],
    model: &mut Model,
    diagnostics: &mut Vec<Diagnostic>,
    log: &mut Log,
) -> Vec<Unchecked<'u>> {
    let mut unchecked = Vec::new();
    let mut said = Vec::new();
    replace_each(items, model, diagnostics, log, |context, declaring| {
        let is_error = matches!(declaring.item.kind, ItemKind::Error(_));
        if !declaring.item.meta.attributes.is_empty() {
            let target = if is_error { Target::Error } else { Target::Declaration };
            said.push((declaring.id, attributes(context, &declaring.item.meta, target)));
        }
        let mut types = Types::early(context);
        let mut kind = signature(&mut types, &declaring.item.kind);
        if let Some(DeclarationKind::Event(event)) = &mut kind {
            event.doubtful |= declaring.repaired;
        }
        if !types.pending.is_empty() {
            unchecked.push((*declaring, types.pending));
        }
        check_other_attributes(context, &declaring.item.kind);
        kind
    });
    for (id, attributes) in said {
        if let Some(declaration) = model.get_mut(id) {
            declaration.deprecated = attributes.deprecated;
            declaration.target_names = attributes.target_names;
            (declaration.category, declaration.status) = (attributes.category, attributes.status);
        }
    }
    unchecked
}

/// Checks these defaults and puts them in their places.
pub(super) fn check_defaults(unchecked: Vec<Unchecked<'_>>, model: &mut Model, diagnostics: &mut Vec<Diagnostic>, log: &mut Log) {
    for (declaring, pending) in unchecked {
        let Some(scope) = model.scope(declaring.context.file) else { continue };
        let defaults = log.of(&declaring, diagnostics, |diagnostics| {
            let mut context = Context { model, scope, item: declaring.context, diagnostics, recorder: None };
            // A default that is wrong has been reported, and the field still has one.
            let check = |it: Pending<'_>| (it.field.span.start, constant(&mut context, it.default, &it.ty).unwrap_or(Json::Null));
            pending.into_iter().map(check).collect()
        });
        if let Some(declaration) = model.get_mut(declaring.id) {
            fill_defaults(&mut declaration.kind, defaults);
        }
    }
}

/// Reads the defaults of an item once more, for whoever writes down what is read.
pub(crate) fn trace_defaults(context: &mut Context<'_>, kind: &ItemKind) {
    let mut types = Types::early(context);
    signature(&mut types, kind);
    for pending in std::mem::take(&mut types.pending) {
        constant(types.context, pending.default, &pending.ty);
    }
}

fn signature<'u>(types: &mut Types<'_, '_, 'u>, kind: &'u ItemKind) -> Option<DeclarationKind> {
    Some(match kind {
        ItemKind::Import(_) | ItemKind::Test(_) | ItemKind::Broken => return None,
        ItemKind::Type(it) => DeclarationKind::Type(match &it.body {
            TypeBody::Record(record) => Type::Record(Arc::new(types.record(record))),
            TypeBody::Alias(ty) => types.ty(ty),
            TypeBody::None => Type::Unknown,
        }),
        ItemKind::Enum(it) => DeclarationKind::Enum(enumeration(types, it)),
        ItemKind::Union(it) => DeclarationKind::Union(union(types, it)),
        ItemKind::Error(it) => DeclarationKind::Error(error(types, it)),
        ItemKind::Event(it) => DeclarationKind::Event(event(types, it)),
        ItemKind::Tool(it) => {
            let (input, output) = (types.parameters(&it.parameters), it.output.as_ref().map(|output| types.ty(output)));
            DeclarationKind::Tool(Box::new(blank_tool(it.kind, input, output)))
        }
        ItemKind::Toolkit(_) => DeclarationKind::Toolkit(Box::default()),
        ItemKind::Prompt(it) => DeclarationKind::Prompt(Box::new(prompt(types, it))),
        ItemKind::Agent(it) => {
            let (input, output) = (types.parameters(&it.parameters), it.output.as_ref().map(|output| types.ty(output)));
            DeclarationKind::Agent(Box::new(Agent { input, output, ..Agent::default() }))
        }
        ItemKind::Workflow(it) => {
            let (input, output) = (types.parameters(&it.parameters), it.output.as_ref().map(|output| types.ty(output)));
            let failures = failures(types.context, it);
            DeclarationKind::Workflow(Box::new(WorkflowSignature { input, output, failures, ..WorkflowSignature::default() }))
        }
    })
}

fn enumeration<'u>(types: &mut Types<'_, '_, 'u>, it: &'u ast::Enum) -> EnumType {
    let context = &mut *types.context;
    let text = context.item.text;
    let mut values: Vec<EnumValue> = Vec::with_capacity(it.values.len());
    for value in it.values.iter().filter(|value| !value.name.is_missing()) {
        let attributes = attributes(context, &value.meta, Target::Value);
        let wire = match &value.wire {
            Some(ast::Expr::Literal(literal)) if literal.kind == ast::LiteralKind::String => {
                Arc::from(weave_syntax::text::literal_value(text, *literal))
            }
            _ => Arc::from(value.name.text(text)),
        };
        values.push(EnumValue {
            name: Arc::from(value.name.text(text)),
            wire,
            docs: value.meta.docs_text(text).map(Arc::from),
            deprecated: attributes.deprecated,
            target_names: attributes.target_names,
            place: context.item.place(value.name.span),
        });
    }
    // A value or a wire string that is given twice has been reported; the first one counts.
    let mut names = rustc_hash::FxHashSet::default();
    let mut wires = rustc_hash::FxHashSet::default();
    values.retain(|value| names.insert(Arc::clone(&value.name)) && wires.insert(Arc::clone(&value.wire)));
    clashes::values(types.context, &values);
    EnumType { values: values.into_boxed_slice() }
}

fn union<'u>(types: &mut Types<'_, '_, 'u>, it: &'u ast::Union) -> UnionType {
    let text = types.context.item.text;
    let tag = it.tag.filter(|tag| !tag.is_missing()).map_or("kind", |tag| tag.text(text));
    let mut variants: Vec<Variant> = Vec::with_capacity(it.variants.len());
    let mut names = rustc_hash::FxHashSet::default();
    for variant in &it.variants {
        let name = variant.name.text(text);
        if variant.name.is_missing() || !names.insert(name.clone()) {
            continue;
        }
        let attributes = attributes(types.context, &variant.meta, Target::Value);
        variants.push(Variant {
            name: Arc::from(name),
            ty: types.ty(&variant.ty),
            docs: variant.meta.docs_text(text).map(Arc::from),
            deprecated: attributes.deprecated,
            target_names: attributes.target_names,
            place: types.context.item.place(variant.name.span),
        });
    }
    clashes::variants(types.context, &variants);
    UnionType::new(Arc::from(tag), variants.into_boxed_slice())
}

fn error<'u>(types: &mut Types<'_, '_, 'u>, it: &'u ast::ErrorDeclaration) -> Arc<RecordType> {
    match &it.body {
        TypeBody::Record(record) => Arc::new(types.record(record)),
        TypeBody::None => Arc::default(),
        TypeBody::Alias(ty) => {
            let place = types.context.item.place(ty.span());
            types.report(message::error_alias(it.name.text(types.context.item.text), place));
            // Nothing follows from what is not known: any field may be there.
            Arc::new(RecordType::new(Box::default(), true))
        }
    }
}

fn event<'u>(types: &mut Types<'_, '_, 'u>, it: &'u ast::Event) -> Event {
    let payload = match &it.body {
        TypeBody::Record(record) => Type::Record(Arc::new(types.record(record))),
        TypeBody::Alias(ty) => types.ty(ty),
        TypeBody::None => Type::Record(Arc::default()),
    };
    let mut answers = Vec::with_capacity(it.answers.len());
    let mut doubtful = false;
    for answer in &it.answers {
        // A topic without a dot, or one that is named twice, has been reported.
        match topic(types, *answer) {
            Some(id) if answers.contains(&id) => {}
            Some(id) => answers.push(id),
            None => doubtful = true,
        }
    }
    Event { external: it.external.is_some(), payload, answers: answers.into_boxed_slice(), doubtful }
}

fn topic(types: &mut Types<'_, '_, '_>, topic: ast::Dotted) -> Option<DeclarationId> {
    let context = &*types.context;
    let name = topic.text(context.item.text);
    if !topic.is_topic || topic.is_missing(context.item.text) {
        return None;
    }
    let place = context.item.place(topic.span);
    match context.scope.lookup(name, true) {
        Lookup::Found(id) => return Some(id),
        Lookup::Excused => {}
        Lookup::Unknown => {
            let worth = worth_a_suggestion(context.diagnostics);
            let similar = worth.then(|| similar_name(context.model, context.item.file, name, true, |_| true)).flatten();
            types.report(message::unknown_topic(name, place, similar.as_deref()));
        }
    }
    None
}

fn prompt<'u>(types: &mut Types<'_, '_, 'u>, it: &'u ast::Prompt) -> Prompt {
    let input = types.parameters(&it.parameters);
    let hydrates = it.hydrates.as_ref().map(|record| Arc::new(types.record(record)));
    if let Some(found) = &hydrates {
        for field in &found.fields {
            if let Some(parameter) = input.field(&field.name) {
                types.report(message::hydrated_parameter(&field.name, field.place, parameter.place));
            }
        }
    }
    let place = types.context.item.place(it.text.map_or(it.name.span, |text| text.span));
    let tier = if hydrates.is_some() { PromptTier::Dynamic } else { PromptTier::Static };
    Prompt { input, hydrates, text: Template { parts: Box::default(), place }, tier }
}

/// The codes with which a workflow can fail.
fn failures(context: &Context<'_>, it: &ast::Workflow) -> Box<[Arc<str>]> {
    let mut names = rustc_hash::FxHashSet::default();
    let fails = it.nodes.iter().filter(|node| node.kind == ast::NodeKind::Fail && !node.name.is_missing());
    let fails = fails.map(|node| context.text(node.name.span)).filter(|name| names.insert(*name));
    fails.map(Arc::from).collect()
}

/// The attributes of nodes, of which the bodies know nothing else.
fn check_other_attributes(context: &mut Context<'_>, kind: &ItemKind) {
    if let ItemKind::Workflow(workflow) = kind {
        for node in workflow.nodes.iter().filter(|node| !node.meta.attributes.is_empty()) {
            attributes(context, &node.meta, Target::Other);
        }
    }
}

/// The attributes of imports, which declare nothing.
fn import_attributes(units: &[Unit], model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for unit in units {
        let Some(scope) = model.scope(unit.file) else { continue };
        for (index, slot) in unit.syntax.items.iter().enumerate() {
            let item = &slot.parsed.item;
            if slot.parsed.repaired || item.meta.attributes.is_empty() || !matches!(item.kind, ItemKind::Import(_)) {
                continue;
            }
            let item_context = unit.context(index, slot);
            attributes(
                &mut Context { model, scope, item: item_context, diagnostics: &mut *diagnostics, recorder: None },
                &item.meta,
                Target::Other,
            );
        }
    }
}
