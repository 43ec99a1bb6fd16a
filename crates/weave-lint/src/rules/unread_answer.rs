//! Something is found out, and nobody looks at it.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unread-answer",
    severity: Severity::Warning,
    summary: "A step finds something out that nobody reads.",
    explanation: "The tool only reads, or the agent has no tools, so the answer is all that the step is good for: the run waits for it and throws it away. Read the answer, or remove the step. What is called because it may fail – it says so in `fails`, or a node handles its failure – is no finding.",
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
    for (node, notice) in view.body.nodes.iter().zip(&notices) {
        let (Action::Call { tool: target, .. } | Action::Ask { agent: target, .. }) = &node.action else { continue };
        // What nobody hears at all is another finding, and what may fail is asked for that.
        if notice.is_read || !notice.is_heard || notice.failure_is_heard {
            continue;
        }
        let Some(declaration) = model.get(*target) else { continue };
        let only_tells = match &declaration.kind {
            DeclarationKind::Tool(tool) => {
                tool.hints.is_some_and(|hints| hints.read_only) && tool.output.is_some() && tool.fails.is_empty()
            }
            DeclarationKind::Agent(agent) => agent.tools.is_empty(),
            _ => false,
        };
        if only_tells {
            let finding = findings.at(node.name_place, format!("nobody reads the answer of `{}`", node.name));
            findings.report(
                finding
                    .label(format!("`{}` does nothing but answer", declaration.name))
                    .help(format!("read `.{}`, or remove the step", node.name)),
            );
        }
    }
}
