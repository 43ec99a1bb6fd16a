//! A parameter that an agent never sees.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::FieldType;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::mistaken::mistaken;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::templates::parameters;

static CODE: Code = Code {
    id: "unused-agent-parameter",
    severity: Severity::Warning,
    summary: "A parameter of an agent is used neither in its system text nor in its prompt.",
    explanation: "With a `prompt`, the model of an agent sees the `system` text and the prompt, and nothing else. A parameter that neither of them uses never reaches the model. (Without a prompt the model receives all arguments.)",
    bad: "\
prompt ask(topic: string) \"\"\"
  Write about {{.topic}}.
  \"\"\"

agent writer(topic: string, tone: string) -> string {
  model mini
  prompt ask
}
",
    good: "\
prompt ask(topic: string, tone: string) \"\"\"
  Write about {{.topic}} in a {{.tone}} tone.
  \"\"\"

agent writer(topic: string, tone: string) -> string {
  model mini
  prompt ask
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Agent(agent) = &view.declaration.kind else { return };
    // Without a prompt the model is given all arguments as they are.
    let Some(prompt) = agent.prompt.and_then(|id| view.project.model.get(id)) else { return };
    let DeclarationKind::Prompt(of_prompt) = &prompt.kind else { return };
    let used = agent.system.as_ref().map(parameters).unwrap_or_default();
    let is_used = |field: &FieldType| used.contains(field.wire_name()) || of_prompt.input.field(&field.name).is_some();
    if agent.input.fields.iter().all(is_used) {
        return;
    }
    // What is used by another language's placeholder is another finding.
    let mistaken = mistaken(view);
    let is_mistaken = |field: &FieldType| mistaken.iter().any(|mistaken| mistaken.is_parameter(&field.name));
    for field in agent.input.fields.iter().filter(|field| !is_used(field) && !is_mistaken(field)) {
        let finding = findings.at(field.place, format!("the model of `{}` never sees `{}`", view.declaration.name, field.name));
        findings.report(
            finding
                .label("used neither in `system` nor by `prompt`")
                .also(prompt.place, "the model receives only this")
                .help("use it there, or remove it"),
        );
    }
}
