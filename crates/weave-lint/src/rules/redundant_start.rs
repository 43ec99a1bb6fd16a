//! `on start`, which says nothing.

use weave_analysis::model::workflow::Source;
use weave_diagnostics::{Applicability, Code, Severity};

use crate::edit::with_blanks_before;
use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "redundant-start",
    severity: Severity::Warning,
    summary: "A node has `on start` as its only trigger.",
    explanation: "A node without `on` fires at the start of the run. `on start` is needed only together with other triggers or with a condition.",
    bad: "\
workflow greet(name: string) -> string {
  end done on start = \"hello {{.input.name}}\"
}
",
    good: "\
workflow greet(name: string) -> string {
  end short on start when .input.name == \"\" = \"hello\"
  end done on start else = \"hello {{.input.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for node in view.nodes() {
        let [only] = &*node.node.triggers else { continue };
        let (Source::Start, None, Some(written)) = (&only.source, &only.condition, node.syntax.on()) else { continue };
        let finding = findings.at(view.place(written.span), format!("`{}` has the redundant trigger `on start`", node.node.name));
        let all = view.place(with_blanks_before(view.declaration.context.text, written.span));
        findings.report(finding.label("a node without `on` does so anyway").help("remove `on start`").replace(
            Applicability::Safe,
            "remove it",
            all,
            "",
        ));
    }
}
