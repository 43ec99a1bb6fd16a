//! A time in which nobody answers.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Code, Severity};
use weave_scalars::duration;
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "short-timeout",
    severity: Severity::Warning,
    summary: "A timeout is too short for a model or a person.",
    explanation: "A model takes seconds, a person takes minutes. With a shorter `timeout` the step fails every time, and so does every retry. The unit is probably wrong: `30ms` instead of `30s`.",
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
            let finding = findings.at(node.name_place, format!("`{}` has only {} to be answered", node.name, duration::words(timeout)));
            findings
                .report(finding.label("too short for a model or a person").help("did you mean another unit, such as `s` instead of `ms`?"));
        }
    }
}
