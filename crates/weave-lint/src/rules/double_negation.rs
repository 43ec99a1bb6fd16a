//! Two `!` that undo each other.

use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::{Expr, UnaryOperator};

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "double-negation",
    severity: Severity::Warning,
    summary: "Two `!` cancel each other.",
    explanation: "A condition is already a boolean, so `!!` has no effect. Perhaps a single `!` was meant.",
    bad: "workflow greet(friend: bool) -> string {\n  end warmly on start when !!.input.friend = \"hello, my friend\"\n  end politely on start else = \"good day\"\n}\n",
    good: "workflow greet(friend: bool) -> string {\n  end politely on start when !.input.friend = \"good day\"\n  end warmly on start else = \"hello, my friend\"\n}\n",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for &(context, guard) in file.written_guards() {
        guards::parts(guard, &mut |part| {
            let Expr::Unary(unary) = part else { return };
            let count = unary.operators.iter().take_while(|(operator, _)| *operator == UnaryOperator::Not).count() / 2 * 2;
            let (pairs, further) = unary.operators.split_at(count);
            let [(_, first), .., (_, last)] = pairs else { return };
            let behind = further.first().map_or(unary.operand.span().start, |(_, span)| span.start);
            let (message, help, fix) = if count == 2 {
                ("two `!` cancel each other".to_owned(), "remove both, or one of them if the opposite was meant", "remove both")
            } else {
                (format!("{count} `!` cancel each other"), "remove them, or all but one if the opposite was meant", "remove them")
            };
            findings.report(
                findings.at(context.place(Span::new(first.start, last.end)), message).label("has no effect").help(help).replace(
                    Applicability::Safe,
                    fix,
                    context.place(Span::new(first.start, behind)),
                    "",
                ),
            );
        });
    }
}
