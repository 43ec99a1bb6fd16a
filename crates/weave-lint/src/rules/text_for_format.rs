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
    summary: "A field that holds an address, a point in time or an id is a plain string.",
    explanation: "`email`, `uri`, `uuid` and `timestamp` are types: they reject invalid values at the boundary, tell models the format, and give generated code a matching type. A plain `string` accepts everything. If the other system really sends something else, keep the `string` and allow the finding.",
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
        let finding = findings.at(view.place(ty.span), format!("`{name}` accepts any string"));
        findings.report(
            finding
                .label(format!("`{better}` rejects invalid values"))
                .help(format!("use `{better}` if the value has this format"))
                .replace(Applicability::Unsafe, format!("use `{better}`"), view.place(ty.span), better),
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
