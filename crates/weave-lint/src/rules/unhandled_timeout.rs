//! A person who does not answer, and nobody does anything about it.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};
use weave_scalars::duration;
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unhandled-timeout",
    severity: Severity::Note,
    summary: "A step limits the time for an answer, but the timeout is not handled.",
    explanation: "The step asks a person or another system and has a `timeout`. A missing answer is an expected case, not an accident; without a handler the run fails with `timeout` and no explanation. Add a node `on failure(step)` or `on timeout(step, …)` that sends a reminder, continues without the answer, or explains the failure.",
    bad: "\
/// A customer picks one of the accounts.
interaction tool choose(accounts: string[]) -> string

/// Picks an account.
workflow pick(accounts: string[]) -> string {
  step choice { call choose { accounts: .input.accounts }, timeout 2d }
  end chosen on choice = .choice
}
",
    good: "\
/// A customer picks one of the accounts.
interaction tool choose(accounts: string[]) -> string

/// Picks an account.
workflow pick(accounts: string[]) -> string {
  step choice { call choose { accounts: .input.accounts }, timeout 2d }
  end chosen on choice = .choice
  fail undecided on failure(choice) = \"no account was chosen within two days\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let notices = reads::notices(&view.body.nodes);
    for (node, notice) in view.body.nodes.iter().zip(&notices) {
        if notice.failure_is_heard || notice.is_timed {
            continue;
        }
        // What a tool says of itself holds for all who call it; who says it in a step has thought of this one.
        let Some(timeout) = node.timeout else { continue };
        let asks = match &node.action {
            Action::Call { tool: target, .. } | Action::Emit { event: target, .. } => {
                match model.get(*target).map(|declaration| &declaration.kind) {
                    Some(DeclarationKind::Tool(tool)) => tool.kind == ToolKind::Interaction,
                    Some(DeclarationKind::Event(event)) => !event.answers.is_empty(),
                    _ => false,
                }
            }
            Action::WaitTopics { .. } => true,
            _ => false,
        };
        if !asks {
            continue;
        }
        let finding = findings.at(node.name_place, format!("a missing answer to `{}` is not handled", node.name));
        findings.report(
            finding
                .label(format!("the run fails after {}", duration::words(timeout)))
                .help(format!("add a node `on failure({})` that continues without the answer or explains the failure", node.name)),
        );
    }
}
