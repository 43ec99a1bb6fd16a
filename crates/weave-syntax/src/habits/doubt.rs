//! Whether an item that parses may have been written in another language's words: `sleep 5m` reads like a setting of its step.

use crate::ast::{
    Block, BlockEntry, Constraint, Expr, Field, Item, ItemKind, LiteralKind, NodeBody, Setting, SettingValue, StepEntry, Type, TypeBody,
    Workflow,
};
use crate::habits::words;

/// The settings of a step.
const STEP: [&str; 3] = ["timeout", "retry", "history"];

/// The settings of a workflow.
const WORKFLOW: [&str; 4] = ["title", "version", "timeout", "meta"];

/// Settings whose value is a length of time.
const DURATIONS: [&str; 3] = ["timeout", "base", "deadline"];

/// Settings whose value is a list of names.
const LISTS: [&str; 6] = ["hints", "tools", "fails", "requires", "middleware", "history"];

/// How many places of an item are doubtful.
pub(crate) fn doubts(item: &Item, text: &str) -> usize {
    let doubt = Doubt { text };
    match &item.kind {
        ItemKind::Type(declaration) => doubt.body(&declaration.body),
        ItemKind::Error(declaration) => doubt.body(&declaration.body),
        ItemKind::Event(event) => doubt.body(&event.body),
        ItemKind::Union(union) => union.variants.iter().map(|variant| doubt.ty(&variant.ty)).sum(),
        ItemKind::Tool(tool) => doubt.signature(&tool.parameters, tool.output.as_ref()) + doubt.block(tool.settings.as_ref()),
        ItemKind::Toolkit(toolkit) => doubt.block(toolkit.settings.as_ref()),
        ItemKind::Prompt(prompt) => doubt.fields(&prompt.parameters),
        ItemKind::Agent(agent) => doubt.signature(&agent.parameters, agent.output.as_ref()) + doubt.block(agent.settings.as_ref()),
        ItemKind::Workflow(workflow) => doubt.workflow(workflow),
        ItemKind::Import(_) | ItemKind::Enum(_) | ItemKind::Test(_) | ItemKind::Broken => 0,
    }
}

struct Doubt<'a> {
    text: &'a str,
}

impl Doubt<'_> {
    fn body(&self, body: &TypeBody) -> usize {
        match body {
            TypeBody::Record(record) => self.fields(&record.fields),
            TypeBody::Alias(ty) => self.ty(ty),
            TypeBody::None => 0,
        }
    }

    fn signature(&self, parameters: &[Field], output: Option<&Type>) -> usize {
        self.fields(parameters) + output.map_or(0, |output| self.ty(output))
    }

    fn fields(&self, fields: &[Field]) -> usize {
        fields.iter().map(|field| self.ty(&field.ty)).sum()
    }

    /// A type that takes others in angle brackets and is not a map, or that takes values.
    fn ty(&self, ty: &Type) -> usize {
        match ty {
            Type::Map(map) => usize::from(map.name.text(self.text) != "map"),
            Type::Named(named) => {
                let bare =
                    |constraint: &Constraint| matches!(constraint, Constraint::Bare(Expr::Literal(it)) if it.kind == LiteralKind::String);
                let name = named.name.text(self.text);
                let values = named.constraints.as_ref().is_some_and(|constraints| constraints.items.iter().any(bare));
                usize::from((values && !words::is_scalar(name)) || words::is_null_word(name))
            }
            Type::Union(union) => union.alternatives.iter().map(|it| if let Type::Named(_) = it { self.ty(it) } else { 0 }).sum(),
            _ => 0,
        }
    }

    fn block(&self, block: Option<&Block>) -> usize {
        let entries = block.map_or(&[][..], |block| &block.entries);
        let settings = entries.iter().filter_map(|entry| if let BlockEntry::Setting(setting) = entry { Some(setting) } else { None });
        settings.map(|setting| self.setting(setting)).sum()
    }

    fn setting(&self, setting: &Setting) -> usize {
        let name = setting.name.text(self.text);
        let SettingValue::Value { value, block } = &setting.value else {
            return usize::from(name == "retry" && matches!(setting.value, SettingValue::Block(_)));
        };
        let is_string =
            |value: &Expr| matches!(value, Expr::Literal(it) if matches!(it.kind, LiteralKind::String | LiteralKind::TextBlock));
        let wrong = if DURATIONS.contains(&name) {
            !matches!(value, Expr::Literal(it) if it.kind == LiteralKind::Duration)
        } else if LISTS.contains(&name) {
            match value {
                Expr::List(list) => list.items.iter().any(|item| is_string(&item.value)),
                Expr::Path(_) => true,
                other => is_string(other),
            }
        } else {
            (name == "approval" && matches!(value, Expr::Literal(it) if matches!(it.kind, LiteralKind::True | LiteralKind::False)))
                || (name == "max_turns" && is_string(value))
                || words::foreign_setting(name)
                || words::is_statement(name)
        };
        usize::from(wrong) + if name == "retry" { self.block(block.as_ref()) } else { 0 }
    }

    fn workflow(&self, workflow: &Workflow) -> usize {
        let settings = workflow.settings.iter().filter(|setting| !WORKFLOW.contains(&setting.name.text(self.text))).count();
        let nodes = workflow.nodes.iter().map(|node| {
            let NodeBody::Block { entries, .. } = &node.body else { return 0 };
            let entries = entries.iter().filter_map(|entry| if let StepEntry::Setting(setting) = entry { Some(setting) } else { None });
            entries.map(|setting| if STEP.contains(&setting.name.text(self.text)) { self.setting(setting) } else { 1 }).sum::<usize>()
        });
        self.signature(&workflow.parameters, workflow.output.as_ref()) + settings + nodes.sum::<usize>()
    }
}
