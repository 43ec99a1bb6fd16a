//! Posts and starts.

use std::time::Duration;

use super::{Case, Checked, NOW, Process, World, event, holds, ids, new_run, post, same};
use crate::{Append, Applied, Effect, NewRun, Outcome, Post, Posted, Started};

pub(super) const CASES: &[Case] = &[
    ("posts wait in the order of their acceptance, and go with the append that takes them", order),
    ("a post is taken once, and another event with its id is refused", repeated),
    ("a post for a run that does not exist is refused", no_run),
    ("a run starts once; the same start again is known, another one refused", starts),
    ("posts and starts of an append are in its transaction", with_an_append),
    ("the owner finds the runs with an inbox, oldest first", sweep),
    ("any process posts, and the owner notices", from_elsewhere),
];

fn order(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.run("r2")?;
    for (run, id) in [("r1", "e9"), ("r2", "x"), ("r1", "e1"), ("r1", "e5")] {
        holds!(matches!(process.store.post(post(run, id))?, Posted::Posted(_)), "{id} was not posted");
    }
    let rows = process.store.inbox("r1", 0)?;
    same!(rows.iter().map(|row| row.post.id.as_str()).collect::<Vec<_>>(), ["e9", "e1", "e5"]);
    same!(rows.first().map(|row| &row.post), Some(&post("r1", "e9")));
    same!(process.store.inbox("r1", 2)?.len(), 2);
    let first = rows.first().map(|row| row.pos);
    let conflict = Append { took: first, ..process.append("r1", 0, "e9") };
    same!(process.store.append(conflict)?, Outcome::Conflict { head: 2 });
    same!(process.store.inbox("r1", 0)?.len(), 3);
    process.must(Append { took: first, ..process.append("r1", 2, "e9") })?;
    same!(process.store.inbox("r1", 0)?.iter().map(|row| row.post.id.as_str()).collect::<Vec<_>>(), ["e1", "e5"]);
    same!(process.store.inbox("r2", 0)?.len(), 1);
    // An append of one run takes no row of another.
    let foreign = process.store.inbox("r2", 0)?.first().map(|row| row.pos);
    process.must(Append { took: foreign, ..process.append("r1", 4, "e0") })?;
    same!(process.store.inbox("r2", 0)?.len(), 1);
    Ok(())
}

