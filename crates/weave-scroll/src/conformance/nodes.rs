//! Ownership.

use std::collections::BTreeSet;

use super::{Case, Checked, Failed, Process, World, holds, ids, new_run, post, same};
use crate::{Append, COMMON_SHARDS, Claimed, Node, Outcome, RunFilter, RunRow, Shard, Share, Taken, Worker, common_shard};

pub(super) const CASES: &[Case] = &[
    ("a shard has one owner, and only the owner appends", owners),
    ("processes with shards of their own work at the same time", side_by_side),
    ("a run without a living owner is parked, and goes on when it is taken over", parked),
    ("one server has all common shards, a second one is refused with the holder", one_server),
    ("servers share the common shards", many_servers),
    ("a run has the least revision of the living nodes, and older nodes do not compute newer runs", revisions),
    ("runs that are computed when a process dies are counted, others are not", crashes),
    ("a run that is set aside is not worked on", held),
    ("node ids and shards are never used again", fresh),
    ("runs are listed newest first, a page at a time", listed),
];

fn owners(world: &dyn World) -> Checked {
    let owner = Process::new(world)?;
    let other = Process::new(world)?;
    owner.run("r1")?;
    let before = owner.picture(&["r1"])?;
    let foreign = Append { node: other.node, ..owner.append("r1", 2, "e1") };
    same!(other.store.append(foreign.clone())?, Outcome::Fenced { owner: Some(owner.node) });
    same!(owner.picture(&["r1"])?, before);
    match other.store.take_shard(other.node, owner.shard)? {
        Taken::Held(Node { id, worker, alive }) => {
            same!((id, worker.process.as_str(), alive), (owner.node, "4711", true));
        }
        Taken::Yes => return Err(Failed("a shard was taken from a living node".to_owned())),
    }
    same!(owner.store.take_shard(owner.node, owner.shard)?, Taken::Yes);
    // Released, taken over: the former owner is fenced, even at the right head.
    owner.store.release(owner.node, &[owner.shard, other.shard])?;
    same!(owner.store.append(owner.append("r1", 2, "e1"))?, Outcome::Fenced { owner: None });
    same!(other.store.take_shard(other.node, owner.shard)?, Taken::Yes);
    other.must(foreign)?;
    same!(owner.store.append(owner.append("r1", 4, "e2"))?, Outcome::Fenced { owner: Some(other.node) });
    // Nobody releases what is another's.
    owner.store.release(owner.node, &[owner.shard])?;
    other.must(Append { node: other.node, ..owner.append("r1", 4, "e2") })?;
    same!(ids(&*owner.store, "r1")?, ["r1", "e1", "e2"]);
    Ok(())
}

fn side_by_side(world: &dyn World) -> Checked {
    let processes = [Process::new(world)?, Process::new(world)?];
    let run = |name: &'static str, process: &Process| {
        let (store, node, shard) = (std::sync::Arc::clone(&process.store), process.node, process.shard);
        let process = Process { store, node, shard };
        std::thread::spawn(move || -> Checked {
            process.run(name)?;
            (1..20).try_for_each(|n| process.does(name, &format!("e{n}"), Vec::new()).map(drop))
        })
    };
    let [one, two] = &processes;
    let threads = [run("r1", one), run("r2", two)];
    for thread in threads {
        thread.join().map_err(|_| Failed("a process panicked".to_owned()))??;
    }
    for name in ["r1", "r2"] {
        same!(one.store.read(name, 0, 0)?.len(), 20);
        same!(two.head(name)?, 40);
    }
    Ok(())
}

fn parked(world: &dyn World) -> Checked {
    let first = Process::new(world)?;
    first.run("r1")?;
    let list = |process: &Process| -> Result<Vec<String>, Failed> {
        let runs = process.store.runs(&RunFilter { parked: true, ..Default::default() })?;
        Ok(runs.into_iter().map(|run| run.id).collect())
    };
    same!(list(&first)?, Vec::<String>::new());
    world.kill(first.node);
    let second = Process::new(world)?;
    second.store.bury()?;
    same!(list(&second)?, ["r1"]);
    same!(second.store.run("r1")?.map(|run| run.owner), Some(None));
    holds!(matches!(second.store.post(post("r1", "e1"))?, crate::Posted::Posted(_)), "a parked run takes no posts");
    let free = second.store.shards()?.into_iter().find(|row| row.shard == first.shard);
    same!(free.map(|row| row.alive), Some(false));
    same!(second.store.take_shard(second.node, first.shard)?, Taken::Yes);
    same!(list(&second)?, Vec::<String>::new());
    same!(second.store.waiting(second.node, 0, 0)?.len(), 1);
    second.must(second.append("r1", 2, "e1"))?;
    let runs = second.store.runs(&RunFilter { node: Some(second.node), ..Default::default() })?;
    same!(runs.into_iter().map(|run| run.id).collect::<Vec<_>>(), ["r1"]);
    Ok(())
}

