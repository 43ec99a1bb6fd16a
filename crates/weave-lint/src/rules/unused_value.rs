//! A value that nothing reads.

use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unused-value",
    severity: Severity::Warning,
    summary: "The value of a step is never used.",
    explanation: "No node reads the value or fires on it, so the step has no effect. Read the value, or remove the step.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow write(to: string) {
  step salutation = \"Dear {{.input.to}}\"
  step sent { call send { to: .input.to } }
  end done on sent
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow write(to: string) {
  step salutation = \"Dear {{.input.to}}\"
  step sent on salutation { call send { to: .salutation } }
  end done on sent
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let notices = reads::notices(&view.body.nodes);
    for (node, notice) in view.body.nodes.iter().zip(&notices) {
        // A step that another one cancels, or whose failure is looked at, is at least known to somebody.
        if !matches!(node.action, Action::Value(_)) || notice.is_heard || notice.is_read || notice.is_cancelled {
            continue;
        }
        let finding = findings.at(node.name_place, format!("the value of `{}` is never used", node.name));
        findings.report(finding.label("has no other effect").help(format!("read `.{}`, or remove the step", node.name)).replace(
            Applicability::Unsafe,
            "remove it",
            node.place,
            "",
        ));
    }
}
