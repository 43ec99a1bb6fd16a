//! The outbox: calls, timers, budgets.

use std::sync::Arc;
use std::thread;

use super::{Case, Checked, Failed, NOW, Process, World, holds, same};
use crate::{
    Applied, Budget, Change, Effect, Kind, OutboxRow, Reserve, RowFilter, RowKey, RowState, Settle, Shard, StoreError, Taken, To, When,
};

pub(super) const CASES: &[Case] = &[
    ("a row is marked as sent once, with its process, and sendings are counted", marked_once),
    ("of many that mark a row one wins", one_sender),
    ("a row that was closed is not sent", closed),
    ("a refused call is ready again, at its time", refused),
    ("a decision about an unknown call counts for its sending only", decisions),
    ("an accepted call keeps its handle and is never lost", accepted),
    ("a call is lost when its process is dead, never because its shard moved", lost),
    ("a dead process marks nothing as sent", dead_senders),
    ("what may be repeated stays ready and is due again after a restart", repeatable),
    ("rows are due in the order of their time, a page at a time", due),
    ("questions are listed and never due", questions),
    ("rows are listed by what they are", listed),
    ("a budget is reserved in the transaction that marks, and never exceeded", budgets),
    ("loops that reserve at the same time never exceed a budget", budget_races),
];

fn key(n: u32) -> RowKey {
    RowKey::new("r1", format!("r1/a#{n}"))
}

fn change(key: &RowKey, state: RowState, sendings: Option<u32>, to: To) -> Change {
    Change { key: key.clone(), when: When { state, sendings }, to, reserve: None }
}

impl Process {
    /// A run with rows of calls of a once-only tool.
    fn calls(&self, count: u32) -> Checked {
        self.run("r1")?;
        let row = |n| OutboxRow { once_only: true, ..OutboxRow::ready(key(n), Kind::Call, "pay", NOW) };
        let effects = (1..=count).map(|n| Effect::Put(Box::new(row(n)))).collect();
        self.does("r1", "calls", effects)?;
        Ok(())
    }

    fn one(&self, change: Change) -> Result<Applied, StoreError> {
        Ok(self.store.change(vec![change])?.pop().unwrap_or(Applied::No))
    }

    fn send(&self, key: &RowKey) -> Result<Applied, StoreError> {
        self.one(change(key, RowState::Ready, None, To::Sent { process: self.node }))
    }

    fn at(&self, key: &RowKey) -> Result<OutboxRow, Failed> {
        self.store.row(key)?.ok_or_else(|| Failed(format!("the row {key:?} is missing")))
    }
}

fn marked_once(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(1)?;
    same!(process.send(&key(1))?, Applied::Yes);
    let row = process.at(&key(1))?;
    same!((row.state, row.process, row.sendings, row.once_only), (RowState::Sent, Some(process.node), 1, true));
    same!(process.send(&key(1))?, Applied::No);
    same!(process.at(&key(1))?, row);
    same!(process.send(&key(9))?, Applied::No);
    same!(process.one(change(&key(1), RowState::Sent, Some(1), To::Ready { due: NOW + 5 }))?, Applied::Yes);
    same!(process.send(&key(1))?, Applied::Yes);
    same!(process.at(&key(1))?.sendings, 2);
    Ok(())
}

fn one_sender(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(8)?;
    for n in 1..=8 {
        let threads = (0..6).map(|_| {
            let (store, mark) = (Arc::clone(&process.store), change(&key(n), RowState::Ready, None, To::Sent { process: process.node }));
            thread::spawn(move || store.change(vec![mark]))
        });
        let mut won = 0;
        for thread in threads.collect::<Vec<_>>() {
            let applied = thread.join().map_err(|_| Failed("a change panicked".to_owned()))??;
            won += applied.into_iter().filter(|applied| *applied == Applied::Yes).count();
        }
        same!((won, process.at(&key(n))?.sendings), (1, 1));
    }
    Ok(())
}

