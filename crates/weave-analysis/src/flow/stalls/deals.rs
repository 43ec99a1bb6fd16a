//! What may fire when a trigger is satisfied, as far as guards and limits leave it open.

use rustc_hash::FxHashMap;

use super::net::LimitId;
use super::presence::Formula;
use crate::choices::{Choice, Coverage, Member, Role, Verdict};

/// A node of a choice.
#[derive(Clone, Debug)]
struct Pick {
    node: u32,
    limit: Option<LimitId>,
    /// Whether it fires whenever it is asked.
    sure: bool,
    /// What its guard says about the members of a join.
    guard: Formula,
}

/// When nothing may fire.
#[derive(Clone, Debug)]
enum Idle {
    Never,
    Always,
    /// When one of these limits is used up.
    Exhausted(Vec<LimitId>),
}

impl Idle {
    fn new(coverage: &Coverage, limits: impl FnOnce() -> Vec<LimitId>) -> Self {
        match coverage {
            Coverage::Total => Self::Never,
            Coverage::Gap(gap) if gap.is_by_limits => Self::Exhausted(limits()),
            Coverage::Unknown(nodes) if !nodes.is_empty() => Self::Exhausted(limits()),
            Coverage::Gap(_) | Coverage::Unknown(_) => Self::Always,
        }
    }

    fn is_now(&self, is_used_up: impl Fn(&LimitId) -> bool) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Exhausted(limits) => limits.iter().any(is_used_up),
        }
    }
}

/// The nodes that hold a trigger.
#[derive(Clone, Debug)]
pub(super) struct Deal {
    /// They fire whenever the trigger does.
    always: Vec<u32>,
    /// Of these one fires, in this order; those with `else` stand last.
    picks: Vec<Pick>,
    /// They may fire beside the choice.
    also: Vec<(u32, Formula)>,
    /// When no node of the choice fires.
    passes: Idle,
    /// When nothing at all does.
    idles: Idle,
}

impl Deal {
    /// Nodes that are asked nothing.
    pub(super) fn plain(always: Vec<u32>) -> Self {
        let (passes, idles) = if always.is_empty() { (Idle::Always, Idle::Always) } else { (Idle::Never, Idle::Never) };
        Self { always, picks: Vec::new(), also: Vec::new(), passes, idles }
    }

    /// Nodes of which some have guards or limits that may be used up.
    pub(super) fn choice(choice: &Choice, limits: &FxHashMap<u32, LimitId>, guard: impl Fn(&Member) -> Formula) -> Self {
        let fires = |member: &&Member| !matches!(member.verdict, Verdict::Never | Verdict::Shadowed(_));
        let of = |role: Role| choice.members.iter().filter(fires).filter(move |member| member.role == role);
        let pick = |member: &Member| Pick {
            node: member.node,
            limit: limits.get(&member.node).copied(),
            sure: member.role == Role::Limited || member.verdict == Verdict::Always,
            guard: guard(member),
        };
        let limited = || choice.members.iter().filter_map(|member| limits.get(&member.node)).copied().collect::<Vec<_>>();
        let guarded = choice.members.iter().filter(fires).filter(|member| matches!(member.role, Role::When | Role::Limited));
        Self {
            always: of(Role::Always).map(|member| member.node).collect(),
            picks: guarded.map(pick).chain(of(Role::Else).map(|member| Pick { sure: true, ..pick(member) })).collect(),
            also: of(Role::Also).map(|member| (member.node, guard(member))).collect(),
            passes: Idle::new(&choice.coverage, limited),
            idles: Idle::new(&choice.handled, limited),
        }
    }

    /// Everything that may fire.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.always.iter().copied().chain(self.also.iter().map(|(node, _)| *node)).chain(self.picks.iter().map(|pick| pick.node))
    }

    /// Whether one of several nodes is chosen.
    fn is_choice(&self) -> bool {
        !self.picks.is_empty()
    }

    /// Whether a guard is asked.
    pub(super) fn asks(&self) -> bool {
        !self.picks.is_empty() || !self.also.is_empty()
    }

    /// Whether none of these nodes is one of those of which one is chosen.
    pub(super) fn passes(&self, option: &[u32]) -> bool {
        self.is_choice() && !self.picks.iter().any(|pick| option.contains(&pick.node))
    }

    /// Whether guards look at which members of a join have answered.
    pub(super) fn tells(&self) -> bool {
        let guards = self.picks.iter().map(|pick| &pick.guard).chain(self.also.iter().map(|(_, guard)| guard));
        guards.into_iter().any(|guard| *guard != Formula::Unknown)
    }

    /// Whether something fires, whatever the guards say and however often their nodes have fired.
    pub(super) fn is_sure(&self) -> bool {
        !self.always.is_empty() || matches!(self.idles, Idle::Never)
    }

    /// The sets of nodes that may fire together; an empty one if nothing may. `answered` are the members of the join that have answered,
    /// if that is known.
    pub(super) fn options(&self, is_used_up: impl Fn(&LimitId) -> bool, answered: Option<u64>, with_also: bool) -> Vec<Vec<u32>> {
        let holds = |guard: &Formula| answered.and_then(|answered| guard.holds(answered));
        let forced = self.also.iter().filter(|(_, guard)| holds(guard) == Some(true)).map(|(node, _)| *node);
        let always = self.always.iter().copied().chain(forced).collect::<Vec<_>>();
        let also = || self.also.iter().filter(|(_, guard)| holds(guard).is_none()).map(|(node, _)| *node);
        let with = |node: Option<u32>| always.iter().copied().chain(node).collect::<Vec<_>>();
        let mut options = Vec::new();
        let mut is_taken = false;
        for pick in &self.picks {
            let is_true = holds(&pick.guard);
            if !is_taken && is_true != Some(false) && !pick.limit.as_ref().is_some_and(&is_used_up) {
                options.push(with(Some(pick.node)));
                is_taken = pick.sure || is_true == Some(true);
            }
        }
        if !is_taken {
            let passes = self.passes.is_now(&is_used_up);
            if self.idles.is_now(&is_used_up) || !always.is_empty() && passes {
                options.push(with(None));
            }
            if always.is_empty() && passes {
                options.extend(also().map(|node| with(Some(node))));
            }
        }
        if options.is_empty() {
            options.push(with(None));
        }
        if with_also {
            let plain = options.clone();
            for node in also() {
                let others = plain.iter().filter(|option| !option.contains(&node));
                options.extend(others.map(|option| [option.as_slice(), &[node]].concat()));
            }
        }
        options
    }
}
