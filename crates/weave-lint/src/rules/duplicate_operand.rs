//! An operand that says what one before it has said.

use rustc_hash::FxHashMap;
use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::{Binary, BinaryOperator, Expr};

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};
use weave_analysis::model::ItemContext;

static CODE: Code = Code {
    id: "duplicate-operand",
    severity: Severity::Warning,
    summary: "Two operands of a condition are the same.",
    explanation: "In `.a || .a` the second operand has no effect, and neither does comparing a value with itself. The operand was probably copied and not changed.",
    bad: "workflow greet(age: int, formal: bool) -> string {\n  end young on start when .input.age < 18 && !.input.formal && .input.age < 18 = \"hi\"\n  end grown on start else = \"good day\"\n}\n",
    good: "workflow greet(age: int, formal: bool) -> string {\n  end young on start when .input.age < 18 && !.input.formal = \"hi\"\n  end grown on start else = \"good day\"\n}\n",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for &(context, guard) in file.written_guards() {
        guards::parts(guard, &mut |part| {
            let Expr::Binary(binary) = part else { return };
            match binary.rest.first().map(|(operator, ..)| *operator) {
                Some(BinaryOperator::And | BinaryOperator::Or) => look_at_chain(file, context, binary, findings),
                Some(operator) if operator.precedence() == BinaryOperator::Equal.precedence() => {
                    look_at_comparison(file, context, binary, findings);
                }
                _ => {}
            }
        });
    }
}

fn look_at_chain(file: &FileView<'_>, context: ItemContext<'_>, chain: &Binary, findings: &mut Findings<'_>) {
    let mut seen = FxHashMap::default();
    seen.insert(guards::said(&context, file, chain.first.span()), chain.first.span());
    let mut end = chain.first.span().end;
    for (operator, _, operand) in &chain.rest {
        let span = operand.span();
        match seen.entry(guards::said(&context, file, span)) {
            std::collections::hash_map::Entry::Vacant(entry) => _ = entry.insert(span),
            std::collections::hash_map::Entry::Occupied(first) => findings.report(
                findings
                    .at(context.place(span), format!("a condition appears twice in one `{}`", operator.text()))
                    .label("has no effect")
                    .also(context.place(*first.get()), "the same")
                    .help("remove it, or replace it with the condition that was meant")
                    .replace(Applicability::Safe, "remove it", context.place(Span::new(end, span.end)), ""),
            ),
        }
        end = span.end;
    }
}

fn look_at_comparison(file: &FileView<'_>, context: ItemContext<'_>, comparison: &Binary, findings: &mut Findings<'_>) {
    let [(operator, _, second)] = &*comparison.rest else { return };
    let (first, second) = (comparison.first.span(), second.span());
    if guards::said(&context, file, first) == guards::said(&context, file, second) {
        findings.report(
            findings
                .at(context.place(comparison.span), format!("both sides of a `{}` are the same", operator.text()))
                .label("has no effect")
                .help("compare with the value that was meant"),
        );
    }
}
