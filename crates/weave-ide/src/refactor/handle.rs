//! What happens when a step fails, or nobody answers it.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::workflow::{Action, Node};
use weave_diagnostics::{Edit, FileId, Span};
use weave_lint::notices;
use weave_syntax::ast::{ItemKind, NodeKind, ToolKind};

use super::{Refactoring, RefactoringKind, fresh};
use crate::Analysis;

/// How long somebody has to answer, until the author says otherwise.
const TIME: &str = "24h";

/// What adds a node for the failure of the step that a range is in, and one for an answer that does not come.
pub(super) fn handlers<'a>(analysis: &'a Analysis, file: FileId, range: Span) -> Vec<Refactoring<'a>> {
    let Some(item) = analysis.item_at(file, range.start).filter(|item| !item.slot.has_errors()) else { return Vec::new() };
    let ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind else { return Vec::new() };
    let Some(body) = analysis.declared_by(&item).and_then(|(id, _)| analysis.body(id)) else { return Vec::new() };
    let is_here = |node: &Node| node.kind == NodeKind::Step && analysis.in_text(node.place).span.touches(range.start);
    let (Some(index), Some(last)) = (body.nodes.iter().position(is_here), workflow.nodes.last()) else { return Vec::new() };
    let (Some(node), Some(notice)) = (body.nodes.get(index), notices(&body.nodes).into_iter().nth(index)) else { return Vec::new() };
    let can = Trouble::of(analysis, node);
    // A node without a body reaches up to what follows it.
    let last = Span::new(last.span.start, last.span.start + last.span.text(item.context.text).trim_end().len() as u32);
    let at = item.place(Span::at(last.end));
    let added = |title: String, suffix: &str, trigger: String, message: &str, mended: &[&str]| {
        let taken = |name: &str| workflow.nodes.iter().any(|node| node.name.text(item.context.text) == name);
        let name = fresh::numbered(&format!("{}_{suffix}", node.name), taken);
        let changes = vec![Edit { place: at, text: format!("\n  fail {name} on {trigger} = \"{message}\"") }];
        let place = analysis.in_text(node.name_place);
        let mut findings = analysis.diagnostics(file).iter();
        let found = findings.find(|found| mended.contains(&found.code.id) && found.primary.place == place);
        match found {
            Some(diagnostic) => Refactoring::mending(diagnostic, title, changes),
            None => Refactoring::new(RefactoringKind::Rewrite, title, changes),
        }
    };
    let mut offered = Vec::new();
    if can.fail && !notice.failure_is_heard {
        let title = format!("Add what happens when `{}` fails", node.name);
        let trigger = format!("failure({})", node.name);
        let mends = ["unhandled-failure", "unhandled-timeout"];
        offered.push(added(title, "failed", trigger, "{{.failure.message}}", &mends));
    }
    if can.stay_open && !notice.is_timed && node.timeout.is_none() {
        let title = format!("Handle a missing answer to `{}`", node.name);
        let trigger = format!("timeout({}, {TIME})", node.name);
        offered.push(added(title, "late", trigger, &format!("{} was not answered within {TIME}", node.name), &["unbounded-wait"]));
    }
    offered
}

/// What may go wrong with a step.
struct Trouble {
    /// It may fail.
    fail: bool,
    /// Its answer may never come.
    stay_open: bool,
}

impl Trouble {
    fn of(analysis: &Analysis, node: &Node) -> Self {
        let kind = |id| analysis.model().get(id).map(|declaration| &declaration.kind);
        let (fail, stay_open) = match &node.action {
            Action::Ask { .. } | Action::Run { .. } => (true, false),
            Action::Call { tool, .. } => {
                let tool = if let Some(DeclarationKind::Tool(tool)) = kind(*tool) { Some(tool) } else { None };
                (true, tool.is_some_and(|tool| tool.kind == ToolKind::Interaction || tool.deferred.is_some()))
            }
            Action::Emit { event, .. } => {
                let answers = matches!(kind(*event), Some(DeclarationKind::Event(event)) if !event.answers.is_empty());
                (answers, answers)
            }
            Action::WaitTopics { .. } => (node.timeout.is_some(), true),
            _ => (false, false),
        };
        Self { fail, stay_open }
    }
}
