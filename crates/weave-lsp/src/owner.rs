//! The thread that owns the workspace: it takes one thing after the other from the queue, in the order of the wire.
//!
//! What is wrong with a text is said as soon as no message waits. What rules find takes longer: others find it out
//! when there is a pause.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, RenameFilesParams,
};
use weave_ide::{Host, Workspace};

use crate::capabilities::{Client, encoding};
use crate::convert::Encoding;
use crate::documents::{Document, Documents, path_of};
use crate::ingress::{Event, Job};
use crate::log::Log;
use crate::pages::Pages;
use crate::publish::{Published, Sent};
use crate::refresh::{self, Shown};
use crate::rules::{Progress, Rules};
use crate::server::{Outgoing, Refresh};
use crate::traffic::Traffic;

/// What the thread owns.
pub(crate) struct State {
    pub(crate) workspace: Workspace,
    pub(crate) documents: Documents,
    pub(crate) encoding: Encoding,
    pub(crate) client: Client,
    pub(crate) pages: Pages,
    pub(crate) published: Published,
    /// Whether that is about the texts as they are now.
    is_current: bool,
    /// The documents that have changed since the client has asked for their diagnostics: it does so by itself.
    changed: BTreeSet<String>,
    pub(crate) shown: Shown,
    rules: Rules,
}

/// The stack of the threads that look at programs.
pub(crate) const STACK: usize = 16 << 20;

/// How often it is looked whether they have answered.
const POLL: Duration = Duration::from_micros(250);

/// How long a message that has been read may take into the queue. Not every one ends there.
const LONGEST_WAY: Duration = Duration::from_millis(2);

/// What has been said about the texts as they are now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    Mistakes,
    Everything,
}

