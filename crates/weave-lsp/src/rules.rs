//! What rules find takes longer than to see what is wrong, so it is found out beside the thread that owns the workspace.
//!
//! It has threads of its own, one less than there are cores: who looks at a change shares its work among all of them, and must not wait behind rules.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use weave_ide::Project;

use crate::log::Log;
use crate::owner::{STACK, reason};

/// The longest pause that is waited for before rules are asked.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Those who ask the rules.
#[derive(Default)]
pub(crate) struct Rules {
    /// Their threads, once they were needed.
    pool: Option<ThreadPool>,
    /// Where it will be said that they have answered, and since when they look.
    answer: Option<(Receiver<Result<(), String>>, Instant)>,
    /// How long they took the last time.
    took: Duration,
}

/// How far they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// They have nothing to do.
    Idle,
    /// They have not answered yet.
    Looking,
    /// They will not answer.
    Failed,
}

impl Rules {
    /// How long nothing must have changed before they are asked: as long as they take, within reason.
    pub(crate) fn pause(&self) -> Duration {
        self.took.min(LONGEST_PAUSE)
    }

    /// Whether somebody waits for them.
    pub(crate) const fn are_asked(&self) -> bool {
        self.answer.is_some()
    }

    /// How far they are.
    pub(crate) fn progress(&mut self, log: &Log) -> Progress {
        let Some((answer, since)) = &self.answer else { return Progress::Idle };
        let answer = match answer.try_recv() {
            Err(TryRecvError::Empty) => return Progress::Looking,
            answer => answer,
        };
        self.took = since.elapsed();
        self.answer = None;
        match answer {
            Ok(Ok(())) => Progress::Idle,
            Ok(Err(reason)) => {
                log.write(&format!("this is a defect of weave, please report it: {reason}"));
                Progress::Failed
            }
            Err(_) => Progress::Failed,
        }
    }

    /// Has everything found out about some projects.
    pub(crate) fn ask(&mut self, projects: Vec<Arc<Project>>, log: &Log) -> Progress {
        if self.pool.is_none() {
            let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
            let pool = ThreadPoolBuilder::new().num_threads(cores.saturating_sub(1).max(1)).stack_size(STACK);
            match pool.thread_name(|number| format!("rules {number}")).build() {
                Ok(pool) => self.pool = Some(pool),
                Err(error) => log.write(&format!("cannot look for what rules say: {error}")),
            }
        }
        let Some(pool) = &self.pool else { return Progress::Failed };
        let (say, answer) = channel();
        pool.spawn(move || {
            let look = || projects.iter().for_each(|project| _ = project.analysis.findings());
            // Whoever has asked may be gone.
            drop(say.send(catch_unwind(AssertUnwindSafe(look)).map_err(|panic| reason(&*panic).to_owned())));
        });
        self.answer = Some((answer, Instant::now()));
        Progress::Looking
    }
}
