//! The same said twice.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::value::{Template, TemplatePart};
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "prompt-repeats-system",
    severity: Severity::Warning,
    summary: "The prompt of an agent repeats its system text.",
    explanation: "The model reads both. Repeating the text costs tokens and adds nothing; one of the two was probably meant to be different.",
    bad: "\
prompt brief() \"\"\"
  You are brief and kind.
  \"\"\"

agent clerk() -> string {
  model mini
  system \"You are brief and kind.\"
  prompt brief
}
",
    good: "\
prompt brief() \"\"\"
  Greet the customer.
  \"\"\"

agent clerk() -> string {
  model mini
  system \"You are brief and kind.\"
  prompt brief
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Agent(agent) = &view.declaration.kind else { return };
    let (Some(system), Some(prompt)) = (&agent.system, agent.prompt.and_then(|id| view.project.model.get(id))) else { return };
    let DeclarationKind::Prompt(text) = &prompt.kind else { return };
    if said(system).trim() != said(&text.text).trim() {
        return;
    }
    let Some(setting) = view.setting("system") else { return };
    let finding =
        findings.at(view.place(setting.span), format!("the model of the agent `{}` reads the same text twice", view.declaration.name));
    findings.report(
        finding
            .label("the prompt has the same text")
            .also(prompt.place, "here")
            .help("remove one of them, or make them different")
            .replace(Applicability::Unsafe, "keep only the prompt", without_setting(view, setting), ""),
    );
}

/// What a template says; placeholders by their paths.
fn said(template: &Template) -> String {
    let parts = template.parts.iter().map(|part| match part {
        TemplatePart::Text(text) => text.to_string(),
        TemplatePart::Placeholder(value) => format!("{{{{{:?} {:?} {:?}}}}}", value.path.root, value.path.segments, value.default),
    });
    parts.collect()
}
