//! Something is found out, and nobody looks at it.

use rustc_hash::FxHashSet;
use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::{Action, Node, Source};
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unread-answer",
    severity: Severity::Warning,
    summary: "The answer of a step is never used.",
    explanation: "The tool only reads, or the agent has no tools, so the answer is the only purpose of the step: the run waits for it and discards it. The same happens if a person is asked to choose, or an event has several possible answers such as granted and denied, and the run continues in the same way for all of them. Read the answer, fire on one answer with `on TOPIC from STEP`, or remove the step. A step that is called because it may fail, with `fails` or with a node that handles its failure, is not reported.",
    bad: "\
/// Looks up who an account belongs to.
tool find_owner(account: string) -> string { hints [read_only] }

/// Closes an account.
tool close(account: string) { hints [idempotent] }

workflow leave(account: string) {
  step owner { call find_owner { account: .input.account } }
  step closed on owner { call close { account: .input.account } }
  end done on closed
}
",
    good: "\
/// Looks up who an account belongs to.
tool find_owner(account: string) -> string { hints [read_only] }

/// Closes an account.
tool close(account: string) { hints [idempotent] }

workflow leave(account: string) -> string {
  step owner { call find_owner { account: .input.account } }
  step closed on owner { call close { account: .input.account } }
  end done on closed = \"good bye, {{.owner}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let notices = reads::notices(&view.body.nodes);
    let told_apart = told_apart(&view.body.nodes);
    for (step, (node, notice)) in (0_u32..).zip(view.body.nodes.iter().zip(&notices)) {
        let (Action::Call { tool: target, .. } | Action::Ask { agent: target, .. } | Action::Emit { event: target, .. }) = &node.action
        else {
            continue;
        };
        // What nobody hears at all is another finding, and what may fail is asked for that.
        if notice.is_read || !notice.is_heard || notice.failure_is_heard || told_apart.contains(&step) {
            continue;
        }
        let Some(declaration) = model.get(*target) else { continue };
        let label = match &declaration.kind {
            DeclarationKind::Tool(tool) if tool.output.is_none() => continue,
            DeclarationKind::Tool(tool) if tool.kind == ToolKind::Interaction => {
                format!("the answer to `{}` makes no difference", declaration.name)
            }
            DeclarationKind::Tool(tool) if !tool.fails.is_empty() || !tool.hints.is_some_and(|hints| hints.read_only) => continue,
            DeclarationKind::Agent(agent) if !agent.tools.is_empty() => continue,
            DeclarationKind::Tool(_) | DeclarationKind::Agent(_) => format!("`{}` only produces an answer", declaration.name),
            DeclarationKind::Event(event) => match &*event.answers {
                [first, second, ..] => {
                    let name = |id| model.get(id).map(|answer| &*answer.name).unwrap_or_default();
                    format!("the run continues in the same way after `{}` and after `{}`", name(*first), name(*second))
                }
                // That it has come is what a single answer says.
                _ => continue,
            },
            _ => continue,
        };
        let finding = findings.at(node.name_place, format!("the answer of `{}` is never used", node.name));
        let help = match &node.action {
            Action::Emit { .. } => format!("add a node that fires on one answer: `on TOPIC from {}`", node.name),
            _ => format!("read `.{}`, or remove the step", node.name),
        };
        findings.report(finding.label(label).help(help));
    }
}

/// The steps of which nodes tell one answer from another.
fn told_apart(nodes: &[Node]) -> FxHashSet<u32> {
    let sources = nodes.iter().flat_map(|node| &node.triggers).map(|trigger| &trigger.source);
    sources.filter_map(|source| if let Source::TopicFrom(_, step) = source { Some(*step) } else { None }).collect()
}
