//! A process that answers: started, read within limits, and killed with all that it started.

use std::io::ErrorKind;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStderr, ChildStdout};
use tokio::time::timeout;
use weave_host::Outcome;
use weave_runner::{Failure, FailureKind};

use crate::Command;

/// So much of what it says on its standard error is repeated, in bytes.
const SAID: usize = 300;

/// Takes a line of output.
pub(crate) type TakeLine<'a> = dyn FnMut(&[u8]) + Send + 'a;

/// How a process ended.
pub(crate) enum Ended {
    /// By itself.
    Exit {
        /// What it wrote, but for the lines that were taken.
        output: Vec<u8>,
        /// Its exit code.
        code: i32,
        /// The last line of its standard error.
        said: String,
    },
    /// It wrote too much and was killed.
    TooLarge,
    /// It was killed, or silent for too long: nobody knows what it has done.
    Lost(String),
}

pub(crate) struct Process {
    child: Child,
    group: Option<u32>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    patience: Duration,
    most: usize,
}

impl Process {
    /// Starts a command, and writes the call to it in the background.
    pub(crate) fn start(command: &Command, call: &Value) -> Result<Self, Box<Outcome>> {
        let mut start = tokio::process::Command::new(&command.program);
        start.args(&command.arguments).env_clear().envs(&command.environment).kill_on_drop(true);
        start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            start.current_dir(folder);
        }
        #[cfg(unix)]
        start.process_group(0);
        let mut child = start.spawn().map_err(|error| Box::new(not_started(command, &error)))?;
        let (Some(mut input), Some(output), errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
            return Err(Box::new(Outcome::Refused { after: None, message: "the command has no standard streams".to_owned() }));
        };
        let call = call.to_string();
        // A command that does not read its input is no mistake, so errors of writing mean nothing.
        tokio::spawn(async move {
            drop(input.write_all(call.as_bytes()).await);
            drop(input.write_all(b"\n").await);
        });
        Ok(Self { group: child.id(), child, output, errors, patience: command.patience, most: command.most_output })
    }

    /// Reads all of its output.
    pub(crate) async fn whole(&mut self) -> Ended {
        self.read(None).await
    }

    /// Reads its output, a line at a time.
    pub(crate) async fn lines(&mut self, line: &mut TakeLine<'_>) -> Ended {
        self.read(Some(line)).await
    }

    async fn read(&mut self, mut line: Option<&mut TakeLine<'_>>) -> Ended {
        let errors = self.errors.take();
        // Its standard error is read beside, so that a talkative command does not wait for us.
        let said = tokio::spawn(last_line(errors));
        let (mut output, mut chunk, mut total) = (Vec::new(), vec![0; 16 << 10], 0);
        loop {
            let read = match timeout(self.patience, self.output.read(&mut chunk)).await {
                Ok(Ok(read)) => read,
                Ok(Err(error)) => return self.lost(format!("the output of the command cannot be read: {error}")),
                Err(_) => return self.lost(format!("the command was silent for {} s", self.patience.as_secs())),
            };
            let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
            total += bytes.len();
            if total > self.most {
                self.kill();
                return Ended::TooLarge;
            }
            let mut from = output.len();
            output.extend_from_slice(bytes);
            if let Some(line) = &mut line {
                while let Some(end) = output.get(from..).and_then(|new| new.iter().position(|byte| *byte == b'\n')) {
                    let rest = output.split_off(from + end + 1);
                    take_line(&std::mem::replace(&mut output, rest), *line);
                    from = 0;
                }
            }
        }
        if let Some(line) = line {
            take_line(&std::mem::take(&mut output), line);
        }
        let status = match timeout(self.patience, self.child.wait()).await {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => return self.lost(format!("the end of the command cannot be seen: {error}")),
            Err(_) => return self.lost("the command closed its output and did not end".to_owned()),
        };
        self.group = None;
        match status.code() {
            // A process that it left behind may hold its standard error open; that is not waited for.
            Some(code) => {
                let said = if code == 0 {
                    String::new()
                } else {
                    timeout(Duration::from_secs(1), said).await.map_or_else(|_| String::new(), Result::unwrap_or_default)
                };
                Ended::Exit { output, code, said }
            }
            None => Ended::Lost("the command was killed".to_owned()),
        }
    }

    fn lost(&mut self, message: String) -> Ended {
        self.kill();
        Ended::Lost(message)
    }

    /// Kills the process and all that it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw) {
            // It may have ended meanwhile.
            let _ended = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        drop(self.child.start_kill());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.group.is_some() {
            self.kill();
        }
    }
}

fn take_line(text: &[u8], line: &mut TakeLine<'_>) {
    let text = text.trim_ascii();
    if !text.is_empty() {
        line(text);
    }
}

/// The last line that is not empty, cut.
async fn last_line(errors: Option<ChildStderr>) -> String {
    let Some(mut errors) = errors else { return String::new() };
    let (mut end, mut chunk) = (Vec::new(), vec![0; 4096]);
    while let Ok(read) = errors.read(&mut chunk).await {
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        end.extend_from_slice(bytes);
        if end.len() > 8192 {
            end = end.split_off(end.len() - 4096);
        }
    }
    let text = String::from_utf8_lossy(&end);
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    last.chars().filter(|char| !char.is_control()).take(SAID).collect()
}

/// Nothing was started: for good, if the program is missing; else it is tried again.
fn not_started(command: &Command, error: &std::io::Error) -> Outcome {
    let message = format!("the command `{}` cannot be started: {error}", command.program);
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::InvalidInput | ErrorKind::NotADirectory => {
            Outcome::Failed(Failure { kind: FailureKind::Unavailable, code: None, message, data: None })
        }
        _ => Outcome::Refused { after: None, message },
    }
}
