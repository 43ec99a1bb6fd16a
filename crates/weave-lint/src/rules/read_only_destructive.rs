//! A tool that reads only, and destroys.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::{Expr, List, Setting, SettingValue};

use crate::edit::without_item;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "read-only-destructive",
    severity: Severity::Error,
    summary: "The hints of a tool contradict each other.",
    explanation: "A `read_only` tool changes nothing; a `destructive` tool changes or deletes something that cannot be restored. A tool cannot be both. Hosts use these hints to decide whether to ask for approval, and different hosts read different hints. Remove the wrong one.",
    bad: "\
/// Closes an account for good.
tool close(account: string) {
  hints [read_only, destructive]
}
",
    good: "\
/// Closes an account for good.
tool close(account: string) {
  hints [destructive]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Correctness, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    if !tool.hints.is_some_and(|hints| hints.read_only && hints.destructive) {
        return;
    }
    let Some((setting, list)) = view.setting("hints").and_then(|setting| Some((setting, list(setting)?))) else { return };
    let items: Vec<Span> = list.items.iter().map(|item| item.value.span()).collect();
    let finding = findings.at(view.place(setting.span), format!("the tool `{}` is both read-only and destructive", view.declaration.name));
    let finding = finding.label("these contradict each other").help("remove the hint that is wrong");
    let Some(index) = items.iter().position(|item| view.text(*item) == "read_only") else { return };
    let removed = view.place(without_item(view.context.text, &items, index));
    findings.report(finding.replace(Applicability::Unsafe, "remove `read_only`", removed, ""));
}

fn list(setting: &Setting) -> Option<&List> {
    match &setting.value {
        SettingValue::Value { value: Expr::List(list), .. } => Some(list),
        _ => None,
    }
}
