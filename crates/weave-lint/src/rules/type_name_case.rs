//! A type whose name does not look like one.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::names;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "type-name-case",
    severity: Severity::Warning,
    summary: "The name of a type does not start with a capital letter, or contains underscores.",
    explanation: "Types, enums and unions are written in `PascalCase`, all other names in `snake_case`, so that a reader recognizes a type at once. Generated code follows the conventions of its language in any case.",
    bad: "\
type order_line { sku: string }
",
    good: "\
type OrderLine { sku: string }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let declaration = view.declaration;
    if !matches!(declaration.kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_)) {
        return;
    }
    let name = &*declaration.name;
    if name.starts_with(|first: char| first.is_ascii_uppercase()) && !name.contains('_') {
        return;
    }
    let better = names::camel(name);
    let finding = findings.at(declaration.place, format!("the type name `{name}` is not in `PascalCase`"));
    findings.report(finding.label(format!("types are written in `PascalCase`: `{better}`")).help(format!("rename it to `{better}`")));
}
