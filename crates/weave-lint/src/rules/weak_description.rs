//! A description that describes nothing.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "weak-description",
    severity: Severity::Warning,
    summary: "The description of a tool says little more than its name.",
    explanation: "A model chooses tools mainly by their `///` comments. One or two words, or the name again, do not help it to choose. Describe what the tool does, when to use it, and what it returns.",
    bad: "\
/// Find order.
tool find_order(order_id: string) -> string {
  hints [read_only]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
}
",
    good: "\
/// Looks up one order by its id and gives its state.
tool find_order(order_id: string) -> string {
  hints [read_only]
}

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_order]
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::No,
    check: Check::Declaration(check),
    options: &[RuleOption { name: "min-words", summary: "How many words a description has at least.", default: 3, least: 1, most: 100 }],
};

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (Some(docs), Some(first)) = (&view.declaration.docs, view.item.meta.docs.first()) else { return };
    // Its provider describes its own tool.
    if matches!(&view.declaration.kind, DeclarationKind::Tool(tool) if tool.kind == ToolKind::Provider) {
        return;
    }
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let words: Vec<String> = words(docs).collect();
    let name: Vec<String> = self::words(&view.declaration.name).collect();
    let few = (words.len() as u64) < findings.option("min-words");
    // `Finds the order.` says no more than `find_order`.
    let repeats = words.iter().filter(|word| !ARTICLES.contains(&word.as_str())).all(|word| name.iter().any(|part| is_form(word, part)));
    if !few && !repeats {
        return;
    }
    let finding = findings.at(view.place(*first), format!("the description of `{}` is too short", view.declaration.name));
    findings.report(
        finding
            .label(if repeats { "this only repeats the name" } else { "the model learns little from this" })
            .also(agent, "offered to this agent")
            .help("describe what it does, when to use it, and what it returns"),
    );
}

const ARTICLES: [&str; 3] = ["the", "a", "an"];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether a word is a word of the name, or that with an ending: `finds` of `find`.
fn is_form(word: &str, part: &str) -> bool {
    word.strip_prefix(part).is_some_and(|ending| matches!(ending, "" | "s" | "es"))
}
