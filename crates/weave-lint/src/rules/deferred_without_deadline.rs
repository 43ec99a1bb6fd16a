//! A result that may come at any time, or never.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::SettingValue;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "deferred-without-deadline",
    severity: Severity::Warning,
    summary: "A deferred result has no deadline, and nothing else limits the wait.",
    explanation: "The result of a `deferred` tool arrives later; `timeout` limits only the acknowledgement. Without a `deadline` the run waits forever for a result that is lost: neither the calling step nor its workflow has a timeout, or a model makes the call.",
    bad: "\
/// Ships an order. The result comes when it has arrived.
tool ship(order_id: string) {
  deferred { on_timeout fail }
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [ship]
}
",
    good: "\
/// Ships an order. The result comes when it has arrived.
tool ship(order_id: string) {
  deferred { deadline 14d, on_timeout fail }
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [ship]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    if tool.deferred.as_ref().is_none_or(|deferred| deferred.deadline.is_some()) {
        return;
    }
    let facts = view.project.facts;
    let step = facts.unbounded_call(view.id).map(|step| (step, "called here, with no timeout"));
    let Some((who, label)) = step.or_else(|| Some((facts.offered_by(view.id)?, "offered to this agent"))) else { return };
    let Some(setting) = view.setting("deferred") else { return };
    let SettingValue::Block(block) = &setting.value else { return };
    let inside = Span::at(block.span.start + 1);
    let text = if block.entries.is_empty() { " deadline 1d " } else { " deadline 1d," };
    let finding = findings.at(view.place(setting.span), format!("the result of `{}` may never come", view.declaration.name));
    findings.report(
        finding.label("no deadline").also(who, label).help("set the latest time for the result, such as `deadline 1d`").replace(
            Applicability::Unsafe,
            "wait for one day",
            view.place(inside),
            text,
        ),
    );
}
