//! Parentheses in a guard that group nothing.

use weave_diagnostics::{Applicability, Code, Edit, Fix, Severity, Span};
use weave_syntax::ast::Expr;

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "redundant-parentheses",
    severity: Severity::Warning,
    summary: "Parentheses in a guard have no effect.",
    explanation: "A guard needs no parentheses around it, and neither does a path, a call or a literal in it. Parentheses that clarify the order of operators are not reported, and neither are those that hold a guard of several lines together.",
    bad: "workflow greet(age: int) -> string {\n  end young on start when (.input.age < 18) = \"hi\"\n  end grown on start else = \"good day\"\n}\n",
    good: "workflow greet(age: int, formal: bool) -> string {\n  end young on start when (.input.age < 18 && !.input.formal) || .input.age < 6 = \"hi\"\n  end grown on start else = \"good day\"\n}\n",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for &(context, guard) in file.written_guards() {
        guards::parts(guard, &mut |part| {
            let Expr::Parenthesized(parentheses) = part else { return };
            let (outer, inner) = (parentheses.0, &parentheses.1);
            let is_all = std::ptr::eq(part, guard);
            if !(is_all || matches!(inner, Expr::Parenthesized(_) | Expr::Path(_) | Expr::Literal(_))) {
                return;
            }
            let (before, behind) = (Span::new(outer.start, inner.span().start), Span::new(inner.span().end, outer.end));
            // A comment would lose its place, and lines are held together by parentheses.
            let is_bare = before.text(context.text).trim() == "(" && behind.text(context.text).trim() == ")";
            if !is_bare || outer.text(context.text).contains('\n') {
                return;
            }
            if guards::ends_in_path(inner) && guards::is_before_truth(context.text, outer.end) {
                return;
            }
            let touches = |character: Option<char>| character.is_some_and(|it| it.is_alphanumeric() || it == '_');
            let text_before = context.text.get(..outer.start as usize).unwrap_or_default();
            let text_behind = context.text.get(outer.end as usize..).unwrap_or_default();
            let gap = |is_touched: bool| if is_touched { " " } else { "" }.to_owned();
            let edits = vec![
                Edit { place: context.place(before), text: gap(touches(text_before.chars().next_back())) },
                Edit { place: context.place(behind), text: gap(touches(text_behind.chars().next())) },
            ];
            findings.report(
                findings
                    .at(context.place(outer), if is_all { "parentheses enclose a whole guard" } else { "parentheses have no effect" })
                    .label("means the same without them")
                    .help("remove the parentheses")
                    .fix(Fix { message: "remove them".to_owned(), edits, applicability: Applicability::Safe }),
            );
        });
    }
}
