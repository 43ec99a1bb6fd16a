//! What the nodes of a workflow read and listen to.

use weave_analysis::model::value::PathRoot;
use weave_analysis::model::workflow::{Action, Node, Source};

/// The steps that a trigger names.
pub(crate) fn steps(source: &Source) -> &[u32] {
    match source {
        Source::Step(step)
        | Source::TopicFrom(_, step)
        | Source::ToolFrom { step, .. }
        | Source::Failure(step)
        | Source::Timeout { step: Some(step), .. } => std::slice::from_ref(step),
        Source::All(steps) | Source::Count(_, steps) | Source::Settled(steps) => steps,
        Source::Start | Source::Topic(_) | Source::AnyFailure | Source::Timeout { step: None, .. } | Source::Unknown => &[],
    }
}

/// Who takes notice of each step of a workflow.
#[derive(Clone, Debug, Default)]
pub struct Notice {
    /// Whether something reads its answer.
    pub is_read: bool,
    /// Whether a trigger names it, or may fire on what it is answered with.
    pub is_heard: bool,
    /// Whether its failure is handled.
    pub failure_is_heard: bool,
    /// Whether something happens if it takes too long.
    pub is_timed: bool,
    /// Whether another step cancels it.
    pub is_cancelled: bool,
}

/// Who takes notice of each step.
#[must_use]
pub fn notices(nodes: &[Node]) -> Vec<Notice> {
    let triggers = || nodes.iter().flat_map(|node| &node.triggers);
    // What a topic brings may come from any step; who hears it hears all of them.
    let hears_all = triggers().any(|trigger| matches!(trigger.source, Source::Topic(_)));
    let hears_failures = triggers().any(|trigger| matches!(trigger.source, Source::AnyFailure));
    let whole = Notice { is_read: hears_all, is_heard: hears_all, failure_is_heard: hears_failures, ..Notice::default() };
    let mut notices = vec![whole; nodes.len()];
    let mut notice = |step: u32, set: &dyn Fn(&mut Notice)| notices.get_mut(step as usize).into_iter().for_each(set);
    for node in nodes {
        let mut reads_event = false;
        node.paths(&mut |path| match path.root {
            PathRoot::Step { node, .. } => notice(node, &|notice| notice.is_read = true),
            PathRoot::Event | PathRoot::Response | PathRoot::Result => reads_event = true,
            _ => {}
        });
        for trigger in &node.triggers {
            let (is_failure, is_timeout) = match trigger.source {
                Source::Failure(_) | Source::Settled(_) => (true, false),
                Source::Timeout { .. } => (false, true),
                _ => (false, false),
            };
            for step in steps(&trigger.source) {
                notice(*step, &|notice| {
                    notice.is_heard = true;
                    notice.is_read |= reads_event;
                    notice.failure_is_heard |= is_failure;
                    notice.is_timed |= is_timeout;
                });
            }
        }
        for step in &node.history {
            notice(step.node, &|notice| (notice.is_read, notice.is_heard) = (true, true));
        }
        if let Action::Cancel(steps) = &node.action {
            steps.iter().for_each(|step| notice(step.node, &|notice| notice.is_cancelled = true));
        }
    }
    notices
}

/// Whether each node may fire more than once in a run.
pub(crate) fn repeating(nodes: &[Node]) -> Vec<bool> {
    let mut listeners: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    let mut open = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        for trigger in &node.triggers {
            for step in steps(&trigger.source) {
                if let Some(listeners) = listeners.get_mut(*step as usize) {
                    listeners.push(index as u32);
                }
            }
        }
        // A circle has a way in and a way back, so one of its nodes has two triggers.
        let from_outside = |source: &Source| {
            matches!(source, Source::Topic(_) | Source::TopicFrom(..) | Source::ToolFrom { .. } | Source::AnyFailure | Source::Unknown)
        };
        if node.triggers.len() > 1 || node.triggers.iter().any(|trigger| from_outside(&trigger.source)) {
            open.push(index as u32);
        }
    }
    let mut repeats = vec![false; nodes.len()];
    while let Some(node) = open.pop() {
        if let Some(known) = repeats.get_mut(node as usize)
            && !std::mem::replace(known, true)
        {
            open.extend(listeners.get(node as usize).into_iter().flatten());
        }
    }
    repeats
}
