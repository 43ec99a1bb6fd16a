//! A guard that nobody can hold in mind.

use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::{BinaryOperator, Expr};

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "long-guard",
    severity: Severity::Note,
    summary: "A guard combines many conditions.",
    explanation: "Such a guard is hard to read and hard to test. Let a tool decide and return one value, or split the choice into several named steps.",
    bad: "type Box { a: bool, b: bool, c: bool, d: bool, e: bool, f: bool, g: bool }\n\nworkflow sort(box: Box) -> string {\n  end good on start when .input.box.a && .input.box.b && .input.box.c && .input.box.d && .input.box.e && .input.box.f && .input.box.g = \"good\"\n  end bad on start else = \"bad\"\n}\n",
    good: "type Box { weight: int, sealed: bool }\n\nworkflow sort(box: Box) -> string {\n  end good on start when .input.box.sealed && .input.box.weight < 30 = \"good\"\n  end bad on start else = \"bad\"\n}\n",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Pedantic,
    fixable: Fixable::No,
    check: Check::File(check),
    options: &[RuleOption { name: "most-conditions", summary: "How many conditions a guard may join.", default: 6, least: 1, most: 1000 }],
};

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let most = findings.option("most-conditions");
    for &(context, guard) in file.written_guards() {
        let mut conditions = 1;
        guards::parts(guard, &mut |part| {
            if let Expr::Binary(binary) = part {
                conditions +=
                    binary.rest.iter().filter(|(operator, ..)| matches!(operator, BinaryOperator::And | BinaryOperator::Or)).count() as u64;
            }
        });
        if conditions > most {
            let finding = findings.at(context.place(guard.span()), format!("a guard combines {conditions} conditions"));
            findings.report(finding.label(format!("more than {most}")).help("let a tool decide, or decide in several steps"));
        }
    }
}
