//! A limit of what happens once.

use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::Clause;

use crate::edit::with_blanks_before;
use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "useless-limit",
    severity: Severity::Warning,
    summary: "A node has a `limit` but can fire only once.",
    explanation: "`limit` bounds how often a node fires in a run. This node is not part of a loop, and its trigger occurs only once. Remove the limit.",
    bad: "\
/// Draws a picture.
tool draw(what: string) -> string { hints [open_world] }

workflow picture(what: string) -> string {
  step drawing limit 3 { call draw { what: .input.what } }
  end done on drawing = .drawing
}
",
    good: "\
/// Draws a picture.
tool draw(what: string) -> { picture: string, good: bool } { hints [open_world] }

workflow picture(what: string) -> string {
  step drawing on start | again { call draw { what: .input.what } }
  step again on drawing when !.drawing.good limit 3 = true
  end done on drawing else = .drawing.picture
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    if view.body.nodes.iter().all(|node| node.limit.is_none()) {
        return;
    }
    let repeating = reads::repeating(&view.body.nodes);
    for (node, repeats) in view.nodes().zip(repeating) {
        let clause = node.syntax.clauses.iter().find(|clause| matches!(clause, Clause::Limit { .. }));
        let Some(clause) = clause.filter(|_| !repeats) else { continue };
        let finding = findings.at(view.place(clause.span()), format!("`{}` has a limit but fires only once", node.node.name));
        let all = view.place(with_blanks_before(view.declaration.context.text, clause.span()));
        findings.report(finding.label("has no effect").help("remove the limit; if you meant a loop, a trigger is missing").replace(
            Applicability::Safe,
            "remove it",
            all,
            "",
        ));
    }
}
