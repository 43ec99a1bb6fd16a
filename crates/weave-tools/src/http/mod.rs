//! Services over HTTP: the request, and what goes wrong on the way.
//!
//! A call is a `POST` of the same JSON that a command reads. Nothing is repeated here and no redirect is followed, because only the
//! host knows whether a call may be sent again.

mod connections;
mod reply;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, Uri};
use serde_json::Value;
use tokio::time::timeout;
use weave_host::Outcome;

pub(crate) use connections::Connections;
use reply::Reply;

use crate::answer::{Line, invalid};

/// The type of a call and of a single answer.
pub(crate) const JSON: &str = "application/json";
/// The type of an answer that is streamed.
pub(crate) const LINES: &str = "application/x-ndjson";

/// An HTTP service that carries out the calls of tools, as generated services do.
#[derive(Clone)]
pub struct Service {
    address: Uri,
    headers: HeaderMap,
    /// How long it may be silent before it is given up.
    pub patience: Duration,
    /// The longest answer, in bytes; of a streamed one, the longest line.
    pub most_output: usize,
}

/// One call of a service.
pub(crate) struct Sent<'a> {
    /// The call.
    pub(crate) call: &'a Value,
    /// The key of idempotency.
    pub(crate) key: &'a str,
    /// The place in the trace, as in the header `traceparent`.
    pub(crate) trace: &'a str,
    /// Whether it must not be carried out twice.
    pub(crate) once_only: bool,
    /// Whether the service is asked to stream.
    pub(crate) streams: bool,
}

