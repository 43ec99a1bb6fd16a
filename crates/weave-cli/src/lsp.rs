//! `weave lsp`: the language server over the disk and the streams of this process.

use std::path::Path;
use std::sync::Arc;

use weave_compiler::lint::Day;
use weave_compiler::{LoadError, Loader};
use weave_diagnostics::Code;
use weave_lsp::{Host, Log, Transport};

use crate::args;
use crate::config::is_repository;
use crate::explain;
use crate::failure::{Exit, Failure, Failures, reason};
use crate::input::{display, files_of};
use crate::lint::today;
use crate::read::Disk;
use crate::report::page;
use crate::write::Output;

pub(crate) fn run(arguments: &args::Lsp) -> Result<Exit, Failures> {
    let log = log(arguments.log_file.as_deref())?;
    let transport = arguments.socket.map_or(Transport::Stdio, Transport::Socket);
    let polite = weave_lsp::run(transport, Arc::new(Machine), log)
        .map_err(|error| Failure::new(format!("cannot connect to the editor: {}", reason(&error))))?;
    // The protocol wants to have it so: who was not told to end has failed.
    Ok(if polite { Exit::Clean } else { Exit::Errors })
}

/// The log: a file, or standard error, which editors keep.
#[expect(clippy::disallowed_methods, reason = "a log escapes its lines")]
fn log(path: Option<&Path>) -> Result<Log, Failure> {
    let Some(path) = path else { return Ok(Log::new(Box::new(std::io::stderr()))) };
    Ok(Log::new(Box::new(Output::new(path, [])?.append()?)))
}

/// This machine, as the server sees it.
struct Machine;

impl Host for Machine {
    fn read(&self, path: &str) -> Result<Arc<str>, LoadError> {
        Disk.load(path)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        files_of(Path::new(folder)).iter().map(|path| display(path)).collect()
    }

    fn is_repository(&self, folder: &str) -> bool {
        is_repository(Path::new(folder))
    }

    fn today(&self) -> Option<Day> {
        Some(today())
    }

    fn page(&self, code: &'static Code) -> Option<String> {
        match env!("CARGO_PKG_REPOSITORY") {
            "" => explain::file(&dirs::cache_dir()?.join("weave").join(env!("CARGO_PKG_VERSION")), code).map(|path| display(&path)),
            _ => Some(page(code)),
        }
    }
}
