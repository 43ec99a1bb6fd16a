//! A tool whose calls a model cannot see, and each of which counts.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "silent-not-idempotent",
    severity: Severity::Warning,
    summary: "A model may call a silent tool repeatedly, and each call has an effect.",
    explanation: "With `mode silent` the model does not see that its call was carried out, so it may call again. The tool is not declared `idempotent`, so the effect happens twice. Make the tool safe to repeat and declare it `idempotent`, or show the result to the model.",
    bad: "\
/// Sends a letter to a customer.
tool send(text: string) {
  hints [open_world]
  mode silent
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [send]
}
",
    good: "\
/// Sends a letter to a customer. The same text is sent once.
tool send(text: string) {
  hints [open_world, idempotent]
  mode silent
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [send]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    let counts = tool.hints.is_some_and(|hints| !hints.idempotent && !hints.read_only);
    if !tool.silent || !counts {
        return;
    }
    let (Some(agent), Some(mode)) = (view.project.facts.offered_by(view.id), view.setting("mode")) else { return };
    let message = format!("a model may call the silent tool `{}` twice, and it is not declared safe to repeat", view.declaration.name);
    let finding = findings.at(view.declaration.place, message);
    findings.report(
        finding
            .label("not `idempotent`")
            .also(view.place(mode.span), "the model does not see that it ran")
            .also(agent, "offered to this agent")
            .help("make it safe to repeat and add `idempotent` to its `hints`, or remove `mode silent`"),
    );
}
