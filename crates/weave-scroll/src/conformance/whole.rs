//! What holds of the store as a whole.

use super::{Case, Checked, Failed, NOW, Process, World, holds, new_run, post, same, turn};
use crate::{
    Append, Applied, Change, Cursor, Definition, Effect, Kind, NewRun, OutboxRow, Outcome, Posted, Prune, Pruned, Require, RowKey,
    RowState, RunState, Started, Status, Taken, To, When,
};

pub(super) const CASES: &[Case] = &[
    ("what was acknowledged is there after a restart", durable),
    ("definitions and values are kept by their digests", values),
    ("whole trees of ended runs are pruned, and leave tombstones", prunes),
    ("a value stays as long as a run that put it", blobs_of_pruned_runs),
    ("in a copy every open once-only call is unknown", doubts),
];

fn durable(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.run("r2")?;
    let call = OutboxRow { once_only: true, detail: Some("{\"a\":1}".to_owned()), ..OutboxRow::ready(key("r1"), Kind::Call, "pay", NOW) };
    let effects = vec![Effect::Put(Box::new(call)), Effect::Start(Box::new(new_run("r1/c#1", process.shard)))];
    process.does("r1", "e1", effects)?;
    let sent = Change {
        key: key("r1"),
        when: When { state: RowState::Ready, sendings: None },
        to: To::Sent { process: process.node },
        reserve: None,
    };
    same!(process.store.change(vec![sent])?, [Applied::Yes]);
    process.store.post(post("r2", "waits"))?;
    let runs = ["r1", "r2", "r1/c#1"];
    let (before, feed) = (process.picture(&runs)?, process.store.feed(Cursor::default(), 0)?);
    let next = Process::with(world.restart(), 1)?;
    same!(next.picture(&runs)?, before);
    same!(next.store.feed(Cursor::default(), 0)?, feed);
    same!(next.store.post(post("r2", "waits"))?, Posted::Known);
    // The dead process is found, its shard can be taken over, and its scrolls go on without a gap.
    same!(next.store.take_shard(next.node, process.shard)?, Taken::Yes);
    same!(next.store.lost(next.node)?.into_iter().map(|row| row.key).collect::<Vec<_>>(), [key("r1")]);
    same!(next.store.append(next.append("r1", 4, "e1"))?, Outcome::Duplicate { head: 4 });
    next.must(next.append("r1", 4, "e2"))?;
    Ok(())
}

fn key(run: &str) -> RowKey {
    RowKey::new(run, format!("{run}/a#1"))
}

fn values(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let definition = Definition { digest: "sha256:d1".to_owned(), json: "{\"workflow\":1}".to_owned(), map: Some("{}".to_owned()) };
    process.store.define(&definition)?;
    process.store.define(&Definition { json: "{}".to_owned(), map: None, ..definition.clone() })?;
    same!(process.store.definition("sha256:d1")?, Some(definition.clone()));
    process.run("r1")?;
    let bytes = (0..200_000_u32).map(|n| n.to_le_bytes()[0]).collect::<Vec<_>>();
    process.does("r1", "e1", vec![Effect::Blob { digest: "ab".repeat(32), bytes: bytes.clone() }])?;
    let store = world.restart();
    same!(store.blob(&"ab".repeat(32))?.as_ref(), Some(&bytes));
    same!(store.definition("sha256:d1")?, Some(definition));
    Ok(())
}

fn end(process: &Process, run: &str, ended: i64) -> Checked {
    let state = RunState { status: Status::Succeeded, waiting: None, ended: Some(ended) };
    process.must(Append { state, ..process.append(run, process.head(run)?, "end") })
}