fn closed(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(2)?;
    process.does("r1", "e1", vec![Effect::Close(key(1).id)])?;
    same!(
        process.store.change(vec![
            change(&key(1), RowState::Ready, None, To::Sent { process: process.node }),
            change(&key(2), RowState::Ready, None, To::Sent { process: process.node }),
        ])?,
        [Applied::No, Applied::Yes]
    );
    same!(process.store.row(&key(1))?, None);
    same!(process.store.due(process.node, i64::MAX, None, 0)?.len(), 0);
    Ok(())
}

fn refused(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(1)?;
    process.send(&key(1))?;
    same!(process.one(change(&key(1), RowState::Sent, Some(1), To::Ready { due: NOW + 5000 }))?, Applied::Yes);
    same!(process.store.due(process.node, NOW + 4999, None, 0)?.len(), 0);
    same!(process.store.next_due(process.node, NOW)?, Some(NOW + 5000));
    let due = process.store.due(process.node, NOW + 5000, None, 0)?;
    same!(due.iter().map(|row| (row.state, row.sendings)).collect::<Vec<_>>(), [(RowState::Ready, 1)]);
    Ok(())
}

fn decisions(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(1)?;
    process.send(&key(1))?;
    let unknown = || change(&key(1), RowState::Sent, Some(1), To::Unknown);
    same!(process.does("r1", "u1", vec![Effect::Change(Box::new(unknown()))])?, [Applied::Yes]);
    same!(process.at(&key(1))?.state, RowState::Unknown);
    // Two people say "send again"; the second one is late.
    let again = |sending| Effect::Change(Box::new(change(&key(1), RowState::Unknown, Some(sending), To::Ready { due: NOW })));
    same!(process.does("r1", "d1", vec![again(2), again(1), again(1)])?, [Applied::No, Applied::Yes, Applied::No]);
    process.send(&key(1))?;
    same!(process.does("r1", "u2", vec![Effect::Change(Box::new(unknown()))])?, [Applied::No]);
    process.one(change(&key(1), RowState::Sent, Some(2), To::Unknown))?;
    same!(process.does("r1", "d2", vec![again(1)])?, [Applied::No]);
    let row = process.at(&key(1))?;
    same!((row.state, row.sendings), (RowState::Unknown, 2));
    Ok(())
}

