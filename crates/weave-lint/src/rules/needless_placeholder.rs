//! A string that is one placeholder.

use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::{Action, Expr, LiteralKind, NodeBody, NodeKind, StepEntry};

use crate::findings::Findings;
use crate::guards;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "needless-placeholder",
    severity: Severity::Warning,
    summary: "A string holds one placeholder and nothing else.",
    explanation: "A path can stand as it is: `name: .input.name`. In a string of its own it means the same – the value itself, not a text of it – which the quotes hide.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guest: string) {
  step letter { call send { to: \"{{.input.guest}}\" } }
  end done on letter
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guest: string) {
  step letter { call send { to: .input.guest } }
  end done on letter
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for node in view.nodes() {
        match &node.syntax.body {
            // A message is a text.
            NodeBody::Value(value) if node.syntax.kind != NodeKind::Fail => look(view, value, findings),
            NodeBody::Block { entries, .. } => {
                for entry in entries {
                    if let StepEntry::Action(Action::Invoke { payload: Some(value), .. } | Action::Emit { payload: Some(value), .. }) =
                        entry
                    {
                        look(view, value, findings);
                    }
                }
            }
            _ => {}
        }
    }
}

fn look(view: &WorkflowView<'_>, value: &Expr, findings: &mut Findings<'_>) {
    guards::parts(value, &mut |part| {
        let Expr::Literal(literal) = part else { return };
        if literal.kind != LiteralKind::String {
            return;
        }
        let inner = view.declaration.text(literal.span).strip_prefix("\"{{").and_then(|rest| rest.strip_suffix("}}\""));
        // Only what is surely one path: a default is left as it is.
        let Some(path) = inner.map(str::trim).filter(|path| path.starts_with('.') && !path.contains(['{', '}', '?', ' '])) else { return };
        let place = view.place(literal.span);
        findings.report(
            findings
                .at(place, "a string holds one placeholder and nothing else")
                .label("means the value itself")
                .help(format!("write `{path}`"))
                .replace(Applicability::Safe, format!("write `{path}`"), place, path),
        );
    });
}
