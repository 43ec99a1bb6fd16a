//! A secret that a model is told.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::RecordType;
use weave_analysis::model::value::{PathRoot, Template};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::templates::placeholders;

static CODE: Code = Code {
    id: "secret-to-model",
    severity: Severity::Warning,
    summary: "A `@secret` value reaches a model.",
    explanation: "A `@secret` value must not be shown. Through the system text or prompt of an agent, or through the result of a tool, the value reaches the provider of the model, appears in its logs, and can be extracted by any text that the model reads. Give the model the facts that it needs, not the secret itself.",
    bad: "\
type Login { name: string, @secret password: string }

agent greeter(login: Login) -> string {
  model mini
  system \"Greet this customer: {{.login}}\"
}
",
    good: "\
type Login { name: string, @secret password: string }

agent greeter(login: Login) -> string {
  model mini
  prompt greet
}

prompt greet(login: Login) \"\"\"
  Greet this customer: {{.login.name}}
  \"\"\"
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if view.project.facts.secrets().is_empty() {
        return;
    }
    match &view.declaration.kind {
        DeclarationKind::Prompt(prompt) => template(view, &prompt.text, prompt.hydrates.as_deref(), &prompt.input, findings),
        DeclarationKind::Agent(agent) => {
            if let Some(system) = &agent.system {
                template(view, system, None, &agent.input, findings);
            }
            // Without a prompt the model is given all arguments as they are.
            if agent.prompt.is_none() {
                arguments(view, &agent.input, findings);
            }
        }
        DeclarationKind::Tool(tool) if !tool.silent => {
            let Some(agent) = view.project.facts.offered_by(view.id) else { return };
            if tool.output.as_ref().is_some_and(|output| view.project.facts.secrets().is_in(output)) {
                let message = format!("the tool `{}` gives a secret to a model", view.declaration.name);
                let finding = findings.at(view.declaration.place, message).label("its output contains a secret");
                findings.report(finding.also(agent, "offered to this agent").help(HELP));
            }
        }
        _ => {}
    }
}

const HELP: &str = "give the model the facts that it needs, without the secret";

fn template(view: &DeclarationView<'_>, text: &Template, hydrates: Option<&RecordType>, input: &RecordType, findings: &mut Findings<'_>) {
    for value in placeholders(text) {
        let PathRoot::Parameter(name) = &value.path.root else { continue };
        let root = input.field_on_wire(name).or_else(|| hydrates?.field_on_wire(name));
        let is_secret = root.is_some_and(|root| root.secret)
            || view.project.facts.secrets().is_read(view.project.model, root.map(|root| &root.ty), &value.path);
        if is_secret {
            let finding = findings.at(value.path.place, format!("`{}` gives a secret to its model", view.declaration.name));
            findings.report(finding.label("a secret, or a value that contains one").help(HELP));
        }
    }
}

fn arguments(view: &DeclarationView<'_>, input: &RecordType, findings: &mut Findings<'_>) {
    for field in &input.fields {
        if field.secret || view.project.facts.secrets().is_in(&field.ty) {
            let finding = findings.at(field.place, format!("`{}` gives a secret to its model", view.declaration.name));
            findings.report(
                finding.label("without a `prompt` the model receives all arguments").help("write a `prompt` that leaves the secret out"),
            );
        }
    }
}