fn accepted(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(1)?;
    process.send(&key(1))?;
    let accept = || change(&key(1), RowState::Sent, Some(1), To::Accepted { detail: r#"{"task":"t7"}"#.to_owned() });
    same!(process.one(accept())?, Applied::Yes);
    same!(process.one(accept())?, Applied::No);
    world.kill(process.node);
    let next = Process::new(world)?;
    next.store.bury()?;
    same!(next.store.take_shard(next.node, process.shard)?, Taken::Yes);
    same!(next.store.lost(next.node)?.len(), 0);
    let row = next.at(&key(1))?;
    same!((row.state, row.detail.as_deref()), (RowState::Accepted, Some(r#"{"task":"t7"}"#)));
    Ok(())
}

fn lost(world: &dyn World) -> Checked {
    let owner = Process::new(world)?;
    let sender = Process::new(world)?;
    owner.calls(3)?;
    sender.send(&key(1))?;
    owner.send(&key(2))?;
    same!(owner.store.lost(owner.node)?.len(), 0);
    // The shard moves; the process of key 2 lives on.
    owner.store.release(owner.node, &[owner.shard])?;
    let next = Process::new(world)?;
    same!(next.store.take_shard(next.node, owner.shard)?, Taken::Yes);
    same!(next.store.lost(next.node)?.len(), 0);
    world.kill(sender.node);
    next.store.bury()?;
    let lost = |process: &Process| -> Result<Vec<RowKey>, Failed> {
        Ok(process.store.lost(process.node)?.into_iter().map(|row| row.key).collect())
    };
    same!(lost(&next)?, [key(1)]);
    same!(lost(&owner)?, []);
    // A node that leaves in order has sent what it has sent.
    owner.store.leave(owner.node)?;
    same!(lost(&next)?, [key(1), key(2)]);
    same!(next.at(&key(3))?.state, RowState::Ready);
    next.does("r1", "u1", vec![Effect::Change(Box::new(change(&key(1), RowState::Sent, Some(1), To::Unknown)))])?;
    same!(lost(&next)?, [key(2)]);
    Ok(())
}

fn dead_senders(world: &dyn World) -> Checked {
    let owner = Process::new(world)?;
    let sender = Process::new(world)?;
    owner.calls(1)?;
    world.kill(sender.node);
    owner.store.bury()?;
    let mark = change(&key(1), RowState::Ready, None, To::Sent { process: sender.node });
    same!(owner.one(mark)?, Applied::No);
    same!(owner.at(&key(1))?.state, RowState::Ready);
    holds!(!owner.store.renew(sender.node)?, "a dead node came back");
    holds!(owner.store.renew(owner.node)?, "a living node is dead");
    Ok(())
}

fn repeatable(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let row = OutboxRow::ready(key(1), Kind::Call, "look", NOW);
    process.does("r1", "e1", vec![Effect::Put(Box::new(row.clone()))])?;
    for _ in 0..2 {
        same!(process.store.due(process.node, NOW, None, 0)?, std::slice::from_ref(&row));
    }
    let next = Process::with(world.restart(), 1)?;
    same!(next.store.take_shard(next.node, process.shard)?, Taken::Yes);
    same!(next.store.due(next.node, NOW, None, 0)?, std::slice::from_ref(&row));
    Ok(())
}

fn due(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let other = Process::new(world)?;
    process.run("r1")?;
    other.run("x")?;
    let timer = |n: u32, due| OutboxRow::ready(key(n), Kind::Timer, "t", due);
    let rows = [timer(1, NOW + 30), timer(2, NOW + 10), timer(3, NOW + 20), timer(4, NOW + 10), timer(5, -7)];
    process.does("r1", "e1", rows.into_iter().map(|row| Effect::Put(Box::new(row))).collect())?;
    let foreign = OutboxRow { key: RowKey::new("x", "x/a#1"), ..timer(1, NOW) };
    other.does("x", "e1", vec![Effect::Put(Box::new(foreign))])?;
    let ids = |now, after, limit| -> Result<Vec<RowKey>, Failed> {
        Ok(process.store.due(process.node, now, after, limit)?.into_iter().map(|row| row.key).collect())
    };
    same!(ids(NOW + 20, None, 0)?, [key(5), key(2), key(4), key(3)]);
    same!(ids(NOW + 20, None, 2)?, [key(5), key(2)]);
    same!(ids(NOW + 20, Some((NOW + 10, key(2))), 2)?, [key(4), key(3)]);
    same!(ids(NOW + 9, None, 0)?, [key(5)]);
    same!(process.store.next_due(process.node, NOW)?, Some(NOW + 10));
    same!(process.store.next_due(process.node, NOW + 10)?, Some(NOW + 20));
    same!(process.store.next_due(process.node, NOW + 30)?, None);
    same!(other.store.next_due(other.node, NOW - 1)?, Some(NOW));
    // A timer that fired is gone in the same transaction.
    process.does("r1", "e2", vec![Effect::CloseRow(key(2))])?;
    same!(ids(NOW + 20, None, 0)?, [key(5), key(4), key(3)]);
    Ok(())
}

fn questions(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.run("r1")?;
    let row = OutboxRow { detail: Some("{}".to_owned()), ..OutboxRow::ready(key(1), Kind::Question, "refund", NOW) };
    process.does("r1", "e1", vec![Effect::Put(Box::new(row.clone()))])?;
    same!(process.store.due(process.node, i64::MAX, None, 0)?, []);
    same!(process.store.next_due(process.node, 0)?, None);
    same!(process.store.rows(&RowFilter { kind: Some(Kind::Question), ..Default::default() })?, [row]);
    Ok(())
}

fn listed(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    let other = Process::new(world)?;
    process.calls(12)?;
    other.run("x")?;
    let row = OutboxRow::ready(RowKey { attempt: 3, part: "turn2.1".to_owned(), ..RowKey::new("x", "x/b#1") }, Kind::Model, "b", NOW);
    other.does("x", "e1", vec![Effect::Put(Box::new(row.clone()))])?;
    process.send(&key(3))?;
    let count = |filter: RowFilter| -> Result<usize, Failed> { Ok(process.store.rows(&filter)?.len()) };
    same!(count(RowFilter::default())?, 13);
    same!(count(RowFilter { run: Some("r1".to_owned()), ..Default::default() })?, 12);
    same!(count(RowFilter { state: Some(RowState::Sent), ..Default::default() })?, 1);
    same!(count(RowFilter { process: Some(process.node), ..Default::default() })?, 1);
    same!(count(RowFilter { process: Some(other.node), ..Default::default() })?, 0);
    same!(count(RowFilter { shard: Some(process.shard), kind: Some(Kind::Call), ..Default::default() })?, 12);
    same!(count(RowFilter { shard: Some(Shard(7)), ..Default::default() })?, 0);
    same!(process.store.rows(&RowFilter { kind: Some(Kind::Model), ..Default::default() })?, [row]);
    // A page at a time, each row once, in the order of keys.
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = process.store.rows(&RowFilter { after: after.clone(), limit: 5, ..Default::default() })?;
        let Some(last) = page.last() else { break };
        after = Some(last.key.clone());
        seen.extend(page.into_iter().map(|row| row.key));
    }
    let mut sorted = seen.clone();
    sorted.sort();
    sorted.dedup();
    same!(seen, sorted);
    same!(seen.len(), 13);
    Ok(())
}

const DAY: u32 = 20_833;

fn reserving(process: &Process, n: u32, bound: u64, limit: u64) -> Change {
    let reserve = Reserve { budget: "tokens".to_owned(), day: DAY, bound, limit };
    Change { reserve: Some(reserve), ..change(&key(n), RowState::Ready, None, To::Sent { process: process.node }) }
}

fn budgets(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(5)?;
    same!(process.one(reserving(&process, 1, 60, 100))?, Applied::Yes);
    same!(process.one(reserving(&process, 2, 41, 100))?, Applied::OverBudget);
    same!(process.at(&key(2))?.state, RowState::Ready);
    // A row that is not as expected reserves nothing.
    same!(process.one(reserving(&process, 1, 10, 100))?, Applied::No);
    same!(process.store.budget("tokens", DAY)?, Budget { reserved: 60, used: 0 });
    same!(process.one(reserving(&process, 2, 40, 100))?, Applied::Yes);
    same!(process.one(reserving(&process, 3, 1, 100))?, Applied::OverBudget);
    // What was used replaces what was reserved; a lost turn keeps its reservation.
    let settle = Settle { budget: "tokens".to_owned(), day: DAY, reserved: 60, used: 25 };
    same!(process.does("r1", "e1", vec![Effect::Settle(settle)])?, [Applied::Yes]);
    same!(process.store.budget("tokens", DAY)?, Budget { reserved: 40, used: 25 });
    let mark = Effect::Change(Box::new(reserving(&process, 3, 36, 100)));
    same!(process.does("r1", "e2", vec![mark])?, [Applied::OverBudget]);
    let mark = Effect::Change(Box::new(reserving(&process, 3, 35, 100)));
    same!(process.does("r1", "e3", vec![mark])?, [Applied::Yes]);
    same!(process.store.budget("tokens", DAY + 1)?, Budget::default());
    same!(process.one(reserving(&process, 4, u64::MAX, u64::MAX))?, Applied::OverBudget);
    let next = world.restart();
    same!(next.budget("tokens", DAY)?, Budget { reserved: 75, used: 25 });
    Ok(())
}

fn budget_races(world: &dyn World) -> Checked {
    let process = Process::new(world)?;
    process.calls(12)?;
    let threads = (1..=12).map(|n| {
        let (store, mark) = (Arc::clone(&process.store), reserving(&process, n, 10, 55));
        thread::spawn(move || store.change(vec![mark]))
    });
    let mut sent = 0;
    for thread in threads.collect::<Vec<_>>() {
        let applied = thread.join().map_err(|_| Failed("a change panicked".to_owned()))??;
        sent += applied.into_iter().filter(|applied| *applied == Applied::Yes).count();
    }
    same!((sent, process.store.budget("tokens", DAY)?.reserved), (5, 50));
    Ok(())
}
