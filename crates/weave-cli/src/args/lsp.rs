//! `weave lsp`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

pub(super) const HELP: &str = "\
Editors start this command; docs/editors.md describes the setup. The server exits when its client does.

Examples:
  weave lsp                        over standard input and output
  weave lsp --socket 4711          connect to an editor that listens on this port
  weave lsp --log-file weave.log   write the log to a file";

/// A TCP port.
fn port(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|port| *port > 0).ok_or_else(|| "expected a port: a number from 1 to 65535".to_owned())
}

/// `weave lsp`
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Communicate over standard input and output (the default)
    #[arg(long, conflicts_with = "socket")]
    stdio: bool,
    /// Connect to an editor that listens on this port of this machine
    #[arg(long, value_name = "PORT", value_parser = port)]
    pub(crate) socket: Option<u16>,
    /// Append the log to this file instead of standard error
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log_file: Option<PathBuf>,
    /// The process id of the editor (accepted for compatibility, and ignored)
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client: Option<u32>,
}
