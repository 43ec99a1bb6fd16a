//! A person is asked twice.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::declarations::Approval;
use weave_analysis::model::workflow::{Action, Source};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "double-approval",
    severity: Severity::Warning,
    summary: "A step asks for approval of something that was just approved.",
    explanation: "The step fires on an approval event, and the tool that it calls asks for approval again on each call. People who are asked twice stop reading what they approve. Remove `approval always` from the tool, limit it with `approval when`, or remove the event.",
    bad: "\
/// A manager is asked.
event refund.requested { amount: decimal } -> refund.approved | refund.denied

external event refund.approved { by: string }
external event refund.denied { by: string }

/// Pays money back.
tool refund(amount: decimal) { hints [destructive, idempotent], approval always }

workflow pay_back(amount: decimal) -> string {
  step asked { emit refund.requested { amount: .input.amount } }
  step paid on refund.approved from asked { call refund { amount: .input.amount } }
  end done on paid = \"paid\"
  end denied on refund.denied from asked = \"denied\"
  end late on timeout(asked, 2d) = \"no answer\"
}
",
    good: "\
/// Pays money back.
tool refund(amount: decimal) { hints [destructive, idempotent], approval always }

workflow pay_back(amount: decimal) -> string {
  step paid { call refund { amount: .input.amount }, timeout 2d }
  end done on paid = \"paid\"
  end denied on failure(paid) = \"not paid: {{.failure.message}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

/// Words of topics that say that somebody has agreed.
const AGREED: [&str; 6] = ["approved", "granted", "confirmed", "accepted", "allowed", "agreed"];

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let is_agreement = |source: &Source| {
        let (Source::TopicFrom(topic, _) | Source::Topic(topic)) = source else { return false };
        let Some(declaration) = model.get(*topic) else { return false };
        let is_external = matches!(&declaration.kind, DeclarationKind::Event(event) if event.external);
        is_external && declaration.name.rsplit('.').next().is_some_and(|last| last.split('_').any(|word| AGREED.contains(&word)))
    };
    for node in &view.body.nodes {
        let Action::Call { tool, .. } = &node.action else { continue };
        let Some(tool) = model.get(*tool) else { continue };
        let DeclarationKind::Tool(signature) = &tool.kind else { continue };
        let asks = matches!(signature.approval, Some(Approval::Always));
        let Some(trigger) = node.triggers.iter().find(|trigger| asks && is_agreement(&trigger.source)) else { continue };
        let finding = findings.at(node.name_place, format!("`{}` asks for approval a second time", node.name));
        findings.report(
            finding
                .label(format!("`{}` asks for approval of each call", tool.name))
                .also(trigger.place, "approved here")
                .also(tool.place, "`approval always` is set here")
                .help("ask only once: with the event or with the tool"),
        );
    }
}
