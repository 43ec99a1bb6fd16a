//! Which nodes fire (rules 11 to 13, and 23).

use std::sync::Arc;

use crate::failure::Failure;
use crate::lineage::{FiringId, Lineage};
use crate::plan::{Action, ItemId, Member, When};
use crate::state::{FiringState, Post};
use crate::turn::{Happening, Satisfied, Turn};

/// A node that fires: the first of its items for which it was chosen says what it reads.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Chosen {
    node: usize,
    place: usize,
    satisfied: usize,
}

impl Turn<'_> {
    /// Decides all groups of what happened, then lets the chosen nodes fire in source order.
    pub(crate) fn happen(&mut self, happening: Happening) {
        let Happening { cause, answered, failed, mut satisfied, post, closes, ends } = happening;
        if let Some(post) = post {
            self.offer(&post);
            satisfied.extend(self.plain(&post));
        }
        if let Some((firing, topic)) = answered {
            self.answered(firing, topic.as_deref(), &mut satisfied);
        }
        let mut chosen = Vec::new();
        for index in 0..satisfied.len() {
            self.decide(&satisfied, index, &mut chosen);
        }
        if let Some((firing, failure)) = failed
            && !self.failed(firing, &failure, &mut satisfied, &mut chosen)
        {
            return self.fail_run(&failure);
        }
        if let Some(firing) = closes {
            self.close_signalled(firing);
        }
        chosen.sort_unstable();
        chosen.dedup_by_key(|chosen| chosen.node);
        for chosen in chosen {
            if let Some(from) = satisfied.get(chosen.satisfied).filter(|_| !self.is_done()) {
                self.tell_choice(&chosen);
                self.fire(chosen.node, from.clone(), &cause);
            }
        }
        if let Some(failure) = ends.filter(|_| !self.is_done()) {
            self.fail_run(&failure);
        }
    }

    fn tell_choice(&mut self, chosen: &Chosen) {
        if let (Some(observer), Some(node)) = (self.observer.as_deref_mut(), self.plan.node(chosen.node)) {
            observer.chosen(&node.node.id, chosen.place);
        }
    }

    /// A plain topic that answers nothing here has no lineage.
    fn plain(&self, post: &Post) -> Option<Satisfied> {
        let item = self.plan.plain_topics.get(post.topic.as_str())?;
        Some(Satisfied::new(*item, Lineage::default(), Arc::clone(&post.value)))
    }

    /// The items that an answer satisfies.
    fn answered(&mut self, firing: FiringId, topic: Option<&str>, satisfied: &mut Vec<Satisfied>) {
        let Some(FiringState::Answered(order, value)) = self.state.firing(firing).map(|firing| firing.state.clone()) else { return };
        let Some(node) = self.state.firing(firing).and_then(|firing| self.plan.node(firing.node)) else { return };
        let from = topic.and_then(|topic| node.topics.get(topic));
        let plain = topic.filter(|_| matches!(node.action, Action::Request(_))).and_then(|topic| self.plan.answer_topics.get(topic));
        let items = [node.answered.as_ref(), plain, from];
        let lineage = self.state.behind(firing);
        satisfied.extend(items.into_iter().flatten().map(|item| Satisfied::new(*item, lineage, Arc::clone(&value))));
        satisfied.extend(self.join(firing, Some(order)));
    }

    /// Whether somebody takes a failure: nodes of its own, else those of any failure, else a join that counts it.
    fn failed(&mut self, firing: FiringId, failure: &Failure, satisfied: &mut Vec<Satisfied>, chosen: &mut Vec<Chosen>) -> bool {
        let Some(node) = self.state.firing(firing).and_then(|firing| self.plan.node(firing.node)) else { return false };
        for joined in self.join(firing, None) {
            satisfied.push(joined);
            self.decide(satisfied, satisfied.len() - 1, chosen);
        }
        let lineage = self.state.behind(firing);
        let value = Arc::new(failure.as_read());
        for item in [node.failure, self.plan.any_failure].into_iter().flatten() {
            let before = chosen.len();
            satisfied.push(Satisfied { failure: Some(Arc::clone(&value)), ..Satisfied::new(item, lineage, Arc::clone(&value)) });
            self.decide(satisfied, satisfied.len() - 1, chosen);
            if chosen.len() > before {
                return true;
            }
        }
        node.settles
    }

    /// Decides one group: at most one member of its choice, and all that stand outside it.
    fn decide(&mut self, satisfied: &[Satisfied], index: usize, chosen: &mut Vec<Chosen>) {
        let Some(from) = satisfied.get(index) else { return };
        let plan = self.plan;
        let group = plan.group(from.item);
        let choose = |member: &Member| Chosen { node: member.node, place: member.place, satisfied: index };
        let mut taken = false;
        for member in group.iter().filter(|member| !matches!(member.condition, When::Else)) {
            let Some(limited) = self.limited(member.node) else { continue };
            let fires = match &member.condition {
                When::Always if !limited => true,
                When::Always => !std::mem::replace(&mut taken, true),
                When::Also(guard) => self.guard(member, from, guard),
                When::Choice(guard) => {
                    let first = !taken && self.guard(member, from, guard);
                    taken |= first;
                    first
                }
                When::Else => false,
            };
            if fires {
                chosen.push(choose(member));
            }
        }
        let otherwise = group.iter().filter(|member| matches!(member.condition, When::Else));
        let free = otherwise.into_iter().find(|member| self.limited(member.node).is_some());
        chosen.extend(free.filter(|_| !taken).map(choose));
    }

    /// Whether a node has a limit; none: it is used up.
    fn limited(&self, node: usize) -> Option<bool> {
        let limit = self.plan.node(node)?.node.limit;
        let fired = self.state.nodes.get(node)?.fired;
        limit.is_none_or(|limit| fired < limit).then_some(limit.is_some())
    }

    fn guard(&mut self, member: &Member, from: &Satisfied, guard: &weave_ir::Guard) -> bool {
        let Some(node) = self.plan.node(member.node) else { return false };
        self.reader(&node.node.id, from, None).guard(Some(member.place), guard)
    }

    /// What a plain item of a timeout of the run satisfies.
    pub(crate) fn nothing_happened(item: ItemId, lineage: Lineage) -> Satisfied {
        Satisfied::new(item, lineage, Arc::new(serde_json::Value::Null))
    }
}
