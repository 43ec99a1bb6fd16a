//! A name in JSON that is the same anyway.

use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::{Expr, Item, ItemKind};
use weave_syntax::text::literal_value;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "redundant-wire",
    severity: Severity::Warning,
    summary: "A field or an enum value sets the JSON name that it already has.",
    explanation: "`@wire`, and the string after an enum value, set a different name in JSON. Here the names are equal, and a later rename may forget one of them.",
    bad: "\
enum Tier { free = \"free\", pro }
",
    good: "\
enum Tier { free, pro, enterprise = \"ent\" }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let text = view.context.text;
    let is_same = |value: &Expr, name: &str| matches!(value, Expr::Literal(literal) if literal_value(text, *literal) == name);
    let mut report = |name: &str, wire: Span, all: Span| {
        let finding = findings.at(view.place(wire), format!("`{name}` already has this name in JSON"));
        let finding = finding.label("the same name").help("remove it");
        findings.report(finding.replace(Applicability::Safe, "remove it", view.place(all), ""));
    };
    if let Item { kind: ItemKind::Enum(it), .. } = view.item {
        for value in &it.values {
            let name = value.name.text(text);
            if let Some(wire) = value.wire.as_ref().filter(|wire| is_same(wire, name)) {
                report(name, wire.span(), Span::new(value.name.span.end, wire.span().end));
            }
        }
    }
    for field in view.fields() {
        let name = field.name.text(text);
        for attribute in field.meta.attributes.iter().filter(|attribute| attribute.name.text(text) == "wire") {
            if let [argument] = &*attribute.arguments
                && is_same(&argument.value, &name)
            {
                let behind = text.get(attribute.span.end as usize..).unwrap_or_default();
                let blanks = behind.len() - behind.trim_start().len();
                report(&name, attribute.span, Span::new(attribute.span.start, attribute.span.end + blanks as u32));
            }
        }
    }
}
