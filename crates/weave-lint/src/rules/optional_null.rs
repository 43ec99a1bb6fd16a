//! Two ways of saying nothing.

use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::{LiteralKind, Type};

use crate::edit::without_item;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "optional-null",
    severity: Severity::Note,
    summary: "A field may be both absent and null.",
    explanation: "Every consumer has to distinguish three cases, two of which usually mean the same. Choose one: `name?: T` or `name: T | null`. If absent means \"leave unchanged\" and null means \"remove\", allow the finding with that reason.",
    bad: "\
/// A person.
type Person { nickname?: string | null }
",
    good: "\
/// A person.
type Person { nickname?: string, phone: string | null }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    for field in view.fields() {
        let (Some(_), Type::Union(union)) = (field.optional, &field.ty) else { continue };
        let is_null = |ty: &Type| matches!(ty, Type::Literal(literal) if literal.kind == LiteralKind::Null);
        let Some(index) = union.alternatives.iter().position(is_null) else { continue };
        let spans: Vec<_> = union.alternatives.iter().map(Type::span).collect();
        let Some(null) = spans.get(index) else { continue };
        let finding = findings.at(view.place(*null), format!("`{}` may be both absent and null", field.name.text(view.context.text)));
        findings.report(finding.label("a second way to express no value").help("remove the `?` or the `null`").replace(
            Applicability::Unsafe,
            "remove the `null`",
            view.place(without_item(view.context.text, &spans, index)),
            "",
        ));
    }
}
