//! A parameter that a prompt does not use.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::{Field, ItemKind};

use crate::edit::without_item;
use crate::findings::Findings;
use crate::mistaken::mistaken;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::templates::parameters;

static CODE: Code = Code {
    id: "unused-prompt-parameter",
    severity: Severity::Warning,
    summary: "A parameter of a prompt is never used.",
    explanation: "The model never sees a parameter that is not in the text. Add it to the text, or remove it. (A prompt with `hydrates` may pass it to its hydrator.)",
    bad: "\
prompt ask(question: string, tone: string) \"\"\"
  Answer {{.question}}.
  \"\"\"
",
    good: "\
prompt ask(question: string, tone: string) \"\"\"
  Answer {{.question}} in a {{.tone}} tone.
  \"\"\"
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (DeclarationKind::Prompt(prompt), ItemKind::Prompt(syntax)) = (&view.declaration.kind, &view.item.kind) else { return };
    if prompt.hydrates.is_some() {
        return;
    }
    let used = parameters(&prompt.text);
    let spans: Vec<Span> = syntax.parameters.iter().map(with_meta).collect();
    let unused: Vec<_> = prompt.input.fields.iter().enumerate().filter(|(_, field)| !used.contains(field.wire_name())).collect();
    // What is used by another language's placeholder is another finding.
    let mistaken = if unused.is_empty() { Vec::new() } else { mistaken(view) };
    for (index, field) in unused.into_iter().filter(|(_, field)| !mistaken.iter().any(|mistaken| mistaken.is_parameter(&field.name))) {
        let removed = view.place(without_item(view.context.text, &spans, index));
        let finding = findings.at(field.place, format!("the prompt `{}` does not use `{}`", view.declaration.name, field.name));
        findings.report(
            finding.label("in no placeholder").help(format!("add `{{{{.{}}}}}` to the text, or remove the parameter", field.name)).replace(
                Applicability::Safe,
                "remove it",
                removed,
                "",
            ),
        );
    }
}

/// Where a parameter stands with its docs and attributes.
fn with_meta(field: &Field) -> Span {
    let docs = field.meta.docs.first().copied();
    let attribute = field.meta.attributes.first().map(|attribute| attribute.span);
    [docs, attribute].into_iter().flatten().fold(field.span, Span::join)
}
