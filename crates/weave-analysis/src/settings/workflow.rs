//! The settings of workflows.

use std::sync::Arc;

use weave_syntax::ast::{self, Workflow as Written};

use super::reader::{Host, Settings};
use super::values;
use crate::declare::Context;
use crate::model::DeclarationKind;
use crate::model::declarations::WorkflowSignature;

/// Whether a workflow has a setting of this name.
pub(crate) fn is_workflow_setting(name: &str) -> bool {
    WORKFLOW.settings.contains(&name)
}

pub(super) const WORKFLOW: Host = Host { noun: "a workflow", settings: &["title", "version", "timeout", "meta"] };

pub(super) fn read(context: &mut Context<'_>, it: &Written, known: &DeclarationKind) -> Option<DeclarationKind> {
    let DeclarationKind::Workflow(known) = known else { return None };
    if it.settings.is_empty() {
        return None;
    }
    let mut workflow = WorkflowSignature {
        input: Arc::clone(&known.input),
        output: known.output.clone(),
        failures: known.failures.clone(),
        ..WorkflowSignature::default()
    };
    // What stands behind a node is most often no setting, and has been reported with the syntax.
    let before = |setting: &&ast::Setting| it.nodes.first().is_none_or(|first| setting.span.start < first.span.start);
    for (name, setting) in Settings::of(context, WORKFLOW, it.settings.iter().filter(before)).given {
        match name {
            "title" => workflow.title = values::string(context, setting, "a string, such as `\"Customer support\"`"),
            "version" => workflow.version = values::string(context, setting, "a string, such as `\"v2\"`"),
            "timeout" => workflow.timeout = values::duration(context, setting),
            _ => workflow.meta = values::data_block(context, setting, "a block of data, such as `meta { owner: \"support\" }`"),
        }
    }
    Some(DeclarationKind::Workflow(Box::new(workflow)))
}
