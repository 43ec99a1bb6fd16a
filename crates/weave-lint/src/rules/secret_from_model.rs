//! A secret that a model has to write down.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "secret-from-model",
    severity: Severity::Warning,
    summary: "A model has to fill in a `@secret` parameter.",
    explanation: "A model writes the arguments of a tool that is offered to its agent. To write a secret, it must have read it: the secret is then in the logs of the provider, and a text from elsewhere may trick the model into revealing it. Let the host add the secret where the tool runs, and remove the parameter.",
    bad: "\
/// Logs a customer in.
tool log_in(name: string, @secret password: string) -> bool {
  hints [idempotent]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You help with {{.task}}.\"
  tools [log_in]
}
",
    good: "\
/// Logs the customer of this conversation in.
tool log_in(name: string) -> bool {
  hints [idempotent]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You help with {{.task}}.\"
  tools [log_in]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let input = match &view.declaration.kind {
        DeclarationKind::Tool(tool) => &tool.input,
        DeclarationKind::Agent(agent) => &agent.input,
        DeclarationKind::Workflow(workflow) => &workflow.input,
        _ => return,
    };
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    for field in &input.fields {
        if !field.secret && !view.project.facts.secrets().is_in(&field.ty) {
            continue;
        }
        let message = format!("a model has to write the secret `{}` of `{}`", field.name, view.declaration.name);
        let finding = findings.at(field.place, message);
        let label = if field.secret { "a secret" } else { "contains a secret" };
        findings.report(finding.label(label).also(agent, "offered to this agent").help("let the host add it where the tool runs"));
    }
}
