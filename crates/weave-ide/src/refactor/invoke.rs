//! A request that is emitted as it goes over the wire becomes the `ask` or the `call` that says the same.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Edit, FileId, Span};
use weave_syntax::ast::{Action, Entry, Expr, LiteralKind, Node, NodeBody, Object, StepEntry};
use weave_syntax::text::{has_placeholder, string_value};

use super::fresh::is_name;
use super::infer::Inference;
use super::{Refactoring, RefactoringKind, layout};
use crate::Analysis;
use crate::analysis::ItemView;

/// An `emit` with an object.
pub(super) struct Emitted<'a> {
    pub(super) item: ItemView<'a>,
    pub(super) node: &'a Node,
    pub(super) topic: &'a str,
    /// All of the action.
    pub(super) span: Span,
    pub(super) payload: &'a Object,
}

impl<'a> Emitted<'a> {
    /// The `emit` of the step that an offset is in.
    pub(super) fn at(analysis: &'a Analysis, file: FileId, offset: u32) -> Option<Self> {
        let item = analysis.item_at(file, offset).filter(|item| !item.slot.has_errors())?;
        let weave_syntax::ast::ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind else { return None };
        let within = offset.checked_sub(item.slot.start)?;
        let node = workflow.nodes.iter().find(|node| node.span.touches(within))?;
        let NodeBody::Block { entries, .. } = &node.body else { return None };
        let action = entries.iter().find_map(|entry| if let StepEntry::Action(action) = entry { Some(action) } else { None })?;
        let Action::Emit { span, topic, payload: Some(Expr::Object(payload)) } = action else { return None };
        Some(Self { item, node, topic: topic.text(item.context.text), span: *span, payload })
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        span.text(self.item.context.text)
    }

    /// The name of an entry.
    pub(super) fn key(&self, entry: &Entry) -> String {
        entry.key.text(self.item.context.text).into_owned()
    }

    /// The name that an entry says, if it says one.
    pub(super) fn named(&self, key: &str) -> Option<String> {
        let entry = self.payload.entries.iter().find(|entry| self.key(entry) == key)?;
        let Expr::Literal(literal) = &entry.value else { return None };
        let raw = self.text(literal.span);
        let is_plain = literal.kind == LiteralKind::String && !has_placeholder(raw);
        is_plain.then(|| string_value(raw).into_owned()).filter(|name| is_name(name))
    }

    /// The entries but these.
    pub(super) fn others(&self, keys: &[&str]) -> Vec<&'a Entry> {
        self.payload.entries.iter().filter(|entry| !keys.contains(&self.key(entry).as_str())).collect()
    }

    /// The object of an entry.
    fn object(&self, key: &str) -> Option<&'a Object> {
        let entry = self.payload.entries.iter().find(|entry| self.key(entry) == key)?;
        if let Expr::Object(object) = &entry.value { Some(object) } else { None }
    }
}

/// What turns the `emit` that a range is in into what is meant.
pub(super) fn invoke<'a>(analysis: &'a Analysis, file: FileId, range: Span) -> Option<Refactoring<'a>> {
    let emitted = Emitted::at(analysis, file, range.start)?;
    match emitted.topic {
        "tool.dispatch" => call(analysis, file, &emitted),
        "ai.request" => ask(analysis, file, &emitted),
        _ => None,
    }
}

fn call<'a>(analysis: &'a Analysis, file: FileId, emitted: &Emitted<'a>) -> Option<Refactoring<'a>> {
    let name = emitted.named("name")?;
    let arguments = emitted.object("args");
    let others = emitted.others(&["name", "args"]);
    // Arguments stand in `args`, or beside the name; nobody knows what both at once would mean.
    let (fields, written) = match (arguments, &*others) {
        (Some(arguments), []) => (Inference::new(analysis, emitted.item).fields(arguments), emitted.text(arguments.span).to_owned()),
        (None, others) if emitted.payload.entries.len() == others.len() + 1 => {
            let entries: Box<[Entry]> = others.iter().map(|entry| (*entry).clone()).collect();
            let written: Vec<&str> = others.iter().map(|entry| emitted.text(entry.span)).collect();
            let object = Object { span: emitted.payload.span, entries, rest: None };
            (Inference::new(analysis, emitted.item).fields(&object), format!("{{ {} }}", written.join(", ")))
        }
        _ => return None,
    };
    let mut changes = Vec::new();
    match analysis.model().scope(file)?.names.get(&*name).and_then(|id| analysis.model().get(*id)).map(|found| &found.kind) {
        Some(DeclarationKind::Tool(_)) => {}
        Some(_) => return None,
        // What it answers nobody has said so far.
        None => changes.push(layout::declared_before(analysis, file, emitted.item.slot.start, &format!("tool {name}({fields}) -> json"))),
    }
    changes.push(Edit { place: emitted.item.place(emitted.span), text: format!("call {name} {written}") });
    Some(Refactoring::new(RefactoringKind::Rewrite, format!("Call the tool `{name}`"), changes))
}

fn ask<'a>(analysis: &'a Analysis, file: FileId, emitted: &Emitted<'a>) -> Option<Refactoring<'a>> {
    let name = emitted.named("agent").filter(|_| emitted.others(&["agent", "args"]).is_empty())?;
    let known = analysis.model().scope(file)?.names.get(&*name).and_then(|id| analysis.model().get(*id));
    known.filter(|found| matches!(found.kind, DeclarationKind::Agent(_)))?;
    let arguments = emitted.object("args").map(|object| format!(" {}", emitted.text(object.span))).unwrap_or_default();
    let changes = vec![Edit { place: emitted.item.place(emitted.span), text: format!("ask {name}{arguments}") }];
    Some(Refactoring::new(RefactoringKind::Rewrite, format!("Ask the agent `{name}`"), changes))
}
