//! The first draft where the newest one is meant.

use weave_analysis::flow::Hazard;
use weave_analysis::model::value::{PathRoot, ValueKind};
use weave_analysis::model::workflow::Action;
use weave_diagnostics::{Applicability, Code, Place, Severity, Span};

use crate::findings::Findings;
use crate::hazards::{free_name, name, name_place};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "stale-read",
    severity: Severity::Warning,
    summary: "In a loop a node reads the value from before the loop.",
    explanation: "A step fires on one of two steps, the one before the loop and the one in it, and works on whichever has answered: `.event`. A node after it reads the step before the loop by its name. From the second round on that is not the value that was worked on: the critic has refused the first draft, and the first draft is what is returned. Keep the newest value in a step of its own, such as `step latest on draft | redraft = .event`, and read `.latest`. A node that reads both, to compare them, is not reported.",
    bad: "\
agent writer(topic: string, critique: string | null) -> string {
  model mini
  system \"Write about {{.topic}}. {{.critique ?? \"\"}}\"
}

agent critic(text: string) -> { good: bool, text: string } {
  model mini
  system \"Judge {{.text}}\"
}

workflow write(topic: string) -> string {
  step draft { ask writer { topic: .input.topic, critique: null } }
  step latest on draft | redraft = .event
  step judge on latest { ask critic { text: .latest } }
  step redraft on judge when !.judge.good limit 2 { ask writer { topic: .input.topic, critique: .judge.text } }
  end done on judge else = .draft
}
",
    good: "\
agent writer(topic: string, critique: string | null) -> string {
  model mini
  system \"Write about {{.topic}}. {{.critique ?? \"\"}}\"
}

agent critic(text: string) -> { good: bool, text: string } {
  model mini
  system \"Judge {{.text}}\"
}

workflow write(topic: string) -> string {
  step draft { ask writer { topic: .input.topic, critique: null } }
  step latest on draft | redraft = .event
  step judge on latest { ask critic { text: .latest } }
  step redraft on judge when !.judge.good limit 2 { ask writer { topic: .input.topic, critique: .judge.text } }
  end done on judge else = .latest
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::StaleRead { node, place, old, new, newest } = *hazard else { continue };
        let (reader, first, later, carrier) = (name(view, node), name(view, old), name(view, new), name(view, newest));
        let finding = findings
            .at(place, format!("`{reader}` reads `{first}`, also after `{later}` has answered"))
            .label("from the second round on this is the old value")
            .also(name_place(view, newest), format!("works on `.event`: the answer of `{first}` or of `{later}`"))
            .also(name_place(view, new), "brings a newer value");
        findings.report(if is_the_event(view, newest) {
            let root = root(view, place);
            finding.help(format!("read `.{carrier}`, which is the newest value")).replace(
                Applicability::Unsafe,
                format!("read `.{carrier}`"),
                root,
                format!(".{carrier}"),
            )
        } else {
            let latest = free_name(view, "latest");
            finding.help(format!(
                "keep the newest value in a step, `step {latest} on {first} | {later} = .event`, let `{carrier}` fire on it, and read `.{latest}`"
            ))
        });
    }
}

/// Whether the answer of a step is what fires it.
fn is_the_event(view: &WorkflowView<'_>, step: u32) -> bool {
    match view.body.nodes.get(step as usize).map(|node| &node.action) {
        Some(Action::Value(value)) => {
            matches!(&value.kind, ValueKind::Path(path) if path.path.root == PathRoot::Event && path.path.segments.is_empty())
        }
        _ => false,
    }
}

/// The dot and the name at the start of a path.
fn root(view: &WorkflowView<'_>, path: Place) -> Place {
    let project = view.declaration.project;
    let there = project.in_text(path);
    let text = project.units.get(path.file.0 as usize).map(|unit| there.span.text(&unit.syntax.text)).unwrap_or_default();
    let name = text.strip_prefix('.').unwrap_or_default();
    let length = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(name.len());
    Place::new(path.file, Span::new(path.span.start, path.span.start + 1 + length as u32))
}
