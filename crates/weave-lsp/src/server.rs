//! The parts of the server, put together.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InitializeParams, InitializeResult, InitializedParams, PublishDiagnosticsParams, Registration, ServerInfo};
use tower_lsp::{Client, LanguageServer, LspService, Server};
use weave_ide::Host;

use crate::capabilities::{Client as Abilities, capabilities, encoding, watchers};
use crate::frames;
use crate::ingress::{Event, Ingress, Phase};
use crate::log::Log;
use crate::output::{self, Output};
use crate::owner;
use crate::traffic::Traffic;

/// How many messages may be on their way at once. Nothing waits for the client, so there is no harm in many.
const CONCURRENCY: usize = 1024;

/// Bytes between the filter of frames and the transport.
const PIPE: usize = 64 * 1024;

/// What the server says of its own accord.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// The diagnostics of a document.
    Diagnostics(PublishDiagnosticsParams),
    /// The client shall ask for something anew.
    Refresh(Refresh),
}

/// What is asked for anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refresh {
    Diagnostics,
    Tokens,
    Hints,
    Lenses,
}

/// The life cycle: everything else is taken out before.
struct LifeCycle {
    queue: Sender<Event>,
    phase: Phase,
    client: Client,
    watches: std::sync::Mutex<Option<Registration>>,
    /// Told when the process that the server works for is gone.
    #[cfg_attr(not(unix), expect(dead_code, reason = "not watched there: a pipe closes with its last process"))]
    gone: Arc<Notify>,
}

impl LanguageServer for LifeCycle {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let encoding = encoding(&params.capabilities);
        let abilities = Abilities::new(&params.capabilities);
        if let Ok(mut watches) = self.watches.lock() {
            *watches = watchers(&params.capabilities);
        }
        #[cfg(unix)]
        if let Some(id) = params.process_id {
            crate::parent::watch(id, Arc::clone(&self.gone));
        }
        // The owner ends with the process only.
        drop(self.queue.send(Event::Initialize(Box::new(params))));
        self.phase.ready();
        Ok(InitializeResult {
            capabilities: capabilities(encoding, abilities),
            server_info: Some(ServerInfo { name: "weave".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) }),
            ..InitializeResult::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        let registration = self.watches.lock().ok().and_then(|mut watches| watches.take());
        if let Some(registration) = registration {
            let client = self.client.clone();
            // A client that refuses tells its server nothing about files that change outside; that is all.
            tokio::spawn(async move { drop(client.register_capability(vec![registration]).await) });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.phase.done();
        Ok(())
    }
}

pub(crate) async fn serve<I, O>(input: I, output: O, host: Arc<dyn Host>, log: Log) -> bool
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    let (queue, events) = std::sync::mpsc::channel();
    let (say, said) = unbounded_channel();
    let phase = Phase::default();
    let gone = Arc::new(Notify::new());
    let mut client = None;
    let (service, socket) = LspService::new(|it| {
        client = Some(it.clone());
        LifeCycle { queue: queue.clone(), phase: phase.clone(), client: it, watches: std::sync::Mutex::default(), gone: Arc::clone(&gone) }
    });
    let traffic = Traffic::default();
    let (owner_log, coming) = (log.clone(), traffic.clone());
    let owner = std::thread::Builder::new().name("owner".to_owned()).stack_size(owner::STACK);
    if let Err(error) = owner.spawn(move || owner::run(&events, &coming, &say, host, &owner_log)) {
        log.write(&format!("cannot start: {error}"));
        return false;
    }
    let (filtered, transport) = tokio::io::duplex(PIPE);
    let (send, frames) = unbounded_channel();
    let service = Ingress::new(service, queue, phase.clone(), Output(send.clone()), traffic.clone());
    let transport = Server::new(transport, Output(send), socket).concurrency_level(CONCURRENCY).serve(service);
    // When the transport has ended, the owner answers what is left and ends too: nobody can send anything any more.
    let written = output::write(frames, output);
    tokio::select! {
        ((), ()) = async { tokio::join!(transport, written) } => {}
        // When the input ends the pipe is closed, and the transport ends too: so this branch never wins.
        () = async { frames::filter(input, filtered, &traffic, log.clone()).await; std::future::pending::<()>().await } => {}
        () = speak(client, said) => {}
        () = async { gone.notified().await; log.write("the process that this server works for is gone"); } => {}
    }
    phase.is_done()
}

/// Says what the owner wants to have said, in its order.
async fn speak(client: Option<Client>, mut said: UnboundedReceiver<Outgoing>) {
    let Some(client) = client else { return };
    while let Some(outgoing) = said.recv().await {
        match outgoing {
            Outgoing::Diagnostics(params) => client.publish_diagnostics(params.uri, params.diagnostics, params.version).await,
            Outgoing::Refresh(what) => {
                let client = client.clone();
                // Nothing waits for the client to say that it has heard it.
                tokio::spawn(async move { drop(refresh(&client, what).await) });
            }
        }
    }
    // The owner is gone, which only happens when there is nobody left to ask it.
    std::future::pending::<()>().await;
}

async fn refresh(client: &Client, what: Refresh) -> Result<()> {
    match what {
        Refresh::Diagnostics => client.workspace_diagnostic_refresh().await,
        Refresh::Tokens => client.semantic_tokens_refresh().await,
        Refresh::Hints => client.inlay_hint_refresh().await,
        Refresh::Lenses => client.code_lens_refresh().await,
    }
}
