//! Who answers the runs of the benchmark.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use weave_host::{Ask, Clock, Context, Models, Notice, Outcome, Pending, People, Question, ToolCall, Tools, Watch};

/// Nothing but tools answers.
pub struct World;

impl Models for World {
    fn turn<'a>(&'a self, _: &'a Ask, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}

impl People for World {
    fn ask<'a>(&'a self, _: Question<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}

impl Watch for World {
    fn notice(&self, _: &Notice<'_>) {}
}

/// The clock of the machine, or one that is set by hand.
pub struct Fast {
    by_hand: AtomicBool,
    now: AtomicI64,
}

impl Fast {
    pub fn real() -> Self {
        Self { by_hand: AtomicBool::new(false), now: AtomicI64::new(0) }
    }

    pub fn still(now: i64) -> Self {
        Self { by_hand: AtomicBool::new(true), now: AtomicI64::new(now) }
    }

    pub fn jump(&self, now: i64) {
        self.now.store(now, Ordering::SeqCst);
    }
}

impl Clock for Fast {
    fn now(&self) -> i64 {
        if self.by_hand.load(Ordering::SeqCst) {
            return self.now.load(Ordering::SeqCst);
        }
        i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
    }

    fn is_virtual(&self) -> bool {
        false
    }

    fn wait(&self, until: i64) -> Pending<'_, ()> {
        Box::pin(async move {
            while self.now() < until {
                let left = u64::try_from(until - self.now()).unwrap_or(0);
                tokio::time::sleep(Duration::from_millis(left.min(20))).await;
            }
        })
    }
}

/// Tools that answer at once, in the process.
pub struct InProcess;

impl Tools for InProcess {
    fn call<'a>(&'a self, _: ToolCall<'a>, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Data(json!({ "ok": true }))))
    }

    fn hydrate<'a>(&'a self, _: &'a str, _: &'a Value, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}

/// Tools that answer over HTTP/1.1, with connections that are used again.
pub struct Http {
    address: String,
    idle: Mutex<Vec<TcpStream>>,
}

impl Http {
    pub fn new(address: &str) -> Self {
        Self { address: address.to_owned(), idle: Mutex::default() }
    }

    async fn post(&self, key: &str, body: &Value) -> std::io::Result<Value> {
        let idle = self.idle.lock().unwrap().pop();
        let mut stream = match idle {
            Some(stream) => stream,
            None => TcpStream::connect(&self.address).await?,
        };
        stream.set_nodelay(true)?;
        let body = body.to_string();
        let head = format!(
            "POST /tools/step HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nidempotency-key: {key}\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await?;
        let answer = message(&mut stream).await?;
        self.idle.lock().unwrap().push(stream);
        serde_json::from_slice(&answer).map_err(std::io::Error::other)
    }
}

impl Tools for Http {
    fn call<'a>(&'a self, call: ToolCall<'a>, context: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(async move {
            match self.post(&context.key.name(), call.args).await {
                Ok(value) => Outcome::Data(value),
                Err(error) => Outcome::Lost { message: error.to_string() },
            }
        })
    }

    fn hydrate<'a>(&'a self, _: &'a str, _: &'a Value, _: &'a Context) -> Pending<'a, Outcome> {
        Box::pin(std::future::ready(Outcome::Unserved))
    }
}

/// The body of the next message.
async fn message(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:")).and_then(|text| text.trim().parse().ok());
            let whole = end + 4 + length.unwrap_or(0);
            if bytes.len() >= whole {
                return Ok(bytes[end + 4..whole].to_vec());
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Answers every call at once.
pub async fn serve(address: &str) {
    let listener = TcpListener::bind(address).await.unwrap();
    println!("serving on {address}");
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        tokio::spawn(async move {
            drop(stream.set_nodelay(true));
            while message(&mut stream).await.is_ok() {
                let answer = "{\"ok\":true}";
                let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}", answer.len());
                if stream.write_all(head.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
    }
}
