//! A declaration that nobody has described.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::Type;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "missing-docs",
    severity: Severity::Note,
    summary: "A declaration has no `///` comment.",
    explanation: "`///` comments appear in schemas, generated code and graphs, and models read them. Explain in one sentence what the declaration is, beyond what its name says.",
    bad: "\
type Order { id: string }
",
    good: "\
/// What a customer wants.
type Order { id: string }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let declaration = view.declaration;
    // Models need the description of what they are offered, which is a rule of its own; a prompt and a toolkit speak for
    // themselves, and what an agent is told says what it is for.
    let is_wanted = match &declaration.kind {
        DeclarationKind::Prompt(_) | DeclarationKind::Toolkit(_) | DeclarationKind::Agent(_) => false,
        // The values of an enum say what it is, and so does the name of an error.
        DeclarationKind::Enum(_) | DeclarationKind::Error(_) => false,
        // Whoever describes each field has described the record, and another name for a type is a description.
        DeclarationKind::Type(Type::Record(record)) => record.fields.iter().any(|field| field.docs.is_none()),
        DeclarationKind::Type(_) => false,
        _ => true,
    };
    let is_wanted = is_wanted && view.project.facts.offered_by(view.id).is_none();
    if is_wanted && declaration.docs.is_none() {
        let finding = findings.at(declaration.place, format!("`{}` has no documentation", declaration.name));
        findings.report(
            finding
                .label(format!("{} without a description", declaration.kind.noun()))
                .help("describe it in a `///` comment; schemas, generated code and graphs show it"),
        );
    }
}
