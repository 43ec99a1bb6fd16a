//! A tool that others run, without a version.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit::behind;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "missing-version",
    severity: Severity::Warning,
    summary: "A remote tool has no version.",
    explanation: "A remote service can change independently of this file. `version` names the contract that the call expects, so that logs and grants can distinguish old and new versions.",
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
  version \"1\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    if tool.version.is_some() || (tool.at.is_none()) {
        return;
    }
    let Some(address) = view.setting("at") else { return };
    let (place, text) = behind(view, address.span, "version \"1\"");
    let finding = findings.at(view.declaration.place, format!("the remote tool `{}` has no version", view.declaration.name));
    findings.report(
        finding
            .label("the remote service can change independently")
            .also(view.place(address.span), "it is called over a network")
            .help("name the expected contract, such as `version \"1\"`")
            .replace(Applicability::Unsafe, "name it version 1", place, text),
    );
}
