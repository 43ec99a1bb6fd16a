//! A request whose answer nobody waits for.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "fire-and-forget",
    severity: Severity::Warning,
    summary: "A step starts work whose outcome is never handled.",
    explanation: "The run may end before the step has answered, and a failure goes unnoticed. Add a node that fires on the step or on its failure. To announce a fact that needs no answer, `emit` an event.",
    bad: "\
/// Sends a notification.
tool notify(to: string) { hints [open_world] }

/// Closes an account.
tool close(account: string) { hints [idempotent] }

workflow leave(account: string) {
  step told { call notify { to: .input.account } }
  step closed { call close { account: .input.account } }
  end done on closed
}
",
    good: "\
/// Sends a notification.
tool notify(to: string) { hints [open_world] }

/// Closes an account.
tool close(account: string) { hints [idempotent] }

workflow leave(account: string) {
  step told { call notify { to: .input.account } }
  step closed { call close { account: .input.account } }
  end done on all(told, closed)
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let notices = reads::notices(&view.body.nodes);
    for (node, notice) in view.body.nodes.iter().zip(&notices) {
        if notice.is_heard || notice.is_read || notice.is_cancelled {
            continue;
        }
        let asked = match &node.action {
            Action::Ask { agent: target, .. } | Action::Call { tool: target, .. } | Action::Run { workflow: target, .. } => *target,
            Action::Emit { event, .. } => *event,
            _ => continue,
        };
        let Some(declaration) = model.get(asked) else { continue };
        if matches!(&declaration.kind, DeclarationKind::Event(event) if event.answers.is_empty()) {
            continue;
        }
        let finding = findings.at(node.name_place, format!("the outcome of `{}` is never handled", node.name));
        findings.report(finding.label(format!("the run may end before `{}` has answered", declaration.name)).help(format!(
            "add a node that fires on `{}`, or join it with the step that the end waits for: `all(…, {})`",
            node.name, node.name
        )));
    }
}
