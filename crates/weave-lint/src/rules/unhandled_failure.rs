//! A declared error that nobody handles.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::declarations::FailureName;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unhandled-failure",
    severity: Severity::Note,
    summary: "A declared failure of a tool is not handled.",
    explanation: "The tool declares errors in `fails` that callers are expected to handle. Without a handler the run fails with the error itself. If that is not intended, add a node `on failure(step)` that reports or handles it.",
    bad: "\
/// All seats are gone.
error sold_out

/// Reserves a seat.
tool reserve(seat: string) -> string { hints [idempotent], fails [sold_out] }

/// Books a seat.
workflow book(seat: string) -> string {
  step seat { call reserve { seat: .input.seat } }
  end booked on seat = .seat
}
",
    good: "\
/// All seats are gone.
error sold_out

/// Reserves a seat.
tool reserve(seat: string) -> string { hints [idempotent], fails [sold_out] }

/// Books a seat.
workflow book(seat: string) -> string {
  step seat { call reserve { seat: .input.seat } }
  end booked on seat = .seat
  fail full on failure(seat) = \"{{.input.seat}} is taken\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let notices = reads::notices(&view.body.nodes);
    for (node, notice) in view.body.nodes.iter().zip(&notices) {
        let Action::Call { tool, .. } = &node.action else { continue };
        let Some(DeclarationKind::Tool(tool)) = model.get(*tool).map(|declaration| &declaration.kind) else { continue };
        let error = tool.fails.iter().find_map(|failure| match failure {
            FailureName::Error(error) => model.get(*error),
            FailureName::Kind(_) => None,
        });
        let Some(error) = error.filter(|_| !notice.failure_is_heard) else { continue };
        let finding = findings.at(node.name_place, format!("a failure of `{}` is not handled", node.name));
        findings.report(
            finding
                .label(format!("can fail with `{}`", error.name))
                .also(error.place, "declared here")
                .help(format!("add a node `on failure({})`", node.name)),
        );
    }
}
