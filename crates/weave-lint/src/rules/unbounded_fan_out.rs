//! A step for each element of a list without an end.

use weave_analysis::model::types::{Scalar, Type};
use weave_analysis::model::{DeclarationKind, Model};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unbounded-fan-out",
    severity: Severity::Note,
    summary: "A step processes a list of any length in parallel without a limit.",
    explanation: "A list from outside or from a model may have thousands of elements, and each one is a call. Limit the calls in flight with `parallel`, or the length of the list with `max`. A `unique` list of an enum, of literals or of booleans is never long.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

/// Sends letters.
workflow invite(guests: string[]) {
  step letters each .input.guests as guest { call send { to: .guest } }
  end done on letters
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

/// Sends letters.
workflow invite(guests: string[]) {
  step letters each .input.guests as guest parallel 8 { call send { to: .guest } }
  end done on letters
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let model = view.declaration.project.model;
    for node in view.nodes() {
        let (Some(each), Some(written)) = (&node.node.each, node.syntax.each()) else { continue };
        let Some(list) = &each.list else { continue };
        let is_bounded =
            matches!(model.resolve(&list.ty), Type::List(list) if list.max.is_some() || list.unique && is_finite(model, &list.item));
        if !is_bounded && each.parallel.is_none() {
            let finding = findings.at(view.place(written.list.span()), format!("the fan-out of `{}` has no limit", node.node.name));
            findings.report(
                finding.label("this list may have any length").help("limit the calls in flight with `parallel`, or the list with `max`"),
            );
        }
    }
}

/// Whether a type has only a few values.
fn is_finite(model: &Model, ty: &Type) -> bool {
    /// Unions of more alternatives are not looked into.
    const MOST: usize = 256;
    let mut open = vec![ty];
    let mut seen = 0;
    while let Some(ty) = open.pop() {
        seen += 1;
        let is_finite = match model.resolve(ty) {
            Type::Scalar(Scalar::Bool, _) | Type::Literal(_) | Type::Null => true,
            Type::Named(id) => matches!(model.get(*id).map(|declaration| &declaration.kind), Some(DeclarationKind::Enum(_))),
            Type::Union(alternatives) => {
                open.extend(alternatives.iter());
                true
            }
            _ => false,
        };
        if !is_finite || seen > MOST {
            return false;
        }
    }
    true
}
