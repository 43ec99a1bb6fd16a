//! The choices of a workflow: what their guards say about each other, and where nothing would fire.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Flow;
use super::company::Company;
use super::dominators::{Answered, Dominators};
use super::firings::Firings;
use super::graph::Cause;
use super::groups::GroupId;
use super::lineage::Lineage;
use super::reads;
use super::stalls::Stalls;
use crate::choices::{Asked, Choice, Coverage, Member, Role, RootKey, RootValue, Roots, Verdict, decide};
use crate::messages::choices as message;
use crate::model::guard::Guard;
use crate::model::types::{RecordType, Type};
use crate::model::value::{PathRoot, PathSegment, ResolvedPath};
use crate::model::workflow::{Action, Condition, Node, Source, Time, Trigger};

/// The choices, in the order in which their triggers stand in the text. A trigger of which no node has a guard or a limit has none.
pub(super) fn find(flow: &Flow<'_>, dominators: &Dominators, input: &Arc<RecordType>) -> Vec<Choice> {
    let found = groups_of_choices(flow);
    if found.is_empty() {
        return Vec::new();
    }
    let firings = Firings::new(&flow.graph);
    let known = Known::new(flow, &found);
    found.iter().map(|found| choice(flow, input, (&firings, dominators, &known), found)).collect()
}

/// A group of triggers that is a choice.
struct Found<'f, 'a> {
    id: GroupId,
    /// The first of the triggers, and what makes it fire.
    first: &'f Trigger,
    cause: Cause<'a>,
}

fn groups_of_choices<'f>(flow: &'f Flow<'_>) -> Vec<Found<'f, 'f>> {
    let groups = &flow.graph.groups;
    let mut found = Vec::new();
    for (index, node) in flow.graph.indexed() {
        for (place, trigger) in node.triggers.iter().enumerate() {
            let Some(id) = groups.id(index, place as u32) else { continue };
            // A node without a trigger fires at the start and has nothing to ask.
            let has_trigger = |member: &&super::groups::Member| flow.graph.node(member.node).is_some_and(|node| !node.triggers.is_empty());
            let first = groups.members(id).iter().find(has_trigger);
            let is_first = first.is_some_and(|first| (first.node, first.trigger) == (index, place as u32));
            if is_first && groups.members(id).iter().any(|member| !member.always) {
                let cause = flow.graph.causes_of(index).get(place).copied().unwrap_or(Cause::Start);
                found.push(Found { id, first: trigger, cause });
            }
        }
    }
    found
}

/// Which of the steps that guards read have answered whenever they are asked.
struct Known {
    answered: Answered,
    /// The others of which joins and conditions show it, by the group of the trigger.
    shown: FxHashSet<(GroupId, u32)>,
}

impl Known {
    fn new(flow: &Flow<'_>, choices: &[Found<'_, '_>]) -> Self {
        let graph = &flow.graph;
        let mut known = Self { answered: Answered::new(graph), shown: FxHashSet::default() };
        let mut asked: FxHashMap<u32, Vec<&Found<'_, '_>>> = FxHashMap::default();
        let mut steps = Vec::new();
        for choice in choices {
            let members = graph.groups.members(choice.id).iter();
            for trigger in members.filter_map(|member| graph.node(member.node)?.triggers.get(member.trigger as usize)) {
                reads::of_trigger(trigger, Vec::new(), &mut |read| {
                    if known.answered.by(&choice.cause, read.step) {
                        return;
                    }
                    let askers = asked.entry(read.step).or_default();
                    if askers.is_empty() {
                        steps.push(read.step);
                    }
                    if askers.last().is_none_or(|last| last.id != choice.id) {
                        askers.push(choice);
                    }
                });
            }
        }
        for steps in steps.chunks(Lineage::block(graph)) {
            let sure = Lineage::sure(graph, &flow.proofs, steps);
            for step in steps {
                let askers = asked.get(step).into_iter().flatten().filter(|choice| sure.holds(&choice.cause, *step));
                known.shown.extend(askers.map(|choice| (choice.id, *step)));
            }
        }
        known
    }

    fn has(&self, group: GroupId, cause: &Cause<'_>, step: u32) -> bool {
        self.answered.by(cause, step) || self.shown.contains(&(group, step))
    }
}

