//! `weave export`, `weave prune` and `weave backup`.

use std::io::Write;

use weave_diagnostics::counted;
use weave_scroll::{Store, StoreError};

use super::place::{failed, find, path, to_read, to_write};
use super::words::moment;
use crate::args::{Backup, Export, Prune};
use crate::failure::{Exit, Failure, Failures, reason};
use crate::input::display;
use crate::printed::Printed;
use crate::terminal::Terminal;

pub(crate) fn export(arguments: &Export, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_read(&arguments.at)?;
    let row = find(&store, &arguments.run)?;
    let Some(file) = &arguments.output else {
        let mut pipe = Pipe { terminal, failure: None };
        let written = weave_scroll::export(&store, &row.id, &mut pipe);
        return match (pipe.failure, written) {
            (Some(failure), _) => Err(failure.into()),
            (None, Err(error)) => Err(failed(&error).into()),
            (None, Ok(_)) => Ok(Exit::Clean),
        };
    };
    let store_file = path(&arguments.at);
    if std::fs::canonicalize(file).ok().zip(std::fs::canonicalize(&store_file).ok()).is_some_and(|(file, store)| file == store) {
        return Err(Failure::new("the scroll would replace the store itself").help("choose another file with `-o`").into());
    }
    let unwritable = |error: &std::io::Error| Failure::new(format!("cannot write `{}`: {}", display(file), reason(error)));
    // The whole scroll or nothing: a half one could be taken for another run.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| std::path::Path::new("."));
    let part = tempfile::NamedTempFile::new_in(folder).map_err(|error| unwritable(&error))?;
    let mut out = std::io::BufWriter::new(part);
    let events = weave_scroll::export(&store, &row.id, &mut out).map_err(|error| match error {
        StoreError::Io(why) => Failure::new(format!("cannot write `{}`: {why}", display(file))),
        error => failed(&error),
    })?;
    let part = out.into_inner().map_err(|error| unwritable(error.error()))?;
    part.as_file().sync_all().map_err(|error| unwritable(&error))?;
    part.persist(file).map_err(|error| unwritable(&error.error))?;
    terminal.remark(format!("{} of {} in {}", counted(usize::try_from(events).unwrap_or(usize::MAX), "event"), row.id, display(file)));
    Ok(Exit::Clean)
}

/// Standard output as a place to write to.
struct Pipe {
    terminal: Terminal,
    failure: Option<Failure>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(|_| std::io::ErrorKind::InvalidData)?;
        self.terminal.print(&Printed::json(text)).map_err(|failure| {
            self.failure = Some(failure);
            std::io::Error::from(std::io::ErrorKind::Other)
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) fn prune(arguments: &Prune, terminal: Terminal) -> Result<Exit, Failures> {
    let store = if arguments.dry_run { to_read(&arguments.at)? } else { to_write(&arguments.at)? };
    let ended_before = crate::run::now() - arguments.older_than;
    let prune = weave_scroll::Prune { ended_before, workflow: arguments.workflow.clone(), dry_run: arguments.dry_run };
    let pruned = store.prune(&prune).map_err(|error| failed(&error))?;
    let count = |number: u64, what: &str| counted(usize::try_from(number).unwrap_or(usize::MAX), what);
    let what = format!("{} with {}", count(pruned.runs, "run"), count(pruned.events, "event"));
    let when = moment(ended_before);
    terminal.remark(match (pruned.runs, arguments.dry_run) {
        (0, _) => format!("No run ended before {when}."),
        (_, true) => format!("{what} would be deleted: they ended before {when}."),
        (_, false) => format!("{what} deleted. The store uses their space again; a backup is compact."),
    });
    Ok(Exit::Clean)
}

pub(crate) fn backup(arguments: &Backup, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_read(&arguments.at)?;
    if arguments.file.exists() {
        let failure = Failure::new(format!("`{}` exists", display(&arguments.file)));
        return Err(failure.help("choose another name for the copy; nothing is overwritten").into());
    }
    let made = store.backup(&arguments.file).map_err(|error| failed(&error))?;
    terminal.remark(format!("{} has {} KiB.", display(&arguments.file), made.bytes.div_ceil(1024)));
    Ok(Exit::Clean)
}
