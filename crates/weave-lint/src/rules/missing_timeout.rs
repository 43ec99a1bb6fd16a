//! A tool that is far away and may take as long as it likes.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit::behind;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "missing-timeout",
    severity: Severity::Warning,
    summary: "A remote tool has no timeout.",
    explanation: "A call over a network may never be answered. Without `timeout` the caller waits forever, or for as long as the host happens to wait. Set how long an answer may take.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  at env(\"ORDERS_URL\")
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  at env(\"ORDERS_URL\")
  timeout 30s
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    let has_deadline = tool.deferred.as_ref().is_some_and(|deferred| deferred.deadline.is_some());
    if tool.timeout.is_some() || has_deadline || (tool.at.is_none() && tool.from.is_none()) {
        return;
    }
    let Some(address) = view.setting("at").or_else(|| view.setting("from")) else { return };
    let (place, text) = behind(view, address.span, "timeout 30s");
    let finding = findings.at(view.declaration.place, format!("the remote tool `{}` has no timeout", view.declaration.name));
    findings.report(
        finding
            .label("it may never answer")
            .also(view.place(address.span), "it is called over a network")
            .help("set how long an answer may take, such as `timeout 30s`")
            .replace(Applicability::Unsafe, "wait 30 seconds", place, text),
    );
}
