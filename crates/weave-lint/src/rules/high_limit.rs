//! A loop that may go round very often.

use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "high-limit",
    severity: Severity::Warning,
    summary: "A `limit` is very high.",
    explanation: "`limit` stops a loop whose model never accepts its own work. A limit of hundreds does not protect you from the cost. Set the number of iterations that you really need.",
    bad: "\
/// Draws a picture.
tool draw(what: string) -> { picture: string, good: bool } { hints [open_world] }

workflow picture(what: string) -> string {
  step drawing on start | again { call draw { what: .input.what } }
  step again on drawing when !.drawing.good limit 5000 = true
  end done on drawing else = .drawing.picture
}
",
    good: "\
/// Draws a picture.
tool draw(what: string) -> { picture: string, good: bool } { hints [open_world] }

workflow picture(what: string) -> string {
  step drawing on start | again { call draw { what: .input.what } }
  step again on drawing when !.drawing.good limit 5 = true
  end done on drawing else = .drawing.picture
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::No,
    check: Check::Workflow(check),
    options: &[RuleOption { name: "most", summary: "The greatest `limit`.", default: 100, least: 1, most: 1_000_000 }],
};

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let most = findings.option("most");
    for node in view.nodes() {
        let (Some(limit), Some(written)) = (node.node.limit.filter(|limit| *limit > most), node.syntax.limit()) else { continue };
        let finding = findings.at(view.place(written.span()), format!("`{}` may fire {limit} times", node.node.name));
        findings.report(finding.label(format!("more than {most}")).help("set the number of iterations that you really need"));
    }
}
