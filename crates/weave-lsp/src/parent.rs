//! The process that the server works for. One that dies does not always close its end of the pipe: a child of its own may hold that too.

use std::sync::Arc;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use tokio::sync::Notify;

/// How often it is looked whether the process is still there.
const LOOK: Duration = Duration::from_secs(1);

/// Says so when a process is gone. One that was never there lives in another container, and nothing is known of it.
pub(crate) fn watch(id: u32, gone: Arc<Notify>) {
    let Some(process) = i32::try_from(id).ok().and_then(Pid::from_raw).filter(|process| is_there(*process)) else { return };
    let thread = std::thread::Builder::new().name("parent".to_owned());
    let watched = thread.spawn(move || {
        while is_there(process) {
            std::thread::sleep(LOOK);
        }
        gone.notify_one();
    });
    // Without the thread, the end of the input is what is left to tell it.
    drop(watched);
}

/// Whether there is such a process, of whomever it may be.
fn is_there(process: Pid) -> bool {
    test_kill_process(process) != Err(Errno::SRCH)
}
