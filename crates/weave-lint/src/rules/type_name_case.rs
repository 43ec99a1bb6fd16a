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
    summary: "The name of a type does not start with a capital letter, or has underscores.",
    explanation: "Types, enums and unions are written `LikeThis`, everything else `like_this`, so that a reader sees at once what is a type. Generated code writes it as is the custom of its language in any case.",
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
    let finding = findings.at(declaration.place, format!("the name of the type `{name}` does not look like one"));
    findings.report(finding.label(format!("types are written like `{better}`")).help(format!("call it `{better}`")));
}
