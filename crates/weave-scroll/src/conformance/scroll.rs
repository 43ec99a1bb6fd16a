//! Appending and reading.

use std::sync::Arc;
use std::thread;

use super::{Case, Checked, Failed, NOW, Process, World, holds, ids, new_run, post, same, turn};
use crate::{
    Append, Applied, Change, Cursor, Effect, Kind, OutboxRow, Outcome, Reply, Require, RowKey, RowState, RunState, Started, Status,
    StoreError, To, Turn, When,
};

pub(super) const CASES: &[Case] = &[
    ("a turn is read as it was appended", read_back),
    ("an append at another head changes nothing", conflicts),
    ("an event id is on a scroll once; a duplicate takes its inbox row and changes nothing else", duplicates),
    ("several turns are one append", several_turns),
    ("effects apply in their order, and the result says which", effects_in_order),
    ("an append changes rows of its own run only", own_rows),
    ("conditions of an append hold inside its transaction", requirements),
    ("an append creates its run", creates),
    ("of many appends at one head one wins", one_winner),
    ("good and bad appends in one batch do not touch each other", batches),
    ("a run keeps what its last turn made of it", states),
    ("the feed has each turn once, in an order that stays", feeds),
    ("no run, no append", unknown_runs),
];

fn read_back(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let odd = Turn {
        external: r#"{"data":"\u0000 ä 𝄞 \" ' ; --","z":1,"a":2}"#.to_owned(),
        derived: format!(r#"[{{"text":"{}"}}]"#, "ü".repeat(700_000)),
        ..turn("e2")
    };
    process.must(Append { turns: vec![odd.clone()], ..process.append("r1", 2, "") })?;
    let turns = process.store.read("r1", 0, 0)?;
    same!(turns.len(), 2);
    same!(turns.iter().map(|turn| turn.seq).collect::<Vec<_>>(), [0, 2]);
    same!(turns.first().map(|turn| &turn.turn), Some(&turn("r1")));
    same!(turns.get(1).map(|turn| &turn.turn), Some(&odd));
    same!(process.store.read("r1", 1, 0)?.len(), 1);
    same!(process.store.read("r1", 0, 1)?.len(), 1);
    same!(process.store.read("r1", 4, 0)?.len(), 0);
    let externals = process.store.externals("r1", 0, 0)?;
    same!(externals.first().map(|turn| (turn.turn.id.as_str(), turn.turn.events, turn.turn.derived.as_str())), Some(("r1", 2, "")));
    same!(externals.get(1).map(|turn| &turn.turn.external), Some(&odd.external));
    same!(process.head("r1")?, 4);
    Ok(())
}

fn conflicts(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.store.post(post("r1", "e1"))?;
    let before = process.picture(&["r1"])?;
    for expected in [0, 1, 3, u64::from(u32::MAX)] {
        let row = OutboxRow::ready(RowKey::new("r1", "r1/a#1"), Kind::Call, "a", NOW);
        let append = Append { effects: vec![Effect::Put(Box::new(row))], took: Some(1), ..process.append("r1", expected, "e1") };
        same!(process.store.append(append)?, Outcome::Conflict { head: 2 });
        same!(process.picture(&["r1"])?, before);
    }
    Ok(())
}

fn duplicates(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.does("r1", "e1", Vec::new())?;
    let before = process.picture(&["r1"])?;
    let again =
        |took| Append { took, effects: vec![Effect::Close("r1/a#1".to_owned()), Effect::CloseAll], ..process.append("r1", 2, "e1") };
    same!(process.store.append(again(None))?, Outcome::Duplicate { head: 4 });
    same!(process.picture(&["r1"])?, before);
    // At its head too, and the same id on another scroll is another event.
    same!(process.store.append(process.append("r1", 4, "e1"))?, Outcome::Duplicate { head: 4 });
    process.run("r2")?;
    process.does("r2", "e1", Vec::new())?;
    // A row that was taken although its event is there (another process appended it) goes.
    process.store.post(post("r1", "e2"))?;
    let pos = process.store.inbox("r1", 0)?.first().map(|row| row.pos);
    process.must(process.append("r1", 4, "e2"))?;
    same!(process.store.inbox("r1", 0)?.len(), 1);
    same!(process.store.append(Append { took: pos, ..process.append("r1", 4, "e2") })?, Outcome::Duplicate { head: 6 });
    same!(process.store.inbox("r1", 0)?.len(), 0);
    Ok(())
}

fn several_turns(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let turns = vec![turn("e1"), Turn { events: 1, derived: "[]".to_owned(), ..turn("e2") }, turn("e3")];
    let append = Append { turns, ..process.append("r1", 2, "") };
    same!(process.store.append(append.clone())?, Outcome::Appended { head: 7, effects: Vec::new() });
    same!(process.store.read("r1", 2, 0)?.iter().map(|turn| turn.seq).collect::<Vec<_>>(), [2, 4, 5]);
    same!(process.store.append(append)?, Outcome::Duplicate { head: 7 });
    let before = process.picture(&["r1"])?;
    let mixed = Append { turns: vec![turn("e4"), turn("e2")], ..process.append("r1", 7, "") };
    holds!(matches!(process.store.append(mixed), Err(StoreError::Misuse(_))), "a second turn that is on the scroll was appended");
    let twice = Append { turns: vec![turn("e4"), turn("e4")], ..process.append("r1", 7, "") };
    holds!(matches!(process.store.append(twice), Err(StoreError::Misuse(_))), "the same turn was appended twice at once");
    let none = Append { turns: Vec::new(), ..process.append("r1", 7, "") };
    holds!(matches!(process.store.append(none), Err(StoreError::Misuse(_))), "an append without turns was taken");
    same!(process.picture(&["r1"])?, before);
    Ok(())
}

fn effects_in_order(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let key = RowKey::new("r1", "r1/a#1");
    let row = OutboxRow::ready(key.clone(), Kind::Call, "a", NOW);
    let second = OutboxRow { key: RowKey { attempt: 2, ..key.clone() }, ..row.clone() };
    let part = OutboxRow { key: RowKey { part: "turn1".to_owned(), ..key.clone() }, ..row.clone() };
    let other = OutboxRow { key: RowKey::new("r1", "r1/a#10"), ..row.clone() };
    let put = |row: &OutboxRow| Effect::Put(Box::new(row.clone()));
    let to_unknown = Change { key: key.clone(), when: When { state: RowState::Ready, sendings: None }, to: To::Unknown, reserve: None };
    let change = || Effect::Change(Box::new(to_unknown.clone()));
    let effects = vec![change(), put(&row), put(&row), change(), change(), put(&second), put(&part), put(&other)];
    let (yes, no) = (Applied::Yes, Applied::No);
    same!(process.does("r1", "e1", effects)?, [no, yes, no, yes, no, yes, yes, yes]);
    same!(process.store.row(&key)?.map(|row| row.state), Some(RowState::Unknown));
    let close = |id: &str| Effect::Close(id.to_owned());
    let effects =
        vec![close("r1/b#1"), Effect::CloseRow(second.key.clone()), Effect::CloseRow(second.key), close("r1/a#1"), close("r1/a#1")];
    same!(process.does("r1", "e2", effects)?, [no, yes, no, yes, no]);
    same!(process.store.row(&part.key)?, None);
    same!(process.store.row(&other.key)?, Some(other.clone()));
    process.run("r10")?;
    let foreign = OutboxRow { key: RowKey::new("r10", "r10/a#1"), ..row };
    process.does("r10", "e1", vec![put(&foreign)])?;
    same!(process.does("r1", "e3", vec![Effect::CloseAll])?, [yes]);
    same!(process.store.row(&other.key)?, None);
    same!(process.store.row(&foreign.key)?, Some(foreign));
    Ok(())
}

fn own_rows(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.run("r2")?;
    let before = process.picture(&["r1", "r2"])?;
    let row = OutboxRow::ready(RowKey::new("r2", "r2/a#1"), Kind::Call, "a", NOW);
    for effect in [Effect::CloseRow(row.key.clone()), Effect::Put(Box::new(row))] {
        let append = Append { effects: vec![effect], ..process.append("r1", 2, "e1") };
        holds!(matches!(process.store.append(append), Err(StoreError::Misuse(_))), "a row of another run was changed");
    }
    same!(process.picture(&["r1", "r2"])?, before);
    Ok(())
}

fn requirements(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let key = RowKey::new("r1", "r1/a#1");
    let state = |state, sendings| Require::Row { key: key.clone(), state, sendings };
    let with = |require, took| Append { require, took, ..process.append("r1", 4, "e2") };
    let row = OutboxRow::ready(key.clone(), Kind::Call, "a", NOW);
    process.does("r1", "e1", vec![Effect::Put(Box::new(row))])?;
    process.store.post(post("r1", "e2"))?;
    let before = process.picture(&["r1"])?;
    let ready = || state(RowState::Ready, None);
    same!(process.store.append(with(vec![Require::InboxEmpty], None))?, Outcome::Unmet(0));
    same!(process.store.append(with(vec![ready(), state(RowState::Sent, None)], None))?, Outcome::Unmet(1));
    same!(process.store.append(with(vec![ready(), state(RowState::Ready, Some(1))], None))?, Outcome::Unmet(1));
    let missing = Require::Row { key: RowKey::new("r1", "r1/b#1"), state: RowState::Ready, sendings: None };
    same!(process.store.append(with(vec![missing], None))?, Outcome::Unmet(0));
    same!(process.picture(&["r1"])?, before);
    let pos = process.store.inbox("r1", 0)?.first().map(|row| row.pos);
    process.must(with(vec![Require::InboxEmpty, ready(), state(RowState::Ready, Some(0))], pos))?;
    same!(process.store.inbox("r1", 0)?.len(), 0);
    Ok(())
}

fn creates(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let create = |id: &str| Append { create: Some(Box::new(new_run(id, process.shard))), ..process.append(id, 0, id) };
    let key = RowKey::new("r1", "r1/a#1");
    let unmet = Append { require: vec![Require::Row { key, state: RowState::Ready, sendings: None }], ..create("r1") };
    same!(process.store.append(unmet)?, Outcome::Unmet(0));
    same!(process.store.run("r1")?, None);
    same!(process.store.append(Append { expected: 2, ..create("r1") })?, Outcome::Conflict { head: 0 });
    same!(process.store.run("r1")?, None);
    process.must(create("r1"))?;
    same!(process.store.inbox("r1", 0)?.len(), 0);
    same!(process.store.append(create("r1"))?, Outcome::Duplicate { head: 2 });
    same!(process.store.start(new_run("r1", process.shard))?, Started::Known);
    same!(process.store.inbox("r1", 0)?.len(), 0);
    let run = process.store.run("r1")?.ok_or(Failed("the run is missing".to_owned()))?;
    same!((run.workflow.as_str(), run.shard, run.started, run.owner), ("support", process.shard, NOW, Some(process.node)));
    Ok(())
}

fn one_winner(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    for round in 0..10 {
        let expected = process.head("r1")?;
        let threads = (0..8).map(|n| {
            let (store, append) = (Arc::clone(&process.store), process.append("r1", expected, &format!("e{round}.{n}")));
            thread::spawn(move || store.append(append))
        });
        let mut won = 0;
        for thread in threads.collect::<Vec<_>>() {
            match thread.join().map_err(|_| Failed("an append panicked".to_owned()))?? {
                Outcome::Appended { head, .. } => {
                    won += 1;
                    same!(head, expected + 2);
                }
                Outcome::Conflict { head } => {
                    same!(head, expected + 2);
                }
                other => return Err(Failed(format!("an append came to {other:?}"))),
            }
        }
        same!(won, 1);
    }
    let turns = process.store.read("r1", 0, 0)?;
    same!(turns.iter().map(|turn| turn.seq).collect::<Vec<_>>(), (0..11).map(|n| n * 2).collect::<Vec<_>>());
    Ok(())
}

fn batches(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    for n in 0..16 {
        process.run(&format!("r{n}"))?;
    }
    let (sender, results) = std::sync::mpsc::channel();
    for round in 0..8 {
        for n in 0..16 {
            let run = format!("r{n}");
            // Every fourth append is at a wrong head, or is wrong in itself after its first effects were applied.
            let good = process.append(&run, 2 + round * 2, &format!("e{round}"));
            let mut appends = vec![good.clone()];
            match n % 4 {
                1 => appends.insert(0, Append { expected: 9999, ..good }),
                2 => appends.insert(0, Append { turns: vec![turn("x"), turn(&run)], ..good }),
                3 => appends.push(good),
                _ => {}
            }
            for append in appends {
                let sender = sender.clone();
                process.store.append_then(append, Reply::new(move |result| drop(sender.send(result))));
            }
        }
    }
    drop(sender);
    let (mut appended, mut conflicts, mut duplicates, mut wrong) = (0, 0, 0, 0);
    for result in results {
        match result {
            Ok(Outcome::Appended { .. }) => appended += 1,
            Ok(Outcome::Conflict { .. }) => conflicts += 1,
            Ok(Outcome::Duplicate { .. }) => duplicates += 1,
            Err(StoreError::Misuse(_)) => wrong += 1,
            other => return Err(Failed(format!("an append came to {other:?}"))),
        }
    }
    same!((appended, conflicts, duplicates, wrong), (128, 32, 32, 32));
    for n in 0..16 {
        let expected = std::iter::once(format!("r{n}")).chain((0..8).map(|round| format!("e{round}"))).collect::<Vec<_>>();
        same!(ids(&*process.store, &format!("r{n}"))?, expected);
    }
    Ok(())
}

fn states(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let waiting = RunState { waiting: Some(r#"{"for":"approval"}"#.to_owned()), ..RunState::open() };
    process.must(Append { state: waiting.clone(), ..process.append("r1", 2, "e1") })?;
    same!(process.store.run("r1")?.map(|run| run.state), Some(waiting));
    let ended = RunState { status: Status::Failed, waiting: None, ended: Some(NOW + 5) };
    process.must(Append { state: ended.clone(), ..process.append("r1", 4, "e2") })?;
    same!(process.store.run("r1")?.map(|run| run.state), Some(ended.clone()));
    // Late events stay on the scroll of a run that has ended.
    process.must(Append { state: ended.clone(), ..process.append("r1", 6, "e3") })?;
    same!(process.store.run("r1")?.map(|run| (run.state, run.head)), Some((ended, 8)));
    Ok(())
}

fn feeds(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let other = Process::new(world)?;
    for (process, name) in [(&process, "a"), (&other, "b")] {
        for n in 0..5 {
            process.run(&format!("{name}{n}"))?;
        }
    }
    let mut cursor = Cursor::default();
    let mut seen = Vec::new();
    let take = |cursor: &mut Cursor, seen: &mut Vec<(String, u64)>| -> Checked {
        loop {
            let entries = process.store.feed(*cursor, 3)?;
            let Some(last) = entries.last() else { return Ok(()) };
            *cursor = last.cursor;
            seen.extend(entries.into_iter().map(|entry| (entry.run, entry.turn.seq)));
        }
    };
    take(&mut cursor, &mut seen)?;
    same!(seen.len(), 10);
    let threads = [&process, &other].map(|process| {
        let appends = (0..5).map(|n| process.append(&format!("{}{n}", if process.node < other.node { "a" } else { "b" }), 2, "e1"));
        let (store, appends) = (Arc::clone(&process.store), appends.collect::<Vec<_>>());
        thread::spawn(move || appends.into_iter().try_for_each(|append| store.append(append).map(drop)))
    });
    while threads.iter().any(|thread| !thread.is_finished()) {
        take(&mut cursor, &mut seen)?;
    }
    for thread in threads {
        thread.join().map_err(|_| Failed("an append panicked".to_owned()))??;
    }
    take(&mut cursor, &mut seen)?;
    let mut again = Vec::new();
    take(&mut Cursor::default(), &mut again)?;
    same!(seen, again);
    again.sort();
    again.dedup();
    same!(again.len(), 20);
    Ok(())
}

fn unknown_runs(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    same!(process.store.append(process.append("r1", 0, "r1"))?, Outcome::NoRun);
    same!(process.store.run("r1")?, None);
    same!(process.store.read("r1", 0, 0)?.len(), 0);
    same!(process.store.inbox("r1", 0)?.len(), 0);
    same!(process.store.blob("00")?, None);
    same!(process.store.definition("sha256:d1")?, None);
    same!(process.store.row(&RowKey::new("r1", "r1/a#1"))?, None);
    holds!(!process.store.pruned("r1")?, "a run that never was is pruned");
    Ok(())
}
