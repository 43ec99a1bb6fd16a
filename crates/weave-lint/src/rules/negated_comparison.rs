//! A comparison that is turned round by a `!`.

use weave_diagnostics::{Applicability, Code, Edit, Fix, Severity, Span};
use weave_syntax::ast::{BinaryOperator, Expr, UnaryOperator};

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "negated-comparison",
    severity: Severity::Warning,
    summary: "A `!` negates `==` or `!=`.",
    explanation: "`.order.state != \"paid\"` is clear at once; in `!(.order.state == \"paid\")` the reader has to invert the comparison. Both mean the same, also for absent values.",
    bad: "workflow greet(language: string) -> string {\n  end foreign on start when !(.input.language == \"de\") = \"hello\"\n  end native on start else = \"hallo\"\n}\n",
    good: "workflow greet(language: string) -> string {\n  end foreign on start when .input.language != \"de\" = \"hello\"\n  end native on start else = \"hallo\"\n}\n",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for &(context, guard) in file.written_guards() {
        guards::parts(guard, &mut |part| {
            let Expr::Unary(unary) = part else { return };
            let ([(UnaryOperator::Not, not)], Expr::Parenthesized(inner)) = (&*unary.operators, &unary.operand) else { return };
            let Expr::Binary(comparison) = &inner.1 else { return };
            let [(operator, operator_span, _)] = &*comparison.rest else { return };
            let opposite = match operator {
                BinaryOperator::Equal => "!=",
                BinaryOperator::NotEqual => "==",
                _ => return,
            };
            let edit = |span: Span, text: &str| Edit { place: context.place(span), text: text.to_owned() };
            // The parentheses stay: what stands around may bind more tightly. Where they mean nothing, another rule says so.
            let edits = vec![edit(*not, ""), edit(*operator_span, opposite)];
            findings.report(
                findings
                    .at(context.place(unary.span), format!("a `!` negates a `{}`", operator.text()))
                    .label(format!("means the same as `{opposite}`"))
                    .help(format!("write `{opposite}` instead of `!` and `{}`", operator.text()))
                    .fix(Fix { message: format!("write `{opposite}`"), edits, applicability: Applicability::Safe }),
            );
        });
    }
}
