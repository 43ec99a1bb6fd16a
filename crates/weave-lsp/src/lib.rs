//! The language server: the protocol, the order of messages, and positions in the units of the client.
//!
//! This crate knows the protocol and nothing of the language: what is said and shown comes from `weave-ide`. It moves bytes between the
//! streams that it is handed; files are read by the [`Host`] that it is given.
//!
//! A message takes this way: `frames` skips what cannot be read (`readable`) and makes changes that come at once one (`bursts`), `tower-lsp`
//! decodes it, `ingress` puts it into a queue in the order of the wire, and the one thread that owns the workspace (`owner`) takes it from there;
//! what it answers is written as text where it is made (`output`). Whenever the queue is empty and nothing is on its way into it (`traffic`), the
//! diagnostics of what has changed are sent: first what is wrong, then, after a pause, what rules find. `pages` says where clients can read more
//! about each.

mod bursts;
mod capabilities;
mod convert;
mod documents;
mod features;
mod frames;
mod ingress;
mod log;
mod output;
mod owner;
mod pages;
#[cfg(unix)]
mod parent;
mod publish;
mod readable;
mod refresh;
mod requests;
mod rules;
mod server;
mod traffic;
mod window;

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

pub use log::Log;
pub use weave_ide::Host;

/// How a client reaches the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Over standard input and output.
    Stdio,
    /// The client listens on this port of this machine.
    Socket(u16),
}

/// Serves one client until it goes. The answer is whether it has said good-bye before.
///
/// # Errors
///
/// When there is no connection to the client.
pub fn run(transport: Transport, host: Arc<dyn Host>, log: Log) -> std::io::Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let polite = runtime.block_on(async {
        match transport {
            Transport::Stdio => Ok(serve(tokio::io::stdin(), tokio::io::stdout(), host, log).await),
            Transport::Socket(port) => {
                let stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await?;
                let (input, output) = tokio::io::split(stream);
                Ok(serve(input, output, host, log).await)
            }
        }
    });
    // Reading standard input cannot be stopped; whoever waited for it would wait for ever.
    runtime.shutdown_background();
    polite
}

/// Serves one client over a pair of streams. The answer is whether the client has said good-bye before it went.
pub async fn serve<I, O>(input: I, output: O, host: Arc<dyn Host>, log: Log) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    server::serve(input, output, host, log).await
}
