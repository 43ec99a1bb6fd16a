//! The one thread of a process that writes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use weave_scroll::{Reply, StoreError};

use crate::error::{Done, Fault, is_io, store_error};
use crate::place::{beside, sync_folder};

/// The most writes in one transaction.
const BATCH: usize = 1024;
/// The most writes that wait before posts and starts are refused.
const MOST_WAITING: usize = 16_384;
/// So many frames in the log, and it is copied into the file.
const FRAMES: u64 = 4000;
/// After so long without a write the log is copied into the file.
const IDLE: Duration = Duration::from_secs(2);

/// What a writer shares with its store.
#[derive(Default)]
pub(crate) struct Shared {
    /// Why nothing is acknowledged any more.
    stopped: Mutex<Option<String>>,
    /// Writes that wait.
    waiting: AtomicUsize,
    /// Transactions of this process that changed something.
    commits: Mutex<u64>,
    wake: Condvar,
    /// Frames in the log after the last commit.
    frames: Arc<AtomicU64>,
}

impl Shared {
    pub(crate) fn stopped(&self) -> Option<StoreError> {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.as_ref().map(|why| StoreError::Stopped(why.clone()))
    }

    fn stop(&self, why: &str) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.get_or_insert_with(|| why.to_owned());
    }

    /// Waits until this process commits something, or the time is over.
    pub(crate) fn wait(&self, timeout: Duration) {
        let commits = self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = *commits;
        drop(self.wake.wait_timeout_while(commits, timeout, |commits| *commits == seen));
    }

    /// How many transactions this process has committed.
    pub(crate) fn commits(&self) -> u64 {
        *self.commits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn committed(&self) {
        *self.commits.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.wake.notify_all();
    }
}

/// A piece of work for the writer.
trait Job: Send {
    /// Does it, inside the transaction.
    fn run(&mut self, db: &Connection) -> Done<()>;
    /// Says how it ended; after success, when it is durable.
    fn finish(self: Box<Self>, result: Result<(), StoreError>);
}

struct Typed<T, F> {
    work: Option<F>,
    value: Option<T>,
    reply: Reply<T>,
}

impl<T: Send + 'static, F: FnOnce(&Connection) -> Done<T> + Send> Job for Typed<T, F> {
    fn run(&mut self, db: &Connection) -> Done<()> {
        if let Some(work) = self.work.take() {
            self.value = Some(work(db)?);
        }
        Ok(())
    }

    fn finish(self: Box<Self>, result: Result<(), StoreError>) {
        match (result, self.value) {
            (Ok(()), Some(value)) => self.reply.send(Ok(value)),
            (Err(error), _) => self.reply.send(Err(error)),
            (Ok(()), None) => drop(self.reply),
        }
    }
}

/// A writer, or, for a store that is only read, none.
pub(crate) struct Writer {
    jobs: Option<Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
    pub(crate) shared: Arc<Shared>,
}

impl Writer {
    pub(crate) fn none() -> Self {
        Self { jobs: None, thread: None, shared: Arc::default() }
    }

    pub(crate) fn start(mut db: Connection, path: &Path) -> Done<Self> {
        let shared = Arc::<Shared>::default();
        let frames = Arc::clone(&shared.frames);
        db.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages| {
            frames.store(u64::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))?;
        let (jobs, receiver) = mpsc::channel();
        let (own, unsynced) = (Arc::clone(&shared), beside(path, "-unsynced"));
        let path = path.to_owned();
        let thread = thread::Builder::new().name("weave-store".to_owned()).spawn(move || {
            Thread { db, path, unsynced, shared: own, dirty: false }.work(&receiver);
        });
        let thread = thread.map_err(|error| StoreError::Io(format!("no thread can be started: {error}")))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), shared })
    }

    /// Hands a piece of work to the writer.
    pub(crate) fn submit<T: Send + 'static>(&self, reply: Reply<T>, work: impl FnOnce(&Connection) -> Done<T> + Send + 'static) {
        let Some(jobs) = &self.jobs else {
            return reply.send(Err(StoreError::ReadOnly("it was opened for reading".to_owned())));
        };
        if let Some(error) = self.shared.stopped() {
            return reply.send(Err(error));
        }
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        // A writer that is gone drops the job, and with it the reply, which says so.
        drop(jobs.send(Box::new(Typed { work: Some(work), value: None, reply })));
    }

    /// As [`Writer::submit`], unless too much waits.
    pub(crate) fn submit_bounded<T: Send + 'static>(&self, reply: Reply<T>, work: impl FnOnce(&Connection) -> Done<T> + Send + 'static) {
        if self.shared.waiting.load(Ordering::Relaxed) >= MOST_WAITING {
            return reply.send(Err(StoreError::Busy("too many writes wait".to_owned())));
        }
        self.submit(reply, work);
    }

    /// Does a piece of work in a transaction, and waits until it is durable.
    pub(crate) fn write<T: Send + 'static>(&self, work: impl FnOnce(&Connection) -> Done<T> + Send + 'static) -> Result<T, StoreError> {
        Reply::wait(|reply| self.submit(reply, work))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // A reply may hold the last reference to the store; then the thread ends by itself.
            if thread.thread().id() != thread::current().id() {
                drop(thread.join());
            }
        }
    }
}

