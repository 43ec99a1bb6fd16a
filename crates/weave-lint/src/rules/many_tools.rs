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
    summary: "An agent is offered more tools than its model can choose among.",
    explanation: "The more tools a model is offered, the more often it takes the wrong one, and the more each request costs. Give the \
                  agent what it needs, split it, or let the model look for what it needs seldom: `activation deferred`.",
    bad: "\
/// Finds out how things of the kind a stand.
tool find_a(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind b stand.
tool find_b(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind c stand.
tool find_c(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind d stand.
tool find_d(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind e stand.
tool find_e(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind f stand.
tool find_f(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind g stand.
tool find_g(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind h stand.
tool find_h(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind i stand.
tool find_i(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind j stand.
tool find_j(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind k stand.
tool find_k(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind l stand.
tool find_l(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind m stand.
tool find_m(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind n stand.
tool find_n(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind o stand.
tool find_o(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind p stand.
tool find_p(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind q stand.
tool find_q(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind r stand.
tool find_r(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind s stand.
tool find_s(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind t stand.
tool find_t(id: string) -> string { hints [read_only] }
/// Finds out how things of the kind u stand.
tool find_u(id: string) -> string { hints [read_only] }

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You do what you are told: {{.task}}\"
  tools [find_a, find_b, find_c, find_d, find_e, find_f, find_g, find_h, find_i, find_j, find_k, find_l, find_m, find_n, find_o, find_p, find_q, find_r, find_s, find_t, find_u]
}
",
    good: "\
/// Finds out how things of some kind stand.
tool find(kind: string, id: string) -> string { hints [read_only] }

/// Answers questions about orders.
agent clerk(task: string) -> string {
  model mini
  system \"You do what you are told: {{.task}}\"
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
    let finding = findings.at(view.declaration.place, format!("the agent `{}` is offered {count} tools", view.declaration.name));
    let finding = finding.label(format!("more than {most}")).also(view.place(tools.span), "with all toolkits");
    findings.report(finding.help("offer it what it needs, split it, or say `activation deferred` in tools that it needs seldom"));
}