fn one_server(world: &dyn World) -> Checked {
    let join = |name: &str| -> Result<_, Failed> {
        let store = world.process();
        let node = store.join(&Worker { process: name.to_owned(), revision: 1 })?;
        Ok((store, node))
    };
    let (first, one) = join("100")?;
    let (second, two) = join("200")?;
    let all = Claimed::Shards((0..COMMON_SHARDS).map(Shard).collect());
    same!(first.claim_common(one, Share::Alone)?, all);
    same!(first.claim_common(one, Share::Alone)?, all);
    match second.claim_common(two, Share::Alone)? {
        Claimed::Held(node) => {
            same!((node.id, node.worker.process.as_str()), (one, "100"));
        }
        other @ Claimed::Shards(_) => return Err(Failed(format!("two servers: {other:?}"))),
    }
    // A process with a shard of its own is no server.
    Process::new(world)?.run("r1")?;
    world.kill(one);
    same!(second.claim_common(two, Share::Alone)?, all);
    let shard = common_shard("order-1");
    holds!(shard.0 < COMMON_SHARDS, "a common shard is {shard:?}");
    same!(second.start(new_run("order-1", shard))?, crate::Started::Started);
    same!(second.waiting(two, 0, 0)?.len(), 1);
    Ok(())
}

fn many_servers(world: &dyn World) -> Checked {
    let mut servers = Vec::new();
    for name in ["100", "200", "300"] {
        let store = world.process();
        let node = store.join(&Worker { process: name.to_owned(), revision: 1 })?;
        servers.push((store, node));
    }
    let mut parts = Vec::new();
    for _ in 0..3 {
        parts.clear();
        for (store, node) in &servers {
            match store.claim_common(*node, Share::Fair)? {
                Claimed::Shards(shards) => parts.push(shards),
                Claimed::Held(node) => return Err(Failed(format!("held by {node:?}"))),
            }
        }
    }
    holds!(parts.iter().all(|part| part.len() <= 86), "a server has more than its part");
    let all = parts.iter().flatten().collect::<BTreeSet<_>>();
    same!((all.len(), parts.iter().map(Vec::len).sum::<usize>()), (256, 256));
    Ok(())
}

fn revisions(world: &dyn World) -> Checked {
    let new = Process::with(world.process(), 3)?;
    new.store.start(crate::NewRun { revision: 3, ..new_run("r3", new.shard) })?;
    let old = Process::with(world.process(), 2)?;
    old.store.start(crate::NewRun { revision: 3, ..new_run("r2", new.shard) })?;
    let revision = |run: &str| -> Result<_, Failed> { Ok(old.store.run(run)?.map(|run| run.revision)) };
    same!((revision("r3")?, revision("r2")?), (Some(3), Some(2)));
    new.store.release(new.node, &[new.shard])?;
    same!(old.store.take_shard(old.node, new.shard)?, Taken::Yes);
    same!(old.store.append(old.append("r3", 0, "r3"))?, Outcome::Fenced { owner: Some(old.node) });
    old.must(old.append("r2", 0, "r2"))?;
    world.kill(old.node);
    new.store.bury()?;
    new.store.start(crate::NewRun { revision: 3, ..new_run("r4", new.shard) })?;
    same!(new.store.run("r4")?.map(|run| run.revision), Some(3));
    same!(new.store.about()?.revision, 3);
    Ok(())
}

