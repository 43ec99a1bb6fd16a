//! A text that is something more special.

use weave_analysis::model::types::Scalar;
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::Type;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "text-for-format",
    severity: Severity::Warning,
    summary: "A field that holds an address, a point in time or an id is a plain text.",
    explanation: "`email`, `uri`, `uuid` and `timestamp` are types: what does not look like one is refused where it comes in, models are told the format, and generated code gets a type to match. A plain `string` lets everything through. If the other side really sends something else, keep the `string` and allow it.",
    bad: "\
type Guest { name: string, email: string }
",
    good: "\
type Guest { name: string, email: email, invited_at: timestamp }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    for field in view.fields() {
        let Type::Named(ty) = &field.ty else { continue };
        if view.text(ty.span) != Scalar::String.name() || field.default.is_some() {
            continue;
        }
        let name = field.name.text(view.context.text);
        let Some(better) = expected(&name).map(Scalar::name) else { continue };
        let finding = findings.at(view.place(ty.span), format!("`{name}` is any text"));
        findings.report(
            finding.label(format!("`{better}` refuses what is none")).help(format!("write `{better}`, if that is what it is")).replace(
                Applicability::Unsafe,
                format!("write `{better}`"),
                view.place(ty.span),
                better,
            ),
        );
    }
}

/// What a name promises.
fn expected(name: &str) -> Option<Scalar> {
    match name.rsplit('_').next().unwrap_or_default() {
        "email" => Some(Scalar::Email),
        "url" | "uri" => Some(Scalar::Uri),
        "uuid" => Some(Scalar::Uuid),
        "at" if name.len() > 2 => Some(Scalar::Timestamp),
        "timestamp" => Some(Scalar::Timestamp),
        _ => None,
    }
}
