//! An id that is a number.

use weave_analysis::model::types::Scalar;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::Type;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "number-as-id",
    severity: Severity::Note,
    summary: "An id is a number.",
    explanation: "Ids are compared, never added. As numbers they lose digits beyond 2^53 in JSON, lose leading zeros, and cannot change their form later. Use `string` or `uuid`; use `int64` where another system requires a number.",
    bad: "\
/// A buyer.
type Customer { id: int, name: string }
",
    good: "\
/// A buyer.
type Customer { id: string, name: string, visits: int }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    for field in view.fields() {
        let Type::Named(ty) = &field.ty else { continue };
        let name = field.name.text(view.context.text);
        let is_number = [Scalar::Int, Scalar::Float].iter().any(|scalar| scalar.name() == view.text(ty.name.span));
        if is_number && (name == "id" || name.ends_with("_id")) {
            let finding = findings.at(view.place(ty.span), format!("`{name}` is a number"));
            findings
                .report(finding.label("loses digits beyond 2^53").help("use `string` or `uuid`, or `int64` where a number is required"));
        }
    }
}