fn choice(
    flow: &Flow<'_>,
    input: &Arc<RecordType>,
    (firings, dominators, known): (&Firings, &Dominators, &Known),
    &Found { id, first, cause }: &Found<'_, '_>,
) -> Choice {
    let members = flow.graph.groups.members(id);
    let trigger = |member: &super::groups::Member| {
        let node = flow.graph.node(member.node)?;
        Some((node, node.triggers.get(member.trigger as usize)))
    };
    let asked = members.iter().filter_map(|member| {
        let (node, trigger) = trigger(member)?;
        let condition = trigger.and_then(|trigger| trigger.condition.as_ref());
        let (role, guard): (_, Option<&Guard>) = match condition {
            Some(Condition::When(guard)) => (Role::When, Some(guard)),
            Some(Condition::AlsoWhen(guard)) => (Role::Also, Some(guard)),
            Some(Condition::Else) => (Role::Else, None),
            None if node.limit.is_some() => (Role::Limited, None),
            None => (Role::Always, None),
        };
        Some(Asked { role, guard, runs_out: firings.runs_out(&flow.graph, dominators, member.node, member.trigger), node: member.node })
    });
    let asked = asked.collect::<Vec<_>>();
    let event = members.iter().find_map(|member| trigger(member)?.1?.event.clone());
    let roots = TriggerRoots { flow, known, input, group: id, source: &first.source, cause, event };
    let decided = decide(flow.graph.model, &roots, &asked);
    let members = members.iter().zip(&asked).zip(decided.verdicts).map(|((member, asked), verdict)| Member {
        node: member.node,
        trigger: member.trigger,
        role: asked.role,
        runs_out: asked.runs_out,
        verdict,
    });
    Choice {
        source: first.source.clone(),
        place: first.place,
        members: members.collect(),
        overlaps: decided.overlaps.into(),
        coverage: decided.coverage,
        handled: decided.handled,
        too_large: decided.too_large,
    }
}

/// What paths start from in the guards of a trigger.
struct TriggerRoots<'f, 'a> {
    flow: &'f Flow<'a>,
    known: &'f Known,
    input: &'f Arc<RecordType>,
    group: GroupId,
    source: &'f Source,
    cause: Cause<'f>,
    event: Option<Type>,
}

impl Roots for TriggerRoots<'_, '_> {
    fn root(&self, path: &ResolvedPath) -> Option<RootValue> {
        match &path.root {
            PathRoot::Input => Some(RootValue {
                key: RootKey::Input,
                name: ".input".into(),
                ty: Type::Record(Arc::clone(self.input)),
                absent: false,
                fresh: matches!(self.cause, Cause::Start),
            }),
            PathRoot::Step { name, .. } if path.segments.first() == Some(&PathSegment::All) => {
                let fields = path.segments.iter().filter_map(|segment| match segment {
                    PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name) => Some(format!(".{name}")),
                    PathSegment::Index(index) => Some(format!("[{index}]")),
                    PathSegment::All => Some("[]".to_owned()),
                    PathSegment::Optional => None,
                });
                let name: Arc<str> = format!(".{name}{}", fields.collect::<String>()).into();
                let key = RootKey::Answers(Arc::clone(&name));
                Some(RootValue { key, name, ty: path.ty.clone(), absent: path.absent, fresh: false })
            }
            PathRoot::Step { node, .. } => self.step(*node),
            PathRoot::Event | PathRoot::Response | PathRoot::Result | PathRoot::Failure => self.event(&path.root),
            PathRoot::Variable(_) | PathRoot::Parameter(_) => None,
        }
    }
}

impl TriggerRoots<'_, '_> {
    fn step(&self, step: u32) -> Option<RootValue> {
        // The answer itself, where the trigger says which answer it is.
        if matches!((self.source, self.cause), (Source::TopicFrom(_, of), Cause::Answer(_)) if *of == step) {
            return self.event(&PathRoot::Event);
        }
        let node = self.flow.graph.node(step)?;
        Some(RootValue {
            key: RootKey::Step(step),
            name: format!(".{}", node.name).into(),
            ty: node.answer.clone()?,
            absent: !self.known.has(self.group, &self.cause, step),
            fresh: self.is_fresh(step, node),
        })
    }

    fn event(&self, root: &PathRoot) -> Option<RootValue> {
        if let (Source::Step(step), Cause::Answer(_)) = (self.source, self.cause) {
            return self.step(*step);
        }
        let name = match root {
            PathRoot::Response => ".response",
            PathRoot::Result => ".result",
            PathRoot::Failure => ".failure",
            _ => ".event",
        };
        let fresh = matches!(
            self.cause,
            Cause::Answer(_) | Cause::Outside | Cause::Runtime | Cause::Inner(_) | Cause::Closed(_) | Cause::Failed(_)
        );
        Some(RootValue { key: RootKey::Event, name: name.into(), ty: self.event.clone()?, absent: false, fresh })
    }

