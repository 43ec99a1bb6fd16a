//! Where something is tried again.

use weave_analysis::Bodies;
use weave_analysis::model::declarations::{Retry, Tool};
use weave_analysis::model::workflow::Action;
use weave_analysis::model::{Declaration, DeclarationKind, ItemContext, Model, Unit};
use weave_diagnostics::{Place, Span};
use weave_syntax::ast::{Block, Expr, Item, ItemKind, ListItem, NodeBody, Setting, SettingValue, StepEntry};

use crate::edit::{entry_span, separator};
use crate::project::{block, item, items};

/// A `retry` of a tool, an agent or a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryView<'a> {
    /// What it means.
    pub(crate) retry: &'a Retry,
    /// Its tree.
    pub(crate) setting: &'a Setting,
    /// What turns the spans of its tree into places.
    pub(crate) context: ItemContext<'a>,
    /// The name of who is tried again.
    pub(crate) name: &'a str,
    /// The tool that is called again, if it is one.
    pub(crate) tool: Option<&'a Tool>,
    /// Whether it stands in a step, in place of what its tool or agent says.
    pub(crate) in_step: bool,
}

impl<'a> RetryView<'a> {
    pub(crate) const fn place(&self, span: Span) -> Place {
        self.context.place(span)
    }

    /// The number of further attempts, as it is written.
    pub(crate) fn count(&self) -> Span {
        match &self.setting.value {
            SettingValue::Value { value, .. } => value.span(),
            _ => self.setting.span,
        }
    }

    /// Its block.
    pub(crate) fn block(&self) -> Option<&'a Block> {
        match &self.setting.value {
            SettingValue::Value { block, .. } => block.as_ref(),
            _ => None,
        }
    }

    /// A setting of its block.
    pub(crate) fn inner(&self, name: &str) -> Option<&'a Setting> {
        self.block()?.settings().find(|setting| setting.name.text(self.context.text) == name)
    }

    /// What `on` lists.
    pub(crate) fn on(&self) -> &'a [ListItem] {
        match self.inner("on").map(|on| &on.value) {
            Some(SettingValue::Value { value: Expr::List(list), .. }) => &list.items,
            _ => &[],
        }
    }

    /// Where and how a setting is put at the end of its block, which is made if there is none.
    pub(crate) fn add(&self, setting: &str) -> (Place, String) {
        match self.block() {
            None => (self.place(Span::at(self.setting.span.end)), format!(" {{ {setting} }}")),
            Some(block) => match block.entries.last().map(entry_span) {
                Some(last) => (self.place(Span::at(last.end)), separator(self.context.text, last) + setting),
                None => (self.place(block.span), format!("{{ {setting} }}")),
            },
        }
    }
}

/// All of a file.
pub(crate) fn retries<'a>(model: &'a Model, unit: &'a Unit, bodies: &'a Bodies) -> Vec<RetryView<'a>> {
    let mut found: Vec<RetryView<'a>> = items(model, unit).filter_map(of_declaration).collect();
    for body in &bodies.workflows {
        let Some(declaration) = model.get(body.declaration) else { continue };
        let Some((item, context)) = item(unit, declaration) else { continue };
        let ItemKind::Workflow(workflow) = &item.kind else { continue };
        for (node, syntax) in body.nodes.iter().zip(&workflow.nodes) {
            let (Some(retry), Some(setting)) = (&node.retry, step_setting(syntax, context.text, "retry")) else { continue };
            let target = match &node.action {
                Action::Call { tool, .. } => model.get(*tool),
                _ => None,
            };
            let tool = target.and_then(|target| if let DeclarationKind::Tool(tool) = &target.kind { Some(&**tool) } else { None });
            found.push(RetryView { retry, setting, context, name: &node.name, tool, in_step: true });
        }
    }
    found
}

fn of_declaration<'a>((declaration, item, context): (&'a Declaration, &'a Item, ItemContext<'a>)) -> Option<RetryView<'a>> {
    let (retry, tool) = match &declaration.kind {
        DeclarationKind::Tool(tool) => (tool.retry.as_ref()?, Some(&**tool)),
        DeclarationKind::Agent(agent) => (agent.retry.as_ref()?, None),
        _ => return None,
    };
    let setting = block(item)?.settings().find(|setting| setting.name.text(context.text) == "retry")?;
    Some(RetryView { retry, setting, context, name: &declaration.name, tool, in_step: false })
}

/// A setting of a step.
pub(crate) fn step_setting<'a>(step: &'a weave_syntax::ast::Node, item: &str, name: &str) -> Option<&'a Setting> {
    let NodeBody::Block { entries, .. } = &step.body else { return None };
    entries.iter().find_map(|entry| match entry {
        StepEntry::Setting(setting) if setting.name.text(item) == name => Some(setting),
        _ => None,
    })
}
