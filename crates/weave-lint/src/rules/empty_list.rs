//! A list of nothing.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::{Expr, SettingValue};

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "empty-list",
    severity: Severity::Warning,
    summary: "A setting is an empty list.",
    explanation: "An empty list of `fails`, `requires`, `tools` or `middleware` means the same as no setting. (`hints []` is different: it states that no hint applies.)",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  fails []
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
    let names: &[&str] = match &view.declaration.kind {
        DeclarationKind::Tool(_) => &["fails", "requires"],
        DeclarationKind::Agent(_) => &["tools"],
        DeclarationKind::Toolkit(_) => &["middleware"],
        _ => return,
    };
    for setting in view.block().into_iter().flat_map(|block| block.settings()) {
        let name = view.text(setting.name.span);
        let SettingValue::Value { value: Expr::List(list), block: None } = &setting.value else { continue };
        if !list.items.is_empty() || !names.contains(&name) {
            continue;
        }
        let finding = findings.at(view.place(setting.span), format!("`{name}` of `{}` is empty", view.declaration.name));
        findings.report(finding.label("the same as no setting").help("remove it, or add the missing entries").replace(
            Applicability::Safe,
            "remove it",
            without_setting(view, setting),
            "",
        ));
    }
}