    /// Whether the answer of a step may be anything that its type allows: it comes from outside, and nobody has looked at it before.
    fn is_fresh(&self, step: u32, node: &Node) -> bool {
        let from_outside = match &node.action {
            Action::Ask { .. } | Action::Call { .. } | Action::Run { .. } | Action::WaitTopics { guard: None, .. } => true,
            Action::Emit { .. } => !self.flow.graph.answers_at_once(step),
            _ => false,
        };
        let is_first = match self.cause {
            Cause::Answer(answered) => answered == step,
            // Whoever listens to it by itself may have decided something.
            Cause::All(members) => {
                members.contains(&step)
                    && self.flow.graph.after_of(step).iter().all(|target| {
                        let causes = self.flow.graph.causes_of(*target).iter();
                        causes.filter(|cause| cause.sources().any(|source| source == step)).all(|cause| matches!(cause, Cause::All(_)))
                            && self.flow.graph.groups.of_node(*target).len() == 1
                    })
            }
            _ => false,
        };
        from_outside && is_first && node.each.is_none()
    }
}

// ---- What is wrong with them -------------------------------------------------------------------------------------------

/// Reports what never fires because of its guard, and where nothing fires. That a run hangs when one of the `exhausted` nodes fires no
/// more has been said.
pub(super) fn check(flow: &Flow<'_>, choices: &[Choice], exhausted: &[u32], stalls: &Stalls) {
    let mut company: Option<Company> = None;
    let never = never_firing(choices);
    let key_of = |choice: &Choice| choice.members.first().and_then(|first| flow.graph.groups.id(first.node, first.trigger));
    let handled = choices.iter().filter(|choice| choice.handled == Coverage::Total).filter_map(key_of).collect::<FxHashSet<_>>();
    for choice in choices {
        let Some(first) = choice.members.first() else { continue };
        let (Some(key), Some(cause)) = (
            flow.graph.groups.id(first.node, first.trigger),
            flow.graph.causes_of(first.node).get(first.trigger as usize).filter(|cause| fires(flow, cause)),
        ) else {
            continue;
        };
        let mut is_sound = true;
        for member in &choice.members {
            is_sound &= !check_member(flow, choice, member, &never);
        }
        if choice.too_large {
            check_large(flow, choice);
            // Whether something is left is not known, so nothing is said of it.
            if matches!(choice.handled, Coverage::Unknown(_)) {
                continue;
            }
        }
        let is_said = matches!(&choice.handled, Coverage::Gap(gap) if gap.exhausted.iter().any(|node| exhausted.contains(node)));
        // What is left because a guard is wrong is no second mistake.
        if is_sound && !is_said && choice.handled != Coverage::Total && (can_hang(flow, cause) || stalls.may_hang(key)) {
            let company = company.get_or_insert_with(|| Company::new(flow));
            check_handled(flow, (company, &handled, stalls), choice, (key, cause));
        }
    }
}

/// The triggers that never fire because of their guards, by node.
fn never_firing(choices: &[Choice]) -> FxHashMap<u32, Vec<u32>> {
    let mut never: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for member in choices.iter().flat_map(|choice| &choice.members) {
        if matches!(member.verdict, Verdict::Never | Verdict::Shadowed(_)) {
            never.entry(member.node).or_default().push(member.trigger);
        }
    }
    never
}

/// Whether a trigger can be satisfied at all.
fn fires(flow: &Flow<'_>, cause: &Cause<'_>) -> bool {
    match cause {
        Cause::Never(_) => false,
        Cause::Count(..) => true,
        cause => cause.sources().all(|source| flow.graph.fires(source)),
    }
}

fn check_member(flow: &Flow<'_>, choice: &Choice, member: &Member, never: &FxHashMap<u32, Vec<u32>>) -> bool {
    let Some((node, trigger)) = flow.graph.node(member.node).and_then(|node| Some((node, node.triggers.get(member.trigger as usize)?)))
    else {
        return false;
    };
    let dead = never.get(&member.node).map(Vec::as_slice).unwrap_or_default();
    let others = flow.graph.causes_of(member.node).iter().enumerate();
    let fires_otherwise = others.into_iter().any(|(index, cause)| !dead.contains(&(index as u32)) && fires(flow, cause));
    let place = match &trigger.condition {
        Some(Condition::When(guard) | Condition::AlsoWhen(guard)) => guard.place,
        _ => trigger.place,
    };
    match &member.verdict {
        Verdict::Never => flow.report(message::never_true(&node.name, place, fires_otherwise)),
        Verdict::Shadowed(by) => {
            let by = by.iter().filter_map(|index| {
                let before = choice.members.get(*index)?;
                let node = flow.graph.node(before.node)?;
                Some((Arc::clone(&node.name), node.triggers.get(before.trigger as usize)?.place))
            });
            let by = by.collect::<Vec<_>>();
            flow.report(message::shadowed(&node.name, place, &by, member.role == Role::Else, fires_otherwise));
        }
        _ => return false,
    }
    true
}

