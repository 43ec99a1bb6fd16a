//! A model that may go on for ever.

use weave_analysis::model::{DeclarationId, DeclarationKind};
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::edit::behind;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unlimited-turns",
    severity: Severity::Warning,
    summary: "An agent with tools has no limit on its turns.",
    explanation: "A model with tools is asked again after each of its calls. Without `max_turns` only the host decides when that ends, and a model that repeats itself costs money until then.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
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
  hints [read_only]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
  max_turns 10
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Agent(agent) = &view.declaration.kind else { return };
    if agent.max_turns.is_some() || agent.tools.iter().all(|tool| is_signal(view, tool.target)) {
        return;
    }
    let Some(tools) = view.setting("tools") else { return };
    let (place, text) = behind(view, tools.span, "max_turns 10");
    let finding = findings.at(view.declaration.place, format!("the turns of the agent `{}` have no limit", view.declaration.name));
    findings.report(
        finding
            .label("no `max_turns`")
            .also(view.place(tools.span), "the model is asked again after each call")
            .help("set a limit, such as `max_turns 10`")
            .replace(Applicability::Unsafe, "limit it to ten turns", place, text),
    );
}

/// Whether the call of a tool ends the step, so that the model is not asked again.
fn is_signal(view: &DeclarationView<'_>, id: DeclarationId) -> bool {
    let kind = view.project.model.get(id).map(|declaration| &declaration.kind);
    matches!(kind, Some(DeclarationKind::Tool(tool)) if tool.kind == ToolKind::Signal)
}
