//! A regular expression that says what a plain method says.

use weave_analysis::model::guard::plain_pattern;
use weave_diagnostics::{Applicability, Code, Edit, Fix, Severity};
use weave_syntax::ast::{Expr, LiteralKind, Segment};

use crate::findings::Findings;
use crate::guards;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "needless-pattern",
    severity: Severity::Warning,
    summary: "A regular expression does what `contains`, `startsWith` or `endsWith` does.",
    explanation: "`.matches(\"^INV-\")` checks whether a string starts with `INV-`. `.startsWith(\"INV-\")` says so directly, needs no knowledge of regular expressions, and never treats a character as special by mistake.",
    bad: "workflow sort(id: string) -> string {\n  end invoice on start when .input.id.matches(\"^INV-\") = \"an invoice\"\n  end other on start else = \"something else\"\n}\n",
    good: "workflow sort(id: string) -> string {\n  end invoice on start when .input.id.startsWith(\"INV-\") = \"an invoice\"\n  end numbered on start when .input.id.matches(\"^[0-9]+$\") = \"a number\"\n  end other on start else = \"something else\"\n}\n",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Style, fixable: Fixable::Safe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for &(context, guard) in file.written_guards() {
        guards::parts(guard, &mut |part| {
            let Expr::Path(path) = part else { return };
            for pair in path.segments.windows(2) {
                let [Segment::Field(name), Segment::Call { arguments, .. }] = pair else { continue };
                let [Expr::Literal(pattern)] = &**arguments else { continue };
                if name.text(context.text) != "matches" || pattern.kind != LiteralKind::String {
                    continue;
                }
                let written = pattern.span.text(context.text);
                let Some(written) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { continue };
                let Some((method, plain)) = plain_pattern(written) else { continue };
                let method = method.name();
                let edit = |span, text: String| Edit { place: context.place(span), text };
                let edits = vec![edit(name.span, method.to_owned()), edit(pattern.span, format!("\"{plain}\""))];
                findings.report(
                    findings
                        .at(context.place(pattern.span), "a regular expression contains no special characters")
                        .label(format!("means the same as `.{method}(\"{plain}\")`"))
                        .help(format!("write `.{method}(\"{plain}\")`"))
                        .fix(Fix { message: format!("use `{method}`"), edits, applicability: Applicability::Safe }),
                );
            }
        });
    }
}
