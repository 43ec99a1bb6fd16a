//! Top-level items.

use weave_syntax::ast::{Block, Dotted, Event, Field, Import, Item, ItemKind, Type, TypeBody, Workflow};

use super::blocks::{self, Style};
use super::{nodes, scripts, types, values};
use crate::cursor::{Cursor, Gap};

/// An item with its docs and attributes.
pub(crate) fn item(cursor: &mut Cursor<'_>, item: &Item) {
    blocks::meta(cursor, &item.meta, true);
    match &item.kind {
        ItemKind::Import(it) => import(cursor, it),
        ItemKind::Type(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            body(cursor, &it.body);
        }
        ItemKind::Enum(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            cursor.gap(Gap::Space);
            blocks::list(cursor, Style::Braces, &it.values, |cursor, value| {
                blocks::meta(cursor, &value.meta, false);
                cursor.tight(value.name.span.end);
                if let Some(wire) = &value.wire {
                    cursor.spaced_token();
                    cursor.gap(Gap::Space);
                    values::expression(cursor, wire);
                }
            });
        }
        ItemKind::Union(it) => {
            cursor.token();
            cursor.spaced(it.tag.unwrap_or(it.name).span.end);
            cursor.gap(Gap::Space);
            blocks::list(cursor, Style::Braces, &it.variants, |cursor, variant| {
                blocks::meta(cursor, &variant.meta, false);
                cursor.tight(variant.name.span.end);
                cursor.token();
                cursor.gap(Gap::Space);
                types::ty(cursor, &variant.ty);
            });
        }
        ItemKind::Error(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            body(cursor, &it.body);
        }
        ItemKind::Event(it) => event(cursor, it),
        ItemKind::Tool(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            callable(cursor, &it.parameters, it.output.as_ref(), it.settings.as_ref());
        }
        ItemKind::Toolkit(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            settings(cursor, it.settings.as_ref());
        }
        ItemKind::Prompt(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            types::parameters(cursor, &it.parameters);
            if let Some(hydrates) = &it.hydrates {
                cursor.open_firm_group();
                cursor.spaced_token();
                cursor.gap(Gap::Space);
                types::record(cursor, hydrates);
                cursor.close_group();
            }
            cursor.gap(Gap::Space);
        }
        ItemKind::Agent(it) => {
            cursor.token();
            cursor.spaced(it.name.span.end);
            callable(cursor, &it.parameters, it.output.as_ref(), it.settings.as_ref());
        }
        ItemKind::Workflow(it) => workflow(cursor, it),
        ItemKind::Test(it) => scripts::test(cursor, it),
        // Not in a file without mistakes.
        ItemKind::Broken => {}
    }
    cursor.tight(item.span.end);
}

fn import(cursor: &mut Cursor<'_>, import: &Import) {
    cursor.token();
    cursor.gap(Gap::Space);
    blocks::list(cursor, Style::Names, &import.names, |cursor, name| {
        cursor.tight(name.name.span.end);
        cursor.spaced(name.span.end);
    });
    cursor.spaced_token();
    cursor.gap(Gap::Space);
}

/// ` { fields }` or ` = T`.
fn body(cursor: &mut Cursor<'_>, body: &TypeBody) {
    cursor.gap(Gap::Space);
    match body {
        TypeBody::Record(it) => types::record(cursor, it),
        TypeBody::Alias(it) => {
            cursor.token();
            cursor.gap(Gap::Space);
            types::ty(cursor, it);
        }
        TypeBody::None => cursor.gap(Gap::Tight),
    }
}

fn event(cursor: &mut Cursor<'_>, event: &Event) {
    cursor.token();
    if event.external.is_some() {
        cursor.spaced_token();
    }
    cursor.gap(Gap::Space);
    cursor.tight(event.topic.span.end);
    body(cursor, &event.body);
    if event.answers.is_empty() {
        return;
    }
    answers(cursor, &event.answers);
}

/// ` -> a | b`: together on a line of their own if they do not fit behind the payload, or one on each line.
fn answers(cursor: &mut Cursor<'_>, answers: &[Dotted]) {
    cursor.open_group_around();
    cursor.indent();
    cursor.gap(Gap::Line);
    cursor.token();
    cursor.open_group_around();
    cursor.indent();
    for (index, answer) in answers.iter().enumerate() {
        if index > 0 {
            cursor.gap(Gap::Line);
            cursor.token();
        }
        cursor.gap(Gap::Space);
        cursor.tight(answer.span.end);
    }
    cursor.dedent();
    cursor.close_group();
    cursor.dedent();
    cursor.close_group();
}

/// `(parameters) -> Output { settings }`.
fn callable(cursor: &mut Cursor<'_>, parameters: &[Field], output: Option<&Type>, block: Option<&Block>) {
    types::parameters(cursor, parameters);
    types::output(cursor, output);
    settings(cursor, block);
}

fn settings(cursor: &mut Cursor<'_>, settings: Option<&Block>) {
    if let Some(block) = settings {
        cursor.gap(Gap::Space);
        values::block(cursor, block);
    }
}

/// An entry of a workflow.
enum Part<'a> {
    Setting(&'a weave_syntax::ast::Setting),
    Node(&'a weave_syntax::ast::Node),
}

fn workflow(cursor: &mut Cursor<'_>, workflow: &Workflow) {
    cursor.token();
    cursor.spaced(workflow.name.span.end);
    types::parameters(cursor, &workflow.parameters);
    types::output(cursor, workflow.output.as_ref());
    cursor.gap(Gap::Space);
    let settings = workflow.settings.iter().map(Part::Setting);
    let parts: Vec<Part<'_>> = settings.chain(workflow.nodes.iter().map(Part::Node)).collect();
    blocks::list(cursor, Style::Lines, &parts, |cursor, part| match part {
        Part::Setting(it) => values::setting(cursor, it),
        Part::Node(it) => nodes::node(cursor, it),
    });
}
