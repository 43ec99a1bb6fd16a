//! A person who does not answer, and nobody does anything about it.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::edit::duration;
use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unhandled-timeout",
    severity: Severity::Note,
    summary: "A step gives people a time to answer, and nothing happens if they do not.",
    explanation: "The step asks a person or another system and has a `timeout`. That somebody does not answer in time is no accident but one of the things that happen, and the run then fails with `timeout` and no word about what was asked. Add a node `on failure(step)` or `on timeout(step, …)` that reminds somebody, does without the answer, or says what is the matter.",
    bad: "\
/// Somebody picks one of the accounts.
interaction tool choose(accounts: string[]) -> string

/// Picks an account.
workflow pick(accounts: string[]) -> string {
  step choice { call choose { accounts: .input.accounts }, timeout 2d }
  end chosen on choice = .choice
}
",
    good: "\
/// Somebody picks one of the accounts.
interaction tool choose(accounts: string[]) -> string

/// Picks an account.
workflow pick(accounts: string[]) -> string {
  step choice { call choose { accounts: .input.accounts }, timeout 2d }
  end chosen on choice = .choice
  fail undecided on failure(choice) = \"nobody has chosen an account within two days\"
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
        let finding = findings.at(node.name_place, format!("nothing happens when nobody answers `{}` in time", node.name));
        findings.report(
            finding
                .label(format!("the run fails after {}", duration(timeout)))
                .help(format!("add a node `on failure({})` that does without the answer, or says in a message what is missing", node.name)),
        );
    }
}
