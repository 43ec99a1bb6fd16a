//! A step for each element that does not look at the element.

use weave_analysis::model::value::PathRoot;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unused-variable",
    severity: Severity::Warning,
    summary: "A fan-out never uses its element.",
    explanation: "The step does the same thing once for each element of the list. The element is probably missing from the arguments.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(host: string, guests: string[](max: 20)) {
  step letters each .input.guests as guest { call send { to: .input.host } }
  end done on letters
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guests: string[](max: 20)) {
  step letters each .input.guests as guest { call send { to: .guest } }
  end done on letters
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for node in view.nodes() {
        let (Some(each), Some(written)) = (&node.node.each, node.syntax.each()) else { continue };
        let mut is_read = false;
        node.node.paths(&mut |path| is_read |= matches!(&path.root, PathRoot::Variable(name) if *name == each.variable));
        if !is_read {
            let finding = findings.at(view.place(written.variable.span), format!("`{}` never reads `.{}`", node.node.name, each.variable));
            findings.report(
                finding.label("never read").help(format!("pass `.{}` to the action; without it each call is the same", each.variable)),
            );
        }
    }
}
