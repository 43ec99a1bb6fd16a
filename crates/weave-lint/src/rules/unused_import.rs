//! A name that is imported and not used.

use weave_diagnostics::{Applicability, Code, Place, Severity, Span};
use weave_syntax::ast::ItemKind;

use crate::edit::whole_lines;
use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::unused::used_names;

static CODE: Code = Code {
    id: "unused-import",
    severity: Severity::Warning,
    summary: "A name is imported and never used.",
    explanation: "Nothing in the file uses the name. Remove it from the list, or remove the whole import.",
    bad: "import { Order } from \"./shop.weave\"\n\ntype Parcel { id: string }\n\n// file: shop.weave\ntype Order { id: string }\n",
    good: "import { Order } from \"./shop.weave\"\n\ntype Parcel { order: Order }\n\n// file: shop.weave\ntype Order { id: string }\n",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    if !file.items().any(|(slot, _)| matches!(slot.parsed.item.kind, ItemKind::Import(_))) {
        return;
    }
    let used = used_names(file.unit);
    for (slot, context) in file.items() {
        let ItemKind::Import(import) = &slot.parsed.item.kind else { continue };
        let unused: Vec<_> = import
            .names
            .iter()
            .map(|name| !used.contains(name.alias.map_or(name.name.span, |alias| alias.span).text(context.text)))
            .collect();
        for (index, name) in import.names.iter().enumerate().filter(|(index, _)| unused.get(*index).copied().unwrap_or_default()) {
            let local = name.alias.map_or(name.name.span, |alias| alias.span);
            let finding = findings.at(context.place(name.span), format!("`{}` is imported and never used", local.text(context.text)));
            let (message, span) = if unused.iter().all(|unused| *unused) {
                ("remove the import", whole_lines(file.text(), Span::new(slot.start, slot.end)))
            } else {
                // Up to the next name, or back to the one before: the comma goes with it.
                let next = import.names.get(index + 1).map(|next| Span::new(name.span.start, next.span.start));
                let previous = index.checked_sub(1).and_then(|index| import.names.get(index));
                let previous = previous.map(|previous| Span::new(previous.span.end, name.span.end));
                ("remove it", next.or(previous).unwrap_or(name.span).shifted(context.start))
            };
            findings.report(finding.label("not used").replace(Applicability::Safe, message, Place::new(context.file, span), ""));
        }
    }
}
