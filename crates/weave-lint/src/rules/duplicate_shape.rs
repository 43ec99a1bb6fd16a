//! Two events with one payload.

use rustc_hash::FxHashMap;
use weave_analysis::model::types::{RecordType, Type};
use weave_analysis::model::{Declaration, DeclarationKind};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::Project;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "duplicate-shape",
    severity: Severity::Note,
    summary: "Two declarations have the same fields.",
    explanation: "Two events or types with the same fields usually describe the same thing, and an edit of one of them forgets the other. Declare one type and use it for both: `event order.placed = Order`. Declarations that are alike only by chance can stay as they are.",
    bad: "\
/// An order came.
external event order.placed { order: string, customer: string, total: decimal }
/// An order was paid.
external event order.paid { order: string, customer: string, total: decimal }
",
    good: "\
/// What a customer bought.
type Purchase { order: string, customer: string, total: decimal }
/// An order came.
external event order.placed = Purchase
/// An order was paid.
external event order.paid = Purchase
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Pedantic,
    fixable: Fixable::No,
    check: Check::Project(check),
    options: &[RuleOption { name: "least-fields", summary: "How many fields a shape must have.", default: 3, least: 1, most: 1000 }],
};

/// A program, by its first file, and the names of fields.
type Shape<'a> = (u32, Vec<&'a str>);

fn check(project: &Project<'_>, findings: &mut Findings<'_>) {
    let least = findings.option("least-fields") as usize;
    let programs = programs(project);
    // By the names of the fields; the types are compared where these are the same.
    let mut known: FxHashMap<Shape<'_>, Vec<(&Declaration, &RecordType)>> = FxHashMap::default();
    // By name, not by place: which of two is the copy must not change when code moves.
    let mut declarations: Vec<_> = project.declarations().collect();
    declarations.sort_by(|one, other| one.declaration.name.cmp(&other.declaration.name));
    for view in declarations {
        let (DeclarationKind::Type(ty) | DeclarationKind::Event(weave_analysis::model::declarations::Event { payload: ty, .. })) =
            &view.declaration.kind
        else {
            continue;
        };
        let Type::Record(record) = ty else { continue };
        if record.fields.len() < least {
            continue;
        }
        let mut names: Vec<&str> = record.fields.iter().map(|field| &*field.name).collect();
        names.sort_unstable();
        let program = programs.get(view.declaration.file.0 as usize).copied().unwrap_or_default();
        let alike = known.entry((program, names)).or_default();
        match alike.iter().find(|(_, other)| is_same(record, other)) {
            Some((other, _)) => findings.report(
                findings
                    .at(view.declaration.place, format!("`{}` has the fields of `{}`", view.declaration.name, other.name))
                    .label("the same fields")
                    .also(other.place, "the same fields are declared here")
                    .help("if they describe the same thing, declare one type and use it for both"),
            ),
            // More shapes than a few with the same names are not worth the time.
            None if alike.len() < 8 => alike.push((view.declaration, record)),
            None => {}
        }
    }
}

/// For each file the first file of its program: of those that import one another, however many lie between. What stands in two programs
/// cannot be one type.
fn programs(project: &Project<'_>) -> Vec<u32> {
    let mut first: Vec<u32> = (0..project.units.len() as u32).collect();
    for unit in project.units {
        for other in unit.imports.iter().flatten() {
            let (one, other) = (root(&mut first, unit.file.0), root(&mut first, other.0));
            if let Some(later) = first.get_mut(one.max(other) as usize) {
                *later = one.min(other);
            }
        }
    }
    (0..first.len() as u32).map(|file| root(&mut first, file)).collect()
}

/// The first file of the program of a file, as far as it is known; the way there becomes shorter.
fn root(first: &mut [u32], mut file: u32) -> u32 {
    while let Some(&before) = first.get(file as usize)
        && before != file
    {
        let further = first.get(before as usize).copied().unwrap_or(before);
        if let Some(entry) = first.get_mut(file as usize) {
            *entry = further;
        }
        file = before;
    }
    file
}

fn is_same(one: &RecordType, other: &RecordType) -> bool {
    let field = |name: &str| other.field(name);
    one.open == other.open
        && one.fields.iter().all(|mine| {
            field(&mine.name).is_some_and(|theirs| {
                mine.ty == theirs.ty && mine.optional == theirs.optional && mine.default == theirs.default && mine.wire == theirs.wire
            })
        })
}