fn repeated(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let with = |event: &str| Post { event: event.to_owned(), ..post("r1", "e1") };
    let first = with(r#"{"seq":0,"id":"e1","topic":"order.paid","kind":"external","data":{"a":1,"b":2}}"#);
    let same_one = with(r#"{"id":"e1","seq":7,"at":"2027-01-01T00:00:00Z","kind":"external","topic":"order.paid","data":{"b":2,"a":1}}"#);
    let other = with(r#"{"seq":0,"id":"e1","topic":"order.paid","kind":"external","data":{"a":1,"b":3}}"#);
    holds!(matches!(process.store.post(first.clone())?, Posted::Posted(_)), "not posted");
    for _ in 0..2 {
        same!(process.store.post(first.clone())?, Posted::Known);
        same!(process.store.post(same_one.clone())?, Posted::Known);
        same!(process.store.post(other.clone())?, Posted::Differs);
        // The second time with the event on the scroll.
        if let Some(row) = process.store.inbox("r1", 0)?.first() {
            let turn = crate::Turn { external: row.post.event.clone(), ..super::turn("e1") };
            process.must(Append { took: Some(row.pos), turns: vec![turn], ..process.append("r1", 2, "e1") })?;
        }
    }
    same!(process.store.inbox("r1", 0)?.len(), 0);
    Ok(())
}

fn no_run(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    same!(process.store.post(post("r1", "e1"))?, Posted::NoRun);
    same!(process.store.inbox("r1", 0)?.len(), 0);
    // And it is not there when the run starts.
    process.run("r1")?;
    same!(process.store.inbox("r1", 0)?.len(), 0);
    Ok(())
}

fn starts(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let new = || new_run("r1", process.shard);
    same!(process.store.start(new())?, Started::Started);
    same!(process.store.start(new())?, Started::Known);
    same!(process.store.start(NewRun { digest: "sha256:d2".to_owned(), at: NOW + 9, ..new() })?, Started::Known);
    same!(process.store.start(NewRun { digest: "sha256:d2".to_owned(), digest_given: true, ..new() })?, Started::Differs);
    same!(process.store.start(NewRun { input_digest: "sha256:i2".to_owned(), ..new() })?, Started::Differs);
    same!(process.store.start(NewRun { workflow: "other".to_owned(), ..new() })?, Started::Differs);
    let rows = process.store.inbox("r1", 0)?;
    same!(
        rows.iter().map(|row| (row.post.id.as_str(), row.post.event.clone())).collect::<Vec<_>>(),
        [("r1", event("r1", "workflow.start"))]
    );
    let run = process.store.run("r1")?.map(|run| (run.head, run.digest, run.state, run.no > 0));
    same!(run, Some((0, "sha256:d1".to_owned(), crate::RunState::open(), true)));
    let pos = rows.first().map(|row| row.pos);
    process.must(Append { took: pos, ..process.append("r1", 0, "r1") })?;
    same!(process.store.start(new())?, Started::Known);
    same!(process.store.inbox("r1", 0)?.len(), 0);
    Ok(())
}

fn with_an_append(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("parent")?;
    let child = || NewRun { parent: Some("parent".to_owned()), ..new_run("parent/check#1", process.shard) };
    let effects = || {
        vec![
            Effect::Post(Box::new(post("parent/check#1", "early"))),
            Effect::Start(Box::new(child())),
            Effect::Post(Box::new(post("parent/check#1", "e1"))),
            Effect::Post(Box::new(post("nobody", "e1"))),
        ]
    };
    same!(process.store.append(Append { effects: effects(), ..process.append("parent", 0, "e1") })?, Outcome::Conflict { head: 2 });
    same!(process.store.run("parent/check#1")?, None);
    let (yes, no) = (Applied::Yes, Applied::No);
    same!(process.does("parent", "e1", effects())?, [no, yes, yes, no]);
    same!(process.does("parent", "e2", effects())?, [yes, yes, yes, no]);
    let inbox = process.store.inbox("parent/check#1", 0)?;
    same!(inbox.iter().map(|row| row.post.id.as_str()).collect::<Vec<_>>(), ["parent/check#1", "e1", "early"]);
    let filter = crate::RunFilter { parent: Some("parent".to_owned()), ..Default::default() };
    same!(process.store.runs(&filter)?.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["parent/check#1"]);
    Ok(())
}

fn sweep(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let other = Process::new(world)?;
    for run in ["r1", "r2", "r3"] {
        process.run(run)?;
    }
    other.run("x")?;
    for (run, id) in [("r3", "a"), ("x", "a"), ("r1", "a"), ("r3", "b"), ("r1", "b"), ("r2", "a")] {
        process.store.post(post(run, id))?;
    }
    let names = |after, limit| -> Result<Vec<String>, super::Failed> {
        Ok(process.store.waiting(process.node, after, limit)?.into_iter().map(|(_, run)| run).collect())
    };
    same!(names(0, 0)?, ["r3", "r1", "r2"]);
    same!(names(0, 2)?, ["r3", "r1"]);
    let second = process.store.waiting(process.node, 0, 2)?.last().map_or(0, |(pos, _)| *pos);
    same!(names(second, 2)?, ["r2"]);
    same!(other.store.waiting(other.node, 0, 0)?.len(), 1);
    Ok(())
}

fn from_elsewhere(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let seen = process.store.version()?;
    same!(process.store.changed(seen, Duration::ZERO)?, seen);
    let elsewhere = world.process();
    same!(elsewhere.run("r1")?.map(|run| run.owner), Some(Some(process.node)));
    holds!(matches!(elsewhere.post(post("r1", "e1"))?, Posted::Posted(_)), "not posted");
    let version = process.store.changed(seen, Duration::from_secs(10))?;
    holds!(version != seen, "the post was not noticed");
    same!(process.store.inbox("r1", 0)?.len(), 1);
    same!(ids(&*elsewhere, "r1")?, ["r1"]);
    Ok(())
}
