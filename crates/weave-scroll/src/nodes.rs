//! Which process owns which runs.

/// One start of a process that works on the store. Ids are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u64);

/// A group of runs with one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard(pub u32);

/// How many shards servers have in common: 0 to 255. Higher numbers belong to the process that made them.
pub const COMMON_SHARDS: u32 = 256;

/// The common shard of a run that no process made for itself.
#[must_use]
pub fn common_shard(run: &str) -> Shard {
    // FNV-1a: the same on every machine and in every release.
    let hash = run.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Shard((hash ^ (hash >> 16)) % COMMON_SHARDS)
}

/// A process that wants to work on the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Worker {
    /// How people know it: its process id, and its host where there are several.
    pub process: String,
    /// The revision of the runner's semantics that it has.
    pub revision: u32,
}

/// A process that joined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// Who it is.
    pub worker: Worker,
    /// Whether it is alive. What was found dead stays dead.
    pub alive: bool,
}

/// A shard and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShardRow {
    /// The shard.
    pub shard: Shard,
    /// Its owner, which may be dead.
    pub node: Option<NodeId>,
    /// Whether the owner is alive.
    pub alive: bool,
}

/// How servers share the common shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Share {
    /// One server has all of them (a store in one file).
    Alone,
    /// Each has at most its part of them.
    Fair,
}

/// What a claim of the common shards came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Claimed {
    /// The common shards that the node owns now.
    Shards(Vec<Shard>),
    /// Another server has them.
    Held(Node),
}

/// What taking a shard over came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Taken {
    /// The node owns it now.
    Yes,
    /// A living node owns it.
    Held(Node),
}
