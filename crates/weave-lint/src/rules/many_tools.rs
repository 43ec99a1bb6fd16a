//! More tools than a model can choose among.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::declarations::Activation;
use weave_analysis::model::offered::offered;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule, RuleOption};

static CODE: Code = Code {
    id: "many-tools",
    severity: Severity::Warning,
    summary: "An agent has more tools than a model can choose from reliably.",
    explanation: "The more tools a model has, the more often it picks the wrong one, and the more each request costs. Give the agent only the tools that it needs, split it, or let the model search for rarely used tools with `activation deferred`.",
    bad: "\
/// Looks up items of kind a.
tool find_a(id: string) -> string { hints [read_only] }
/// Looks up items of kind b.
tool find_b(id: string) -> string { hints [read_only] }
/// Looks up items of kind c.
tool find_c(id: string) -> string { hints [read_only] }
/// Looks up items of kind d.
tool find_d(id: string) -> string { hints [read_only] }
/// Looks up items of kind e.
tool find_e(id: string) -> string { hints [read_only] }
/// Looks up items of kind f.
tool find_f(id: string) -> string { hints [read_only] }
/// Looks up items of kind g.
tool find_g(id: string) -> string { hints [read_only] }
/// Looks up items of kind h.
tool find_h(id: string) -> string { hints [read_only] }
/// Looks up items of kind i.
tool find_i(id: string) -> string { hints [read_only] }
/// Looks up items of kind j.
tool find_j(id: string) -> string { hints [read_only] }
/// Looks up items of kind k.
tool find_k(id: string) -> string { hints [read_only] }
/// Looks up items of kind l.
tool find_l(id: string) -> string { hints [read_only] }
/// Looks up items of kind m.
tool find_m(id: string) -> string { hints [read_only] }
/// Looks up items of kind n.
tool find_n(id: string) -> string { hints [read_only] }
/// Looks up items of kind o.
tool find_o(id: string) -> string { hints [read_only] }
/// Looks up items of kind p.
tool find_p(id: string) -> string { hints [read_only] }
/// Looks up items of kind q.
tool find_q(id: string) -> string { hints [read_only] }
/// Looks up items of kind r.
tool find_r(id: string) -> string { hints [read_only] }
/// Looks up items of kind s.
tool find_s(id: string) -> string { hints [read_only] }
/// Looks up items of kind t.
tool find_t(id: string) -> string { hints [read_only] }
/// Looks up items of kind u.
tool find_u(id: string) -> string { hints [read_only] }

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find_a, find_b, find_c, find_d, find_e, find_f, find_g, find_h, find_i, find_j, find_k, find_l, find_m, find_n, find_o, find_p, find_q, find_r, find_s, find_t, find_u]
}
",
    good: "\
/// Looks up items of a kind.
tool find(kind: string, id: string) -> string { hints [read_only] }

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You handle this request: {{.task}}\"
  tools [find]
}
",
};

pub(crate) static RULE: Rule = Rule {
    code: &CODE,
    group: Group::Suspicious,
    fixable: Fixable::No,
    check: Check::Declaration(check),
    options: &[RuleOption {
        name: "most",
        summary: "How many tools are fine, those that are `deferred` not counted.",
        default: 20,
        least: 1,
        most: 1000,
    }],
};

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Agent(agent) = &view.declaration.kind else { return };
    // Each entry of the list is a tool at least, but for a toolkit.
    if agent.tools.is_empty() {
        return;
    }
    let (model, most) = (view.project.model, findings.option("most"));
    let is_deferred =
        |id| matches!(model.get(id).map(|it| &it.kind), Some(DeclarationKind::Tool(tool)) if tool.activation == Activation::Deferred);
    let count = offered(model, &agent.tools).tools.iter().filter(|offered| !is_deferred(offered.target)).count();
    if (count as u64) <= most {
        return;
    }
    let Some(tools) = view.setting("tools") else { return };
    let finding = findings.at(view.declaration.place, format!("the agent `{}` has {count} tools", view.declaration.name));
    let finding = finding.label(format!("more than {most}")).also(view.place(tools.span), "including all toolkits");
    findings.report(finding.help("give it only what it needs, split it, or set `activation deferred` on rarely used tools"));
}
