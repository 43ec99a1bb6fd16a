//! A time that a run never sees.

use weave_analysis::model::workflow::{Action, Source, Time};
use weave_diagnostics::{Code, Place, Severity};

use crate::findings::Findings;
use crate::project::{NodeView, WorkflowView};
use crate::retries::step_setting;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "timeout-beyond-workflow",
    severity: Severity::Warning,
    summary: "A step waits at least as long as its workflow may take.",
    explanation: "When the `timeout` of a workflow expires, the run fails. A step timeout, a node on a timeout, or a `wait` of the same length or longer never completes. Shorten it, or extend the timeout of the workflow.",
    bad: "\
/// Waits for a day.
workflow patience() {
  timeout 1h

  step pause {
    wait 1d
  }
  end rested on pause
}
",
    good: "\
/// Waits for a day.
workflow patience() {
  timeout 2d

  step pause {
    wait 1d
  }
  end rested on pause
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let item = view.declaration.context.text;
    let Some(limit) = view.signature.timeout else { return };
    let Some(whole) = view.syntax.settings.iter().find(|setting| setting.name.text(item) == "timeout") else { return };
    for NodeView { node, syntax } in view.nodes() {
        let mut late: Vec<(Place, &str)> = Vec::new();
        if let (Some(_), Some(setting)) = (node.timeout.filter(|time| *time >= limit), step_setting(syntax, item, "timeout")) {
            late.push((view.place(setting.span), "this timeout never expires"));
        }
        if matches!(node.action, Action::WaitFor(Time::Constant(time)) if time >= limit) {
            late.push((node.name_place, "this wait never ends"));
        }
        for trigger in &node.triggers {
            if matches!(trigger.source, Source::Timeout { after: Time::Constant(time), .. } if time >= limit) {
                late.push((trigger.place, "this never fires"));
            }
        }
        for (place, label) in late {
            let finding = findings.at(place, format!("`{}` waits longer than the whole workflow may take", node.name));
            let finding = finding.label(label).also(view.place(whole.span), "the run has failed by then");
            findings.report(finding.help("shorten this, or extend the timeout of the workflow"));
        }
    }
}
