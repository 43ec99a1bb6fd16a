//! A parameter that a model has to guess.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ToolKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "undocumented-parameter",
    severity: Severity::Warning,
    summary: "A parameter of a tool that is offered to a model has no description.",
    explanation: "The model fills in the parameters. All it knows about each one is its name, its type and its `///` comment. Describe the expected value and its form.",
    bad: "\
/// Looks up one order by its id.
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
/// Looks up one order by its id.
tool find_order(
  /// Two letters and five digits, as on the invoice.
  order_id: string
) -> string {
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

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Tool(tool) = &view.declaration.kind else { return };
    // Its provider knows what its own tool takes, and is sent the name only.
    if tool.kind == ToolKind::Provider {
        return;
    }
    let Some(agent) = view.project.facts.offered_by(view.id) else { return };
    let undocumented: Vec<_> = tool.input.fields.iter().filter(|field| field.docs.is_none()).collect();
    let Some(first) = undocumented.first() else { return };
    let names: Vec<String> = undocumented.iter().map(|field| format!("`{}`", field.name)).collect();
    let of = &view.declaration.name;
    let message = match names.as_slice() {
        [name] => format!("the parameter {name} of `{of}` has no description"),
        names => format!("the parameters {} of `{of}` have no description", names.join(", ")),
    };
    let finding = findings.at(first.place, message).label("the model sees only its name and its type");
    let help = if names.len() == 1 { "describe it in a `///` comment above it" } else { "describe each in a `///` comment above it" };
    findings.report(finding.also(agent, "offered to this agent").help(help));
}
