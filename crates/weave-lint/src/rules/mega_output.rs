//! An answer that serves several purposes.

use weave_analysis::model::types::{FieldType, Literal, Type};
use weave_analysis::model::{DeclarationKind, Model};
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ItemKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "mega-output",
    severity: Severity::Warning,
    summary: "The output of an agent mixes several kinds of answers.",
    explanation: "One field selects the kind of answer, and most other fields apply to one kind only. Models then fill in fields that do not belong together, and each consumer has to know which fields go with which kind. Declare a `union` with one variant for each kind, or one agent for each purpose.",
    bad: "\
type Reply {
  kind: \"answer\" | \"refund\" | \"bug\"
  text?: string
  amount?: decimal
  steps?: string[]
}

agent clerk(ticket: string) -> Reply {
  model mini
  system \"You handle this ticket: {{.ticket}}\"
}
",
    good: "\
union Reply {
  answer: { text: string }
  refund: { amount: decimal }
  bug: { steps: string[] }
}

agent clerk(ticket: string) -> Reply {
  model mini
  system \"You handle this ticket: {{.ticket}}\"
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::No,
    check: Check::Declaration(check),
    options: &[RuleOption {
        name: "fields",
        summary: "How many fields that may be absent or null are too many.",
        default: 3,
        least: 1,
        most: 1000,
    }],
};

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (DeclarationKind::Agent(agent), ItemKind::Agent(syntax)) = (&view.declaration.kind, &view.item.kind) else { return };
    let (Some(output), Some(written)) = (&agent.output, &syntax.output) else { return };
    let model = view.project.model;
    let Some(record) = model.record(output) else { return };
    let Some(kind) = record.fields.iter().find(|field| tells_apart(model, field)) else { return };
    let partial = record.fields.iter().filter(|field| field.optional || is_nullable(model, &field.ty)).count();
    // Where most fields are always there, the others are what they seem: details that may be missing.
    if (partial as u64) < findings.option("fields") || partial * 2 < record.fields.len() {
        return;
    }
    let finding =
        findings.at(view.place(written.span()), format!("the output of `{}` mixes several kinds of answers", view.declaration.name));
    findings.report(
        finding
            .label(format!("{partial} of its fields apply to some answers only"))
            .also(kind.place, "this field selects the kind of answer")
            .help("declare a `union` with a variant for each kind, or an agent for each purpose"),
    );
}

/// Whether a field says of which kind a record is: it is always there, and one of several names.
fn tells_apart(model: &Model, field: &FieldType) -> bool {
    let is_text = |ty: &Type| matches!(ty, Type::Literal(Literal::String(_)));
    !field.optional
        && match model.resolve(&field.ty) {
            Type::Union(alternatives) => alternatives.iter().all(is_text),
            Type::Named(id) => matches!(model.get(*id).map(|it| &it.kind), Some(DeclarationKind::Enum(it)) if it.values.len() > 1),
            _ => false,
        }
}

fn is_nullable(model: &Model, ty: &Type) -> bool {
    matches!(model.resolve(ty), Type::Union(alternatives) if alternatives.contains(&Type::Null))
}
