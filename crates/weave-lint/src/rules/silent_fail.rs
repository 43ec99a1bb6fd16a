//! A run that fails and does not say why.

use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "silent-fail",
    severity: Severity::Note,
    summary: "A `fail` has no message.",
    explanation: "A failed run then shows only the name of the `fail`. Say what was tried, and with what: `fail no_stock on failure(reserve) = \"{{.input.sku}} could not be reserved\"`.",
    bad: "\
/// Picks a winner.
tool pick(names: string[]) -> string { hints [read_only] }

/// Finds a winner.
workflow draw(names: string[]) -> string {
  step winner { call pick { names: .input.names } }
  end drawn on winner = .winner
  fail no_winner on failure(winner)
}
",
    good: "\
/// Picks a winner.
tool pick(names: string[]) -> string { hints [read_only] }

/// Finds a winner.
workflow draw(names: string[]) -> string {
  step winner { call pick { names: .input.names } }
  end drawn on winner = .winner
  fail no_winner on failure(winner) = \"no winner could be drawn: {{.failure.message}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for node in &view.body.nodes {
        if matches!(node.action, Action::Fail(None)) {
            let finding = findings.at(node.name_place, format!("`{}` does not say why the run fails", node.name));
            findings.report(finding.label("no message").help("add a message: `= \"…\"`"));
        }
    }
}
