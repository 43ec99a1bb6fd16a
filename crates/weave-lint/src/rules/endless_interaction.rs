//! Somebody who may never answer.

use weave_analysis::model::DeclarationKind;
use weave_diagnostics::{Applicability, Code, Severity, Span};
use weave_syntax::ast::{ItemKind, ToolKind};

use crate::edit::{behind, entry_span};
use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "endless-interaction",
    severity: Severity::Warning,
    summary: "A step waits for a person without a time limit.",
    explanation: "A person answers an `interaction tool`, and that person may be on holiday. Neither the tool, nor a step that calls it, nor the workflow limits the wait, so the run may stay open forever. Give one of them a `timeout`, or add a node `on timeout(step, …)`.",
    bad: "\
/// A customer picks one of the accounts.
interaction tool choose(accounts: string[]) -> string

workflow pick(accounts: string[]) -> string {
  step choice {
    call choose { accounts: .input.accounts }
  }
  end chosen on choice = .choice
}
",
    good: "\
/// A customer picks one of the accounts.
interaction tool choose(accounts: string[]) -> string

workflow pick(accounts: string[]) -> string {
  step choice {
    call choose { accounts: .input.accounts }
    timeout 2d
  }
  end chosen on choice = .choice
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (DeclarationKind::Tool(tool), ItemKind::Tool(syntax)) = (&view.declaration.kind, &view.item.kind) else { return };
    if tool.kind != ToolKind::Interaction || tool.timeout.is_some() {
        return;
    }
    let Some(step) = view.project.facts.unbounded_call(view.id) else { return };
    let last = syntax.settings.as_ref().map(|block| (block, block.entries.last()));
    let (place, text) = match last {
        None => (view.place(Span::at(view.item.span.end)), " { timeout 1d }".to_owned()),
        Some((block, None)) => (view.place(block.span), "{ timeout 1d }".to_owned()),
        Some((_, Some(last))) => behind(view, entry_span(last), "timeout 1d"),
    };
    let finding =
        findings.at(view.declaration.place, format!("a run waits for an answer to `{}` without a time limit", view.declaration.name));
    findings.report(
        finding
            .label("no time limit")
            .also(step, "called here, with no timeout")
            .help("give the tool, the step or the workflow a `timeout`")
            .replace(Applicability::Unsafe, "wait for one day", place, text),
    );
}
