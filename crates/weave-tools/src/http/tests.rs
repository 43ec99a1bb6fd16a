//! Services over HTTP: what is sent, and what each answer means.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use weave_host::Outcome;
use weave_runner::FailureKind;

use super::{Connections, Sent, Service};

/// A server that takes one request and does this with the connection; the text of the request.
fn server(answer: impl FnOnce(&mut TcpStream) + Send + 'static) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/tools", listener.local_addr().unwrap());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        drop(tell.send(request(&mut stream)));
        answer(&mut stream);
    });
    (address, told)
}

fn request(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = stream.read(&mut chunk).unwrap();
        text.extend_from_slice(chunk.get(..read).unwrap());
        let shown = String::from_utf8_lossy(&text).into_owned();
        let Some((head, body)) = shown.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.parse().unwrap());
        if body.len() >= length || read == 0 {
            return shown;
        }
    }
}

fn service(address: &str) -> Service {
    Service::new(address, &[("authorization".to_owned(), "Bearer canary".to_owned())]).unwrap()
}

fn call(service: &Service, streams: bool) -> (Outcome, Vec<Value>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let connections = Connections::new(service.is_https()).unwrap();
        let call = json!({ "name": "reserve", "args": { "sku": "A-1" }, "key": "r1/a#1", "attempt": 1, "run": "r1" });
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let sent = Sent { call: &call, key: "r1/a#1", trace, once_only: true, streams };
        let mut progress = Vec::new();
        let outcome = service.call(&connections, &sent, &mut |data| progress.push(data)).await;
        (outcome, progress)
    })
}

/// What an answer means, written as it goes over the wire.
fn answered(text: impl Into<Vec<u8>>) -> Outcome {
    let text = text.into();
    let (address, _told) = server(move |stream| drop(stream.write_all(&text)));
    call(&Service { patience: Duration::from_secs(5), ..service(&address) }, false).0
}

fn with_status(status: &str, headers: &str, body: &str) -> Outcome {
    answered(format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len()))
}

fn json_with(status: &str, body: &str) -> Outcome {
    with_status(status, "content-type: application/json; charset=utf-8\r\n", body)
}

