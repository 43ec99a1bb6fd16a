//! A tool that destroys something and asks nobody.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "destructive-without-approval",
    severity: Severity::Warning,
    summary: "A model may call a destructive tool without approval.",
    explanation: "A tool with the hint `destructive` changes or deletes something that cannot be restored. An agent with this tool may call it by mistake, or because a text tricked its model. Require approval: `approval always`, or `approval when` with a guard over the parameters. `approval never` states that no approval is needed.",
    bad: "/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n}\n\n/// Handles requests of customers.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
    good: "/// Closes an account for good.\ntool close(task: string) {\n  hints [destructive]\n  approval always\n}\n\n/// Handles requests of customers.\nagent clerk(task: string) -> string {\n  model mini\n  system \"{{.task}}\"\n  tools [close]\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    let is_destructive = tool.hints.is_some_and(|hints| hints.destructive);
    if !is_destructive || tool.approval.is_some() {
        return;
    }
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let Some(hints) = view.setting("hints") else { return };
    let name = &view.declaration.name;
    let finding = findings.at(view.declaration.place, format!("a model may call the destructive tool `{name}` without approval"));
    let (behind, approval) = edit::behind(view, hints.span, "approval always");
    findings.report(
        finding
            .label("runs without approval")
            .also(view.place(hints.span), "destructive")
            .also(agent, "offered to this agent")
            .help("set when approval is required: `approval always`, `approval when …` or `approval never`")
            .replace(Applicability::Unsafe, "ask for approval of each call", behind, approval),
    );
}
