//! A join of one step.

use weave_analysis::model::workflow::Source;
use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::reads;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "single-join",
    severity: Severity::Warning,
    summary: "A join has only one step.",
    explanation: "`all(a)` and `1 of (a)` fire when `a` has answered, exactly as `a` does. Write the step alone, or add the missing steps.",
    bad: "\
/// Draws a picture.
tool draw(what: string) -> string { hints [open_world] }

workflow picture(what: string) -> string {
  step drawing { call draw { what: .input.what } }
  end done on all(drawing) = .drawing
}
",
    good: "\
/// Draws a picture.
tool draw(what: string) -> string { hints [open_world] }

workflow picture(what: string) -> string {
  step drawing { call draw { what: .input.what } }
  end done on drawing = .drawing
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for node in view.nodes() {
        let written = node.syntax.on().into_iter().flat_map(|triggers| &triggers.items);
        for (trigger, written) in node.node.triggers.iter().zip(written) {
            let (Source::All(members) | Source::Count(1, members)) = &trigger.source else { continue };
            let [step] = **members else { continue };
            let Some(name) = view.body.nodes.get(step as usize).map(|node| &node.name) else { continue };
            // The join ends with its parenthesis; a condition stands behind it.
            let Some(end) = view.declaration.text(written.span).find(')') else { continue };
            let join = view.place(Span::new(written.span.start, written.span.start + end as u32 + 1));
            let finding = findings.at(join, format!("a join of only `{name}`"));
            let finding = finding.label("there is nothing to join").help(format!("write `{name}`, or add the missing steps"));
            // Nodes with one trigger form a choice: another trigger might make another choice of them.
            let listening = view.body.nodes.iter().flat_map(|node| &node.triggers).filter(|other| reads::steps(&other.source) == [step]);
            findings.report(match listening.count() {
                1 => finding.replace(Applicability::Safe, format!("write `{name}`"), join, name.to_string()),
                _ => finding,
            });
        }
    }
}
