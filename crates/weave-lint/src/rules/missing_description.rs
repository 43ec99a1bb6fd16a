//! A tool, agent or workflow that a model cannot know what to do with.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "missing-description",
    severity: Severity::Warning,
    summary: "A tool that is offered to a model has no description.",
    explanation: "A model chooses tools mainly by their `///` comments. Describe what the tool does, when to use it, and what it returns. The same applies to agents and workflows that are offered as tools. Tools that a provider executes are described by the provider.",
    bad: "tool find_order(order_id: string) -> string {\n  hints [read_only]\n}\n\n/// Answers questions about orders.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [find_order]\n}\n",
    good: "/// Looks up one order by its id and gives its state.\ntool find_order(order_id: string) -> string {\n  hints [read_only]\n}\n\n/// Answers questions about orders.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [find_order]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let noun = match &view.declaration.kind {
        // Its provider describes its own tool.
        DeclarationKind::Tool(tool) if tool.kind == ToolKind::Provider => return,
        DeclarationKind::Tool(_) => "tool",
        DeclarationKind::Agent(_) => "agent",
        DeclarationKind::Workflow(_) => "workflow",
        _ => return,
    };
    if view.declaration.docs.is_some() {
        return;
    }
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let finding = findings.at(view.declaration.place, format!("the {noun} `{}` has no description", view.declaration.name));
    findings.report(
        finding.label("the model sees only its name").also(agent, "offered to this agent").help("describe it in a `///` comment above it"),
    );
}
