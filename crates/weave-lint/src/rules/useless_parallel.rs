//! A bound that the list never reaches.

use weave_analysis::model::types::Type;
use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::edit::with_blanks_before;
use crate::findings::Findings;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "useless-parallel",
    severity: Severity::Warning,
    summary: "`parallel` is not below the maximum length of the list.",
    explanation: "The list has a maximum length, and `parallel` is not below it: all elements are in flight at once, exactly as without `parallel`. Lower it, or remove it.",
    bad: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guests: string[](max: 5)) {
  step letters each .input.guests as guest parallel 10 { call send { to: .guest } }
  end done on letters
}
",
    good: "\
/// Sends a letter.
tool send(to: string) { hints [open_world] }

workflow invite(guests: string[](max: 50)) {
  step letters each .input.guests as guest parallel 10 { call send { to: .guest } }
  end done on letters
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Safe, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let (model, text) = (view.declaration.project.model, view.declaration.context.text);
    for node in view.nodes() {
        let (Some(each), Some(written)) = (&node.node.each, node.syntax.each()) else { continue };
        let Some(Type::List(list)) = each.list.as_ref().map(|list| model.resolve(&list.ty)) else { continue };
        let (Some(most), Some(parallel), Some(number)) = (list.max, each.parallel, &written.parallel) else { continue };
        if parallel < most {
            continue;
        }
        let number = number.span();
        let before = text.get(..number.start as usize).unwrap_or_default().trim_end();
        let Some(before) = before.strip_suffix("parallel") else { continue };
        let clause = Span::new(before.len() as u32, number.end);
        let finding = findings.at(view.place(clause), format!("`{}` allows {parallel} at a time of at most {most}", node.node.name));
        findings.report(
            finding
                .label("has no effect")
                .also(view.place(written.list.span()), format!("has at most {most}"))
                .help(format!("set it below {most}, or remove `parallel`"))
                .replace(Applicability::Safe, "remove it", view.place(with_blanks_before(text, clause)), ""),
        );
    }
}
