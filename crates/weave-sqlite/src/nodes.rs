//! Nodes, which live as long as they hold a lock, and shards.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use weave_scroll::{COMMON_SHARDS, Claimed, Node, NodeId, Shard, ShardRow, Share, StoreError, Taken, Worker};

use crate::error::Done;
use crate::place::{beside, file_error};
use crate::schema;

/// The nodes that this process works as.
pub(crate) struct Held {
    store: PathBuf,
    nodes: Mutex<BTreeMap<NodeId, Mine>>,
}

struct Mine {
    file: File,
    revision: u32,
    /// The runs that are computed, by the place of their number in the file.
    slots: Vec<Option<String>>,
}

/// What is noted of a run that is computed: a number of 64 bits that is never 0.
fn mark(run: &str) -> u64 {
    run.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)) | 1
}

impl Held {
    pub(crate) fn new(store: &Path) -> Self {
        Self { store: store.to_owned(), nodes: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<NodeId, Mine>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, node: NodeId) -> PathBuf {
        beside(&self.store, &format!("-node-{}", node.0))
    }

    /// The nodes that this process works as.
    pub(crate) fn own(&self) -> Vec<NodeId> {
        self.lock().keys().copied().collect()
    }

    pub(crate) fn revision(&self, node: NodeId) -> Option<u32> {
        self.lock().get(&node).map(|mine| mine.revision)
    }

    pub(crate) fn abandon(&self, node: NodeId) {
        self.lock().remove(&node);
    }

    /// Whether a node that was not found dead is alive.
    fn locked(&self, node: NodeId) -> bool {
        if self.lock().contains_key(&node) {
            return true;
        }
        // Where the question cannot be answered (too many open files, a file of another user), the node is taken for alive: a living
        // process whose calls are declared unknown is worse than a dead one that is found later.
        match File::open(self.file(node)) {
            Ok(file) => file.try_lock_shared().is_err(),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    /// The ids of all living nodes.
    pub(crate) fn living(&self, db: &Connection) -> Done<Vec<NodeId>> {
        Ok(self.all(db)?.into_iter().filter(|(node, _)| node.alive).map(|(node, _)| node.id).collect())
    }

    /// All nodes, and whether they serve.
    fn all(&self, db: &Connection) -> Done<Vec<(Node, bool)>> {
        let mut statement = db.prepare_cached("SELECT id, process, revision, serves, dead FROM node ORDER BY id")?;
        let rows = statement.query_map([], |row| {
            let worker = Worker { process: row.get(1)?, revision: row.get(2)? };
            Ok((Node { id: NodeId(row.get(0)?), worker, alive: !row.get::<_, bool>(4)? }, row.get(3)?))
        })?;
        let mut nodes = rows.collect::<Result<Vec<_>, _>>()?;
        for (node, _) in &mut nodes {
            node.alive = node.alive && self.locked(node.id);
        }
        Ok(nodes)
    }

    pub(crate) fn nodes(&self, db: &Connection) -> Done<Vec<Node>> {
        Ok(self.all(db)?.into_iter().map(|(node, _)| node).collect())
    }

    pub(crate) fn alive(&self, db: &Connection, node: NodeId) -> Done<bool> {
        if self.lock().contains_key(&node) {
            return Ok(true);
        }
        let dead: Option<bool> =
            db.prepare_cached("SELECT dead FROM node WHERE id = ?1")?.query_row([node.0], |row| row.get(0)).optional()?;
        Ok(dead == Some(false) && self.locked(node))
    }

    fn one(&self, db: &Connection, node: NodeId) -> Done<Option<Node>> {
        Ok(self.nodes(db)?.into_iter().find(|row| row.id == node))
    }

    /// Makes a node and locks its file. If the transaction fails, [`Held::abandon`] must follow.
    pub(crate) fn join(&self, db: &Connection, worker: &Worker, joined: &Mutex<Option<NodeId>>) -> Done<NodeId> {
        let insert = "INSERT INTO node(process, revision, serves, dead) VALUES (?1, ?2, 0, 0)";
        db.execute(insert, params![worker.process, worker.revision])?;
        let id = NodeId(db.last_insert_rowid().unsigned_abs());
        let path = self.file(id);
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&path);
        let file = file.map_err(|error| file_error(&path, &error))?;
        // No other process knows the number yet, so none asks for the lock.
        file.try_lock().map_err(|error| StoreError::Io(format!("{}: {error}", path.display())))?;
        *joined.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
        self.lock().insert(id, Mine { file, revision: worker.revision, slots: Vec::new() });
        let revision = schema::get(db, "revision")?.and_then(|revision| revision.parse().ok()).unwrap_or(0);
        if worker.revision > revision {
            schema::put(db, "revision", &worker.revision.to_string())?;
        }
        Ok(id)
    }

    pub(crate) fn leave(&self, db: &Connection, node: NodeId) -> Done<()> {
        db.execute("UPDATE node SET dead = 1 WHERE id = ?1", [node.0])?;
        db.execute("UPDATE shard SET node = NULL WHERE node = ?1", [node.0])?;
        self.lock().remove(&node);
        drop(std::fs::remove_file(self.file(node)));
        forget(db)
    }

    pub(crate) fn bury(&self, db: &Connection) -> Done<Vec<Node>> {
        let mut statement = db.prepare_cached("SELECT id, process, revision FROM node WHERE dead = 0 ORDER BY id")?;
        let rows = statement.query_map([], |row| {
            Ok(Node { id: NodeId(row.get(0)?), worker: Worker { process: row.get(1)?, revision: row.get(2)? }, alive: false })
        })?;
        let mut found = rows.collect::<Result<Vec<_>, _>>()?;
        found.retain(|node| !self.locked(node.id));
        for node in &found {
            db.execute("UPDATE node SET dead = 1 WHERE id = ?1", [node.id.0])?;
            self.count_crashes(db, node.id)?;
            drop(std::fs::remove_file(self.file(node.id)));
        }
        if !found.is_empty() {
            forget(db)?;
        }
        Ok(found)
    }

    /// Counts the runs that a dead node was computing.
    fn count_crashes(&self, db: &Connection, node: NodeId) -> Done<()> {
        let mut bytes = Vec::new();
        if let Ok(file) = File::open(self.file(node)) {
            drop(file.take(1 << 20).read_to_end(&mut bytes));
        }
        let marks = bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).filter(|mark| *mark != 0);
        let marks = marks.collect::<BTreeSet<_>>();
        if marks.is_empty() {
            return Ok(());
        }
        let mut statement = db.prepare("SELECT r.no, r.id FROM run r JOIN shard s ON s.no = r.shard WHERE s.node = ?1 AND r.status = 0")?;
        let rows = statement.query_map([node.0], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        for run in rows {
            let (no, id) = run?;
            if marks.contains(&mark(&id)) {
                db.execute("UPDATE run SET crashes = crashes + 1 WHERE no = ?1", [no])?;
            }
        }
        Ok(())
    }

    /// Notes, or forgets, that a node computes a run. Written to the node's file, not synced: it survives an abort.
    pub(crate) fn computing(&self, node: NodeId, run: &str, begins: bool) -> Result<(), StoreError> {
        let mut nodes = self.lock();
        let Some(mine) = nodes.get_mut(&node) else { return Ok(()) };
        let wanted = if begins { None } else { Some(run) };
        let slot = match mine.slots.iter().position(|slot| slot.as_deref() == wanted) {
            Some(slot) => slot,
            None if begins => {
                mine.slots.push(None);
                mine.slots.len() - 1
            }
            None => return Ok(()),
        };
        if let Some(place) = mine.slots.get_mut(slot) {
            *place = begins.then(|| run.to_owned());
        }
        let bytes = if begins { mark(run) } else { 0 }.to_le_bytes();
        let written = mine.file.seek(SeekFrom::Start(slot as u64 * 8)).and_then(|_| mine.file.write_all(&bytes));
        written.map_err(|error| file_error(&self.file(node), &error))
    }

    fn must_live(&self, db: &Connection, node: NodeId) -> Done<()> {
        if self.alive(db, node)? {
            return Ok(());
        }
        Err(StoreError::Misuse(format!("the node {} is not alive", node.0)).into())
    }

    pub(crate) fn claim_common(&self, db: &Connection, node: NodeId, share: Share) -> Done<Claimed> {
        self.must_live(db, node)?;
        self.bury(db)?;
        let nodes = self.all(db)?;
        let other = nodes.iter().find(|(other, serves)| other.id != node && other.alive && *serves);
        if let (Share::Alone, Some((holder, _))) = (share, other) {
            return Ok(Claimed::Held(holder.clone()));
        }
        db.execute("UPDATE node SET serves = 1 WHERE id = ?1", [node.0])?;
        let servers = nodes.iter().filter(|(other, serves)| other.alive && (*serves || other.id == node)).count();
        let part = (COMMON_SHARDS as usize).div_ceil(servers.max(1));
        let living = nodes.iter().filter(|(node, _)| node.alive).map(|(node, _)| node.id).collect::<BTreeSet<_>>();
        let mut owners = BTreeMap::new();
        let mut statement = db.prepare("SELECT no, node FROM shard WHERE no < ?1")?;
        for row in statement.query_map([COMMON_SHARDS], |row| Ok((row.get::<_, u32>(0)?, crate::rows::node(row, 1)?)))? {
            let (no, owner) = row?;
            owners.insert(no, owner);
        }
        let mut set = db.prepare("INSERT INTO shard VALUES (?1, ?2) ON CONFLICT DO UPDATE SET node = excluded.node")?;
        let mut own = Vec::new();
        for no in 0..COMMON_SHARDS {
            let owner = owners.get(&no).copied().flatten();
            let free = owner.is_none_or(|owner| owner == node || !living.contains(&owner));
            let wanted = if free && own.len() < part {
                own.push(Shard(no));
                Some(node)
            } else if owner == Some(node) {
                None
            } else {
                continue;
            };
            if wanted != owner {
                set.execute(params![no, wanted.map(|node| node.0)])?;
            }
        }
        Ok(Claimed::Shards(own))
    }

    pub(crate) fn take_shard(&self, db: &Connection, node: NodeId, shard: Shard) -> Done<Taken> {
        self.must_live(db, node)?;
        self.bury(db)?;
        let owner = owner(db, shard)?.filter(|owner| *owner != node);
        if let Some(holder) = owner.map(|owner| self.one(db, owner)).transpose()?.flatten().filter(|holder| holder.alive) {
            return Ok(Taken::Held(holder));
        }
        db.execute("INSERT INTO shard VALUES (?1, ?2) ON CONFLICT DO UPDATE SET node = excluded.node", params![shard.0, node.0])?;
        forget(db)?;
        Ok(Taken::Yes)
    }

    pub(crate) fn shards(&self, db: &Connection) -> Done<Vec<ShardRow>> {
        let living = self.living(db)?.into_iter().collect::<BTreeSet<_>>();
        let mut statement = db.prepare_cached(
            "SELECT no, node FROM shard s WHERE node IS NOT NULL OR EXISTS (SELECT 1 FROM run r WHERE r.shard = s.no AND r.status = 0) ORDER BY no",
        )?;
        let rows = statement.query_map([], |row| {
            let node = crate::rows::node(row, 1)?;
            Ok(ShardRow { shard: Shard(row.get(0)?), node, alive: node.is_some_and(|node| living.contains(&node)) })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Who owns a shard, alive or dead.
pub(crate) fn owner(db: &Connection, shard: Shard) -> Done<Option<NodeId>> {
    let mut statement = db.prepare_cached("SELECT node FROM shard WHERE no = ?1")?;
    Ok(statement.query_row([shard.0], |row| crate::rows::node(row, 0)).optional()?.flatten())
}

pub(crate) fn own_shard(db: &Connection, node: NodeId) -> Done<Shard> {
    db.execute("INSERT INTO shard(node) VALUES (?1)", [node.0])?;
    Ok(Shard(u32::try_from(db.last_insert_rowid()).unwrap_or(u32::MAX)))
}

pub(crate) fn release(db: &Connection, node: NodeId, shards: &[Shard]) -> Done<()> {
    let mut statement = db.prepare_cached("UPDATE shard SET node = NULL WHERE no = ?1 AND node = ?2")?;
    for shard in shards {
        statement.execute(params![shard.0, node.0])?;
    }
    Ok(())
}

/// Deletes the rows of dead nodes that nothing refers to.
fn forget(db: &Connection) -> Done<()> {
    db.execute(
        "DELETE FROM node WHERE dead = 1 AND NOT EXISTS (SELECT 1 FROM shard s WHERE s.node = node.id) \
         AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.process = node.id)",
        [],
    )?;
    Ok(())
}
