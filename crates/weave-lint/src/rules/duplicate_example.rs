//! An example that stands there already.

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::Setting;

use crate::edit::without_setting;
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "duplicate-example",
    severity: Severity::Warning,
    summary: "A tool has the same example twice.",
    explanation: "Each example teaches the model something and costs tokens in every request. A repeated example teaches nothing.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  example { order_id: \"A-17\" } -> \"paid\"
  example { order_id: \"A-17\" } -> \"paid\"
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  example { order_id: \"A-17\" } -> \"paid\"
  example { order_id: \"A-18\" } -> \"shipped\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    if tool.examples.len() < 2 {
        return;
    }
    let settings = view.block().into_iter().flat_map(|block| block.settings());
    let settings: Vec<&Setting> = settings.filter(|setting| view.text(setting.name.span) == "example").collect();
    let mut first: FxHashMap<String, Span> = FxHashMap::default();
    for (example, setting) in tool.examples.iter().zip(settings) {
        let shown = (sorted(&example.input), example.output.as_ref().map(sorted));
        let first = *first.entry(format!("{shown:?}")).or_insert(setting.span);
        if first == setting.span {
            continue;
        }
        let finding = findings.at(view.place(setting.span), format!("the tool `{}` already has this example", view.declaration.name));
        findings.report(
            finding.label("the same again").also(view.place(first), "first here").help("remove it, or show a different case").replace(
                Applicability::Safe,
                "remove it",
                without_setting(view, setting),
                "",
            ),
        );
    }
}

/// The value with the keys of its objects in one order: the order in which they were written means nothing.
fn sorted(value: &Json) -> Json {
    match value {
        Json::Array(items) => items.iter().map(sorted).collect(),
        Json::Object(entries) => {
            let mut entries: Vec<(String, Json)> = entries.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            Json::Object(entries.into_iter().collect())
        }
        other => other.clone(),
    }
}
