//! Deleting runs that have ended.

use rusqlite::{Connection, params};
use weave_scroll::{Prune, Pruned, StoreError};

use crate::error::Done;
use crate::open::SqliteStore;

/// So many trees are deleted in one transaction, so that running workflows wait for a moment only.
const TREES: usize = 100;

impl SqliteStore {
    pub(crate) fn prune_all(&self, prune: &Prune) -> Result<Pruned, StoreError> {
        let roots = self.read(|db| roots(db, prune))?;
        if prune.dry_run {
            return self.read(|db| roots.iter().try_fold(Pruned::default(), |sum, root| Ok(sum.plus(tree(db, root, true)?))));
        }
        let mut sum = Pruned::default();
        for roots in roots.chunks(TREES) {
            let roots = roots.to_vec();
            let delete = move |db: &Connection| roots.iter().try_fold(Pruned::default(), |sum, root| Ok(sum.plus(tree(db, root, false)?)));
            sum = sum.plus(self.writer.write(delete)?);
        }
        self.writer.write(|db| {
            db.execute("DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.digest = blob.digest)", [])?;
            db.execute(
                "DELETE FROM shard WHERE no >= 256 AND NOT EXISTS (SELECT 1 FROM run r WHERE r.shard = shard.no) \
                 AND (node IS NULL OR node NOT IN (SELECT id FROM node WHERE dead = 0))",
                [],
            )?;
            Ok(())
        })?;
        Ok(sum)
    }
}

trait Plus {
    fn plus(self, other: Self) -> Self;
}

impl Plus for Pruned {
    fn plus(self, other: Self) -> Self {
        Self { runs: self.runs + other.runs, events: self.events + other.events, posts: self.posts + other.posts }
    }
}

/// The ids of the roots that may go.
fn roots(db: &Connection, prune: &Prune) -> Done<Vec<String>> {
    let mut statement = db.prepare(
        "SELECT id FROM run r WHERE status <> 0 AND ended < ?1 AND (?2 IS NULL OR workflow = ?2) \
         AND (parent IS NULL OR NOT EXISTS (SELECT 1 FROM run p WHERE p.id = r.parent)) ORDER BY no",
    )?;
    let ids = statement.query_map(params![prune.ended_before, prune.workflow], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Deletes, or counts, the tree of a root, unless a run in it goes on.
fn tree(db: &Connection, root: &str, dry_run: bool) -> Done<Pruned> {
    let mut statement = db.prepare_cached(
        "WITH RECURSIVE tree(no, id, status, head) AS ( \
             SELECT no, id, status, head FROM run WHERE id = ?1 \
             UNION SELECT r.no, r.id, r.status, r.head FROM run r JOIN tree t ON r.parent = t.id) \
         SELECT no, status, head FROM tree",
    )?;
    let rows = statement.query_map([root], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, u64>(2)?)))?;
    let runs = rows.collect::<Result<Vec<_>, _>>()?;
    let mut pruned = Pruned::default();
    if runs.iter().any(|(_, status, _)| *status == 0) {
        return Ok(pruned);
    }
    for (no, _, head) in runs {
        pruned.runs += 1;
        pruned.events += head;
        pruned.posts += db.prepare_cached("SELECT count(*) FROM inbox WHERE run = ?1")?.query_row([no], |row| row.get::<_, u64>(0))?;
        if dry_run {
            continue;
        }
        let bury = "INSERT OR IGNORE INTO tombstone SELECT id, workflow, input_digest FROM run WHERE no = ?1";
        db.prepare_cached(bury)?.execute([no])?;
        for table in ["turn", "inbox", "outbox", "blob_use"] {
            db.prepare_cached(&format!("DELETE FROM {table} WHERE run = ?1"))?.execute([no])?;
        }
        db.prepare_cached("DELETE FROM run WHERE no = ?1")?.execute([no])?;
    }
    Ok(pruned)
}