fn crashes(world: &dyn World) -> Checked {
    let first = Process::new(world)?;
    for run in ["bad", "good", "idle"] {
        first.run(run)?;
    }
    let count = |process: &Process| -> Result<Vec<u32>, Failed> {
        let of = |run| process.store.run(run).map(|run: Option<RunRow>| run.map_or(99, |run| run.crashes));
        Ok(vec![of("bad")?, of("good")?, of("idle")?])
    };
    let mut shard = first.shard;
    let mut process = first;
    for round in 1..=3 {
        process.store.computing(process.node, "good")?;
        process.store.computing(process.node, "bad")?;
        process.store.computed(process.node, "good")?;
        world.kill(process.node);
        let next = Process::with(if round == 2 { world.restart() } else { world.process() }, 1)?;
        next.store.bury()?;
        same!(next.store.bury()?, []);
        same!(count(&next)?, [round, 0, 0]);
        same!(next.store.take_shard(next.node, shard)?, Taken::Yes);
        process = next;
    }
    // A turn that went well forgets them, and so does a person; a node that leaves in order counts nothing.
    process.does("bad", "e1", Vec::new())?;
    same!(count(&process)?, [0, 0, 0]);
    process.store.computing(process.node, "bad")?;
    process.store.leave(process.node)?;
    let last = Process::new(world)?;
    last.store.bury()?;
    same!(count(&last)?, [0, 0, 0]);
    shard = last.shard;
    holds!(shard != process.shard, "a shard was used again");
    Ok(())
}

fn held(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    process.store.post(post("r1", "e1"))?;
    let timer = crate::OutboxRow::ready(crate::RowKey::new("r1", "r1/t#1"), crate::Kind::Timer, "t", 5);
    process.does("r1", "e0", vec![crate::Effect::Put(Box::new(timer))])?;
    let seen = || -> Result<_, Failed> {
        let (node, store) = (process.node, &process.store);
        let held = store.run("r1")?.and_then(|run| run.held);
        Ok((held, store.waiting(node, 0, 0)?.len(), store.due(node, 9, None, 0)?.len(), store.next_due(node, 0)?))
    };
    same!(seen()?, (None, 1, 1, Some(5)));
    holds!(process.store.hold("r1", Some("it ended the process three times"))?, "no such run");
    same!(seen()?, (Some("it ended the process three times".to_owned()), 0, 0, None));
    holds!(process.store.hold("r1", None)?, "no such run");
    same!(seen()?, (None, 1, 1, Some(5)));
    holds!(!process.store.hold("r9", None)?, "a run that is not there was held");
    Ok(())
}

fn fresh(world: &dyn World) -> Checked {
    let first = Process::new(world)?;
    first.store.leave(first.node)?;
    let second = Process::with(world.restart(), 1)?;
    holds!(second.node > first.node, "{:?} came after {:?}", second.node, first.node);
    holds!(second.shard > first.shard, "{:?} came after {:?}", second.shard, first.shard);
    holds!(second.shard.0 >= COMMON_SHARDS, "{:?} is a common shard", second.shard);
    holds!(!second.store.renew(first.node)?, "a node that left is alive");
    let alive = second.store.nodes()?.into_iter().filter(|node| node.alive).map(|node| node.id).collect::<Vec<_>>();
    same!(alive, [second.node]);
    Ok(())
}

fn listed(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    for n in 0..7 {
        process.run(&format!("r{n}"))?;
    }
    let ended = crate::RunState { status: crate::Status::Succeeded, waiting: None, ended: Some(1) };
    process.must(Append { state: ended, ..process.append("r3", 2, "end") })?;
    let page = |filter: RunFilter| -> Result<(Vec<String>, Option<u64>), Failed> {
        let runs = process.store.runs(&filter)?;
        let last = runs.last().map(|run| run.no);
        Ok((runs.into_iter().map(|run| run.id).collect(), last))
    };
    let (first, last) = page(RunFilter { limit: 4, ..Default::default() })?;
    same!(first, ["r6", "r5", "r4", "r3"]);
    same!(page(RunFilter { limit: 4, before: last, ..Default::default() })?.0, ["r2", "r1", "r0"]);
    same!(page(RunFilter { prefix: Some("r".to_owned()), ..Default::default() })?.0.len(), 7);
    same!(page(RunFilter { prefix: Some("r3".to_owned()), roots: true, ..Default::default() })?.0, ["r3"]);
    same!(page(RunFilter { prefix: Some("R3".to_owned()), ..Default::default() })?.0.len(), 0);
    same!(page(RunFilter { status: Some(crate::Status::Succeeded), ..Default::default() })?.0, ["r3"]);
    same!(page(RunFilter { workflow: Some("support".to_owned()), ..Default::default() })?.0.len(), 7);
    same!(page(RunFilter { workflow: Some("other".to_owned()), ..Default::default() })?.0.len(), 0);
    Ok(())
}
