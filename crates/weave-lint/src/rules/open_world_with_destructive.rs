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
    summary: "An agent reads texts of strangers, and may destroy something without anybody being asked.",
    explanation: "A tool that is `open_world` brings texts into the conversation that anybody may have written, and a text may tell the \
                  model what to do next. The same agent may call a `destructive` tool with `approval never`. Together they let a \
                  stranger use that tool. Ask before it runs, or give the two tools to two agents.",
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

/// Does what it is told.
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

/// Does what it is told.
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
        format!("`{}` reads texts of strangers, and may call the destructive `{}` unasked", view.declaration.name, destroyer.name);
    let finding = findings.at(view.declaration.place, message).label("a text may tell it what to do");
    findings.report(
        finding
            .also(stranger.place, "brings texts that anybody may have written")
            .also(destroyer.place, "destroys something, and asks nobody")
            .help(format!("say `approval always` in `{}`, or give the two tools to two agents", destroyer.name)),
    );
}
