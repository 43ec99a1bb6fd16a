//! A time in which nobody answers.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::edit::duration;
use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "short-timeout",
    severity: Severity::Warning,
    summary: "A model or a person has less time than it takes to answer.",
    explanation: "A model takes seconds, a person minutes. A shorter `timeout` makes the step fail each time, and what is tried again fails again. A unit was most likely mistaken: `30ms` for `30s`.",
    bad: "\
event review.requested { text: string } -> review.given
external event review.given { good: bool }

workflow review(text: string) -> bool {
  step ask {
    emit review.requested { text: .input.text }
    timeout 30ms
  }
  end done on ask = .ask.good
  end late on failure(ask) = false
}
",
    good: "\
event review.requested { text: string } -> review.given
external event review.given { good: bool }

workflow review(text: string) -> bool {
  step ask {
    emit review.requested { text: .input.text }
    timeout 30m
  }
  end done on ask = .ask.good
  end late on failure(ask) = false
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::No,
    check: Check::Workflow(check),
    options: &[RuleOption {
        name: "least-milliseconds",
        summary: "How much time a model or a person must have.",
        default: 1000,
        least: 1,
        most: 86_400_000,
    }],
};

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let least = findings.option("least-milliseconds");
    let model = view.declaration.project.model;
    for node in &view.body.nodes {
        let Some(timeout) = node.timeout.filter(|timeout| *timeout < least) else { continue };
        let target = match &node.action {
            Action::Ask { agent: target, .. } | Action::Call { tool: target, .. } | Action::Emit { event: target, .. } => *target,
            _ => continue,
        };
        let takes_time = match model.get(target).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Agent(_)) => true,
            Some(DeclarationKind::Event(event)) => !event.answers.is_empty(),
            Some(DeclarationKind::Tool(tool)) => tool.kind == ToolKind::Interaction,
            _ => false,
        };
        if takes_time {
            let finding = findings.at(node.name_place, format!("`{}` has only {} to be answered", node.name, duration(timeout)));
            findings.report(finding.label("no model and no person is so fast").help("was another unit meant, such as `s` for `ms`?"));
        }
    }
}
