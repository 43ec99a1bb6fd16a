//! One command, and what its answer means.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use weave_host::Outcome;
use weave_runner::FailureKind;

use crate::answer::{Line, failed, failure, invalid};
use crate::process::{Ended, Process};

/// A command that answers calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its environment, whole: nothing is inherited.
    pub environment: BTreeMap<String, String>,
    /// Where it is started.
    pub folder: Option<PathBuf>,
    /// Whether it streams: a JSON object a line.
    pub lines: bool,
    /// How long it may be silent before it is given up.
    pub patience: Duration,
    /// The most bytes that it may write.
    pub most_output: usize,
}

impl Command {
    /// A command with the usual limits: an hour of silence, 16 MiB of output.
    #[must_use]
    pub fn new(program: impl Into<String>, arguments: Vec<String>) -> Self {
        Self {
            program: program.into(),
            arguments,
            environment: BTreeMap::new(),
            folder: None,
            lines: false,
            patience: Duration::from_secs(3600),
            most_output: 16 << 20,
        }
    }

    /// Starts the command with this call on its standard input, and waits for its answer. When the future is dropped, the command
    /// and what it started are killed.
    pub async fn call(&self, call: &Value, progress: &mut (dyn FnMut(Value) + Send)) -> Outcome {
        let mut process = match Process::start(self, call) {
            Ok(process) => process,
            Err(outcome) => return *outcome,
        };
        let mut answer = None;
        let mut wrong = None;
        let mut line = |line: &[u8]| match Line::read(line) {
            Ok(Line::Progress(data)) => progress(data),
            Ok(Line::Answer(outcome)) => answer = Some(outcome),
            Err(why) => wrong = Some(why),
        };
        let ended = if self.lines { process.lines(&mut line).await } else { process.whole().await };
        let (output, code, said) = match ended {
            Ended::Exit { output, code, said } => (output, code, said),
            Ended::TooLarge => return invalid(format!("it wrote more than {} bytes", self.most_output)),
            Ended::Lost(message) => return Outcome::Lost { message },
        };
        match (answer, wrong) {
            (Some(outcome), _) => return outcome,
            (None, Some(why)) => return invalid(why),
            (None, None) => {}
        }
        if code == 0 && self.lines {
            return invalid("its last line is neither `result` nor `failure` nor `pending`");
        }
        match serde_json::from_slice::<Value>(&output) {
            Ok(result) if code == 0 => Outcome::Data(result),
            Ok(body) if body.get("failure").is_some() => failed(&body).unwrap_or_else(|| ended_with(code, &said)),
            Err(error) if code == 0 && output.iter().all(u8::is_ascii_whitespace) => {
                invalid(format!("it wrote nothing to its standard output ({error})"))
            }
            Err(error) if code == 0 => invalid(format!("its output is not JSON: {error}")),
            _ => ended_with(code, &said),
        }
    }
}

fn ended_with(code: i32, said: &str) -> Outcome {
    let message = if said.is_empty() { format!("the command ended with {code}") } else { format!("the command ended with {code}: {said}") };
    failure(FailureKind::ExecutionError, message)
}
