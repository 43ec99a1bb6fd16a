//! An agent that is told what, but not what to do with it.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::value::{Template, TemplatePart};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "agent-without-instructions",
    severity: Severity::Warning,
    summary: "An agent has no instructions of its own.",
    explanation: "The `system` text and the prompt of the agent consist of placeholders only, so the caller writes everything that the model reads. Add instructions that say what the agent is and what it must do. They also help the model resist instructions that are hidden in its input.",
    bad: "\
agent clerk(task: string) -> string {
  model mini
  system \"{{.task}}\"
}
",
    good: "\
agent clerk(task: string) -> string {
  model mini
  system \"You are a clerk, and answer briefly: {{.task}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Agent(agent) = &view.declaration.kind else { return };
    let prompt = agent.prompt.and_then(|id| view.project.model.get(id));
    let prompt = prompt.and_then(|prompt| if let DeclarationKind::Prompt(prompt) = &prompt.kind { Some(&prompt.text) } else { None });
    if agent.system.iter().chain(prompt).any(has_words) {
        return;
    }
    let Some(setting) = view.setting("system").or_else(|| view.setting("prompt")) else { return };
    let finding = findings.at(view.place(setting.span), format!("the agent `{}` has no instructions", view.declaration.name));
    findings.report(finding.label("placeholders only").help("describe in `system` what the agent is and what it must do"));
}

fn has_words(template: &Template) -> bool {
    template.parts.iter().any(|part| matches!(part, TemplatePart::Text(text) if text.contains(char::is_alphabetic)))
}
