//! Joins (rule 19).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::lineage::{FiringId, Lineage};
use crate::plan::{JoinKind, Per};
use crate::state::{FiringState, JoinState, Order};
use crate::turn::{Satisfied, Turn};

impl Turn<'_> {
    /// Counts an answer, or without one a failure, in all joins of its node, and gives the items that this satisfies.
    pub(crate) fn join(&mut self, firing: FiringId, answer: Option<Order>) -> Vec<Satisfied> {
        let Some(node) = self.state.firing(firing).map(|firing| firing.node) else { return Vec::new() };
        let joins = self.plan.node(node).map(|node| &node.joins);
        joins.into_iter().flatten().filter_map(|join| self.count(*join, node, firing, answer)).collect()
    }

    fn count(&mut self, number: usize, node: usize, firing: FiringId, answer: Option<Order>) -> Option<Satisfied> {
        let join = self.plan.joins.get(number)?;
        let scope = match join.per {
            Per::Run => None,
            Per::Node(fork) => Some(self.latest_firing(fork, node, firing)?),
            Per::Nobody => return None,
        };
        let state = self.state.joins.entry((number, scope)).or_default();
        if let Some(order) = answer {
            state.answered.insert(node, (order, firing));
            state.failed.remove(&node);
        } else if join.kind == JoinKind::Settled {
            state.failed.insert(node, firing);
        }
        let enough = match join.kind {
            JoinKind::All => state.answered.len() == join.members.len(),
            JoinKind::Count(count) => state.answered.len() >= count,
            JoinKind::Settled => join.members.iter().all(|member| state.answered.contains_key(member) || state.failed.contains_key(member)),
        };
        if !enough || state.satisfied {
            return None;
        }
        state.satisfied = true;
        let JoinState { answered, failed, .. } = std::mem::take(state);
        state.satisfied = true;
        let event = match join.kind {
            JoinKind::Count(count) => Some(self.winners(&answered, count)),
            JoinKind::All | JoinKind::Settled => None,
        };
        let members = answered.into_values().map(|(_, firing)| firing).chain(failed.into_values());
        let mut lineage = Lineage::default();
        for member in members {
            let behind = self.state.behind(member);
            lineage = self.state.lineages.unite(lineage, behind);
        }
        Some(Satisfied { item: join.item, lineage, event, failure: None })
    }

    /// The firing of the fork that an outcome belongs to: the latest among its ancestors and itself.
    fn latest_firing(&self, fork: usize, node: usize, firing: FiringId) -> Option<FiringId> {
        if fork == node {
            return Some(firing);
        }
        self.state.lineages.of(self.state.firing(firing)?.lineage, fork).next()
    }

    /// The answers in the order of their arrival; of `1 of`, the answer.
    fn winners(&self, answered: &BTreeMap<usize, (Order, FiringId)>, count: usize) -> Arc<Value> {
        let mut winners: Vec<_> = answered.values().copied().collect();
        winners.sort_by_key(|(order, _)| *order);
        let value = |firing| match self.state.firing(firing).map(|firing| &firing.state) {
            Some(FiringState::Answered(_, value)) => Arc::clone(value),
            _ => Arc::default(),
        };
        match winners.as_slice() {
            [(_, winner)] if count == 1 => value(*winner),
            winners => Arc::new(winners.iter().map(|(_, firing)| (*value(*firing)).clone()).collect()),
        }
    }
}
