//! The same damage, once more.

use weave_analysis::flow::Hazard;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{cycle_text, name_place};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};
use weave_analysis::model::workflow::Action;

static CODE: Code = Code {
    id: "repeated-destruction",
    severity: Severity::Warning,
    summary: "A loop calls a destructive tool again with the same arguments, and the tool is not idempotent.",
    explanation: "The `hints` of the tool say `destructive` and not `idempotent`: each call does something that cannot be taken back. The step is in a loop that changes none of its arguments, so a second round does the same once more: a card is charged twice. Move the step out of the loop, make the tool safe to repeat and say `idempotent`, or let a person approve each call. A loop over work that comes in, whose arguments differ in each round, is not reported.",
    bad: "\
/// Charges a card.
tool charge(card: string, amount: decimal) -> { settled: bool } { hints [destructive] }

workflow buy(card: string) {
  step pay on start | again { call charge { card: .input.card, amount: \"10.00\" } }
  step again on pay when !.pay.settled limit 3 = true
  end done on pay else
}
",
    good: "\
/// Charges a card. Safe to repeat.
tool charge(card: string, amount: decimal) -> { settled: bool } { hints [destructive, idempotent] }

workflow buy(card: string) {
  step pay on start | again { call charge { card: .input.card, amount: \"10.00\" } }
  step again on pay when !.pay.settled limit 3 = true
  end done on pay else
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    for hazard in &view.body.hazards {
        let Hazard::RepeatedDestruction { node, cycle } = hazard else { continue };
        let Some(Action::Call { tool, .. }) = view.body.nodes.get(*node as usize).map(|node| &node.action) else { continue };
        let Some(tool) = model.get(*tool) else { continue };
        let finding = findings.at(name_place(view, *node), format!("`{}` may be called again with the same arguments", tool.name));
        findings.report(
            finding
                .label("in a loop that does not change what it is called with")
                .also(tool.place, "`destructive`, and not `idempotent`")
                .note(format!("the loop: {}", cycle_text(view, cycle)))
                .help("move the step out of the loop, or make the tool safe to repeat and add `idempotent` to its `hints`"),
        );
    }
}
