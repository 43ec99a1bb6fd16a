//! Plays scripts: each branch with both fillings.

use weave_ir::Definition;
use weave_runner::Event;
use weave_sample::Sampler;

use crate::coverage::{Coverage, Goal};
use crate::finding::{Finding, FindingId, FixPlace};
use crate::literal::rest_at;
use crate::play::Play;
use crate::script::{Branch, Line, LineKind, Literal, Script, Span};
use crate::subject::{Subject, cut, written};
use crate::trace::{Decision, ReadValue};

/// What playing a script came to.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its leaves, in source order.
    pub leaves: Vec<Leaf>,
    /// What they have reached.
    pub coverage: Coverage,
}

/// One run: a branch without inner tests.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The names on the way to it: `refund/above_the_limit/manager_approves`.
    pub path: String,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// Where its name is.
    pub span: Span,
    /// Why it fails; none: it passes. Leaves that share the failing line have the same finding.
    pub finding: Option<Finding>,
    /// The scroll of its run, up to the failure.
    pub scroll: Vec<Event>,
}

/// Plays all branches of a script.
#[must_use]
pub fn play(subject: &Subject, script: &Script) -> Played {
    let sampler = Sampler::new(subject.definition());
    let mut ends = [Vec::new(), Vec::new()];
    for (filling, ends) in (0..).zip(&mut ends) {
        let play = Play::new(subject, &sampler, filling);
        descend(play, &script.root, "", None, ends);
    }
    let [first, second] = ends;
    let mut coverage = Coverage::default();
    let leaves = first.into_iter().zip(second).map(|(first, second)| {
        coverage.merge(&covered(subject.definition(), &first.play));
        let finding = compared(&first, &second);
        Leaf { path: first.path, doc: first.branch.doc.clone(), span: first.branch.span, finding, scroll: first.play.scroll }
    });
    let leaves = leaves.collect();
    Played { leaves, coverage }
}

/// Where a leaf ended with one filling.
struct End<'s> {
    path: String,
    branch: &'s Branch,
    play: Play<'s>,
    finding: Option<Finding>,
}

/// Plays a branch, and what is inside it.
fn descend<'s>(mut play: Play<'s>, branch: &'s Branch, above: &str, failed: Option<Finding>, ends: &mut Vec<End<'s>>) {
    let path = if above.is_empty() { branch.name.clone() } else { format!("{above}/{}", branch.name) };
    let mut finding = failed;
    for line in &branch.lines {
        if finding.is_some() {
            break;
        }
        play.lines.push(line);
        finding = play.act(line).err().or_else(|| play.look(line).err());
    }
    if let Some((last, others)) = branch.branches.split_last() {
        for inner in others {
            descend(play.clone(), inner, &path, finding.clone(), ends);
        }
        return descend(play, last, &path, finding, ends);
    }
    if finding.is_none() && !play.runner.is_done() {
        let parked = play.lines.last().is_some_and(|line| matches!(line.kind, LineKind::Open { .. }));
        let span = play.lines.last().map_or(branch.span, |line| line.span);
        finding = (!parked).then(|| play.not_over(span));
    }
    ends.push(End { path, branch, play, finding });
}

/// What is wrong with a leaf that was played with both fillings.
fn compared(first: &End<'_>, second: &End<'_>) -> Option<Finding> {
    let same_way = first.play.way().eq(second.play.way());
    match (&first.finding, &second.finding) {
        (None, None) if same_way => None,
        (Some(one), Some(other)) if one.id == other.id && one.span == other.span => Some(one.clone()),
        (one, other) => made_up(first, second).or_else(|| one.clone().or_else(|| other.clone())),
    }
}

/// The made-up value on which two plays part.
fn made_up(first: &End<'_>, second: &End<'_>) -> Option<Finding> {
    if let Some((one, other)) = first.play.parting(&second.play) {
        let invented = one.reads.iter().zip(&other.reads).find(|(one, other)| one.is_invented() && one.value != other.value);
        if let Some((one_read, other_read)) = invented {
            let (text, place) = first.play.subject.guard(&one.node, one.item).unwrap_or_default();
            let [low, high] = [one_read, other_read].map(|read| cut(&written(&read.value)));
            let results = sides(one, other, &low, &high);
            let finding = say(&first.play, one_read, &low, &high)?;
            return Some(finding.note(format!("the guard `{text}`{place} is {results}")));
        }
    }
    // No guard tells them apart: a value that is expected, or how often something happens.
    let texts = first.play.trace.texts.iter().zip(&second.play.trace.texts);
    let differs = |(one, other): &(&(String, ReadValue), &(String, ReadValue))| one.1.is_invented() && one.1.value != other.1.value;
    let ((node, one), (_, other)) = texts.into_iter().rev().find(differs)?;
    let [low, high] = [one, other].map(|read| cut(&written(&read.value)));
    let finding = say(&first.play, one, &low, &high)?;
    Some(finding.note(format!("`{node}` reads `{}`: {low} in one play of the test, {high} in the other", one.path)))
}

fn sides(one: &Decision, other: &Decision, low: &str, high: &str) -> String {
    format!("{} for {low} and {} for {high}", one.result, other.result)
}

/// "This test depends on a value that it does not say".
fn say(play: &Play<'_>, read: &ReadValue, low: &str, high: &str) -> Option<Finding> {
    let line: &Line = play.lines.get(read.origin.as_ref()?.line)?;
    let rest = given(line).and_then(|given| rest_at(given, &read.pointer));
    let field = read.pointer.rsplit('/').next().unwrap_or_default();
    let finding = Finding::new(FindingId::MadeUp, rest.unwrap_or(line.span), "this test depends on a value that it does not say");
    let label = if field.is_empty() { "its value is made up here".to_owned() } else { format!("`{field}` is made up here") };
    let finding = finding.label(label);
    Some(match rest {
        Some(rest) => finding.fix(
            format!("write `{field}: {low}` or `{field}: {high}`"),
            FixPlace::Before(rest),
            format!("{field}: {}, ", written(&read.value)),
        ),
        None => {
            let value = if field.is_empty() { low.to_owned() } else { format!("{{ {field}: {low}, ... }}") };
            finding.note(format!("say it on this line, such as `{value}`"))
        }
    })
}

/// What a line gives.
const fn given(line: &Line) -> Option<&Literal> {
    match &line.kind {
        LineKind::Start { input: given }
        | LineKind::Answer { value: given, .. }
        | LineKind::Fail { payload: given, .. }
        | LineKind::Call { args: given, .. }
        | LineKind::Send { payload: given, .. } => given.as_ref(),
        _ => None,
    }
}

/// What a run has reached.
pub(crate) fn covered(definition: &Definition, play: &Play<'_>) -> Coverage {
    let mut coverage = play.coverage.clone();
    for (node, number) in play.way() {
        coverage.reach(Goal::Node { node: node.to_owned() });
        let limit = definition.node(node).and_then(|node| node.limit);
        if limit.is_some_and(|limit| u64::from(limit) == number) {
            coverage.reach(Goal::Limit { node: node.to_owned() });
        }
    }
    for (node, item) in &play.trace.chosen {
        coverage.reach(Goal::Item { node: node.clone(), item: *item });
    }
    for decision in &play.trace.decisions {
        coverage.reach(Goal::Guard { node: decision.node.clone(), item: decision.item, result: decision.result });
    }
    coverage
}
