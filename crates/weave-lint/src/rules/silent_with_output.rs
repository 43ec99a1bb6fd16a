//! A result that nobody sees.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::ItemKind;

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "silent-with-output",
    severity: Severity::Warning,
    summary: "The output of a silent tool is never used.",
    explanation: "With `mode silent` the model never sees the result, and no step calls the tool, so the result is lost. Remove `mode silent` if the model needs the result; otherwise remove the output.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [idempotent]
  mode silent
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [idempotent]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (DeclarationKind::Tool(tool), ItemKind::Tool(syntax)) = (&view.declaration.kind, &view.item.kind) else { return };
    if !tool.silent || view.project.facts.is_called(view.id) {
        return;
    }
    let (Some(output), Some(mode)) = (&syntax.output, view.setting("mode")) else { return };
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let finding =
        findings.at(view.place(output.span()), format!("the output of the silent tool `{}` is never used", view.declaration.name));
    findings.report(
        finding
            .label("this output is lost")
            .also(view.place(mode.span), "the model does not see it")
            .also(agent, "offered to this agent, and not called by any step")
            .help("remove `mode silent`, or the output")
            .replace(Applicability::Unsafe, "show the result to the model", without_setting(view, mode), ""),
    );
}
