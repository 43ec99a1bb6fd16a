//! The entrance: the transport calls it with each message in the order of the wire, and nothing is put off.
//!
//! What a client says about its documents, and each request, is put into the queue of the one thread that owns the workspace. So a request
//! sees exactly the changes that were sent before it. The life cycle is left to the protocol crate.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{SendError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use serde_json::Value as Json;
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response, Result};

use crate::output::Output;
use crate::readable::UNREADABLE;
use crate::requests::is_request;
use crate::traffic::Traffic;

/// What is put into the queue.
#[derive(Debug)]
pub(crate) enum Event {
    /// The client has said who it is.
    Initialize(Box<tower_lsp::ls_types::InitializeParams>),
    /// Something that the client says and wants no answer to.
    Notification(String, Json),
    /// Something that the client asks.
    Request(Job),
}

/// A question of the client.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) method: String,
    pub(crate) params: Json,
    /// Whether the client does not want to know any more.
    pub(crate) cancelled: Arc<AtomicBool>,
    asker: Asker,
}

impl Job {
    /// Answers, unless the client has taken the question back.
    pub(crate) fn answer(self, result: Result<Vec<u8>>) {
        self.asker.answer(&self.cancelled, result);
    }
}

/// Who waits for an answer.
#[derive(Debug)]
struct Asker {
    id: Id,
    open: Arc<Mutex<HashMap<Id, Arc<AtomicBool>>>>,
    output: Output,
}

impl Asker {
    fn answer(self, cancelled: &Arc<AtomicBool>, result: Result<Vec<u8>>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever takes the question out of the list answers it.
        if open.get(&self.id).is_some_and(|other| Arc::ptr_eq(other, cancelled)) {
            open.remove(&self.id);
            self.output.answer(self.id, result);
        }
    }
}

/// How far the conversation is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phase(Arc<AtomicU8>);

impl Phase {
    const READY: u8 = 1;
    const DONE: u8 = 2;

    pub(crate) fn ready(&self) {
        self.0.store(Self::READY, Ordering::SeqCst);
    }

    pub(crate) fn done(&self) {
        self.0.store(Self::DONE, Ordering::SeqCst);
    }

    /// Whether the client has said that it goes.
    pub(crate) fn is_done(&self) -> bool {
        self.0.load(Ordering::SeqCst) == Self::DONE
    }

    fn refusal(&self) -> Option<Error> {
        match self.0.load(Ordering::SeqCst) {
            Self::READY => None,
            Self::DONE => Some(Error::invalid_request()),
            _ => Some(Error { code: ErrorCode::ServerError(-32002), message: "the server is not initialized".into(), data: None }),
        }
    }
}

/// The entrance around the service that knows the life cycle.
#[derive(Debug)]
pub(crate) struct Ingress<S> {
    pub(crate) inner: S,
    pub(crate) queue: Sender<Event>,
    pub(crate) phase: Phase,
    output: Output,
    traffic: Traffic,
    /// The questions that have not been answered, and whether they have been taken back.
    open: Arc<Mutex<HashMap<Id, Arc<AtomicBool>>>>,
}

impl<S> Ingress<S> {
    pub(crate) fn new(inner: S, queue: Sender<Event>, phase: Phase, output: Output, traffic: Traffic) -> Self {
        Self { inner, queue, phase, output, traffic, open: Arc::default() }
    }

    /// Takes a question back; the client is told at once.
    fn cancel(&self, params: &Json) {
        let id = match params.get("id") {
            Some(Json::Number(number)) => number.as_i64().map(Id::Number),
            Some(Json::String(text)) => Some(Id::String(text.clone())),
            _ => None,
        };
        let Some(id) = id else { return };
        let found = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        if let Some(cancelled) = found {
            cancelled.store(true, Ordering::SeqCst);
            self.output.answer(id, Err(Error::request_cancelled()));
        }
    }

    /// Puts a question into the queue. Whoever takes it from there answers it.
    fn ask(&self, id: Id, method: String, params: Json) {
        let cancelled = Arc::new(AtomicBool::new(false));
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), Arc::clone(&cancelled));
        let asker = Asker { id, open: Arc::clone(&self.open), output: self.output.clone() };
        if let Err(SendError(Event::Request(job))) = self.queue.send(Event::Request(Job { method, params, cancelled, asker })) {
            job.answer(Err(Error::internal_error()));
        }
    }
}

type Answer<E> = Pin<Box<dyn Future<Output = std::result::Result<Option<Response>, E>> + Send>>;

impl<S> Service<Request> for Ingress<S>
where
    S: Service<Request, Response = Option<Response>> + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = Answer<S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<std::result::Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let answer = self.take(request);
        // What it has put into the queue is there by now.
        self.traffic.arrives();
        answer
    }
}

impl<S> Ingress<S>
where
    S: Service<Request, Response = Option<Response>> + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    /// Puts a message where it belongs.
    fn take(&mut self, request: Request) -> Answer<S::Error> {
        let method = request.method().to_owned();
        if method == "$/cancelRequest" {
            let (_, _, params) = request.into_parts();
            self.cancel(&params.unwrap_or_default());
            return Box::pin(async { Ok(None) });
        }
        if let (UNREADABLE, Some(id)) = (method.as_str(), request.id()) {
            let why = request.params().and_then(Json::as_str).unwrap_or_default();
            let error = Error { code: ErrorCode::InvalidRequest, message: format!("this cannot be read: {why}").into(), data: None };
            let refused = Response::from_error(id.clone(), error);
            return Box::pin(async { Ok(Some(refused)) });
        }
        let is_note = method.starts_with("textDocument/did") || method.starts_with("workspace/did");
        if !is_note && !is_request(&method) {
            return Box::pin(self.inner.call(request));
        }
        let (_, id, params) = request.into_parts();
        let params = params.unwrap_or_default();
        match (self.phase.refusal(), id) {
            (Some(error), Some(id)) => Box::pin(async move { Ok(Some(Response::from_error(id, error))) }),
            (Some(_), None) => Box::pin(async { Ok(None) }),
            (None, Some(id)) => {
                self.ask(id, method, params);
                Box::pin(async { Ok(None) })
            }
            (None, None) => {
                // The owner ends with the process only.
                drop(self.queue.send(Event::Notification(method, params)));
                Box::pin(async { Ok(None) })
            }
        }
    }
}
