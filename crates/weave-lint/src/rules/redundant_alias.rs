//! A name that is renamed to itself.

use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::ItemKind;

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "redundant-alias",
    severity: Severity::Warning,
    summary: "An import renames something to its own name.",
    explanation: "`import { Order as Order }` means the same as `import { Order }`.",
    bad: "\
import { Order as Order } from \"./shop.weave\"

type Parcel { order: Order }

// file: shop.weave
type Order { id: string }
",
    good: "\
import { Order as Purchase } from \"./shop.weave\"

type Parcel { order: Purchase }

// file: shop.weave
type Order { id: string }
",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for (slot, context) in file.items() {
        let ItemKind::Import(import) = &slot.parsed.item.kind else { continue };
        for imported in &import.names {
            let Some(alias) = imported.alias else { continue };
            let name = imported.name.text(context.text);
            if alias.text(context.text) == name {
                let behind = context.place(Span::new(imported.name.span.end, alias.span.end));
                let finding = findings.at(context.place(imported.span), format!("`{name}` is renamed to itself"));
                findings.report(finding.label("the same name").help("remove the second name").replace(
                    Applicability::Safe,
                    "remove it",
                    behind,
                    "",
                ));
            }
        }
    }
}
