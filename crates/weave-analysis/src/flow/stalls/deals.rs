//! What may fire when a trigger is satisfied, as far as guards and limits leave it open.

use rustc_hash::{FxHashMap, FxHashSet};

use super::atoms::{AtomId, Atoms, Decided};
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
    /// Their nodes.
    picked: FxHashSet<u32>,
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
        Self { always, picks: Vec::new(), picked: FxHashSet::default(), also: Vec::new(), passes, idles }
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
        let picks = guarded.map(pick).chain(of(Role::Else).map(|member| Pick { sure: true, ..pick(member) })).collect::<Vec<_>>();
        Self {
            always: of(Role::Always).map(|member| member.node).collect(),
            picked: picks.iter().map(|pick| pick.node).collect(),
            picks,
            also: of(Role::Also).map(|member| (member.node, guard(member))).collect(),
            passes: Idle::new(&choice.coverage, limited),
            idles: Idle::new(&choice.handled, limited),
        }
    }

    /// Leaves in its guards those atoms that are kept.
    pub(super) fn keep(&mut self, kept: &[Option<AtomId>]) {
        let guards = self.picks.iter_mut().map(|pick| &mut pick.guard).chain(self.also.iter_mut().map(|(_, guard)| guard));
        guards.for_each(|guard| guard.keep(kept));
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
        self.is_choice() && !option.iter().any(|node| self.picked.contains(node))
    }

    /// Whether guards look at which members of a join have answered.
    pub(super) fn tells(&self) -> bool {
        let guards = self.picks.iter().map(|pick| &pick.guard).chain(self.also.iter().map(|(_, guard)| guard));
        guards.into_iter().any(Formula::is_about_members)
    }

    /// Whether something fires, whatever the guards say and however often their nodes have fired.
    pub(super) fn is_sure(&self) -> bool {
        !self.always.is_empty() || matches!(self.idles, Idle::Never)
    }

    /// The sets of nodes that may fire together, each with what that decides; an empty set if nothing may fire. There are none if this
    /// cannot happen after what has been decided.
    pub(super) fn options(&self, situation: &Situation<'_>, is_used_up: impl Fn(&LimitId) -> bool) -> Vec<Fired> {
        let Situation { answered, atoms, decided, with_also } = *situation;
        let forced = self.also.iter().filter(|(_, guard)| guard.holds(answered, decided) == Some(true)).map(|(node, _)| *node);
        let always = self.always.iter().copied().chain(forced).collect::<Vec<_>>();
        let also = || self.also.iter().filter(|(_, guard)| guard.holds(answered, decided).is_none());
        let with = |node: Option<u32>| always.iter().copied().chain(node).collect::<Vec<_>>();
        let mut options = Vec::new();
        let (mut is_taken, mut is_contradicted, mut open) = (false, false, decided);
        for pick in &self.picks {
            let is_true = pick.guard.holds(answered, open);
            if is_taken || pick.limit.as_ref().is_some_and(&is_used_up) {
                continue;
            }
            is_contradicted |= is_true == Some(false) && pick.guard.holds(answered, Decided::default()).is_none();
            if is_true != Some(false) {
                match atoms.learn(open, &pick.guard, true) {
                    Some(decided) => options.push((with(Some(pick.node)), decided)),
                    None => is_contradicted = true,
                }
                is_taken = pick.sure || is_true == Some(true);
            }
            match atoms.learn(open, &pick.guard, false) {
                Some(decided) => open = decided,
                None => is_taken = true,
            }
        }
        if !is_taken {
            let passes = self.passes.is_now(&is_used_up);
            if self.idles.is_now(&is_used_up) || !always.is_empty() && passes {
                options.push((with(None), open));
            }
            if always.is_empty() && passes {
                options.extend(also().filter_map(|(node, guard)| Some((with(Some(*node)), atoms.learn(open, guard, true)?))));
            }
        }
        if options.is_empty() && !is_contradicted {
            options.push((with(None), open));
        }
        if with_also {
            let plain = options.clone();
            for (node, guard) in also() {
                let others = plain.iter().filter(|(option, _)| !option.contains(node));
                options.extend(
                    others.filter_map(|(option, open)| Some(([option.as_slice(), &[*node]].concat(), atoms.learn(*open, guard, true)?))),
                );
            }
        }
        options
    }
}

/// Nodes that fire together, and what has been decided then.
pub(super) type Fired = (Vec<u32>, Decided);

/// Where a run stands when a trigger is satisfied.
#[derive(Clone, Copy)]
pub(super) struct Situation<'s> {
    /// The members of the join that have answered, if that is known.
    pub(super) answered: Option<u64>,
    pub(super) atoms: &'s Atoms,
    pub(super) decided: Decided,
    /// Whether it matters what fires beside a choice.
    pub(super) with_also: bool,
}
