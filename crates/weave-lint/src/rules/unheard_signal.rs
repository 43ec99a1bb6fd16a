//! A handover that goes nowhere.

use rustc_hash::FxHashSet;
use weave_analysis::model::offered::offered;
use weave_analysis::model::workflow::{Action, Source};
use weave_analysis::model::{DeclarationId, DeclarationKind};
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unheard-signal",
    severity: Severity::Warning,
    summary: "An agent is offered a signal that no node listens to.",
    explanation: "A `signal tool` is never executed: the call itself is the message, and a node `on TOOL from STEP` acts on it. The step asks an agent that is offered the signal, but no node listens to it from this step. The model may hand over, and nothing happens. Add a node, or take the signal out of the `tools` of the agent. A workflow that listens to no signal at all and is only about the answer is reported, too: its agent offers what cannot be done here.",
    bad: "\
/// A person has to answer.
signal tool hand_over(reason: string)

agent helper(question: string) -> string {
  model mini
  system \"Answer {{.question}}\"
  tools [hand_over]
  max_turns 3
}

workflow help(question: string) -> string {
  step answer { ask helper { question: .input.question } }
  end answered on answer = .answer
}
",
    good: "\
/// A person has to answer.
signal tool hand_over(reason: string)

agent helper(question: string) -> string {
  model mini
  system \"Answer {{.question}}\"
  tools [hand_over]
  max_turns 3
}

workflow help(question: string) -> string {
  step answer { ask helper { question: .input.question } }
  end answered on answer = .answer
  end handed_over on hand_over from answer = \"a person will answer: {{.event.reason}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    let is_signal = |id: DeclarationId| matches!(model.get(id).map(|declaration| &declaration.kind), Some(DeclarationKind::Tool(tool)) if tool.kind == ToolKind::Signal);
    let sources = view.body.nodes.iter().flat_map(|node| &node.triggers).map(|trigger| &trigger.source);
    let heard: FxHashSet<(DeclarationId, u32)> =
        sources.filter_map(|source| if let Source::ToolFrom { tool, step, .. } = source { Some((*tool, *step)) } else { None }).collect();
    for (step, node) in (0_u32..).zip(&view.body.nodes) {
        let Action::Ask { agent, .. } = &node.action else { continue };
        let Some(DeclarationKind::Agent(agent)) = model.get(*agent).map(|declaration| &declaration.kind) else { continue };
        if agent.tools.is_empty() {
            continue;
        }
        let mut seen = FxHashSet::default();
        for tool in offered(model, &agent.tools).tools {
            if !is_signal(tool.target) || heard.contains(&(tool.target, step)) || !seen.insert(tool.target) {
                continue;
            }
            let finding = findings.at(node.name_place, format!("nothing happens when the agent of `{}` calls `{}`", node.name, tool.name));
            findings.report(
                finding
                    .label("no node listens to this signal from here")
                    .also(tool.place, "the model is offered it")
                    .help(format!("add a node `on {} from {}`, or take it out of the agent's `tools`", tool.name, node.name)),
            );
        }
    }
}
