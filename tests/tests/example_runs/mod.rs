//! The examples run: for each the ways to its ends that a reader would ask for.

mod desks;
mod money;
mod people;
mod reading;
mod shipping;

use serde_json::Value;
use weave_runner::{Failure, FailureKind};

use crate::runner_programs::{Run, example};

/// Plays a run and asserts how it ends.
#[track_caller]
fn run(file: &str, workflow: &str, input: Value, script: impl FnOnce(&mut Run), outcome: &str, result: Value) {
    let definition = example(file, workflow);
    let mut run = Run::start(&definition, input);
    script(&mut run);
    run.ends(outcome, result);
}

/// The ways of answering that come up again and again.
trait Answers {
    fn tool(&mut self, step: &str, output: Value) -> &mut Self;
    fn model(&mut self, step: &str, output: Value) -> &mut Self;
    fn child(&mut self, step: &str, output: Value) -> &mut Self;
    fn hydrated(&mut self, step: &str, found: Value) -> &mut Self;
    fn fired(&mut self, timer: &str) -> &mut Self;
    fn tool_fails(&mut self, step: &str, code: &str, data: Option<Value>) -> &mut Self;
    fn model_fails(&mut self, step: &str, kind: FailureKind) -> &mut Self;
}

impl Answers for Run {
    fn tool(&mut self, step: &str, output: Value) -> &mut Self {
        self.answer(step, "tool.result", output)
    }

    fn model(&mut self, step: &str, output: Value) -> &mut Self {
        self.answer(step, "ai.response", output)
    }

    fn child(&mut self, step: &str, output: Value) -> &mut Self {
        self.answer(step, "workflow.done", output)
    }

    fn hydrated(&mut self, step: &str, found: Value) -> &mut Self {
        self.answer(&format!("{step}@hydrate"), "prompt.hydrate.result", found)
    }

    fn fired(&mut self, timer: &str) -> &mut Self {
        self.answer(timer, "timer.fired", Value::Null)
    }

    fn tool_fails(&mut self, step: &str, code: &str, data: Option<Value>) -> &mut Self {
        self.failed(step, "tool.result", Failure::coded(code, "no", data))
    }

    fn model_fails(&mut self, step: &str, kind: FailureKind) -> &mut Self {
        self.failed(step, "ai.response", Failure::new(kind, "no"))
    }
}
