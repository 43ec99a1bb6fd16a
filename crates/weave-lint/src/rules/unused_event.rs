//! An event that nothing uses.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::{FieldType, RecordType, Type};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused;

static CODE: Code = Code {
    id: "unused-event",
    severity: Severity::Warning,
    summary: "An event is declared and never used.",
    explanation: "No workflow emits or awaits the event, and it does not answer another event. Only files with a workflow are checked: a file of declarations alone is meant to be imported. An external event that carries the parameters of a workflow is not reported: the host may start runs on it.",
    bad: "\
event guest.greeted { name: string }

workflow greet(name: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
event guest.greeted { name: string }

workflow greet(name: string) -> string {
  step tell { emit guest.greeted { name: .input.name } }
  end done on tell = \"hello {{.input.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    if let DeclarationKind::Event(event) = &view.declaration.kind
        && !(event.external && starts_a_run(view, &event.payload))
    {
        unused::check(view, "event", findings);
    }
}

/// Whether a host may start runs by an event: some workflow takes what it brings, as its parameters or as one of them.
fn starts_a_run(view: &DeclarationView<'_>, payload: &Type) -> bool {
    let model = view.project.model;
    let brought = model.record(payload);
    let fits = |input: &RecordType| {
        let is_payload = |field: &FieldType| field.ty == *payload || model.resolve(&field.ty) == model.resolve(payload);
        let is_brought =
            |field: &FieldType| brought.and_then(|record| record.field_on_wire(field.wire_name())).is_some_and(|own| own.ty == field.ty);
        let needed = || input.fields.iter().filter(|field| !field.optional && field.default.is_none());
        let alone = needed().count() <= 1 && input.fields.iter().any(is_payload);
        alone || !input.fields.is_empty() && input.fields.iter().any(is_brought) && needed().all(is_brought)
    };
    view.project.all_workflows().any(|body| match model.get(body.declaration).map(|declaration| &declaration.kind) {
        Some(DeclarationKind::Workflow(signature)) => fits(&signature.input),
        _ => false,
    })
}
