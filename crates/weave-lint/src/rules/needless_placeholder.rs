//! A string that is one placeholder.

use weave_analysis::model::types::{Literal, Scalar, Type};
use weave_analysis::model::value::{PathValue, ValueKind};
use weave_analysis::model::workflow::Action;
use weave_analysis::model::{DeclarationKind, Model};
use weave_diagnostics::{Applicability, Code, Place, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "needless-placeholder",
    severity: Severity::Warning,
    summary: "A string consists of a single placeholder.",
    explanation: "A path needs no quotes: `name: .input.name`. A string that is a single placeholder yields the value itself, which the quotes hide.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guest: string) {
  step letter { call send { to: \"{{.input.guest}}\" } }
  end done on letter
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guest: string) {
  step letter { call send { to: .input.guest } }
  end done on letter
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for node in view.nodes() {
        let value = match &node.node.action {
            Action::Ask { arguments: value, .. }
            | Action::Call { arguments: value, .. }
            | Action::Run { arguments: value, .. }
            | Action::Emit { payload: value, .. }
            | Action::Value(value)
            | Action::End(Some(value)) => value,
            _ => continue,
        };
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match &value.kind {
                ValueKind::Path(path) => look(view, path, value.place, findings),
                ValueKind::Object(entries) => open.extend(entries.iter().map(|(_, value)| value)),
                ValueKind::List(items) => open.extend(items),
                ValueKind::Template(_) | ValueKind::Constant(_) | ValueKind::Open(_) | ValueKind::Unknown => {}
            }
        }
    }
}

fn look(view: &WorkflowView<'_>, value: &PathValue, place: Place, findings: &mut Findings<'_>) {
    // Of another type the quotes may be needed: where a text is wanted, a path to a date is refused.
    if value.default.is_some() || value.path.absent || !is_text(view.declaration.project.model, &value.path.ty) {
        return;
    }
    let project = view.declaration.project;
    let written = project.units.get(place.file.0 as usize).map(|unit| project.in_text(place).span.text(&unit.syntax.text));
    let inner = written.and_then(|text| text.strip_prefix("\"{{")).and_then(|rest| rest.strip_suffix("}}\""));
    let Some(path) = inner.map(str::trim).filter(|path| path.starts_with('.')) else { return };
    findings.report(
        findings
            .at(place, "a string consists of a single placeholder")
            .label("yields the value itself")
            .help(format!("write `{path}`"))
            .replace(Applicability::Safe, format!("write `{path}`"), place, path),
    );
}

/// Whether values of a type are texts already.
fn is_text(model: &Model, ty: &Type) -> bool {
    match model.resolve(ty) {
        Type::Scalar(Scalar::String | Scalar::Uuid | Scalar::Uri | Scalar::Email, _) | Type::Literal(Literal::String(_)) => true,
        Type::Named(id) => matches!(model.get(*id).map(|declaration| &declaration.kind), Some(DeclarationKind::Enum(_))),
        _ => false,
    }
}
