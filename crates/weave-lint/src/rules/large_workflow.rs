//! A workflow that nobody can survey.

use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "large-workflow",
    severity: Severity::Note,
    summary: "A workflow has many nodes.",
    explanation: "A workflow of this size is hard to understand. Move parts that have an input and an output of their own into separate workflows and start them with `run`.",
    bad: "\
/// Counts.
workflow count() -> int {
  step n0 = 0
  step n1 on n0 = 1
  step n2 on n1 = 2
  step n3 on n2 = 3
  step n4 on n3 = 4
  step n5 on n4 = 5
  step n6 on n5 = 6
  step n7 on n6 = 7
  step n8 on n7 = 8
  step n9 on n8 = 9
  step n10 on n9 = 10
  step n11 on n10 = 11
  step n12 on n11 = 12
  step n13 on n12 = 13
  step n14 on n13 = 14
  step n15 on n14 = 15
  step n16 on n15 = 16
  step n17 on n16 = 17
  step n18 on n17 = 18
  step n19 on n18 = 19
  step n20 on n19 = 20
  step n21 on n20 = 21
  step n22 on n21 = 22
  step n23 on n22 = 23
  step n24 on n23 = 24
  step n25 on n24 = 25
  step n26 on n25 = 26
  step n27 on n26 = 27
  step n28 on n27 = 28
  step n29 on n28 = 29
  step n30 on n29 = 30
  step n31 on n30 = 31
  step n32 on n31 = 32
  step n33 on n32 = 33
  step n34 on n33 = 34
  step n35 on n34 = 35
  step n36 on n35 = 36
  step n37 on n36 = 37
  step n38 on n37 = 38
  step n39 on n38 = 39
  end done on n39 = 40
}
",
    good: "\
/// Counts.
workflow count() -> int {
  step one = 1
  end done on one = .one
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Pedantic,
    fixable: Fixable::No,
    check: Check::Workflow(check),
    options: &[RuleOption { name: "most-nodes", summary: "How many nodes a workflow may have.", default: 40, least: 1, most: 100_000 }],
};

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let most = findings.option("most-nodes");
    let nodes = view.body.nodes.len() as u64;
    if nodes > most {
        let declaration = view.declaration.declaration;
        let finding = findings.at(declaration.place, format!("the workflow `{}` has {nodes} nodes", declaration.name));
        findings.report(finding.label(format!("more than {most}")).help("move a part into a workflow of its own and `run` it"));
    }
}
