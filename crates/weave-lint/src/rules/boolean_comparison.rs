//! A truth value that is compared with `true` or `false`.

use weave_analysis::model::guard::{GuardExpression, GuardKind};
use weave_analysis::model::types::{Scalar, Type};
use weave_diagnostics::{Applicability, Code, Severity};
use weave_syntax::ast::BinaryOperator;

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "boolean-comparison",
    severity: Severity::Warning,
    summary: "A boolean is compared with `true` or `false`.",
    explanation: "A boolean is already a condition: `.check.ok` means the same as `.check.ok == true`, and `!.check.ok` the same as `.check.ok == false`. A value that may be absent or null is not a condition by itself and keeps its comparison.",
    bad: "workflow greet(friend: bool) -> string {\n  end warmly on start when .input.friend == true = \"hello, my friend\"\n  end politely on start else = \"good day\"\n}\n",
    good: "workflow greet(friend: bool, known?: bool) -> string {\n  end warmly on start when .input.friend && .input.known == true = \"hello, my friend\"\n  end politely on start else = \"good day\"\n}\n",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for guard in file.meant_guards() {
        guard.expression.parts().for_each(|part| look(file, part, findings));
    }
}

fn look(file: &FileView<'_>, part: &GuardExpression, findings: &mut Findings<'_>) {
    let GuardKind::Chain { first, rest } = &part.kind else { return };
    let [(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), second)] = rest.as_slice() else { return };
    let (operand, truth) = match (constant(first), constant(second)) {
        (None, Some(truth)) => (&**first, truth),
        (Some(truth), None) => (second, truth),
        _ => return,
    };
    if !matches!(operand.ty, Type::Scalar(Scalar::Bool, _)) {
        return;
    }
    if matches!(operand.kind, GuardKind::Path(_)) && guards::is_before_truth(file.text(), file.project.in_text(part.place).span.end) {
        return;
    }
    let text = file.project.in_text(operand.place).span.text(file.text());
    let is_simple = matches!(operand.kind, GuardKind::Path(_) | GuardKind::Has(_) | GuardKind::Text { .. } | GuardKind::Quantifier { .. });
    let condition = if is_simple { text.to_owned() } else { format!("({text})") };
    let condition = if (*operator == BinaryOperator::Equal) == truth { condition } else { format!("!{condition}") };
    findings.report(
        findings
            .at(part.place, format!("a boolean is compared with `{truth}`"))
            .label("already a condition")
            .help(format!("write `{condition}`"))
            .replace(Applicability::Safe, "remove the comparison", part.place, condition),
    );
}

fn constant(expression: &GuardExpression) -> Option<bool> {
    match &expression.kind {
        GuardKind::Constant(value) => value.as_bool(),
        _ => None,
    }
}
