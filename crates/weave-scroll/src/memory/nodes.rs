//! Nodes and shards.

use std::collections::BTreeSet;

use super::Tables;
use super::tables::NodeRow;
use crate::{COMMON_SHARDS, Claimed, Definition, Node, NodeId, Shard, ShardRow, Share, Status, StoreError, Taken, Worker};

impl Tables {
    /// As [`crate::Store::join`].
    pub fn join(&mut self, worker: &Worker) -> NodeId {
        let id = NodeId(self.next.node);
        self.next.node += 1;
        self.revision = self.revision.max(worker.revision);
        let row = NodeRow { worker: worker.clone(), alive: true, buried: false, serves: false, computing: BTreeSet::new() };
        self.nodes.insert(id, row);
        id
    }

    /// Lets a node die.
    pub fn kill(&mut self, node: NodeId) {
        if let Some(row) = self.nodes.get_mut(&node) {
            row.alive = false;
        }
    }

    /// As [`crate::Store::renew`].
    #[must_use]
    pub fn alive(&self, node: NodeId) -> bool {
        self.nodes.get(&node).is_some_and(|row| row.alive)
    }

    /// As [`crate::Store::leave`].
    pub fn leave(&mut self, node: NodeId) {
        if let Some(row) = self.nodes.get_mut(&node) {
            (row.alive, row.buried) = (false, true);
            row.computing.clear();
        }
        for owner in self.shards.values_mut().filter(|owner| **owner == Some(node)) {
            *owner = None;
        }
        self.forget_nodes();
    }

    /// As [`crate::Store::nodes`].
    #[must_use]
    pub fn nodes(&self) -> Vec<Node> {
        self.nodes.keys().filter_map(|id| self.node(*id)).collect()
    }

    /// As [`crate::Store::bury`].
    pub fn bury(&mut self) -> Vec<Node> {
        let dead = self.nodes.iter().filter(|(_, row)| !row.alive && !row.buried).map(|(id, _)| *id).collect::<Vec<_>>();
        let found = dead.iter().filter_map(|id| self.node(*id)).collect();
        for id in dead {
            let Some(row) = self.nodes.get_mut(&id) else { continue };
            row.buried = true;
            for run in std::mem::take(&mut row.computing) {
                if let Some(run) = self.runs.get_mut(&run) {
                    run.crashes += 1;
                }
            }
        }
        self.forget_nodes();
        found
    }

    /// Removes the rows of dead nodes that nothing refers to.
    fn forget_nodes(&mut self) {
        let owners = self.shards.values().copied().flatten();
        let used = owners.chain(self.outbox.values().filter_map(|row| row.process)).collect::<BTreeSet<_>>();
        self.nodes.retain(|id, row| !row.buried || used.contains(id));
    }

    /// As [`crate::Store::own_shard`].
    pub fn own_shard(&mut self, node: NodeId) -> Shard {
        let shard = Shard(self.next.shard);
        self.next.shard += 1;
        self.shards.insert(shard, Some(node));
        shard
    }

    /// As [`crate::Store::claim_common`].
    ///
    /// # Errors
    ///
    /// [`StoreError::Misuse`] if the node is not alive.
    pub fn claim_common(&mut self, node: NodeId, share: Share) -> Result<Claimed, StoreError> {
        self.must_live(node)?;
        let other = self.nodes.iter().find(|(id, row)| **id != node && row.alive && row.serves).map(|(id, _)| *id);
        if let (Share::Alone, Some(holder)) = (share, other.and_then(|id| self.node(id))) {
            return Ok(Claimed::Held(holder));
        }
        if let Some(row) = self.nodes.get_mut(&node) {
            row.serves = true;
        }
        let servers = self.nodes.values().filter(|row| row.alive && row.serves).count();
        let part = (COMMON_SHARDS as usize).div_ceil(servers.max(1));
        let mut own = Vec::new();
        for shard in (0..COMMON_SHARDS).map(Shard) {
            let owner = self.shards.get(&shard).copied().flatten();
            let free = owner.is_none_or(|owner| owner == node || !self.alive(owner));
            if free && own.len() < part {
                self.shards.insert(shard, Some(node));
                own.push(shard);
            } else if owner == Some(node) {
                self.shards.insert(shard, None);
            }
        }
        Ok(Claimed::Shards(own))
    }

    /// As [`crate::Store::take_shard`].
    ///
    /// # Errors
    ///
    /// [`StoreError::Misuse`] if the node is not alive.
    pub fn take_shard(&mut self, node: NodeId, shard: Shard) -> Result<Taken, StoreError> {
        self.must_live(node)?;
        let owner = self.shards.get(&shard).copied().flatten().filter(|owner| *owner != node && self.alive(*owner));
        if let Some(holder) = owner.and_then(|owner| self.node(owner)) {
            return Ok(Taken::Held(holder));
        }
        self.shards.insert(shard, Some(node));
        self.next.shard = self.next.shard.max(shard.0.saturating_add(1));
        self.forget_nodes();
        Ok(Taken::Yes)
    }

    fn must_live(&self, node: NodeId) -> Result<(), StoreError> {
        if self.alive(node) { Ok(()) } else { Err(StoreError::Misuse(format!("the node {} is not alive", node.0))) }
    }

    /// As [`crate::Store::release`].
    pub fn release(&mut self, node: NodeId, shards: &[Shard]) {
        for shard in shards {
            if let Some(owner) = self.shards.get_mut(shard).filter(|owner| **owner == Some(node)) {
                *owner = None;
            }
        }
    }

    /// As [`crate::Store::shards`].
    #[must_use]
    pub fn shards(&self) -> Vec<ShardRow> {
        let open = self.runs.values().filter(|run| run.state.status == Status::Open).map(|run| run.shard).collect::<BTreeSet<_>>();
        let rows = self.shards.iter().filter(|(shard, node)| node.is_some() || open.contains(shard));
        rows.map(|(shard, node)| ShardRow { shard: *shard, node: *node, alive: node.is_some_and(|node| self.alive(node)) }).collect()
    }

    /// As [`crate::Store::computing`].
    pub fn computing(&mut self, node: NodeId, run: &str) {
        if let Some(row) = self.nodes.get_mut(&node) {
            row.computing.insert(run.to_owned());
        }
    }

    /// As [`crate::Store::computed`].
    pub fn computed(&mut self, node: NodeId, run: &str) {
        if let Some(row) = self.nodes.get_mut(&node) {
            row.computing.remove(run);
        }
    }

    /// As [`crate::Store::hold`].
    pub fn hold(&mut self, run: &str, reason: Option<&str>) -> bool {
        let Some(run) = self.runs.get_mut(run) else { return false };
        run.held = reason.map(str::to_owned);
        if reason.is_none() {
            run.crashes = 0;
        }
        true
    }

    /// As [`crate::Store::define`].
    pub fn define(&mut self, definition: &Definition) {
        self.definitions.entry(definition.digest.clone()).or_insert_with(|| definition.clone());
    }
}
