//! Declarations of which nothing but the kind is known yet.

use std::sync::Arc;

use weave_diagnostics::Place;
use weave_syntax::ast::{ItemKind, ToolKind};

use crate::model::DeclarationKind;
use crate::model::declarations::{Activation, EnumType, Event, Prompt, PromptTier, Tool, UnionType};
use crate::model::types::{RecordType, Type};
use crate::model::value::Template;

/// A declaration of the item's kind, with nothing in it.
pub(super) fn blank(kind: &ItemKind, place: Place) -> Option<DeclarationKind> {
    Some(match kind {
        ItemKind::Import(_) | ItemKind::Test(_) | ItemKind::Broken => return None,
        ItemKind::Type(_) => DeclarationKind::Type(Type::Unknown),
        ItemKind::Enum(_) => DeclarationKind::Enum(EnumType { values: Box::default() }),
        ItemKind::Union(_) => DeclarationKind::Union(UnionType::new(Arc::from("kind"), Box::default())),
        ItemKind::Error(_) => DeclarationKind::Error(Arc::default()),
        ItemKind::Event(event) => DeclarationKind::Event(Event {
            external: event.external.is_some(),
            payload: Type::Unknown,
            answers: Box::default(),
            doubtful: false,
        }),
        ItemKind::Tool(tool) => DeclarationKind::Tool(Box::new(blank_tool(tool.kind, Arc::default(), None))),
        ItemKind::Toolkit(_) => DeclarationKind::Toolkit(Box::default()),
        ItemKind::Prompt(_) => DeclarationKind::Prompt(Box::new(Prompt {
            input: Arc::default(),
            hydrates: None,
            text: Template { parts: Box::default(), place },
            tier: PromptTier::Static,
        })),
        ItemKind::Agent(_) => DeclarationKind::Agent(Box::default()),
        ItemKind::Workflow(_) => DeclarationKind::Workflow(Box::default()),
    })
}

/// A tool with this signature and no setting.
pub(crate) fn blank_tool(kind: ToolKind, input: Arc<RecordType>, output: Option<Type>) -> Tool {
    Tool {
        kind,
        input,
        output,
        id: None,
        title: None,
        version: None,
        activation: Activation::Always,
        max_output: None,
        action: None,
        silent: false,
        strict: true,
        hints: None,
        timeout: None,
        retry: None,
        approval: None,
        deferred: None,
        progress: None,
        artifacts: None,
        fails: Box::default(),
        doubtful: false,
        examples: Box::default(),
        requires: Box::default(),
        at: None,
        from: None,
        via: None,
        meta: None,
        bindings: Box::default(),
        on_cancel: None,
    }
}
