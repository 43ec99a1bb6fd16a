//! Frames: what comes in is read once before the transport sees it, because a frame that it cannot read would be its last one.

use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use crate::log::Log;

/// Longer messages are skipped: no text that may be opened is as long.
const LONGEST: u64 = 256 << 20;

/// Header lines are short; whatever is longer is none.
const LONGEST_LINE: u64 = 4096;

/// What every message of the protocol has.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: std::borrow::Cow<'a, str>,
    #[serde(borrow, default)]
    method: Option<std::borrow::Cow<'a, str>>,
    #[serde(default)]
    id: Option<Id>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(#[allow(dead_code, reason = "only its kind counts")] i64),
    String(#[allow(dead_code, reason = "only its kind counts")] String),
}

/// Hands on the frames that can be read, in their order, and says of the others in the log that they were skipped. It ends with the input.
pub(crate) async fn filter(input: impl AsyncRead + Unpin, mut output: impl AsyncWrite + Unpin, log: Log) {
    let mut input = BufReader::new(input);
    let mut body = Vec::new();
    while let Some(length) = next_length(&mut input, &log).await {
        if length > LONGEST {
            log.write(&format!("skipped a message of {length} bytes"));
            let skipped = tokio::io::copy(&mut (&mut input).take(length), &mut tokio::io::sink()).await;
            if skipped.is_err() {
                return;
            }
            continue;
        }
        body.clear();
        body.resize(usize::try_from(length).unwrap_or_default(), 0);
        if input.read_exact(&mut body).await.is_err() {
            return;
        }
        if let Err(why) = check(&body) {
            log.write(&format!("skipped a message that cannot be read: {why}"));
            continue;
        }
        let header = format!("Content-Length: {length}\r\n\r\n");
        let written = async {
            output.write_all(header.as_bytes()).await?;
            output.write_all(&body).await?;
            output.flush().await
        };
        if written.await.is_err() {
            return;
        }
    }
}

/// The length of the next message; nothing at the end of the input.
async fn next_length(input: &mut (impl AsyncBufReadExt + Unpin), log: &Log) -> Option<u64> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line).await.ok()?;
        if read == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length {
                Some(length) => return Some(length),
                None => continue,
            }
        }
        match text.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
                if length.is_none() {
                    log.write("skipped a header whose length is no number");
                }
            }
            Some((name, _)) if name.eq_ignore_ascii_case("content-type") => {}
            _ => log.write("skipped a line that is no header"),
        }
    }
}

/// Whether a body is a message.
fn check(body: &[u8]) -> Result<(), String> {
    let envelope: Envelope<'_> = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let is_answer = envelope.id.is_some() && (envelope.result.is_some() || envelope.error.is_some());
    // The result of an answer may be null, which is as good as any.
    let is_empty_answer = envelope.id.is_some() && envelope.method.is_none();
    if envelope.jsonrpc != "2.0" {
        return Err("its version of JSON-RPC is not 2.0".to_owned());
    }
    if envelope.method.is_some() || is_answer || is_empty_answer { Ok(()) } else { Err("it is neither a request nor an answer".to_owned()) }
}
