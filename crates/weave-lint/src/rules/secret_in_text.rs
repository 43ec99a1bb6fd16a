//! A secret in a text that people read.

use std::sync::Arc;
use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::Type;
use weave_analysis::model::value::{PathRoot, ResolvedPath, Template, ValueKind};
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::templates::placeholders;

static CODE: Code = Code {
    id: "secret-in-text",
    severity: Severity::Warning,
    summary: "A `@secret` value is inserted into a text.",
    explanation: "A `@secret` value is kept out of logs while it is in its own field. In the text of an `action`, a payload, an output or a failure it can no longer be recognized: it is stored, shown and logged with the text. Remove it.",
    bad: "\
/// Logs a customer in.
tool log_in(name: string, @secret password: string) -> bool {
  action \"Logging {{.name}} in with {{.password}}\"
}
",
    good: "\
/// Logs a customer in.
tool log_in(name: string, @secret password: string) -> bool {
  action \"Logging {{.name}} in\"
}
",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Security, fixable: Fixable::No, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let (secrets, model) = (file.project.facts.secrets(), file.project.model);
    if secrets.is_empty() {
        return;
    }
    for view in file.declarations() {
        let DeclarationKind::Tool(tool) = &view.declaration.kind else { continue };
        for value in tool.action.iter().flat_map(placeholders) {
            let PathRoot::Parameter(name) = &value.path.root else { continue };
            let Some(field) = tool.input.field_on_wire(name) else { continue };
            if field.secret || secrets.is_read(model, Some(&field.ty), &value.path) {
                report(&value.path, &view.declaration.name, findings);
            }
        }
    }
    for workflow in file.workflows() {
        let input = Type::Record(Arc::clone(&workflow.signature.input));
        for node in &workflow.body.nodes {
            for value in templates(&node.action).into_iter().flat_map(placeholders) {
                let root = match &value.path.root {
                    PathRoot::Input => Some(&input),
                    PathRoot::Step { node, .. } => workflow.body.nodes.get(*node as usize).and_then(|node| node.answer.as_ref()),
                    _ => None,
                };
                if secrets.is_read(model, root, &value.path) {
                    report(&value.path, &node.name, findings);
                }
            }
        }
    }
}

fn report(path: &ResolvedPath, name: &str, findings: &mut Findings<'_>) {
    let finding = findings.at(path.place, format!("`{name}` inserts a secret into a text"));
    findings.report(finding.label("a secret, or a value that contains one").help("remove it from the text"));
}

/// The texts of what a node does.
fn templates(action: &Action) -> Vec<&Template> {
    let mut found = Vec::new();
    let value = match action {
        Action::Ask { arguments, .. } | Action::Call { arguments, .. } | Action::Run { arguments, .. } => arguments,
        Action::Emit { payload, .. } => payload,
        Action::Value(value) | Action::End(Some(value)) => value,
        Action::Fail(message) => return message.iter().collect(),
        _ => return found,
    };
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match &value.kind {
            ValueKind::Template(template) => found.push(template),
            ValueKind::Object(entries) => waiting.extend(entries.iter().map(|(_, value)| value)),
            ValueKind::List(items) => waiting.extend(items),
            _ => {}
        }
    }
    found
}
