//! Tool servers that tests start and call.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

/// How long a server may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A tool server that runs as long as this value lives.
#[derive(Debug)]
pub struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Starts a server that says where it listens, as `http://HOST:PORT`.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or ends, before it has said so.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server can be started");
        let (tell, told) = mpsc::channel();
        let streams: [Option<Box<dyn Read + Send>>; 2] =
            [process.stdout.take().map(|it| Box::new(it) as _), process.stderr.take().map(|it| Box::new(it) as _)];
        for stream in streams.into_iter().flatten() {
            let tell = tell.clone();
            // It is read to its end, so that the server never waits for a reader.
            std::thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(tell.send(line))));
        }
        drop(tell);
        let mut said = String::new();
        let address = loop {
            let Ok(line) = told.recv_timeout(PATIENCE) else {
                let _ = process.kill();
                panic!("the server does not say where it listens:\n{said}");
            };
            if let Some((_, rest)) = line.split_once("http://") {
                break rest.split_whitespace().next().unwrap_or_default().to_owned();
            }
            said.push_str(&line);
            said.push('\n');
        };
        Self { process, address }
    }

    /// A method of the example `support.weave` answers with this status that nobody has written it, once its arguments have been read.
    ///
    /// # Panics
    ///
    /// If it answers otherwise.
    pub fn assert_unwritten(&self, status: u16) {
        for (args, expected) in
            [(json!({ "order_id": "A-1", "amount": "1" }), (status, "execution_error")), (json!({}), (400, "invalid_input"))]
        {
            let (found, body) = self.call("/support", &json!({ "name": "refund", "args": args }).to_string());
            assert_eq!((found, &body["failure"]["kind"]), (expected.0, &json!(expected.1)), "{body}");
        }
    }

    /// Where it listens, without the scheme.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The status and the body of the answer to a dispatch.
    ///
    /// # Panics
    ///
    /// If there is no answer, or one that is no JSON.
    #[must_use]
    pub fn call(&self, path: &str, dispatch: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap_or_else(|error| panic!("nobody listens at {}: {error}", self.address));
        stream.set_read_timeout(Some(PATIENCE)).expect("the time is not zero");
        // In this version of HTTP, the body of an answer comes as a whole.
        let head = format!(
            "POST {path} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            dispatch.len()
        );
        stream.write_all(format!("{head}{dispatch}").as_bytes()).expect("the server takes the request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("an answer of HTTP");
        let (_, body) = answer.split_once("\r\n\r\n").expect("an answer of HTTP has a head");
        (status, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