/// Works until nobody is left who could ask.
pub(crate) fn run(events: &Receiver<Event>, coming: &Traffic, say: &UnboundedSender<Outgoing>, host: Arc<dyn Host>, log: &Log) {
    let mut state = State {
        workspace: Workspace::new(Arc::clone(&host)),
        documents: Documents::new(),
        encoding: Encoding::default(),
        client: Client::default(),
        pages: Pages::new(host),
        published: Published::default(),
        is_current: false,
        changed: BTreeSet::new(),
        shown: Shown::default(),
        rules: Rules::default(),
    };
    let mut said = Said::Everything;
    // Questions do not put off what rules find: only changes do.
    let mut still_since = Instant::now();
    loop {
        let next = match said {
            // While messages wait, nothing is said about the states between them.
            Said::Nothing => events.try_recv().or_else(|error| awaited(events, coming, error)),
            Said::Mistakes if state.rules.are_asked() => events.recv_timeout(POLL).map_err(empty),
            Said::Mistakes => events.recv_timeout(state.rules.pause().saturating_sub(still_since.elapsed())).map_err(empty),
            Said::Everything if state.shown.is_doubtful() => events.try_recv(),
            Said::Everything => events.recv().map_err(|_| TryRecvError::Disconnected),
        };
        match next {
            Ok(event) => {
                if contained(log, || state.take(event, log)).unwrap_or(true) {
                    said = Said::Nothing;
                }
            }
            Err(TryRecvError::Empty) if said == Said::Nothing => {
                let is_all = contained(log, || state.publish(say)).unwrap_or(false);
                still_since = Instant::now();
                said = if is_all { Said::Everything } else { Said::Mistakes };
            }
            Err(TryRecvError::Empty) if said == Said::Everything => {
                contained(log, || refresh::look_at_one(&mut state, say));
            }
            Err(TryRecvError::Empty) => {
                if contained(log, || state.find(still_since, say, log)).unwrap_or(true) {
                    said = Said::Everything;
                }
            }
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

/// Waits for a message that is on its way, if the queue is just empty.
fn awaited(events: &Receiver<Event>, coming: &Traffic, error: TryRecvError) -> Result<Event, TryRecvError> {
    if error == TryRecvError::Disconnected || !coming.is_coming() {
        return Err(error);
    }
    let event = events.recv_timeout(LONGEST_WAY);
    if event.is_err() {
        coming.forget();
    }
    event.map_err(empty)
}

fn empty(error: RecvTimeoutError) -> TryRecvError {
    match error {
        RecvTimeoutError::Timeout => TryRecvError::Empty,
        RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
    }
}

/// Does something; a panic in it is written down, and costs nothing else.
fn contained<R>(log: &Log, work: impl FnOnce() -> R) -> Option<R> {
    // What is half done is a text or a cache: the next message replaces the one, and the other is only filled when it is whole.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => Some(result),
        Err(panic) => {
            log.write(&format!("this is a defect of weave, please report it: {}", reason(&*panic)));
            None
        }
    }
}

pub(crate) fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

impl State {
    /// Takes a message. The answer is whether something has changed.
    fn take(&mut self, event: Event, log: &Log) -> bool {
        match event {
            Event::Initialize(params) => {
                self.initialize(&params);
                true
            }
            Event::Notification(method, params) => {
                let changes = self.notification(&method, params, log);
                self.is_current &= !changes;
                changes
            }
            Event::Request(job) => {
                self.request(job, log);
                false
            }
        }
    }

    fn initialize(&mut self, params: &InitializeParams) {
        self.encoding = encoding(&params.capabilities);
        self.client = Client::new(&params.capabilities);
        self.pages.are_shown = self.client.links_pages;
        let folders = params.workspace_folders.as_deref().unwrap_or_default();
        for folder in folders {
            self.workspace.add_folder(&path_of(folder.uri.as_str()));
        }
        #[expect(deprecated, reason = "clients that know no workspace folders say it so")]
        if let (true, Some(root)) = (params.workspace_folders.is_none(), &params.root_uri) {
            self.workspace.add_folder(&path_of(root.as_str()));
        }
    }

    fn notification(&mut self, method: &str, params: Json, log: &Log) -> bool {
        match method {
            "textDocument/didOpen" => self.note(params, method, log, |state, params: DidOpenTextDocumentParams| {
                let document = params.text_document;
                let path = path_of(document.uri.as_str());
                state.has_changed(&path);
                state.documents.insert(path, Document::new(document.uri, document.version, document.text));
            }),
            "textDocument/didChange" => self.note(params, method, log, |state, params: DidChangeTextDocumentParams| {
                let path = path_of(params.text_document.uri.as_str());
                let encoding = state.encoding;
                if let Some(document) = state.documents.get_mut(&path) {
                    document.change(params.text_document.version, params.content_changes, encoding);
                    state.has_changed(&path);
                }
            }),
            "textDocument/didClose" => self.note(params, method, log, |state, params: DidCloseTextDocumentParams| {
                let path = path_of(params.text_document.uri.as_str());
                state.documents.remove(&path);
                state.workspace.close(&path);
                state.changed.remove(&path);
                state.shown.forget(&path);
            }),
            "textDocument/didSave" => self.note(params, method, log, |state, params: DidSaveTextDocumentParams| {
                // What programs say is known before it is saved; settings hold from then on, and not every client watches files.
                let path = path_of(params.text_document.uri.as_str());
                if Workspace::is_settings(&path) {
                    state.shown.others_changed();
                    state.workspace.changed_on_disk(&path);
                }
            }),
            "workspace/didChangeWatchedFiles" => self.note(params, method, log, |state, params: DidChangeWatchedFilesParams| {
                state.changed_outside(params.changes.iter().map(|change| change.uri.as_str()));
            }),
            "workspace/didCreateFiles" => self.note(params, method, log, |state, params: CreateFilesParams| {
                state.changed_outside(params.files.iter().map(|file| file.uri.as_str()));
            }),
            "workspace/didRenameFiles" => self.note(params, method, log, |state, params: RenameFilesParams| {
                state.changed_outside(params.files.iter().flat_map(|file| [file.old_uri.as_str(), file.new_uri.as_str()]));
            }),
            "workspace/didDeleteFiles" => self.note(params, method, log, |state, params: DeleteFilesParams| {
                state.changed_outside(params.files.iter().map(|file| file.uri.as_str()));
            }),
            "workspace/didChangeWorkspaceFolders" => self.note(params, method, log, |state, params: DidChangeWorkspaceFoldersParams| {
                state.shown.others_changed();
                params.event.removed.iter().for_each(|folder| state.workspace.remove_folder(&path_of(folder.uri.as_str())));
                params.event.added.iter().for_each(|folder| state.workspace.add_folder(&path_of(folder.uri.as_str())));
            }),
            _ => false,
        }
    }

    fn note<P: DeserializeOwned>(&mut self, params: Json, method: &str, log: &Log, apply: impl FnOnce(&mut Self, P)) -> bool {
        match serde_json::from_value(params) {
            Ok(params) => {
                apply(self, params);
                true
            }
            Err(error) => {
                log.write(&format!("skipped a `{method}` that cannot be understood: {error}"));
                false
            }
        }
    }

    /// Takes note that files or folders were written, made or removed.
    fn changed_outside<'a>(&mut self, uris: impl Iterator<Item = &'a str>) {
        self.shown.others_changed();
        uris.for_each(|uri| self.workspace.changed_on_disk(&path_of(uri)));
    }

    /// Tells the workspace the texts that it has not seen.
    fn hand_over(&mut self) {
        for (path, document) in self.documents.iter_mut().filter(|(_, document)| document.is_ahead) {
            self.workspace.edit(path, document.text().into());
            document.is_ahead = false;
        }
    }

    /// Takes note that a document has another text.
    fn has_changed(&mut self, path: &str) {
        self.changed.insert(path.to_owned());
        self.shown.changed(path);
    }

    fn request(&mut self, mut job: Job, log: &Log) {
        if job.cancelled.load(Ordering::SeqCst) {
            return;
        }
        self.hand_over();
        let params = job.params.take();
        let answer = contained(log, || refresh::answer(self, &job.method, params)).unwrap_or_else(|| Err(Error::internal_error()));
        job.answer(answer);
    }

    /// Says what is known. Whether that is everything is the answer.
    fn publish(&mut self, say: &UnboundedSender<Outgoing>) -> bool {
        self.hand_over();
        let projects = self.workspace.projects();
        let all = projects.iter().all(|project| project.analysis.is_found_out());
        let settings: Vec<_> = self.workspace.open_settings().cloned().collect();
        let messages = self.published.next(&projects, &settings, &self.documents, (self.encoding, &self.pages), all);
        self.is_current = true;
        if self.client.pulls {
            if self.published.is_untold(&self.changed) {
                drop(say.send(Outgoing::Refresh(Refresh::Diagnostics)));
            }
            return all;
        }
        for params in messages {
            drop(say.send(Outgoing::Diagnostics(params)));
        }
        all
    }

    /// Finds out what is to be said about the texts as they are now, as far as it is known at once.
    pub(crate) fn look(&mut self) {
        if !self.is_current {
            let projects = self.workspace.projects();
            let all = projects.iter().all(|project| project.analysis.is_found_out());
            let settings: Vec<_> = self.workspace.open_settings().cloned().collect();
            self.published.next(&projects, &settings, &self.documents, (self.encoding, &self.pages), all);
            self.is_current = true;
        }
    }

    /// What is said about a file, to a client that asks for it.
    pub(crate) fn tell(&mut self, path: &str) -> Sent {
        self.look();
        self.changed.remove(path);
        self.published.tell(path)
    }

    /// Has everything found out, and says it once it is. Whether there is nothing more to say is the answer.
    fn find(&mut self, still_since: Instant, say: &UnboundedSender<Outgoing>, log: &Log) -> bool {
        match self.rules.progress(log) {
            Progress::Idle => {}
            Progress::Looking => return false,
            Progress::Failed => return true,
        }
        let projects = self.workspace.projects();
        if projects.iter().all(|project| project.analysis.is_found_out()) {
            return self.publish(say);
        }
        // What was found out belongs to an earlier state, and this one may not be the last.
        still_since.elapsed() >= self.rules.pause() && self.rules.ask(projects, log) == Progress::Failed
    }
}
