//! A name that looks like a type.

use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::{ItemKind, Name};

use crate::findings::Findings;
use crate::names;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "name-case",
    severity: Severity::Warning,
    summary: "The name of a tool, agent, workflow, error, field or node contains capital letters.",
    explanation: "All names except those of types are written in `snake_case`. Generated code follows the conventions of its language: `order_id` becomes `orderId` in TypeScript anyway. Where JSON needs another name, use `@wire(\"orderId\")`.",
    bad: "\
tool findOrder(order_id: string) -> string { hints [read_only] }
",
    good: "\
tool find_order(@wire(\"orderId\") order_id: string) -> string { hints [read_only] }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let text = view.context.text;
    let mut look = |name: Name, help: &str| {
        let written = name.text(text);
        if !written.contains(|character: char| character.is_ascii_uppercase()) {
            return;
        }
        let better = names::snake(written);
        let finding = findings.at(view.place(name.span), format!("the name `{written}` contains capital letters"));
        findings
            .report(finding.label(format!("names are written in `snake_case`: `{better}`")).help(format!("rename it to `{better}`{help}")));
    };
    match &view.item.kind {
        ItemKind::Error(it) => look(it.name, ""),
        ItemKind::Tool(it) => look(it.name, ""),
        ItemKind::Toolkit(it) => look(it.name, ""),
        ItemKind::Prompt(it) => look(it.name, ""),
        ItemKind::Agent(it) => look(it.name, ""),
        ItemKind::Workflow(it) => {
            look(it.name, "");
            it.nodes.iter().for_each(|node| look(node.name, ""));
        }
        _ => {}
    }
    for field in view.fields().iter().filter(|field| !field.name.quoted) {
        let name = Name { span: field.name.span };
        look(name, &format!(", and keep its name in JSON with `@wire(\"{}\")`", name.text(text)));
    }
}
