//! Frames: what comes in is read once before the transport sees it, because a frame that it cannot read would be its last one.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use crate::bursts::Change;
use crate::log::Log;
use crate::readable::{self, Readable};
use crate::traffic::Traffic;

/// Longer messages are skipped: no text that may be opened is as long.
const LONGEST: u64 = 256 << 20;

/// Header lines are short; whatever is longer is none.
const LONGEST_LINE: u64 = 4096;

/// How many bytes are read at once, if there are as many: some hundreds of changes.
const READ: usize = 64 * 1024;

/// Hands on the frames that can be read, in their order, and says of the others in the log that they were skipped. It ends with the input.
pub(crate) async fn filter(input: impl AsyncRead + Unpin, mut output: impl AsyncWrite + Unpin, traffic: &Traffic, log: Log) {
    let mut input = BufReader::with_capacity(READ, input);
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
        if let Some(burst) = burst(&mut body, &mut input) {
            body = burst;
        }
        let (handed, is_answer) = match readable::read(&mut body) {
            Readable::Message(message) => (message, false),
            Readable::Answer(answer) => (answer, true),
            Readable::Not { why, question } => {
                log.write(&format!("skipped a message that cannot be read: {why}"));
                let Some(question) = question else { continue };
                (question, false)
            }
        };
        traffic.departs(is_answer, !input.buffer().is_empty());
        let header = format!("Content-Length: {}\r\n\r\n", handed.len());
        let written = async {
            output.write_all(header.as_bytes()).await?;
            output.write_all(&handed).await?;
            output.flush().await
        };
        if written.await.is_err() {
            return;
        }
    }
}

/// The change that a body and the ones behind it are together, as far as those have been read whole. Nothing is waited for.
fn burst(body: &mut [u8], input: &mut BufReader<impl AsyncRead + Unpin>) -> Option<Vec<u8>> {
    whole(input.buffer())?;
    readable::replace_lone_surrogates(body);
    let mut change = Change::read(body)?;
    let mut is_burst = false;
    while let Some((next, length)) = whole(input.buffer()) {
        let mut next = next.to_vec();
        readable::replace_lone_surrogates(&mut next);
        if !change.joins(&next) {
            break;
        }
        input.consume(length);
        is_burst = true;
    }
    if is_burst { change.body() } else { None }
}

/// The body of the message at the start of some bytes, and the length of its frame; nothing for one that is not there as a whole, or has other
/// headers than the length.
fn whole(bytes: &[u8]) -> Option<(&[u8], usize)> {
    const LENGTH: &[u8] = b"Content-Length: ";
    const END: &[u8] = b"\r\n\r\n";
    let digits = bytes.strip_prefix(LENGTH)?.split(|byte| *byte == b'\r').next()?;
    let length: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let body = bytes.get(LENGTH.len() + digits.len()..)?.strip_prefix(END)?;
    let (body, behind) = body.split_at_checked(length)?;
    Some((body, bytes.len() - behind.len()))
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
        let mut text = text.trim();
        // A body without a length ends without a line feed: the next message begins on its line.
        if let Some(start) = text.rfind("Content-Length:").filter(|start| *start > 0) {
            log.write("skipped text before a header");
            text = text.get(start..).unwrap_or_default();
        }
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
                    log.write("skipped a header whose length is not a number");
                }
            }
            Some((name, _)) if name.eq_ignore_ascii_case("content-type") => {}
            _ => log.write("skipped a line that is not a header"),
        }
    }
}