impl Service {
    /// A service at an address, with the usual limits: an hour of silence, answers of 16 MiB. `headers` are sent with each call.
    ///
    /// # Errors
    ///
    /// If the address is not one of HTTP, or a header is not possible. No value of a header is repeated in the message.
    pub fn new(address: &str, headers: &[(String, String)]) -> Result<Self, String> {
        let shown = shortened(address);
        let uri: Uri = address.parse().map_err(|error| format!("`{shown}` is not an address: {error}"))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
            return Err(format!("`{shown}` is not an address of HTTP: it begins with `http://` or `https://`"));
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err("the address has a user or a password; set the header `authorization` instead".to_owned());
        }
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let header = HeaderName::try_from(name).map_err(|_| format!("`{name}` is not the name of a header"))?;
            let mut value = HeaderValue::from_str(value.trim())
                .map_err(|_| format!("the value of the header `{name}` has characters that no header has"))?;
            value.set_sensitive(true);
            map.insert(header, value);
        }
        Ok(Self { address: uri, headers: map, patience: Duration::from_secs(3600), most_output: 16 << 20 })
    }

    /// Whether calls are encrypted.
    pub(crate) fn is_https(&self) -> bool {
        self.address.scheme_str() == Some("https")
    }

    /// Calls the service once. When the future is dropped, the connection is closed, so that the service sees that nothing waits.
    pub(crate) async fn call(&self, connections: &Connections, request: &Sent<'_>, progress: &mut (dyn FnMut(Value) + Send)) -> Outcome {
        let sent = match self.request(request) {
            Ok(sent) => sent,
            Err(message) => return Outcome::Refused { after: None, message },
        };
        let response = match timeout(self.patience, connections.of(request.once_only).request(sent)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_connect() => {
                return Outcome::Refused { after: None, message: format!("{self} cannot be reached: {}", cause(&error)) };
            }
            Ok(Err(error)) => return Outcome::Lost { message: format!("{self} gave no answer: {}", cause(&error)) },
            Err(_) => return Outcome::Lost { message: self.silent() },
        };
        let streamed = response.status().as_u16() == 200 && reply::is_type(response.headers(), LINES);
        if streamed { self.lines(response, progress).await } else { self.single(response).await }
    }

    fn request(&self, request: &Sent<'_>) -> Result<Request<Full<Bytes>>, String> {
        let body = Full::new(Bytes::from(request.call.to_string()));
        let mut sent = Request::new(body);
        *sent.method_mut() = Method::POST;
        *sent.uri_mut() = self.address.clone();
        let headers = sent.headers_mut();
        headers.extend(self.headers.clone());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        headers.insert(ACCEPT, HeaderValue::from_static(if request.streams { "application/x-ndjson, application/json" } else { JSON }));
        let own = [("idempotency-key", request.key), ("traceparent", request.trace)];
        for (name, value) in own {
            let value =
                HeaderValue::from_bytes(value.as_bytes()).map_err(|_| format!("`{value}` cannot be sent as the header `{name}`"))?;
            headers.insert(name, value);
        }
        Ok(sent)
    }

    /// An answer that comes as a whole.
    async fn single(&self, response: Response<Incoming>) -> Outcome {
        let (head, mut body) = response.into_parts();
        let mut bytes = Vec::new();
        loop {
            match self.chunk(&mut body).await {
                Ok(None) => break,
                Ok(Some(chunk)) if bytes.len() + chunk.len() > self.most_output => return self.too_large("answer"),
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                // A status that says that nothing was done says it without its body, too.
                Err(_) if reply::is_refusal(head.status) => break,
                Err(outcome) => return outcome,
            }
        }
        Reply { service: self, status: head.status, headers: &head.headers, body: &bytes }.outcome()
    }

    /// An answer that is streamed, a line at a time.
    async fn lines(&self, response: Response<Incoming>, progress: &mut (dyn FnMut(Value) + Send)) -> Outcome {
        let mut body = response.into_body();
        let mut buffer = Vec::new();
        let mut ended = false;
        while !ended {
            match self.chunk(&mut body).await {
                // The last line may lack its end.
                Ok(None) => {
                    ended = true;
                    buffer.push(b'\n');
                }
                Ok(Some(chunk)) => buffer.extend_from_slice(&chunk),
                Err(outcome) => return outcome,
            }
            while let Some(end) = buffer.iter().position(|byte| *byte == b'\n') {
                let rest = buffer.split_off(end + 1);
                let line = std::mem::replace(&mut buffer, rest);
                match Line::read(line.trim_ascii()) {
                    _ if line.trim_ascii().is_empty() => {}
                    Ok(Line::Progress(data)) => progress(data),
                    Ok(Line::Answer(outcome)) => return outcome,
                    Err(why) => return invalid(why),
                }
            }
            if buffer.len() > self.most_output {
                return self.too_large("line");
            }
        }
        Outcome::Lost { message: format!("the answer of {self} ended without a result") }
    }

    /// The next part of an answer; nothing at its end.
    async fn chunk(&self, body: &mut Incoming) -> Result<Option<Bytes>, Outcome> {
        loop {
            return match timeout(self.patience, body.frame()).await {
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => Ok(Some(data)),
                    // Trailers.
                    Err(_) => continue,
                },
                Ok(Some(Err(error))) => Err(Outcome::Lost { message: format!("the answer of {self} broke off: {}", cause(&error)) }),
                Ok(None) => Ok(None),
                Err(_) => Err(Outcome::Lost { message: self.silent() }),
            };
        }
    }

    fn silent(&self) -> String {
        format!("{self} was silent for {:?}", self.patience)
    }

    fn too_large(&self, what: &str) -> Outcome {
        invalid(format!("the {what} of {self} has more than {} bytes", self.most_output))
    }
}

/// Without the query, which may hold secrets.
impl fmt::Display for Service {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |part: Option<&str>| part.unwrap_or_default().to_owned();
        let authority = part(self.address.authority().map(hyper::http::uri::Authority::as_str));
        write!(out, "{}://{authority}{}", part(self.address.scheme_str()), self.address.path())
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Service({self})")
    }
}

/// An address without its query and its user.
fn shortened(address: &str) -> String {
    let address = address.split('?').next().unwrap_or_default();
    match address.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.split_once('@')?.1))) {
        Some((scheme, rest)) => format!("{scheme}://…@{rest}"),
        None => address.to_owned(),
    }
}

/// What is at the bottom of an error: the layers above only say that there is one.
fn cause(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
