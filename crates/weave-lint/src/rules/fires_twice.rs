//! `a | b` where both come.

use weave_analysis::flow::Hazard;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::hazards::{name, name_place};
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "fires-twice",
    severity: Severity::Warning,
    summary: "A node fires for each of two steps that both always answer, before something that should happen once.",
    explanation: "`on a | b` fires whenever one of them answers, so twice if both do. Here both always do: no condition decides between them. What follows calls a tool that is neither `read_only` nor `idempotent`, or asks a person, and that happens twice. To wait for both, write `all(a, b)`; to take the first, `1 of (a, b)`; a `limit 1` on the node says that once is enough.",
    bad: "\
/// Reads a page.
tool fetch(source: string) -> string { hints [read_only] }

/// Publishes a text.
tool publish(text: string) { hints [open_world] }

workflow digest(source: string) {
  step page { call fetch { source: .input.source } }
  step archive { call fetch { source: \"the archive of {{.input.source}}\" } }
  step published on page | archive { call publish { text: .event } }
  end done on published
}
",
    good: "\
/// Reads a page.
tool fetch(source: string) -> string { hints [read_only] }

/// Publishes a text.
tool publish(text: string) { hints [open_world] }

workflow digest(source: string) {
  step page { call fetch { source: .input.source } }
  step archive { call fetch { source: \"the archive of {{.input.source}}\" } }
  step published on all(page, archive) { call publish { text: \"{{.page}} {{.archive}}\" } }
  end done on published
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    for hazard in &view.body.hazards {
        let Hazard::FiresTwice { node, first, second, repeated } = *hazard else { continue };
        let (one, other) = (name(view, first), name(view, second));
        let mut finding = findings
            .at(name_place(view, node), format!("`{}` fires twice: for `{one}` and for `{other}`", name(view, node)))
            .label("fires for each of them")
            .also(name_place(view, first), "always answers")
            .also(name_place(view, second), "always answers, too");
        if repeated != node {
            finding = finding.also(name_place(view, repeated), "so this is done twice");
        }
        findings
            .report(finding.help(format!("write `on all({one}, {other})` to wait for both, or `on 1 of ({one}, {other})` for the first")));
    }
}
