//! A stranger who can make a model destroy something.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::declarations::Approval;
use weave_analysis::model::offered::offered;
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "open-world-with-destructive",
    severity: Severity::Warning,
    summary: "An agent reads untrusted text and may call a destructive tool without approval.",
    explanation: "An `open_world` tool brings text from unknown authors into the conversation, and that text may instruct the model. The same agent may call a `destructive` tool with `approval never`. Together they let an attacker use that tool. Require approval for it, or give the two tools to different agents.",
    bad: "\
/// Searches the web for pages about something.
tool search_web(query: string) -> string[] {
  hints [read_only, open_world]
}

/// Closes an account for good.
tool close(account: string) {
  hints [destructive]
  approval never
}

/// Handles requests of customers.
agent clerk(task: string) -> string {
  model mini
  system \"You help with {{.task}}.\"
  tools [search_web, close]
}
",
    good: "\
/// Searches the web for pages about something.
tool search_web(query: string) -> string[] {
  hints [read_only, open_world]
}

/// Closes an account for good.
tool close(account: string) {
  hints [destructive]
  approval always
}

/// Handles requests of customers.
agent clerk(task: string) -> string {
  model mini
  system \"You help with {{.task}}.\"
  tools [search_web, close]
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let DeclarationKind::Agent(agent) = &view.declaration.kind else { return };
    if agent.tools.is_empty() {
        return;
    }
    let model = view.project.model;
    let tools = offered(model, &agent.tools).tools;
    let tool = |id| match model.get(id).map(|declaration| (declaration, &declaration.kind)) {
        Some((declaration, DeclarationKind::Tool(tool))) => Some((declaration, tool, tool.hints?)),
        _ => None,
    };
    let mut known = tools.iter().filter_map(|offered| Some((offered.place, tool(offered.target)?)));
    let Some((_, (stranger, ..))) = known.clone().find(|(_, (_, tool, hints))| hints.open_world && !tool.silent) else { return };
    let Some((_, (destroyer, ..))) =
        known.find(|(_, (_, tool, hints))| hints.destructive && matches!(tool.approval, Some(Approval::Never)))
    else {
        return;
    };
    let message =
        format!("`{}` reads untrusted text and may call the destructive `{}` without approval", view.declaration.name, destroyer.name);
    let finding = findings.at(view.declaration.place, message).label("untrusted text may instruct it");
    findings.report(
        finding
            .also(stranger.place, "returns text from unknown authors")
            .also(destroyer.place, "destructive, and runs without approval")
            .help(format!("set `approval always` on `{}`, or give the two tools to different agents", destroyer.name)),
    );
}
