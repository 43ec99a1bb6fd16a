//! Something that is found and not used.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::templates::parameters;

static CODE: Code = Code {
    id: "unused-hydration",
    severity: Severity::Warning,
    summary: "A hydrated value of a prompt is never used.",
    explanation: "The application looks up the values after `hydrates` each time the prompt is used. A value that no placeholder uses is looked up for nothing. Add it to the text, or remove it.",
    bad: "\
prompt ask(question: string) hydrates { docs: string[], rules: string[] } \"\"\"
  Answer {{.question}} from {{.docs}}.
  \"\"\"
",
    good: "\
prompt ask(question: string) hydrates { docs: string[] } \"\"\"
  Answer {{.question}} from {{.docs}}.
  \"\"\"
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Prompt(prompt) = &view.declaration.kind else { return };
    let Some(hydrates) = &prompt.hydrates else { return };
    let used = parameters(&prompt.text);
    for field in hydrates.fields.iter().filter(|field| !used.contains(field.wire_name())) {
        let finding =
            findings.at(field.place, format!("the prompt `{}` hydrates `{}` and does not use it", view.declaration.name, field.name));
        let help = format!("add `{{{{.{}}}}}` to the text, or remove it", field.name);
        findings.report(finding.label("in no placeholder").help(help));
    }
}
