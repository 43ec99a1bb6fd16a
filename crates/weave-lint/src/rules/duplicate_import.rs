//! Two imports from one file.

use rustc_hash::FxHashMap;
use weave_diagnostics::{Applicability, Code, Edit, FileId, Fix, Place, Severity, Span};
use weave_syntax::ast::ItemKind;

use crate::edit::whole_lines;
use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "duplicate-import",
    severity: Severity::Warning,
    summary: "Two imports take names from the same file.",
    explanation: "A reader who looks for the names from a file finds the first list and misses the second. Use one list.",
    bad: "\
import { Order } from \"./shop.weave\"
import { Customer } from \"./shop.weave\"

type Parcel { order: Order, to: Customer }

// file: shop.weave
type Order { id: string }
type Customer { id: string }
",
    good: "\
import { Customer, Order } from \"./shop.weave\"

type Parcel { order: Order, to: Customer }

// file: shop.weave
type Order { id: string }
type Customer { id: string }
",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    // For each file the place of the first import, and where its list of names ends.
    let mut first: FxHashMap<FileId, (Place, Place)> = FxHashMap::default();
    for ((slot, context), target) in file.items().zip(&file.unit.imports) {
        let (ItemKind::Import(import), Some(target)) = (&slot.parsed.item.kind, target) else { continue };
        let (Some(path), Some(start), Some(end)) = (&import.path, import.names.first(), import.names.last()) else { continue };
        let place = context.place(path.span);
        let Some((before, list_end)) = first.get(target) else {
            first.insert(*target, (place, context.place(Span::at(end.span.end))));
            continue;
        };
        let names = Span::new(start.span.start, end.span.end).text(context.text);
        let slice = Span::new(slot.start, slot.end);
        let finding = findings
            .at(place, "a second import from the same file")
            .label("imported from before")
            .also(*before, "here")
            .help("merge the names into one list");
        // Comments between the names would end up in another list, and what is documented has a reason to stand alone.
        let is_plain = !slice.text(file.text()).contains("//") && !slice.text(file.text()).contains("/*");
        findings.report(if is_plain {
            let edits = vec![
                Edit { place: *list_end, text: format!(", {names}") },
                Edit { place: Place::new(context.file, whole_lines(file.text(), slice)), text: String::new() },
            ];
            finding.fix(Fix { message: "merge them into the first list".to_owned(), edits, applicability: Applicability::Safe })
        } else {
            finding
        });
    }
}