struct Thread {
    db: Connection,
    path: PathBuf,
    unsynced: PathBuf,
    shared: Arc<Shared>,
    /// Whether something was committed since the log was copied into the file.
    dirty: bool,
}

impl Thread {
    fn work(mut self, jobs: &Receiver<Box<dyn Job>>) {
        loop {
            let first = if self.dirty { jobs.recv_timeout(IDLE) } else { jobs.recv().map_err(|_| RecvTimeoutError::Disconnected) };
            match first {
                Ok(first) => self.batch(first, jobs),
                Err(RecvTimeoutError::Timeout) => self.checkpoint(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn batch(&mut self, first: Box<dyn Job>, jobs: &Receiver<Box<dyn Job>>) {
        let mut batch = vec![first];
        batch.extend(std::iter::from_fn(|| jobs.try_recv().ok()).take(BATCH - 1));
        self.shared.waiting.fetch_sub(batch.len(), Ordering::Relaxed);
        let mut done = Vec::with_capacity(batch.len());
        let result = match self.shared.stopped() {
            Some(error) => Err(error),
            None => self.transaction(&mut batch, &mut done),
        };
        let mut done = done.into_iter();
        for job in batch {
            job.finish(match (&result, done.next()) {
                // What failed alone says why; nothing of it is in the store in any case.
                (_, Some(Err(error))) => Err(error),
                (Err(error), _) => Err(error.clone()),
                (Ok(()), Some(Ok(()))) => Ok(()),
                (Ok(()), None) => Err(StoreError::Stopped("the write was not tried".to_owned())),
            });
        }
        if self.shared.frames.load(Ordering::Relaxed) >= FRAMES {
            self.checkpoint();
        }
    }

    /// Runs a batch in one transaction. `done` gets what each job came to; an error says that nothing of the batch is in the store.
    fn transaction(&mut self, batch: &mut [Box<dyn Job>], done: &mut Vec<Result<(), StoreError>>) -> Result<(), StoreError> {
        self.after_a_failed_sync()?;
        self.run("BEGIN IMMEDIATE")?;
        for job in batch {
            self.run("SAVEPOINT one")?;
            let result = job.run(&self.db);
            let Err(fault) = result else {
                self.run("RELEASE one")?;
                done.push(Ok(()));
                continue;
            };
            let io = fault.is_io();
            let error = fault.into_store();
            if io {
                self.stop(&error.to_string());
                self.run("ROLLBACK")?;
                return Err(error);
            }
            if self.db.is_autocommit() {
                // SQLite has rolled the whole transaction back.
                return Err(error);
            }
            self.run("ROLLBACK TO one")?;
            self.run("RELEASE one")?;
            done.push(Err(error));
        }
        self.run("COMMIT")?;
        self.dirty = true;
        self.shared.committed();
        Ok(())
    }

    /// Runs a statement of the transaction itself. If it fails, the transaction is over, and if the disk failed, the store stops.
    fn run(&mut self, sql: &str) -> Result<(), StoreError> {
        let Err(error) = self.db.prepare_cached(sql).and_then(|mut statement| statement.execute([]).map(drop)) else { return Ok(()) };
        let known = store_error(&error);
        if is_io(&error) {
            self.stop(&known.to_string());
        }
        if !self.db.is_autocommit() && sql != "ROLLBACK" {
            self.run("ROLLBACK")?;
        }
        Err(known)
    }

    /// Nothing is acknowledged any more. Other processes learn it by a file, so that they write the log anew: what the failed sync
    /// left out counts as written in the system's cache.
    fn stop(&mut self, why: &str) {
        self.shared.stop(why);
        drop(std::fs::write(&self.unsynced, why));
    }

    fn after_a_failed_sync(&mut self) -> Result<(), StoreError> {
        if !self.unsynced.exists() {
            return Ok(());
        }
        let repaired = recover(&self.db, &self.path).map_err(Fault::into_store);
        if let Err(StoreError::Stopped(why)) = &repaired {
            self.stop(&why.clone());
        }
        repaired
    }

    /// Copies the log into the file, as far as no reader needs it. A disk without room leaves it where it is.
    fn checkpoint(&mut self) {
        self.dirty = false;
        let result = self.db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, i64>(0));
        match result {
            Err(error) if is_io(&error) => self.stop(&store_error(&error).to_string()),
            Ok(_) | Err(_) => self.shared.frames.store(0, Ordering::Relaxed),
        }
    }
}

/// Writes the whole log into the file and syncs both, after an end that was not in order or a sync that failed.
pub(crate) fn recover(db: &Connection, path: &Path) -> Done<()> {
    let busy: i64 = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy != 0 {
        return Err(StoreError::Busy("a sync of the disk failed before, and other processes hold the log".to_owned()).into());
    }
    sync_folder(path)?;
    match std::fs::remove_file(beside(path, "-unsynced")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::Io(format!("{}: {error}", beside(path, "-unsynced").display())).into())
        }
        _ => Ok(()),
    }
}
