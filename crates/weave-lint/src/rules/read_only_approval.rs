//! A tool that changes nothing, and asks before each call.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::declarations::Approval;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "read-only-approval",
    severity: Severity::Warning,
    summary: "A tool that only reads asks for approval.",
    explanation: "A read-only tool cannot do harm. People who are asked each time stop reading, and then miss the calls that matter. Keep the approval only where the data itself is confidential.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  approval always
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
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    let reads_only = tool.hints.is_some_and(|hints| hints.read_only && !hints.destructive);
    if !reads_only || !matches!(tool.approval, Some(Approval::Always)) {
        return;
    }
    let (Some(hints), Some(approval)) = (view.setting("hints"), view.setting("approval")) else { return };
    let message = format!("the read-only tool `{}` asks for approval of each call", view.declaration.name);
    findings.report(
        findings
            .at(view.place(approval.span), message)
            .label("asks each time")
            .also(view.place(hints.span), "it changes nothing")
            .help("ask only where a call can do harm")
            .replace(Applicability::Unsafe, "remove the approval", without_setting(view, approval), ""),
    );
}
