//! A choice of one.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "single-value-enum",
    severity: Severity::Note,
    summary: "An enum has one value, or a union has one variant.",
    explanation: "There is nothing to choose. If more values will follow, allow the finding with `@allow`. Otherwise use a literal type, or the record itself.",
    bad: "\
/// How fast.
enum Speed { normal }
",
    good: "\
/// How fast.
enum Speed { normal, express }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let declaration = view.declaration;
    let (what, how_many) = match &declaration.kind {
        DeclarationKind::Enum(it) => ("value", it.values.len()),
        DeclarationKind::Union(it) => ("variant", it.variants.len()),
        _ => return,
    };
    if how_many == 1 {
        let finding = findings.at(declaration.place, format!("`{}` has one {what}", declaration.name));
        findings.report(finding.label("nothing to choose").help("add the missing values, or remove it"));
    }
}
