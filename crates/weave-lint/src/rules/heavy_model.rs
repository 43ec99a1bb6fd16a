//! A large model for a small answer.

use weave_analysis::model::types::{Scalar, Type};
use weave_analysis::model::{DeclarationKind, Model};
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::{Expr, ItemKind, SettingValue};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "heavy-model",
    severity: Severity::Warning,
    summary: "A large model gives an answer that a small model could give.",
    explanation: "This agent has no tools, and its answer is one of a few values. Small models classify well at a fraction of the cost and time. Try one, and keep the large model only where it is measurably better.",
    bad: "\
agent triager(ticket: string) -> \"refund\" | \"question\" | \"bug\" {
  model large
  system \"You classify this ticket: {{.ticket}}\"
}
",
    good: "\
agent triager(ticket: string) -> \"refund\" | \"question\" | \"bug\" {
  model nano
  system \"You classify this ticket: {{.ticket}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

/// What the large models are called where tiers have names.
const LARGE: [&str; 4] = ["full", "large", "max", "pro"];

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (DeclarationKind::Agent(agent), ItemKind::Agent(syntax)) = (&view.declaration.kind, &view.item.kind) else { return };
    let (Some(output), Some(written)) = (&agent.output, &syntax.output) else { return };
    if !agent.tools.is_empty() || !is_small(view.project.model, output) {
        return;
    }
    let Some(setting) = view.setting("model") else { return };
    let SettingValue::Value { value: Expr::Path(value), block: None } = &setting.value else { return };
    if !LARGE.contains(&view.text(value.span)) {
        return;
    }
    let finding =
        findings.at(view.place(value.span), format!("the agent `{}` uses a large model for a small answer", view.declaration.name));
    findings.report(
        finding
            .label("slower and more expensive than a small model")
            .also(view.place(written.span()), "one of a few values")
            .help("try a smaller model")
            .replace(Applicability::Unsafe, "use `mini`", view.place(value.span), "mini"),
    );
}

/// Whether a type has a few values only: a bool, an enum, literals.
fn is_small(model: &Model, ty: &Type) -> bool {
    let one = |ty: &Type| match model.resolve(ty) {
        Type::Scalar(Scalar::Bool, _) | Type::Literal(_) | Type::Null => true,
        Type::Named(id) => matches!(model.get(*id).map(|it| &it.kind), Some(DeclarationKind::Enum(_))),
        _ => false,
    };
    match model.resolve(ty) {
        Type::Union(alternatives) => alternatives.iter().all(one),
        ty => one(ty),
    }
}
