//! A setting that says what holds anyway.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::SettingValue;

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "default-setting",
    severity: Severity::Warning,
    summary: "A setting of a tool repeats its default.",
    explanation: "`mode feedback`, `strict true` and `activation always` are the defaults. A reader who finds them written out looks for a reason.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  strict true
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

/// What holds where nothing is said.
const DEFAULTS: [(&str, &str); 3] = [("mode", "feedback"), ("strict", "true"), ("activation", "always")];

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(_) = &view.declaration.kind else { return };
    for setting in view.block().into_iter().flat_map(|block| block.settings()) {
        let name = view.text(setting.name.span);
        let SettingValue::Value { value, block: None } = &setting.value else { continue };
        let value = view.text(value.span());
        if !DEFAULTS.contains(&(name, value)) {
            continue;
        }
        let finding = findings.at(view.place(setting.span), format!("`{name} {value}` is the default"));
        findings.report(finding.label("repeats the default").help("remove it").replace(
            Applicability::Safe,
            "remove it",
            without_setting(view, setting),
            "",
        ));
    }
}
