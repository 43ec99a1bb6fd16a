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
    summary: "A setting lists nothing.",
    explanation: "An empty list of `fails`, `requires`, `tools` or `middleware` is the same as none. (`hints []` is something else: it \
                  says that no hint holds.)",
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
        let finding = findings.at(view.place(setting.span), format!("`{name}` of `{}` lists nothing", view.declaration.name));
        findings.report(finding.label("the same as nothing said").help("remove it, or say what belongs there").replace(
            Applicability::Safe,
            "remove it",
            without_setting(view, setting),
            "",
        ));
    }
}