fn prunes(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let child = |id: &str, parent: &str| Effect::Start(Box::new(NewRun { parent: Some(parent.to_owned()), ..new_run(id, process.shard) }));
    for run in ["open", "done", "young", "half"] {
        process.run(run)?;
    }
    process.does("open", "c", vec![child("open/c", "open")])?;
    process.does("done", "c", vec![child("done/c", "done")])?;
    process.does("half", "c", vec![child("half/c", "half")])?;
    process.must(process.append("done/c", 0, "done/c"))?;
    process.does("done/c", "g", vec![child("done/c/g", "done/c")])?;
    for (run, ended) in [("open/c", 10), ("done/c/g", 999), ("done/c", 999), ("done", 10), ("young", 100), ("half", 10)] {
        end(&process, run, ended)?;
    }
    process.store.post(post("done", "late"))?;
    let prune = |dry_run| Prune { ended_before: 100, workflow: None, dry_run };
    let other = Prune { workflow: Some("other".to_owned()), ..prune(false) };
    same!(process.store.prune(&other)?, Pruned::default());
    let runs = ["open", "open/c", "young", "half", "half/c"];
    let before = process.picture(&runs)?;
    // Turns: done 3, done/c 3, done/c/g 1; inbox: starts of the two children and the late event.
    let expected = Pruned { runs: 3, events: 14, posts: 4 };
    let counted = process.store.prune(&prune(true))?;
    same!((counted.runs, counted.events), (expected.runs, expected.events));
    same!(process.head("done")?, 6);
    same!(process.store.prune(&prune(false))?, counted);
    same!(process.store.prune(&prune(false))?, Pruned::default());
    for run in ["done", "done/c", "done/c/g"] {
        same!(process.store.run(run)?, None);
        holds!(process.store.pruned(run)?, "`{run}` left no tombstone");
        same!(process.store.read(run, 0, 0)?, []);
        same!(process.store.inbox(run, 0)?, []);
        same!(process.store.post(post(run, "e9"))?, Posted::Pruned);
        same!(process.store.start(new_run(run, process.shard))?, Started::Pruned);
        same!(process.store.append(process.append(run, 0, run))?, Outcome::Pruned);
        let create = Append { create: Some(Box::new(new_run(run, process.shard))), ..process.append(run, 0, run) };
        same!(process.store.append(create)?, Outcome::Pruned);
    }
    same!(process.picture(&runs)?, before);
    same!(process.store.feed(Cursor::default(), 0)?.iter().filter(|entry| entry.run.starts_with("done")).count(), 0);
    // Numbers and places are not used again: a reader of the feed misses nothing.
    let last = process.store.feed(Cursor::default(), 0)?.last().map(|entry| entry.cursor).unwrap_or_default();
    process.does("open", "e2", Vec::new())?;
    same!(process.store.feed(last, 0)?.len(), 1);
    Ok(())
}

fn blobs_of_pruned_runs(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let blob = |digest: &str| Effect::Blob { digest: digest.repeat(32), bytes: digest.as_bytes().to_vec() };
    process.store.define(&Definition { digest: "sha256:d1".to_owned(), json: "{}".to_owned(), map: None })?;
    for run in ["a", "b"] {
        process.run(run)?;
    }
    process.does("a", "e1", vec![blob("aa"), blob("cc")])?;
    process.does("b", "e1", vec![blob("bb"), blob("cc")])?;
    end(&process, "a", 1)?;
    process.store.prune(&Prune { ended_before: 2, workflow: None, dry_run: false })?;
    let bytes = |digest: &str| process.store.blob(&digest.repeat(32));
    same!((bytes("aa")?, bytes("bb")?, bytes("cc")?), (None, Some(b"bb".to_vec()), Some(b"cc".to_vec())));
    holds!(process.store.definition("sha256:d1")?.is_some(), "the definition of an open run was deleted");
    Ok(())
}

fn doubts(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.run("r2")?;
    let row = |run: &str, n: u32, kind, once_only| {
        let key = RowKey::new(run, format!("{run}/a#{n}"));
        Effect::Put(Box::new(OutboxRow { once_only, ..OutboxRow::ready(key, kind, "pay", NOW) }))
    };
    let rows = |run: &str| {
        vec![row(run, 1, Kind::Call, true), row(run, 2, Kind::Call, true), row(run, 3, Kind::Call, false), row(run, 4, Kind::Timer, false)]
    };
    process.does("r1", "e1", rows("r1"))?;
    process.does("r2", "e1", rows("r2"))?;
    let sent = |run: &str| Change {
        key: RowKey::new(run, format!("{run}/a#2")),
        when: When { state: RowState::Ready, sendings: None },
        to: To::Sent { process: process.node },
        reserve: None,
    };
    same!(process.store.change(vec![sent("r1")])?, [Applied::Yes]);
    same!(process.store.doubt(Some("r1"))?, 2);
    let states = |run: &str| -> Result<Vec<RowState>, Failed> {
        let rows = process.store.rows(&crate::RowFilter { run: Some(run.to_owned()), ..Default::default() })?;
        Ok(rows.into_iter().map(|row| row.state).collect())
    };
    let (ready, unknown) = (RowState::Ready, RowState::Unknown);
    same!(states("r1")?, [unknown, unknown, ready, ready]);
    same!(states("r2")?, [ready; 4]);
    same!(process.store.doubt(None)?, 2);
    same!(process.store.doubt(None)?, 0);
    same!(states("r2")?, [unknown, unknown, ready, ready]);
    // Nothing that was ready is due any more, and the decision names the sending.
    same!(process.store.due(process.node, NOW, None, 0)?.len(), 4);
    let require = Require::Row { key: RowKey::new("r2", "r2/a#1"), state: unknown, sendings: Some(0) };
    process.must(Append { require: vec![require], turns: vec![turn("d1")], ..process.append("r2", 4, "d1") })?;
    Ok(())
}
