//! Money that is not exact.

use weave_analysis::model::types::Scalar;
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::Type;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "money-as-float",
    severity: Severity::Warning,
    summary: "A monetary amount is a `float`.",
    explanation: "A `float` is the nearest binary number: 0.1 and 0.2 do not add up to 0.3, and cents get lost. `decimal` keeps every digit as written. In JSON a `decimal` is a string.",
    bad: "\
type Bill { customer: string, amount: float }
",
    good: "\
type Bill { customer: string, amount: decimal, paid_share: float(0..1) }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

/// What money is called.
const NAMES: [&str; 8] = ["amount", "price", "fee", "balance", "salary", "refund", "tax", "subtotal"];

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    for field in view.fields() {
        let Type::Named(ty) = &field.ty else { continue };
        let name = field.name.text(view.context.text);
        if view.text(ty.name.span) != Scalar::Float.name() || !NAMES.contains(&name.rsplit('_').next().unwrap_or_default()) {
            continue;
        }
        let finding = findings.at(view.place(ty.span), format!("`{name}` is a `float`")).label("can lose cents");
        let finding = finding.help("use `decimal`, which keeps every digit");
        // Bounds and defaults of a decimal are written otherwise.
        findings.report(if ty.constraints.is_none() && field.default.is_none() {
            finding.replace(Applicability::Unsafe, "use `decimal`", view.place(ty.span), "decimal")
        } else {
            finding
        });
    }
}