/// Whether a run hangs if nothing fires: not where a failure ends it, where something stays open, or where an event is just ignored.
fn can_hang(flow: &Flow<'_>, cause: &Cause<'_>) -> bool {
    match cause {
        Cause::Start | Cause::Answer(_) | Cause::All(_) | Cause::Settled(_) | Cause::Count(..) => true,
        Cause::Hub(hub) => flow.graph.causes_of(*hub).iter().all(|cause| matches!(cause, Cause::Answer(_))),
        _ => false,
    }
}

/// Says that the guards of a choice are too large to be looked into.
fn check_large(flow: &Flow<'_>, choice: &Choice) {
    let node =
        choice.members.iter().find(|member| matches!(member.role, Role::When | Role::Also)).and_then(|member| flow.graph.node(member.node));
    if let Some(node) = node {
        flow.report(message::unchecked_choice(node.name_place, &flow.fires(&choice.source)));
    }
}

fn check_handled(
    flow: &Flow<'_>,
    (company, handled, stalls): (&Company, &FxHashSet<GroupId>, &Stalls),
    choice: &Choice,
    (key, cause): (GroupId, &Cause<'_>),
) {
    let is_member = |member: &&Member| !matches!(member.role, Role::Also | Role::Always);
    let last = choice.members.iter().rev().find(is_member);
    let alone = || !company.is_open && !company.at(flow, key, cause);
    let hangs = match stalls.hangs(key) {
        None => alone(),
        Some(is_certain) => is_certain || stalls.may_hang(key) && alone(),
    };
    let may_hang = hangs || stalls.may_hang(key);
    let Some(node) = last.or(choice.members.last()).and_then(|last| flow.graph.node(last.node)) else { return };
    let is_heard = matches!(cause, Cause::Answer(step) if company.is_heard(flow, *step, (key, handled)));
    if !stalls.may_hang(key) && (is_heard || !hangs && company.may_be_idle(cause)) {
        return;
    }
    let exhausted = |nodes: &[u32]| {
        let nodes = nodes.iter().filter_map(|node| flow.graph.node(*node));
        nodes.map(|node| (Arc::clone(&node.name), node.name_place, node.limit.unwrap_or_default())).collect::<Vec<_>>()
    };
    let case = message::Case { fires: &flow.fires(&choice.source), node, else_node: last.and_then(|_| else_node(flow, choice)) };
    match &choice.handled {
        Coverage::Total => {}
        // That a limit is used up beside something else is what limits are for.
        Coverage::Gap(gap) if may_hang || last.is_some() && gap.exhausted.is_empty() => {
            flow.report(message::unhandled(&case, &gap.witness.condition(), &exhausted(&gap.exhausted), hangs));
        }
        Coverage::Unknown(limited) if may_hang => flow.report(message::may_be_unhandled(&case, &exhausted(limited), hangs)),
        Coverage::Gap(_) | Coverage::Unknown(_) => {}
    }
}

/// The text of a node that takes what is left; nothing if the trigger cannot be repeated.
fn else_node(flow: &Flow<'_>, choice: &Choice) -> Option<String> {
    let taken = |name: &str| flow.graph.nodes.iter().any(|node| *node.name == *name);
    let mut name = "unhandled".to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("unhandled_{number}");
        number += 1;
    }
    Some(format!("fail {name} on {} else", source_text(flow, &choice.source)?))
}

/// A trigger as it is written; nothing if it is none, or its time is read when the node is asked.
fn source_text(flow: &Flow<'_>, source: &Source) -> Option<String> {
    let topic = |id| flow.graph.model.get(id).map(|it| it.name.to_string());
    let steps = |steps: &[u32]| steps.iter().map(|step| flow.name(*step).to_string()).collect::<Vec<_>>().join(", ");
    Some(match source {
        Source::Start => "start".to_owned(),
        Source::Step(step) => flow.name(*step).to_string(),
        Source::Topic(id) => topic(*id)?,
        Source::TopicFrom(id, step) => format!("{} from {}", topic(*id)?, flow.name(*step)),
        Source::ToolFrom { name, step, .. } => format!("{name} from {}", flow.name(*step)),
        Source::All(members) => format!("all({})", steps(members)),
        Source::Count(count, members) => format!("{count} of ({})", steps(members)),
        Source::Settled(members) => format!("settled({})", steps(members)),
        Source::Failure(step) => format!("failure({})", flow.name(*step)),
        Source::AnyFailure => "failure".to_owned(),
        Source::Timeout { step, after: Time::Constant(after) } => {
            let step = step.map(|step| format!("{}, ", flow.name(step))).unwrap_or_default();
            format!("timeout({step}{})", weave_scalars::duration::words(*after))
        }
        Source::Timeout { .. } | Source::Unknown => return None,
    })
}
