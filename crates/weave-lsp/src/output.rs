//! What is sent to the client: whole frames, in one queue.
//!
//! The transport writes its messages into it, and so does whoever answers a question: a long answer is written as text once, where it is made.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tower_lsp::jsonrpc::{Id, Response, Result};

/// The way to the client. Nothing waits for it.
#[derive(Clone, Debug)]
pub(crate) struct Output(pub(crate) UnboundedSender<Vec<u8>>);

impl Output {
    /// Answers a question with a result that is written as JSON, or refuses it.
    pub(crate) fn answer(&self, id: Id, result: Result<Vec<u8>>) {
        let body = match result {
            Ok(result) => {
                let Ok(id) = serde_json::to_vec(&id) else { return };
                [br#"{"jsonrpc":"2.0","result":"#.as_slice(), &result, br#","id":"#, &id, b"}"].concat()
            }
            Err(error) => serde_json::to_vec(&Response::from_error(id, error)).unwrap_or_default(),
        };
        let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        frame.extend(body);
        // Where the client is gone there is nobody to tell.
        drop(self.0.send(frame));
    }
}

/// The transport hands over whole frames, and gets rid of all that it hands over: so frames never mix.
impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let sent = self.0.send(bytes.to_vec());
        Poll::Ready(sent.map(|()| bytes.len()).map_err(|_| std::io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Writes what is sent until nobody is left who could send something, or the client is gone.
pub(crate) async fn write(mut frames: UnboundedReceiver<Vec<u8>>, mut output: impl AsyncWrite + Unpin) {
    while let Some(frame) = frames.recv().await {
        let written = async {
            output.write_all(&frame).await?;
            output.flush().await
        };
        if written.await.is_err() {
            return;
        }
    }
}