fn failure(outcome: Outcome) -> (FailureKind, String) {
    match outcome {
        Outcome::Failed(failure) => (failure.kind, failure.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_has_its_key_its_trace_and_its_headers() {
    let (address, told) = server(|stream| drop(stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n")));
    assert!(matches!(call(&service(&address), true).0, Outcome::Data(Value::Null)));
    let request = told.recv().unwrap();
    assert!(request.starts_with("POST /tools HTTP/1.1\r\n"), "{request}");
    for line in [
        "content-type: application/json",
        "accept: application/x-ndjson, application/json",
        "idempotency-key: r1/a#1",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "authorization: Bearer canary",
    ] {
        assert!(request.contains(&format!("{line}\r\n")), "{line} is missing in {request}");
    }
    let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body, json!({ "name": "reserve", "args": { "sku": "A-1" }, "key": "r1/a#1", "attempt": 1, "run": "r1" }));
}

#[test]
fn each_status_has_its_meaning() {
    assert!(matches!(json_with("200 OK", "{\"ticket\":1}"), Outcome::Data(data) if data == json!({ "ticket": 1 })));
    assert!(matches!(json_with("202 Accepted", "{\"pending\":\"r1/a#1\"}"), Outcome::Accepted { handle } if handle == "r1/a#1"));
    assert_eq!(failure(json_with("202 Accepted", "{}")).0, FailureKind::InvalidOutput);
    let declared = r#"{"failure":{"kind":"execution_error","code":"sold_out","message":"none left"}}"#;
    match json_with("422 Unprocessable Entity", declared) {
        Outcome::Failed(failure) => assert_eq!((failure.code.as_deref(), failure.message.as_str()), (Some("sold_out"), "none left")),
        other => panic!("{other:?}"),
    }
    assert_eq!(failure(json_with("503 Service Unavailable", r#"{"failure":{"kind":"unavailable","message":"closed"}}"#)).1, "closed");
    assert_eq!(failure(with_status("404 Not Found", "", "nothing here")).0, FailureKind::UnknownTool);
    assert_eq!(failure(with_status("401 Unauthorized", "", "")).0, FailureKind::Denied);
    assert_eq!(failure(json_with("500 Internal Server Error", "{}")).0, FailureKind::ExecutionError);
    assert_eq!(failure(json_with("418 I'm a teapot", "[]")).0, FailureKind::ExecutionError);
}

#[test]
fn a_refusal_is_sent_again_and_what_a_proxy_says_is_not_known() {
    let after = |outcome: Outcome| match outcome {
        Outcome::Refused { after, .. } => after,
        other => panic!("{other:?}"),
    };
    assert_eq!(after(with_status("429 Too Many Requests", "retry-after: 7\r\n", "")), Some(7_000));
    assert_eq!(after(with_status("429 Too Many Requests", "", "")), None);
    assert_eq!(after(with_status("503 Service Unavailable", "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n", "")), Some(0));
    assert_eq!(after(with_status("503 Service Unavailable", "retry-after: 99999999999999999999\r\n", "")), None);
    assert_eq!(after(with_status("409 Conflict", "", "")), Some(1_000));
    for status in ["502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"] {
        assert!(matches!(with_status(status, "", "<html>"), Outcome::Lost { .. }), "{status}");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let (kind, message) = failure(with_status("302 Found", "location: http://evil.test/x?secret=1\r\n", ""));
    assert_eq!(kind, FailureKind::ExecutionError);
    assert!(message.contains("redirects to `http://evil.test/x`; redirects are not followed"), "{message}");
}

#[test]
fn garbage_is_a_failure() {
    for outcome in [
        with_status("200 OK", "content-type: text/html\r\n", "<html>"),
        with_status("200 OK", "", "{}"),
        json_with("200 OK", "hello"),
        json_with("200 OK", ""),
        json_with("200 OK", "{} {}"),
    ] {
        assert_eq!(failure(outcome).0, FailureKind::InvalidOutput);
    }
    let long = format!("\"{}\"", "x".repeat(100_000));
    let (address, _told) = server(move |stream| {
        drop(write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"));
        drop(write!(stream, "{:x}\r\n{long}\r\n0\r\n\r\n", long.len()));
    });
    let (kind, message) = failure(call(&Service { most_output: 10_000, ..service(&address) }, false).0);
    assert_eq!((kind, message.ends_with("has more than 10000 bytes")), (FailureKind::InvalidOutput, true), "{message}");
}

#[test]
fn what_a_silent_or_broken_service_did_is_not_known() {
    for text in
        ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{", "garbage\r\n\r\n"]
    {
        assert!(matches!(answered(text), Outcome::Lost { .. }), "{text:?}");
    }
    for text in ["", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"] {
        let (address, _told) = server(move |stream| {
            drop(stream.write_all(text.as_bytes()));
            std::thread::sleep(Duration::from_secs(3));
        });
        let outcome = call(&Service { patience: Duration::from_millis(200), ..service(&address) }, false).0;
        assert!(matches!(&outcome, Outcome::Lost { message } if message.contains("was silent for 200ms")), "{outcome:?}");
    }
}

#[test]
fn a_service_that_cannot_be_reached_has_done_nothing() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let outcome = call(&service(&format!("http://{closed}/?token=canary")), false).0;
    assert!(
        matches!(&outcome, Outcome::Refused { after: None, message } if message.contains("cannot be reached") && !message.contains("canary")),
        "{outcome:?}"
    );
    // A server that speaks no TLS.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || listener.accept().unwrap().0.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
    let https = Service { patience: Duration::from_secs(5), ..service(&address) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // The certificates of this machine have no part in it.
    let connections = Connections::new(false).unwrap();
    let call = json!({});
    let sent = Sent { call: &call, key: "k", trace: "t", once_only: true, streams: false };
    let outcome = runtime.block_on(https.call(&connections, &sent, &mut |_| {}));
    assert!(matches!(&outcome, Outcome::Refused { after: None, .. }), "{outcome:?}");
}

#[test]
fn a_stream_tells_how_far_it_is() {
    let stream = |lines: &'static str| {
        let (address, _told) = server(move |stream| {
            drop(write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n"));
            for part in lines.as_bytes().chunks(7) {
                drop(write!(stream, "{:x}\r\n", part.len()));
                drop(stream.write_all(part));
                drop(write!(stream, "\r\n"));
            }
            drop(write!(stream, "0\r\n\r\n"));
        });
        call(&service(&address), true)
    };
    let (outcome, progress) = stream("{\"progress\":{\"pct\":10}}\n\n{\"artifacts\":[1]}\n{\"result\":\"ok\"}");
    assert!(matches!(outcome, Outcome::Data(data) if data == "ok"));
    assert_eq!(progress, [json!({ "progress": { "pct": 10 } }), json!({ "artifacts": [1] })]);
    assert!(matches!(stream("{\"pending\":\"t7\"}\n").0, Outcome::Accepted { handle } if handle == "t7"));
    assert_eq!(failure(stream("{\"failure\":{\"kind\":\"denied\",\"message\":\"no\"}}\n").0), (FailureKind::Denied, "no".to_owned()));
    assert!(matches!(stream("{\"progress\":1}\n").0, Outcome::Lost { .. }));
    assert_eq!(failure(stream("garbage\n").0).0, FailureKind::InvalidOutput);
}

#[test]
fn a_call_that_nothing_waits_for_is_closed() {
    let (tell, told) = channel();
    let (address, _request) = server(move |stream| {
        let mut byte = [0];
        drop(tell.send(stream.read(&mut byte)));
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let connections = Connections::new(false).unwrap();
        let (service, call) = (service(&address), json!({}));
        let sent = Sent { call: &call, key: "k", trace: "t", once_only: true, streams: false };
        let mut progress = |_| {};
        let waited = tokio::time::timeout(Duration::from_millis(300), service.call(&connections, &sent, &mut progress)).await;
        assert!(waited.is_err());
        tokio::time::sleep(Duration::from_millis(100)).await;
    });
    let read = told.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(!matches!(read, Ok(length) if length > 0), "the service sees the end of the connection");
}

#[test]
fn an_address_is_one_of_http_and_has_no_password() {
    for (address, expected) in [
        ("ftp://a/b", "is not an address of HTTP"),
        ("localhost:8080", "is not an address"),
        ("http://me:canary@a/", "set the header `authorization`"),
        ("a b", "is not an address"),
        ("http://me:canary@a b", "is not an address"),
    ] {
        let error = Service::new(address, &[]).unwrap_err();
        assert!(error.contains(expected) && !error.contains("canary"), "{error}");
    }
    let error = Service::new("http://a", &[("authorization".to_owned(), "canary\n".to_owned() + "x")]).unwrap_err();
    assert!(error.contains("the header `authorization`") && !error.contains("canary"), "{error}");
}
