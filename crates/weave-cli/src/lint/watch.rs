//! `--watch`: again at each change, until Ctrl-C.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use notify_debouncer_full::notify::event::ModifyKind;
use notify_debouncer_full::notify::{self, Config, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, NoCache, new_debouncer_opt};

use crate::config::absolute;
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::terminal::Terminal;

/// A change counts when nothing has followed it for so long: an editor writes a file in several steps, and a branch is many files.
const SETTLED: Duration = Duration::from_millis(120);

/// How a shell sees a process that Ctrl-C has ended at once.
const INTERRUPTED: i32 = 130;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    Changed,
    /// Ctrl-C.
    End,
}

/// Runs a command now and whenever something below these paths changes. Ctrl-C ends it well, whatever the last run found.
pub(crate) fn watch(paths: &[PathBuf], terminal: Terminal, once: impl Fn() -> Result<Exit, Failures>) -> Result<Exit, Failures> {
    if paths.iter().any(|path| path == Path::new("-")) {
        return Err(Failure::new("standard input cannot be watched").help("name files or folders").into());
    }
    let (sender, receiver) = mpsc::channel();
    hear_end(sender.clone())?;
    // Watching begins before the first run, so that no change falls between the two.
    let _watcher = watcher(&watched(paths), sender)?;
    loop {
        terminal.clear();
        if let Err(failures) = once() {
            // A file that is gone may come back, and a mistake in weave.toml will be mended.
            failures.iter().for_each(|failure| terminal.fail(failure));
        }
        terminal.remark("Watching for changes; Ctrl-C ends.");
        if wait(&receiver) == Signal::End {
            return Ok(Exit::Clean);
        }
    }
}

/// Waits for a signal; several changes are one.
fn wait(receiver: &Receiver<Signal>) -> Signal {
    let first = receiver.recv().unwrap_or(Signal::End);
    receiver.try_iter().fold(first, |signal, next| if next == Signal::End { next } else { signal })
}

/// The first Ctrl-C ends the watching when the run that goes on is done; the second one does not wait for that.
fn hear_end(sender: Sender<Signal>) -> Result<(), Failure> {
    let asked = AtomicBool::new(false);
    let heard = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::SeqCst) || sender.send(Signal::End).is_err() {
            std::process::exit(INTERRUPTED);
        }
    });
    heard.map_err(|error| Failure::new(format!("cannot watch: {error}")))
}

/// What has to be watched: folders with all that is in them, and the folders of files, because an editor replaces a file by another.
fn watched(paths: &[PathBuf]) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut watched = BTreeMap::new();
    for path in paths {
        let path = absolute(path);
        if path.is_dir() {
            watched.insert(path, RecursiveMode::Recursive);
        } else if let Some(folder) = path.parent() {
            watched.entry(folder.to_path_buf()).or_insert(RecursiveMode::NonRecursive);
        }
    }
    watched
}

fn watcher(watched: &BTreeMap<PathBuf, RecursiveMode>, sender: Sender<Signal>) -> Result<Debouncer<RecommendedWatcher, NoCache>, Failures> {
    let roots: Vec<PathBuf> = watched.keys().cloned().collect();
    let hear = move |result: DebounceEventResult| {
        // What could not be watched may have changed.
        let changed = result.map_or(true, |events| events.iter().any(|event| matters(event, &roots)));
        if changed {
            // Nobody listens any more where the command is about to end.
            let _ = sender.send(Signal::Changed);
        }
    };
    let watcher = new_debouncer_opt(SETTLED, None, hear, NoCache::new(), Config::default());
    let mut watcher = watcher.map_err(|error| Failure::new(format!("cannot watch: {error}")))?;
    for (path, mode) in watched {
        watcher.watch(path, *mode).map_err(|error| unwatchable(path, &error))?;
    }
    Ok(watcher)
}

fn unwatchable(path: &Path, error: &notify::Error) -> Failure {
    let failure = Failure::new(format!("cannot watch `{}`: {error}", display(path)));
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => failure.help("watch a smaller folder, or let the system watch more files"),
        _ => failure,
    }
}

/// Whether something happened that a run may see: to a .weave file, a weave.toml, or a folder as a whole.
fn matters(event: &DebouncedEvent, roots: &[PathBuf]) -> bool {
    // A run reads the files, and must not lead to another one.
    if event.kind.is_access() {
        return false;
    }
    let of_names = matches!(event.kind, EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
    event.paths.iter().any(|path| {
        let is_source = path.extension() == Some(OsStr::new("weave")) || path.file_name() == Some(OsStr::new("weave.toml"));
        // Nobody can say any more whether what is gone was a folder, but folders have no endings.
        let may_be_folder = of_names && (path.extension().is_none() || path.is_dir());
        (is_source || may_be_folder) && !is_hidden(path, roots)
    })
}

/// Whether a path lies in something hidden, which is not linted; the roots themselves may.
fn is_hidden(path: &Path, roots: &[PathBuf]) -> bool {
    let below = roots.iter().filter_map(|root| path.strip_prefix(root).ok()).min_by_key(|below| below.as_os_str().len());
    below.is_some_and(|below| below.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.')))
}

#[cfg(test)]
mod tests {
    use notify_debouncer_full::notify::Event;
    use notify_debouncer_full::notify::event::{AccessKind, CreateKind, DataChange, ModifyKind, RemoveKind};

    use super::*;

    #[test]
    fn only_changes_that_a_run_may_see_matter() {
        let changed = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let cases = [
            (changed, "/r/a.weave", true),
            (changed, "/r/sub/weave.toml", true),
            (changed, "/r/notes.txt", false),
            (changed, "/r/Makefile", false),
            (changed, "/r/.git/x.weave", false),
            (changed, "/.hidden/root/a.weave", true),
            (EventKind::Access(AccessKind::Any), "/r/a.weave", false),
            (EventKind::Remove(RemoveKind::Any), "/r/flows", true),
            (EventKind::Create(CreateKind::File), "/r/.git/HEAD", false),
            (EventKind::Create(CreateKind::File), "/r/report.json", false),
        ];
        let roots = [PathBuf::from("/r"), PathBuf::from("/.hidden/root")];
        for (kind, path, wanted) in cases {
            let event = DebouncedEvent::new(Event::new(kind).add_path(PathBuf::from(path)), std::time::Instant::now());
            assert_eq!(matters(&event, &roots), wanted, "{kind:?} {path}");
        }
    }

    #[test]
    fn the_end_is_heard_behind_changes() {
        let (sender, receiver) = mpsc::channel();
        [Signal::Changed, Signal::End, Signal::Changed].into_iter().for_each(|signal| sender.send(signal).unwrap());
        assert_eq!(wait(&receiver), Signal::End);
        [Signal::Changed, Signal::Changed].into_iter().for_each(|signal| sender.send(signal).unwrap());
        assert_eq!(wait(&receiver), Signal::Changed);
        drop(sender);
        assert_eq!(wait(&receiver), Signal::End);
    }
}
