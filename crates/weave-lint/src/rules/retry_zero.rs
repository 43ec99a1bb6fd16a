//! A retry of nothing.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "retry-zero",
    severity: Severity::Warning,
    summary: "A tool or an agent sets `retry 0`, which is the default.",
    explanation: "Without `retry` there are no further attempts, so `retry 0` has no effect here. In a step it has a meaning: there it overrides the setting of the tool.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  retry 0
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let retry = match &view.declaration.kind {
        DeclarationKind::Tool(tool) => tool.retry.as_ref(),
        DeclarationKind::Agent(agent) => agent.retry.as_ref(),
        _ => None,
    };
    let (Some(0), Some(setting)) = (retry.map(|retry| retry.max), view.setting("retry")) else { return };
    let finding = findings.at(view.place(setting.span), format!("`retry 0` of `{}` has no effect", view.declaration.name));
    findings.report(finding.label("there are no retries by default").help("remove it, or set the number of retries").replace(
        Applicability::Safe,
        "remove it",
        without_setting(view, setting),
        "",
    ));
}
