//! Copies and pruning.

use std::collections::BTreeMap;

use super::Tables;
use crate::{Kind, Prune, Pruned, RowState, RunRow, Status};

impl Tables {
    /// As [`crate::Store::doubt`].
    pub fn doubt(&mut self, run: Option<&str>) -> u64 {
        let open = self.outbox.values().filter(|row| {
            row.once_only && row.kind != Kind::Question && row.state != RowState::Unknown && run.is_none_or(|run| run == row.key.run)
        });
        let mut rows = open.cloned().collect::<Vec<_>>();
        for row in &mut rows {
            row.state = RowState::Unknown;
            self.put_row(row.clone());
        }
        rows.len() as u64
    }

    /// As [`crate::Store::prune`].
    pub fn prune(&mut self, prune: &Prune) -> Pruned {
        let mut children: BTreeMap<&str, Vec<&RunRow>> = BTreeMap::new();
        for run in self.runs.values() {
            if let Some(parent) = &run.parent {
                children.entry(parent).or_default().push(run);
            }
        }
        let mut gone = Vec::new();
        for root in self.runs.values() {
            let is_root = root.parent.as_ref().is_none_or(|parent| !self.runs.contains_key(parent));
            let old = root.state.ended.is_some_and(|ended| ended < prune.ended_before);
            let wanted = prune.workflow.as_ref().is_none_or(|workflow| *workflow == root.workflow);
            if !(is_root && old && wanted) {
                continue;
            }
            let mut tree = vec![root];
            let mut next = 0;
            while let Some(run) = tree.get(next) {
                tree.extend(children.get(run.id.as_str()).into_iter().flatten());
                next += 1;
            }
            if tree.iter().all(|run| run.state.status != Status::Open) {
                gone.extend(tree.into_iter().map(|run| run.id.clone()));
            }
        }
        let mut pruned = Pruned::default();
        for id in gone {
            let posts = self.inbox_of(&id);
            pruned.runs += 1;
            pruned.events += self.runs.get(&id).map_or(0, |run| run.head);
            pruned.posts += posts.len() as u64;
            if !prune.dry_run {
                posts.into_iter().for_each(|pos| _ = self.remove_post(pos));
                self.remove_run(&id);
            }
        }
        if !prune.dry_run {
            let used = self.blob_uses.iter().map(|(_, digest)| digest.clone()).collect::<std::collections::BTreeSet<_>>();
            self.blobs.retain(|digest, _| used.contains(digest));
        }
        pruned
    }

    fn remove_run(&mut self, id: &str) {
        self.keys_of(id, None).iter().for_each(|key| _ = self.remove_row(key));
        let Some(run) = self.runs.remove(id) else { return };
        self.numbers.remove(&run.no);
        self.ids.retain(|(no, _), _| *no != run.no);
        self.blob_uses.retain(|(no, _)| *no != run.no);
        let mut positions = Vec::new();
        self.turns.retain(|(no, _), (pos, _)| {
            let own = *no == run.no;
            if own {
                positions.push(*pos);
            }
            !own
        });
        for pos in positions {
            self.feed.remove(&pos);
        }
        self.tombstones.insert(id.to_owned());
    }
}
