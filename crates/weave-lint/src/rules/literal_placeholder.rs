//! `${name}` in a text, which stays as it is.

use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::mistaken::mistaken;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "literal-placeholder",
    severity: Severity::Warning,
    summary: "A text holds what looks like a placeholder of another language, and it stays as it is.",
    explanation: "A placeholder is `{{.path}}`. `${name}`, `#{name}`, `{name}`, `{.path}` and `$.path` are plain text: the model or the person reads them as they are written. Only names that are known are reported: parameters of the prompt, the agent, the tool or the workflow, what a prompt hydrates, and steps.",
    bad: "\
prompt greet(name: string) \"\"\"
  Say hello to ${name}.
  \"\"\"

agent greeter(name: string) -> string {
  model mini
  prompt greet
}

workflow hello(name: string) -> string {
  step greet { ask greeter { name: .input.name } }
  end done on greet = .greet
}
",
    good: "\
prompt greet(name: string) \"\"\"
  Say hello to {{.name}}.
  \"\"\"

agent greeter(name: string) -> string {
  model mini
  prompt greet
}

workflow hello(name: string) -> string {
  step greet { ask greeter { name: .input.name } }
  end done on greet = .greet
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    for mistaken in mistaken(view) {
        let placeholder = format!("{{{{.{}}}}}", mistaken.path);
        let finding = findings.at(mistaken.place, format!("`{}` is not a placeholder", mistaken.written));
        let finding = finding.label("stays in the text as it is").help(format!("write `{placeholder}`"));
        findings.report(if mistaken.is_sure {
            finding.replace(Applicability::Unsafe, format!("write `{placeholder}`"), mistaken.place, placeholder)
        } else {
            finding
        });
    }
}
