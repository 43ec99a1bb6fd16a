//! An event that is several facts.

use weave_analysis::model::types::{Literal, Type};
use weave_analysis::model::{DeclarationKind, Model};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "event-discriminator",
    severity: Severity::Warning,
    summary: "A field of an event distinguishes several facts.",
    explanation: "A topic stands for one fact. With several facts under one topic, each consumer has to inspect every event; triggers, contracts and access rights work by topic. Declare one event for each fact: `order.paid` and `order.cancelled` instead of `order.changed { kind: \"paid\" | \"cancelled\" }`.",
    bad: "\
external event order.changed { order: string, kind: \"paid\" | \"cancelled\" }
",
    good: "\
external event order.paid { order: string }
external event order.cancelled { order: string, by: \"customer\" | \"shop\" }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

/// Names of fields that say which of several things an event is.
const NAMES: [&str; 8] = ["kind", "type", "action", "event", "event_type", "event_name", "operation", "change"];

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Event(event) = &view.declaration.kind else { return };
    let model = view.project.model;
    // A payload that is declared elsewhere is a contract of its own.
    let Type::Record(record) = &event.payload else { return };
    for field in record.fields.iter().filter(|field| NAMES.contains(&&*field.name) && is_choice(model, &field.ty)) {
        let finding =
            findings.at(field.place, format!("`{}` distinguishes the facts that `{}` reports", field.name, view.declaration.name));
        findings.report(
            finding
                .label("one of several facts")
                .also(view.declaration.place, "one topic for all of them")
                .help("declare an event for each fact, so that triggers can distinguish them"),
        );
    }
}

/// Whether a type is a choice among words.
fn is_choice(model: &Model, ty: &Type) -> bool {
    match model.resolve(ty) {
        Type::Union(alternatives) => alternatives.iter().all(|alternative| matches!(alternative, Type::Literal(Literal::String(_)))),
        Type::Named(id) => {
            matches!(model.get(*id).map(|it| &it.kind), Some(DeclarationKind::Enum(values)) if values.values.len() > 1)
        }
        _ => false,
    }
}
