//! How a run comes to a node.

use weave_analysis::model::Model;
use weave_analysis::model::workflow::{Source, WorkflowBody};

/// The shortest way from the start of a run to a node, `start → look → timeout → tell`; nothing if no way leads there.
pub(crate) fn way(model: &Model, body: &WorkflowBody, node: u32) -> Option<String> {
    let reached = reached(body);
    let mut words: Vec<String> = Vec::new();
    let mut at = node;
    // No way is longer than there are nodes.
    for _ in 0..=body.nodes.len() {
        let trigger = (*reached.get(at as usize)?)?;
        let this = body.nodes.get(at as usize)?;
        words.push(this.name.to_string());
        let Some(source) = this.triggers.get(trigger as usize).map(|trigger| &trigger.source) else {
            words.push("start".to_owned());
            break;
        };
        words.extend(label(model, body, source));
        match before(source).first() {
            Some(step) => at = *step,
            None => break,
        }
    }
    words.reverse();
    Some(words.join(" → "))
}

/// Of each node the trigger by which it is reached first; of one that fires at the start without any, zero.
fn reached(body: &WorkflowBody) -> Vec<Option<u32>> {
    let mut followers: Vec<Vec<(u32, u32)>> = vec![Vec::new(); body.nodes.len()];
    let mut missing: Vec<Vec<usize>> = Vec::with_capacity(body.nodes.len());
    let mut found: Vec<Option<u32>> = vec![None; body.nodes.len()];
    let mut open = std::collections::VecDeque::new();
    for (index, node) in body.nodes.iter().enumerate() {
        let mut counts = Vec::with_capacity(node.triggers.len());
        let mut begins = if node.triggers.is_empty() { Some(0) } else { None };
        for (trigger, it) in node.triggers.iter().enumerate() {
            let steps = before(&it.source);
            counts.push(if let Source::Count(count, _) = it.source { count as usize } else { steps.len() });
            if steps.is_empty() && it.source != Source::Unknown {
                begins = begins.or(Some(trigger as u32));
            }
            for step in steps {
                if let Some(known) = followers.get_mut(*step as usize) {
                    known.push((index as u32, trigger as u32));
                }
            }
        }
        missing.push(counts);
        if let (Some(_), Some(known)) = (begins, found.get_mut(index)) {
            *known = begins;
            open.push_back(index as u32);
        }
    }
    while let Some(step) = open.pop_front() {
        for (node, trigger) in followers.get(step as usize).into_iter().flatten() {
            let Some(left) = missing.get_mut(*node as usize).and_then(|counts| counts.get_mut(*trigger as usize)) else { continue };
            *left = left.saturating_sub(1);
            if let (0, Some(known @ None)) = (*left, found.get_mut(*node as usize)) {
                *known = Some(*trigger);
                open.push_back(*node);
            }
        }
    }
    found
}

/// The steps that a trigger waits for.
fn before(source: &Source) -> &[u32] {
    match source {
        Source::Step(step)
        | Source::TopicFrom(_, step)
        | Source::ToolFrom { step, .. }
        | Source::Failure(step)
        | Source::Timeout { step: Some(step), .. } => std::slice::from_ref(step),
        Source::All(steps) | Source::Count(_, steps) | Source::Settled(steps) => steps,
        Source::Start | Source::Unknown | Source::Topic(_) | Source::AnyFailure | Source::Timeout { step: None, .. } => &[],
    }
}

/// What stands on the way between the step before and the node, if it is not just that step's answer.
fn label(model: &Model, body: &WorkflowBody, source: &Source) -> Option<String> {
    let name = |step: &u32| body.nodes.get(*step as usize).map(|node| node.name.to_string()).unwrap_or_default();
    let names = |steps: &[u32]| steps.iter().map(name).collect::<Vec<_>>().join(", ");
    let topic = |id| model.get(id).map(|topic| topic.name.to_string());
    match source {
        Source::Step(_) | Source::Unknown => None,
        Source::Start => Some("start".to_owned()),
        Source::Topic(id) | Source::TopicFrom(id, _) => topic(*id),
        Source::ToolFrom { name, .. } => Some(name.to_string()),
        Source::All(steps) => Some(format!("all({})", names(steps))),
        Source::Count(count, steps) => Some(format!("{count} of ({})", names(steps))),
        Source::Settled(steps) => Some(format!("settled({})", names(steps))),
        Source::Failure(_) | Source::AnyFailure => Some("failure".to_owned()),
        Source::Timeout { .. } => Some("timeout".to_owned()),
    }
}
